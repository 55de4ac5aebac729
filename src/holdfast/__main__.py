"""`holdfast`, and `python -m holdfast`."""

from __future__ import annotations

import sys

__all__ = ["run"]


def run() -> None:
    """The console script; Ctrl-C ends it without a traceback while the command line is still being loaded, too."""
    try:
        from holdfast.surfaces.cli.main import run as run_command

        run_command()
    except KeyboardInterrupt:
        sys.exit(130)  # as `exit_codes` says, which may not be there yet


if __name__ == "__main__":
    run()
