"""What Holdfast adds to a settings file: the MCP server, and hooks. Each knows its own again, to take it out.

Text goes in and text comes out; nothing here touches a file.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from holdfast.surfaces.agents.jsonc import NotJson, parse
from holdfast.surfaces.agents.jsonc_edit import Path, with_item, with_member, without
from holdfast.value import Value

__all__ = [
    "NAME",
    "HookEntries",
    "NotOurs",
    "Part",
    "ServerEntry",
    "ServerTable",
    "is_hook",
    "is_server",
    "without_part",
]

NAME = "holdfast"
"""What the server is called in every program's settings."""

_PROGRAM = "holdfast"


class NotOurs(NotJson):
    """The text can be read, and what would have to be changed in it is somebody else's."""


class Part(Protocol):
    """One thing that is added to a settings file."""

    def added(self, text: str) -> str:
        """The text with it; the same text where it is there already."""
        ...

    def removed(self, text: str) -> str:
        """The text without it; the same text where it is not there."""
        ...

    @property
    def alone(self) -> dict[str, Any]:
        """What a file holds that holds nothing else."""
        ...


class ServerEntry(Value):
    """The MCP server in a JSON file, below these names."""

    below: tuple[str, ...]
    entry: Mapping[str, Any]

    @property
    def alone(self) -> dict[str, Any]:
        """What a file holds that holds nothing else."""
        nested: dict[str, Any] = {NAME: dict(self.entry)}
        for name in reversed(self.below):
            nested = {name: nested}
        return nested

    def added(self, text: str) -> str:
        """The text with the server; what its owner added to the entry stays."""
        below = self._place(parse(text).value)
        there = _at(parse(text).value, (*below, NAME))
        if there is None:
            return with_member(text, (*below, NAME), dict(self.entry))
        if not is_server(there):
            raise NotOurs(f"it has another server called {NAME!r}, which is not Holdfast's; rename that one first")
        for key, value in self.entry.items():
            if there.get(key) != value:
                text = with_member(text, (*below, NAME, key), value)
        return text

    def removed(self, text: str) -> str:
        """The text without the server; another one of the same name stays."""
        value = parse(text).value
        path = (*self._place(value), NAME)
        return without(text, path) if is_server(_at(value, path)) else text

    def _place(self, value: object) -> tuple[str, ...]:
        # OpenCode 2 keeps servers in mcp.servers, OpenCode 1 in mcp itself, where one may be called "servers".
        nested = _at(value, ("mcp", "servers"))
        second = isinstance(nested, dict) and not {"type", "command", "url", "enabled"} & nested.keys()
        return ("mcp", "servers") if self.below == ("mcp",) and second else self.below


class HookEntries(Value):
    """Hooks in a JSON file: for each event of the program the hook's command, wrapped as the program wants it."""

    hooks: Mapping[str, Mapping[str, Any]]
    grouped: bool = True
    """Whether hooks stand in groups, each with a list of them, as Claude Code has it; Cursor has them bare."""
    beside: Mapping[str, Any] = {}
    """What the file needs besides."""

    @property
    def alone(self) -> dict[str, Any]:
        """What a file holds that holds nothing else."""
        return {**self.beside, "hooks": {event: [self._wrapped(hook)] for event, hook in self.hooks.items()}}

    def added(self, text: str) -> str:
        """The text with every hook; hooks of others stay, and ours are brought up to date where they stand."""
        for key, value in self.beside.items():
            if parse(text).find(key) is None:
                text = with_member(text, (key,), value)
        for event, hook in self.hooks.items():
            there = [path for path in _hook_paths(parse(text).value) if path[1] == event]
            if not there:
                text = with_item(text, ("hooks", event), self._wrapped(hook))
            for path in there[:1]:
                if _at(parse(text).value, (*path, "command")) != hook["command"]:
                    text = with_member(text, (*path, "command"), hook["command"])
        return text

    def removed(self, text: str) -> str:
        """The text without our hooks, whatever events they are for."""
        # From the last to the first, so that no number of an item changes before its turn.
        for path in reversed(_hook_paths(parse(text).value)):
            text = without(text, path)
        return text

    def _wrapped(self, hook: Mapping[str, Any]) -> dict[str, Any]:
        return {"hooks": [dict(hook)]} if self.grouped else dict(hook)


class ServerTable(Value):
    """The MCP server in a TOML file, as Codex has it: `[mcp_servers.holdfast]`."""

    entry: Mapping[str, Any]
    table: str = "mcp_servers"

    @property
    def alone(self) -> dict[str, Any]:
        """What a file holds that holds nothing else."""
        return {self.table: {NAME: dict(self.entry)}}

    def added(self, text: str) -> str:
        """The text with the server; comments and order stay."""
        import tomlkit

        document = _toml(text)
        servers = document.setdefault(self.table, tomlkit.table(is_super_table=True))
        if not isinstance(servers, dict):
            raise NotJson(f"{self.table} is not a table")
        there = servers.get(NAME)
        if there is None:
            # Made here, and not within the table: a file that has servers gets ours after the last of them.
            made = tomlkit.table()
            for key, value in self.entry.items():
                made[key] = value
            servers[NAME] = made
        elif not is_server(there):
            raise NotOurs(f"it has another server called {NAME!r}, which is not Holdfast's; rename that one first")
        else:
            for key, value in self.entry.items():
                if there.get(key) != value:
                    there[key] = value
        return tomlkit.dumps(document)

    def removed(self, text: str) -> str:
        """The text without the server; another one of the same name stays."""
        import tomlkit

        document = _toml(text)
        servers = document.get(self.table)
        if not isinstance(servers, dict) or not is_server(servers.get(NAME)):
            return text
        del servers[NAME]
        if not servers:
            del document[self.table]
        return tomlkit.dumps(document)


def is_server(entry: object) -> bool:
    """Whether an entry starts our MCP server, from wherever it is installed."""
    if not isinstance(entry, dict):
        return False
    command, args = entry.get("command"), entry.get("args", [])
    words = [*(command if isinstance(command, list) else [command]), *(args if isinstance(args, list) else [])]
    return all(isinstance(word, str) for word in words) and _is_ours(words, "mcp")


def is_hook(hook: object) -> bool:
    """Whether a hook is one of ours."""
    command = hook.get("command") if isinstance(hook, dict) else None
    if not isinstance(command, str) or "hook" not in command:
        return False
    try:
        words = shlex.split(command)
    except ValueError:  # a quote that is not closed
        return False
    return _is_ours(words, "hook") and "--client" in words


def without_part(value: Any) -> Any:
    """A value as Python has it, without anything of ours, and without objects and arrays that hold nothing then."""
    if isinstance(value, dict):
        inner = {
            str(key): without_part(one)
            for key, one in value.items()
            if not (key == NAME and is_server(one)) and not (is_hook(one))
        }
        return {key: one for key, one in inner.items() if one not in ({}, [])}
    if isinstance(value, list):
        return [one for one in (without_part(one) for one in value if not is_hook(one)) if one not in ({}, [])]
    return value


def _is_ours(words: Sequence[str], verb: str) -> bool:
    ours = any(os.path.basename(word) == _PROGRAM for word in words)  # also `python -m holdfast`
    return ours and verb in words


def _hook_paths(value: Any) -> list[Path]:
    """Where our hooks stand, in order, in groups or bare."""
    events = value.get("hooks") if isinstance(value, dict) else None
    found: list[Path] = []
    for event, listed in events.items() if isinstance(events, dict) else ():
        for number, one in enumerate(listed if isinstance(listed, list) else ()):
            if is_hook(one):
                found.append(("hooks", event, number))
            inner = one.get("hooks") if isinstance(one, dict) else None
            for place, hook in enumerate(inner if isinstance(inner, list) else ()):
                if is_hook(hook):
                    found.append(("hooks", event, number, "hooks", place))
    return found


def _at(value: Any, path: Sequence[str | int]) -> Any:
    for key in path:
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def _toml(text: str) -> Any:
    import tomlkit

    try:
        return tomlkit.parse(text)
    except (ValueError, RecursionError) as error:
        raise NotJson(f"it is not TOML: {error}") from None
