"""`holdfast session`: what a person sees of their conversations, and how they end them."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import done, holdfast

from holdfast import Memory
from holdfast.llm.chat_model import ToolCall


@pytest.fixture
def talk(home: Path) -> str:
    """The key of a session in which something was said."""
    key = "Work/Ada"
    with Memory.open(home) as memory, memory.session(key, kind="group") as session:
        session.append("user", "When do we launch?\x1b[2J")
        session.append("assistant", "", tool_calls=[ToolCall("c1", "memory_search", {})])
        session.append("tool", "nothing found", tool_call_id="c1", tool_name="memory_search", failed=True)
        session.append("assistant", "On 3 March.")
    return key


def test_list_names_every_session_with_its_kind(talk: str) -> None:
    shown = done("session", "list").out.splitlines()
    assert shown[0].split() == ["LAST", "USED", "KIND", "BYTES", "SEARCHED", "SESSION"]
    assert shown[1].endswith(talk)
    (listed,) = done("session", "list", "--json").json["sessions"]
    assert (listed["key"], listed["kind"], listed["excluded"]) == (talk, "group", False)
    assert listed["bytes"] > 0
    assert listed["path"].startswith("sessions/main/work-ada~")


def test_without_sessions_list_says_so(home: Path) -> None:
    assert "no sessions" in done("session", "list").err
    assert done("session", "list", "--json").json == {"sessions": []}


def test_show_prints_what_was_said_and_nothing_that_drives_the_terminal(talk: str) -> None:
    shown = done("session", "show", talk).out
    assert "When do we launch?" in shown
    assert "\x1b" not in shown
    assert "tool memory_search (failed)" in shown
    assert "assistant → memory_search" in shown
    last = done("session", "show", talk, "--limit", "1", "--json").json
    assert [message["text"] for message in last["messages"]] == ["On 3 March."]
    assert last["kind"] == "group"
    assert holdfast("session", "show", talk, "--limit", "0").status == 2


def test_show_says_when_lines_could_not_be_read(home: Path, talk: str) -> None:
    (file,) = (home / "sessions" / "main").iterdir()
    with file.open("ab") as torn:
        torn.write(b"half a li\n")
    assert "1 line of" in done("session", "show", talk).err


def test_state_is_listed_set_read_deleted_and_cleared(talk: str) -> None:
    assert done("session", "state", talk, "set", "cursor", "[1, 2]").out == "cursor = [1, 2]\n"
    assert done("session", "state", talk, "get", "cursor").out == "[1, 2]\n"
    assert done("session", "state", talk, "set", "word", "heron", "--namespace", "n").out == 'word = "heron"\n'
    assert done("session", "state", talk).out.splitlines()[1:] == [
        "default    cursor  [1, 2]",
        'n          word    "heron"',
    ]
    listed = done("session", "state", talk, "list", "--namespace", "n", "--json").json["values"]
    assert [one["value"] for one in listed] == ["heron"]
    assert holdfast("session", "state", talk, "get", "nothing").status == 3
    assert "no cursor" not in done("session", "state", talk, "delete", "cursor").out
    assert "no cursor" in done("session", "state", talk, "delete", "cursor").out
    assert done("session", "state", talk, "clear", "--json").json == {"cleared": 1}
    assert holdfast("session", "state", talk, "drop").status == 2


def test_exclude_keeps_it_out_and_undo_lets_it_in_again(talk: str) -> None:
    assert "no longer" in done("session", "exclude", talk).out
    assert done("session", "export", talk, "--json").json == {"exported": None}
    assert "Nothing was exported" in done("session", "export", talk).err
    assert done("session", "exclude", talk, "--undo", "--json").json == {"session": talk, "excluded": False}
    assert "to memory/sessions/" in done("session", "export", talk).out


def test_delete_and_forget_ask_first(home: Path, talk: str) -> None:
    for action in ("delete", "forget"):
        refused = holdfast("session", action, talk)
        assert refused.status == 16
        assert "--yes" in refused.err
    assert done("session", "list", "--json").json["sessions"]
    assert done("session", "delete", talk, "--yes", "--json").json == {"session": talk, "deleted": True}
    assert list((home / "sessions" / "main").iterdir()) == []


def test_a_forgotten_session_is_gone_and_its_export_too(home: Path, talk: str) -> None:
    path = done("session", "export", talk, "--json").json["exported"]["path"]
    assert (home / path).exists()
    assert "is forgotten" in done("session", "forget", talk, "--yes").out
    assert not (home / path).exists()
    assert done("session", "list", "--json").json == {"sessions": []}


@pytest.mark.parametrize("action", ["show", "state", "forget", "delete", "export"])
def test_a_session_that_there_is_not_is_named_and_not_made(home: Path, action: str) -> None:
    ran = holdfast("session", action, "nobody", *(["--yes"] if action in ("forget", "delete") else []))
    assert ran.status == 3
    assert "'nobody'" in ran.err
    assert done("session", "list", "--json").json == {"sessions": []}
