"""The option ``edit``: cells of card lists changed on the command line, as an edited file would."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from simlab.cards import export_cards
from simlab.cards.tables import number
from simlab.cli import cli
from simlab.errors import UsageError
from simlab.games.fantasia_sa import GAME
from simlab.games.fantasia_sa.box import BOX

PRINTED = "cards=printed"


def rules_for(**options: object) -> object:
    """Rules record of a table of three."""
    return GAME.make_rules(3, GAME.read_options(options))[0]


def edited_folder(folder: Path, file: str, was: str, now: str) -> Path:
    """The printed lists with one piece of a file replaced."""
    export_cards(BOX, folder)
    text = (folder / file).read_text(encoding="utf-8-sig")
    assert text.count(was) == 1
    (folder / file).write_text(text.replace(was, now), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("edit", "file", "was", "now"),
    [
        ("S6.gold:2", "equipment.csv", "fanfare,style,4,", "fanfare,style,2,"),
        (
            "S6.effect:loot 2; combat +1",
            "equipment.csv",
            "4,all rolls +1,1,reconstructed,\nS7",
            "4,loot 2; combat +1,1,reconstructed,\nS7",
        ),
        ("cancel.copies:0", "actions.csv", "action,yes,cancel,2,", "action,yes,cancel,0,"),
        ("P05.renown:9", "sponsors.csv", "materials,6,3,", "materials,9,3,"),
        ("F10.type:rescue", "feats.csv", "7,combat,7,3,4,,1,", "7,rescue,7,3,4,,1,"),
    ],
)
def test_an_edit_makes_the_rules_that_an_edited_file_makes(
    tmp_path: Path, edit: str, file: str, was: str, now: str
) -> None:
    folder = edited_folder(tmp_path / "cards", file, was, now)
    by_file = rules_for(cards=str(folder))
    by_edit = rules_for(edit=edit)
    assert by_edit.tobytes() == by_file.tobytes()  # type: ignore[attr-defined]
    assert by_edit.tobytes() != rules_for().tobytes()  # type: ignore[attr-defined]


def test_several_cells_of_one_card_and_of_others_are_changed_at_once() -> None:
    rules = rules_for(edit="S6.gold:2/S6.effect:loot 1/P24.loot:0")
    S6, P24 = 5, 23
    assert (rules.equipment[S6].gold, rules.equipment[S6].loot) == (2, 1)  # type: ignore[attr-defined]
    assert (rules.equipment[S6].any_roll, rules.sponsors[P24].loot) == (0, 0)  # type: ignore[attr-defined]


def test_an_edit_that_changes_nothing_is_the_printed_set() -> None:
    assert rules_for(edit="S6.gold:4").tobytes() == rules_for().tobytes()  # type: ignore[attr-defined]


def test_edits_are_made_to_the_lists_of_a_folder(tmp_path: Path) -> None:
    folder = edited_folder(
        tmp_path / "cards", "equipment.csv", "fanfare,style,4,", "fanfare,style,7,"
    )
    rules = rules_for(cards=str(folder), edit="S7.gold:1")
    S6, S7 = 5, 6
    assert [rules.equipment[n].gold for n in (S6, S7)] == [7, 1]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ("S6", "CARD.COLUMN:VALUE"),
        ("S6.gold=3", "CARD.COLUMN:VALUE"),
        ("S6.gold:3/", "CARD.COLUMN:VALUE"),
        ("", "CARD.COLUMN:VALUE"),
        ("S9.gold:3", "unknown card 'S9'"),
        ("S6.golden:3", "did you mean gold"),
        ("S6.gold:31", "0 to 30 is expected, got '31'"),
        ("S6.gold:x", "0 to 30 is expected, got 'x'"),
        ("S6.effect:dance", "unknown effect 'dance'"),
        ("S6.type:hat", "style, assistant, clothing is expected"),
        ("S6.copies:64", "equipment.csv holds 84 cards"),
        ("S6.gold:3/S6.gold:4", "S6.gold is changed twice"),
        ("S6.id:S9", "unknown column"),
    ],
)
def test_what_is_wrong_with_an_edit_is_one_line(edit: str, said: str) -> None:
    with pytest.raises(UsageError, match=said.replace(".", r"\.").replace("(", r"\(")) as told:
        rules_for(edit=edit)
    assert "\n" not in str(told.value)


def test_the_same_edit_is_written_in_one_way() -> None:
    (option,) = (one for one in GAME.options if one.key == "edit")
    assert option.read(" S6.gold: 3 / P05.loot:1 ") == "S6.gold:3/P05.loot:1"
    assert option.read("None") == "none"


def test_the_column_of_copies_is_written_as_it_is_read() -> None:
    column = number("copies", 0, 9, "how many")
    assert column.write(column.read("7")) == "7"
    for table in BOX.tables:
        for card in BOX.printed[table.name]:
            for column in table.columns:
                cell = column.write(card.values)
                assert column.read(cell) == {name: card.values[name] for name in column.fields}


def test_a_game_with_an_edit_is_recorded_with_it_and_another_game() -> None:
    def record(*words: str) -> dict[str, object]:
        line = ["replay", "fantasia-sa", "2xgreedy", "--set", "turn_cap=30", "--format", "json"]
        result = CliRunner().invoke(cli, [*line, *words, "--quiet"], catch_exceptions=False)
        assert result.exit_code == 0
        found: dict[str, object] = json.loads(result.stdout)
        return found

    plain, dear = record(), record("--set", "edit=P21.renown:1/P03.renown:1/P13.loot:5")
    assert dear["options"]["edit"] == "P21.renown:1/P03.renown:1/P13.loot:5"  # type: ignore[index]
    assert "edit" not in plain["options"]  # type: ignore[operator]
    assert dear["events"] != plain["events"]
