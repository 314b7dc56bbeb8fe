"""From a game, a study or run folders to a written report."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlab.errors import SimlabError, UsageError, unknown
from simlab.experiments.folders import to_json, write_whole
from simlab.experiments.standard import EFFORTS, parts_of, play_standard, standard_of
from simlab.games import MODULES, game_named

if TYPE_CHECKING:
    from simlab.experiments.batches import Watch
    from simlab.experiments.study import Study

RUNS = "runs"
"""Folder of the runs beside a report that was played for it."""
MADE = "study.json"


def report(
    what: str | Path | Study | Sequence[str | Path],
    out: str | Path,
    *,
    effort: str = "normal",
    seed: int = 0,
    workers: int | None = None,
    watch: Watch | None = None,
    note: Callable[[str], None] = lambda line: None,
    overwrite: bool = False,
) -> Path:
    """Make a report.

    Parameters
    ----------
    what : str, pathlib.Path, Study, or sequence of paths
        A game by name (its standard balance study is played, or gone on with, in ``out/runs``),
        a study or its TOML or JSON file (it is played there), or folders of runs (nothing is
        played).
    out : path
        Folder of the report.
    effort : {"quick", "normal", "deep"}
        How much of the standard study is played.
    seed, workers
        As on the command line.
    watch, note
        As `play_standard` takes them.
    overwrite : bool
        Begin the runs anew.

    Returns
    -------
    pathlib.Path
        Of ``index.html``.

    Raises
    ------
    UsageError
        If there is no such game or file, or the folder holds something else.
    SimlabError
        If play was stopped; what was played is kept.
    """
    from simlab.experiments.study import Study, read_study
    from simlab.reports.page import write_report

    out = Path(out)
    if isinstance(what, str | Path) and not Path(what).is_dir():
        if str(what).endswith((".toml", ".json")):
            what = read_study(what)
        else:
            return _of_game(str(what), out, effort, seed, workers, watch, note, overwrite)
    if isinstance(what, Study):
        _check_place(out, {"study": what.record()}, overwrite)
        folder = out / RUNS / "study"
        _play_study(what, folder, workers, watch)
        what = [folder]
    folders = [what] if isinstance(what, str | Path) else list(what)
    from simlab.reports.runs import report_of_runs

    return write_report(report_of_runs([Path(one) for one in folders]), out)


def _of_game(
    word: str,
    out: Path,
    effort: str,
    seed: int,
    workers: int | None,
    watch: Watch | None,
    note: Callable[[str], None],
    overwrite: bool,
) -> Path:
    from simlab.reports.balance import balance_report
    from simlab.reports.findings import Findings
    from simlab.reports.page import write_report

    if effort not in EFFORTS:
        raise unknown("effort", effort, EFFORTS)
    if "::" not in word and word not in MODULES:
        raise UsageError(
            f"{word!r} is no game ({', '.join(MODULES)}), no folder of a run, "
            "and no study, whose file ends in .toml or .json"
        )
    standard = standard_of(game_named(word))
    made = {"game": standard.game.name, "effort": effort, "seed": seed}
    _check_place(out, made, overwrite)
    runs = out / RUNS
    results = play_standard(
        standard, runs, effort, seed=seed, workers=workers, watch=watch, note=note
    )
    if results is None:
        raise InterruptedReportError(runs)
    parts = list(parts_of(standard, standard.sized(effort), seed))
    return write_report(balance_report(Findings(standard, parts, results)), out)


class InterruptedReportError(SimlabError):
    """Play was stopped before a report could be written; says where what was played is kept."""

    exit_code = 130

    def __init__(self, kept: Path) -> None:
        super().__init__(
            f"interrupted: what was played is kept in {kept}; the same command goes on with it"
        )


def _check_place(out: Path, made: dict[str, Any], overwrite: bool) -> None:
    """Refuse a folder with runs of another study; begin anew if that is wanted."""
    import shutil

    kept = out / RUNS / MADE
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is a file; a report takes a folder")
    if overwrite and kept.is_file():
        shutil.rmtree(out / RUNS)
    if (out / RUNS).is_dir() and any((out / RUNS).iterdir()):
        try:
            was = json.loads(kept.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            raise UsageError(f"{out / RUNS} holds something else; choose another -o") from None
        if was != json.loads(to_json(made)):
            shown = ", ".join(f"{key} {value}" for key, value in was.items() if key != "study")
            raise UsageError(
                f"{out} holds a report of another study ({shown or 'a study of one'}); "
                "add --overwrite, or choose another -o"
            )
    elif out.is_dir():
        from simlab.reports.page import check_folder

        check_folder(out)
    (out / RUNS).mkdir(parents=True, exist_ok=True)
    write_whole(kept, to_json(made))


def _play_study(study: Study, folder: Path, workers: int | None, watch: Watch | None) -> None:
    from simlab.experiments.plans import Plan
    from simlab.experiments.running import Place, run_plan

    results = run_plan(Plan((study,)), Place(folder, resume=True), workers, watch)
    if not results.played.complete:
        raise InterruptedReportError(folder)
