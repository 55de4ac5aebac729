"""`holdfast connect`: shown, added once, and taken out to the byte; what can't be changed safely is left alone."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import tomllib
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from at_once import at_once
from commandline import done, holdfast, process

from holdfast.errors import NoteChangedOutside
from holdfast.guard.jsonc import parse_jsonc
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.notes.foreign_file import ForeignFile, read_foreign_file, write_foreign_file
from holdfast.surfaces.agents.client_setup import _backed_up
from holdfast.surfaces.agents.clients import CLIENTS, Client

ANY = "--command=/opt/bin/holdfast"
WITH_HOOKS = ("claude-code", "codex", "cursor", "gemini-cli")
OWN: dict[str, str] = {
    "json": '{\n  // my own\n  "theme": "dark",\n  "mcpServers": {\n    "other": {"command": "other"},\n  },\n'
    '  "hooks": {\n    "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]\n  }\n}\n',
    "toml": '# my own\nmodel = "o9"\n\n[mcp_servers.other]\ncommand = "other"  # theirs\n\n[tui]\ntheme = "dark"\n',
}


def files(client: str, *options: str) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = done("connect", client, ANY, "--json", *options).json["files"]
    return listed


def tree(place: Path) -> dict[str, bytes]:
    found = {path: path.read_bytes() for path in place.rglob("*") if path.is_file() and ".holdfast" not in path.parts}
    return {path.relative_to(place).as_posix(): data for path, data in found.items()}


def loaded(path: str) -> Any:
    text = Path(path).read_text(encoding="utf-8")
    return tomllib.loads(text) if path.endswith(".toml") else dict(parse_jsonc(text).value)


@pytest.mark.parametrize("client", Client)
def test_what_is_shown_is_what_is_written_to_a_new_file(client: Client, person: Path) -> None:
    shown = files(client)
    assert [one["state"] for one in shown] == ["not added"] * len(shown)
    assert tree(person) == {}
    written = files(client, "--write")
    assert [one["state"] for one in written] == ["was added"] * len(shown)
    for one in shown:
        assert Path(one["path"]).read_text(encoding="utf-8").strip() == one["snippet"]
        assert stat.S_IMODE(os.stat(one["path"]).st_mode) == 0o600
    assert len(shown) == (2 if client in WITH_HOOKS and client != "gemini-cli" else 1)


@pytest.mark.parametrize("client", Client)
def test_adding_twice_changes_nothing_and_taking_out_leaves_no_file(client: Client, person: Path) -> None:
    files(client, "--write")
    before = tree(person)
    assert {one["state"] for one in files(client, "--write")} == {"added"}
    assert tree(person) == before
    assert {one["state"] for one in files(client, "--remove")} == {"was taken out"}
    assert tree(person) == {}
    assert {one["state"] for one in files(client, "--remove")} == {"not added"}


@pytest.mark.parametrize("client", Client)
def test_what_others_wrote_stays_and_comes_back_to_the_byte(client: Client, person: Path) -> None:
    for one in files(client):
        path = Path(one["path"])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(OWN[one["format"]], encoding="utf-8")
        path.chmod(0o640)
    before = tree(person)
    for one in files(client, "--write"):
        text = Path(one["path"]).read_text(encoding="utf-8")
        assert "my own" in text
        kept, own = loaded(one["path"]), parse_jsonc(OWN["json"]).value if one["format"] == "json" else {}
        assert kept.get("mcp_servers", kept.get("mcpServers"))["other"] == {"command": "other"}
        assert own.get("hooks", {}).get("Stop") == kept.get("hooks", {}).get("Stop")
        assert stat.S_IMODE(os.stat(one["path"]).st_mode) == 0o640
        assert Path(one["backup"]).read_text(encoding="utf-8") == OWN[one["format"]]
        assert stat.S_IMODE(os.stat(one["backup"]).st_mode) == 0o600
    files(client, "--remove")
    assert tree(person) == before


@pytest.mark.parametrize("client", Client)
def test_after_an_edit_only_ours_goes(client: Client, person: Path) -> None:
    for one in files(client, "--write"):
        path = Path(one["path"])
        text = path.read_text(encoding="utf-8")
        edited = f"extra = 1\n{text}" if one["format"] == "toml" else text.replace("{", '{\n  "extra": 1,', 1)
        path.write_text(edited, encoding="utf-8")
    for one in files(client, "--remove"):
        left = loaded(one["path"])
        assert left.pop("extra") == 1
        assert left in ({}, {"version": 1})


def test_a_hook_of_ours_that_names_another_program_is_brought_up_to_date_where_it_stands(person: Path) -> None:
    done("connect", "claude-code", "--write", "--command", "/old/holdfast")
    assert {one["state"] for one in files("claude-code")} == {"added, and out of date"}
    settings = person / ".claude" / "settings.json"
    settings.write_text(settings.read_text().replace('"timeout": 10', '"timeout": 42'))
    files("claude-code", "--write")
    text = settings.read_text()
    assert "/old/" not in text
    assert text.count("/opt/bin/holdfast hook") == 4
    assert text.count('"timeout": 42') == 4
    assert json.loads((person / ".claude.json").read_text())["mcpServers"]["holdfast"]["command"] == "/opt/bin/holdfast"


def test_what_the_owner_added_to_the_server_stays(person: Path) -> None:
    files("cursor", "--write")
    path = person / ".cursor" / "mcp.json"
    path.write_text(path.read_text().replace('"args"', '"env": {"A": "b"},\n      "args"'))
    done("connect", "cursor", "--write", "--command", "/new/holdfast")
    entry = json.loads(path.read_text())["mcpServers"]["holdfast"]
    assert entry == {"command": "/new/holdfast", "env": {"A": "b"}, "args": ["mcp"]}


OLDER = {"type": "stdio", "command": "/opt/bin/holdfast", "args": ["mcp"]}
"""The entry for Claude Code as it was written before `alwaysLoad`."""


def test_claude_code_is_told_to_load_the_tools_at_once_and_no_other_program_is(person: Path) -> None:
    for client in Client:
        (server, *_) = files(client)
        assert ('"alwaysLoad": true' in server["snippet"]) == (client is Client.CLAUDE_CODE)


def test_connecting_again_mends_an_entry_that_does_not_load_the_tools_at_once(person: Path) -> None:
    path = person / ".claude.json"
    path.write_text(json.dumps({"mcpServers": {"holdfast": {**OLDER, "env": {"A": "b"}}}}))
    assert files("claude-code")[0]["state"] == "added, and out of date"
    assert files("claude-code", "--write")[0]["state"] == "was added"
    wanted = {**OLDER, "env": {"A": "b"}, "alwaysLoad": True}
    assert loaded(str(path)) == {"mcpServers": {"holdfast": wanted}}
    assert files("claude-code")[0]["state"] == "added"


def test_an_owner_who_does_not_want_the_tools_at_once_is_not_overruled(person: Path) -> None:
    path = person / ".claude.json"
    path.write_text(json.dumps({"mcpServers": {"holdfast": {**OLDER, "alwaysLoad": False}}}))
    assert files("claude-code", "--write")[0]["state"] == "added"
    assert loaded(str(path))["mcpServers"]["holdfast"] == {**OLDER, "alwaysLoad": False}


@pytest.mark.parametrize("mended", [True, False])
def test_an_older_entry_is_taken_out_to_the_byte(mended: bool, person: Path) -> None:
    path = person / ".claude.json"
    path.write_text(OWN["json"], encoding="utf-8")
    files("claude-code", "--write", "--no-hooks")
    text = path.read_text(encoding="utf-8")
    older = re.sub(r',\s*"alwaysLoad": true', "", text)
    assert (loaded(str(path))["mcpServers"]["holdfast"], older != text) == ({**OLDER, "alwaysLoad": True}, True)
    path.write_text(older, encoding="utf-8")
    if mended:
        files("claude-code", "--write", "--no-hooks")
    assert files("claude-code", "--remove", "--no-hooks")[0]["state"] == "was taken out"
    assert path.read_text(encoding="utf-8") == OWN["json"]


@pytest.mark.parametrize("client", Client)
@pytest.mark.parametrize("way", ["--write", "--remove"])
def test_a_file_that_can_not_be_read_is_left_alone_and_so_are_all_others(
    client: Client, way: str, person: Path
) -> None:
    for one in files(client):
        path = Path(one["path"])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(OWN[one["format"]], encoding="utf-8")
    last = Path(files(client)[-1]["path"])
    for broken in (b'{"a": [1, }', b"\xff\xfe{}", b"[1, 2]" if last.suffix != ".toml" else b"a = = 1"):
        last.write_bytes(broken)
        before = tree(person)
        ran = holdfast("connect", client, ANY, way)
        assert ran.status == 4
        assert str(last) in ran.err
        assert tree(person) == before


@pytest.mark.parametrize("way", ["--write", "--remove"])
@pytest.mark.parametrize("client", Client)
def test_a_link_in_place_of_a_file_or_of_its_directory_is_refused(client: Client, way: str, person: Path) -> None:
    path = Path(files(client)[-1]["path"])
    path.parent.mkdir(parents=True, exist_ok=True)
    target = person / "elsewhere.json"
    target.write_text("{}")
    path.symlink_to(target)
    ran = holdfast("connect", client, ANY, way)
    assert ran.status == 7
    assert "symbolic link" in ran.err
    assert target.read_text() == "{}"
    assert path.is_symlink()
    path.unlink()
    if path.parent not in (person, person / ".config"):
        path.parent.rmdir()
        (person / "folder").mkdir()
        path.parent.symlink_to(person / "folder")
        assert holdfast("connect", client, ANY, "--write").status == 7
        assert list((person / "folder").iterdir()) == []


def test_another_server_of_our_name_is_neither_replaced_nor_removed(person: Path) -> None:
    path = person / ".cursor" / "mcp.json"
    path.parent.mkdir()
    theirs = '{"mcpServers": {"holdfast": {"command": "node", "args": ["boats.js"]}}}'
    path.write_text(theirs)
    ran = holdfast("connect", "cursor", ANY, "--write")
    assert ran.status == 4
    assert "another server" in ran.err
    assert "was left as it is" in ran.err and "can't be read" not in ran.err
    assert done("connect", "cursor", ANY, "--remove").status == 0
    assert path.read_text() == theirs
    assert list(person.glob(".cursor/*")) == [path]


def test_a_project_gets_files_of_its_own_without_a_path_of_this_machine(
    person: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    done("connect", "claude-code", "--scope", "project", "--write")
    assert sorted(tree(project)) == [".claude/settings.json", ".mcp.json"]
    assert tree(person) == {}
    assert str(tmp_path) not in (project / ".mcp.json").read_text() + (project / ".claude/settings.json").read_text()
    assert stat.S_IMODE((project / ".mcp.json").stat().st_mode) == 0o644
    assert holdfast("connect", "windsurf", "--scope", "project").status == 2


def test_the_home_the_agent_and_the_tools_are_passed_on_and_quoted(person: Path) -> None:
    (person / "my home").mkdir()
    done("connect", "claude-code", ANY, "--write", "--home", "my home", "--agent", "work", "--tools", "all")
    args = json.loads((person / ".claude.json").read_text())["mcpServers"]["holdfast"]["args"]
    assert args == ["mcp", "--tools", "all", "--home", f"{person}/my home", "--agent", "work"]
    hook = json.loads((person / ".claude/settings.json").read_text())["hooks"]["SessionStart"][0]["hooks"][0]["command"]
    assert hook.endswith(f"--client claude-code --home '{person}/my home' --agent work")
    assert {one["state"] for one in files("claude-code", "--remove")} == {"was taken out"}


def test_without_hooks_there_is_only_the_server_and_remove_takes_out_both(person: Path) -> None:
    files("gemini-cli", "--write", "--no-hooks")
    assert "hooks" not in (person / ".gemini" / "settings.json").read_text()
    files("gemini-cli", "--write")
    files("gemini-cli", "--remove", "--no-hooks")
    assert tree(person) == {}


@pytest.mark.parametrize("more", [(), ("--no-hooks",)])
def test_what_can_be_taken_out_is_although_another_file_can_not_be_changed(more: tuple[str, ...], person: Path) -> None:
    (person / ".claude").mkdir()
    (person / "dotfiles.json").write_text("{}")
    hooks = person / ".claude" / "settings.json"
    hooks.symlink_to(person / "dotfiles.json")
    done("connect", "claude-code", ANY, "--write", "--no-hooks")
    assert "holdfast" in (person / ".claude.json").read_text()
    ran = holdfast("connect", "claude-code", ANY, "--remove", *more)
    assert not (person / ".claude.json").exists()
    assert hooks.is_symlink()
    assert f"{person}/.claude.json: Holdfast was taken out" in ran.out
    assert ran.status == (0 if more else 7)
    assert ("symbolic link" in ran.err and str(hooks) in ran.err) is not bool(more)


def test_what_a_file_was_before_we_came_is_kept_however_often_we_are_added(person: Path) -> None:
    path = person / ".claude.json"
    path.write_text('{"first": 1}\n')
    first = files("claude-code", "--write", "--no-hooks")[0]["backup"]
    added = path.read_text()
    second = files("claude-code", "--write", "--no-hooks", "--tools", "all")[0]["backup"]
    assert Path(first).read_text() == '{"first": 1}\n'
    assert second != first
    assert Path(second).read_text() == added
    files("claude-code", "--remove", "--no-hooks", "--tools", "all")
    assert path.read_text() == '{"first": 1}\n'
    # Somebody else's change in between is brought back as well, and the same bytes are kept once.
    path.write_text('{"other": 2}\n')
    third = files("claude-code", "--write", "--no-hooks")[0]["backup"]
    files("claude-code", "--remove", "--no-hooks")
    assert path.read_text() == '{"other": 2}\n'
    assert files("claude-code", "--write", "--no-hooks")[0]["backup"] == third
    assert Path(first).read_text() == '{"first": 1}\n'


def test_the_second_opencode_keeps_servers_one_level_deeper_and_comments_in_a_file_called_so(person: Path) -> None:
    path = person / ".config" / "opencode" / "opencode.jsonc"
    path.parent.mkdir(parents=True)
    path.write_text('{ "mcp": { "servers": { "x": { "type": "local", "command": ["x"] } } } } // second\n')
    files("opencode", "--write")
    servers = parse_jsonc(path.read_text()).value["mcp"]["servers"]
    assert servers["holdfast"] == {"type": "local", "command": ["/opt/bin/holdfast", "mcp"], "enabled": True}
    assert [path.name for path in path.parent.iterdir()] == ["opencode.jsonc"]


def test_where_a_program_keeps_its_settings_can_be_said_in_the_environment(
    person: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "codex").mkdir()
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    files("codex", "--write")
    assert sorted(tree(tmp_path / "codex")) == ["config.toml", "hooks.json"]
    assert tree(person) == {}


def test_a_file_that_changes_between_reading_and_writing_is_not_overwritten(tmp_path: Path) -> None:
    place = ForeignFile(str(tmp_path), ("a", "settings.json"))
    write_foreign_file(place, None, b"one")
    with pytest.raises(NoteChangedOutside):
        write_foreign_file(place, b"another", b"two")
    with pytest.raises(NoteChangedOutside):
        write_foreign_file(place, None, b"two")
    with pytest.raises(NoteChangedOutside):
        write_foreign_file(place, b"another", None)
    assert read_foreign_file(place) == b"one"
    write_foreign_file(place, b"one", None)
    assert read_foreign_file(place) is None
    assert list((tmp_path / "a").iterdir()) == []


def test_without_a_client_every_one_is_listed_and_nothing_is_written(person: Path) -> None:
    files("codex", "--write")
    shown = done("connect").out
    assert all(known.title in shown for known in CLIENTS.values())
    listed = done("connect", "--json").json["clients"]
    assert [one["client"] for one in listed] == list(Client)
    assert "added" in next(line for line in shown.splitlines() if line.startswith("codex"))
    assert holdfast("connect", "--write").status == 2
    assert "Did you mean 'claude-code'?" in holdfast("connect", "claude-cod").err


def test_the_command_that_is_written_is_this_program_and_it_starts(person: Path) -> None:
    pytest.importorskip("mcp")
    ran = process("connect", "claude-code", "--json", env={"HOME": str(person), "PATH": "/nowhere"})
    entry = json.loads(json.loads(ran.stdout)["files"][0]["snippet"])["mcpServers"]["holdfast"]
    assert entry["args"] == ["-P", "-m", "holdfast", "mcp"]
    about = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    asked = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about}) + "\n"
    # A project may hold anything, and is where a coding agent starts its servers.
    (person / "holdfast.py").write_text("raise SystemExit('a file of the project was run')")
    server = subprocess.run(
        [entry["command"], *entry["args"]],
        input=asked.encode(),
        capture_output=True,
        timeout=60,
        cwd=person,
        check=False,
    )
    assert json.loads(server.stdout.splitlines()[0])["result"]["serverInfo"]["name"] == "holdfast", server.stderr


def test_what_several_find_in_a_file_at_once_is_all_kept(home: Path) -> None:
    with ExitStack() as held:
        opened = [held.enter_context(FileWorkspace.open(home)) for _ in range(4)]
        for number in range(10):
            found = [f"{number} {which}".encode() for which in range(4)]
            works = zip(opened, found, strict=True)
            names = at_once(*(partial(_backed_up, place, f"state/backups/{number}", data) for place, data in works))
            assert [Path(str(name)).read_bytes() for name in names] == found
