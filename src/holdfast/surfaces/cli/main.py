"""`holdfast`: find the command, run it, turn every failure into one helpful line and a stable exit status."""

from __future__ import annotations

import argparse
import atexit
import gc
import os
import sys
import threading
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NoReturn

from holdfast.checkpoints.receipts import keep_receipts
from holdfast.errors import BadArgument, HoldfastError, SecretFound, StorageFailed
from holdfast.surfaces.cli.argument_errors import UsageError, as_typed
from holdfast.surfaces.cli.console import Console, OutputLost, let_go
from holdfast.surfaces.cli.exit_codes import INTERRUPTED, MISUSED, exit_status
from holdfast.surfaces.cli.parser import Command, parse, place_options

if TYPE_CHECKING:
    from holdfast.checkpoints.change import Change

__all__ = ["main", "run"]

_SHOWN_CHANGES = 3
_OBJECTS_A_COLLECTION = 50_000  # some megabytes of garbage at the most, in a server too


class OutputFailed(StorageFailed):
    """The report of a command could not be written; what the command did is done."""

    def __init__(self, why: str, made: Sequence[Change]) -> None:
        if made:
            named = "; ".join(f"{change.path}, checkpoint {change.id}" for change in made[-_SHOWN_CHANGES:])
            if len(made) > _SHOWN_CHANGES:
                more = f"; {len(made)} in all"
            else:
                more = ""
            done = (
                f"The change was made ({named}{more}), and only the report of it is lost: don't run it again. "
                "`holdfast history` lists what was changed."
            )
        else:
            done = "What was done before that stays done; no note was changed."
        HoldfastError.__init__(self, f"Could not write the output: {why}. {done}")
        self.path, self.operation, self.why = "the output", "write", why


def run() -> None:
    """The console script."""
    # Python looks for cycles each 700 objects; a search makes some 50,000 that stay: a tenth of a cold search.
    gc.set_threshold(_OBJECTS_A_COLLECTION, 10, 10)
    # A command's products are small: with two threads on two cores a cold search takes a tenth to a sixth more CPU
    # time, and is no quicker.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        status = main(sys.argv[1:])
    except SystemExit as end:  # argparse ends the process for --help
        if isinstance(end.code, int):
            status = end.code
        else:
            status = 0
    # Libraries write to these too, and the interpreter would end with a status of its own over what is left in them.
    if sys.stdout:
        try:
            sys.stdout.flush()
        except OSError as error:
            status = _report_lost(Console(as_json="--json" in sys.argv), error, (), status)
    if sys.stderr:
        try:
            sys.stderr.flush()
        except OSError:
            let_go(sys.stderr)
    _leave(status)


def _leave(status: int) -> NoReturn:
    """End the process as the interpreter does, but leave it to the system to clear the memory.

    The interpreter would take every module and object apart first: a twentieth of a cold search.
    """
    for thread in threading.enumerate():
        if not thread.daemon and thread is not threading.current_thread():
            thread.join()
    atexit._run_exitfuncs()  # noqa: SLF001 - there is no public name for it
    os._exit(status)


def main(argv: Sequence[str]) -> int:
    """Run one command and give its exit status."""
    console = Console(as_json="--json" in argv)
    status = 0
    with keep_receipts() as receipts:
        try:
            status = _run_command(argv, console)
            # Here and not later: what is still in the buffer may meet a full disk or a closed pipe.
            console.finish()
        except OutputLost as lost:
            return _report_lost(console, lost.cause, receipts, status)
    return status


def _run_command(argv: Sequence[str], console: Console) -> int:
    """Run it; what goes wrong is said in a line, and told by the status."""
    flags: Mapping[str, str] = {}
    try:
        command, args = parse(argv)
        console.as_json = args.json  # `save -- --json` saves a word
        console.place = place_options(args)
        flags = args.flags
        run = command if args.agent is None else partial(_run_for_agent, command)
        if args.may_begin_home or not (args.home or os.environ.get("HOLDFAST_HOME")):
            return run(args, console)
        return _run_in_home(run, args, console)
    except UsageError as misused:
        if not console.as_json:
            console.note(misused.usage)
        console.error("Usage", str(misused))
        return MISUSED
    except BadArgument as error:
        console.error(type(error).__name__, str(as_typed(error, flags)))
        return exit_status(error)
    except HoldfastError as error:
        console.error(type(error).__name__, f"{error}{_owner_hint(error)}")
        return exit_status(error)
    except KeyboardInterrupt:
        console.error("Interrupted", "stopped; what was finished is kept, and running it again goes on from there")
        return INTERRUPTED
    except OSError as error:
        # Nothing of ours raises these: the terminal, the directory we are in, or a package.
        failed = StorageFailed(error.filename or "the system", "use", error.strerror or str(error))
        console.error(type(failed).__name__, str(failed))
        return exit_status(failed)


def _run_in_home(command: Command, args: argparse.Namespace, console: Console) -> int:
    """Run it in the home that was named, and say so where that one was begun by it: it may be a typing mistake."""
    from holdfast.surfaces.cli.command_memory import home_begun

    was_there = home_begun(args)
    status = command(args, console)
    if not was_there and home_begun(args):
        from holdfast.settings.home_path import home_of

        named = "--home" if args.home else "HOLDFAST_HOME"
        console.note(f"A new home was begun: there was none at {home_of(args.home)!r}, which {named} names.")
    return status


def _run_for_agent(command: Command, args: argparse.Namespace, console: Console) -> int:
    """Run it for the agent that was typed, and say so where that one was begun by it: it may be a typing mistake."""
    from holdfast.surfaces.cli.command_memory import agent_exists

    was_there = agent_exists(args)
    status = command(args, console)
    if not was_there and agent_exists(args):
        console.note(f"A new agent was begun: {args.agent!r} had no memory here before.")
    return status


def _owner_hint(error: HoldfastError) -> str:
    """Return how the owner lifts a refusal; a message does not say so itself, because agents read it too."""
    if isinstance(error, SecretFound):
        return " `holdfast config set memory.secrets redact` (or allow) lets such text in."
    return ""


def _report_lost(console: Console, cause: OSError, receipts: Sequence[Change], status: int) -> int:
    """Say on stderr that the output could not be written, and which changes were made all the same."""
    if sys.stdout:
        let_go(sys.stdout)
    if isinstance(cause, BrokenPipeError) and not receipts:
        # The reader (`head`, `less`) has gone and has read what it wanted; that is no error of ours.
        return status
    failed = OutputFailed(cause.strerror or str(cause), receipts)
    console.error(type(failed).__name__, str(failed))
    return exit_status(failed)
