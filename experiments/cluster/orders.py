"""What a worker is told, and what it answers: bytes of JSON, and outcomes as Arrow.

An order is a study (or the variants that are played on the same deals) in plain values, with the
source of every policy and game that comes from a file. A worker writes these files into a folder
of its own, reads the study as the command line would, and compares who it is by its digests.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from simlab import __version__
from simlab.cache import source_digest
from simlab.errors import SimlabError, UsageError
from simlab.experiments.counting import Part
from simlab.experiments.folders import differences, fingerprint, to_json
from simlab.experiments.plans import Plan, Series
from simlab.experiments.study import Study, study_of
from simlab.userfiles import FILE_MODULE

if TYPE_CHECKING:
    import pyarrow as pa


class RefusedError(SimlabError):
    """A worker would not play the same: other sources, another file, another study."""


@dataclass(frozen=True)
class Table(Series):
    """One study of a series, whose deals are counted from any number on."""

    from_deal: int = 0

    def first_deal(self, study: int) -> int:
        """The engine's number of the first deal."""
        return self.from_deal


# --- Orders -----------------------------------------------------------------------------------


def order_for(plan: Plan, study: int | None) -> bytes:
    """What a worker is told of a plan's studies, or of the one that plays deals of its own.

    Raises
    ------
    UsageError
        If a file of a policy was edited since it was read.
    """
    studies = plan.studies if study is None else (plan.studies[study],)
    game = plan.base.game_word
    words = {word for one in studies for word in one.words}
    content = {
        "simlab": __version__,
        "sources": source_digest(),
        "game": game,
        "files": _files({game, *words}),
        "studies": [_as_given(one) for one in studies],
        "words": [list(one.words) for one in studies],
        "identities": [one.identity() for one in studies],
        "rescored": plan.rescored,
        "from_deal": None if study is None else plan.first_deal(study),
    }
    return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()


def _as_given(study: Study) -> dict[str, Any]:
    """A study's record with the options that were given: errors name these and no others."""
    record = study.record()
    given = {key: record["options"][key] for key in study.matchup.options}
    return {**record, "options": given}


def order_digest(plan: Plan, order: bytes) -> str:
    """Digest that names the pieces of a plan on the cluster: of its fingerprint and the order."""
    return hashlib.sha256(to_json(fingerprint(plan)) + order).hexdigest()[:32]


def file_of(word: str) -> str | None:
    """Path of the file that a word names, if it names one."""
    return word.rpartition("::")[0] or None


def _files(words: set[str]) -> dict[str, dict[str, str]]:
    """Every file among some words: its name, the digest of its content, and the content."""
    found = {}
    for path in sorted({path for word in words if (path := file_of(word))}):
        content = Path(path).read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        if f"{FILE_MODULE}{digest[:16]}" not in sys.modules:
            raise UsageError(f"{path} was edited since it was read; run the same command again")
        # Whatever the encoding: what is no UTF-8 comes back byte by byte.
        text = content.decode("utf-8", "surrogateescape")
        found[path] = {"name": Path(path).name, "sha256": digest, "text": text}
    return found


class Unpacked(NamedTuple):
    """An order as a worker reads it: what it plays, and where files of the asker stand here."""

    plan: Plan
    places: Mapping[str, str]


def unpack(order: bytes, folder: Path) -> Unpacked:
    """Read an order in the process that plays it.

    Parameters
    ----------
    order : bytes
    folder : pathlib.Path
        Room for the files of policies, which nobody else can write to.

    Raises
    ------
    RefusedError
        If what this process would play is not what was asked for.
    """
    content = json.loads(order)
    _check_sources(content)
    places = {path: _written(folder, file) for path, file in content["files"].items()}
    game = _moved(content["game"], places)
    studies = []
    for record, words in zip(content["studies"], content["words"], strict=True):
        here = [_moved(word, places) for word in words]
        study = study_of({**record, "game": game, "policies": here})
        studies.append(_as_asked(study, words))
    _check_identities(content["identities"], studies)
    if content["from_deal"] is not None:
        return Unpacked(Table(tuple(studies), from_deal=content["from_deal"]), places)
    return Unpacked(Plan(tuple(studies), content["rescored"]), places)


def _as_asked(study: Study, words: list[str]) -> Study:
    """The study with the places that its files have for whoever asked, as errors name them."""
    policies = [
        replace(policy, source=None if (path := file_of(word)) is None else Path(path))
        for policy, word in zip(study.matchup.policies, words, strict=True)
    ]
    matchup = replace(study.matchup, policies=policies)
    return replace(study, words=tuple(words), matchup=matchup)


def _check_sources(content: Mapping[str, Any]) -> None:
    asked, here = content["sources"], source_digest()
    if asked != here:
        raise RefusedError(
            f"it has simlab {__version__} with sources {here}, not {content['simlab']} with "
            f"{asked}; install the same there"
        )


def _check_identities(asked: list[Any], studies: list[Study]) -> None:
    here = json.loads(to_json([study.identity() for study in studies]))
    found = next(differences(asked, here), None)
    if found is not None:
        raise RefusedError(f"it reads another study ({found})")


def _written(folder: Path, file: Mapping[str, str]) -> str:
    """Write a file where only this process looks, after a look at its digest."""
    content = file["text"].encode("utf-8", "surrogateescape")
    if hashlib.sha256(content).hexdigest() != file["sha256"]:
        raise RefusedError(f"{file['name']} did not arrive as it was sent")
    name = Path(file["name"]).name
    place = folder / file["sha256"][:16]
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    (place / name).write_bytes(content)
    return str(place / name)


def _moved(word: str, places: Mapping[str, str]) -> str:
    """A word whose file stands elsewhere here."""
    path = file_of(word)
    return word if path is None else places[path] + word.removeprefix(path)


def as_asked(text: str, places: Mapping[str, str]) -> str:
    """What a worker says, with the paths of whoever asked."""
    for path, here in places.items():
        text = text.replace(here, path)
    return text


# --- Answers ----------------------------------------------------------------------------------


class Answer(NamedTuple):
    """What a worker says: what became of a piece, in plain values, and its outcome table."""

    said: Mapping[str, Any]
    games: bytes

    def packed(self) -> bytes:
        """One line of JSON, then the outcome table."""
        return to_line(self.said) + self.games

    @property
    def part(self) -> Part:
        """The sums."""
        return Part.from_record(self.said["part"])


def to_line(value: Any) -> bytes:
    """Plain values as one line of JSON."""
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode() + b"\n"


def read_answer(content: bytes) -> Answer:
    """Read what `Answer.packed` made."""
    line, _, games = content.partition(b"\n")
    return Answer(json.loads(line), games)


def arrow_bytes(table: pa.Table) -> bytes:
    """An outcome table as compressed Arrow."""
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_stream(sink, table.schema, options=options) as stream:
        stream.write_table(table)
    return bytes(sink.getvalue())


def read_arrow(content: bytes) -> pa.Table:
    """Read what `arrow_bytes` made."""
    import pyarrow as pa

    with pa.ipc.open_stream(content) as stream:
        table: pa.Table = stream.read_all()
    return table
