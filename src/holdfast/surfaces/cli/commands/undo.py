"""`holdfast undo`"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from holdfast.errors import CheckpointNotFound, NoteChangedOutside
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.exits import exit_status
from holdfast.surfaces.cli.opening import opened

if TYPE_CHECKING:
    from holdfast.memory import Memory

EXAMPLES = """\
  holdfast undo
  holdfast undo MEMORY.md
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Of which note, and how boldly."""
    parser.add_argument("path", metavar="PATH", nargs="?", help="the last change of this note (default: of any)")
    parser.add_argument("--force", action="store_true", help="also when the note was changed outside since")


def run(args: argparse.Namespace, console: Console) -> int:
    """Take back one change; again takes back the one before."""
    with opened(args) as memory:
        return undo_in(memory, args, console)


def undo_in(memory: Memory, args: argparse.Namespace, console: Console) -> int:
    """The same in a memory that is open."""
    try:
        restored = memory.undo(args.path, force=args.force)
    except (CheckpointNotFound, NoteChangedOutside) as error:
        console.error(type(error).__name__, _why_not(error, args.path))
        return exit_status(error)
    if console.as_json:
        console.json(restored.to_json())
        return 0
    state = "is back to what it was" if restored.existed else "is gone again, as it was"
    console.line(f"Undone: {restored.path} {state}. Redo with: holdfast restore {restored.checkpoint_id}")
    return 0


def _why_not(error: CheckpointNotFound | NoteChangedOutside, path: str | None) -> str:
    """The error in the words of an undo: what to type next, instead of what to read again."""
    if isinstance(error, CheckpointNotFound):
        return f"There is nothing to undo in {path}." if path else "There is nothing to undo."
    return (
        f"{error.path} was changed outside Holdfast since; nothing was overwritten. "
        f"`holdfast undo {'' if path is None else path + ' '}--force` takes the change back all the same, "
        "and can itself be taken back."
    )
