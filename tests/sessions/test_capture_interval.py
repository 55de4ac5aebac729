"""When a language model is asked for facts: after so many turns, or after so many tokens, whichever comes first."""

from __future__ import annotations

from holdfast import Memory
from holdfast.llm.scripted_model import ScriptedModel


def test_a_model_is_asked_once_enough_tokens_were_said() -> None:
    settings = {"capture.llm.enabled": True, "capture.llm.every_turns": 100, "capture.llm.every_tokens": 200}
    model = ScriptedModel(always='{"facts": []}')
    with Memory.open(settings=settings) as memory, memory.session() as session:
        session.append("user", "We take our boat to the lake")
        assert not session.capture(model).asked
        session.append("user", "and then we sail around the small island with it " * 30)
        assert session.capture(model).asked
        session.append("user", "We take our boat home")
        assert not session.capture(model).asked


def test_without_leave_no_model_is_asked_for_facts() -> None:
    settings = {"capture.llm.enabled": False, "capture.llm.every_turns": 1}
    model = ScriptedModel(always='{"facts": []}')
    with Memory.open(settings=settings) as memory, memory.session() as session:
        session.append("user", "We take our boat to the lake")
        assert not session.capture(model, force=True).asked
    assert model.requests == []
