"""`holdfast delete`"""

from __future__ import annotations

import argparse

from holdfast.surfaces.cli.command_memory import opened
from holdfast.surfaces.cli.console import Console

ARGUMENTS = {"delete_file": "file_itself", "delete_if_empty": "keep_empty"}
EXAMPLES = """\
  holdfast delete MEMORY.md --text "Prefers dark mode"
  holdfast delete memory/old-plan.md --file-itself
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: what to remove."""
    parser.add_argument("file", metavar="FILE", help="MEMORY.md or memory/<name>.md, also in a folder below memory/")
    parser.add_argument("--text", metavar="T", help="the exact text to remove")
    parser.add_argument("--all-matches", action="store_true", help="remove every match instead of the first")
    parser.add_argument("--keep-empty", action="store_true", help="keep the file even if nothing is left in it")
    parser.add_argument("--file-itself", action="store_true", help="delete the whole file")


def run(args: argparse.Namespace, console: Console) -> int:
    """Remove and say how to bring it back."""
    with opened(args) as memory:
        deleted = memory.delete(
            args.file,
            text=args.text,
            all_matches=args.all_matches,
            delete_if_empty=not args.keep_empty,
            delete_file=args.file_itself,
        )
    if console.as_json:
        console.json(deleted.to_json())
        return 0
    matches = f"{deleted.matches_removed} match{'es' if deleted.matches_removed != 1 else ''} from "
    if deleted.file_deleted:
        what = f"{deleted.path}"
    else:
        what = matches + deleted.path
    console.line(f"Deleted {what}. Bring it back with: holdfast restore {deleted.checkpoint_id}")
    return 0
