"""`holdfast purge`"""

from __future__ import annotations

import argparse
import sys

from holdfast.errors import NotConfirmed
from holdfast.plural import count_of
from holdfast.surfaces.cli.command_memory import must_exist, open_memory
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.operation_arguments import add_positional

EXAMPLES = """\
  holdfast purge memory/old-plan.md --yes
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: of which note; it can't be undone, so it asks."""
    add_positional(parser, "purge_note", "path", "PATH")
    parser.add_argument("--yes", action="store_true", help="do not ask")


def run(args: argparse.Namespace, console: Console) -> int:
    """Drop all checkpoints of one note."""
    with open_memory(args) as memory:
        if not memory.history(args.path, limit=1):
            must_exist(memory, args.path)
        purged = None
        if args.yes or _confirmed(args.path, console):
            purged = memory.purge(args.path)
    if purged is None:
        console.note("Nothing was dropped.")
    if console.as_json:
        from holdfast.checkpoints.retention import Pruned

        console.json((purged or Pruned(0, 0, 0))._asdict())
    elif purged is not None:
        console.line(f"Dropped {count_of(purged.changes, 'checkpoint')} of {args.path}, {purged.bytes / 1e6:.1f} MB.")
    return 0


def _confirmed(path: str, console: Console) -> bool:
    if not (sys.stdin and sys.stdin.isatty()):
        raise NotConfirmed("dropped", "purging can't be undone")
    return console.ask(f"Drop every checkpoint of {path}, for good? [y/N]").lower() in ("y", "yes")
