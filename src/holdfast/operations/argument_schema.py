"""A tool's signature → the JSON Schema of its arguments, so that the two can't drift apart."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

__all__ = ["description_of", "parameters_of"]

_JSON_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}


def description_of(tool: Callable[..., Any]) -> str:
    """Return what the tool does, as its docstring says."""
    return inspect.cleandoc(tool.__doc__ or "")


def parameters_of(tool: Callable[..., Any]) -> dict[str, Any]:
    """The schema of the arguments; the first parameter is ours and is not shown.

    Nor are those that must be given by name: they are for programs, and every word here is in every prompt.
    """
    hints = get_type_hints(tool, include_extras=True)
    properties: dict[str, Any] = {}
    required: list[str] = []
    for name, parameter in list(inspect.signature(tool).parameters.items())[1:]:
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY:
            continue
        shown = name.rstrip("_")  # `from` is a word of the language, so the parameter is called from_
        properties[shown] = _property(hints[name])
        if parameter.default is inspect.Parameter.empty:
            required.append(shown)
        elif parameter.default is not None:
            properties[shown]["default"] = parameter.default
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _property(hint: Any) -> dict[str, Any]:
    text = ""
    if get_origin(hint) is Annotated:
        hint, text = get_args(hint)
    kinds = [kind for kind in get_args(hint) if kind is not type(None)] if _is_union(hint) else [hint]
    (kind,) = kinds
    return {"type": _JSON_TYPES[kind], "description": text}


def _is_union(hint: Any) -> bool:
    return get_origin(hint) in (Union, types.UnionType)
