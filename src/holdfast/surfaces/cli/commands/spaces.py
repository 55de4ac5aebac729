"""`holdfast spaces`"""

from __future__ import annotations

import argparse
import sys

from holdfast.errors import BadArgument
from holdfast.plural import count_of
from holdfast.surfaces.cli.action_parsers import add_actions
from holdfast.surfaces.cli.argument_errors import Parser
from holdfast.surfaces.cli.command_memory import open_memory
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.operation_arguments import add_positional

EXAMPLES = """\
  holdfast spaces list
  holdfast spaces drop 2 --yes
"""
_ACTIONS = {
    "list": ("every space, and how much of the notes it covers", "holdfast spaces list"),
    "drop": ("forget the vectors of one space", "holdfast spaces drop openai/text-embedding-3-small --yes"),
}


def configure(parser: Parser) -> None:
    """list or drop."""
    add_actions(parser, _ACTIONS, {"drop": _drop_arguments})


def _drop_arguments(parser: Parser) -> None:
    add_positional(parser, "drop_space", "which", "SPACE")
    parser.add_argument("--yes", action="store_true", help="do not ask")


def run(args: argparse.Namespace, console: Console) -> int:
    """Do what the action says."""
    with open_memory(args) as memory:
        found = memory.spaces()
        if args.action == "drop":
            if not args.yes and not _confirmed(args.which, console):
                console.note("Nothing was dropped.")
                return 0
            dropped = memory.drop_space(args.which)
            if console.as_json:
                console.json({"dropped": dropped.to_json()})
            else:
                console.line(f"Dropped {count_of(dropped.vectors, 'vector')} of {dropped.provider}/{dropped.model}.")
            return 0
    if console.as_json:
        console.json({"spaces": [space.to_json() for space in found]})
        return 0
    if not found:
        console.line(f"There are no vectors yet; `{console.command('index')}` makes them.")
        return 0
    console.table(
        ["", "space", "where", "dimensions", "covers", "vectors"],
        [
            [
                f"{space.number}{'*' if space.current else ''}",
                f"{space.provider}/{space.model}",
                space.endpoint or "this machine",
                f"{space.dimensions}",
                f"{space.embedded:,} of {count_of(space.texts, 'text')}",
                f"{space.vectors:,}",
            ]
            for space in found
        ],
    )
    return 0


def _confirmed(space: str, console: Console) -> bool:
    if not (sys.stdin and sys.stdin.isatty()):
        raise BadArgument("--yes", "the vectors may have cost money; say --yes to confirm")
    return console.ask(f"Forget all vectors of space {space}? [y/N]").lower() in ("y", "yes")
