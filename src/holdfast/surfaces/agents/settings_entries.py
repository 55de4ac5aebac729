"""The entries that Holdfast adds to a settings file: the MCP server, and hooks. Each knows its own again, to remove it.

Text goes in and text comes out; nothing here touches a file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from holdfast.guard.jsonc import NotJson, parse_jsonc
from holdfast.surfaces.agents.jsonc_edit import Path, with_item, with_member, without
from holdfast.surfaces.agents.own_entries import NAME, is_group, is_hook, is_server, merge_entry, owners_options
from holdfast.value import Value

__all__ = ["ANOTHER", "HookEntries", "NotOurs", "Part", "ServerEntry"]

ANOTHER = (
    f"it has another server called {NAME!r}, which is not Holdfast's; rename that one, or add the lines by hand "
    "under another name"
)
"""Why a file is left alone that has somebody else's server under our name."""


# OpenCode 2 keeps servers in mcp.servers, OpenCode 1 in mcp itself, where one may be called "servers".
_OPENCODE_1, _OPENCODE_2 = ("mcp",), ("mcp", "servers")


class NotOurs(NotJson):
    """The text can be read, and what would have to be changed in it is somebody else's."""


class Part(Protocol):
    """One thing that is added to a settings file."""

    def add_entry(self, text: str) -> str:
        """The text with it; the same text where it is there already."""
        ...

    def remove_entry(self, text: str) -> str:
        """The text without it; the same text where it is not there, and where its owner made it their own."""
        ...

    def owner_options(self, text: str) -> list[str]:
        """The options of its owner's, for which it is not taken out."""
        ...

    @property
    def alone(self) -> dict[str, Any]:
        """Return what a file holds that holds nothing else."""
        ...


class ServerEntry(Value):
    """The MCP server in a JSON file, below these names."""

    below: tuple[str, ...]
    entry: Mapping[str, Any]

    @property
    def alone(self) -> dict[str, Any]:
        """Return what a file holds that holds nothing else."""
        nested: dict[str, Any] = {NAME: dict(self.entry)}
        for name in reversed(self.below):
            nested = {name: nested}
        return nested

    def add_entry(self, text: str) -> str:
        """The text with the server; what its owner added to the entry stays.

        NotOurs where somebody else's server has our name in any place that the program looks into: ours would be one of
        two, and could not be added again once it was taken out.
        """
        value = parse_jsonc(text).value
        for below in self._places():
            servers = _at(value, below)
            if isinstance(servers, dict) and NAME in servers and not is_server(servers[NAME]):
                raise NotOurs(ANOTHER)
        below = self._place(value)
        there = _at(value, (*below, NAME))
        if there is None:
            return with_member(text, (*below, NAME), dict(self.entry))
        for key, value in merge_entry(self.entry, there).items():
            if there.get(key) != value:
                text = with_member(text, (*below, NAME, key), value)
        return text

    def remove_entry(self, text: str) -> str:
        """The text without the server; another one of the same name stays, and one with options of its owner's."""
        for below in self._places():
            there = _at(parse_jsonc(text).value, (*below, NAME))
            if is_server(there) and not owners_options(there):
                text = without(text, (*below, NAME))
        return text

    def owner_options(self, text: str) -> list[str]:
        """The options of its owner's, for which it is not taken out."""
        value = parse_jsonc(text).value
        there = [_at(value, (*below, NAME)) for below in self._places()]
        return [word for entry in there if is_server(entry) for word in owners_options(entry)]

    def _place(self, value: object) -> tuple[str, ...]:
        """Return where the server is, else where it goes."""
        there = [below for below in self._places() if is_server(_at(value, (*below, NAME)))]
        if there:
            return there[0]
        nested = _at(value, _OPENCODE_2)
        second = isinstance(nested, dict) and not {"type", "command", "url", "enabled"} & nested.keys()
        if self.below == _OPENCODE_1 and second:
            return _OPENCODE_2
        return self.below

    def _places(self) -> tuple[tuple[str, ...], ...]:
        if self.below == _OPENCODE_1:
            return (_OPENCODE_2, _OPENCODE_1)
        return (self.below,)


class HookEntries(Value):
    """Hooks in a JSON file: for each event of the program the hook's command, wrapped as the program wants it."""

    hooks: Mapping[str, Mapping[str, Any]]
    grouped: bool = True
    """Whether hooks stand in groups, each with a list of them, as Claude Code has it; Cursor has them bare."""
    beside: Mapping[str, Any] = {}
    """What the file needs besides."""

    @property
    def alone(self) -> dict[str, Any]:
        """Return what a file holds that holds nothing else."""
        return {**self.beside, "hooks": {event: [self._wrapped(hook)] for event, hook in self.hooks.items()}}

    def add_entry(self, text: str) -> str:
        """The text with every hook; hooks of others stay, and ours are brought up to date where they stand."""
        for key, value in self.beside.items():
            if parse_jsonc(text).find(key) is None:
                text = with_member(text, (key,), value)
        for event, hook in self.hooks.items():
            there = [path for path in _hook_paths(parse_jsonc(text).value) if path[1] == event]
            if not there:
                text = with_item(text, ("hooks", event), self._wrapped(hook))
            for path in there[:1]:
                if _at(parse_jsonc(text).value, (*path, "command")) != hook["command"]:
                    text = with_member(text, (*path, "command"), hook["command"])
        return text

    def remove_entry(self, text: str) -> str:
        """The text without our hooks, whatever events they are for, and without groups that have no others."""
        value = parse_jsonc(text).value
        paths = [path[:3] if is_group(_at(value, path[:3])) else path for path in _hook_paths(value)]
        # From the last to the first, so that no number of an item changes before its turn.
        for path in reversed(dict.fromkeys(paths)):
            text = without(text, path)
        return text

    def owner_options(self, text: str) -> list[str]:
        """None: a hook has no options that would be an owner's."""
        del text
        return []

    def _wrapped(self, hook: Mapping[str, Any]) -> dict[str, Any]:
        if self.grouped:
            return {"hooks": [dict(hook)]}
        return dict(hook)


def _hook_paths(value: Any) -> list[Path]:
    """Return where our hooks stand, in order, in groups or bare."""
    events = None
    if isinstance(value, dict):
        events = value.get("hooks")
    found: list[Path] = []
    for event, listed in events.items() if isinstance(events, dict) else ():
        for number, group in enumerate(listed if isinstance(listed, list) else ()):
            if is_hook(group):
                found.append(("hooks", event, number))
            inner = None
            if isinstance(group, dict):
                inner = group.get("hooks")
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
