"""`holdfast user`"""

from __future__ import annotations

import argparse

from holdfast.errors import CheckpointNotFound, NoteChangedOutside
from holdfast.surfaces.cli.action_parsers import add_actions
from holdfast.surfaces.cli.argument_errors import Parser
from holdfast.surfaces.cli.command_memory import open_memory
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.exit_codes import exit_status
from holdfast.surfaces.cli.operation_arguments import add_option, add_positional

EXAMPLES = """\
  holdfast user show
  holdfast user set timezone Europe/Berlin
  holdfast user undo
"""
_ACTIONS = {
    "show": ("who the user is, from holdfast.toml and USER.md", "holdfast user show --json"),
    "set": ("save the user's name, time zone or location", "holdfast user set name Ada"),
    "undo": ("take back the last change, in USER.md and in holdfast.toml", "holdfast user undo"),
}


def configure(parser: Parser) -> None:
    """show, set or undo."""
    add_actions(parser, _ACTIONS, {"set": _set_arguments, "undo": _undo_arguments})


def _set_arguments(parser: Parser) -> None:
    add_positional(parser, "UserProfile.save", "field", "FIELD")
    add_positional(parser, "UserProfile.save", "value", "VALUE")


def _undo_arguments(parser: Parser) -> None:
    add_option(parser, "UserProfile.undo", "force", note="; the next undo reverts that")


def run(args: argparse.Namespace, console: Console) -> int:
    """Do what the action says."""
    with open_memory(args) as memory:
        profile = memory.profile
        if args.action == "show":
            shown = profile.read()
            if console.as_json:
                console.json({"user": shown.to_json()})
            elif shown.text:
                console.line(shown.text)
            else:
                console.note(
                    f"Nothing is known yet; `{console.command('user', 'set', 'name', 'Ada')}` saves something."
                )
            return 0
        try:
            if args.action == "set":
                saved = profile.save(args.field, args.value)
            else:
                saved = profile.undo(force=args.force)
        except CheckpointNotFound as error:
            console.error(type(error).__name__, "There is nothing to undo: the profile has not been changed.")
            return exit_status(error)
        except NoteChangedOutside as error:
            if args.action == "set":
                raise
            console.error(type(error).__name__, _why_not_undone(error))
            return exit_status(error)
    if console.as_json:
        console.json(saved.to_json())
        return 0
    if args.action == "set":
        console.line(f"{args.field} = {getattr(saved.profile, args.field)}")
    else:
        console.line(f"The profile is back to what it was ({saved.checkpoint_id}).")
    if saved.because:
        console.note(saved.because)
    return 0


def _why_not_undone(error: NoteChangedOutside) -> str:
    """The error in the words of an undo: what to type next, instead of what to read again."""
    return (
        f"What would be taken back was edited in {error.path} since; nothing was overwritten. "
        "`holdfast user undo --force` puts back what was there before all the same, "
        "and `holdfast user undo` takes that back."
    )
