"""A tool's signature → the JSON Schema of its arguments, so that the two can't drift apart."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from holdfast.guard.signature import Parameter, json_schema, parameters_of

__all__ = ["description_of", "schema_of", "tool_parameters"]


def description_of(tool: Callable[..., Any]) -> str:
    """Return what the tool does, as its docstring says."""
    lines = (tool.__doc__ or "").strip().split("\n")
    return "\n".join(line.strip() for line in lines)


@cache
def tool_parameters(tool: Callable[..., Any]) -> dict[str, Parameter]:
    """Return the arguments that a model may give, by the names it knows them by.

    The context comes first and is ours. What must be given by name is for programs: every word is in every prompt.
    """
    return {parameter.shown: parameter for parameter in parameters_of(tool)[1:] if not parameter.by_name}


def schema_of(tool: Callable[..., Any]) -> dict[str, Any]:
    """Return the schema of the arguments."""
    parameters = tool_parameters(tool)
    properties = {name: _property(parameter) for name, parameter in parameters.items()}
    required = [name for name, parameter in parameters.items() if parameter.required]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _property(parameter: Parameter) -> dict[str, Any]:
    schema = json_schema(parameter.kind) | {"description": parameter.description}
    return schema if parameter.default is None else schema | {"default": parameter.default}
