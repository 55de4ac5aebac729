"""`holdfast connect --command` and what else is passed on: anything that starts Holdfast, and nothing that can't."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from commandline import done, holdfast

from holdfast.surfaces.agents.clients import CLIENTS, Client
from holdfast.surfaces.agents.own_entries import is_hook, is_server
from holdfast.surfaces.agents.own_program import this_program


def written(person: Path) -> tuple[dict[str, Any], str]:
    """The server that Claude Code starts, and the first of its hooks."""
    entry = json.loads((person / ".claude.json").read_text())["mcpServers"]["holdfast"]
    hooks = json.loads((person / ".claude" / "settings.json").read_text())["hooks"]
    return entry, hooks["SessionStart"][0]["hooks"][0]["command"]


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("/opt/hf", ["/opt/hf"]),
        ("holdfast.sh", ["holdfast.sh"]),
        ("uvx holdfast", ["uvx", "holdfast"]),
        ("python3 -m holdfast", ["python3", "-m", "holdfast"]),
        ("/opt/it's/holdfast", ["/opt/it's/holdfast"]),
        ("'/opt/my dir/hf'", ["/opt/my dir/hf"]),
        ("mcp", ["mcp"]),
        ("uv run --with 'hold fast' hook", ["uv", "run", "--with", "hold fast", "hook"]),
    ],
)
def test_holdfast_may_be_started_by_any_command_and_is_known_again(
    command: str, words: list[str], person: Path
) -> None:
    done("connect", "claude-code", "--write", "--command", command)
    entry, hook = written(person)
    assert [entry["command"], *entry["args"]] == [*words, "mcp"]
    assert is_server(entry) and is_hook({"command": hook})
    again = done("connect", "claude-code", "--write", "--command", command, "--json").json["files"]
    assert {one["state"] for one in again} == {"added"}
    done("connect", "claude-code", "--write", "--command", "/new/hf")
    assert written(person)[0]["command"] == "/new/hf"
    done("connect", "claude-code", "--remove")
    assert [path.name for path in person.iterdir() if path.is_file()] == []


def test_a_path_with_spaces_is_one_word_where_there_is_such_a_file_and_a_near_one_is_written_in_full(
    person: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = person / "my tools"
    folder.mkdir()
    script = folder / "hf"
    script.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    script.chmod(0o700)
    done("connect", "claude-code", "--write", "--command", str(script), "--agent", "work")
    entry, hook = written(person)
    assert entry["command"] == str(script)
    ran = subprocess.run(hook, shell=True, capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["hook", "session-start", "--client", "claude-code", "--agent", "work"]
    monkeypatch.chdir(folder)
    done("connect", "claude-code", "--write", "--command", "./hf")
    assert written(person)[0]["command"] == str(script)
    done("connect", "claude-code", "--write", "--command", f"{folder.parent}/my\\ tools/hf --quiet")
    assert [written(person)[0]["command"], *written(person)[0]["args"]] == [str(script), "--quiet", "mcp"]


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("", "it is empty"),
        ("  ", "it is empty"),
        ("'' x", "names no program"),
        ("/opt/my dir/hf", "there is no program '/opt/my'"),
        ("/opt/it's mine/hf", "no closing quotation"),
        ("./hf", "name it by its full path"),
        ("/opt/\udcff/hf", "not valid UTF-8"),
    ],
)
def test_a_command_that_nobody_can_make_out_is_refused_and_nothing_is_written(
    command: str, why: str, person: Path
) -> None:
    ran = holdfast("connect", "claude-code", "--write", "--command", command)
    assert ran.status == 2
    assert "--command" in ran.err and why in ran.err
    assert list(person.iterdir()) == []


@pytest.mark.parametrize("options", [("--tools", "zz"), ("--tools", ""), ("--agent", "../x")])
@pytest.mark.parametrize("way", ["--write", "--remove", "--no-hooks"])
def test_what_the_server_would_refuse_is_refused_with_the_same_words(
    options: tuple[str, str], way: str, person: Path
) -> None:
    refused = holdfast("mcp", *options)
    ran = holdfast("connect", "claude-code", way, *options)
    assert ran.status == refused.status == 2
    assert ran.err.splitlines()[-1] == refused.err.splitlines()[-1]
    assert list(person.iterdir()) == []


def test_an_agent_of_the_environment_is_looked_at_as_well(person: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDFAST_AGENT", "../x")
    assert holdfast("connect", "claude-code", "--write").status == 2
    assert holdfast("connect", "claude-code", "--write", "--agent", "work").status == 0


def test_where_the_server_s_extra_is_missing_connect_says_what_to_install(
    person: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "can't start" not in holdfast("connect", "codex", "--write").err
    monkeypatch.setitem(sys.modules, "mcp", None)
    ran = holdfast("connect", "codex", "--write")
    assert ran.status == 0
    assert "`holdfast mcp` can't start here before `pip install" in ran.err and "server" in ran.err
    assert "`holdfast mcp` can't start here" in holdfast("connect", "cursor").err, "also where it is only shown"
    assert "can't start" not in holdfast("connect", "codex", "--remove").err
    assert "can't start" not in holdfast("connect", "codex", "--write", "--command", "uvx holdfast").err


@pytest.mark.parametrize("client", ["claude-code", "codex", "opencode", "vscode"])
def test_where_the_server_s_extra_is_missing_doctor_names_the_clients_that_start_it(
    client: str, person: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done("connect", client, "--write", "--tools", "all")
    assert "can't start" not in holdfast("doctor").out
    monkeypatch.setitem(sys.modules, "mcp", None)
    ran = holdfast("doctor")
    assert ran.status == 1
    assert f"{CLIENTS[Client(client)].title}: `holdfast mcp` can't start" in ran.out and "pip install" in ran.out
    done("connect", client, "--remove")
    assert "can't start" not in holdfast("doctor").out
    done("connect", client, "--write", "--command", "uvx holdfast")
    assert "can't start" not in holdfast("doctor").out, "that is another installation"


def test_doctor_finds_the_server_in_the_settings_of_this_project_too(
    person: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "mcp", None)
    this = shlex.join(this_program())
    done("connect", "cursor", "--scope", "project", "--write", "--command", this)
    (person / ".claude.json").write_text("{ not JSON")
    assert "Cursor: `holdfast mcp` can't start" in holdfast("doctor").out


def test_ours_are_told_from_those_of_others_by_their_words() -> None:
    ours: tuple[object, ...] = (
        {"command": "/opt/hf", "args": ["mcp"]},
        {"command": "uvx", "args": ["holdfast", "mcp", "--tools", "all", "--home", "/a b", "--agent", "work"]},
        {"command": ["/opt/hf", "mcp", "--read-only", "--session", "s"]},
        {"command": "/usr/bin/holdfast", "args": ["mcp", "--anything"]},
    )
    assert all(map(is_server, ours))
    others: tuple[object, ...] = (
        {"command": "mcp"},
        {"command": "node", "args": ["boats.js"]},
        {"command": "npx", "args": ["mcp", "boats"]},
        {"command": "npx", "args": ["mcp", "--home"]},
        {"url": "http://127.0.0.1"},
        {"command": 5, "args": ["mcp"]},
        None,
    )
    assert not any(map(is_server, others))
    for command in (
        "/opt/hf hook session-start --client claude-code",
        "'/opt/my dir/hf' hook user-prompt --client codex --home '/a b' --agent work",
        "uvx holdfast hook session-end --deadline 1 --wait --client cursor",
    ):
        assert is_hook({"command": command})
    for command in (
        "lefthook session-start --client claude-code",
        "other hook session-start",
        "other hook session-start --client boats",
        "other hook sail --client codex",
        "other hook session-start --client codex --port 1",
        "hook session-start --client codex",
        "it's a hook --client",
    ):
        assert not is_hook({"command": command})
