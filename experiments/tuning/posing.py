"""From words to a problem: a policy against a line-up, or against what a tournament came to."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

from simlab.contract import Game
from simlab.errors import UsageError
from simlab.experiments.tuning.problem import Field, Problem
from simlab.games import game_named
from simlab.options import DRAWN
from simlab.policies import repeated

if TYPE_CHECKING:
    from simlab.experiments.tournaments.results import TournamentResults

LEAST_WEIGHT = 0.002
"""A field that a mix meets more seldom is left out."""


def pose(
    game: str | Game,
    policy: str,
    against: str | Sequence[str] | None = None,
    exploit: str | os.PathLike[str] | TournamentResults | None = None,
    *,
    sides: str | None = None,
    options: Mapping[str, object] | None = None,
    seating: str = "rotate",
    **more: Any,
) -> Problem:
    """Read and check what is to be tuned, and against whom.

    Parameters
    ----------
    game, policy
        As on the command line.
    against : str or sequence of str, optional
        The other seats: ``"3xgreedy"``; several such line-ups count alike.
    exploit : path or TournamentResults, optional
        Instead: a tournament, whose equilibrium mix sends the opponents, by whose rules it plays.
    sides : str, optional
        "all" draws the fan side (or what else scoring alone reads) anew for each deal.
    options, seating
        As for `Study.of`.
    **more
        Further arguments of `Problem.of`.

    Raises
    ------
    UsageError
        If a part does not exist or does not fit the others.
    """
    line_ups = [against] if isinstance(against, str) else list(against or ())
    if not any(line_up.strip() for line_up in line_ups):
        against = None
    if (against is None) == (exploit is None):
        raise UsageError("a policy is tuned --against LINE-UP, or to --exploit a tournament's DIR")
    found = game if isinstance(game, Game) else game_named(game)
    rules = {**(options or {}), **_sides(found, sides, options or {})}
    if against is not None:
        fields: Sequence[Field] = _line_ups(line_ups)
        return Problem.of(game, policy, fields, options=rules, seating=seating, **more)
    if rules or seating != "rotate":
        raise UsageError(
            "--exploit plays by the rules of its tournament, in every rotation; "
            "leave out --set, --sides and --seating"
        )
    assert exploit is not None
    fields, rules = _what_was_found(found, exploit)
    return Problem.of(game, policy, fields, options=rules, exploits=True, **more)


def _line_ups(against: Sequence[str]) -> list[Field]:
    """Several line-ups, each as one field."""
    fields = dict.fromkeys(tuple(repeated(line_up.split())) for line_up in against)
    return [Field(words, 1 / len(fields)) for words in fields]


def _what_was_found(
    game: Game, exploit: str | os.PathLike[str] | TournamentResults
) -> tuple[tuple[Field, ...], dict[str, object]]:
    """The fields that a tournament's equilibrium sends, and the tournament's rules."""
    from simlab.experiments.tournaments.playing import tournament_of

    held = tournament_of(os.fspath(exploit)) if isinstance(exploit, str | os.PathLike) else exploit
    tournament = held.played.tournament
    if tournament.base.game is not game:
        where = exploit if isinstance(exploit, str | os.PathLike) else "it"
        raise UsageError(
            f"{where} holds a tournament of {tournament.base.game.name}, not of {game.name}"
        )
    words = dict(zip(tournament.texts, tournament.words, strict=True))
    mix = {words[text]: share for text, share in held.equilibrium().items()}
    return mix_of_fields(mix, tournament.players - 1), dict(tournament.base.matchup.options)


def mix_of_fields(mix: Mapping[str, float], opponents: int) -> tuple[Field, ...]:
    """Every field that a mix of policies can send, weighted by how often it does.

    Parameters
    ----------
    mix : mapping
        Policies to their chances, as each other seat is drawn.
    opponents : int

    Raises
    ------
    UsageError
        If nothing is in the mix.
    """
    names = [name for name, chance in mix.items() if chance > 0]
    if not names:
        raise UsageError("the mix has no policy in it; play a tournament first")
    fields = []
    for words in combinations_with_replacement(names, opponents):
        times = [words.count(name) for name in names]
        orders = math.factorial(opponents) / math.prod(math.factorial(n) for n in times)
        chance = math.prod(mix[name] ** n for name, n in zip(names, times, strict=True))
        fields.append(Field(words, orders * chance))
    kept = [one for one in fields if one.weight >= LEAST_WEIGHT]
    whole = sum(one.weight for one in kept)
    return tuple(Field(one.words, one.weight / whole) for one in kept)


def _sides(game: Game, sides: str | None, options: Mapping[str, object]) -> dict[str, object]:
    """The options for which each deal draws a value."""
    if sides is None:
        return {}
    if sides != "all":
        raise UsageError(f"--sides is all (or --set an option), got {sides!r}")
    drawn = [option.key for option in game.options if DRAWN in option.choices]
    if not drawn:
        raise UsageError(f"{game.name} has no rule that is drawn for each deal")
    for key in drawn:
        if key in options:
            raise UsageError(f"--sides all draws {key} for each deal; leave out --set {key}")
    return dict.fromkeys(drawn, DRAWN)
