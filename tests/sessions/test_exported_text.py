"""A conversation as a note: a bullet a turn that is found alone, nobody's words as structure, the same bytes again."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sessions.forged import FORGED

from holdfast.guard.paths import changeable_path
from holdfast.guard.text_rules import MAX_NOTE_BYTES, decode
from holdfast.llm.chat_model import Role
from holdfast.markdown.front_matter import front_end, read_front
from holdfast.markdown.splitter import split_passages
from holdfast.transcripts.sanitizer import words_of
from holdfast.transcripts.session_note import (
    RenderedNote,
    Stamp,
    Turn,
    expired_exports,
    name_of,
    render,
    session_hash,
    stamp_of,
)

NOON = 1_794_744_000.0  # 2026-11-15 12:00 UTC
TODAY = date(2026, 11, 15)
NOW = datetime.fromtimestamp(NOON, UTC)


def rendered(*texts: str, key: str = "main", zone: str = "UTC", apart: float = 60.0) -> RenderedNote:
    turns = [
        Turn(NOON + apart * number, Role.ASSISTANT if number % 2 else Role.USER, text)
        for number, text in enumerate(texts)
    ]
    note = render(turns, agent="main", key=key, began="e1", zone=ZoneInfo(zone))
    assert note is not None
    return note


def test_each_turn_is_a_bullet_with_its_speaker_and_time() -> None:
    text = decode(rendered("When is the launch?", "On Monday.").data)
    assert "- **user** (12:00): When is the launch?\n- **assistant** (12:01): On Monday.\n" in text
    assert text.count("\n# When is the launch?\n\n## 2026-11-15\n") == 1


def test_each_turn_is_a_chunk_of_its_own_below_its_day() -> None:
    note = rendered("first\n\nwith a second paragraph", "second\n- a\n- b", "third", apart=50_000)
    title, _, (stamp, *turns), _ = split_passages(decode(note.data), by_hand=True)
    assert title == "first with a second paragraph"
    assert stamp.text.startswith("---")
    assert [chunk.text.split(": ")[1].split("\n")[0] for chunk in turns] == ["first", "second", "third"]
    assert [chunk.headings[-1] for chunk in turns] == ["2026-11-15", "2026-11-16", "2026-11-16"]


def test_the_date_is_that_of_the_first_message_where_the_user_is() -> None:
    assert rendered("hello").first == TODAY
    assert rendered("hello", zone="Pacific/Kiritimati").first == TODAY + timedelta(days=1)


@pytest.mark.parametrize(
    ("said", "slug"),
    [
        ("When do we launch? And who tells them?", "when-do-we-launch-and-who-tells-them"),
        ("Füße, Café & Co.", "fue-cafe-co"),
        ("../../etc/passwd", "etc-passwd"),
        ("[redacted: GitHub token] is my token", "is-my-token"),
        ("いつ発売しますか", "group-5"),
        ("x" * 300, "x" * 48),
        ("word " * 100, "word-word-word-word-word-word-word-word-word"),
    ],
)
def test_the_name_is_made_of_the_first_words_or_of_the_key(said: str, slug: str) -> None:
    note = rendered(said, key="Group:#5")
    assert note.slug == slug
    assert changeable_path(name_of(note.first, note.slug, 12)).text == f"memory/sessions/2026-11-15-{slug}-12.md"


def test_a_conversation_without_a_user_is_no_note() -> None:
    assert render([Turn(NOON, Role.ASSISTANT, "Hello?")], agent="main", key="k", began="e1") is None
    assert render([], agent="main", key="k", began="") is None


def test_the_stamp_names_the_conversation_and_not_the_key() -> None:
    note = rendered("hello", key="whatsapp:+41790000000")
    stamp = stamp_of(note.data)
    assert stamp == Stamp(session_hash("main", "whatsapp:+41790000000"), note.conversation, NOW, turns=1, intact=True)
    assert b"41790000000" not in note.data


def test_a_note_that_was_edited_is_not_intact() -> None:
    note = rendered("hello", "hi")
    stamp = stamp_of(note.data.replace(b"hi", b"ho"))
    assert stamp is not None and not stamp.intact
    assert stamp_of(b"# A note of the owner's\n") is None
    assert stamp_of(b"\xff" + note.data) is None


def test_the_same_turns_give_the_same_bytes() -> None:
    assert rendered("a", "b").data == rendered("a", "b").data
    assert rendered("a", "b").conversation == rendered("a", "b", "c").conversation
    assert rendered("a", "b").conversation != rendered("a", "b", key="other").conversation


def test_a_long_turn_and_a_long_conversation_are_cut_where_one_can_see_it() -> None:
    note = rendered("x" * 20_000)
    assert len(note.data) < 9_000
    assert b"[\xe2\x80\xa6]" in note.data
    whole = rendered(*("ü" * 8_000 for _ in range(400)))
    assert len(whole.data) < 1_100_000 < MAX_NOTE_BYTES
    assert b"turns are left out here" in whole.data
    assert whole.turns == 400
    assert decode(whole.data).count("\n- **user** (12:00)") == 1


@pytest.mark.promise("P11")
def test_what_somebody_says_changes_neither_the_stamp_nor_the_turns() -> None:
    for text in FORGED:
        said = words_of(Role.USER, text)
        note = rendered("Look at this.", said or "nothing", "And?", "Well.")
        lines = decode(note.data).split("\n")
        front = read_front(lines, front_end(lines))
        assert set(front) == {"exported-by", "session", "conversation", "last", "turns", "body"}, text
        _, *turns = split_passages(decode(note.data), by_hand=True).chunks
        assert len(turns) == 4, text
        assert all(chunk.headings == ("Look at this.", "2026-11-15") for chunk in turns), text
        assert all(chunk.text.startswith(("- **user** (12:0", "- **assistant** (12:0")) for chunk in turns), text


@given(st.lists(st.text(alphabet="#-=*_`~<>! \t\nab1.:", min_size=1, max_size=80), min_size=1, max_size=6))
def test_there_are_as_many_turns_in_the_note_as_were_said(texts: list[str]) -> None:
    said = ["Look.", *(words_of(Role.USER, text) or "…" for text in texts)]
    note = rendered(*said)
    _, *turns = split_passages(decode(note.data), by_hand=True).chunks
    assert len(turns) == len(said)
    stamp = stamp_of(note.data)
    assert stamp is not None and stamp.intact


def stamps(count: int, *, intact: bool = True, before: int = 0) -> dict[str, Stamp]:
    return {
        f"memory/sessions/{number:03}.md": Stamp("s", f"c{number}", NOW - timedelta(days=before + number), 2, intact)
        for number in range(count)
    }


def test_exports_are_limited_by_age_and_count() -> None:
    assert expired_exports(stamps(30), now=NOW, days=30, count=100) == []
    assert expired_exports(stamps(33), now=NOW, days=30, count=100) == [
        "memory/sessions/032.md",
        "memory/sessions/031.md",
    ]
    assert expired_exports(stamps(5), now=NOW, days=30, count=3) == ["memory/sessions/004.md", "memory/sessions/003.md"]


def test_an_export_that_its_owner_edited_is_neither_removed_nor_counted() -> None:
    assert expired_exports(stamps(200, intact=False), now=NOW, days=30, count=1) == []


@pytest.mark.promise("P14")
def test_a_clock_that_jumps_ten_years_does_not_clear_the_folder() -> None:
    later = NOW + timedelta(days=3650)
    assert len(expired_exports(stamps(90), now=later, days=30, count=100)) == 10


def test_a_time_that_no_calendar_has_is_no_reason_to_fail() -> None:
    for at in (1e30, -1e30, float("nan"), float("inf")):
        assert render([Turn(at, Role.USER, "hello")], agent="main", key="k", began="e", zone=UTC) is not None
