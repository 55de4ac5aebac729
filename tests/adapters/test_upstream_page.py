"""The page of what differs from the frameworks' own classes says what the list says that their tests are run with."""

from __future__ import annotations

from pathlib import Path

from upstream.differences import page

PAGE = Path(__file__).parents[2] / "docs/frameworks/upstream-tests.md"


def test_the_page_of_differences_is_made_of_the_list() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `make docs`"
