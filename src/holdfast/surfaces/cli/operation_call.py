"""Options of the command line → the arguments of an operation, by their names; and its texts → their help."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from holdfast.guard.signature import parameters_of

__all__ = ["call_operation", "help_of"]

_Result = TypeVar("_Result")


def call_operation(method: Callable[..., _Result], args: argparse.Namespace, **given: Any) -> _Result:
    """Call a method of the memory with the options that are called as its arguments are."""
    parameters = parameters_of(getattr(method, "__func__", method))[1:]
    options = {
        parameter.name: getattr(args, parameter.name) for parameter in parameters if hasattr(args, parameter.name)
    }
    return method(**{**options, **given})


def help_of(texts: Mapping[str, str], name: str) -> str:
    """Return the text of an argument as `--help` shows it: a phrase, without a capital and a full stop."""
    text = texts[name].removesuffix(".")
    return text[:1].lower() + text[1:]
