"""Arguments of an operation → arguments of a command.

Names, kinds, choices, defaults and texts are those of its signature. They stand in a table, so that a command is
parsed, and its help is shown, before anything is imported that the operation needs.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from holdfast.named_tuple import NamedTuple
from holdfast.surfaces.cli.argument_table import ARGUMENTS

__all__ = ["Argument", "add_option", "add_positional", "argument_names", "call_operation"]

_Result = TypeVar("_Result")


class Argument(NamedTuple):
    """One argument of an operation, as a row of the table has it."""

    kind: type
    nullable: bool
    required: bool
    default: Any
    choices: tuple[str, ...]
    text: str


def add_option(
    parser: argparse.ArgumentParser,
    operation: str,
    name: str,
    *flags: str,
    text: str = "",
    note: str = "",
    **more: Any,
) -> None:
    """Add an argument of an operation as an option.

    `flags` are given where it is typed otherwise than it is called, `text` where a person needs other words than a
    model or a program does, and `note` where there is more to say on a command line.
    """
    written = flags or ("--" + name.replace("_", "-"),)
    parser.add_argument(*written, dest=name, **_declaration(_argument(operation, name), text, note, more))


def add_positional(
    parser: argparse.ArgumentParser,
    operation: str,
    name: str,
    metavar: str,
    *,
    text: str = "",
    note: str = "",
    **more: Any,
) -> None:
    """Add an argument of an operation that is typed without an option; `text` and `note` as there."""
    argument = _argument(operation, name)
    declared = _declaration(argument, text, note, {"metavar": metavar, **more})
    if not argument.required:
        declared["nargs"] = "?"
    parser.add_argument(name, **declared)


def call_operation(method: Callable[..., _Result], args: argparse.Namespace, **given: Any) -> _Result:
    """Call a method of the memory with the options that are called as its arguments are."""
    from holdfast.guard.signature import parameters_of

    names = [parameter.name for parameter in parameters_of(getattr(method, "__func__", method))[1:]]
    options = {name: getattr(args, name) for name in names if hasattr(args, name)}
    return method(**{**options, **given})


def argument_names(operation: str) -> list[str]:
    """Return the names of what a caller gives an operation."""
    return list(ARGUMENTS[operation])


def _argument(operation: str, name: str) -> Argument:
    return Argument(*ARGUMENTS[operation][name])


def _declaration(argument: Argument, text: str, note: str, more: Mapping[str, Any]) -> dict[str, Any]:
    """Return what argparse is told of an argument; `more` goes before what the signature says."""
    declared = {**_kind(argument), **more}
    described = (text or _phrase(argument.text)) + note
    return {**declared, "help": _with_default(described, declared.get("default"))}


def _kind(argument: Argument) -> dict[str, Any]:
    if argument.kind is bool and argument.nullable:
        return {"action": argparse.BooleanOptionalAction, "default": None}
    if argument.kind is bool:
        return {"action": "store_true"}
    declared: dict[str, Any] = {}
    if not argument.required:
        declared["default"] = argument.default
    if argument.choices:
        declared["choices"] = argument.choices
    if argument.kind is list:
        declared["action"] = "append"
    elif argument.kind in (int, float):
        declared["type"] = argument.kind
        declared["metavar"] = "N"
    return declared


def _phrase(text: str) -> str:
    """Return a text as `--help` shows it: without a capital and a full stop; MEMORY.md keeps its letters."""
    text = text.removesuffix(".")
    if text[1:2].isupper():
        return text
    return text[:1].lower() + text[1:]


def _with_default(text: str, default: object) -> str:
    """Add what holds where nothing is typed, unless the text says it."""
    if default in (None, "", 0, ()) or "default" in text:
        return text
    if text.endswith(")"):
        return f"{text}; default: {default}"
    return f"{text} (default: {default})"
