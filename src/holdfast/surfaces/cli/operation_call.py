"""Options of the command line → the arguments of an operation, by their names; and its texts → their help."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from holdfast.guard.signature import parameters_of

__all__ = ["add_option", "call_operation", "help_of"]

_Result = TypeVar("_Result")


def call_operation(method: Callable[..., _Result], args: argparse.Namespace, **given: Any) -> _Result:
    """Call a method of the memory with the options that are called as its arguments are."""
    parameters = parameters_of(getattr(method, "__func__", method))[1:]
    options = {
        parameter.name: getattr(args, parameter.name) for parameter in parameters if hasattr(args, parameter.name)
    }
    return method(**{**options, **given})


def add_option(
    parser: argparse.ArgumentParser, texts: Mapping[str, str], name: str, *flags: str, note: str = "", **more: Any
) -> None:
    """Add an argument of an operation as an option, with its name and text; `flags` where it is written otherwise."""
    written = flags or ("--" + name.replace("_", "-"),)
    parser.add_argument(*written, dest=name, help=help_of(texts, name) + note, **more)


def help_of(texts: Mapping[str, str], name: str) -> str:
    """Return the text of an argument as `--help` shows it: a phrase, without a capital and a full stop."""
    text = texts[name].removesuffix(".")
    return text[:1].lower() + text[1:]
