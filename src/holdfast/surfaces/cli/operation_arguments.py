"""Arguments of an operation → arguments of a command.

Names, kinds, choices, defaults and texts are those of its signature.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

from holdfast.guard.signature import Parameter, parameters_of

__all__ = ["add_option", "add_positional", "argument_names", "call_operation"]

_Result = TypeVar("_Result")
_LISTS: Final = (list[str], Sequence[str], Iterable[str])
_NUMBERS: Final = (int, float)


def add_option(
    parser: argparse.ArgumentParser,
    operation: Callable[..., Any],
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
    parser.add_argument(*written, dest=name, **_declaration(operation, name, text, note, more))


def add_positional(
    parser: argparse.ArgumentParser,
    operation: Callable[..., Any],
    name: str,
    metavar: str,
    *,
    text: str = "",
    note: str = "",
    **more: Any,
) -> None:
    """Add an argument of an operation that is typed without an option; `text` and `note` as there."""
    declared = _declaration(operation, name, text, note, {"metavar": metavar, **more})
    if not _parameter(operation, name).required:
        declared["nargs"] = "?"
    parser.add_argument(name, **declared)


def call_operation(method: Callable[..., _Result], args: argparse.Namespace, **given: Any) -> _Result:
    """Call a method of the memory with the options that are called as its arguments are."""
    function = getattr(method, "__func__", method)
    options = {name: getattr(args, name) for name in argument_names(function) if hasattr(args, name)}
    return method(**{**options, **given})


def argument_names(operation: Callable[..., Any]) -> list[str]:
    """Return the names of what a caller gives an operation."""
    return [parameter.name for parameter in parameters_of(operation)[1:]]


def _parameter(operation: Callable[..., Any], name: str) -> Parameter:
    return next(parameter for parameter in parameters_of(operation) if parameter.name == name)


def _declaration(
    operation: Callable[..., Any], name: str, text: str, note: str, more: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what argparse is told of an argument; `more` goes before what the signature says."""
    parameter = _parameter(operation, name)
    declared = {**_kind(parameter), **more}
    described = (text or _phrase(parameter.description)) + note
    return {**declared, "help": _with_default(described, declared.get("default"))}


def _kind(parameter: Parameter) -> dict[str, Any]:
    if bool in parameter.kinds:
        if parameter.nullable:
            return {"action": argparse.BooleanOptionalAction, "default": None}
        return {"action": "store_true"}
    kind = parameter.kinds[0]
    declared: dict[str, Any] = {}
    if not parameter.required:
        declared["default"] = parameter.default
    if parameter.choices:
        declared["choices"] = parameter.choices
    if kind in _LISTS:
        declared["action"] = "append"
    elif kind in _NUMBERS:
        declared["type"] = kind
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
