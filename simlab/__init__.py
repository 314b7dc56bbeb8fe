"""simlab plays millions of games of a tabletop game and says who wins, by how much, how surely."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# In a checkout the rooms lie beside this folder, not inside it as after an installation.
_beside = Path(__file__).resolve().parent.parent
if all(
    (_beside / room / "__init__.py").is_file() for room in ("policies", "experiments", "reports")
):
    __path__.append(str(_beside))

if TYPE_CHECKING:
    from simlab.contract import Game, Policy, policy
    from simlab.experiments.notebook import compare, simulate, tournament, tune
    from simlab.experiments.results import Results
    from simlab.experiments.running import load, run
    from simlab.experiments.study import Study, read_study, write_study
    from simlab.reports.making import report

_HOMES = {
    "Game": "contract",
    "Policy": "contract",
    "policy": "contract",
    "Study": "experiments.study",
    "read_study": "experiments.study",
    "write_study": "experiments.study",
    "Results": "experiments.results",
    "run": "experiments.running",
    "simulate": "experiments.notebook",
    "compare": "experiments.notebook",
    "load": "experiments.running",
    "report": "reports.making",
    "tournament": "experiments.notebook",
    "tune": "experiments.notebook",
}
"""Names of the surface, and the modules they are fetched from when somebody asks."""

__all__ = [
    "Game",
    "Policy",
    "Results",
    "Study",
    "__version__",
    "compare",
    "load",
    "policy",
    "read_study",
    "report",
    "run",
    "simulate",
    "tournament",
    "tune",
    "write_study",
]


def __getattr__(name: str) -> Any:
    """Import what the surface offers only when it is used: ``--help`` needs no compiler."""
    if name in _HOMES:
        return getattr(import_module(f"simlab.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'simlab' has no attribute {name!r}")
