"""The reference of the API for a browser, which comes with the package; no script stands in a page."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

from holdfast.surfaces.http.responses import Raw, Reply

__all__ = ["Page", "pages"]

Page: TypeAlias = Callable[[dict[str, str]], Reply | Raw]
_MEDIA = {"html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8"}


def pages(document: Callable[[], dict[str, Any]]) -> dict[str, Page]:
    """The pages by their paths."""
    read = cache(document)
    return {
        "/docs": lambda _: _file("docs.html"),
        "/docs.js": lambda _: _file("docs.js"),
        "/docs.css": lambda _: _file("docs.css"),
        "/openapi.json": lambda _: Reply(read()),
    }


@cache
def _file(name: str) -> Raw:
    data = (files("holdfast.surfaces.http") / "static" / name).read_bytes()
    return Raw(data, _MEDIA[name.rpartition(".")[2]])
