"""Writes a report: one page that needs nothing beside it; Markdown, CSV and JSON beside it."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from simlab import __version__
from simlab.errors import UsageError
from simlab.experiments.folders import to_json, write_whole
from simlab.reports.document import (
    Figure,
    Listing,
    Number,
    Report,
    Section,
    Sentence,
    Table,
)

INDEX = "report.json"
FORMULA = tuple("=+-@\t\r")
"""What a spreadsheet takes for the beginning of a formula."""
NAME = re.compile(r"[a-z0-9][a-z0-9-]*\Z")


def write_report(report: Report, folder: Path) -> Path:
    """Write a report into a folder.

    ``index.html`` is one file with everything in it; ``report.md`` is the same to read as text;
    ``tables/`` has every table as CSV with numbers unrounded, ``figures/`` every figure as SVG
    and PNG, ``report.json`` every number by its key. The same report gives the same bytes.

    Parameters
    ----------
    report : Report
    folder : pathlib.Path
        New, empty, or one that holds an earlier report, whose files are replaced.

    Returns
    -------
    pathlib.Path
        Of ``index.html``.

    Raises
    ------
    UsageError
        If the folder holds something else.
    """
    earlier = check_folder(folder)
    _check_names(report)
    numbers = report.numbers()
    drawn = {
        one.name: _drawn(one, report.colours) for one in report.blocks() if isinstance(one, Figure)
    }
    tables = [one for one in report.blocks() if isinstance(one, Table)]
    files: dict[str, bytes] = {}
    for name, (svg, png) in drawn.items():
        files[f"figures/{name}.svg"], files[f"figures/{name}.png"] = svg, png
    for table in tables:
        files[f"tables/{table.name}.csv"] = _csv(table)
    files["report.md"] = "\n".join(_markdown(report)).encode()
    files["index.html"] = _html(report, {name: svg for name, (svg, _) in drawn.items()}).encode()
    content = {
        "title": report.title,
        "simlab": __version__,
        "facts": report.facts,
        "warnings": list(report.warnings),
        "numbers": {key: number.record() for key, number in sorted(numbers.items())},
        "files": sorted([*files, INDEX]),
    }
    files[INDEX] = to_json(content)
    for inner in ("figures", "tables"):
        (folder / inner).mkdir(parents=True, exist_ok=True)
    for name, written in files.items():
        write_whole(folder / name, written)
    for name in earlier - set(files):
        (folder / name).unlink(missing_ok=True)
    return folder / "index.html"


OWN = ("runs",)
"""What may lie beside a report's files: the runs that it was written from."""


def check_folder(folder: Path) -> set[str]:
    """Files of the report that is there; raises `UsageError` if there is something else."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file; a report takes a folder")
    if not folder.is_dir() or all(one.name in OWN for one in folder.iterdir()):
        return set()
    try:
        kept = json.loads((folder / INDEX).read_text(encoding="utf-8"))["files"]
    except (OSError, ValueError, KeyError, TypeError):
        raise UsageError(
            f"{folder} is not empty and holds no report; choose another folder"
        ) from None
    # Only plain names below the folder: the list is a file that anybody may have changed.
    return {str(name) for name in kept if re.fullmatch(r"((figures|tables)/)?[\w-]+\.\w+", name)}


def _check_names(report: Report) -> None:
    """Names become files and anchors: plain, and each once."""
    seen: set[str] = set()
    for block in report.blocks():
        if isinstance(block, Section | Table | Figure):
            kind = type(block).__name__
            if not NAME.match(block.name) or f"{kind} {block.name}" in seen:
                raise ValueError(f"{kind} of a report has no name of its own: {block.name!r}")
            seen.add(f"{kind} {block.name}")


# --- Figures and tables as files ------------------------------------------------------------------


def _drawn(figure: Figure, colours: Mapping[str, str]) -> tuple[bytes, bytes]:
    from simlab.experiments.figures.style import palette, save_bytes

    with palette(colours):
        found = figure.draw()
    return save_bytes(found, "svg"), save_bytes(found, "png")


def _csv(table: Table) -> bytes:
    """Rows with numbers unrounded; an interval takes two more columns."""
    import csv

    wide = [
        any(isinstance(row[n], Number) and row[n].span for row in table.rows)  # type: ignore[union-attr]
        for n in range(len(table.columns))
    ]
    heads: list[str] = []
    for column, spans in zip(table.columns, wide, strict=True):
        heads += [column.title] + ([f"{column.title} low", f"{column.title} high"] if spans else [])
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([_defused(head) for head in heads])
    for row in table.rows:
        writer.writerow([cell for n, one in enumerate(row) for cell in _cells(one, wide[n])])
    return file.getvalue().encode()


def _cells(one: str | Number, spans: bool) -> list[Any]:
    if isinstance(one, str):
        return [_defused(one)] + ([""] * 2 if spans else [])
    record = one.record()
    value = "" if record["value"] is None else repr(record["value"])
    ends = [repr(end) for end in record["ci95"]] if record["ci95"] else ["", ""]
    return [value] + (ends if spans else [])


def _defused(text: str) -> str:
    return f"'{text}" if text.startswith(FORMULA) else text


# --- Markdown -------------------------------------------------------------------------------------


def _markdown(report: Report) -> Iterator[str]:
    yield f"# {_plain(report.title)}"
    yield ""
    yield _plain(report.subtitle)
    for warning in report.warnings:
        yield ""
        yield f"> **{_plain(warning)}**"
    for section in report.sections:
        yield from _section_md(section, 2)
    yield ""


def _section_md(section: Section, level: int) -> Iterator[str]:
    yield ""
    yield f"{'#' * level} {_plain(section.title)}"
    for block in section.blocks:
        yield ""
        if isinstance(block, Section):
            yield from _section_md(block, level + 1)
        elif isinstance(block, Sentence):
            yield _plain(block.text)
        elif isinstance(block, Figure):
            yield f"![{_plain(block.alt)}](figures/{block.name}.svg)"
            yield ""
            yield f"*{_plain(block.caption)}*"
        elif isinstance(block, Listing):
            yield from _listing_md(block)
        else:
            yield from _table_md(block)


def _listing_md(listing: Listing) -> Iterator[str]:
    if listing.code:
        yield "```"
        yield from (line.replace("```", "'''") for line in listing.lines)
        yield "```"
    else:
        yield from (f"- {_plain(line)}" for line in listing.lines)


def _table_md(table: Table) -> Iterator[str]:
    yield f"**{_plain(table.title)}**"
    yield ""
    yield "| " + " | ".join(_plain(column.title) or " " for column in table.columns) + " |"
    yield "|" + "|".join(" :-- " if column.words else " --: " for column in table.columns) + "|"
    for row in table.rows:
        yield "| " + " | ".join(_plain(_cell_text(cell)) for cell in row) + " |"
    if table.note:
        yield ""
        yield _plain(table.note)


def _cell_text(cell: str | Number) -> str:
    if isinstance(cell, str):
        return cell
    return f"{cell.text} ({cell.span})" if cell.span else cell.text


def _plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return re.sub(r"([\\`*_{}\[\]<>#|])", r"\\\1", text)


# --- HTML -----------------------------------------------------------------------------------------


def _html(report: Report, drawings: Mapping[str, bytes]) -> str:
    """The page: templates escape everything but the figures, which are our own drawings."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("simlab.reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    kinds: dict[str, Any] = {"kind_of": kind_of, "sort_key": sort_key, "is_number": _is_number}
    environment.globals.update(kinds)
    figures = {name: Markup(_inline(svg, name)) for name, svg in drawings.items()}  # noqa: S704 - drawn here, names escaped by matplotlib
    files = {name: environment.loader.get_source(environment, name)[0] for name in ASSETS}  # type: ignore[union-attr]
    assets = {name.replace(".", "_"): Markup(text) for name, text in files.items()}  # noqa: S704 - our own files
    return environment.get_template("page.html").render(
        report=report, figures=figures, version=__version__, **assets
    )


ASSETS = ("style.css", "script.js")


def kind_of(block: Any) -> str:
    """What a template calls a block."""
    return type(block).__name__.lower()


def _is_number(part: Any) -> bool:
    return isinstance(part, Number)


def sort_key(cell: str | Number) -> str:
    """What a column is sorted by: the unrounded number, or the words."""
    if isinstance(cell, str):
        return cell
    return "" if cell.record()["value"] is None else repr(cell.value)


def _inline(svg: bytes, name: str) -> str:
    """A drawing as part of the page: without its head, names inside made its own."""
    text = svg.decode()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', text)
    text = re.sub(r'(xlink:href|href)="#([^"]+)"', rf'\1="#{name}-\2"', text)
    text = re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", text)
    return text.replace("<svg ", '<svg aria-hidden="true" focusable="false" ', 1)
