"""The MCP server in a TOML file, as Codex has it. Comments and order stay, and what comes out is read again.

A table can be written in many ways, and the library that edits them does not know all: what it made is only taken when
it says what it should, and else plain lines go to the end of the file. They come out as lines where that is enough.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from typing import Any

from holdfast.guard.jsonc import NotJson
from holdfast.surfaces.agents.own_entries import NAME, is_server, merge_entry, owners_options
from holdfast.surfaces.agents.settings_entries import ANOTHER, NotOurs
from holdfast.value import Value

__all__ = ["ServerTable", "toml_value"]


_HEADER = re.compile(r"\s*\[\[?[^\[\],]+\]\]?\s*(#.*)?$")


class ServerTable(Value):
    """The table `[mcp_servers.holdfast]`, or what says the same."""

    entry: Mapping[str, Any]
    table: str = "mcp_servers"

    @property
    def alone(self) -> dict[str, Any]:
        """Return what a file holds that holds nothing else."""
        return {self.table: {NAME: dict(self.entry)}}

    def add_entry(self, text: str) -> str:
        """The text with the server; what its owner added to the entry stays."""
        value = toml_value(text)
        servers = value.get(self.table, {})
        if not isinstance(servers, dict):
            raise NotJson(f"{self.table} is not a table")
        if NAME in servers and not is_server(servers[NAME]):
            raise NotOurs(ANOTHER)
        whole = {**servers.get(NAME, {}), **merge_entry(self.entry, servers.get(NAME))}
        wanted = {**value, self.table: {**servers, NAME: whole}}
        if wanted == value:
            return text
        return _first((self._edited, self._at_the_end), text, (wanted,), "added to")

    def remove_entry(self, text: str) -> str:
        """The text without the server; another one of the same name stays, and one with options of its owner's."""
        if self.owner_options(text):
            return text
        return self._taken_out(text)

    def owner_options(self, text: str) -> list[str]:
        """The options of its owner's, for which it is not taken out."""
        there = _there(text, self.table)
        if not is_server(there):
            return []
        return owners_options(there)

    def _taken_out(self, text: str) -> str:
        value = toml_value(text)
        servers = value.get(self.table)
        if not isinstance(servers, dict) or not is_server(servers.get(NAME)):
            return text
        others = {key: server for key, server in servers.items() if key != NAME}
        rest = {key: table for key, table in value.items() if key != self.table}
        left = {**rest, self.table: others}
        return _first((self._without_lines, self._cut), text, (left,) if others else (rest, left), "taken out of")

    def _edited(self, text: str) -> str:
        import tomlkit
        from tomlkit.items import InlineTable

        document = tomlkit.parse(text)
        servers: Any = document.setdefault(self.table, tomlkit.table(is_super_table=True))
        if NAME in servers:
            for key, value in merge_entry(self.entry, _there(text, self.table)).items():
                if servers[NAME].get(key) != value:
                    servers[NAME][key] = value
            return _ended_as(text, tomlkit.dumps(document))
        # Made here, and not within the table: a file that has servers gets ours after the last of them.
        made: Any = tomlkit.inline_table() if isinstance(servers, InlineTable) else tomlkit.table()
        for key, value in self.entry.items():
            made[key] = value
        servers[NAME] = made
        return _ended_as(text, tomlkit.dumps(document))

    def _at_the_end(self, text: str) -> str:
        import tomlkit

        before = self._taken_out(text)
        made = tomlkit.inline_table()
        there = tomllib.loads(text).get(self.table, {}).get(NAME, {})
        made.update({**there, **merge_entry(self.entry, there)})
        rows = [f"[{self.table}.{NAME}]", *(f"{key} = {item.as_string()}" for key, item in made.items())]
        gap = ""
        if before:
            gap = "\n" if before.endswith("\n") else "\n\n"
        return _ended_as(text, before + gap + "\n".join([*rows, ""]))

    def _cut(self, text: str) -> str:
        import tomlkit

        document = tomlkit.parse(text)
        servers: Any = document[self.table]
        del servers[NAME]
        trivia = getattr(servers, "trivia", None)
        # Comments at an empty table are its owner's.
        if not servers and "#" not in servers.as_string() and not (trivia and trivia.comment):
            del document[self.table]
        return tomlkit.dumps(document)

    def _without_lines(self, text: str) -> str:
        """The text without the lines of our table, and without those that name it from outside."""
        table, name = (rf"\s*['\"]?{word}['\"]?\s*" for word in (self.table, NAME))
        key = rf"{table}\.{name}[.=]"
        kept: list[str] = []
        ours: list[str] | None = None
        quoted = False  # within a text over several lines, which may look like anything
        for line in [*text.splitlines(keepends=True), "[end]"]:
            if not quoted and _HEADER.match(line):
                kept += _comments_at_the_end(ours or [])
                ours = None
                if re.match(rf"\s*\[{table}\.{name}[.\]]", line):
                    ours = []
                if re.match(rf"\s*\[{table}\]", line):
                    key = rf"{name}[.=]"
                else:
                    key = ""
                while ours is not None and kept and not kept[-1].strip():
                    kept.pop()
            if ours is not None:
                ours.append(line)
            elif quoted or not key or not re.match(key, line):
                kept.append(line)
            quoted ^= (line.count('"""') + line.count("'''")) % 2 == 1
        return "".join(kept[:-1])


def _there(text: str, table: str) -> Any:
    servers = toml_value(text).get(table)
    if not isinstance(servers, dict):
        return None
    return servers.get(NAME)


def toml_value(text: str) -> dict[str, Any]:
    """Return what a TOML file says, to compare it with what another says; NotJson where it is none."""
    try:
        # Numbers with a point as they are written: nan is not equal to itself.
        return tomllib.loads(text, parse_float=lambda number: ("float", number))
    except RecursionError:
        raise NotJson("its brackets are nested too deeply") from None
    except ValueError as error:
        raise NotJson(f"it is not TOML: {str(error)[:200]}") from None


def _ended_as(text: str, made: str) -> str:
    """Return what was made, with the ends of lines that the text has."""
    if "\r\n" in text and not re.search(r"(?<!\r)\n", text):
        return re.sub(r"(?<!\r)\n", "\r\n", made)
    return made


def _comments_at_the_end(lines: list[str]) -> list[str]:
    """Return what stands between our last line and the next table belongs to that one."""
    place = len(lines)
    while place and (not lines[place - 1].strip() or lines[place - 1].lstrip().startswith("#")):
        place -= 1
    return lines[place:]


def _first(ways: tuple[Callable[[str], str], ...], text: str, wanted: tuple[object, ...], verb: str) -> str:
    """Return what the first of these ways makes that says what it should."""
    for way in ways:
        try:
            made = way(text)
            if toml_value(made) in wanted:
                return made
        except Exception:  # noqa: BLE001, S112 - whatever the library says to a table that it can't edit
            continue
    raise NotOurs(f"Holdfast can't be {verb} it without touching other settings; do it by hand")
