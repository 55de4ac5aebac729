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
    options = {one.name: getattr(args, one.name) for one in parameters if hasattr(args, one.name)}
    return method(**{**options, **given})
