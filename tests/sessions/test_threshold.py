"""When the silent turn is due: the threshold of seed 002, on windows of every size."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sessions.turns import talk

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.llm.chat_model import Message, Role, ToolCall
from holdfast.sessions.flush_threshold import due, limit_of
from holdfast.transcripts.tokens import entry_tokens, tokens_in
from holdfast.transcripts.transcript_entry import Entry

_TOKENS = st.integers(0, 10_000_000)


def test_the_threshold_is_the_window_less_the_reserve_less_the_soft_threshold() -> None:
    assert limit_of(128_000, 20_000, 4000) == 104_000
    assert limit_of(200_000, 20_000, 4000) == 176_000
    assert limit_of(40_000, 20_000, 4000) == 16_000


@pytest.mark.parametrize(
    ("window", "limit"),
    [(32_000, 8000), (24_000, 6000), (20_000, 5000), (8192, 2048), (4096, 1024), (1000, 250), (1, 1)],
)
def test_on_small_windows_the_reserve_and_the_soft_threshold_leave_a_quarter(window: int, limit: int) -> None:
    assert limit_of(window, 20_000, 4000) == limit


@given(_TOKENS, _TOKENS, _TOKENS)
def test_the_limit_is_always_positive_and_within_the_window(window: int, reserve: int, soft: int) -> None:
    limit = limit_of(window, reserve, soft)
    assert 1 <= limit <= max(1, window)
    assert limit_of(window + 1, reserve, soft) >= limit
    assert limit_of(window, reserve + 1, soft) <= limit
    assert limit_of(window, reserve, soft + 1) <= limit


@given(_TOKENS, st.integers(1, 10_000_000), _TOKENS, st.integers(1, 10_000_000))
def test_once_due_a_longer_conversation_stays_due(tokens: int, limit: int, size: int, most: int) -> None:
    found = due(tokens, limit, size, most, 3)
    assert found.due == (tokens >= limit or size >= most) and found.cycle == 3 and found.why
    if found.due:
        assert due(tokens + 1, limit, size, most, 3).due and due(tokens, limit, size + 1, most, 3).due


def test_tokens_are_a_quarter_of_latin_characters_and_one_for_each_of_cjk() -> None:
    plain = Entry("m1", 0.0, Role.USER)
    empty = entry_tokens(plain)
    assert entry_tokens(plain.replace(text="abcd" * 100)) - empty == 100
    assert entry_tokens(plain.replace(text="猫" * 100)) - empty == 100
    called = Entry("m2", 0.0, Role.ASSISTANT, tool_calls=(ToolCall("c", "save", {"content": "x" * 4000}),))
    assert entry_tokens(called) > 1000
    assert tokens_in([plain, called]) == entry_tokens(plain) + entry_tokens(called)
    assert isinstance(plain.message, Message)


def test_the_flush_is_due_when_the_estimate_crosses_the_soft_threshold(home: Path) -> None:
    with Memory.open(settings={"compaction.context_window": 30_000}) as memory, memory.session() as session:
        talk(session, 2)
        assert not session.flush_due().due
        talk(session, 80)
        found = session.flush_due()
        assert found.due and found.limit == 7500 < found.tokens and "7,500" in found.why


def test_whether_a_flush_is_needed_is_a_truth_value(home: Path) -> None:
    with Memory.open(clock=FakeClock()) as memory, memory.session() as session:
        talk(session, 2)
        assert session.needs_flush() is False
        assert session.needs_flush(tokens=104_000) is True


def test_the_agent_may_count_for_itself(home: Path) -> None:
    with Memory.open(clock=FakeClock()) as memory, memory.session() as session:
        talk(session, 2)
        assert not session.flush_due(tokens=103_999).due
        assert session.flush_due(tokens=104_000).due
        assert session.flush_due(tokens=103_999, context_window=100_000).due


def test_a_transcript_of_many_bytes_is_due_whatever_its_tokens(home: Path) -> None:
    settings = {"compaction.memory_flush.transcript_bytes": 10_000}
    with Memory.open(settings=settings) as memory, memory.session() as session:
        talk(session, 3)
        assert not session.flush_due(tokens=10).due
        talk(session, 30)
        found = session.flush_due(tokens=10)
        assert found.due and "bytes" in found.why
        session.compact(keep_tokens=100)
        assert not session.flush_due(tokens=10).due, "what counts is what came since the last compaction"
