"""Studies in one line of a notebook: what the command line takes, as arguments."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from simlab.contract import Game
from simlab.errors import UsageError
from simlab.experiments.batches import Plan, check_workers
from simlab.experiments.comparing import Comparison, comparison, read_varied
from simlab.experiments.results import Results
from simlab.experiments.running import Place, run_comparison, run_plan
from simlab.experiments.study import Study


def simulate(
    game: str | Game,
    policies: str | Sequence[str],
    games: object = 100_000,
    *,
    seed: int = 0,
    luck: int = 0,
    seating: str = "rotate",
    precision: float | None = None,
    workers: int | None = None,
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    overwrite: bool = False,
    save_games: bool = False,
    options: Mapping[str, object] | None = None,
    **rules: object,
) -> Results:
    """Play a line-up and read the results, in one line.

    Parameters
    ----------
    game : str or Game
    policies : list of str, or str
        As on the command line, repetitions allowed: ``["balanced", "greedy*3"]`` or
        ``"balanced 3xgreedy"``.
    games : int, float or str
        ``100_000``, ``1e6`` and ``"1e6"`` are understood.
    seed, luck, seating, precision, workers, out, resume, overwrite, save_games
        As on the command line; ``out`` is the folder that keeps the run.
    options : mapping, optional
        Rules that differ from the printed ones.
    **rules
        The same, one by one: ``finale="III"``.

    Returns
    -------
    Results

    Raises
    ------
    UsageError
        If something that was asked for does not exist, or is out of bounds.

    Examples
    --------
    >>> import simlab
    >>> simlab.simulate("fantastique", ["balanced", "greedy*3"], games=1e6, finale="III").summary()
    """
    check_workers(workers)
    place = _place(out, resume, overwrite)
    study = Study.of(
        game,
        _line_up(policies),
        options=_options(options, rules),
        games=games,
        seed=seed,
        luck=luck,
        seating=seating,
        precision=precision,
        save_games=save_games,
    )
    return run_plan(Plan((study,)), place, workers)


def compare(
    game: str | Game,
    policies: str | Sequence[str],
    games: object = 100_000,
    *,
    vary: Mapping[str, object],
    baseline: object = None,
    margin: float | None = None,
    seed: int = 0,
    luck: int = 0,
    seating: str = "rotate",
    precision: float | None = None,
    workers: int | None = None,
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    overwrite: bool = False,
    options: Mapping[str, object] | None = None,
    **rules: object,
) -> Comparison:
    """Compare the values of rules or parameters on the same deals, in one line.

    Parameters
    ----------
    game, policies, games, seed, luck, seating, precision, workers, out, resume, overwrite
        As for `simulate`.
    vary : mapping
        What is varied, to its values: ``{"finale": ["I", "II"]}``, or as on the command line
        ``{"finale": "I,II"}``.
    baseline, margin
        As on the command line.
    options : mapping, optional
        Rules that differ from the printed ones, the same under every value.
    **rules
        The same, one by one: ``finale="III"``.

    Returns
    -------
    Comparison

    Raises
    ------
    UsageError
        If something that was asked for does not exist, or is out of bounds.

    Examples
    --------
    >>> import simlab
    >>> sides = simlab.compare("fantastique", "balanced 3xgreedy", vary={"finale": ["I", "II"]})
    >>> sides.differences()
    """
    check_workers(workers)
    place = _place(out, resume, overwrite)
    varied = read_varied(_varied_words(vary))
    plan = comparison(
        game,
        _line_up(policies),
        varied,
        baseline=None if baseline is None else _word(baseline),
        options=_options(options, rules),
        games=games,
        seed=seed,
        luck=luck,
        seating=seating,
        precision=precision,
    )
    return run_comparison(plan, varied, margin, place, workers)


def _line_up(policies: object) -> list[str]:
    """The policies as a list; a text is split as the command line would be."""
    found = policies.split() if isinstance(policies, str) else policies
    if not isinstance(found, Iterable) or not all(isinstance(word, str) for word in found):
        raise UsageError(f"policies are words, as ['balanced', '3xgreedy'], got {policies!r}")
    return list(found)


def _options(
    options: Mapping[str, object] | None, rules: Mapping[str, object]
) -> Mapping[str, object]:
    if options is not None and not isinstance(options, Mapping):
        raise UsageError(f"options maps rules to values, as {{'finale': 'II'}}, got {options!r}")
    for key in options or {}:
        if key in rules:
            raise UsageError(f"{key} is set twice, in options and by itself")
    return {**(options or {}), **rules}


def _place(out: object, resume: bool, overwrite: bool) -> Place:
    if out is not None and not isinstance(out, str | os.PathLike):
        raise UsageError(f"out is the name of a folder, got {out!r}")
    if out is not None and not os.fspath(out):
        raise UsageError(f"out is the name of a folder, got {out!r}")
    return Place(None if out is None else Path(os.fspath(out)), resume, overwrite)


def _varied_words(vary: object) -> list[str]:
    """What is varied as the command line takes it: a text is one value, or several with commas."""
    if not isinstance(vary, Mapping):
        raise UsageError(f"vary maps keys to values, as {{'finale': ['I', 'II']}}, got {vary!r}")
    words = []
    for key, values in vary.items():
        alone = isinstance(values, str) or not isinstance(values, Iterable)
        words.append(f"{key}={_word(values) if alone else ','.join(map(_word, values))}")
    return words


def _word(value: object) -> str:
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        return str(value).lower() if isinstance(value, bool) else str(value)
    return "/".join(str(one) for one in value)
