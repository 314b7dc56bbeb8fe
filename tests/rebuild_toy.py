"""What a seat of the toy game can know, rebuilt from the events that it saw."""

from __future__ import annotations


class Onlooker:
    """One seat's memory of a game of Toy."""

    def __init__(self, options: dict, players: int, seat: int) -> None:
        self.players, self.seat = players, seat
        self.active = self.turn = self.banking = self.pot = self.rolls = self.die = 0
        self.points, self.used = [0] * 4, [0] * 4
        self.shields = 0

    def decide(self, move: int) -> None:
        """What one decides oneself is seen by all in the events that follow."""

    def see(self, event: dict) -> None:
        seat = event["seat"]
        if event["event"] == "deal":
            assert seat == self.seat
            self.shields = event["shields"]
        elif event["event"] == "roll":
            self.rolls, self.die = self.rolls + 1, event["die"]
            self.pot += self.die
            if self.die == 1:
                self._next()
        elif event["event"] == "bank":
            self.banking = 1
        elif event["event"] == "raise a shield":
            self.pot //= 2
            self.used[seat] += 1
            self.shields -= seat == self.seat
        else:
            self.points[seat] += event["points"]
            self._next()

    def _next(self) -> None:
        self.pot = self.banking = 0
        self.active = (self.active + 1) % self.players
        self.turn += self.active == 0

    def table(self) -> dict:
        # Who is asked, and how far asking has come, is told to the one who is asked.
        banking = (self.seat - self.active) % self.players if self.banking else 0
        return {
            "to_move": self.seat,
            "checkpoint": self.turn,
            "active": self.active,
            "turn": self.turn,
            "banking": banking,
            "pot": self.pot,
            "rolls": self.rolls,
            "die": self.die,
            "points": self.points,
            "shields_used": self.used,
        }

    def own(self) -> dict:
        return {"seat": self.seat, "shields": self.shields}
