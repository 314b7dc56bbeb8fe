"""``python -m simlab`` is ``simlab``."""

from simlab.cli import main

main()
