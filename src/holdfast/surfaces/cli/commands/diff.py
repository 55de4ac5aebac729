"""`holdfast diff`"""

from __future__ import annotations

import argparse

from holdfast.surfaces.cli.command_memory import open_memory
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.operation_arguments import add_option, add_positional

EXAMPLES = """\
  holdfast diff
  holdfast diff c41d0a9e7b21
  holdfast diff c41d0a9e7b21 --now
"""
_STYLES = {"+": ("green",), "-": ("red",), "@": ("cyan",)}


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: which change."""
    add_positional(parser, "diff_change", "checkpoint", "CHECKPOINT", nargs="?", note=" (default: the last change)")
    add_option(parser, "diff_change", "against_now", "--now")


def run(args: argparse.Namespace, console: Console) -> int:
    """A unified diff."""
    from holdfast.errors import NotFound

    with open_memory(args) as memory:
        checkpoint = args.checkpoint
        if checkpoint is None:
            last = memory.history(limit=1)
            if not last:
                raise NotFound("There is nothing to show: nothing was changed yet.")
            checkpoint = last[0].id
        text = memory.diff(checkpoint, against_now=args.against_now)
    if console.as_json:
        console.json({"checkpoint": checkpoint, "diff": text})
        return 0
    if not text:
        console.note("No difference.")
        return 0
    for line in text.removesuffix("\n").split("\n"):
        console.styled(console.paint(line, *_STYLES.get(line[:1], ("dim",))))
    return 0
