"""`holdfast`: find the command, run it, turn every failure into one helpful line and a stable exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from holdfast.errors import HoldfastError
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.exits import INTERRUPTED, exit_status
from holdfast.surfaces.cli.parser import parse

__all__ = ["main", "run"]


def run() -> None:
    """The console script."""
    sys.exit(main(sys.argv[1:]))


def main(argv: Sequence[str]) -> int:
    """Run one command and give its exit status."""
    command, args = parse(argv)
    console = Console(as_json=args.json)
    try:
        return command(args, console)
    except HoldfastError as error:
        console.error(type(error).__name__, str(error))
        return exit_status(error)
    except KeyboardInterrupt:
        console.error("Interrupted", "stopped; what was finished is kept, and running it again goes on from there")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader (`head`, `less`) has gone; that is no error of ours, and there is nobody to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    finally:
        console.finish()
