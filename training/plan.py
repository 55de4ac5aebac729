"""A plan of training as the command line gives it: NAME,key=value,..."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

__all__ = ["parse_plan"]

T = TypeVar("T")


def parse_plan(make: Callable[[str], T], text: str) -> T:
    """Make a plan by its name and set what is given, each value as the kind of the default."""
    name, *given = text.split(",")
    plan = make(name)
    for item in given:
        key, _, value = item.partition("=")
        setattr(plan, key, type(getattr(plan, key))(value))
    return plan
