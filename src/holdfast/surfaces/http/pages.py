"""Pages for a browser that come with the package: the reference of the API, and the way in. Nothing is fetched from
elsewhere, and no script stands in a page."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

from holdfast.errors import BadArgument
from holdfast.surfaces.http.entry import ENTER
from holdfast.surfaces.http.house import House
from holdfast.surfaces.http.replies import Raw, Reply

__all__ = ["Page", "pages"]

Page: TypeAlias = Callable[[dict[str, str]], Reply | Raw]
_MEDIA = {"html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8"}


def pages(house: House, document: Callable[[], dict[str, Any]]) -> dict[str, Page]:
    """The pages by their paths."""
    read = cache(document)
    return {
        "/": lambda _: Raw(b"", "text/plain", 303, (("Location", "/docs"),)),
        "/docs": lambda _: _file("docs.html"),
        "/docs.js": lambda _: _file("docs.js"),
        "/docs.css": lambda _: _file("docs.css"),
        "/openapi.json": lambda _: Reply(read()),
        ENTER: lambda query: house.entry.enter(_code(query)),
    }


@cache
def _file(name: str) -> Raw:
    data = (files("holdfast.surfaces.http") / "static" / name).read_bytes()
    return Raw(data, _MEDIA[name.rpartition(".")[2]])


def _code(query: dict[str, str]) -> str:
    if set(query) != {"code"}:
        raise BadArgument("code", "the link has none; use the one that `holdfast serve` printed")
    return query["code"]
