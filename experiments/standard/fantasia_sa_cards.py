"""Which cards of Fantasía S.A. each seat saw, could have, and used: games played again, and told.

The outcome table knows no single cards, so a sample of deals is played again move by move, and
what the diary of each move says is counted card by card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.cards import known_set
from simlab.contract import WHOLE_WIN
from simlab.engine import Matchup, engine_of
from simlab.experiments.batches import Watch
from simlab.experiments.folders import write_whole
from simlab.experiments.running import Place
from simlab.experiments.standard.declaration import Effort, Standard
from simlab.experiments.standard.parts import Part, Played
from simlab.experiments.study import Study
from simlab.games.fantasia_sa import diary
from simlab.games.fantasia_sa.records import ACTION, BUY, CHOOSE, MOST_LINES, NOTHING
from simlab.replaying import Replayer, Traced

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas as pd

LISTS = ("feats", "equipment", "actions", "sponsors")
TOLD = 10
"""Deals whose cards are told, for each whose choices a study traces."""
FILE = "cards.parquet"
HAD, USED, DONE = range(3)
"""What is counted of a card and a seat: see `cards_of`."""
LINES = {
    diary.CHOSEN: ("feats", USED),
    diary.SUCCEEDED: ("feats", DONE),
    diary.BOUGHT_EQUIPMENT: ("equipment", USED),
    diary.BOUGHT_SPONSOR: ("sponsors", USED),
    diary.PLAYED: ("actions", USED),
    diary.TOOK_EFFECT: ("actions", DONE),
}
"""Lines of the diary that count for the card that they name."""

Tally = dict[str, "npt.NDArray[np.int64]"]


def cards_of(matchup: Matchup, traced: Traced) -> Tally:
    """Count the cards of one game.

    Parameters
    ----------
    matchup : Matchup
    traced : Traced
        The game, move by move.

    Returns
    -------
    dict of numpy.ndarray, shape (seats, kinds, 3)
        By list of cards: how often a seat *had* a card (a Feat lay before it when it chose one; a
        Hero card came into its hand; a Sponsor could be bought when it bought something, or
        nothing), *used* it (attempted, bought, played), and was *done* with it (performed; the
        card took effect).
    """
    players = len(matchup.policies)
    tally: Tally = {name: np.zeros((players, ACTION, 3), np.int64) for name in LISTS}
    hidden = traced.rows["state"]["hidden"]
    told = np.arange(MOST_LINES) < hidden["logged"][:, None]
    lines = hidden["diary"][told].astype(np.int64)
    for what, (name, column) in LINES.items():
        _, seat, kind, _ = lines[lines[:, 0] == what].T
        np.add.at(tally[name], (seat, kind, column), 1)
    _count_drawn(tally, lines)
    _count_offered(tally, matchup, traced.rows[:-1])
    for name in ("equipment", "sponsors"):
        tally[name][:, :, DONE] = tally[name][:, :, USED]
    return tally


def _count_drawn(tally: Tally, lines: npt.NDArray[np.int64]) -> None:
    """Hero cards that came into a hand: dealt or drawn."""
    _, seat, card, _ = lines[np.isin(lines[:, 0], (diary.DEALT, diary.DRAWN))].T
    for name, mine in (("equipment", card < ACTION), ("actions", card >= ACTION)):
        np.add.at(tally[name], (seat[mine], card[mine] % ACTION, HAD), 1)


def _count_offered(tally: Tally, matchup: Matchup, rows: npt.NDArray[Any]) -> None:
    """Feats that lay there when one was chosen; Sponsors that could be bought."""
    table = rows["state"]["table"]
    choosing = table["phase"] == CHOOSE
    lying, seats = table["feat_reserve"][choosing], rows["seat"][choosing]
    which, place = np.nonzero(lying != NOTHING)
    np.add.at(tally["feats"], (seats[which], lying[which, place], HAD), 1)
    buying = rows[table["phase"] == BUY].copy()
    counts = np.zeros(len(buying), np.int64)
    moves = np.zeros((len(buying), matchup.game.max_moves), np.int64)
    engine_of(matchup.game).list_legal(matchup.rules, buying, counts, moves)
    listed = np.arange(moves.shape[1]) < counts[:, None]
    which, place = np.nonzero(listed & (moves > ACTION))
    seats, sponsors = buying["seat"][which], moves[which, place] - 1 - ACTION
    np.add.at(tally["sponsors"], (seats.astype(np.int64), sponsors, np.int64(HAD)), 1)


def tell_cards(study: Study, deals: int) -> pd.DataFrame:
    """Play a study's first deals again, seated as given, and count their cards.

    Returns
    -------
    pandas.DataFrame
        ``deal, seat, policy, list, card, had, used, done, win_share``: one row for each card that
        a seat had or used; `cards_of` says what the counts mean, ``win_share`` is the seat's.
    """
    import pandas as pd

    replayer = Replayer(study.matchup, study.seed, study.luck)
    rows = (row for deal in range(deals) for row in _rows_of(replayer, deal))
    names = ["deal", "seat", "policy", "list", "card", "had", "used", "done", "win_share"]
    return pd.DataFrame(rows, columns=names)


def _rows_of(replayer: Replayer, deal: int) -> Iterator[tuple[Any, ...]]:
    matchup, traced = replayer.matchup, replayer.trace(deal)
    cards, tally = known_set(matchup.rules[0].set_mark), cards_of(matchup, traced)
    shares = traced.outcome["seats"]["win_share"] / WHOLE_WIN
    for name in LISTS:
        for seat, kind in np.argwhere(tally[name].any(axis=2)).tolist():
            counts, card = tally[name][seat, kind].tolist(), cards[name][kind].id
            policy = matchup.policies[seat].text
            yield deal, seat, policy, name, card, *counts, float(shares[seat])


@dataclass(frozen=True, kw_only=True)
class Told(Played):
    """A run that keeps its games, and of its first deals what each card did.

    Attributes
    ----------
    told : int
        Deals that are told.
    """

    told: int

    def play(self, place: Place, workers: int | None, watch: Watch) -> Any:
        """Play it, or go on with it, in its folder; then count the cards."""
        results = super().play(place, workers, watch)
        assert place.path is not None
        path = place.path / "trace" / FILE
        if results.played.complete and not path.exists():
            path.parent.mkdir(exist_ok=True)
            found = tell_cards(self.study, min(self.told, self.study.deals))
            write_whole(path, found.to_parquet(index=False))
        return results

    @property
    def command(self) -> str:
        """The command line that tells the same games."""
        study = self.study
        words = " ".join(study.words)
        games = min(self.told, study.deals)
        said = f"simlab replay {study.game.name} {words} --games {games} --format json"
        return said + self._settings()


def read_cards(folder: Path) -> pd.DataFrame | None:
    """What `tell_cards` found, from a run folder; None if nothing was told."""
    import pandas as pd

    path = folder / "trace" / FILE
    return pd.read_parquet(path) if path.exists() else None


def told_parts(standard: Standard, effort: Effort, seed: int) -> Iterable[Part]:
    """The table whose cards are told: one strategy in every seat.

    So a card's win rate is not the win rate of the strategy that likes it.
    """
    told = TOLD * effort.traced
    words = ("greedy",) * len(standard.table)
    study = Study.of(
        standard.game, words, options=standard.options, games=told, seed=seed, save_games=True
    )
    yield Told(
        name="cards",
        title="which cards win: greedy in every seat, card by card",
        options=standard.options,
        seed=seed,
        study=study,
        traced=0,
        told=told,
    )
