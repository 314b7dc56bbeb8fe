"""A sample of deals with every event, and how much there was to choose at each decision."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.engine import engine_of
from simlab.errors import UsageError, counted
from simlab.experiments.study import Study
from simlab.replaying import Replayer

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Trace:
    """The traced deals, each played once, seated as given.

    Attributes
    ----------
    records : list of dict
        The game record of each deal.
    decisions : list of tuple
        ``(deal, decision, seat, policy, legal moves, move)``.
    """

    records: list[dict[str, Any]]
    decisions: list[tuple[int, int, int, str, int, int]]

    def choices(self) -> pd.DataFrame:
        """One row a decision: ``deal, decision, seat, policy, legal_moves, move``."""
        import pandas as pd

        names = ["deal", "decision", "seat", "policy", "legal_moves", "move"]
        return pd.DataFrame(self.decisions, columns=names)

    def write(self, folder: Path) -> None:
        """Write ``trace/records.jsonl`` and ``trace/choices.csv`` into a run folder."""
        from simlab.experiments.folders import write_whole

        (folder / "trace").mkdir(exist_ok=True)
        lines = "".join(json.dumps(record, allow_nan=False) + "\n" for record in self.records)
        write_whole(folder / "trace" / "records.jsonl", lines.encode())
        table = self.choices().to_csv(index=False)
        write_whole(folder / "trace" / "choices.csv", table.encode())


def check_trace(study: Study, deals: int | None, folder: Path | None) -> None:
    """Raise `UsageError` if so many deals cannot be traced, or there is nowhere to write them."""
    if deals is not None and deals > study.deals:
        raise UsageError(f"--trace {deals}: the run has {counted(study.deals, 'deal')}")
    if deals is not None and folder is None:
        raise UsageError(f"--trace {deals} needs --out DIR to write to")


def trace_deals(study: Study, deals: int, folder: Path | None = None) -> Trace:
    """Play the first deals of a study again, and keep everything that happens.

    Parameters
    ----------
    study : Study
    deals : int
        At most as many as the study has.
    folder : pathlib.Path, optional
        Run folder to write the trace into.

    Returns
    -------
    Trace

    Raises
    ------
    UsageError
        If the study has fewer deals.
    """
    check_trace(study, deals, folder or Path())
    game, engine = study.game, engine_of(study.game)
    replayer = Replayer(study.matchup, study.seed, study.luck)
    texts = [policy.text for policy in study.matchup.policies]
    records, decisions = [], []
    for deal in range(deals):
        traced = replayer.trace(deal)
        records.append(replayer.record_of(deal, traced))
        rows = traced.rows[:-1].copy()
        counts = np.zeros(len(rows), np.int64)
        moves = np.zeros((len(rows), game.max_moves), np.int64)
        engine.list_legal(study.matchup.rules, rows, counts, moves)
        chosen = zip(rows["seat"].tolist(), counts.tolist(), rows["move"].tolist(), strict=True)
        for place, (seat, n, move) in enumerate(chosen):
            decisions.append((deal, place, seat, texts[seat], n, move))
    trace = Trace(records, decisions)
    if folder is not None:
        trace.write(folder)
    return trace
