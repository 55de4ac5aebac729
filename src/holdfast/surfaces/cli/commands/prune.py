"""`holdfast prune`"""

from __future__ import annotations

import argparse

from holdfast.plural import count_of
from holdfast.surfaces.cli.command_memory import open_memory
from holdfast.surfaces.cli.console import Console

EXAMPLES = """\
  holdfast prune
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """No arguments of its own."""


def run(args: argparse.Namespace, console: Console) -> int:
    """Drop what memory.checkpoints.keep_days does not keep."""
    with open_memory(args) as memory:
        pruned = memory.prune()
    if console.as_json:
        console.json({"changes": pruned.changes, "objects": pruned.objects, "bytes": pruned.bytes})
    else:
        console.line(f"Dropped {count_of(pruned.changes, 'checkpoint')}, {pruned.bytes / 1e6:.1f} MB.")
    return 0
