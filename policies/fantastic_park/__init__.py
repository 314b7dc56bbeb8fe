"""Strategies for Fantastic Park, from drawing lots to weighing everything at once."""

from __future__ import annotations

from simlab.policies.fantastic_park.strategies import random

__all__ = ["random"]
