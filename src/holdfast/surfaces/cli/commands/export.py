"""`holdfast export`"""

from __future__ import annotations

import argparse

from holdfast.plural import count_of
from holdfast.surfaces.cli.command_memory import open_memory
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.operation_arguments import add_option, add_positional, call_operation

EXAMPLES = """\
  holdfast export memory.zip
  holdfast export memory.jsonl --force
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: where to."""
    add_positional(parser, "export_memory", "file", "FILE")
    add_option(parser, "export_memory", "replace", "--force")


def run(args: argparse.Namespace, console: Console) -> int:
    """Write one file, and say what is in it."""
    with open_memory(args) as memory:
        made = call_operation(memory.export, args)
    if console.as_json:
        console.json(made.to_json())
        return 0
    what = f"{count_of(made.notes, 'note')} with {count_of(made.facts, 'fact')}"
    console.line(f"Exported {what} to {made.path} ({made.bytes_written:,} bytes).")
    console.skipped_files(made.left_out, console.command("status", "--json"))
    console.line("Put them back, also in another home, with: holdfast import FILE --restore")
    return 0
