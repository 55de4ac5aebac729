"""The text of a model → the JSON in it: bare, in a fence, with words around it, or cut off in the middle."""

from __future__ import annotations

import json
from typing import Any

from holdfast.guard.strict_json import refuse_constant
from holdfast.llm.answer_parts import without_thoughts

__all__ = ["values_in"]

# Bounds on the work: a text of nothing but brackets would be looked at from each of them.
_LONGEST = 65_536
_TRIES = 512


def values_in(text: str) -> list[Any]:
    """Every object and list that can be read in a text, in order; of one that is cut off, the whole parts of it."""
    text = without_thoughts(text)[:_LONGEST]
    decoder = json.JSONDecoder(parse_constant=refuse_constant)
    found: list[Any] = []
    at = 0
    for _ in range(_TRIES):
        at = _next(text, at)
        if at < 0:
            break
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
            continue
        found.append(value)
    return found


def _next(text: str, at: int) -> int:
    places = [place for place in (text.find("{", at), text.find("[", at)) if place >= 0]
    return min(places, default=-1)
