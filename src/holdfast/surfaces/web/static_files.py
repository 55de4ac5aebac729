"""The built files of the web app → responses: the shell for every page, and assets whose names hold their hashes.

They hold nothing of the home, so they are sent to whoever asks; what they show they fetch with cookie and page key.
"""

from __future__ import annotations

import hashlib
import html
import json
import os
import re
from http import HTTPStatus
from typing import Any, Final

from holdfast.surfaces.http.responses import Raw, Reply
from holdfast.surfaces.http.statuses import error_body

__all__ = ["ASSETS", "StaticFiles", "is_app_path"]

ASSETS: Final = "/assets/"
FOLDER: Final = os.path.join(os.path.dirname(os.path.abspath(__file__)), "static")
_PAGES: Final = frozenset(
    """notes search inbox history settings status sessions facts forget dreams exchange days quality map""".split()
)
_HTML: Final = "text/html; charset=utf-8"
_FOR_EVER: Final = "public, max-age=31536000, immutable"  # a year; the name of an asset changes with its bytes
_UNBUILT: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Holdfast</title></head><body><main>
<h1>The pages are not built</h1>
<p>This Holdfast runs from a checkout without the built web app. Run <code>make web</code> there (it needs Node 20 or
newer) and load this page again. The API works without: <a href="/docs">its reference</a>.</p>
</main></body></html>
"""
_CODE: Final = re.compile(r"`([^`<>]{1,80})`")
_REFUSED: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Holdfast: {status}</title></head><body><main>
<h1>{status}</h1>
<p>{message}</p>
<p><a href="/">Open Holdfast</a>{way_in}</p>
</main></body></html>
"""
_WAY_IN: Final = (
    ", or run <code>holdfast ui</code> on the machine where it runs: it opens the browser with a link that works once"
)


def is_app_path(path: str) -> bool:
    """Return whether the shell of the app, or a part of it, is what a path leads to."""
    first, _, rest = path.removeprefix("/").partition("/")
    return path in ("/", "/enter") or (first in _PAGES and path.startswith("/")) or (first == "assets" and bool(rest))


class StaticFiles:
    """The files that the front end's build made, as its manifest lists them; read once, and again when that changes."""

    def __init__(self, folder: str = FOLDER) -> None:
        self._folder = folder
        self._stamp: tuple[int, ...] | None = None
        self._listed: dict[str, dict[str, Any]] = {}
        self._bytes: dict[str, bytes] = {}

    def answer(self, path: str, headers: dict[str, str]) -> Raw | Reply:
        """Answer a request for a page or an asset."""
        self._look()
        if not path.startswith(ASSETS):
            return self._shell(headers)
        name = path[1:]
        entry = self._listed.get(name)
        if entry is None:
            return Reply(error_body("NotFound", "There is no such file of the web app; load the page again."), 404)
        fields = [("Vary", "Accept-Encoding"), ("Cache-Control", _FOR_EVER), ("ETag", f'"{entry["sha256"]}"')]
        if is_same(headers, entry["sha256"]):
            return Raw(b"", "", 304, tuple(fields))
        packed = None
        if accepts_gzip(headers):
            packed = self._read(f"{name}.gz")
        if packed is not None:
            return Raw(packed, entry["media"], headers=(*fields, ("Content-Encoding", "gzip")))
        plain = self._read(name)
        if plain is None:
            return Reply(
                error_body("NotFound", "A file of the web app is missing; build it anew with `make web`."), 404
            )
        return Raw(plain, entry["media"], headers=tuple(fields))

    def refused(self, status: int, message: str) -> bytes:
        """Render a refusal for a person who came to a page and is not let in."""
        self._look()
        page = (self._read("refused.html") or _REFUSED.encode()).decode("utf-8", "replace")
        # Who looks for what is not there may well be let in.
        way_in = "" if status == HTTPStatus.NOT_FOUND else _WAY_IN
        # In one pass over the template: a message that holds "{status}" is not looked at again.
        pieces = page.replace("{status}", str(status)).replace("{way_in}", way_in).split("{message}")
        return _CODE.sub(r"<code>\1</code>", html.escape(message)).join(pieces).encode()

    def _shell(self, headers: dict[str, str]) -> Raw:
        page = self._read("index.html") or _UNBUILT.encode()
        digest = hashlib.sha256(page).hexdigest()
        fields = (("ETag", f'"{digest}"'), ("Cache-Control", "no-cache"))
        if is_same(headers, digest):
            return Raw(b"", "", 304, fields)
        return Raw(page, _HTML, headers=fields)

    def _look(self) -> None:
        """Read the manifest, if it is another than at the last look: whoever builds need not start a server anew."""
        try:
            status = os.stat(os.path.join(self._folder, "manifest.json"))
            stamp: tuple[int, ...] = (status.st_mtime_ns, status.st_size, status.st_ino)
        except OSError:
            stamp = ()
        if stamp == self._stamp:
            return
        listed: dict[str, dict[str, Any]] = {}
        try:
            with open(os.path.join(self._folder, "manifest.json"), "rb") as file:
                listed = json.load(file)["files"]
        except (OSError, ValueError, KeyError, TypeError):
            pass  # not built, or being built: the pages say so
        self._listed, self._bytes, self._stamp = listed, {}, stamp

    def _read(self, name: str) -> bytes | None:
        """Return the bytes of a file that the manifest names, of its packed form, or of the page for refusals."""
        if name not in self._bytes:
            try:
                with open(os.path.join(self._folder, *name.split("/")), "rb") as file:
                    self._bytes[name] = file.read()
            except OSError:
                return None
        return self._bytes[name]


def is_same(headers: dict[str, str], digest: str) -> bool:
    """Return whether `If-None-Match` names what would be sent."""
    tags = [tag.strip().removeprefix("W/") for tag in headers.get("if-none-match", "").split(",")]
    return f'"{digest}"' in tags or tags == ["*"]


def accepts_gzip(headers: dict[str, str]) -> bool:
    """Return whether the caller takes gzipped bytes: `gzip;q=0` says that it does not."""
    for piece in headers.get("accept-encoding", "").lower().split(","):
        name, _, weight = piece.partition(";")
        if name.strip() == "gzip":
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
