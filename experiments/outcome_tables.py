"""The outcome table: one row for each game and seat, as a frame or as Parquet."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.contract import CHECKPOINTS, GAME_COLUMNS, WHOLE_WIN
from simlab.errors import SimlabError
from simlab.totals import IDENTIFIERS

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas as pd
    import pyarrow as pa

    from simlab.contract import Game
    from simlab.experiments.study import Study

MOST = 2**31 - 1
BLOCK = 1024
"""Games that are turned at a time, so that they stay in the processor's cache."""
COUNTING = ("game", "deal")
LEADING = ("game", "deal", "rotation", "seat", "policy", "points", "rank", "win_share")


def outcome_columns(study: Study, outcomes: npt.NDArray[Any]) -> dict[str, Any]:
    """Columns of the outcome table of some games, policies by their places in the line-up.

    Parameters
    ----------
    study : Study
    outcomes : numpy.ndarray of ``study.game.outcome``, shape (games,)

    Returns
    -------
    dict of str to numpy.ndarray, each of length games * seats
        ``game`` counts games from the first deal's first; ``policy`` is a place in the line-up;
        ``win_share`` a float; then the game's own columns, the points after each checkpoint,
        and the columns that have one value a game.
    """
    game, players = study.game, len(study.matchup.policies)
    number = outcomes["deal"] * len(study.seatings) + outcomes["rotation"]
    at_game, at_seat = _by_column(game, players, outcomes)

    def repeat(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return np.repeat(values, players)

    found = {
        "game": repeat(number),
        "deal": repeat(outcomes["deal"]),
        "rotation": repeat(at_game["rotation"]),
        "seat": np.tile(np.arange(players, dtype=np.int32), len(outcomes)),
        "policy": _seated(study, outcomes).ravel(),
        "points": at_seat["points"],
        "rank": at_seat["rank"],
        "win_share": at_seat["win_share"] / WHOLE_WIN,
    }
    for name in game.seat_columns:
        found[name] = at_seat[name]
    for place in range(game.checkpoints_of(study.matchup.rules[0])):
        found[f"points_{place + 1}"] = at_seat[f"points_{place + 1}"]
    for name in (*game.game_columns, *GAME_COLUMNS[IDENTIFIERS:]):
        found[name] = repeat(at_game[name])
    return found


def _by_column(
    game: Game, players: int, outcomes: npt.NDArray[Any]
) -> tuple[dict[str, npt.NDArray[Any]], dict[str, npt.NDArray[Any]]]:
    """The numbers of outcomes column by column, those of a game and those of its seats.

    An outcome is a row of numbers: of the game, the deal's number first, then of seat after seat.
    """
    rows = np.ascontiguousarray(outcomes).view(np.int64).reshape(len(outcomes), -1)
    names = [*game.all_seat_columns, "standing", *(f"points_{n + 1}" for n in range(CHECKPOINTS))]
    header = len(game.all_game_columns)
    whole = _turned(rows[:, 1:header], header - 1)  # a deal's number may be larger
    seats = _turned(rows[:, header : header + players * len(names)], len(names))
    return (
        dict(zip(game.all_game_columns[1:], whole, strict=True)),
        dict(zip(names, seats, strict=True)),
    )


def _turned(rows: npt.NDArray[Any], width: int) -> npt.NDArray[Any]:
    """Rows of one or more groups of numbers as columns of numbers of 32 bits.

    Parameters
    ----------
    rows : numpy.ndarray of int64, shape (games, groups * width)
    width : int

    Returns
    -------
    numpy.ndarray of int32, shape (width, games * groups)

    Raises
    ------
    SimlabError
        If a number is too large for that.
    """
    groups = rows.shape[1] // width
    found = np.empty((width, len(rows) * groups), np.int32)
    for start in range(0, len(rows), BLOCK):
        part = rows[start : start + BLOCK]
        narrow = part.astype(np.int32)
        if (narrow != part).any():
            raise SimlabError(f"the outcome table keeps numbers up to {MOST:,}; a game has larger")
        found[:, start * groups : (start + len(part)) * groups] = narrow.reshape(-1, width).T
    return found


def _seated(study: Study, outcomes: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Place in the line-up of the policy at each seat of each game."""
    if not study.shuffled:
        chosen: npt.NDArray[Any] = study.seatings[outcomes["rotation"]]
        return chosen
    from simlab.engine import shuffled_seatings

    return shuffled_seatings(study.seed, outcomes["deal"], study.seatings[0])


def outcome_frame(study: Study, outcomes: npt.NDArray[Any]) -> pd.DataFrame:
    """The outcome table of some games as a frame (see `outcome_columns`)."""
    import pandas as pd

    columns = outcome_columns(study, outcomes)
    columns["policy"] = np.array(study.matchup.texts, dtype=object)[columns["policy"]]
    return pd.DataFrame(columns)


def outcome_arrow(study: Study, outcomes: npt.NDArray[Any]) -> pa.Table:
    """The outcome table of some games as an Arrow table."""
    import pyarrow as pa

    columns = outcome_columns(study, outcomes)
    arrays = {}
    for name, values in columns.items():
        if name == "policy":
            places, texts = values.astype(np.int32), list(study.matchup.texts)
            arrays[name] = pa.DictionaryArray.from_arrays(places, texts)
        else:
            arrays[name] = pa.array(values)
    return pa.table(arrays)


def joined(tables: Sequence[pa.Table]) -> pa.Table:
    """Outcome tables of one study one after the other, without a seam."""
    import pyarrow as pa

    return pa.concat_tables(tables).combine_chunks()


def parquet_bytes(table: pa.Table) -> bytes:
    """An outcome table as the content of a Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = io.BytesIO()
    # Columns that count upwards are kept as steps; of small numbers the bytes are kept apart, most
    # of which are nought. Nobody looks for a file by the least and largest value of a column.
    coded = {field.name: "BYTE_STREAM_SPLIT" for field in table.schema if field.type == pa.int32()}
    coded |= dict.fromkeys(COUNTING, "DELTA_BINARY_PACKED")
    words = [name for name in table.column_names if name not in coded]
    more = {"use_dictionary": words, "column_encoding": coded, "write_statistics": list(COUNTING)}
    pq.write_table(table, file, compression="zstd", **more)
    return file.getvalue()
