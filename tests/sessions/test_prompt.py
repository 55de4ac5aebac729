"""What the model of a session is told: the sentences of the seeds about prompt memory, through the public API."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.guard.origin import Origin
from holdfast.sessions.prompt_blocks import Block, Prompt

NOON = datetime(2026, 3, 5, 12, tzinfo=UTC).timestamp()
FACT = "The Orion launch moved to 3 March because of the battery supplier."
ASKED = "When does the Orion launch happen?"
PATIENT = {"memory.recall.deadline_ms": 60_000}
FROZEN = {"chat.prompt_memory_mode": "frozen-at-session-start"}


def block(prompt: Prompt, name: str) -> Block | None:
    return next((one for one in prompt.blocks if one.name == name), None)


def names(prompt: Prompt) -> list[str]:
    return [one.name for one in prompt.blocks]


def filled(memory: Memory) -> Memory:
    """The memory of an owner, who wrote all of it."""
    memory.save("# About me\n\n- prefers dark mode", file="MEMORY.md")
    memory.save(FACT, file="memory/launch.md")
    memory.save("- today we spoke of tents", file="memory/2026-03-05.md")
    memory.save("- yesterday we spoke of boats", file="memory/2026-03-04.md")
    memory.save("- long ago we spoke of snails", file="memory/2026-03-03.md")
    return memory


def test_memory_md_is_injected_verbatim_under_the_long_term_memory_heading(home: Path) -> None:
    text = "# Me\n\n- likes <b>bold</b> & `code`\n\n```\n## not a heading\n```\n\n## A heading\n\ttabs, 東京, é\n"
    with Memory.open(origin=Origin.USER) as memory:
        memory.save(text, file="MEMORY.md")
        prompt = memory.session().prompt()
    assert text in prompt.text
    assert prompt.text.startswith("## Long-term Memory\n")
    found = block(prompt, "long-term memory")
    assert found is not None and not found.truncated and found.source == "MEMORY.md"


def test_the_blocks_stand_in_order_and_what_changes_every_turn_stands_last() -> None:
    with Memory.open(origin=Origin.USER, clock=FakeClock(NOON), settings={**PATIENT, "user.name": "Ada"}) as memory:
        prompt = filled(memory).session().prompt(ASKED)
    assert names(prompt) == [
        *("long-term memory", "user profile", "daily note 2026-03-05", "daily note 2026-03-04"),
        *("recall guide", "memory search results"),
    ]
    headings = [line for line in prompt.text.split("\n") if line.startswith("## ")]
    assert headings[0] == "## Long-term Memory" and headings[-1] == "## Memory Search Results"
    assert prompt.text == "\n\n".join(one.text for one in prompt.blocks)
    assert all(one.characters == len(one.text) and one.tokens > 0 for one in prompt.blocks)


def test_the_part_before_the_search_results_is_the_same_on_every_turn_so_that_it_can_be_cached() -> None:
    with Memory.open(origin=Origin.USER, clock=FakeClock(NOON), settings=PATIENT) as memory:
        session = filled(memory).session()
        first, second = session.prompt(ASKED), session.prompt("Which supplier was late with the battery?")
    before = [prompt.text.partition("## Memory Search Results")[0] for prompt in (first, second)]
    assert before[0] == before[1] and first.text != second.text


@pytest.mark.parametrize(
    ("style", "memory_shown", "tools", "recalled"),
    [
        ("hybrid", True, True, True),
        ("prompt-only", True, False, False),
        ("search-only", False, True, True),
        ("off", False, False, False),
    ],
)
def test_style_decides_whether_memory_is_injected_and_tools_are_offered(
    style: str, memory_shown: bool, tools: bool, recalled: bool
) -> None:
    with Memory.open(origin=Origin.USER, clock=FakeClock(NOON)) as memory:
        filled(memory)
    with Memory.open(clock=FakeClock(NOON), settings={**PATIENT, "memory.style": style}) as memory:
        session = memory.session()
        prompt = session.prompt(ASKED)
        assert ("memory_search" in session.tools().names) is tools
    assert ("prefers dark mode" in prompt.text) is memory_shown
    assert ("spoke of tents" in prompt.text) is memory_shown
    assert ("recall guide" in names(prompt)) is tools
    assert ("memory search results" in names(prompt)) is recalled
    assert (FACT in prompt.text) is recalled


def test_live_reload_reads_memory_md_again_before_each_turn() -> None:
    with Memory.open(origin=Origin.USER) as memory:
        session = memory.session()
        memory.save("first", file="MEMORY.md")
        assert "first" in session.prompt().text
        memory.save("second", file="MEMORY.md", append=False)
        prompt = session.prompt()
    assert "second" in prompt.text and "first" not in prompt.text and prompt.mode == "live-reload"


def test_frozen_at_session_start_reuses_the_first_snapshot_for_later_turns_in_that_same_session() -> None:
    with Memory.open(origin=Origin.USER, settings=FROZEN) as memory:
        memory.save("first", file="MEMORY.md")
        session = memory.session("a")
        before = session.prompt()
        memory.save("second", file="MEMORY.md", append=False)
        assert session.prompt() == before and "first" in before.text
        assert "second" in memory.session("b").prompt().text, "the snapshot is session-scoped"
    with Memory.open(origin=Origin.USER, settings=FROZEN) as memory:
        again = memory.session("a").prompt()
        assert again == before, "it is kept in session_state, not in the process"
        assert again.mode == "frozen-at-session-start"


def test_a_session_that_began_without_a_memory_md_stays_without_it_when_frozen() -> None:
    with Memory.open(origin=Origin.USER, settings=FROZEN) as memory:
        session = memory.session()
        assert "long-term memory" not in names(session.prompt())
        memory.save("later", file="MEMORY.md")
        assert "later" not in session.prompt().text
        session.refresh_prompt()
        assert "later" in session.prompt().text


def test_frozen_sessions_can_refresh_their_snapshot_without_restarting() -> None:
    with Memory.open(origin=Origin.USER, settings=FROZEN) as memory:
        memory.save("first", file="MEMORY.md")
        session = memory.session()
        session.prompt()
        memory.save("second", file="MEMORY.md", append=False)
        session.refresh_prompt()
        assert "second" in session.prompt().text
        memory.save("third", file="MEMORY.md", append=False)
        assert "second" in session.prompt().text


def test_a_reset_session_takes_a_new_snapshot() -> None:
    with Memory.open(origin=Origin.USER, settings={**FROZEN, "memory.session_export": "off"}) as memory:
        memory.save("first", file="MEMORY.md")
        session = memory.session()
        session.prompt()
        memory.save("second", file="MEMORY.md", append=False)
        session.reset()
        assert "second" in session.prompt().text


def test_a_model_can_not_write_its_own_snapshot() -> None:
    with Memory.open(settings=FROZEN) as memory:
        session = memory.session()
        session.prompt()
        for action in ("get", "set", "delete", "list", "clear"):
            answer = session.tools().call(
                "session_state", {"action": action, "namespace": "prompt", "key": "memory", "value": '"obey"'}
            )
            assert answer["error"]["type"] == "BadArgument"


@pytest.mark.parametrize("mode", ["live-reload", "frozen-at-session-start"])
def test_todays_and_yesterdays_notes_are_read_at_session_start(mode: str) -> None:
    clock = FakeClock(NOON)
    with Memory.open(origin=Origin.USER, clock=clock, settings={"chat.prompt_memory_mode": mode}) as memory:
        session = filled(memory).session()
        first = session.prompt()
        assert "spoke of tents" in first.text and "spoke of boats" in first.text and "snails" not in first.text
        memory.save("- and of caves", file="memory/2026-03-05.md")
        assert "of caves" not in session.prompt().text
        clock.advance(30 * 3600)
        # A session that lives on into another day sees that day's notes, unless it is frozen.
        assert ("of caves" in session.prompt().text) == (mode == "live-reload")
        assert "of caves" in memory.session("another").prompt().text
        session.refresh_prompt()
        later = session.prompt()
        assert "of caves" in later.text and "spoke of boats" not in later.text


@pytest.mark.parametrize(
    ("zone", "days"),
    [("Pacific/Kiritimati", ["2026-03-06", "2026-03-05"]), ("Pacific/Pago_Pago", ["2026-03-05", "2026-03-04"])],
)
def test_the_days_are_those_of_the_users_time_zone(zone: str, days: list[str]) -> None:
    with Memory.open(origin=Origin.USER, clock=FakeClock(NOON), settings={"user.timezone": zone}) as memory:
        filled(memory).save("- already tomorrow", file="memory/2026-03-06.md")
        prompt = memory.session().prompt()
    assert [name.removeprefix("daily note ") for name in names(prompt) if name.startswith("daily")] == days


def test_main_prefers_its_own_directory_and_others_do_not_fall_back_to_the_root_file(home: Path) -> None:
    (home / "agents" / "main").mkdir(parents=True)
    (home / "MEMORY.md").write_text("of the root", encoding="utf-8")
    with Memory.open(agent="work") as memory:
        assert "of the root" not in memory.session().prompt().text
    with Memory.open() as memory:
        assert "of the root" in memory.session().prompt().text
        (home / "agents" / "main" / "MEMORY.md").write_text("of main alone", encoding="utf-8")
        text = memory.session().prompt().text
    assert "of main alone" in text and "of the root" not in text


def test_the_legacy_memory_md_is_used_alone_and_never_injected_twice(home: Path) -> None:
    home.mkdir()
    (home / "memory.md").write_text("the old file", encoding="utf-8")
    with Memory.open() as memory:
        prompt = memory.session().prompt()
        found = block(prompt, "long-term memory")
        assert found is not None and found.source == "memory.md" and prompt.text.count("the old file") == 1
        (home / "MEMORY.md").write_text("the new file", encoding="utf-8")
        text = memory.session().prompt().text
    assert "the new file" in text and "the old file" not in text


def test_session_state_and_exports_are_not_injected_into_the_prompt(home: Path) -> None:
    with Memory.open() as memory:
        session = memory.session()
        session.state.set("mine", "cursor", "kept for myself")
        (home / "memory" / "sessions").mkdir(parents=True)
        (home / "memory" / "sessions" / "2026-01-01-old.md").write_text("an old talk", encoding="utf-8")
        text = session.prompt().text
    assert "kept for myself" not in text and "an old talk" not in text


@pytest.mark.parametrize(
    ("citations", "says"), [("on", "Source: path#line"), ("auto", "Source: path#line"), ("off", "Do not name paths")]
)
def test_with_citations_off_the_guide_tells_the_agent_not_to_cite(citations: str, says: str) -> None:
    with Memory.open(settings={"memory.citations": citations}) as memory:
        guide = block(memory.session().prompt(), "recall guide")
    assert guide is not None and says in guide.text
    assert ("Source:" in guide.text) is (citations != "off")


def test_the_guide_speaks_of_saving_only_where_the_agent_may() -> None:
    with Memory.open(settings={"memory.agent_write_mode": "off"}) as memory:
        assert "memory_save" not in memory.session().prompt().text
    with Memory.open(settings={"memory.agent_write_mode": "search-only"}) as memory:
        text = memory.session().prompt().text
    assert "memory_save" in text and "MEMORY.md" not in text


def test_the_guide_sends_nothing_to_memory_md_where_no_prompt_shows_it() -> None:
    with Memory.open(settings={"memory.style": "search-only"}) as memory:
        text = memory.session().prompt().text
    assert "memory_save" in text and "MEMORY.md" not in text and "long-term-memory" not in text


def test_the_guide_says_what_the_fence_of_memory_md_is() -> None:
    with Memory.open() as memory:
        guide = block(memory.session().prompt(), "recall guide")
    assert guide is not None and "<long-term-memory-…>" in guide.text


def test_a_damaged_memory_md_or_state_costs_a_block_and_never_the_turn(home: Path) -> None:
    home.mkdir()
    (home / "MEMORY.md").symlink_to("/etc/hostname")
    (home / "memory").mkdir()
    with Memory.open() as memory:
        prompt = memory.session().prompt("What about the Orion launch date?")
    assert "MEMORY.md can't be read" in prompt.because and "long-term memory" not in names(prompt)


def test_bytes_that_are_no_text_and_characters_that_nobody_sees_are_left_out_and_counted(home: Path) -> None:
    home.mkdir()
    (home / "MEMORY.md").write_bytes("see\x1b[2J\x00n\U000e0041\u202e".encode() + b" and \xff")
    with Memory.open() as memory:
        prompt = memory.session().prompt()
    assert "see[2Jn and \ufffd" in prompt.text
    assert "4 invisible characters of MEMORY.md were left out" in prompt.because


def test_a_mere_look_at_the_prompt_of_a_session_takes_no_snapshot() -> None:
    from holdfast.sessions.session_prompt import session_prompt

    with Memory.open(origin=Origin.USER, settings=FROZEN, clock=FakeClock(NOON)) as memory:
        session = filled(memory).session()
        looked = session_prompt(session, keep=False)
        assert session.state.list() == [] and memory.sessions() == []
        assert [one.name for one in looked.blocks] == names(session.prompt())


def test_json_says_what_the_prompt_holds_and_what_it_costs() -> None:
    with Memory.open(origin=Origin.USER, clock=FakeClock(NOON), settings=PATIENT) as memory:
        shown = filled(memory).session().prompt(ASKED).to_json()
    assert shown["characters"] == len(shown["text"]) and shown["tokens"] > 0 and shown["mode"] == "live-reload"
    assert shown["blocks"][0]["name"] == "long-term memory"
    assert shown["recalled"]["hits"][0]["path"] == "memory/launch.md"
