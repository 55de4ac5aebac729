"""Options of the command line → the arguments of an operation, by their names."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, TypeVar

from holdfast.guard.signature import parameters_of

__all__ = ["call_operation"]

_Result = TypeVar("_Result")


def call_operation(method: Callable[..., _Result], args: argparse.Namespace, **given: Any) -> _Result:
    """Call a method of the memory with the options that are called as its arguments are."""
    parameters = parameters_of(getattr(method, "__func__", method))[1:]
    options = {
        parameter.name: getattr(args, parameter.name) for parameter in parameters if hasattr(args, parameter.name)
    }
    return method(**{**options, **given})
