"""`holdfast session`"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from holdfast.errors import BadArgument, NotConfirmed
from holdfast.plural import clause, count_of
from holdfast.surfaces.cli.action_parsers import add_actions
from holdfast.surfaces.cli.argument_errors import Parser
from holdfast.surfaces.cli.command_memory import open_memory
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.operation_arguments import add_option, add_positional

if TYPE_CHECKING:
    from holdfast.memory import Memory
    from holdfast.sessions.conversation import Session

EXAMPLES = """\
  holdfast session list
  holdfast session show main --limit 10
  holdfast session state main set cursor 42
  holdfast session export main
"""
MAY_BEGIN_HOME = True
_ACTIONS = {
    "list": ("every session, the one used last first", "holdfast session list"),
    "show": ("what was said in a session", "holdfast session show main --limit 10"),
    "state": ("the values that a session keeps for itself, or one of them", "holdfast session state main get cursor"),
    "exclude": ("keep a session out of session search and exports", "holdfast session exclude main"),
    "forget": (
        "delete a session everywhere, and never index or export it again",
        "holdfast session forget main --yes",
    ),
    "delete": (
        "delete a session: its transcripts, its state, and what is indexed",
        "holdfast session delete main --yes",
    ),
    "export": ("write a session to memory/sessions/ as a note", "holdfast session export main"),
}


def configure(parser: Parser) -> None:
    """list, show, state, exclude, forget, delete or export."""
    arguments = {
        "show": _show_arguments,
        "state": _state_arguments,
        "exclude": _exclude_arguments,
        "forget": _forget_arguments,
        "delete": _delete_arguments,
        "export": _add_key,
    }
    add_actions(parser, _ACTIONS, arguments)


def _add_key(parser: Parser) -> None:
    parser.add_argument("session", metavar="KEY", help="the session's key, as `holdfast session list` shows it")


def _show_arguments(parser: Parser) -> None:
    _add_key(parser)
    add_option(parser, "Session.messages", "limit")


def _exclude_arguments(parser: Parser) -> None:
    _add_key(parser)
    parser.add_argument("--undo", action="store_true", help="let it in again, also after `forget`")


def _forget_arguments(parser: Parser) -> None:
    _add_key(parser)
    parser.add_argument("--yes", action="store_true", help="do not ask")


def _delete_arguments(parser: Parser) -> None:
    _forget_arguments(parser)
    add_option(parser, "Session.delete", "everywhere")


def _state_arguments(parser: Parser) -> None:
    _add_key(parser)
    # Not called `action`: that is what `state` itself is here.
    parser.add_argument(
        "do", metavar="DO", nargs="?", default="list", help="list (the default), get, set, delete, clear"
    )
    add_positional(parser, "session_state", "key", "NAME")
    add_positional(parser, "session_state", "value", "VALUE")
    # Without one, `list` and `clear` mean all of them.
    add_option(
        parser, "session_state", "namespace", metavar="NAME", default=None, note="; for list and clear, only that"
    )


def run(args: argparse.Namespace, console: Console) -> int:
    """Do what the action says."""
    with open_memory(args) as memory:
        if args.action == "list":
            return _list(memory, console)
        from holdfast.context.session_list import find_session

        # One may be kept out of sight beforehand, and be forgotten also where only its exports are left.
        if args.action not in ("exclude", "forget", "delete"):
            find_session(memory.ctx, args.session)
        with memory.session(args.session) as session:
            if args.action in ("forget", "delete") and not args.yes and not _confirmed(args, console):
                console.note("Nothing was deleted.")
                return 0
            return {"show": _show, "state": _state, "export": _export}.get(args.action, _change)(args, session, console)


def _list(memory: Memory, console: Console) -> int:
    found = memory.sessions()
    if console.as_json:
        console.json({"sessions": [session.to_json() for session in found]})
        return 0
    if not found:
        console.note("There are no sessions yet.")
        return 0
    rows = [
        (_when(session.last), session.kind.value, f"{session.bytes:,}", "no" if session.excluded else "", session.key)
        for session in found
    ]
    console.table(("LAST USED", "KIND", "BYTES", "SEARCHED", "SESSION"), rows)
    return 0


def _show(args: argparse.Namespace, session: Session, console: Console) -> int:
    if args.limit is not None and args.limit < 1:
        raise BadArgument("--limit", "it must be 1 or more")
    entries = session.messages(args.limit)
    if console.as_json:
        shown = {"session": session.key, "kind": session.kind.value, "excluded": session.excluded}
        console.json({**shown, "messages": [entry.to_json() for entry in entries]})
        return 0
    for entry in entries:
        calls = "".join(f" → {call.name}" for call in entry.tool_calls)
        of, failed = clause(" {}", entry.tool_name), clause(" (failed)", entry.failed)
        console.styled(console.paint(f"{_when(entry.at)}  {entry.role}{of}{failed}{calls}  {entry.id}", "dim"))
        if entry.text:
            console.line(entry.text)
        console.line()
    if session.transcript.unread:
        console.note(f"{count_of(session.transcript.unread, 'line')} of {session.transcript.path} could not be read.")
    return 0


def _state(args: argparse.Namespace, session: Session, console: Console) -> int:
    import json

    from holdfast.operations.session_state import change_state

    result = change_state(session.state, args.do, args.namespace, args.key, args.value).to_json()
    if console.as_json:
        console.json(result)
    elif args.do == "list":
        rows = [(value["namespace"], value["key"], json.dumps(value["value"])) for value in result["values"]]
        console.table(("NAMESPACE", "NAME", "VALUE"), rows)
    elif args.do == "get":
        if not result["found"]:
            console.note(f"There is no value {args.key!r} in namespace {result['namespace']!r}.")
            return 3
        console.line(json.dumps(result["value"], ensure_ascii=False))
    elif args.do == "set":
        console.line(f"{args.key} = {json.dumps(result['value'], ensure_ascii=False)}")
    elif args.do == "delete":
        if result["deleted"]:
            console.line(f"Deleted {args.key}.")
        else:
            console.line(f"There was no {args.key}.")
    else:
        console.line(f"Cleared {count_of(result['cleared'], 'value')}.")
    return 0


def _export(_: argparse.Namespace, session: Session, console: Console) -> int:
    done = session.export()
    if done is None and console.as_json:
        console.json({"exported": None})
    elif done is None:
        console.note("Nothing was exported: nobody said anything, or the session is excluded.")
    elif console.as_json:
        console.json({"exported": done.to_json()})
    else:
        console.line(f"Exported {count_of(done.turns, 'turn')} to {done.path}.")
        if done.because:
            console.note(done.because)
    return 0


def _change(args: argparse.Namespace, session: Session, console: Console) -> int:
    if args.action == "exclude":
        session.exclude(not args.undo)
        if args.undo:
            said = "is searched and exported again"
        else:
            said = "is no longer searched or exported"
        result = {"session": session.key, "excluded": not args.undo}
    elif args.action == "forget":
        session.forget()
        said, result = "is forgotten", {"session": session.key, "forgotten": True}
    else:
        session.delete(everywhere=args.everywhere)
        said, result = "is deleted", {"session": session.key, "deleted": True}
    if console.as_json:
        console.json(result)
    else:
        console.line(f"The session {session.key} {said}.")
    return 0


def _confirmed(args: argparse.Namespace, console: Console) -> bool:
    if not (sys.stdin and sys.stdin.isatty()):
        raise NotConfirmed("deleted", "what was said can't be brought back")
    return console.ask(f"{args.action.capitalize()} all of session {args.session}? [y/N]").lower() in ("y", "yes")


def _when(at: float) -> str:
    from datetime import UTC, datetime

    try:
        return datetime.fromtimestamp(at, UTC).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    except (ValueError, OverflowError, OSError):
        return "unknown"
