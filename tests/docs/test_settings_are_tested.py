"""Every setting of a conversation is turned by some test, and docs/tested.md says by which."""

from __future__ import annotations

from pathlib import Path

from docs.tested import proof_page, proofs

PAGE = Path(__file__).parents[2] / "docs" / "tested.md"


def test_every_setting_of_a_conversation_is_turned_by_a_test() -> None:
    assert [setting for setting, tests in proofs().items() if not tests] == []


def test_the_page_of_tested_settings_is_up_to_date() -> None:
    current = PAGE.read_text(encoding="utf-8") == proof_page()
    assert current, "docs/tested.md is out of date; make it anew: python tests/docs/tested.py > docs/tested.md"
