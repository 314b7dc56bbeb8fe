"""``run.json``: what a run folder says of itself, and whether that can be believed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlab import __version__
from simlab.errors import SimlabError, UsageError

if TYPE_CHECKING:
    from simlab.experiments.plans import Plan

FORMAT = 3
PLAY_AGAIN = "and go on with --resume: its games are played again"
"""What follows where a file is damaged: what to delete, and then this."""

Kind = type | tuple[type, ...]

KEYS: dict[str, Kind] = {
    "simlab": str,
    "kind": str,
    "game_word": str,
    "chunks": int,
    "studies": list,
    "words": list,
    "fingerprint": dict,
    "digest": str,
}
STUDY_KEYS: dict[str, Kind] = {
    "game": str,
    "policies": list,
    "games": int,
    "seed": int,
    "precision": (int, float, type(None)),
}
"""What is read of ``run.json`` and of each of its studies, and of what kind it is."""
KINDS = ("study", "tournament", "tuning")


class DamagedFolderError(SimlabError):
    """A file of a run folder is not as it was written."""


def to_json(value: Any) -> bytes:
    """Plain values as JSON with a final line break; no NaN."""
    return (json.dumps(value, indent=1, allow_nan=False) + "\n").encode()


def sealed(content: Mapping[str, Any]) -> bytes:
    """The content of ``run.json``: plain values, and a digest of them all."""
    return to_json({**content, "check": hashlib.sha256(to_json(content)).hexdigest()})


def fingerprint(plan: Plan) -> dict[str, Any]:
    """Everything that the results depend on, but for how many games are played."""
    return {"format": FORMAT, "package": __version__, **plan.identity()}


def played_by(plan: Plan) -> Any:
    """The part of a fingerprint that names what is played, as JSON gives it back."""
    return json.loads(to_json(plan.identity()))


def differences(old: Any, new: Any, path: str = "") -> Iterator[str]:
    """Each place at which two plain values differ, with both values, in a few words."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys([*old, *new]):
            inner = f"{path}.{key}" if path else str(key)
            yield from differences(old.get(key), new.get(key), inner)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        alone = path == "studies" and len(old) == 1
        for place, pair in enumerate(zip(old, new, strict=True)):
            yield from differences(*pair, "" if alone else f"{path}[{place}]")
    elif old != new:
        yield f"{path} was {_brief(old)}, is {_brief(new)}"


def _brief(value: Any) -> str:
    """A plain value in few words: nobody compares whole tables by eye."""
    if value is None:
        return "not there"
    if isinstance(value, list | dict):
        whole = ",".join(map(str, value)) if isinstance(value, list) else ""
        return f"{len(value)} values" if not 0 < len(whole) <= 40 else repr(whole)
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:76]}...'"


def is_run_folder(path: Path) -> bool:
    """Whether a folder holds a run, or at least a file that is called like one."""
    return (path / "run.json").is_file()


def is_ours(path: Path) -> bool:
    """Whether the ``run.json`` of a folder was written by some version of simlab."""
    try:
        found = _parsed(path)
    except (DamagedFolderError, OSError):
        return False
    return isinstance(found, dict) and {"simlab", "fingerprint", "studies"} <= found.keys()


def read_run(path: Path) -> dict[str, Any]:
    """Content of ``run.json``.

    Raises
    ------
    UsageError
        If the folder holds no run, or one of a version with another format.
    DamagedFolderError
        If the file is broken, or says what no run can say.
    """
    if not is_run_folder(path):
        raise UsageError(f"{path} holds no run (there is no run.json in it)")
    found = _parsed(path)
    if not is_ours(path):
        raise UsageError(f"{path / 'run.json'} is none that simlab wrote; {path} holds no run")
    _check_format(path, found)
    check = found.pop("check", None)
    if check != hashlib.sha256(to_json(found)).hexdigest():
        raise _broken(path, "is not as it was written")
    problem = _problem_of(found)
    if problem:
        raise _broken(path, f"cannot be of a run ({problem})")
    checked: dict[str, Any] = found
    return checked


def _parsed(path: Path) -> Any:
    try:
        return json.loads((path / "run.json").read_text(encoding="utf-8"), parse_constant=_never)
    except (OSError, ValueError, RecursionError) as error:
        raise _broken(path, f"cannot be read ({' '.join(str(error).split())})") from error


def _never(word: str) -> Any:
    raise ValueError(f"it has a {word}")


def _broken(path: Path, what: str) -> DamagedFolderError:
    return DamagedFolderError(f"{path / 'run.json'} {what}; begin anew in another --out")


def _check_format(path: Path, run: dict[str, Any]) -> None:
    """Raise `UsageError` if another version of simlab has to read this."""
    written = run["fingerprint"].get("format") if isinstance(run["fingerprint"], dict) else None
    if isinstance(written, int) and written != FORMAT:
        raise UsageError(
            f"{path} was written by simlab {run['simlab']} in format {written}, this is simlab "
            f"{__version__}, which reads format {FORMAT}; use that version, or another --out"
        )


def _problem_of(run: dict[str, Any]) -> str:
    """What is missing or of the wrong kind in ``run.json``; nothing if all is well."""
    wrong = _wrong_kind(run, KEYS)
    if wrong:
        return wrong
    if run["kind"] not in KINDS:
        return f"its kind is {_brief(run['kind'])}"
    studies, words = run["studies"], run["words"]
    if not studies or len(words) != len(studies):
        return "there are as many line-ups as studies, and at least one"
    for number, study in enumerate(studies):
        wrong = _wrong_kind(study, STUDY_KEYS) if isinstance(study, dict) else "it is no table"
        if wrong:
            return f"study {number}: {wrong}"
        if not _are_words(words[number]) or not _are_words(study["policies"]):
            return f"study {number}: its policies are words"
    return _problem_of_extras(run)


def _problem_of_extras(run: dict[str, Any]) -> str:
    """The same, of what only some runs have."""
    if run["kind"] == "study" and not isinstance(run["fingerprint"].get("rescored"), bool):
        return "its fingerprint is not one"
    for key in ("stopped_at", "finished_at"):
        if not isinstance(run.get(key), int | None):
            return f"{key} is {_brief(run[key])}"
    timings = run.get("timings") or {"seconds": 0, "startup_seconds": 0}
    if not isinstance(timings, dict) or not _are_numbers(timings, ("seconds", "startup_seconds")):
        return "its timings are not numbers"
    varied = run.get("vary", [])
    one_by_one = isinstance(varied, list) and all(isinstance(one, dict) for one in varied)
    if not one_by_one or not all({"key", "values"} <= one.keys() for one in varied):
        return "what it varies is no list of keys and values"
    if "vary" in run and ("margin" not in run or not all(_are_words(o["values"]) for o in varied)):
        return "what it varies is not complete"
    return ""


def _wrong_kind(values: Mapping[str, Any], kinds: Mapping[str, Any]) -> str:
    for key, kind in kinds.items():
        if key not in values:
            return f"there is no {key}"
        if not isinstance(values[key], kind) or isinstance(values[key], bool):
            return f"{key} is {_brief(values[key])}"
    return ""


def _are_words(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) for word in value)


def _are_numbers(values: Mapping[str, Any], keys: tuple[str, ...]) -> bool:
    return all(isinstance(values.get(key), int | float) for key in keys)
