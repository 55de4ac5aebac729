"""`holdfast restore`"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

from holdfast.plural import count_of, name_few
from holdfast.surfaces.cli.command_memory import open_memory
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.operation_arguments import add_option, add_positional

if TYPE_CHECKING:
    from holdfast.operations.checkpoint_restore import Restored

EXAMPLES = """\
  holdfast history
  holdfast restore c41d0a9e7b21
"""
MOST_NAMED: Final = 20  # notes


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: which change to go back before."""
    # A tool gives a model the id under another name.
    text = "the id from `holdfast history`, or its beginning"
    add_positional(parser, "checkpoint_restore", "checkpoint", "CHECKPOINT", text=text)
    add_option(parser, "checkpoint_restore", "alone")


def run(args: argparse.Namespace, console: Console) -> int:
    """Restore and say how to undo that."""
    with open_memory(args) as memory:
        restored = memory.restore(args.checkpoint, alone=args.alone)
    if console.as_json:
        console.json(restored.to_json())
        return 0
    back = console.command("restore", restored.checkpoint_id)
    console.line(f"{restored.path} {describe_state(restored)}. Undo this with: {back}")
    if restored.also:
        console.line(f"With it, because they were changed as one: {name_few(restored.also, MOST_NAMED, ', ')}")
    went = []
    if restored.later:
        went.append(count_of(restored.later, "later change"))
    if restored.outside:
        went.append("an edit made outside")
    if went:
        console.note(
            f"This also took back {' and '.join(went)}. To keep those, undo this, "
            f"then take back the one change alone: {console.command('undo', args.checkpoint)}"
        )
    return 0


def describe_state(restored: Restored) -> str:
    """Return what a note is after a change was taken back."""
    if restored.existed:
        return "is back to what it was"
    return "is gone again, as it was"
