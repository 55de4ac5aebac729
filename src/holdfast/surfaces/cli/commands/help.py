"""`holdfast help`"""

from __future__ import annotations

import argparse

from holdfast.surfaces.cli.console import Console

EXAMPLES = """\
  holdfast help
  holdfast help save
  holdfast help config set
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: which command."""
    parser.add_argument("words", metavar="COMMAND", nargs="*", help="a command, and one of its actions")


def run(args: argparse.Namespace, console: Console) -> int:  # noqa: ARG001 - every command takes it
    """Print what `--help` prints there; without a word, the list of commands."""
    from holdfast.surfaces.cli.parser import parse

    parse([*args.words, "--help"])
    return 0
