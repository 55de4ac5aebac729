"""A server that its owner wrote into the settings by hand: its options stay, and it is not taken out for them."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from commandline import done

from holdfast.guard.jsonc import parse_jsonc
from holdfast.surfaces.agents.clients import Client
from holdfast.surfaces.agents.own_entries import merge_entry, owners_options

ANY = "--command=/opt/bin/holdfast"
OWN = ["--read-only", "--session", "work", "--new-option=5"]


def server_of(path: Path) -> dict[str, Any]:
    text = path.read_text(encoding="utf-8")
    found: Any = tomllib.loads(text) if path.suffix == ".toml" else parse_jsonc(text).value
    for name in ("mcp_servers", "mcpServers", "servers", "mcp"):
        found = found.get(name, found)
    found = found.get("servers", found)["holdfast"]
    assert isinstance(found, dict)
    return found


def words_of(path: Path) -> list[str]:
    entry = server_of(path)
    command = entry["command"] if isinstance(entry["command"], list) else [entry["command"]]
    return [*command, *entry.get("args", [])]


def file_of(client: Client, *options: str) -> dict[str, Any]:
    first: dict[str, Any] = done("connect", client, ANY, "--no-hooks", "--json", *options).json["files"][0]
    return first


def by_hand(client: Client) -> Path:
    """A file that has our server with options that `connect` does not write."""
    path = Path(file_of(client, "--write")["path"])
    text = path.read_text(encoding="utf-8")
    assert text.count('"mcp"]') + text.count('"mcp"\n') == 1
    more = ", ".join(map(json.dumps, OWN))
    path.write_text(text.replace('"mcp"]', f'"mcp", {more}]').replace('"mcp"\n', f'"mcp", {more}\n'), encoding="utf-8")
    assert words_of(path) == ["/opt/bin/holdfast", "mcp", *OWN]
    return path


@pytest.mark.parametrize("client", Client)
def test_options_that_an_owner_added_stay_when_the_server_is_brought_up_to_date(client: Client, person: Path) -> None:
    path = by_hand(client)
    assert file_of(client)["state"] == "added"
    done("connect", client, "--no-hooks", "--write", "--command", "/new/holdfast", "--agent", "work")
    assert words_of(path) == ["/new/holdfast", "mcp", "--agent", "work", *OWN]
    done("connect", client, "--no-hooks", "--write", "--command", "/new/holdfast", "--tools", "facts")
    assert words_of(path) == ["/new/holdfast", "mcp", "--tools", "facts", *OWN]
    done("connect", client, "--no-hooks", "--write", "--command", "/new/holdfast")
    assert sorted(words_of(path)) == sorted(["/new/holdfast", "mcp", "--tools", "facts", *OWN])


@pytest.mark.parametrize("client", Client)
def test_a_server_with_options_of_its_owner_is_not_taken_out_and_that_is_said(client: Client, person: Path) -> None:
    path = by_hand(client)
    before = path.read_bytes()
    left = file_of(client, "--remove")
    assert left["state"] == "there, with options of your own"
    assert "--read-only --session work --new-option=5 was added to it by hand" in left["because"]
    assert path.read_bytes() == before
    assert "The server stays" in (ran := done("connect", client, ANY, "--remove")).out + ran.err


@pytest.mark.parametrize("client", Client)
def test_an_entry_made_by_hand_comes_back_to_the_byte_when_ours_is_taken_out(client: Client, person: Path) -> None:
    path = by_hand(client)
    before = path.read_bytes()
    done("connect", client, "--no-hooks", "--write", "--command", "/new/holdfast", "--agent", "work")
    assert path.read_bytes() != before
    done("connect", client, "--no-hooks", "--remove", "--command", "/new/holdfast", "--agent", "work")
    assert path.read_bytes() == before


def test_what_we_write_ourselves_is_no_option_of_the_owners() -> None:
    written = ["mcp", "--tools", "all", "--home=/x", "--agent", "work"]
    assert owners_options({"command": "holdfast", "args": written}) == []
    assert owners_options({"command": ["uvx", "holdfast", *written, "--read-only"]}) == ["--read-only"]
    assert owners_options({"command": "holdfast", "args": ["mcp", "--session", "--tools"]}) == ["--session", "--tools"]
    wanted = {"command": "holdfast", "args": ["mcp", "--home", "/x"]}
    there = {"command": "holdfast", "args": ["mcp", "--read-only", "--home", "/x"]}
    assert merge_entry(wanted, there) == there
    assert merge_entry(wanted, {"command": "node", "args": ["boats.js", "--read-only"]}) == wanted
