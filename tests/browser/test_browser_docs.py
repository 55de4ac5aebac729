"""The first round of docs/web.md, step by step as it stands there; and pictures that are there and small."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browser.small_png import pixels_of, small_png
from browser.visitor import Visitor

sync_api = pytest.importorskip("playwright.sync_api", reason="NO PAGE WAS SEEN IN A BROWSER: run `make browser`")
expect = sync_api.expect

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "web.md").read_text(encoding="utf-8")
LINE = "Tomatoes want water on Mondays."
QUESTION = "when do tomatoes want water"
FACT = "The owner prefers tea to coffee."


def steps() -> list[str]:
    """The numbered steps of the page."""
    section = PAGE.partition("## A first round\n")[2].partition("\n## ")[0]
    return re.findall(r"^\d+\. (.*)$", section, re.MULTILINE)


def make(visitor: Visitor) -> None:
    visitor.page.get_by_role("link", name="Notes", exact=True).click()
    visitor.press("New note")
    visitor.page.get_by_label("Path").fill("memory/garden.md")
    visitor.press("New note", visitor.page.get_by_role("dialog"))


def write(visitor: Visitor) -> None:
    visitor.type_at_end(LINE)
    visitor.page.keyboard.press("Control+s")
    expect(visitor.page.locator(".markdown")).to_contain_text(LINE)
    assert LINE in visitor.text("memory/garden.md")


def undo(visitor: Visitor) -> None:
    visitor.press("Undo", visitor.toast)
    expect(visitor.page.locator(".markdown")).not_to_contain_text(LINE)
    visitor.press("Redo", visitor.toast)
    expect(visitor.page.locator(".markdown")).to_contain_text(LINE)


def search(visitor: Visitor) -> None:
    visitor.page.get_by_role("link", name="Search", exact=True).click()
    visitor.page.get_by_role("searchbox", name="Search memory").fill(QUESTION)
    first = visitor.page.locator(".hit").first
    expect(first).to_contain_text("memory/garden.md")
    first.locator(".bar-button").click()
    expect(first.locator(".explain-tables")).to_be_visible()


def score(visitor: Visitor) -> None:
    visitor.press("This answers it")
    expect(visitor.toast).to_contain_text("Question kept.")
    visitor.page.get_by_role("link", name="Quality", exact=True).click()
    visitor.press("Ask them all")
    expect(visitor.page.get_by_role("heading", name="How 1 question did")).to_be_visible()
    expect(visitor.page.locator(".scores")).to_contain_text("100 %")


def keep(visitor: Visitor) -> None:
    visitor.page.get_by_role("link", name="Facts", exact=True).click()
    visitor.page.get_by_label("A fact, in one sentence").fill(FACT)
    visitor.press("Keep")
    expect(visitor.page.locator("table.rows")).to_contain_text(FACT)


def look_back(visitor: Visitor) -> None:
    visitor.page.get_by_role("link", name="History", exact=True).click()
    expect(visitor.page.locator("table.rows")).to_contain_text("memory/garden.md")
    expect(visitor.page.locator("table.rows")).to_contain_text("fact kept")


def change(visitor: Visitor) -> None:
    visitor.page.get_by_role("link", name="Settings", exact=True).click()
    visitor.page.get_by_role("switch", name="Session indexing").check()
    visitor.press("Show the diff of holdfast.toml")
    expect(visitor.page.locator(".toml-diff")).to_contain_text("sessions")
    visitor.press("Save")
    expect(visitor.toast).to_contain_text("saved")
    assert "sessions" in visitor.text("holdfast.toml")
    visitor.press("Undo", visitor.toast)
    expect(visitor.toast).to_contain_text("Undone.")
    assert not (visitor.web.home / "holdfast.toml").exists()  # as before


def forget(visitor: Visitor) -> None:
    visitor.page.get_by_role("link", name="Forget", exact=True).click()
    visitor.page.get_by_label("This is the exact text").check()
    visitor.page.get_by_label("The exact text", exact=True).fill(LINE)
    visitor.press("Show the plan")
    visitor.press("Forget 1 line")
    expect(visitor.toast).to_contain_text("1 line forgotten.")
    assert LINE not in visitor.text("memory/garden.md")


def remember(visitor: Visitor) -> None:
    visitor.press("Undo", visitor.toast)
    expect(visitor.toast).to_contain_text("Undone.")
    assert LINE in visitor.text("memory/garden.md")


# What each step begins with, as it stands on the page, and what does it.
DONE: dict[str, Callable[[Visitor], None]] = {
    "Open **Notes**, press **New note**, and call it `memory/garden.md`.": make,
    f"Write `{LINE}` and press **Ctrl S**": write,
    "Press **Undo** in the line that appears, and the text is gone; **Redo**": undo,
    f"Open **Search** and type `{QUESTION}`": search,
    "Press **This answers it** below the hit, open **Quality** and press **Ask them all**": score,
    f"Open **Facts**, write `{FACT}` and press **Keep**.": keep,
    "Open **History**": look_back,
    "Open **Settings**, switch **Session indexing** on, look at **Show the diff of holdfast.toml**": change,
    f"Open **Forget**, tick **This is the exact text**, write `{LINE}`, press **Show the plan**": forget,
    "Press **Undo**: it is remembered again.": remember,
}


def test_the_first_round_of_the_page_goes_as_it_says(visitor: Visitor) -> None:
    told = steps()
    assert len(told) == len(DONE)
    visitor.enter()
    for step, (begins, do) in zip(told, DONE.items(), strict=True):
        assert step.startswith(begins), step
        do(visitor)


def test_every_picture_of_the_docs_is_there_and_small() -> None:
    shown = set(re.findall(r"\(pictures/([\w-]+\.png)\)", PAGE))
    files = {path.name: path for path in (ROOT / "docs" / "pictures").glob("*.png")}
    assert shown == set(files)
    assert all(path.stat().st_size <= 60_000 for path in files.values())
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(set(re.findall(r"\(docs/pictures/([\w-]+\.png)\)", readme)) & set(files)) == 2


def test_a_picture_with_fewer_colours_is_a_picture_of_the_same_size(visitor: Visitor, chromium: Any) -> None:
    visitor.open("/history")
    expect(visitor.title).to_have_text("History")
    whole = visitor.page.screenshot(clip={"x": 0, "y": 0, "width": 320, "height": 240})
    small = small_png(whole)
    assert len(small) < len(whole)
    empty = chromium.new_page()
    size = empty.evaluate(
        "async (address) => { const made = await createImageBitmap(await (await fetch(address)).blob());"
        " return [made.height, made.width]; }",
        f"data:image/png;base64,{base64.b64encode(small).decode()}",
    )
    empty.close()
    assert size == list(pixels_of(whole).shape[:2])
