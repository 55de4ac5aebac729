"""Settings of a conversation that no other test turns, each seen to do what its line in docs/settings.md says."""

from __future__ import annotations

from pathlib import Path

import pytest
from sessions.turns import talk

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.llm.scripted_model import ScriptedModel

NOON = 1_780_000_000.0


@pytest.mark.parametrize(("days", "left"), [(2, 1), (9, 2)])
def test_exports_are_kept_for_as_many_days_as_the_setting_says(home: Path, days: int, left: int) -> None:
    clock = FakeClock(NOON)
    with Memory.open(settings={"memory.session_export_days": days}, clock=clock) as memory:
        for text in ("The old one.", "The new one."):
            with memory.session() as session:
                session.append("user", text)
                session.reset()
            clock.advance(5 * 86_400)
    assert len(list((home / "memory" / "sessions").glob("*.md"))) == left


def test_the_reserve_and_the_soft_threshold_are_taken_from_the_settings() -> None:
    settings = {
        "compaction.context_window": 50_000,
        "compaction.reserve_tokens_floor": 9_000,
        "compaction.memory_flush.soft_threshold_tokens": 1_000,
    }
    with Memory.open(settings=settings) as memory, memory.session() as session:
        assert session.flush_due().limit == 40_000


def test_the_answers_of_the_silent_turn_are_as_long_as_the_setting_allows() -> None:
    model = ScriptedModel("NO_REPLY")
    settings = {"compaction.memory_flush.max_tokens": 321}
    with Memory.open(settings=settings) as memory, memory.session() as session:
        talk(session, 3)
        session.before_compaction(model, force=True)
    assert [request.max_tokens for request in model.requests] == [321]


def test_where_the_user_is_comes_from_the_settings() -> None:
    with Memory.open(settings={"user.location": "Turku"}) as memory, memory.session() as session:
        assert "Turku" in session.prompt().text
