"""The OpenAPI document in; one TypeScript type for each route out (`src/api_types.ts`), one line a route.

Run it with the package installed: `python web/api_types.py`. A test holds that the file says what the server says.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from holdfast.surfaces.http.openapi import document_of
from holdfast.surfaces.http.route_table import ROUTES
from holdfast.surfaces.http.router import Table
from holdfast.surfaces.http.server_state import GIVEN

FILE = Path(__file__).parent / "src" / "api_types.ts"
_PREFIX = "/api/v1"
_HEAD = """\
// Made by web/api_types.py from the OpenAPI document; do not edit. One line for each route.
export interface GeneratedRoutes {
"""
_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def type_of(schema: dict[str, Any]) -> str:
    """A JSON Schema as a TypeScript type."""
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    kinds = schema.get("type", [])
    names = [kinds] if isinstance(kinds, str) else kinds
    made = [_of_kind(name, schema) for name in names]
    return " | ".join(made) or "unknown"


def _of_kind(name: str, schema: dict[str, Any]) -> str:
    if name == "array":
        return f"Array<{type_of(schema.get('items', {}))}>"
    if name != "object":
        return _PLAIN[name]
    fields = schema.get("properties")
    if not fields:
        return "Record<string, unknown>"
    needed = schema.get("required", ())
    inside = (f"{json.dumps(key)}{'' if key in needed else '?'}: {type_of(value)}" for key, value in fields.items())
    return "{ " + "; ".join(inside) + " }"


def _parameters(operation: dict[str, Any], place: str) -> str:
    found = [one for one in operation["parameters"] if one["in"] == place and one["name"] != "agent"]
    inside = (f"{json.dumps(one['name'])}{'' if one['required'] else '?'}: {type_of(one['schema'])}" for one in found)
    return "{ " + "; ".join(inside) + " }" if found else "{}"


def _content(holder: dict[str, Any]) -> str:
    schema = holder.get("content", {}).get("application/json", {}).get("schema")
    return "unknown" if schema is None else type_of(schema)


def line_of(method: str, path: str, operation: dict[str, Any]) -> str:
    """One route: what is in its path, its query and its body, and what it answers."""
    answer: dict[str, Any] = next(
        (one for status, one in operation["responses"].items() if status.startswith("20")), {}
    )
    body = _content(operation["requestBody"]) if "requestBody" in operation else "undefined"
    parts = f"path: {_parameters(operation, 'path')}; query: {_parameters(operation, 'query')}"
    return (
        f'  "{method.upper()} {path.removeprefix(_PREFIX)}": {{ {parts}; body: {body}; answer: {_content(answer)} }};\n'
    )


def typescript() -> str:
    """The whole file."""
    document = document_of(Table(ROUTES, GIVEN), "")
    lines = [
        line_of(method, path, operation)
        for path, operations in document["paths"].items()
        if path.startswith(_PREFIX)
        for method, operation in operations.items()
    ]
    return _HEAD + "".join(lines) + "}\n"


if __name__ == "__main__":
    FILE.write_text(typescript(), encoding="utf-8")
