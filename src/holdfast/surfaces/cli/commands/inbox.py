"""`holdfast inbox`"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from holdfast.errors import BadArgument, HoldfastError
from holdfast.surfaces.cli.command_memory import open_memory
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.exit_codes import exit_status
from holdfast.surfaces.cli.operation_arguments import add_positional

if TYPE_CHECKING:
    from holdfast.approval.inbox_note import InboxEntry
    from holdfast.memory import Memory
    from holdfast.operations.inbox_decision import Decided

EXAMPLES = """\
  holdfast inbox
  holdfast inbox approve k3x9w1
  holdfast inbox approve --all
  holdfast inbox edit k3x9w1 "The launch is on 3 March"
  holdfast inbox reject k3x9w1
"""
_ACTIONS = ("list", "approve", "edit", "reject")
_DONE = {
    "approved": "Into MEMORY.md",
    "merged": "In MEMORY.md already",
    "replaced": "Superseded by the newer one",
    "edited": "Waits with new words",
    "rejected": "Rejected",
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: what to do, and with which entry."""
    parser.add_argument("action", nargs="?", choices=_ACTIONS, default="list", help="default: list")
    add_positional(parser, "Inbox.edit", "id", "ID", nargs="?", note=", as the list shows it")
    add_positional(parser, "Inbox.edit", "text", "TEXT", nargs="?", note=", with edit")
    parser.add_argument("--all", action="store_true", help="every entry, with approve or reject")


def run(args: argparse.Namespace, console: Console) -> int:
    """Show what waits for the owner, or decide about it."""
    _refuse_what_does_not_go_together(args)
    with open_memory(args) as memory:
        if args.action == "list":
            return _list(memory, console)
        if args.action == "edit":
            return _tell([memory.inbox.edit(args.id, args.text)], console)
        decide: Callable[[str], Decided] = memory.inbox.reject
        if args.action == "approve":
            decide = memory.inbox.approve
        if not args.all:
            return _tell([decide(args.id)], console)
        return _decide_all(memory, decide, console)


def _decide_all(memory: Memory, decide: Callable[[str], Decided], console: Console) -> int:
    """Decide about everything that waits now; one that can't be is named, and does not stop the others."""
    decisions: list[Decided] = []
    status = 0
    for entry in memory.inbox.list():
        try:
            decisions.append(decide(entry.id))
        except HoldfastError as error:
            console.note(f"{entry.id} goes on waiting: {error}")
            status = status or exit_status(error)
    _tell(decisions, console)
    return status


def _refuse_what_does_not_go_together(args: argparse.Namespace) -> None:
    if args.action == "list" and (args.id is not None or args.all):
        raise BadArgument("ID", "the list takes none; say approve, edit or reject before it")
    if args.action in ("approve", "reject") and (args.id is None) == (not args.all):
        raise BadArgument("ID", f"say which entry to {args.action}, or --all; `holdfast inbox` shows them")
    if args.action == "edit" and (args.all or args.id is None or args.text is None):
        raise BadArgument("TEXT", "say which entry, and its new words: holdfast inbox edit ID TEXT")
    if args.action != "edit" and args.text is not None:
        raise BadArgument("TEXT", f"`holdfast inbox {args.action}` takes none; put new words in with edit first")


def _list(memory: Memory, console: Console) -> int:
    entries = memory.inbox.list()
    if console.as_json:
        console.json({"entries": [entry.to_json() for entry in entries]})
    elif entries:
        console.table(("ID", "FROM", "WHEN", "TEXT"), [_row(entry) for entry in entries])
        console.note(_hint(entries))
    else:
        console.note("Nothing waits for you: nothing to go into MEMORY.md, and no question about facts.")
    return 0


def _hint(entries: list[InboxEntry]) -> str:
    """Return what approving does: a claim goes into MEMORY.md, a question about two facts is answered."""
    from holdfast.operations.inbox_question import is_question

    questions = [entry for entry in entries if is_question(entry.id)]
    asked = "approve a question to let the newer fact replace the older, reject it to keep both"
    if len(questions) == len(entries):
        return f"{asked[0].upper()}{asked[1:]}: `holdfast inbox approve ID`, `reject ID`."
    says = "`holdfast inbox approve ID` puts one into MEMORY.md; `edit ID TEXT` and `reject ID` do what they say."
    if questions:
        return f"{says} {asked[0].upper()}{asked[1:]}."
    return says


def _row(entry: InboxEntry) -> tuple[str, str, str, str]:
    if entry.origin is None:
        origin = "unknown"
    else:
        origin = entry.origin.value
    if entry.client:
        by = f"{origin}/{entry.client}"
    else:
        by = origin
    return entry.id, by, entry.at[:16].replace("T", " "), entry.text.replace("\n", " ⏎ ")


def _done(decided: Decided) -> str:
    """Return what became of an entry; other words have another id, which the next command needs."""
    if decided.outcome == "edited":
        return f"{_DONE[decided.outcome]}, as {decided.entry.id}"
    return _DONE[decided.outcome]


def _tell(decisions: list[Decided], console: Console) -> int:
    if console.as_json:
        console.json({"decided": [decided.to_json() for decided in decisions]})
        return 0
    for decided in decisions:
        console.line(f"{_done(decided)}: {decided.entry.text}")
        if decided.checkpoint_ids:
            console.line(f"Undo with: {console.command('undo')}  (checkpoint {decided.checkpoint_ids[0]})")
    if not decisions:
        console.note("Nothing waits for you: nothing to go into MEMORY.md, and no question about facts.")
    return 0
