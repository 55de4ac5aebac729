"""`holdfast`: find the command, run it, turn every failure into one helpful line and a stable exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from holdfast.errors import HoldfastError, StorageFailed
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.exits import INTERRUPTED, MISUSED, exit_status
from holdfast.surfaces.cli.parser import parse
from holdfast.surfaces.cli.usage import Misused

__all__ = ["main", "run"]


def run() -> None:
    """The console script."""
    # A command's products are small: more threads would only spin and wait (a third of a cold search's CPU time).
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        status: object = main(sys.argv[1:])
    except SystemExit as end:  # argparse ends the process for --help
        status = end.code
    try:
        if sys.stdout:
            sys.stdout.flush()
    except OSError:
        _let_go_of_stdout()
    sys.exit(status if isinstance(status, int) else 0)


def main(argv: Sequence[str]) -> int:
    """Run one command and give its exit status."""
    console = Console(as_json="--json" in argv)
    try:
        command, args = parse(argv)
        console.as_json = args.json  # `save -- --json` saves a word
        status = command(args, console)
        # Here and not later: what is still in the buffer may meet a full disk or a closed pipe.
        console.finish()
    except Misused as misused:
        if not console.as_json:
            console.note(misused.usage)
        console.error("Usage", str(misused))
        return MISUSED
    except HoldfastError as error:
        console.error(type(error).__name__, str(error))
        return exit_status(error)
    except KeyboardInterrupt:
        console.error("Interrupted", "stopped; what was finished is kept, and running it again goes on from there")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader (`head`, `less`) has gone; that is no error of ours, and there is nobody to tell.
        _let_go_of_stdout()
        return 0
    except OSError as error:
        _let_go_of_stdout()
        failed = StorageFailed(error.filename or "the output", "write", error.strerror or str(error))
        console.error(type(failed).__name__, str(failed))
        return exit_status(failed)
    return status


def _let_go_of_stdout() -> None:
    """Send what is left to nowhere, so that the interpreter does not stumble over it when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
