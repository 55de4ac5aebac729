"""`holdfast undo`"""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from holdfast.errors import BadArgument, CheckpointNotFound, ForgottenForGood, NoteChangedOutside
from holdfast.plural import clause, count_of, name_few
from holdfast.surfaces.cli.command_memory import open_memory
from holdfast.surfaces.cli.commands.restore import MOST_NAMED, describe_state
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.exit_codes import exit_status
from holdfast.surfaces.cli.operation_arguments import add_option, add_positional, call_operation

if TYPE_CHECKING:
    from holdfast.memory import Memory
    from holdfast.operations.undo_origin import BackOf

EXAMPLES = """\
  holdfast undo
  holdfast undo MEMORY.md
  holdfast undo c41d0a9e7b21
  holdfast undo --origin import --dry-run
  holdfast undo --origin mcp_tool --since 10d
"""
_ID = re.compile(r"c[0-9a-f]{3,12}", re.ASCII)  # no path is like that: those end in .md


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: of which note, and how boldly; or of which origin, and when."""
    # One word is either of two arguments here.
    text = "the last change of this note (default: of any), or the one change with this id; later ones stay"
    add_positional(parser, "undo_last", "path", "PATH|CHECKPOINT", text=text)
    add_option(parser, "undo_last", "force")
    # Without it the last change is meant, so it may be left out here.
    add_option(
        parser,
        "undo_origin",
        "origin",
        default=None,
        text="everything that came from there; what others wrote or edited stays",
    )
    add_option(parser, "undo_origin", "since", metavar="DAY", note=": 2026-03-05, 10d (with --origin)")
    add_option(parser, "undo_origin", "until", metavar="DAY", note=" (with --origin)")
    add_option(parser, "undo_origin", "whole_notes", note=" (with --origin outside)")
    add_option(parser, "undo_origin", "dry_run", note=" (with --origin)")


def run(args: argparse.Namespace, console: Console) -> int:
    """Take back one change, and again the one before; or all that came from one origin."""
    if args.origin is None and (args.since or args.until or args.whole_notes or args.dry_run):
        raise BadArgument("origin", "--since, --until, --whole-notes and --dry-run belong to --origin")
    if args.origin is not None and (args.path is not None or args.force):
        raise BadArgument("origin", "--origin is about all notes: leave out the path and --force")
    with open_memory(args) as memory:
        if args.origin is None:
            return undo_in(memory, args, console)
        return _undo_origin(memory, args, console)


def undo_in(memory: Memory, args: argparse.Namespace, console: Console) -> int:
    """The same in a memory that is open."""
    checkpoint = None
    if _ID.fullmatch(args.path or ""):
        checkpoint = args.path
    if checkpoint is not None and args.force:
        back = console.command("restore", checkpoint)
        raise BadArgument("force", f"one change alone is never forced out; `{back}` goes back")
    try:
        if checkpoint is not None:
            restored = memory.undo(checkpoint_ids=[checkpoint], keep_later=True)
        else:
            restored = memory.undo(args.path, force=args.force)
    except (CheckpointNotFound, NoteChangedOutside) as error:
        if checkpoint is None:
            message = _why_not(error, args.path, console)
        else:
            message = _why_not_alone(error, checkpoint, console)
        console.error(type(error).__name__, message)
        return exit_status(error)
    if console.as_json:
        console.json(restored.to_json())
        return 0
    if checkpoint is not None and restored.existed:
        state = "is without that change; later ones stay"
    else:
        state = describe_state(restored)
    console.line(f"Undone: {restored.path} {state}. Redo with: {console.command('restore', restored.checkpoint_id)}")
    if restored.also:
        console.line(f"With it, because they were changed as one: {name_few(restored.also, MOST_NAMED, ', ')}")
    if restored.left:
        console.note(f"Changed as one with it, and left as they are: {name_few(restored.left, MOST_NAMED, ', ')}")
        if restored.tool == "import":
            console.note(f"`{console.command('undo', '--origin', 'import')}` takes back all that was imported.")
    return 0


def _undo_origin(memory: Memory, args: argparse.Namespace, console: Console) -> int:
    done = call_operation(memory.undo_origin, args)
    if console.as_json:
        console.json(done.to_json())
        return 0
    for note in done.notes[:MOST_NAMED]:
        console.line(f"  {note.path}: {_change_text(note)}")
    if len(done.notes) > MOST_NAMED:
        console.line(f"  and {len(done.notes) - MOST_NAMED} more")
    for note in done.left[:MOST_NAMED]:
        console.note(f"  {note.path} is left as it is: {note.because}")
    if len(done.left) > MOST_NAMED:
        console.note(f"  and {len(done.left) - MOST_NAMED} more are left as they are")
    if not done.notes and done.left:
        console.line("Nothing was taken back.")
    elif not done.notes:
        console.line(f"Nothing to take back: no change of the origin {done.origin} stands.")
    elif done.dry_run:
        back = console.command("undo")
        console.line(f"Nothing was changed. Without --dry-run this is taken back, and one `{back}` reverts that.")
    else:
        back = console.command("undo")
        console.line(f"Taken back in {count_of(len(done.notes), 'note')}. `{back}` puts all of it back.")
    return 0


def _change_text(note: BackOf) -> str:
    if not note.exists:
        change = "gone"
    else:
        change = ", ".join(filter(None, (_lines(note.gone, "out"), _lines(note.back, "back")))) or "as it was"
    return change + clause("; {}, because somebody has edited them since", _lines(note.kept, "kept"))


def _lines(count: int, what: str) -> str:
    if not count:
        return ""
    return f"{count_of(count, 'line')} {what}"


def _why_not(error: CheckpointNotFound | NoteChangedOutside, path: str | None, console: Console) -> str:
    """The error in the words of an undo: what to type next, instead of what to read again."""
    if isinstance(error, ForgottenForGood):
        return str(error)
    if isinstance(error, CheckpointNotFound):
        if not path:
            return "There is nothing to undo."
        return f"There is nothing to undo in {path}."
    forced = console.command("undo", *filter(None, [path]), "--force")
    return (
        f"{error.path} was changed outside Holdfast since; nothing was overwritten. "
        f"`{forced}` takes the change back all the same, and can itself be taken back."
    )


def _why_not_alone(error: CheckpointNotFound | NoteChangedOutside, checkpoint: str, console: Console) -> str:
    """The same where one change was meant: the other way back takes later changes with it."""
    if isinstance(error, CheckpointNotFound):
        return str(error)
    back = console.command("restore", checkpoint)
    return (
        f"That change alone can't be taken out of {error.path}: its lines were changed since, or are gone already. "
        f"Nothing was overwritten. `{back}` puts the note back to what it was before that "
        "change, later changes and edits made outside go with it; that can itself be taken back."
    )
