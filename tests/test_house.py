"""The house: what may import what, what is installed, and what compiled code must not use."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import simlab

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("simlab", "policies", "experiments", "reports")

LEVELS = [
    (
        "errors",
        "cache",
        "compiled",
        "options",
        "counters",
        "streams",
        "userfiles",
        "children",
        "cards",
    ),
    ("contract",),
    ("totals",),
    ("games",),
    ("policies",),
    ("loop", "probes"),
    ("engine", "replaying", "checking"),
    ("experiments",),
    ("reports",),
    ("cli", "__main__"),
]
"""From the ground up: a module imports from its own level and from those before it."""


def sources() -> Iterator[tuple[str, Path]]:
    """Every product file with its name as it is imported."""
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts if room == "simlab" else ("simlab", *parts))
            yield name.removesuffix(".__init__"), path


def imports_of(path: Path) -> set[str]:
    """Modules of the product that a file names, wherever in the file."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module == "simlab":
            found |= {f"simlab.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return {name for name in found if name.startswith("simlab.")}


def level_of(module: str) -> int:
    part = module.split(".")[1]
    return next(height for height, names in enumerate(LEVELS) if part in names)


def test_imports_point_down() -> None:
    """But for three doors that open only when somebody comes through.

    A game is looked up by name from a user's file, its policies are listed by the engine's
    warm-up, and the surface fetches what it is asked for.
    """
    allowed = {("simlab.engine.readiness", "simlab.policies"), ("simlab.games", "simlab.userfiles")}
    for name, path in sources():
        if name == "simlab":
            continue
        for other in imports_of(path):
            ground = simlab.__dict__.get(other.split(".")[1]) if other.count(".") == 1 else None
            if isinstance(ground, str) or (name, other) in allowed:
                continue
            assert level_of(other) <= level_of(name), f"{name} imports {other}"


def test_every_folder_with_sources_is_in_the_package_list() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    listed = set(project["tool"]["setuptools"]["packages"])
    present = {n if p.name == "__init__.py" else n.rpartition(".")[0] for n, p in sources()}
    assert listed == present


FORBIDDEN = {
    "pickle": r"\bimport pickle|allow_pickle=True",
    "eval and exec": r"(?<!\.)\beval\(|(?<!\.)\bexec\(",
    "fast floats": r"fastmath",
    "parallel kernels": r"parallel=True|prange",
    "the global random stream": r"np\.random\.(?!Generator|Philox)|import random\b",
    "pyplot": r"pyplot",
    "fork": r"os\.fork|[\"']fork[\"']",
    "the network": r"\bimport (socket|urllib|http|requests)",
}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_the_product_never_uses(what: str) -> None:
    for name, path in sources():
        assert not re.search(FORBIDDEN[what], path.read_text(encoding="utf-8")), name


def test_compiled_rules_and_policies_use_only_exact_arithmetic() -> None:
    """exp, log and powers differ in the last bit between C libraries, and an argmax flips."""
    inexact = {"exp", "log", "log2", "log10", "pow", "sin", "cos", "tanh", "power"}
    for name, path in sources():
        if not name.startswith(
            ("simlab.games", "simlab.policies", "simlab.loop", "simlab.streams")
        ):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not isinstance(node, ast.Pow), name
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                library = node.value.id in ("math", "np")
                assert not library or node.attr not in inexact, f"{name} uses {node.attr}"


def test_public_functions_say_what_they_do_and_type_what_they_take() -> None:
    for name, path in sources():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert ast.get_docstring(tree), name
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                assert ast.get_docstring(node), f"{name}.{node.name}"


def test_the_readme_names_the_commands_that_exist() -> None:
    from simlab.cli import COMMANDS

    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\bsimlab ([a-z]+)\b", readme)) - {"is", "plays", "says"}
    assert set(COMMANDS) <= named
    assert named <= set(COMMANDS) | {"import"}
