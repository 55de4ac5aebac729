"""`holdfast dream`"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from holdfast.errors import BadArgument, CheckpointNotFound
from holdfast.plural import clause, count_of
from holdfast.surfaces.cli.command_memory import open_memory
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.exit_codes import exit_status
from holdfast.surfaces.cli.operation_arguments import add_option, call_operation

if TYPE_CHECKING:
    from holdfast.dreaming.report import Candidate, Dream
    from holdfast.memory import Memory

EXAMPLES = """\
  holdfast dream --dry-run --explain
  holdfast dream
  holdfast dream --rollback
"""
_LAST = "last"
_SAID = {
    "promoted": "Into MEMORY.md",
    "superseded": "Into MEMORY.md, in the place of another line",
    "merged": "In MEMORY.md already",
    "waiting": "Waits for you (`holdfast inbox`)",
    "refused": "Refused",
    "no room": "No room",
    "old": "Outdated",
    "below": "Not yet",
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: what to do, and how much of it."""
    add_option(parser, "Dreams.run", "dry_run")
    add_option(parser, "Dreams.run", "phases", "--phase", text="only this phase; may be given again")
    parser.add_argument("--explain", action="store_true", help="also what did not make it, and how scores add up")
    parser.add_argument(
        "--rollback", metavar="RUN", nargs="?", const=_LAST, default=None, help="take a run back (default: the last)"
    )


def run(args: argparse.Namespace, console: Console) -> int:
    """Dream, or take a run back."""
    _refuse_what_does_not_go_together(args)
    with open_memory(args) as memory:
        if args.rollback == _LAST:
            return _roll_back(memory, None, console)
        if args.rollback is not None:
            return _roll_back(memory, args.rollback, console)
        return _run(memory, args, console)


def _refuse_what_does_not_go_together(args: argparse.Namespace) -> None:
    """Nobody who asks for a rehearsal, or for one phase, may find that something else was done."""
    if args.rollback is not None and args.phases:
        raise BadArgument("--phase", "it is about a run, and does not go with --rollback")
    if args.dry_run and args.rollback is not None:
        why = "nothing was taken back; `holdfast history` and `holdfast diff ID` show what a run changed"
        raise BadArgument("--dry-run", f"it does not go with --rollback: {why}")


def _run(memory: Memory, args: argparse.Namespace, console: Console) -> int:
    done = call_operation(memory.dreams.run, args)
    if console.as_json:
        console.json(done.to_json())
        return 0
    _tell(done, console, explain=args.explain)
    return 0


def _tell(done: Dream, console: Console, *, explain: bool) -> None:
    console.line(f"Gathered {count_of(done.gathered, 'line')} of the last days, {done.new:,} of them new.")
    for found in done.patterns:
        console.line(f"Comes back on {count_of(found.days, 'day')} ({found.strength:.2f}): {found.text}")
    for candidate in done.candidates:
        if explain or candidate.outcome not in ("below", "old"):
            _candidate(candidate, console, explain=explain)
    if done.retired:
        console.line(f"Left MEMORY.md, forgotten or to make room: {', '.join(done.retired)}")
    if done.report:
        console.line(f"Report: {done.report}. Undo with: {console.command('dream', '--rollback', done.run)}")
    elif not done.dry_run:
        console.line("Nothing new; nothing was changed.")
    if done.because:
        console.note(done.because)


def _candidate(candidate: Candidate, console: Console, *, explain: bool) -> None:
    if candidate.score is None:
        score = ""
    else:
        score = f" {candidate.score.total:.2f}"
    why = clause(" ({})", candidate.because)
    console.line(f"{_SAID[candidate.outcome]}{score}: {candidate.text}  [{candidate.id}, {candidate.place}]{why}")
    if explain and candidate.score is not None and candidate.recall is not None:
        parts = " + ".join(f"{name} {part:.3f}" for name, part in candidate.score.parts.items())
        from holdfast.dreaming.report import describe_recall

        console.line(f"    {parts}")
        console.line(f"    {describe_recall(candidate.recall)}")


def _roll_back(memory: Memory, named: str | None, console: Console) -> int:
    try:
        made = memory.dreams.roll_back(named)
    except CheckpointNotFound as error:
        if named is None:
            which = "There is no dream to take back"
        else:
            which = f"There is no dream {named!r} to take back"
        console.error(type(error).__name__, f"{which}: none was made, or it was taken back already.")
        return exit_status(error)
    if console.as_json:
        console.json(made.to_json())
        return 0
    for path in made.restored:
        console.line(f"Undone: {path} is back to what it was before run {made.run}.")
    for path in made.cleared:
        console.line(f"Undone: the lines of run {made.run} are gone from {path}; what was changed since stays.")
    for path in made.kept:
        console.note(f"{path} was changed since, and is left as it is.")
    if made.stays_out:
        lines = count_of(made.stays_out, "line")
        console.note(f"Not put back: {lines} that it had taken out, by now forgotten or replaced by another.")
    return 0
