"""Who may come in: a bearer token for programs, and for a browser a one-time code that becomes a cookie."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from typing import Final

from holdfast.surfaces.http.replies import Raw, Reply
from holdfast.surfaces.http.statuses import told

__all__ = ["COOKIE", "ENTER", "Entry"]

COOKIE: Final = "holdfast"
ENTER: Final = "/enter"
_CODE_SECONDS: Final = 600.0
_COOKIE_SECONDS: Final = 30 * 24 * 3600
_MOST_CODES: Final = 16


class Entry:
    """Holds the token and shows it to nobody; what a browser gets is made from it and can't be turned back."""

    def __init__(self, token: str, *, clock: Callable[[], float] = time.time) -> None:
        self._token = token.encode("ascii")
        self._codes: dict[str, float] = {}
        self._clock = clock

    def __repr__(self) -> str:
        return "Entry(…)"

    def bears_token(self, header: str) -> bool:
        """Whether an Authorization header has the token."""
        scheme, _, given = header.partition(" ")
        fits = hmac.compare_digest(given.strip(" ").encode("utf-8", "replace"), self._token)
        return fits and scheme.lower() == "bearer"

    def bears_cookie(self, header: str) -> bool:
        """Whether a Cookie header has a cookie that was given out here and has not run out."""
        for piece in header.split(";"):
            name, _, value = piece.strip().partition("=")
            if name == COOKIE and self._is_ours(value):
                return True
        return False

    def code(self) -> str:
        """A code that opens the door for one browser, once, within ten minutes."""
        now = self._clock()
        self._codes = {code: until for code, until in self._codes.items() if until > now}
        while len(self._codes) >= _MOST_CODES:
            del self._codes[next(iter(self._codes))]
        code = secrets.token_urlsafe(24)
        self._codes[code] = now + _CODE_SECONDS
        return code

    def enter(self, code: str, to: str = "/docs") -> Reply | Raw:
        """What a browser that brings a code is answered: a cookie and the way on, or that the code is used up."""
        known = next((one for one in self._codes if hmac.compare_digest(one.encode(), code.encode())), None)
        until = self._codes.pop(known) if known is not None else 0.0
        if until <= self._clock():
            why = "This link was used already, or is older than ten minutes. `holdfast serve` prints a new one."
            return Reply(told("NotPermitted", why), 403)
        cookie = f"{COOKIE}={self._cookie()}; Path=/; Max-Age={_COOKIE_SECONDS}; HttpOnly; SameSite=Strict"
        return Raw(b"", "text/plain", 303, (("Location", to), ("Set-Cookie", cookie)))

    def _cookie(self) -> str:
        until = int(self._clock()) + _COOKIE_SECONDS
        said = f"{secrets.token_hex(8)}.{until}"
        return f"{said}.{self._seal(said)}"

    def _is_ours(self, value: str) -> bool:
        said, _, seal = value.rpartition(".")
        if not hmac.compare_digest(seal.encode("utf-8", "replace"), self._seal(said).encode()):
            return False
        _, _, until = said.partition(".")
        return until.isascii() and until.isdigit() and int(until[:18]) > self._clock()

    def _seal(self, said: str) -> str:
        return hmac.new(self._token, b"holdfast browser " + said.encode("utf-8", "replace"), hashlib.sha256).hexdigest()
