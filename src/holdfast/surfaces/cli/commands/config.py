"""`holdfast config`"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from holdfast.errors import SettingsError, UnknownSetting
from holdfast.guard.paths import agent_id
from holdfast.plural import clause
from holdfast.settings.home_path import home_of
from holdfast.settings.keys import BY_PATH, KEYS, TABLES, find_key
from holdfast.settings.loader import load, settings_file
from holdfast.settings.settings_reference import literal, rows, toml_value
from holdfast.surfaces.cli.action_parsers import add_actions
from holdfast.surfaces.cli.argument_errors import Parser
from holdfast.surfaces.cli.command_memory import agent_of, named_agent, refuse_mistyped_home
from holdfast.surfaces.cli.console import Console

if TYPE_CHECKING:
    from holdfast.operations.setting_change import EditedText

EXAMPLES = """\
  holdfast config show
  holdfast config get memory.citations
  holdfast config set memory.citations on
  holdfast config set memory.extra_paths ~/notes ~/work/docs
  holdfast config unset memory.citations
  holdfast config set --agent coder memory.search.max_results 3
"""
MAY_BEGIN_HOME = True
_ACTIONS = {
    "show": ("every setting, its value, and where the value comes from", "holdfast config show --changed"),
    "list": ("the same as show", "holdfast config list --agent coder"),
    "get": ("one setting", "holdfast config get memory.citations"),
    "set": (
        "write a setting to holdfast.toml, with --agent to that agent's own; comments stay",
        "holdfast config set memory.search.max_results 10",
    ),
    "unset": (
        "take a setting out of holdfast.toml, so that its default holds, or for an agent what the home has",
        "holdfast config unset memory.citations",
    ),
    "path": ("where holdfast.toml is, with --agent that of the agent", "holdfast config path"),
}
_OF_A_KEY = ("get", "set", "unset")


def configure(parser: Parser) -> None:
    """show, get, set, unset or path."""
    arguments = {
        "show": _show_arguments,
        "list": _show_arguments,
        "get": _add_key,
        "set": _set_arguments,
        "unset": _add_key,
    }
    add_actions(parser, _ACTIONS, arguments)


def _show_arguments(parser: Parser) -> None:
    parser.add_argument("--changed", action="store_true", help="only those that differ from the default")


def _add_key(parser: Parser) -> None:
    parser.add_argument(
        "key", metavar="KEY", help="a setting, such as memory.citations; `holdfast config show` lists them"
    )


def _set_arguments(parser: Parser) -> None:
    _add_key(parser)
    parser.add_argument(
        "value",
        metavar="VALUE",
        nargs="+",
        help='its new value; true or false for a switch; for a list several words, a:b, a,b or ["a", "b"]',
    )


def run(args: argparse.Namespace, console: Console) -> int:
    """Do what the action says."""
    home, named = home_of(args.home), named_agent(args)
    agent_id(named or "main")
    refuse_mistyped_home(args)
    if args.action == "path":
        file = settings_file(home, named)
        if console.as_json:
            console.json({"path": file})
        else:
            console.line(file)
        return 0
    try:
        if args.action in ("set", "unset"):
            return _write(args, console)
        return _read(args, console, home)
    except UnknownSetting as error:
        if error.file is None and args.action in _OF_A_KEY and args.key in TABLES:
            raise _table(args.key) from None
        raise


def _table(name: str) -> SettingsError:
    keys = [key.path for key in KEYS if key.table == name]
    tables = sorted(table for table in TABLES if table.rpartition(".")[0] == name)
    if keys:
        inside = f"its keys are {', '.join(keys)}"
    else:
        inside = ""
    if tables:
        below = f"the tables in it are {', '.join(tables)}"
    else:
        below = ""
    return SettingsError(f"'{name}' is a table, not one setting; {'; '.join(filter(None, (inside, below)))}.")


def _read(args: argparse.Namespace, console: Console, home: str) -> int:
    loaded = load(home, agent_of(args))
    for hint in loaded.hints:
        console.note(hint)
    shown = rows(loaded)
    if args.action == "get":
        key = find_key(args.key).path
        row = next(row for row in shown if row.key == key)
        if console.as_json:
            console.json({"key": row.key, "value": row.value, "source": row.source})
        else:
            console.line(_plain(row.value))
        return 0
    if args.changed:
        shown = [row for row in shown if row.source != "default"]
    if console.as_json:
        console.json({"settings": [{"key": r.key, "value": r.value, "source": r.source} for r in shown]})
    else:
        console.table(("KEY", "VALUE", "FROM"), [(r.key, _plain(r.value), r.source) for r in shown])
    return 0


def _plain(value: object) -> str:
    """The value as `config set` takes it; text without quotes."""
    if isinstance(value, str):
        return value
    return literal(value)


def _write(args: argparse.Namespace, console: Console) -> int:
    from holdfast.notes.file_workspace import FileWorkspace
    from holdfast.operations.setting_change import edit_text, find_old_keys, find_overrides

    value, named = None, named_agent(args)
    if args.action == "set":
        value = _value(args.value)
    # Not through Memory: a file with a mistake in it must not keep the mistake from being mended.
    with FileWorkspace.open(home_of(args.home), agent_of(args)) as workspace:
        edited = edit_text(workspace, {args.key: value}, of_agent=named is not None)
        overrides = find_overrides(workspace, args.key, of_agent=named is not None)
        if value is None:
            old = find_old_keys(workspace, args.key)
        else:
            old = []
    shown = None
    if value is not None:
        shown = _parse_value(args.key, value)
    if console.as_json:
        written: dict[str, object] = {"key": args.key, "value": shown, "path": edited.file}
        if overrides or old:
            written["overridden_by"] = [*overrides, *old]
        console.json(written)
        return 0
    whose = clause(" for agent {}", named)
    if shown is not None:
        console.line(f"{args.key} = {_plain(shown)}{whose}")
    else:
        console.line(f"{args.key} {_unset(args.key, edited, old, named)}{whose}")
    if overrides:
        console.note(_without_effect(overrides))
    return 0


def _unset(key: str, edited: EditedText, old: Sequence[str], agent: str | None) -> str:
    """Return what became of a key that is not to be in the file: only one that there is has a default."""
    gone = edited.after != edited.before
    if key not in BY_PATH:
        if gone:
            return "was taken out of the file"
        return "is not in the file"
    if old:
        if gone:
            took = "was taken out of the file"
        else:
            took = "is not in the file"
        unset = " and ".join(f"`holdfast config unset {name}`" for name in old)
        return f"{took}, but {', '.join(old)} of an earlier version still counts: {unset} takes that out"
    if agent:
        return "is as the home has it"
    return "is back to its default"


def _without_effect(overrides: Mapping[str, str | None]) -> str:
    """Return what holds instead of what was written; what overrides it for everybody is reason enough."""
    for_all = next((source for source, agent in overrides.items() if agent is None), None)
    if for_all is not None:
        return f"This has no effect: {for_all} overrides it."
    agents = ", ".join(str(agent) for agent in overrides.values())
    if len(overrides) == 1:
        verb = "overrides"
    else:
        verb = "override"
    return f"This has no effect for {agents}: {', '.join(overrides)} {verb} it."


def _value(words: list[str]) -> str:
    """The value that was typed; several words are the entries of a list."""
    if len(words) == 1:
        return words[0]
    return literal(words)


def _parse_value(key: str, text: str) -> object:
    """Return what the text means, as `config get` will show it."""
    from holdfast.settings.toml_edit import parse_value

    if find_key(key).secret:
        return "set"
    return toml_value(parse_value(key, text))
