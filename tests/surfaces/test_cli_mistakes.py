"""Typing mistakes and things that nobody confirmed: each is refused by its reason, or said in one line."""

from __future__ import annotations

import json
import pwd
from pathlib import Path

import pytest
from commandline import done, holdfast

from holdfast import Memory, Origin
from holdfast.errors import UnreadableSettings
from holdfast.operations.hook_log import note_hook


@pytest.mark.parametrize(
    "words", ["save x", "import x.md --yes", "facts add x", "user set name Ada", "config set memory.citations on"]
)
def test_only_init_makes_a_home_that_was_typed(home: Path, tmp_path: Path, words: str) -> None:
    place = tmp_path / "hmoe"
    (tmp_path / "x.md").write_text("x\n")
    ran = holdfast(*words.replace("x.md", str(tmp_path / "x.md")).split(), "--home", str(place))
    assert (ran.status, f"holdfast init --home '{place}'" in ran.err) == (3, True), ran
    assert not place.exists()
    done("init", "--home", str(place))
    done(*words.replace("x.md", str(tmp_path / "x.md")).split(), "--home", str(place))


def test_the_default_home_is_made_without_a_word(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOLDFAST_HOME")
    assert done("save", "x").err == ""
    assert (tmp_path / ".holdfast" / "MEMORY.md").exists() and not home.exists()


def test_where_nobody_knows_the_own_directory_no_home_is_made_in_a_folder_named_by_a_tilde(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(number: int) -> pwd.struct_passwd:
        raise KeyError(number)

    monkeypatch.delenv("HOLDFAST_HOME", raising=False)
    monkeypatch.delenv("HOME")
    monkeypatch.setattr(pwd, "getpwuid", unknown)  # a container with a user of its own number
    monkeypatch.chdir(tmp_path)
    ran = holdfast("save", "x")
    assert ran.status == 2 and "HOME is not set" in ran.err and "HOLDFAST_HOME" in ran.err
    note_hook(None, "claude-code", "user-prompt", "a hook has nowhere to say this")
    assert list(tmp_path.iterdir()) == []
    assert done("init", "--home", "mine").status == 0


def test_an_agent_that_is_new_is_said_to_be(home: Path) -> None:
    first = done("save", "x", "--agent", "coder")
    assert "new agent was begun: 'coder'" in first.err
    assert done("save", "y", "--agent", "coder").err == ""
    assert done("save", "y", "--agent", "main").err == ""
    assert "begun" not in done("search", "x", "--agent", "codre").err
    assert not (home / "agents" / "codre").exists()


@pytest.mark.parametrize("words", ["config set memory.style off", "save x", "search x", "config get memory.style"])
def test_an_empty_agent_is_nobody_and_not_everybody(home: Path, words: str) -> None:
    done("init")
    before = (home / "holdfast.toml").read_text()
    ran = holdfast(*words.split(), "--agent", "")
    assert ran.status == 2 and "it is empty" in ran.err
    assert (home / "holdfast.toml").read_text() == before
    assert not (home / "MEMORY.md").exists()


def test_origins_on_one_line_are_as_many_as_were_named(home: Path) -> None:
    done("init")

    def approved(text: str) -> list[str]:
        done("config", "set", "memory.approved_origins", text)
        value: list[str] = json.loads(done("config", "get", "memory.approved_origins", "--json").out)["value"]
        return value

    assert approved("mcp_tool/claude-code,agent/langgraph") == ["mcp_tool/claude-code", "agent/langgraph"]
    assert approved("mcp_tool/Tools, Inc.") == ["mcp_tool/Tools, Inc."]


def test_what_an_agent_is_told_of_forgetting_names_no_command_that_clears_checkpoints(home: Path) -> None:
    done("save", "Prefers tea.", "--file", "memory/x.md")
    done("save", "Prefers milk.", "--file", "memory/x.md")
    with Memory.open(home) as memory:
        told = memory.tools(Origin.MCP_TOOL).call("memory_forget", {"text": "Prefers tea."})
    assert told["forgotten"]
    assert "holdfast" not in json.dumps(told)
    assert "`holdfast purge`" in done("forget", "--text", "Prefers milk.").err


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("forget --text x --everywhere", "can't be undone"),
        ("session delete main", "can't be brought back"),
        ("session forget main", "can't be brought back"),
        ("purge MEMORY.md", "can't be undone"),
    ],
)
def test_what_nobody_confirmed_ends_with_a_status_of_its_own(home: Path, words: str, reason: str) -> None:
    done("save", "x")
    ran = holdfast(*words.split(), "--json")
    error = json.loads(ran.err)["error"]
    assert (ran.status, error["type"]) == (16, "NotConfirmed")
    assert reason in error["message"] and "--yes" in error["message"]
    assert "--preview" not in error["message"]
    assert (home / "MEMORY.md").read_text() == "x\n"


def test_a_name_that_is_suggested_has_no_stop_behind_it(home: Path) -> None:
    done("save", "x", "--file", "memory/plans.md")
    assert holdfast("get", "plans").err.endswith("Did you mean 'memory/plans.md'?\n")


@pytest.mark.parametrize("words", ["status", "save x", "init", "config show"])
def test_a_home_that_is_a_file_is_said_to_be_one(home: Path, tmp_path: Path, words: str) -> None:
    place = tmp_path / "file"
    place.write_text("x")
    ran = holdfast(*words.split(), "--home", str(place))
    told = f"'{place}' is a file, not a directory. Name a folder as the home."
    assert (ran.status, told in ran.err) == (4, True), ran
    with pytest.raises(UnreadableSettings, match="Name a folder"):
        Memory.open(place / "below")


def test_a_client_that_is_mistyped_is_answered_with_those_that_are_near(home: Path) -> None:
    assert "Did you mean 'claude-code' or 'claude-desktop'?" in holdfast("connect", "cluade").err
    assert "Did you mean 'cursor'?" in holdfast("connect", "curser").err
    assert "Choose one of" in holdfast("connect", "zebra").err


@pytest.mark.parametrize("key", ["memory.base_url", "llm.base_url"])
def test_an_address_that_is_none_is_refused(home: Path, key: str) -> None:
    for address in ("not a url", "http://", "http://host:port/v1", "https://a b/v1", 'http://"x"', "ftp://host"):
        ran = holdfast("config", "set", key, address)
        assert (ran.status, key in ran.err) == (4, True), (address, ran)
    for address in ("localhost:8080", "http://127.0.0.1:11434", "https://api.example.com/v1", "[::1]:8080", "gpu"):
        done("config", "set", key, address)


def test_a_mistyped_agent_is_named_with_those_that_are_near(home: Path) -> None:
    done("save", "Kestrel launches in March.")
    done("save", "Kestrel is late.", "--agent", "work")
    ran = done("search", "Kestrel", "--agent", "mian")
    assert "The agent 'mian' has no notes" in ran.err and "Did you mean 'main'?" in ran.err
    assert "Did you mean 'work'?" in done("search", "Kestrel", "--agent", "wrok").err


@pytest.mark.parametrize("value", ['["a"', '["a",', '"a"]', "[", "['a', 'b"])
def test_a_list_that_is_broken_off_is_no_path(home: Path, value: str) -> None:
    ran = holdfast("config", "set", "memory.extra_paths", value)
    assert (ran.status, "memory.extra_paths" in ran.err) == (4, True), ran
    assert done("config", "get", "memory.extra_paths", "--json").json["value"] == []


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["forget"], "'REQUEST' can't be used: it is empty; say what to forget, or give the exact text with --text"),
        (["get"], "'PATH' can't be used: nothing was named; name a note, or a chunk of it with --chunk-id"),
        (["get", "MEMORY.md", "--chunk-id", "x"], "'PATH' can't be used: a note and a chunk were named"),
    ],
)
def test_what_is_missing_is_asked_for_as_it_is_typed(home: Path, words: list[str], hint: str) -> None:
    ran = holdfast(*words)
    assert (ran.status, hint in ran.err) == (2, True), ran


def test_lines_past_the_end_of_a_note_are_said_to_be(home: Path) -> None:
    done("save", "One line.", "--file", "memory/short.md")
    shown = done("get", "memory/short.md", "--from", "99")
    assert "The note ends with line 1; nothing stands at --from 99." in shown.err
    assert "ends with" not in done("get", "memory/short.md").err


@pytest.mark.parametrize("port", ["99999", "-1"])
def test_a_port_that_is_none_is_refused_by_the_web_app_too(home: Path, port: str) -> None:
    ran = holdfast("ui", "--no-open", f"--port={port}")
    assert ran.status == 2 and f"{port} is not between 0 and 65535" in ran.err


def test_what_can_not_be_chosen_is_to_be_named_with_the_option_that_a_person_types(home: Path) -> None:
    done("save", "The launch moved to March.")
    done("save", "The launch party is in May.")
    ran = holdfast("forget", "the launch", "--yes")
    assert "with --text" in ran.err and "`text`" not in ran.err


def test_a_file_name_of_several_lines_is_told_in_one(home: Path) -> None:
    (home / "memory").mkdir(parents=True)
    (home / "memory" / "x\nok   everything: fine.md").write_text("x\n")
    for command in ("index", "status"):
        assert "\nok   everything" not in done(command).err
        assert "memory/x\\nok   everything: fine.md" in done(command).err


def test_a_name_of_any_length_gives_a_message_that_can_be_read(home: Path) -> None:
    name = "x" * 60_000
    for words in (("get", name), ("session", "show", name), ("undo", name), ("inbox", "approve", name)):
        ran = holdfast(*words)
        assert ran.status in (2, 3)
        assert len(ran.err) < 2_100 and ran.err.endswith((".\n", "?\n")), ran.err[-200:]


def test_a_file_that_is_no_note_by_its_ending_is_not_named_as_the_place_to_write_to(home: Path) -> None:
    done("save", "x", "--file", "memory/a.md")
    (home / "memory/PLAN.MD").write_text("by hand\n")
    said = holdfast("save", "x", "--file", "memory/plan.md").err
    assert "twin of the existing 'memory/PLAN.MD'" in said and "Rename that" in said


def test_what_an_export_leaves_out_is_one_line_each_and_ten_at_the_most(home: Path, tmp_path: Path) -> None:
    done("save", "x", "--file", "memory/a.md")
    for number in range(12):
        (home / f"memory/.{number:02}\nhidden.md").write_text("x\n")
    said = done("export", str(tmp_path / "all.zip")).err.splitlines()
    assert said[0].startswith("skipped memory/.00\\nhidden.md: ")
    assert (len(said), said[-1]) == (11, "… and 2 more; `holdfast status --json` lists them all")
