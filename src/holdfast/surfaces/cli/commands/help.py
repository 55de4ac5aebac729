"""`holdfast help`"""

from __future__ import annotations

import argparse
import io
from contextlib import redirect_stdout, suppress

from holdfast.surfaces.cli.console import Console

EXAMPLES = """\
  holdfast help
  holdfast help save
  holdfast help config set
"""
MAY_BEGIN_HOME = True


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: which command."""
    parser.add_argument("words", metavar="COMMAND", nargs="*", help="a command, and one of its actions")


def run(args: argparse.Namespace, console: Console) -> int:
    """Print what `--help` prints there; without a word, the list of commands."""
    from holdfast.surfaces.cli.parser import parse

    asked = [*args.words, "--help"]
    if not console.as_json:
        parse(asked)
        return 0
    # argparse prints help and ends the process.
    with redirect_stdout(io.StringIO()) as printed, suppress(SystemExit):
        parse(asked)
    console.json({"command": " ".join(args.words), "help": printed.getvalue()})
    return 0
