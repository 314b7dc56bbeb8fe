"""The page in a real browser: no faults, no requests, sorting, dark, copying, widths, contrast."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from report_samples import sample

from simlab.reports.page import write_report

CHROMIUM = Path("/usr/bin/chromium")
ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}"),
]
sync_api = pytest.importorskip("playwright.sync_api", reason="needs the test extra's playwright")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_report(sample(30), tmp_path_factory.mktemp("page") / "r").as_uri()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as play:
        one = play.chromium.launch(executable_path=str(CHROMIUM), args=ARGS)
        yield one
        one.close()


@pytest.fixture
def tab(browser: Any, address: str) -> Iterator[Any]:
    one = browser.new_page(viewport={"width": 1440, "height": 900}, color_scheme="light")
    one.goto(address)
    yield one
    one.close()


def test_the_page_has_no_faults_and_asks_for_nothing_but_itself(browser: Any, address: str) -> None:
    one, said, asked = browser.new_page(), [], []
    one.on("console", lambda message: said.append(message.text))
    one.on("pageerror", lambda error: said.append(str(error)))
    one.on("request", lambda request: asked.append(request.url))
    one.on("dialog", lambda dialog: said.append(dialog.message))
    one.goto(address)
    one.close()
    assert (said, asked) == ([], [address])


def column(tab: Any, place: int) -> list[str]:
    script = "(rows, place) => rows.map((row) => row.cells[place].dataset.sort)"
    found: list[str] = tab.locator("#table-rates tbody tr").evaluate_all(script, place)
    return found


def test_a_click_on_a_head_sorts_numbers_from_the_highest_and_again_from_the_lowest(
    tab: Any,
) -> None:
    head = tab.locator("#table-rates thead button").nth(1)
    head.click()
    found = [float(value) for value in column(tab, 1)]
    assert len(found) == 30
    assert found == sorted(found, reverse=True)
    head.click()
    assert [float(value) for value in column(tab, 1)] == found[::-1]


def test_the_switch_turns_the_page_dark_and_back(tab: Any) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    light = tab.evaluate(ground)
    tab.click("#theme")
    assert tab.evaluate(ground) == "rgb(21, 24, 28)"
    assert tab.inner_text("#theme") == "Light"
    tab.click("#theme")
    assert tab.evaluate(ground) == light


def test_the_copy_button_copies_the_head_and_every_row(tab: Any) -> None:
    tab.click("#table-rates .copy")
    lines = tab.locator("#table-rates .copy").get_attribute("data-copied").splitlines()
    assert lines[0] == "strategy,win rate,points,p,nothing"
    assert len(lines) == 31


@pytest.mark.parametrize("width", [375, 768, 1440])
def test_nothing_overflows_sideways(tab: Any, width: int) -> None:
    tab.set_viewport_size({"width": width, "height": 900})
    assert tab.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_fault(tab: Any, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    tab.emulate_media(color_scheme=scheme)
    found = axe.Axe().run(tab).response["violations"]
    grave = [
        (one["id"], one["nodes"][0]["html"][:120])
        for one in found
        if one["impact"] in ("serious", "critical") or one["id"].startswith("heading")
    ]
    assert grave == []


def test_the_page_prints_with_unbroken_rows_and_without_buttons(tab: Any) -> None:
    tab.emulate_media(media="print")
    style = "getComputedStyle(document.querySelector('#table-rates tbody tr')).breakInside"
    assert tab.evaluate(style) == "avoid"
    assert not tab.locator("#table-rates .copy").is_visible()
    assert tab.pdf(format="A4").startswith(b"%PDF-")
