"""The programs that can be connected: where each keeps its settings, and what it wants in them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from holdfast.errors import BadArgument
from holdfast.named_tuple import NamedTuple
from holdfast.notes.foreign_file import ForeignFile
from holdfast.surfaces.agents.hook_events import HOOKED, Event
from holdfast.surfaces.agents.settings_entries import HookEntries, Part, ServerEntry
from holdfast.surfaces.agents.toml_table import ServerTable

__all__ = ["CLIENTS", "Client", "File", "HoldfastCommand", "Scope", "files_of"]


class Client(StrEnum):
    """A program that speaks MCP."""

    CLAUDE_CODE = "claude-code"
    CLAUDE_DESKTOP = "claude-desktop"
    CODEX = "codex"
    CURSOR = "cursor"
    OPENCODE = "opencode"
    OPENCLAW = "openclaw"
    VSCODE = "vscode"
    GEMINI_CLI = "gemini-cli"
    WINDSURF = "windsurf"


class Scope(StrEnum):
    """The owner of the settings: the user, or the project in this directory."""

    USER = "user"
    PROJECT = "project"


class HoldfastCommand(NamedTuple):
    """The command to be started: the program with its first words, and what comes after its commands."""

    program: tuple[str, ...]
    options: tuple[str, ...] = ()
    hooks: bool = True
    serving: tuple[str, ...] = ()
    """Options of the server alone."""


class File(NamedTuple):
    """One settings file, and what goes into it."""

    place: ForeignFile
    parts: tuple[Part, ...]

    @property
    def alone(self) -> dict[str, Any]:
        """Return what it holds when it holds nothing but ours."""
        return {key: value for part in self.parts for key, value in part.alone.items()}

    @property
    def format(self) -> str:
        """json or toml, as the fence of a code block is named."""
        if self.place.parts[-1].endswith(".toml"):
            return "toml"
        return "json"


class _Known(NamedTuple):
    title: str
    server: Callable[[str, Scope], ForeignFile | None]
    below: tuple[str, ...] = ("mcpServers",)
    shape: Callable[[str, list[str]], dict[str, Any]] = lambda command, args: {"command": command, "args": args}
    hooks: Callable[[str, Scope], ForeignFile] | None = None
    remark: str = ""


def _below(variable: str, *parts: str) -> Callable[[str], ForeignFile]:
    """A directory that an environment variable may name; else parts below the person's home."""

    def place(home: str) -> ForeignFile:
        named = os.environ.get(variable, "")
        if os.path.isabs(named):
            return _foreign_file(named)
        return ForeignFile(home, parts)

    return place


def _foreign_file(path: str) -> ForeignFile:
    """A path from the nearest directory that is there: what is missing below it can be made."""
    base = path
    parts: tuple[str, ...] = ()
    while not os.path.lexists(base):
        base, name = os.path.split(os.path.abspath(base))
        parts = (name, *parts)
    return ForeignFile(base, parts)


def _applications(home: str) -> ForeignFile:
    """Return where desktop programs keep their settings."""
    mac = sys.platform == "darwin"
    if mac:
        return ForeignFile(home, ("Library", "Application Support"))
    return _below("XDG_CONFIG_HOME", ".config")(home)


def _in(folder: Callable[[str], ForeignFile], *parts: str) -> Callable[[str], ForeignFile]:
    def place(home: str) -> ForeignFile:
        above = folder(home)
        return ForeignFile(above.base, (*above.parts, *parts))

    return place


def _here() -> str:
    """The project's directory."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        raise BadArgument("--scope", "the directory that this was started in is gone; go to the project") from None


def _both(user: Callable[[str], ForeignFile], *project: str) -> Callable[[str, Scope], ForeignFile | None]:
    """A file of the user, and one of the project where there is such a thing."""

    def place(home: str, scope: Scope) -> ForeignFile | None:
        if scope is Scope.USER:
            return user(home)
        if not project:
            return None
        return ForeignFile(_here(), project)

    return place


_HOME = _below("")
_CLAUDE_VARIABLE = "CLAUDE_CONFIG_DIR"
_CLAUDE = _below(_CLAUDE_VARIABLE, ".claude")
_CODEX = _below("CODEX_HOME", ".codex")


def _claude_server(home: str) -> ForeignFile:
    # The one file of Claude Code that lies beside its directory, unless that was moved.
    moved = os.path.isabs(os.environ.get(_CLAUDE_VARIABLE, ""))
    if moved:
        return _in(_CLAUDE, ".claude.json")(home)
    return ForeignFile(home, (".claude.json",))


def _opencode(home: str, scope: Scope) -> ForeignFile:
    """Its settings may be called .json or .jsonc; the one that is there is meant."""
    if scope is Scope.USER:
        folder = _in(_below("XDG_CONFIG_HOME", ".config"), "opencode")(home)
    else:
        folder = ForeignFile(_here(), ())
    names = [ForeignFile(folder.base, (*folder.parts, name)) for name in ("opencode.json", "opencode.jsonc")]
    return next((place for place in names if os.path.lexists(place.path)), names[0])


def _openclaw(home: str) -> ForeignFile:
    named = os.environ.get("OPENCLAW_CONFIG_PATH", "")
    if os.path.isabs(named):
        folder, name = os.path.split(os.path.normpath(named))
        above = _foreign_file(folder)
        return ForeignFile(above.base, (*above.parts, name))
    return ForeignFile(home, (".openclaw", "openclaw.json"))


def _typed(command: str, args: list[str]) -> dict[str, Any]:
    return {"type": "stdio", "command": command, "args": args}


def _loaded_at_once(command: str, args: list[str]) -> dict[str, Any]:
    # Claude Code hides the tools of a server behind a search, and does not wait for it before the first request.
    return {**_typed(command, args), "alwaysLoad": True}


def _hooks(user: Callable[[str], ForeignFile], *project: str) -> Callable[[str, Scope], ForeignFile]:
    return lambda home, scope: user(home) if scope is Scope.USER else ForeignFile(_here(), project)


CLIENTS: Mapping[Client, _Known] = {
    Client.CLAUDE_CODE: _Known(
        "Claude Code",
        _both(_claude_server, ".mcp.json"),
        shape=_loaded_at_once,
        hooks=_hooks(_in(_CLAUDE, "settings.json"), ".claude", "settings.json"),
        remark="Start a new session, and /mcp and /hooks show what was added.",
    ),
    Client.CLAUDE_DESKTOP: _Known(
        "Claude Desktop",
        _both(_in(_applications, "Claude", "claude_desktop_config.json")),
        remark="Quit Claude Desktop and start it again.",
    ),
    Client.CODEX: _Known(
        "Codex",
        _both(_in(_CODEX, "config.toml"), ".codex", "config.toml"),
        hooks=_hooks(_in(_CODEX, "hooks.json"), ".codex", "hooks.json"),
        remark="Codex runs new hooks only after you have trusted them: it asks, or type /hooks.",
    ),
    Client.CURSOR: _Known(
        "Cursor",
        _both(_in(_HOME, ".cursor", "mcp.json"), ".cursor", "mcp.json"),
        hooks=_hooks(_in(_HOME, ".cursor", "hooks.json"), ".cursor", "hooks.json"),
        remark="Open a new chat; the settings page of Cursor lists servers and hooks.",
    ),
    Client.OPENCODE: _Known(
        "OpenCode",
        _opencode,
        below=("mcp",),
        shape=lambda command, args: {"type": "local", "command": [command, *args], "enabled": True},
        remark="OpenCode has no hooks for commands; the model looks into memory with the tools.",
    ),
    Client.OPENCLAW: _Known(
        "OpenClaw",
        _both(_openclaw),
        below=("mcp", "servers"),
        remark="`openclaw mcp doctor holdfast --probe` shows whether it starts.",
    ),
    Client.VSCODE: _Known(
        "VS Code",
        _both(_in(_applications, "Code", "User", "mcp.json"), ".vscode", "mcp.json"),
        below=("servers",),
        shape=_typed,
        remark="`MCP: List Servers` in the command palette starts it.",
    ),
    Client.GEMINI_CLI: _Known(
        "Gemini CLI",
        _both(_in(_HOME, ".gemini", "settings.json"), ".gemini", "settings.json"),
        hooks=_hooks(_in(_HOME, ".gemini", "settings.json"), ".gemini", "settings.json"),
        remark="Start it again, and /mcp and /hooks show what was added.",
    ),
    Client.WINDSURF: _Known(
        "Windsurf",
        _both(_in(_HOME, ".codeium", "windsurf", "mcp_config.json")),
        remark="Press the button that reads the servers anew in Cascade's MCP page.",
    ),
}


def files_of(client: Client, scope: Scope, wanted: HoldfastCommand) -> list[File]:
    """The settings files of a program, and what goes into each of them."""
    known = CLIENTS[client]
    home = os.path.expanduser("~")
    place = known.server(home, scope)
    if place is None:
        raise BadArgument("--scope", f"{known.title} has no settings of a project; use --scope user")
    program, *first = wanted.program
    args = [*first, "mcp", *wanted.serving, *wanted.options]
    table = ServerTable({"command": program, "args": args})
    server: Part = table if place.parts[-1].endswith(".toml") else ServerEntry(known.below, known.shape(program, args))
    files = [File(place, (server,))]
    if known.hooks is None or not wanted.hooks:
        return files
    hooks = _hook_part(client, wanted)
    second = known.hooks(home, scope)
    if second == place:
        return [File(place, (server, hooks))]
    return [*files, File(second, (hooks,))]


def _hook_part(client: Client, wanted: HoldfastCommand) -> HookEntries:
    import shlex

    hooked = HOOKED[client.value]

    def command(event: Event) -> str:
        return shlex.join([*wanted.program, "hook", event.value, "--client", client.value, *wanted.options])

    if not hooked.grouped:
        bare = {hooked.names[event]: {"command": command(event), "timeout": hooked.seconds(event)} for event in Event}
        return HookEntries(bare, grouped=False, beside={"version": 1})
    grouped = {
        hooked.names[event]: {"type": "command", "command": command(event), "timeout": hooked.seconds(event)}
        for event in Event
    }
    return HookEntries(grouped)
