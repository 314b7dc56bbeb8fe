"""What all figures share: colours, axes, names that fit, labels beside lines, and files.

The colours are those of Okabe and Ito (Color Universal Design, 2008) without their yellow, which
is too faint on white, and two of Paul Tol's: colour-blind readers can tell them apart.
"""

from __future__ import annotations

import io
import math
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unicodedata import east_asian_width

from simlab.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#E69F00",
    "#56B4E9",
    "#000000",
    "#882255",
    "#999933",
)
INK = "#222222"
QUIET = "#6E6E6E"
FAINT = "#DDDDDD"

FONT = 11.0
"""Points; half of it can still be read in print."""
SMALL = 9.5
LINE_INCHES = FONT * 1.25 / 72
"""Height of a line of text."""
LETTER_INCHES = FONT * 0.6 / 72
"""Width of a letter, in the mean."""
NAME_WIDTH = 26
"""Letters of a name in one line."""
WIDE = "MWmw@%"
MARGIN = 0.08
"""Inches."""
DPI = 150
ENDINGS = ("png", "svg", "pdf")

Colours = Mapping[str, str]
"""The colour of each policy."""


_PALETTE: ContextVar[Colours] = ContextVar("palette")


@contextmanager
def palette(colours: Colours) -> Iterator[None]:
    """Draw all figures inside with these colours: on a page a policy keeps its own."""
    before = _PALETTE.set(colours)
    try:
        yield
    finally:
        _PALETTE.reset(before)


def colours_of(policies: Iterable[str], given: Colours | None = None) -> dict[str, str]:
    """Choose a colour for each policy, in the order in which they first appear.

    Parameters
    ----------
    policies : iterable of str
        Names, repeated at will.
    given : mapping, optional
        Colours that are settled already, by default those of the `palette`; other policies get
        those that are left.

    Returns
    -------
    dict of str to str
        After nine policies the colours begin again; lines are then dashed.
    """
    names = list(dict.fromkeys(map(str, policies)))
    given = _PALETTE.get({}) if given is None else given
    chosen = {name: given[name] for name in names if name in given}
    free = [colour for colour in COLOURS if colour not in given.values()] or list(COLOURS)
    others = [name for name in names if name not in chosen]
    chosen |= {name: free[place % len(free)] for place, name in enumerate(others)}
    return {name: chosen[name] for name in names}


def dashes_of(colours: Colours) -> dict[str, str]:
    """Line styles: solid for the first policy of a colour, dashed and dotted for the next."""
    seen: dict[str, int] = {}
    found = {}
    for name, colour in colours.items():
        found[name] = ("-", "--", ":")[seen.get(colour, 0) % 3]
        seen[colour] = seen.get(colour, 0) + 1
    return found


def new_figure(width: float = 7.0, height: float = 4.0) -> Figure:
    """Make a figure (inches) that is nobody's current one and needs no display."""
    _import_matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    layout = ConstrainedLayoutEngine(w_pad=MARGIN, h_pad=MARGIN)
    figure = Figure(figsize=(width, height), layout=layout)
    FigureCanvasAgg(figure)
    return figure


def _import_matplotlib() -> None:
    """Import it even where MPLBACKEND names a backend that it refuses: none is needed here."""
    if "matplotlib" in sys.modules:
        return
    backend = os.environ.pop("MPLBACKEND", None)
    try:
        import matplotlib
    finally:
        if backend is not None:
            os.environ["MPLBACKEND"] = backend
    if backend:
        with suppress(ValueError):
            matplotlib.rcParams["backend"] = backend


def new_axes(width: float = 7.0, height: float = 4.0) -> Axes:
    """Axes on a figure of its own (inches), dressed."""
    return dressed(new_figure(width, height).add_subplot())


def dressed(axes: Axes) -> Axes:
    """Take the upper and right edges away and set the sizes of texts."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=FONT, labelcolor=INK)
    for label in (axes.xaxis.label, axes.yaxis.label):
        label.set(fontsize=FONT, color=INK, parse_math=False)
    return axes


def check_rows(frame: pd.DataFrame) -> None:
    """Refuse to draw a frame without rows: axes with nothing on them say nothing.

    Raises
    ------
    UsageError
        If there is nothing to draw.
    """
    if frame.empty:
        raise UsageError("there is nothing to draw: the frame of the figure has no rows")


def wrapped(name: object, width: int = NAME_WIDTH) -> str:
    """Break a name into lines of at most so many mean letters, where a reader would break it.

    After a space, comma, colon, semicolon or slash; a part that is still too long also after
    another mark, and where there is none, anywhere.
    """
    lines = [""]
    for part in re.findall(r".*?(?:[\s,;/]|:(?!:)|$)", " ".join(str(name).split())):
        pieces = re.findall(r".*?(?:[-_=]|$)", part) if letters_in(part) > width else [part]
        for piece in pieces:
            _add(lines, piece, width)
    return "\n".join(line.rstrip() for line in lines)


def _add(lines: list[str], piece: str, width: int) -> None:
    if lines[-1] and letters_in(lines[-1] + piece) > width:
        lines.append("")
    for letter in piece:
        if lines[-1] and letters_in(lines[-1] + letter) > width:
            lines.append("")
        lines[-1] += letter


def letters_in(line: str) -> float:
    """Width of a line in mean letters, roughly: wide ones count more."""
    wide = sum(letter in WIDE or east_asian_width(letter) in "FW" for letter in line.rstrip())
    return len(line.rstrip()) + 0.6 * wide


def lines_in(names: Iterable[object], width: int = NAME_WIDTH) -> list[int]:
    """Lines that each name takes once it is wrapped."""
    return [wrapped(name, width).count("\n") + 1 for name in names]


def room_for(names: Iterable[object]) -> float:
    """Inches that names take one below the other."""
    return sum(_label_height(lines) for lines in lines_in(names))


def _label_height(lines: int) -> float:
    return (lines + 0.25) * LINE_INCHES


def draw_dots(
    axes: Axes,
    places: Sequence[float],
    rows: pd.DataFrame,
    column: str,
    *,
    sideways: bool = False,
    **look: Any,
) -> None:
    """Draw a number as dots, with its interval from ``low`` to ``high`` as error bars.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    places : sequence of float
        Of each row, on the axis that is not the number's.
    rows : pandas.DataFrame
        ``low, high`` and the column that is drawn.
    column : str
    sideways : bool
        Whether the number goes to the right instead of up.
    **look
        As `matplotlib.axes.Axes.errorbar` takes it.
    """
    errors = [
        (rows[column] - rows["low"]).clip(lower=0).to_numpy(),
        (rows["high"] - rows[column]).clip(lower=0).to_numpy(),
    ]
    look = {"fmt": "o", "markersize": 6.5, "elinewidth": 1.5, "capsize": 3, **look}
    numbers = rows[column].to_numpy()
    if sideways:
        axes.errorbar(numbers, places, xerr=errors, **look)
    else:
        axes.errorbar(places, numbers, yerr=errors, **look)


def write(
    axes: Axes,
    words: str,
    at: tuple[float, float],
    coordinates: Any,
    aside: tuple[float, float],
    **look: Any,
) -> None:
    """Write words beside a place.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    words : str
    at : (float, float)
        The place, in these coordinates of matplotlib.
    coordinates : str or matplotlib.transforms.Transform
    aside : (float, float)
        How far from it to the right and up (points).
    **look
        As `matplotlib.axes.Axes.annotate` takes it.
    """
    look = {"fontsize": FONT, "color": INK, "parse_math": False, **look}
    axes.annotate(words, at, xycoords=coordinates, xytext=aside, textcoords="offset points", **look)


def spread(wanted: Sequence[float], sizes: Sequence[float], low: float, high: float) -> list[float]:
    """Places as near as can be to the wanted ones at which things of these sizes do not overlap.

    Least squares under the condition that the order stays, by isotonic regression.

    Parameters
    ----------
    wanted, sizes : sequences of float
        Middle and size of each thing.
    low, high : float
        Where the first may begin and the last should end, if there is room for all.

    Returns
    -------
    list of float
        Middles, in the order of ``wanted``.
    """
    from scipy.optimize import isotonic_regression

    if not wanted:
        return []
    order = sorted(range(len(wanted)), key=lambda place: wanted[place])
    below = [0.0, *accumulate(sizes[place] for place in order)]
    middles = [below[rank] + sizes[place] / 2 for rank, place in enumerate(order)]
    starts = isotonic_regression([wanted[p] - m for p, m in zip(order, middles, strict=True)]).x
    last = max(low, high - below[-1])
    places = dict(zip(order, starts.clip(low, last) + middles, strict=True))
    return [float(places[place]) for place in range(len(wanted))]


def label_ends(axes: Axes, ends: Mapping[str, tuple[float, float]], colours: Colours) -> None:
    """Write each name to the right of the axes, with a thin line to the end of its curve.

    Call it last, when the limits are settled. A curve whose end does not exist gets no name.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    ends : mapping of str to (float, float)
        Last point of each curve.
    colours : mapping
    """
    from matplotlib.transforms import ScaledTranslation

    figure = root_of(axes)
    figure.draw_without_rendering()  # now the axes know how high they are
    height = axes.get_window_extent().height / figure.dpi
    low, high = axes.get_ylim()
    ends = {name: end for name, end in ends.items() if math.isfinite(end[1])}
    middles = spread(
        [(end[1] - low) / (high - low) for end in ends.values()],
        [_label_height(lines) / height for lines in lines_in(ends)],
        0,
        1,
    )
    aside = axes.transAxes + ScaledTranslation(0.3, 0, figure.dpi_scale_trans)
    for (name, end), middle in zip(ends.items(), middles, strict=True):
        axes.annotate(
            wrapped(name),
            end,
            xytext=(1, middle),
            textcoords=aside,
            va="center",
            fontsize=FONT,
            color=INK,
            parse_math=False,
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "color": colours[name],
                "linewidth": 0.9,
                "relpos": (0, 0.5),
                "shrinkA": 1,
                "shrinkB": 3,
            },
        )


def root_of(drawn: Axes | Figure) -> Figure:
    """Whole figure that something is drawn on, be it in a part of a part."""
    root: Any = drawn.figure
    figure: Figure = root.figure
    return figure


def save(drawn: Axes | Figure, path: str | os.PathLike[str]) -> None:
    """Write a figure as the ending says; the same figure gives the same bytes each time.

    Parameters
    ----------
    drawn : matplotlib.axes.Axes or matplotlib.figure.Figure
        Of axes, their whole figure.
    path : path
        Ends in png (150 dots an inch), svg or pdf.

    Raises
    ------
    UsageError
        If it ends otherwise, or is a folder.
    """
    if os.path.isdir(path):
        raise UsageError(f"a figure is written to a file, {os.fspath(path)!r} is a folder")
    ending = Path(path).suffix.lower().removeprefix(".")
    if ending not in ENDINGS:
        raise UsageError(f"a figure is written as .png, .svg or .pdf, got {os.fspath(path)!r}")
    _save(drawn, path, ending)


def save_bytes(drawn: Axes | Figure, ending: str) -> bytes:
    """A figure as the content of a file; the same figure gives the same bytes each time."""
    file = io.BytesIO()
    _save(drawn, file, ending)
    return file.getvalue()


def _save(drawn: Axes | Figure, file: Any, ending: str) -> None:
    from matplotlib import rc_context

    fixed: dict[str, dict[str, Any]] = {
        "png": {"Software": "simlab"},
        "svg": {"Date": None, "Creator": "simlab"},
        "pdf": {"CreationDate": None, "Creator": "simlab", "Producer": "simlab"},
    }
    figure = root_of(drawn)
    _forget_layout(figure)
    with rc_context({"svg.hashsalt": "simlab", "pdf.fonttype": 42}):
        figure.savefig(file, format=ending, dpi=DPI, metadata=fixed[ending])


def _forget_layout(figure: Figure) -> None:
    """Let the layout begin where it began at first: its last digits depend on that."""
    for axes in figure.axes:
        place = axes.get_subplotspec()
        if place is not None and axes.get_in_layout() and figure.get_layout_engine() is not None:
            axes.set_subplotspec(place)
