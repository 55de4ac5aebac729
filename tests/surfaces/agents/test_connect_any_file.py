"""`holdfast connect` with any small file: after Holdfast was added and taken out, it says what it said before."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from counts import counted
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from holdfast.errors import SettingsError
from holdfast.guard.jsonc import NotJson, has_value, parse_jsonc
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.surfaces.agents.client_setup import State, add, look, take_out
from holdfast.surfaces.agents.clients import Client, File, HoldfastCommand, Scope, files_of
from holdfast.surfaces.agents.own_entries import without_ours

WANTED = HoldfastCommand(("/opt/bin/hf",), ("--home", "/a b"))
OURS = {"command": "/opt/bin/hf", "args": ["mcp"]}
PIECES = (
    *("", "# a comment", 'model = "x"', "n = nan", "d = 2026-01-01", "[tools]\nweb = true", "[[list]]\na = 1"),
    *("[mcp_servers]", "[mcp_servers] # mine", "mcp_servers = {}", 'mcp_servers = { z = { url = "u" } } # c'),
    *('[mcp_servers.a]\ncommand = "x"', '[mcp_servers.b]\nurl = "u"\n[mcp_servers.b.env]\nA = "1"', "mcp_servers = 5"),
    *(
        'mcp_servers.a.command = "x"',
        'mcp_servers.a.args = ["1"]',
        '"mcp_servers"."q r".url = \'u\'',
        "[[mcp_servers]]",
    ),
    '[mcp_servers."holdfast"]\ncommand = "/old/holdfast"\nargs = ["mcp"]\nstartup_timeout_sec = 1.5',
    '[mcp_servers.holdfast]\ncommand = "/old/x"\nargs = ["mcp"]\n[mcp_servers.holdfast.env]\nA = "b"',
    'mcp_servers.holdfast.command = "/o/holdfast"',
    'mcp_servers.holdfast.args = ["mcp"]',
    'mcp_servers = { holdfast = { command = "/o/x", args = ["mcp"] }, z = { url = "u" } }',
    '[mcp_servers]\nholdfast = { command = "/o/x", args = ["mcp"] }\nk = {}',
    '[mcp_servers.holdfast]\ncommand = "theirs"',
    's = """\n[mcp_servers.holdfast]\ncommand = "x"\n"""',
)
DOCUMENTS = st.builds(
    lambda pieces, mark, line_end, end: mark + line_end.join("\n".join([*pieces, *end]).split("\n")),
    st.lists(st.sampled_from(PIECES), max_size=5, unique=True),
    st.sampled_from(["", "\ufeff"]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([[], [""]]),
)
HOOKS = st.sampled_from(
    [
        {"type": "command", "command": "/o/holdfast hook session-start --client claude-code", "timeout": 3},
        {"command": "/o/x hook user-prompt --client cursor --home '/a b'"},
        {"type": "command", "command": "say hook --client"},
        {"command": "it's"},
        {},
        5,
    ]
)
LEAVES = st.none() | st.integers() | st.sampled_from(["é // {", 1.5, [], {}])
GROUPS = HOOKS | st.fixed_dictionaries({}, optional={"matcher": st.just("x"), "hooks": st.lists(HOOKS, max_size=3)})
EVENTS = st.dictionaries(
    st.sampled_from(["SessionStart", "UserPromptSubmit", "BeforeAgent", "sessionStart", "Stop"]),
    st.lists(GROUPS, max_size=3) | LEAVES,
    max_size=3,
)
SERVERS = st.sampled_from([OURS, {**OURS, "env": {}}, {"command": ["/o/x", "mcp"]}, {"command": "theirs"}, {}, None])
NAMED = st.dictionaries(
    st.sampled_from(["holdfast", "a", "servers"]),
    SERVERS | st.dictionaries(st.sampled_from(["holdfast", "a"]), SERVERS, max_size=2),
    max_size=3,
)
OBJECTS = st.fixed_dictionaries(
    {},
    optional={
        "mcpServers": NAMED | LEAVES,
        "mcp": NAMED,
        "servers": NAMED,
        "hooks": EVENTS | LEAVES,
        "version": LEAVES,
    },
)
COMMENTS = st.sampled_from(["", " ", "\n", "/* c */", "// c\n", "/* a\n b */"])


def _commented(value: object, indent: int | str | None, comments: list[str], line_end: str) -> str:
    """JSON with these before and after its marks in turn."""
    parts = json.dumps(value, indent=indent, ensure_ascii=False).split('"')
    for number in range(0, len(parts), 2):
        for mark in "{}[],":
            if comments and (comment := comments[(number + ord(mark)) % len(comments)]):
                parts[number] = parts[number].replace(mark, f"{mark}{comment}" if mark in "{[," else f"{comment}{mark}")
    return '"'.join(parts).replace("\n", line_end)


JSONS = st.builds(
    _commented,
    OBJECTS,
    st.sampled_from([None, 2, "\t"]),
    st.lists(COMMENTS, max_size=5),
    st.sampled_from(["\n", "\r\n"]),
) | st.sampled_from(["", " \n", "// c", "/* x */\n", "\ufeff", "5", "[]", "null", "{"])


def _value(path: Path) -> Any:
    """What a file says; None where it says nothing that can be read."""
    if not path.exists():
        return {}
    text = path.read_bytes().decode("utf-8-sig")
    try:
        if path.suffix == ".toml":
            return tomllib.loads(text)
        return parse_jsonc(text).value if has_value(text) else {}
    except (NotJson, ValueError, RecursionError):
        return None


def _shown(value: object) -> str:
    """Order does not count, and nan is nan."""
    return json.dumps(value, sort_keys=True, default=str)


def _there_and_back(client: Client, files: list[File], person: Path, text: str, *, edit: bool) -> None:
    """Add Holdfast to files that hold this text, and take it out: what others wrote is the same then."""
    before = text.encode()
    for file in files:
        path = Path(file.place.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(before)
    values = [_value(Path(file.place.path)) for file in files]
    clean = all(one.state is State.MISSING for one in look(client, Scope.USER, files).files)
    with TemporaryDirectory(dir=person) as home, FileWorkspace.open(home) as workspace:
        try:
            add(client, Scope.USER, files, workspace)
        except SettingsError as error:
            assert "was left as it is" in str(error)
            assert [Path(file.place.path).read_bytes() for file in files] == [before] * len(files)
            return
        assert {one.state for one in look(client, Scope.USER, files).files} == {State.THERE}
        for file in files:
            if edit:
                path = Path(file.place.path)
                path.write_bytes(path.read_bytes() + b"\n")
        assert take_out(client, Scope.USER, files, workspace).failures == ()
    for file, value in zip(files, values, strict=True):
        path = Path(file.place.path)
        if clean and not edit:
            assert path.read_bytes() == before
        left = _value(path)
        beside = {"version": 1} if path.name == "hooks.json" and client is Client.CURSOR else {}
        assert _shown(without_ours(beside | left)) == _shown(without_ours(beside | (value or {})))
    assert all(one.state is State.MISSING for one in look(client, Scope.USER, files).files)


ODD = settings(deadline=None, max_examples=counted(5, 240), suppress_health_check=[HealthCheck.function_scoped_fixture])


@ODD
@given(text=DOCUMENTS, edit=st.booleans())
def test_any_toml_is_the_same_after_we_came_and_went(text: str, edit: bool, person: Path) -> None:
    try:
        tomllib.loads(text.removeprefix("\ufeff"))
    except ValueError:
        assume(False)
    _there_and_back(Client.CODEX, files_of(Client.CODEX, Scope.USER, WANTED)[:1], person, text, edit=edit)


@ODD
@given(text=JSONS, client=st.sampled_from([one for one in Client if one is not Client.CODEX]), edit=st.booleans())
def test_any_json_is_the_same_after_we_came_and_went(text: str, client: Client, edit: bool, person: Path) -> None:
    _there_and_back(client, files_of(client, Scope.USER, WANTED), person, text, edit=edit)
