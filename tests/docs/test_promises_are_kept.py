"""The promises of docs/promises.md: each is held by tests, and no test holds one that is not there."""

from __future__ import annotations

from pathlib import Path

from docs.promises import PROMISES, kept_promises, promises_page

PAGE = Path(__file__).parents[2] / "docs" / "promises.md"


def test_every_promise_is_held_by_tests_and_every_marker_names_a_promise() -> None:
    assert set(kept_promises()) == set(PROMISES)


def test_the_page_of_promises_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == promises_page(), "python tests/docs/promises.py > docs/promises.md"
