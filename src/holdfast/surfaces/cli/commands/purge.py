"""`holdfast purge`"""

from __future__ import annotations

import argparse
import sys

from holdfast.errors import BadArgument
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.opening import opened

EXAMPLES = """\
  holdfast purge memory/old-plan.md --yes
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Of which note; it can't be undone, so it asks."""
    parser.add_argument("path", metavar="PATH", help="the note whose checkpoints go")
    parser.add_argument("--yes", action="store_true", help="do not ask")


def run(args: argparse.Namespace, console: Console) -> int:
    """Drop all checkpoints of one note."""
    if not args.yes:
        if not sys.stdin.isatty():
            raise BadArgument("--yes", "purging can't be undone; say --yes to confirm")
        if input(f"Drop every checkpoint of {args.path}, for good? [y/N] ").strip().lower() not in ("y", "yes"):
            console.note("Nothing was dropped.")
            return 0
    with opened(args) as memory:
        purged = memory.purge(args.path)
    if console.as_json:
        console.json({"changes": purged.changes, "objects": purged.objects, "bytes": purged.bytes})
    else:
        console.line(f"Dropped {purged.changes:,} checkpoints of {args.path}, {purged.bytes / 1e6:.1f} MB.")
    return 0
