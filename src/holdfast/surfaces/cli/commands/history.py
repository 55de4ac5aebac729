"""`holdfast history`"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from holdfast.plural import clause
from holdfast.surfaces.cli.command_memory import must_exist, open_memory
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.operation_arguments import add_option, add_positional, call_operation

if TYPE_CHECKING:
    from holdfast.checkpoints.change import Change

EXAMPLES = """\
  holdfast history
  holdfast history MEMORY.md -n 50
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: which note, and how far back."""
    add_positional(parser, "list_changes", "path", "PATH")
    add_option(parser, "list_changes", "limit", "-n", "--limit")


def run(args: argparse.Namespace, console: Console) -> int:
    """A line for each change, newest first."""
    from holdfast.operations.checkpoints_list import Checkpoints, moment

    with open_memory(args) as memory:
        changes = call_operation(memory.history, args)
        if args.path and not changes:
            must_exist(memory, args.path)
    if console.as_json:
        console.json(Checkpoints(tuple(changes)).to_json())
        return 0
    if not changes:
        console.note(clause("No changes of {} yet.", args.path) or "Nothing has been changed yet.")
        return 0
    rows = []
    for change in changes:
        at = moment(change.at)
        if at:
            when = at.astimezone().strftime("%Y-%m-%d %H:%M:%S")
        else:
            when = "unknown"
        rows.append((change.id, when, _who(change), f"{change.tool} ({change.reason})".replace(" ()", ""), change.path))
    console.table(("CHECKPOINT", "WHEN", "BY", "HOW", "NOTE"), rows, yields="HOW")
    return 0


def _who(change: Change) -> str:
    """Return who made a change, and whose words it brought where those are another's."""
    if not change.author:
        return change.origin
    return f"{change.origin} (words of {change.author})"
