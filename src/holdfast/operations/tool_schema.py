"""A tool's signature → the JSON Schema of its arguments, so that the two can't drift apart."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

from holdfast.guard.signature import Parameter, json_schema, parameters_of
from holdfast.named_tuple import NamedTuple

__all__ = ["FOR_PROGRAMS", "ToolName", "description_of", "schema_of", "tool_parameters"]


class ToolName(NamedTuple):
    """Marks an argument that models know by another name than programs."""

    name: str


class _ForPrograms(NamedTuple):
    """Marks an argument that a model needs none of."""


FOR_PROGRAMS: Final = _ForPrograms()


def description_of(tool: Callable[..., Any]) -> str:
    """Return what the tool does, as its docstring says to a model."""
    lines = (tool.__doc__ or "").partition("For programs: ")[0].strip().split("\n")
    return "\n".join(line.strip() for line in lines)


@cache
def tool_parameters(tool: Callable[..., Any]) -> dict[str, Parameter]:
    """Return the arguments that a model may give, by the names it knows them by.

    The context comes first and is ours. Some are for programs alone: every word here is in every prompt.
    """
    parameters = [parameter for parameter in parameters_of(tool)[1:] if FOR_PROGRAMS not in parameter.marks]
    return {_name_of(parameter): parameter for parameter in parameters}


def _name_of(parameter: Parameter) -> str:
    names = [mark.name for mark in parameter.marks if isinstance(mark, ToolName)]
    return names[0] if names else parameter.shown


def schema_of(tool: Callable[..., Any]) -> dict[str, Any]:
    """Return the schema of the arguments."""
    parameters = tool_parameters(tool)
    properties = {name: _property(parameter) for name, parameter in parameters.items()}
    required = [name for name, parameter in parameters.items() if parameter.required]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _property(parameter: Parameter) -> dict[str, Any]:
    schema = json_schema(parameter.kind) | {"description": parameter.description}
    if parameter.default is None:
        return schema
    return schema | {"default": parameter.default}
