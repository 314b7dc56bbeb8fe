"""The outcome table: one row for each game and seat, as a frame or as Parquet."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import numpy as np

from simlab.contract import GAME_COLUMNS, WHOLE_WIN
from simlab.totals import IDENTIFIERS

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas as pd
    import pyarrow as pa

    from simlab.experiments.study import Study

COUNTING = ("game", "deal")
LEADING = ("game", "deal", "rotation", "seat", "policy", "points", "rank", "win_share")


def outcome_columns(study: Study, outcomes: npt.NDArray[Any]) -> dict[str, Any]:
    """Columns of the outcome table of some games.

    Parameters
    ----------
    study : Study
    outcomes : numpy.ndarray of ``study.game.outcome``, shape (games,)

    Returns
    -------
    dict of str to numpy.ndarray, each of length games * seats
        ``game`` counts games from the first deal's first; ``policy`` is the full text;
        ``win_share`` a float; then the game's own columns, the points after each checkpoint,
        and the columns that have one value a game.
    """
    game, players = study.game, len(study.matchup.policies)
    seats = outcomes["seats"][:, :players]
    rotations = len(study.seatings)
    number = outcomes["deal"] * rotations + outcomes["rotation"]
    found = {
        "game": np.repeat(number, players),
        "deal": np.repeat(outcomes["deal"], players),
        "rotation": np.repeat(outcomes["rotation"], players),
        "seat": np.tile(np.arange(players), len(outcomes)),
        "policy": np.array(study.matchup.texts, dtype=object)[_seated(study, outcomes).ravel()],
        "points": seats["points"].ravel(),
        "rank": seats["rank"].ravel(),
        "win_share": seats["win_share"].ravel() / WHOLE_WIN,
    }
    for name in game.seat_columns:
        found[name] = seats[name].ravel()
    for place in range(game.checkpoints_of(study.matchup.rules[0])):
        found[f"points_{place + 1}"] = seats["points_after"][:, :, place].ravel()
    for name in (*game.game_columns, *GAME_COLUMNS[IDENTIFIERS:]):
        found[name] = np.repeat(outcomes[name], players)
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

    return pd.DataFrame(outcome_columns(study, outcomes))


def outcome_arrow(study: Study, outcomes: npt.NDArray[Any]) -> pa.Table:
    """The outcome table of some games as an Arrow table, whole numbers as small as they go."""
    import pyarrow as pa

    columns = outcome_columns(study, outcomes)
    arrays = {}
    for name, values in columns.items():
        if name == "policy":
            # The places in the line-up are at hand; finding equal words again takes far longer.
            places = _seated(study, outcomes).ravel().astype(np.int32)
            arrays[name] = pa.DictionaryArray.from_arrays(places, list(study.matchup.texts))
        elif name in ("game", "deal", "win_share"):
            arrays[name] = pa.array(values)
        else:
            arrays[name] = pa.array(values.astype(np.int32))
    return pa.table(arrays)


def parquet_bytes(study: Study, outcomes: npt.NDArray[Any]) -> bytes:
    """The outcome table of some games as the content of a Parquet file."""
    import pyarrow.parquet as pq

    file, table = io.BytesIO(), outcome_arrow(study, outcomes)
    # Columns that count upwards are kept as steps; all others have few values, worth a dictionary,
    # and nobody looks for a file by their least and largest value.
    few = [name for name in table.column_names if name not in COUNTING]
    steps = dict.fromkeys(COUNTING, "DELTA_BINARY_PACKED")
    more = {"use_dictionary": few, "column_encoding": steps, "write_statistics": list(COUNTING)}
    pq.write_table(table, file, compression="zstd", **more)
    return file.getvalue()
