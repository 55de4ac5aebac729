"""`holdfast get`"""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from holdfast.errors import BadArgument, BadPath, ChunkNotFound, NoteNotFound
from holdfast.pattern import compile_late
from holdfast.surfaces.cli.command_memory import open_memory
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.operation_arguments import add_option, add_positional, call_operation

if TYPE_CHECKING:
    from holdfast.memory import Memory

_NOTHING = 3
_CITATION = compile_late(r"(.+\.md)[#:]([1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8}))?", re.DOTALL)  # no note is called so
ARGUMENTS = {"from": "from_line"}
EXAMPLES = """\
  holdfast get MEMORY.md
  holdfast get memory/decisions.md --from 40 --lines 20
  holdfast get memory/decisions.md#42
  holdfast get --chunk-id memory/decisions.md:42
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: what to read."""
    add_positional(
        parser, "memory_get", "path", "PATH", note=", or a note of extra_paths; PATH#LINE and PATH#FIRST-LAST too"
    )
    add_option(parser, "memory_get", "from_line", "--from")
    add_option(parser, "memory_get", "lines")
    add_option(parser, "memory_get", "chunk_id", metavar="ID")


def run(args: argparse.Namespace, console: Console) -> int:
    """Print the text as it stands in the note."""
    if (args.path is None) == (args.chunk_id is None):
        if args.path is None:
            why = "nothing was named; name a note"
        else:
            why = "a note and a chunk were named; name a note"
        raise BadArgument("PATH", f"{why}, or a chunk of it with --chunk-id")
    _take_citation(args)
    with open_memory(args) as memory:
        try:
            got = call_operation(memory.get, args)
        except BadPath as error:
            near = _similar_notes(memory, args.path)
            if not near:
                raise
            raise BadPath(args.path, error.why, near) from None
        near = ()
        if got.status != "ok":
            near = _similar_notes(memory, args.path)
    is_there = got.status == "ok"
    if console.as_json:
        shown = got.to_json()
        if near:
            shown["near"] = list(near)
        console.json(shown)
        return 0 if is_there else _NOTHING
    if not is_there and args.path:
        raise NoteNotFound(args.path, near)
    if not is_there:
        raise ChunkNotFound(args.chunk_id)
    console.line(got.text)
    if args.path is not None and got.from_line > max(1, got.total_lines):
        console.note(f"The note ends with line {got.total_lines}; nothing stands at --from {got.from_line}.")
    elif got.next_from:
        console.note(
            f"Lines {got.from_line} to {got.next_from - 1} of {got.total_lines}; go on with --from {got.next_from}"
        )
    elif got.truncated:
        console.note("The last line is longer than can be read at once, and was cut.")
    return 0


def _take_citation(args: argparse.Namespace) -> None:
    """Let the place that a search prints name the note and its lines; --from and --lines that were typed go before."""
    cited = _CITATION.fullmatch(args.path or "")
    if cited is None:
        return
    args.path = cited[1]
    if args.from_line == 1:
        args.from_line = int(cited[2])
    if cited[3]:
        args.lines = min(args.lines, int(cited[3]) - int(cited[2]) + 1)


def _similar_notes(memory: Memory, path: str | None) -> tuple[str, ...]:
    """Return the notes that are called nearly as the one that was typed."""
    from holdfast.context.near_notes import near_notes

    if not path:
        return ()
    return near_notes(memory.ctx, path)
