"""The table of routes → the OpenAPI 3.1 document, from the signatures that also check the requests."""

from __future__ import annotations

import re
from typing import Any

from holdfast import __version__
from holdfast.surfaces.http import response_shapes
from holdfast.surfaces.http.parameters import Place, RouteParameter
from holdfast.surfaces.http.router import Endpoint, Table

__all__ = ["document_of"]

OPEN_ROUTES = ("/health", "/enter")
"""Those that want no token: the second one is how a browser comes to be known."""
_PLUS = re.compile(r"\{([a-z_]+)\+\}")
_ALWAYS = (400, 401, 403, 413, 415, 421, 500, 503)
_TOLD = {
    200: "Done",
    201: "Made",
    202: "Begun",
    304: "Not changed",
    400: "The request can't be accepted; nothing was changed",
    401: "A token is needed",
    403: "Not permitted",
    404: "What was named is not there",
    409: "It does not go with what is there",
    410: "It can't be had any more",
    412: "The note is not the one that was expected; nothing was changed",
    413: "More than the limit allows",
    415: "The body is not of the right type",
    421: "The server does not answer under this name",
    422: "The content was refused",
    429: "Too much at once, or the limit of tokens is reached",
    500: "Something is wrong with the server or its home",
    502: "A provider gave no usable answer",
    503: "Busy; try again in a moment",
    507: "The disk said no",
}
_AGENT = {
    "name": "agent",
    "in": "query",
    "required": False,
    "description": "Whose memory; the server's own agent unless told otherwise.",
    "schema": {"type": "string", "pattern": "^[a-z0-9][a-z0-9_-]{0,63}$"},
}


def document_of(table: Table, url: str) -> dict[str, Any]:
    """The whole document."""
    paths: dict[str, dict[str, Any]] = {}
    names: set[str] = set()
    for endpoint in table.endpoints:
        path = _PLUS.sub(r"{\1}", endpoint.route.path)
        paths.setdefault(path, {})[endpoint.route.method.lower()] = _operation(endpoint, names)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Holdfast",
            "version": __version__,
            "description": "Long-term memory for AI agents, in Markdown files that their owner can read and undo.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": url}],
        "security": [{"token": []}],
        "tags": [{"name": name} for name in dict.fromkeys(endpoint.route.tag for endpoint in table.endpoints)],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Error": response_shapes.ERROR},
        },
    }


def _operation(endpoint: Endpoint, names: set[str]) -> dict[str, Any]:
    route = endpoint.route
    placed = (Place.PATH, Place.QUERY, Place.HEADER)
    parameters = [_parameter(parameter) for place in placed for parameter in endpoint.of(place)]
    if endpoint.asks_memory:
        parameters.append(_AGENT)
    shown: dict[str, Any] = {
        "operationId": _name(endpoint, names),
        "tags": [route.tag],
        "summary": endpoint.summary,
        "parameters": parameters,
        "responses": _responses(endpoint),
    }
    if route.path in OPEN_ROUTES:
        shown["security"] = []
    body = _body(endpoint)
    if body:
        return shown | {"requestBody": body}
    return shown


def _name(endpoint: Endpoint, names: set[str]) -> str:
    """Return what a generated client calls it: after the function, or after the path where a function has two."""
    route = endpoint.route
    ways = (endpoint.title, route.path.rpartition("/")[2].replace("-", "_"))
    name = next(made for way in ways if (made := f"{route.tag}_{way}") not in names)
    names.add(name)
    return name


def _parameter(parameter: RouteParameter) -> dict[str, Any]:
    schema = parameter.schema
    if parameter.place is Place.PATH:
        schema = schema | {"minLength": 1}
    return {
        "name": parameter.shown,
        "in": parameter.place.value,
        "required": parameter.required,
        "description": parameter.description,
        "schema": schema,
    }


def _body(endpoint: Endpoint) -> dict[str, Any] | None:
    if endpoint.upload is not None:
        return {"required": True, "content": {media: {"schema": {}} for media in endpoint.media}}
    fields = endpoint.of(Place.BODY)
    if not fields:
        return None
    schema = {
        "type": "object",
        "properties": {field.shown: field.schema | {"description": field.description} for field in fields},
        "required": [field.shown for field in fields if field.required],
        "additionalProperties": False,
    }
    return {"required": bool(schema["required"]), "content": {"application/json": {"schema": schema}}}


def _responses(endpoint: Endpoint) -> dict[str, Any]:
    route = endpoint.route
    made: dict[str, Any] = {}
    for status in route.statuses:
        made[str(status)] = {"description": _TOLD[status]}
        if status == 304:
            continue
        if isinstance(route.answer, str):
            content = {media: {"schema": {"type": "string"}} for media in route.answer.split(", ")}
        else:
            content = {"application/json": {"schema": route.answer}}
        made[str(status)]["content"] = content
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    for status in sorted({*route.errors, *_ALWAYS}):
        made[str(status)] = {"description": _TOLD[status], "content": error}
    return made
