"""`holdfast delete`"""

from __future__ import annotations

import argparse

from holdfast.plural import count_of
from holdfast.surfaces.cli.command_memory import open_memory
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.operation_arguments import add_option, add_positional, call_operation

ARGUMENTS = {"delete_if_empty": "keep_empty"}
EXAMPLES = """\
  holdfast delete MEMORY.md --text "Prefers dark mode"
  holdfast delete memory/old-plan.md --file-itself
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: what to remove."""
    add_positional(parser, "memory_delete", "file", "FILE", note=", also in a folder below memory/")
    add_option(parser, "memory_delete", "text", metavar="T", text="the exact text to remove")
    add_option(parser, "memory_delete", "all_matches")
    parser.add_argument("--keep-empty", action="store_true", help="keep the file even if nothing is left in it")
    add_option(parser, "memory_delete", "delete_file", "--file-itself")


def run(args: argparse.Namespace, console: Console) -> int:
    """Remove and say how to bring it back."""
    with open_memory(args) as memory:
        deleted = call_operation(memory.delete, args, delete_if_empty=not args.keep_empty)
    if console.as_json:
        console.json(deleted.to_json())
        return 0
    what = deleted.path
    if not deleted.file_deleted:
        what = f"{count_of(deleted.matches_removed, 'match', 'matches')} from {deleted.path}"
    console.line(f"Deleted {what}. Bring it back with: {console.command('restore', deleted.checkpoint_id)}")
    return 0
