"""The actions of a command, such as `config set`: a parser each, with its summary, an example and its arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from holdfast.surfaces.cli.argument_errors import Parser

__all__ = ["add_actions"]


def add_actions(
    parser: Parser, actions: Mapping[str, tuple[str, str]], arguments: Mapping[str, Callable[[Parser], None]]
) -> None:
    """Give a command its actions, each a summary and an example; `arguments` declare what those take."""
    below = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, (summary, example) in actions.items():
        action = below.add_parser(
            name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.", epilog=f"example:\n  {example}\n"
        )
        if name in arguments:
            action.later(arguments[name])
