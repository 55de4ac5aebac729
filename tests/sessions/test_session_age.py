"""A session is as old as what was said in it: not as its file, nor as the moment it was brought here."""

from __future__ import annotations

import math
import os
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import holdfast
from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.dreaming.dream_sources import spoken_claims
from holdfast.errors import BadArgument
from holdfast.llm.chat_model import Role
from holdfast.transcripts.session_note import Stamp, Turn, expired_exports, render, stamp_of

NOON = 1_772_712_000.0  # 2026-03-05 12:00 UTC
DAY = 86_400.0
UTC_USER = {"user.timezone": "UTC"}


def opened(clock: FakeClock, **more: object) -> Memory:
    return Memory.open(settings={**UTC_USER, **more}, clock=clock)


def transcripts(home: Path) -> list[Path]:
    return sorted((home / "sessions" / "main").glob("*.jsonl"))


# The time of a message


def test_a_message_keeps_the_time_that_it_is_given(home: Path) -> None:
    with opened(FakeClock(NOON)) as memory, memory.session("old talk") as session:
        said = NOON - 400 * DAY
        assert session.append("user", "We chose the heron logo.", at=said).at == said
        session.append("assistant", "Noted.", at=said + 60)
        session.append("user", "And today?")
        assert [entry.at for entry in session.messages()] == [said, said + 60, NOON]


def test_an_old_talk_lands_on_its_own_days_when_it_is_exported(home: Path) -> None:
    with opened(FakeClock(NOON)) as memory, memory.session("old talk") as session:
        began = datetime(2023, 5, 7, 23, 50, tzinfo=UTC).timestamp()
        session.append("user", "We chose the heron logo.", at=began)
        session.append("assistant", "Noted.", at=began + 1200)
        exported = session.reset()
    assert exported is not None and exported.path == "memory/sessions/2023-05-07-we-chose-the-heron-logo.md"
    text = (home / exported.path).read_text(encoding="utf-8")
    assert (
        "## 2023-05-07\n\n- **user** (23:50): We chose" in text and "## 2023-05-08\n\n- **assistant** (00:10)" in text
    )
    stamp = stamp_of(text.encode())
    assert stamp is not None and stamp.last == datetime(2023, 5, 8, 0, 10, tzinfo=UTC)


@pytest.mark.parametrize("at", [math.nan, math.inf, -1.0, NOON + 2 * DAY, 1e18, NOON * 1000])
def test_a_time_that_no_message_can_have_is_refused_and_nothing_is_kept(home: Path, at: float) -> None:
    with opened(FakeClock(NOON)) as memory, memory.session() as session:
        with pytest.raises(BadArgument, match="at"):
            session.append("user", "hello", at=at)
        assert session.messages() == [] and memory.sessions() == []


def test_milliseconds_are_named_as_what_they_are() -> None:
    with opened(FakeClock(NOON)) as memory, pytest.raises(BadArgument, match="milliseconds"):
        memory.session().append("user", "hello", at=NOON * 1000)


def test_a_clock_that_is_a_little_ahead_costs_no_message() -> None:
    with opened(FakeClock(NOON)) as memory, memory.session() as session:
        assert session.append("user", "hello", at=NOON + 90).at == NOON


# The age of a session


def test_a_session_is_as_old_as_its_last_message_whatever_its_file_says(home: Path) -> None:
    clock = FakeClock(NOON - 90 * DAY)
    with opened(clock) as memory:
        memory.session("spring").append("user", "I like the spring.")
        clock.advance(60 * DAY)
        memory.session("late").append("user", "I like the winter.")
        clock.advance(30 * DAY)
        memory.session("imported").append("user", "I like the summer.", at=NOON - 300 * DAY)
        files = transcripts(home)
        for moment in (1.0, NOON + 1000 * DAY):
            for file in files:
                os.utime(file, (moment, moment))
            listed = {session.key: session.last for session in memory.sessions()}
            assert list(listed) == ["late", "spring", "imported"]
            assert listed == {"late": NOON - 30 * DAY, "spring": NOON - 90 * DAY, "imported": NOON - 300 * DAY}
        created = {session.key: session.created for session in memory.sessions()}
        assert created["imported"] == NOON - 300 * DAY


def test_a_copied_home_lists_its_sessions_as_the_first_one_does(home: Path, tmp_path: Path) -> None:
    clock = FakeClock(NOON - 90 * DAY)
    with opened(clock) as memory:
        memory.session("spring").append("user", "I like the spring.")
        clock.advance(60 * DAY)
        memory.session("late").append("user", "x" * 200_000)
        before = [(session.key, session.last) for session in memory.sessions()]
    shutil.copytree(home / "sessions", tmp_path / "copy/sessions")  # and not the state, which knows the rest
    with Memory.open(tmp_path / "copy", clock=clock) as memory:
        assert [(session.key, session.last) for session in memory.sessions()] == before


def test_dreaming_reads_what_was_said_lately_and_not_what_was_copied_lately(home: Path) -> None:
    clock = FakeClock(NOON)
    today = datetime.fromtimestamp(NOON, UTC).date()
    with opened(clock) as memory:
        for number in range(45):  # more than a run looks at
            memory.session(f"old {number}").append("user", f"I kept the heron number {number}.", at=NOON - 300 * DAY)
        memory.session("new").append("user", "I prefer the crane to the heron.", at=NOON - 3600)
        os.utime(next(file for file in transcripts(home) if "new" in file.name), (1.0, 1.0))
        assert [claim.text for claim in spoken_claims(memory.ctx, today, 2)] == ["I prefer the crane to the heron"]


def test_a_search_weighs_and_filters_a_conversation_by_its_own_time(home: Path) -> None:
    settings = {"memory.sources": ["memory", "sessions"]}
    with opened(FakeClock(NOON), **settings) as memory:
        memory.session("a").append("user", "The heron logo is green.", at=NOON - 300 * DAY)
        memory.session("b").append("user", "The heron logo is blue.", at=NOON - DAY)
        for file, moment in zip(transcripts(home), (NOON, NOON - 900 * DAY), strict=True):
            os.utime(file, (moment, moment))
        memory.sync()
        hits = memory.search("heron logo").results
        assert [("blue" in hit.snippet) for hit in hits] == [True, False]
        since = memory.search("heron logo", since="2026-02-01").results
        assert ["blue" in hit.snippet for hit in since] == [True]


def test_what_a_recalled_export_says_of_its_age_is_the_age_of_the_conversation(home: Path) -> None:
    clock = FakeClock(NOON)
    with opened(clock, **{"memory.recall.deadline_ms": 60_000}) as memory:
        talk = memory.session("long")
        talk.append("user", "The heron logo shall be green.", at=NOON - 300 * DAY)
        talk.append("user", "No: the heron logo shall be blue.", at=NOON - 2 * DAY)
        talk.reset()
        recalled = memory.session("now").recall("which colour has the heron logo?")
    assert 'age="2 days"' in recalled.text, recalled.text
    assert "month" not in recalled.text


# How long exports are kept


def test_exports_are_kept_for_good_unless_somebody_wants_a_limit(home: Path) -> None:
    clock = FakeClock(NOON)
    with opened(clock, **{"memory.disable_rag": True}) as memory:
        for number in range(120):
            session = memory.session(f"talk {number}")
            session.append("user", f"Talk {number} is about the heron.", at=NOON - (400 - number) * DAY)
            made = session.reset()
            assert made is not None and made.removed == ()
    assert len(list((home / "memory/sessions").glob("*.md"))) == 120


def test_of_the_exports_of_one_day_those_that_ended_last_stay(home: Path) -> None:
    clock = FakeClock(NOON)
    with opened(clock, **{"memory.session_export_count": 2}) as memory:
        for hour, name in enumerate(("zebra", "mouse", "aardvark", "yak")):
            session = memory.session(name)
            session.append("user", f"{name} first of all.", at=NOON - (9 - hour) * 3600)
            session.reset()
    names = sorted(path.name for path in (home / "memory/sessions").glob("*.md"))
    assert names == ["2026-03-05-aardvark-first-of-all.md", "2026-03-05-yak-first-of-all.md"]


def test_an_export_just_made_goes_first_where_its_conversation_ended_first(home: Path) -> None:
    clock = FakeClock(NOON)
    with opened(clock, **{"memory.session_export_count": 2}) as memory:
        for name, ago in (("zebra", 3), ("mouse", 2)):
            memory.session(name).append("user", f"{name} first of all.", at=NOON - ago * DAY)
            memory.session(name).reset()
        old = memory.session("aardvark")
        old.append("user", "aardvark first of all.", at=NOON - 400 * DAY)
        made = old.export()
        assert made is not None and made.removed == (made.path,)
        assert made.because == "it was removed again: older than the settings keep"
        assert memory.undo().path == made.path
    names = sorted(path.name for path in (home / "memory/sessions").glob("*.md"))
    assert names == [
        "2025-01-29-aardvark-first-of-all.md",  # which undo brought back
        "2026-03-02-zebra-first-of-all.md",
        "2026-03-03-mouse-first-of-all.md",
    ]


def test_the_days_that_an_export_is_kept_count_from_its_last_word_for_one_just_made_too(home: Path) -> None:
    with opened(FakeClock(NOON), **{"memory.session_export_days": 30}) as memory:
        for name, ago in (("mouse", 2), ("zebra", 40)):
            memory.session(name).append("user", f"{name} first of all.", at=NOON - ago * DAY)
            memory.session(name).reset()
    assert [path.name for path in (home / "memory/sessions").glob("*.md")] == ["2026-03-03-mouse-first-of-all.md"]


def test_an_export_that_a_former_version_stamped_with_a_day_is_known_and_aged_by_it() -> None:
    note = render([Turn(NOON, Role.USER, "hello")], agent="main", key="k", began="e1", zone=UTC)
    assert note is not None
    stamp = stamp_of(note.data)
    assert stamp is not None
    old = note.data.replace(f"last: {stamp.last:%Y-%m-%dT%H:%M:%S}.000Z".encode(), b"last: 2026-03-05")
    assert old != note.data
    found = stamp_of(old)
    assert found is not None and found.intact and found.last.date() == stamp.last.date()


MOMENTS = st.integers(0, 400 * 86_400).map(lambda ago: datetime(2026, 3, 5, tzinfo=UTC) - timedelta(seconds=ago))


@settings(deadline=None)
@given(
    stamps=st.dictionaries(st.from_regex(r"[a-z]{1,6}", fullmatch=True), MOMENTS, max_size=30),
    count=st.one_of(st.none(), st.integers(0, 20)),
    days=st.one_of(st.none(), st.integers(1, 365)),
)
def test_what_goes_is_older_than_all_that_stays_and_nothing_goes_without_a_limit(
    stamps: dict[str, datetime], count: int | None, days: int | None
) -> None:
    now = datetime(2026, 3, 5, 12, tzinfo=UTC)
    known = {path: Stamp("s", path, last, 1, intact=True) for path, last in stamps.items()}
    gone = expired_exports(known, now=now, days=days, count=count)
    stays = [last for path, last in stamps.items() if path not in gone]
    assert all(stamps[path] <= last for path in gone for last in stays)
    assert len(gone) == len(set(gone))
    if count is None and days is None:
        assert gone == []
    if count is not None:
        assert len(stays) <= count
    if count is None and days is not None:
        assert all((now.date() - stamps[path].date()).days > days for path in gone)


# Over the network


def test_a_client_and_a_plain_request_give_a_message_its_time(tmp_path: Path) -> None:
    from surfaces.http.serving import served

    with served(tmp_path / "home") as web:
        old = 1_683_500_000.0
        made = web.call("POST", "/api/v1/sessions/one/messages", {"role": "user", "text": "hello", "at": old})
        assert (made.status, made.json["at"]) == (201, old)
        refused = web.call("POST", "/api/v1/sessions/one/messages", {"role": "user", "text": "hello", "at": -5})
        assert (refused.status, refused.error) == (400, "BadArgument")
        with holdfast.connect(web.url, token=web.token) as client, client.session("two") as session:
            assert session.append("user", "hello", at=old).at == old
            with pytest.raises(BadArgument):
                session.append("user", "hello", at=math.inf)
        listed = web.call("GET", "/api/v1/sessions").json["sessions"]
        assert {session["key"]: session["last"] for session in listed} == {"one": old, "two": old}
