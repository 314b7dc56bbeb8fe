"""Cards as data: lists as spreadsheets save them are read, and what is wrong is told by cell."""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from simlab.cards import (
    Amount,
    CardBox,
    CardOption,
    CardTable,
    Term,
    effects,
    export_cards,
    known_set,
    number,
    word,
)
from simlab.cards.terms import read_effects, write_effects
from simlab.errors import UsageError

ROOT = Path(__file__).resolve().parent.parent
TERMS = (
    Term("combat", "combat", "bonus to Combat rolls", low=-9, high=9),
    Term("any roll", "roll", "bonus to every roll", low=-9, high=9),
    Term("loot", "loot", "loot", low=1, high=9),
    Term("cancel", "cancel", "cancels a card"),
)
TOOLS = CardTable(
    "tools",
    "things to hold",
    (
        word("kind", ("style", "clothing"), "kind of thing"),
        number("cost", 0, 20, "price in gold"),
        effects("effect", TERMS, "what it does"),
    ),
    required=("T1",),
)
HEADER = "id,name,kind,cost,effect,copies,provenance,note"
LINES = (
    HEADER,
    "T1,Ballista,style,2,combat +1; loot 1,1,public,",
    'T2,Coquilla "descomunal",Clothing,3,,4,reconstructed,"large, very"',
    "T3,Muñeca,style,0,cancel,2,rulebook,",
)
NUMBERS = "goals = [14, 12]\nhand = 3\n"


def write_set(folder: Path, content: bytes | str, numbers: str = NUMBERS) -> CardBox:
    """A box whose printed set has this file of tools."""
    folder.mkdir(exist_ok=True)
    raw = content.encode() if isinstance(content, str) else content
    (folder / "tools.csv").write_bytes(raw)
    (folder / "numbers.toml").write_text(numbers, encoding="utf-8")
    amounts = (Amount("goals", "loot to win", 1, 99, 2), Amount("hand", "cards dealt", 0, 9))
    return CardBox("tooltoy", folder, (TOOLS,), amounts)


def tools_with(row: int, column: str, cell: str) -> str:
    """The list with one cell changed; rows as a spreadsheet counts them."""
    table = [line.split(",", 7) for line in LINES]
    table[row - 1][HEADER.split(",").index(column)] = cell
    return "\n".join(",".join(line) for line in table) + "\n"


def as_excel_here(text: str) -> bytes:
    return b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()


def as_excel_in_spain(text: str) -> bytes:
    """Semicolons between cells, so that a cell with one is quoted; the code page of Windows."""
    quoted = text.replace("combat +1; loot 1", '"combat +1; loot 1"')
    swapped = quoted.replace('"large, very"', "large@ very").replace(",", ";").replace("@", ",")
    return swapped.replace("\n", "\r\n").encode("cp1252")


def as_unicode_text(text: str) -> bytes:
    return (
        text.replace('"large, very"', "large@ very")
        .replace(",", "\t")
        .replace("@", ",")
        .encode("utf-16")
    )


def with_empty_rows_and_columns(text: str) -> bytes:
    lines = [line + ",,," for line in text.splitlines()]
    return "\n".join([*lines, "," * 10, "", "," * 10]).encode()


def with_a_hint_of_the_separator(text: str) -> bytes:
    return b"sep=,\r\n" + text.replace("\n", "\r\n").encode()


def with_columns_in_another_order(text: str) -> bytes:
    rows = [line.split(",", 7) for line in text.splitlines()]
    return "\n".join(",".join([*row[3:7], *row[:3], row[7]]) for row in rows).encode()


@pytest.mark.parametrize(
    "saved",
    [
        as_excel_here,
        as_excel_in_spain,
        as_unicode_text,
        with_empty_rows_and_columns,
        with_a_hint_of_the_separator,
        with_columns_in_another_order,
    ],
)
def test_a_list_saved_by_a_spreadsheet_is_the_same_list(
    tmp_path: Path, saved: Callable[[str], bytes]
) -> None:
    text = "\n".join(LINES) + "\n"
    plain = write_set(tmp_path / "plain", text).printed
    found = write_set(tmp_path / "saved", saved(text)).printed
    assert found.digest == plain.digest
    assert [card.name for card in found["tools"]] == ["Ballista", 'Coquilla "descomunal"', "Muñeca"]
    assert found["tools"][1].note == "large, very"


def test_cards_are_laid_into_records_by_field(tmp_path: Path) -> None:
    cards = write_set(tmp_path / "set", "\n".join(LINES)).printed
    records = np.ones((5,), TOOLS.record)
    TOOLS.lay_out(cards["tools"], records)
    assert records["kind"].tolist() == [0, 1, 0, 0, 0]
    assert records["cost"].tolist() == [2, 3, 0, 0, 0]
    assert records["copies"].tolist() == [1, 4, 2, 0, 0]
    assert records["combat"].tolist() == [1, 0, 0, 0, 0]
    assert records["cancel"].tolist() == [0, 0, 1, 0, 0]
    assert cards.amounts == {"goals": (14, 12), "hand": 3}
    assert known_set(cards.mark) == cards


@pytest.mark.parametrize(
    ("cell", "values"),
    [
        ("+1 combat; loot 2", {"combat": 1, "loot": 2}),
        ("combat -3", {"combat": -3}),
        ("COMBAT \u22123 ;", {"combat": -3}),
        ("any  roll\u00a0+2; cancel", {"roll": 2, "cancel": 1}),
        ("-", {}),
        ("", {}),
    ],
)
def test_effects_are_read_and_written_again(cell: str, values: dict[str, int]) -> None:
    found = read_effects(TERMS, cell)
    assert {key: value for key, value in found.items() if value} == values
    assert read_effects(TERMS, write_effects(TERMS, found)) == found


CELLS = [
    (2, "cost", "2x", "tools.csv, row 2, column cost: a whole number from 0 to 20 is expected"),
    (3, "cost", "", "tools.csv, row 3, column cost: a whole number from 0 to 20 is expected, got"),
    (4, "cost", "21", "row 4, column cost: a whole number from 0 to 20 is expected, got '21'"),
    (2, "kind", "stile", "row 2, column kind: one of style, clothing is expected, got 'stile'"),
    (2, "effect", "kombat +1", "row 2, column effect: unknown effect 'kombat'; did you mean comb"),
    (2, "effect", "combat", "row 2, column effect: effect 'combat' is written 'combat +N'"),
    (2, "effect", "loot 10", "row 2, column effect: effect 'loot' takes 1 to 9, got 10"),
    (2, "effect", "loot 0", "row 2, column effect: effect 'loot' takes 1 to 9, got 0"),
    (2, "effect", "loot 1; loot 2", "row 2, column effect: effect 'loot' stands twice"),
    (4, "effect", "cancel 2", "row 4, column effect: effect 'cancel' is written 'cancel'"),
    (3, "copies", "-1", "row 3, column copies: a whole number from 0 to 64 is expected, got '-1'"),
    (3, "copies", "62", "tools.csv holds 65 cards with copies, at most 64 fit"),
    (2, "id", "T 1", "row 2, column id: 1 to 16 letters, digits, - or _ expected, got 'T 1'"),
    (2, "id", "T9", "tools.csv: the rules need a card with the id 'T1'"),
    (3, "id", "T1", "tools.csv: id 'T1' stands in tools.csv already"),
    (2, "name", "x" * 121, "row 2, column name: at most 120 letters fit, got 121"),
    (2, "provenance", "rulebok", "column provenance: unknown provenance 'rulebok'; did you mean"),
    (1, "cost", "costs", "tools.csv, row 1: unknown column 'costs'; did you mean cost?"),
    (1, "cost", "kind", "tools.csv, row 1: column kind comes twice"),
    (2, "note", "a,b", "tools.csv, row 2: 8 cells expected, got 9"),
    (2, "name", '"a', "tools.csv is no CSV file"),
]


@pytest.mark.parametrize(("row", "column", "cell", "message"), CELLS)
def test_a_wrong_cell_is_told_in_one_line(
    tmp_path: Path, row: int, column: str, cell: str, message: str
) -> None:
    box = write_set(tmp_path / "set", tools_with(row, column, cell))
    with pytest.raises(UsageError) as error:
        box.read(tmp_path / "set")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_list_that_is_longer_than_the_room_for_it_is_refused_with_its_number(
    tmp_path: Path,
) -> None:
    rows = [f"T{place},x,style,0,,1,public," for place in range(1, 66)]
    box = write_set(tmp_path / "set", "\n".join([HEADER, *rows]))
    with pytest.raises(UsageError, match=r"tools\.csv holds 65 kinds of cards, at most 64 fit"):
        box.read(tmp_path / "set")
    shorter = write_set(tmp_path / "set", "\n".join([HEADER, *rows[:-1]]))
    assert len(shorter.read(tmp_path / "set")["tools"]) == 64


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("goals = [14, 12]", "numbers.toml: key hand is missing"),
        ("goals = [14, 12]\nhand = 10", "key hand: a whole number from 0 to 9 expected, got 10"),
        ("goals = [14]\nhand = 3", "key goals: 2 whole numbers from 1 to 99 expected, got [14]"),
        ("goals = [14, 12]\nhand = true", "key hand: a whole number from 0 to 9 expected"),
        ("goals = [14, 12]\nhands = 3", "numbers.toml: unknown key 'hands'; did you mean hand?"),
        ("goals = [14,", "numbers.toml is no TOML file"),
    ],
)
def test_a_wrong_number_beside_the_tables_is_told_in_one_line(
    tmp_path: Path, text: str, message: str
) -> None:
    box = write_set(tmp_path / "set", "\n".join(LINES), text)
    with pytest.raises(UsageError) as error:
        box.read(tmp_path / "set")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda folder: (folder / "tools.csv").unlink(), r"tools\.csv cannot be read"),
        (lambda folder: (folder / "tools.csv").write_bytes(b""), r"tools\.csv is empty"),
        (lambda folder: (folder / "tools.csv").write_bytes(b"x" * 1_000_001), "larger than"),
        (lambda folder: (folder / "numbers.toml").unlink(), r"numbers\.toml cannot be read"),
    ],
)
def test_a_missing_or_senseless_file_is_told_by_its_name(
    tmp_path: Path, spoil: Callable[[Path], object], message: str
) -> None:
    box = write_set(tmp_path / "set", "\n".join(LINES))
    spoil(tmp_path / "set")
    with pytest.raises(UsageError, match=message):
        box.read(tmp_path / "set")


# --- The option ------------------------------------------------------------------------------


def option_of(box: CardBox) -> CardOption:
    return CardOption("cards", "printed", "which cards", box=box)


def test_a_folder_is_pinned_to_what_was_read_in_it(tmp_path: Path) -> None:
    box = write_set(tmp_path / "set", "\n".join(LINES))
    option = option_of(box)
    value = option.read(str(tmp_path / "set"))
    assert value == f"{tmp_path / 'set'}@{box.printed.digest}"
    assert option.read(value) == value
    assert option.identity(value) == option.identity("printed") == box.printed.digest
    (tmp_path / "set" / "tools.csv").write_text(tools_with(2, "cost", "7"), encoding="utf-8")
    edited = option.read(str(tmp_path / "set"))
    assert option.cards(edited)["tools"][0].values["cost"] == 7
    assert option.cards(value)["tools"][0].values["cost"] == 2, "pinned in this process"
    assert option.identity(edited) != option.identity(value)


def test_another_process_refuses_a_folder_that_was_edited(tmp_path: Path) -> None:
    option = option_of(write_set(tmp_path / "set", "\n".join(LINES)))
    gone = f"{tmp_path / 'set'}@{'0' * 16}"
    with pytest.raises(UsageError, match=r"have been edited: their digest was 0{16}, is "):
        option.read(gone)


def test_a_folder_that_is_not_there_says_how_one_is_made(tmp_path: Path) -> None:
    option = option_of(write_set(tmp_path / "set", "\n".join(LINES)))
    with pytest.raises(UsageError, match="simlab cards export tooltoy DIR makes one"):
        option.read(str(tmp_path / "none"))


def test_notes_change_no_digest_but_names_and_numbers_do(tmp_path: Path) -> None:
    def digest(text: str) -> str:
        return write_set(tmp_path / "set", text).read(tmp_path / "set").digest

    plain = digest("\n".join(LINES))
    assert digest(tools_with(2, "note", "mine")) == plain
    assert digest(tools_with(2, "provenance", "rulebook")) == plain
    others = [
        digest(tools_with(2, key, cell))
        for key, cell in [
            ("name", "Catapult"),
            ("cost", "3"),
            ("effect", "loot 1"),
            ("copies", "2"),
        ]
    ]
    assert len({plain, *others}) == 5


# --- Files -----------------------------------------------------------------------------------


def test_an_exported_set_is_the_printed_one_with_a_mark_for_excel(tmp_path: Path) -> None:
    box = write_set(tmp_path / "set", "\n".join(LINES))
    paths = export_cards(box, tmp_path / "deep" / "copy")
    assert [path.name for path in paths] == ["tools.csv", "numbers.toml"]
    assert sorted(path.name for path in paths[0].parent.iterdir()) == ["numbers.toml", "tools.csv"]
    assert paths[0].read_bytes().startswith(b"\xef\xbb\xbfid,")
    assert box.read(tmp_path / "deep" / "copy") == box.printed


def test_export_overwrites_nothing(tmp_path: Path) -> None:
    box = write_set(tmp_path / "set", "\n".join(LINES))
    (tmp_path / "copy").mkdir()
    (tmp_path / "copy" / "numbers.toml").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match=r"numbers\.toml is there already"):
        export_cards(box, tmp_path / "copy")
    assert [path.name for path in (tmp_path / "copy").iterdir()] == ["numbers.toml"]
    assert (tmp_path / "copy" / "numbers.toml").read_text(encoding="utf-8") == "mine"


def test_a_table_with_two_fields_of_one_name_is_refused() -> None:
    twice = dataclasses.replace(TOOLS, columns=(*TOOLS.columns, number("loot", 0, 1, "")))
    with pytest.raises(ValueError, match="two fields of one name"):
        twice.record  # noqa: B018 - built when first read


def test_every_file_of_cards_is_installed() -> None:
    """Package data: each file beside a game is matched by a pattern, and lies in a package."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["*"]
    packages = {name.replace(".", "/") for name in project["tool"]["setuptools"]["packages"]}
    rooms = [ROOT / room for room in ("simlab", "policies", "experiments")]
    others = [p for room in rooms for p in room.rglob("*") if p.is_file()]
    data = [p for p in others if p.suffix not in (".py", ".pyc", ".typed")]
    for path in data:
        package = path.relative_to(ROOT).parent.parent.as_posix()
        assert package in packages, path
        assert any(path.match(pattern) for pattern in patterns), path
