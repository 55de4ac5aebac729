"""`holdfast config`"""

from __future__ import annotations

import argparse

from holdfast.memory import home_of
from holdfast.settings.load import load, settings_file
from holdfast.settings.reference import literal, rows
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.opening import agent_of

EXAMPLES = """\
  holdfast config show
  holdfast config get memory.citations
  holdfast config set memory.citations on
  holdfast config unset memory.citations
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """show, get, set, unset or path."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    show = actions.add_parser("show", help="every setting, its value, and where the value comes from")
    show.add_argument("--changed", action="store_true", help="only those that differ from the default")
    get = actions.add_parser("get", help="one setting")
    get.add_argument("key", metavar="KEY")
    setting = actions.add_parser("set", help="write a setting to holdfast.toml; comments stay")
    setting.add_argument("key", metavar="KEY")
    setting.add_argument("value", metavar="VALUE")
    unset = actions.add_parser("unset", help="take a setting out of holdfast.toml")
    unset.add_argument("key", metavar="KEY")
    actions.add_parser("path", help="where holdfast.toml is")


def run(args: argparse.Namespace, console: Console) -> int:
    """Do what the action says."""
    home = home_of(args.home)
    if args.action == "path":
        if console.as_json:
            console.json({"path": settings_file(home)})
        else:
            console.line(settings_file(home))
        return 0
    if args.action in ("set", "unset"):
        return _write(args, console)
    return _read(args, console, home)


def _read(args: argparse.Namespace, console: Console, home: str) -> int:
    from holdfast.settings.definitions import find_key

    shown = rows(load(home))
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
    return value if isinstance(value, str) else literal(value)


def _write(args: argparse.Namespace, console: Console) -> int:
    from holdfast.notes.workspace import Workspace
    from holdfast.tools.setting import change_setting

    value = args.value if args.action == "set" else None
    # Not through Memory: a file with a mistake in it must not keep the mistake from being mended.
    with Workspace.open(home_of(args.home), agent_of(args)) as workspace:
        file = change_setting(workspace, args.key, value)
    if console.as_json:
        console.json({"key": args.key, "value": value, "path": file})
    else:
        console.line(f"{args.key} = {value}" if value is not None else f"{args.key} is back to its default")
    return 0
