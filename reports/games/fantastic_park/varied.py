"""Places of the comparisons that Fantastic Park's own sections are written from."""

TILES, ROUNDS, DOUBLES, STACKING = range(4)
"""Among the study's special ones."""
