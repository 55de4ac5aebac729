"""The actions of a command, such as `config set`: a parser each, with its summary and an example."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

__all__ = ["add_actions"]


def add_actions(
    parser: argparse.ArgumentParser, actions: Mapping[str, tuple[str, str]]
) -> dict[str, argparse.ArgumentParser]:
    """Give a command its actions, each a summary and an example; returns their parsers by name."""
    below = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    return {
        name: below.add_parser(
            name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.", epilog=f"example:\n  {example}\n"
        )
        for name, (summary, example) in actions.items()
    }
