"""Studies in one line of a notebook: what the command line takes, as arguments."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from simlab.contract import Game
from simlab.errors import UsageError
from simlab.experiments.batches import check_workers
from simlab.experiments.comparing import Comparison, comparison, read_varied
from simlab.experiments.plans import Plan
from simlab.experiments.results import Results
from simlab.experiments.running import Place, run_comparison, run_plan
from simlab.experiments.study import Study

if TYPE_CHECKING:
    from simlab.experiments.tournaments.results import TournamentResults
    from simlab.experiments.tuning.results import TuningResults


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


def tournament(
    game: str | Game,
    policies: str | Sequence[str] = "all",
    games: object = 10_000,
    *,
    players: int | None = None,
    focus: str | None = None,
    tables: int | None = None,
    race: bool = False,
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
) -> TournamentResults:
    """Let policies meet at every table they can form, in one line.

    Parameters
    ----------
    game, seed, luck, seating, precision, workers, out, resume, overwrite
        As for `simulate`.
    policies : list of str, or str
        Each once; by default all of the game's own.
    games : int, float or str
        Of each table.
    players, focus, tables, race
        As on the command line.
    options : mapping, optional
        Rules that differ from the printed ones.
    **rules
        The same, one by one: ``finale="III"``.

    Returns
    -------
    TournamentResults

    Raises
    ------
    UsageError
        If something that was asked for does not exist, or is out of bounds.

    Examples
    --------
    >>> import simlab
    >>> cup = simlab.tournament("fantastique", "balanced greedy spoiler", games=1e4)
    >>> cup.summary(), cup.head_to_head(), cup.meta.frame()
    """
    from simlab.experiments.tournaments.playing import run_tournament
    from simlab.experiments.tournaments.schedule import Tournament

    check_workers(workers)
    place = _place(out, resume, overwrite)
    planned = Tournament.of(
        game,
        _line_up(policies),
        games=games,
        players=players,
        focus=focus,
        tables=tables,
        race=race,
        options=_options(options, rules),
        seed=seed,
        luck=luck,
        seating=seating,
        precision=precision,
    )
    return run_tournament(planned, place, workers)


def tune(
    game: str | Game,
    policy: str,
    against: str | Sequence[str] | None = None,
    games: object = 2_000_000,
    *,
    exploit: str | os.PathLike[str] | TournamentResults | None = None,
    params: str | Sequence[str] = (),
    sides: str | None = None,
    judged: object = 200_000,
    seed: int = 0,
    seating: str = "rotate",
    workers: int | None = None,
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    overwrite: bool = False,
    options: Mapping[str, object] | None = None,
    **rules: object,
) -> TuningResults:
    """Tune a policy's parameters and judge what was found on fresh deals, in one line.

    Parameters
    ----------
    game, seed, seating, workers, out, resume, overwrite
        As for `simulate`.
    policy : str
        The policy as it stands is where the search begins.
    against : str or list of str, optional
        The other seats: ``"3xgreedy"``; several such line-ups count alike.
    games, judged : int, float or str
        Of the search; of each side of the judgement, and of each parameter's worth.
    exploit : path or TournamentResults, optional
        Instead of ``against``: a tournament, whose equilibrium mix sends the opponents.
    params : list of str, or str
        Parameters to tune, by default all; ``"card,deny"`` is understood.
    sides : str, optional
        "all" draws the fan side (or what else scoring alone reads) anew for each deal.
    options : mapping, optional
        Rules that differ from the printed ones.
    **rules
        The same, one by one: ``finale="III"``.

    Returns
    -------
    TuningResults

    Raises
    ------
    UsageError
        If something that was asked for does not exist, or is out of bounds.

    Examples
    --------
    >>> import simlab
    >>> found = simlab.tune("fantastique", "balanced", "3xgreedy", games=2e5, params="card,deny")
    >>> found.verdict(), found.search(), found.parameters()
    """
    from simlab.experiments.tuning.posing import pose
    from simlab.experiments.tuning.search import run_search

    check_workers(workers)
    place = _place(out, resume, overwrite)
    problem = pose(
        game,
        policy,
        against,
        exploit,
        params=params.split(",") if isinstance(params, str) else params,
        games=games,
        judged=judged,
        sides=sides,
        options=_options(options, rules),
        seed=seed,
        seating=seating,
    )
    return run_search(problem, place, workers)


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
