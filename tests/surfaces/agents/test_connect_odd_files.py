"""`holdfast connect` and files that are odd but valid: added, changed and taken out, or left with a reason."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from commandline import done, holdfast

from holdfast.guard.jsonc import parse_jsonc
from holdfast.surfaces.agents.clients import Client
from holdfast.surfaces.agents.own_entries import without_ours

ANY = "--command=/opt/bin/hf"
OURS = {"command": "/opt/bin/hf", "args": ["mcp"]}
TABLES = {
    "inline": 'mcp_servers = { other = { command = "x" } } # mine\nmodel = "m"\n',
    "inline and empty": "mcp_servers = {}\n",
    "dotted": 'mcp_servers.other.command = "x"\nmodel = "m"\n',
    "dotted twice": 'mcp_servers.other.command = "x"\nmcp_servers.other.args = ["1"]\nmodel = "m"\n',
    "dotted and quoted": '"mcp_servers"."other".command = "x"\n',
    "an inline table within": '[mcp_servers]\nother = { command = "x" } # mine\n[tools]\nweb = 1\n',
    "apart": '[mcp_servers.other]\ncommand = "x"\n[tools]\nweb = 1\n[mcp_servers.b]\ncommand = "y"\n# end',
    "a header with nothing": "[mcp_servers] # mine\n",
    "not a number": 'n = nan\nf = 1.50\n[mcp_servers.other]\ncommand = "x"\n',
    "a mark at its start": '\ufeff[mcp_servers.other]\ncommand = "x"\n',
    "lines of Windows": '[mcp_servers.other]\r\ncommand = "x"\r\n\r\n[tools]\r\nweb = 1\r\n',
    "our lines in a text": 's = """\n[mcp_servers.holdfast]\ncommand = "x"\n"""\n',
}


def codex(person: Path, text: str) -> Path:
    path = person / ".codex" / "config.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode())
    return path


def toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_bytes().decode("utf-8-sig"))


@pytest.mark.parametrize("shape", TABLES)
def test_servers_of_codex_in_any_shape_get_ours_and_come_back_to_the_byte(shape: str, person: Path) -> None:
    path = codex(person, TABLES[shape])
    before, data = toml(path), path.read_bytes()
    assert "not added" in done("connect", "codex", ANY).out
    done("connect", "codex", ANY, "--write")
    assert toml(path)["mcp_servers"]["holdfast"] == OURS
    assert repr(without_ours(toml(path))) == repr(without_ours(before))
    if b"\r\n" in data:
        assert b"\n" not in path.read_bytes().replace(b"\r\n", b"")
    assert "added" in done("connect", "codex", ANY).out.splitlines()[0]
    done("connect", "codex", "--command=/new/hf", "--write")
    assert toml(path)["mcp_servers"]["holdfast"]["command"] == "/new/hf"
    done("connect", "codex", "--remove")
    assert path.read_bytes() == data


@pytest.mark.parametrize("shape", TABLES)
def test_what_was_written_below_our_table_stays_with_its_comments(shape: str, person: Path) -> None:
    path = codex(person, TABLES[shape])
    before = toml(path)
    done("connect", "codex", ANY, "--write")
    with path.open("ab") as end:
        end.write(b"\n# my notes\n\n# more\n[extra]\na = 1\n")
    done("connect", "codex", "--remove")
    assert repr(without_ours(toml(path))) == repr(without_ours({**before, "extra": {"a": 1}}))
    assert path.read_bytes().endswith(b"# my notes\n\n# more\n[extra]\na = 1\n")
    assert ("# mine" in TABLES[shape]) == (b"# mine" in path.read_bytes())


@pytest.mark.parametrize(
    "text",
    [
        "mcp_servers = 5\n",
        "[[mcp_servers]]\na = 1\n",
        "mcp_servers = { other = {}, }\n",
        f"a = {'[' * 5000}{']' * 5000}\n",
        f"mcp_servers = {'{a=' * 2000}1{'}' * 2000}\n",
        f"{'a.' * 2000}b = 1\n",  # reading it takes the square of that
        f"a = 1{'0' * 5000}\n",
        'a = "\0"\n',
    ],
    ids=["a number", "an array", "a comma too many", "deep", "deep within", "deep by dots", "a long number", "a NUL"],
)
def test_the_list_of_programs_goes_on_whatever_one_file_holds(text: str, person: Path) -> None:
    path = codex(person, text)
    listed = done("connect", "--json").json["clients"]
    states = {one["client"]: [file["state"] for file in one["files"]] for one in listed}
    assert list(states) == list(Client)
    assert states["codex"] == ["can't be changed", "not added"]
    assert states["windsurf"] == ["not added"]
    ran = holdfast("connect", "codex", "--write")
    assert ran.status == 4
    assert f"{str(path)!r} was left as it is" in ran.err
    assert "Traceback" not in ran.err
    assert path.read_text() == text


def test_why_a_file_is_left_alone_is_one_clear_sentence(person: Path) -> None:
    codex(person, '[mcp_servers.holdfast]\ncommand = "theirs"\n')
    err = holdfast("connect", "codex", "--write").err
    assert "rename that one, or add the lines by hand under another name." in err
    codex(person, "mcp_servers = 5\n")
    assert (
        "mcp_servers is not a table; mend that, or add the lines by hand."
        in holdfast("connect", "codex", "--write").err
    )


def test_a_group_of_ours_that_its_owner_gave_a_matcher_goes_with_our_hook(person: Path) -> None:
    done("connect", "claude-code", ANY, "--write")
    path = person / ".claude" / "settings.json"
    said = json.loads(path.read_text())
    said["hooks"]["UserPromptSubmit"][0]["matcher"] = "x"
    mine = {"type": "command", "command": "say mine"}
    said["hooks"]["SessionStart"][0] |= {
        "matcher": "startup",
        "hooks": [*said["hooks"]["SessionStart"][0]["hooks"], mine],
    }
    path.write_text(json.dumps(said))
    assert "added" in done("connect", "claude-code", ANY).out
    done("connect", "claude-code", "--remove")
    assert json.loads(path.read_text()) == {"hooks": {"SessionStart": [{"matcher": "startup", "hooks": [mine]}]}}


def test_a_file_that_was_made_for_us_goes_whatever_options_name_what_is_taken_out(person: Path) -> None:
    done("connect", "claude-code", "--write", "--command=/old/hf", "--tools", "all", "--agent", "work")
    done("connect", "cursor", "--write", "--command=uvx holdfast")
    for client in ("claude-code", "cursor"):
        done("connect", client, "--remove")
    left = [path for path in person.rglob("*") if path.is_file() and ".holdfast" not in path.parts]
    assert left == []


def test_a_file_with_comments_alone_is_added_to_and_comments_in_what_is_empty_then_stay(person: Path) -> None:
    path = person / ".cursor" / "mcp.json"
    path.parent.mkdir()
    for text in ("// my servers\n", "/* none */", '{\n  "mcpServers": { // mine\n  }\n}\n'):
        path.write_text(text)
        done("connect", "cursor", ANY, "--write", "--no-hooks")
        assert parse_jsonc(path.read_text()).value == {"mcpServers": {"holdfast": OURS}}
        path.write_text(path.read_text() + "\n")
        done("connect", "cursor", ANY, "--remove", "--no-hooks")
        assert without_ours(parse_jsonc(path.read_text()).value) == {}
        assert text.split("/")[-2 if "*" in text else -1].split("\n")[0] in path.read_text()


def test_ours_is_found_in_either_place_that_opencode_has_for_servers(person: Path) -> None:
    path = person / ".config" / "opencode" / "opencode.json"
    path.parent.mkdir(parents=True)
    first = {"holdfast": {"type": "local", "command": ["/old/holdfast", "mcp"], "enabled": True}, "servers": {}}
    path.write_text(json.dumps({"mcp": first}))
    done("connect", "opencode", ANY, "--write")
    assert json.loads(path.read_text())["mcp"]["holdfast"]["command"] == ["/opt/bin/hf", "mcp"]
    path.write_text(json.dumps({"mcp": {**first, "servers": {"holdfast": first["holdfast"], "x": {}}}}))
    done("connect", "opencode", "--remove")
    assert json.loads(path.read_text()) == {"mcp": {"servers": {"x": {}}}}


@pytest.mark.parametrize("other_place", ["mcp", "mcp.servers"])
def test_another_server_of_our_name_in_the_second_place_of_opencode_is_told_before_and_after_ours_goes(
    other_place: str, person: Path
) -> None:
    ours = {"type": "local", "command": ["/opt/bin/hf", "mcp"], "enabled": True}
    theirs = {"type": "local", "command": ["theirs"], "enabled": True}
    first, second = (theirs, ours) if other_place == "mcp" else (ours, theirs)
    path = person / ".config" / "opencode" / "opencode.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"mcp": {"holdfast": first, "servers": {"holdfast": second}}}))
    before = path.read_bytes()
    looked = json.loads(done("connect", "opencode", ANY, "--json").out)["files"][0]
    assert looked["state"] == "can't be changed"
    assert "another server called 'holdfast'" in looked["because"]
    refused = holdfast("connect", "opencode", ANY, "--write")
    assert refused.status != 0
    assert path.read_bytes() == before
    done("connect", "opencode", ANY, "--remove")
    left = without_ours(parse_jsonc(path.read_text()).value)
    assert left == {"mcp": {"holdfast": theirs} if other_place == "mcp" else {"servers": {"holdfast": theirs}}}
    assert json.loads(done("connect", "opencode", ANY, "--json").out)["files"][0] == looked


@pytest.mark.parametrize("variable", ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME", "OPENCLAW_CONFIG_PATH"])
def test_a_directory_that_the_environment_names_is_made(
    variable: str, person: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = {"CLAUDE_CONFIG_DIR": "claude-code", "CODEX_HOME": "codex", "XDG_CONFIG_HOME": "vscode"}.get(variable)
    place = tmp_path / "not" / "there"
    monkeypatch.setenv(variable, str(place / "openclaw.json" if client is None else place))
    done("connect", client or "openclaw", ANY, "--write")
    names = {path.name for path in place.rglob("*") if path.is_file()}
    assert (
        names
        == {
            "claude-code": {".claude.json", "settings.json"},
            "codex": {"config.toml", "hooks.json"},
            "vscode": {"mcp.json"},
            None: {"openclaw.json"},
        }[client]
    )
    assert [path for path in person.iterdir() if path.name != ".holdfast"] == []
    assert "added" in done("connect", client or "openclaw", ANY).out.splitlines()[0]


def test_a_project_whose_directory_is_gone_is_named_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    ran = holdfast("connect", "claude-code", "--scope", "project")
    assert ran.status == 2
    assert "is gone" in ran.err
    monkeypatch.chdir(tmp_path)
