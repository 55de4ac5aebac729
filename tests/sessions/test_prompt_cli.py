"""`holdfast prompt` and `holdfast user`."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import done, holdfast

from holdfast import Memory
from holdfast.guard.origin import Origin


def test_the_prompt_of_a_session_is_printed_and_its_cost_stands_beside_it() -> None:
    done("save", "I prefer dark mode")
    ran = done("prompt")
    assert ran.out.startswith("## Long-term Memory\n") and "I prefer dark mode" in ran.out
    assert "tokens · live-reload" in ran.err


def test_json_holds_the_blocks_and_what_a_message_brings_to_mind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDFAST_MEMORY_RECALL_DEADLINE_MS", "60000")
    done("save", "The Orion launch moved to 3 March", "--file", "memory/launch.md")
    shown = done("prompt", "--json", "--message", "When does the Orion launch happen?").json
    assert [block["name"] for block in shown["blocks"]] == ["recall guide", "memory search results"]
    assert shown["recalled"]["hits"][0]["path"] == "memory/launch.md"


def test_the_costs_alone_are_a_table() -> None:
    done("save", "I prefer dark mode")
    table = done("prompt", "--costs").out.split("\n")
    assert table[0].split() == ["BLOCK", "CHARACTERS", "TOKENS", "FROM"]
    assert table[1].startswith("long-term memory") and table[1].endswith("MEMORY.md")


def test_looking_at_a_prompt_begins_no_session() -> None:
    done("prompt", "--session", "never", "--kind", "direct")
    assert done("session", "list", "--json").json["sessions"] == []


def test_a_group_sees_nothing_and_is_told_why() -> None:
    done("save", "I prefer dark mode")
    ran = done("prompt", "--kind", "group", "--session", "team")
    assert ran.out == "" and "memory.scope keeps the memory from this group session" in ran.err


def test_the_prompt_of_a_session_is_that_of_its_own_kind_and_channel(home: Path) -> None:
    with Memory.open(home, origin=Origin.USER) as memory:
        memory.save("I prefer dark mode")
        memory.session("team", kind="group", channel="mail").append("user", "hello")
    ran = done("prompt", "--session", "team")
    assert ran.out == "" and "from this group session" in ran.err
    (home / "holdfast.toml").write_text(
        "[memory.scope]\nrules = [{action = 'allow', match = {channel = 'mail'}}]\n", encoding="utf-8"
    )
    assert "## Memory Recall" in done("prompt", "--session", "team").out
    refused = holdfast("prompt", "--session", "team", "--kind", "direct")
    assert refused.status != 0 and "is a group one" in refused.err and "dark mode" not in refused.out


def test_escape_sequences_in_a_note_do_not_reach_the_terminal(home: Path) -> None:
    home.mkdir()
    (home / "MEMORY.md").write_text("red \x1b[31m alert", encoding="utf-8")
    ran = done("prompt")
    assert "\x1b" not in ran.out and "red [31m alert" in ran.out


def test_the_user_is_set_shown_and_set_back(home: Path) -> None:
    assert done("user", "set", "timezone", "Europe/Berlin").out == "timezone = Europe/Berlin\n"
    assert done("user", "set", "name", "Ada").out == "name = Ada\n"
    assert done("user", "show").out == "- Name: Ada\n- Timezone: Europe/Berlin\n"
    assert done("user", "show", "--json").json["user"]["timezone"] == "Europe/Berlin"
    assert done("config", "get", "user.timezone").out == "Europe/Berlin\n"
    done("user", "undo")
    assert (home / "USER.md").read_text(encoding="utf-8") == "# User\n\n- Timezone: Europe/Berlin\n"


def test_a_user_of_whom_nothing_is_known_is_no_error() -> None:
    ran = done("user", "show")
    assert ran.out == "" and "Nothing is known yet" in ran.err


def test_a_time_zone_that_does_not_exist_is_refused() -> None:
    ran = holdfast("user", "set", "timezone", "Mars/Olympus")
    assert ran.status == 2 and "no time zone" in ran.err


def test_there_is_nothing_to_undo_in_a_new_home() -> None:
    assert holdfast("user", "undo").status == 3


def test_with_writes_off_the_command_says_that_user_md_was_not_written() -> None:
    done("config", "set", "memory.user_profile_write_mode", "off")
    ran = done("user", "set", "name", "Ada")
    assert ran.out == "name = Ada\n" and "USER.md was not written" in ran.err
