"""A set of cards on disk: exported for a spreadsheet, whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from simlab.cards.box import CardBox
from simlab.errors import SimlabError, UsageError

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""Without it Excel takes a CSV file for the code page of its country, and spoils the accents."""


def export_cards(box: CardBox, folder: Path) -> list[Path]:
    """Copy the printed set into a folder, which is made if need be.

    Returns
    -------
    list of pathlib.Path
        The files written.

    Raises
    ------
    UsageError
        If one of the files is there already: nothing is overwritten.
    SimlabError
        If the folder cannot be written.
    """
    paths = [folder / name for name in box.files]
    for path in paths:
        if path.exists():
            raise UsageError(f"{path} is there already; export into another folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in paths:
            content = (box.printed_folder / path.name).read_bytes()
            mark = BYTE_ORDER_MARK if path.suffix == ".csv" else b""
            _write_new(path, mark + content.removeprefix(BYTE_ORDER_MARK))
    except OSError as error:
        raise SimlabError(f"{folder} cannot be written ({error.strerror})") from error
    return paths


def _write_new(path: Path, content: bytes) -> None:
    """Write a file that is not there yet, whole or not at all."""
    handle, waiting = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(waiting, 0o644)
        _put(Path(waiting), path)
    finally:
        Path(waiting).unlink(missing_ok=True)


def _put(waiting: Path, path: Path) -> None:
    """Give a finished file its name; unlike a rename a link refuses to replace a file."""
    try:
        os.link(waiting, path)
    except FileExistsError:
        raise UsageError(f"{path} is there already; export into another folder") from None
    except OSError:  # a file system without links
        os.replace(waiting, path)
