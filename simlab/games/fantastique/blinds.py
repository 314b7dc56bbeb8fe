"""What a policy of Fantastique may declare that it never looks at."""

from __future__ import annotations

from simlab.compiled import Record, rule

SIDES = 6


@rule
def rescope(rules: Record, table: Record) -> None:
    """Show the fan side of these rules on the table of a game that is over."""
    table.finale = rules.finale


@rule
def vary_finale(rules: Record, table: Record, choice: int) -> int:
    """Turn the finale fan to side ``choice + 1``; returns the number of choices."""
    rules.finale = choice + 1
    table.finale = choice + 1
    return SIDES
