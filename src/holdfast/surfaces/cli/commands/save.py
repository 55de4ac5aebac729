"""`holdfast save`"""

from __future__ import annotations

import argparse
import sys

from holdfast.errors import BadArgument, BadText, TooLarge
from holdfast.guard.text_rules import MAX_WRITE_BYTES
from holdfast.surfaces.cli.command_memory import open_memory
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.operation_arguments import add_option, add_positional

EXAMPLES = """\
  holdfast save "Prefers dark mode"
  holdfast save "Chose PostgreSQL over MySQL" --file memory/decisions.md
  holdfast save "Met Ada about the launch" --daily
  git log -5 | holdfast save - --file memory/2026-03-01.md
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: what to save, and where."""
    add_positional(parser, "memory_save", "content", "TEXT", note="; - reads it from standard input")
    # The declared text tells a model what becomes of its words; those that are typed here are the owner's.
    place = "MEMORY.md or memory/<name>.md, also in a folder below memory/ (default: MEMORY.md)"
    add_option(parser, "memory_save", "file", metavar="F", text=place)
    parser.add_argument("--daily", action="store_true", help="to today's note, memory/<year>-<month>-<day>.md")
    parser.add_argument("--replace", action="store_true", help="replace the whole note instead of adding to it")


def run(args: argparse.Namespace, console: Console) -> int:
    """Save and say how to undo it."""
    if args.content == "-":
        content = read_stdin()
    else:
        content = args.content
    if args.daily and args.file:
        raise BadArgument("--daily", "it names today's note; leave out --file")
    with open_memory(args) as memory:
        file = args.file
        if args.daily:
            from holdfast.context.save_target import daily_note

            file = daily_note(memory.ctx)
        saved = memory.save(content, file=file, append=not args.replace)
    if console.as_json:
        console.json(saved.to_json())
    else:
        if not saved.checkpoint_id:
            console.line(f"{saved.path} is as it was.")
        else:
            console.line(f"Saved to {saved.path}. Undo with: {console.command('restore', saved.checkpoint_id)}")
        if saved.because:
            console.note(saved.because)
    return 0


def read_stdin() -> str:
    """Return what standard input brings, but no more than can be saved: a pipe may have no end."""
    if sys.stdin:
        data = sys.stdin.buffer.read(MAX_WRITE_BYTES + 1)
    else:
        data = b""
    if len(data) > MAX_WRITE_BYTES:
        raise TooLarge("text from standard input", None, MAX_WRITE_BYTES)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadText("text from standard input", "it is not valid UTF-8", line) from error
