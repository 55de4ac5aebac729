"""Let in who may come: a program by a bearer token, a browser by a one-time code that becomes a cookie and a key.

A cookie is sent to every port of this machine, so any server that the owner visits there could take it and use it. The
key of the page is kept in the browser's storage, which is bound to the port, and is no cookie: who takes one half can
do nothing with it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from holdfast.guard.origin import Origin
from holdfast.named_tuple import NamedTuple
from holdfast.surfaces.http.browsers import Browser, Browsers, browser_name
from holdfast.surfaces.http.responses import Reply
from holdfast.surfaces.http.statuses import error_body

__all__ = ["COOKIE", "ENTER", "Entry", "Visitor"]

COOKIE: Final = "holdfast"
ENTER: Final = "/enter"
_HOST_ONLY: Final = "__Host-"  # a browser takes such a cookie only over https and from this very host
_CODE_SECONDS: Final = 600.0
_COOKIE_SECONDS: Final = 30 * 24 * 3600
_MOST_CODES: Final = 16


class Visitor(NamedTuple):
    """The sender of a request: the owner's browser, by the id of its cookie, or a program that has the token."""

    origin: Origin = Origin.API
    browser: str = ""
    secure: bool = False
    """Whether it came by https, through a proxy of the owner's."""
    remote: bool = False
    """Whether it came from another machine, or by a name that is not this machine's."""
    role: str = ""
    """What the token of a tenant lets its bearer do; nothing where the server has one home."""
    tenant: str = ""
    """Whose token it is; nobody's where the server has one home."""


class Entry:
    """Holds the token and shows it to nobody; what a browser gets is made from it and can't be turned back."""

    def __init__(self, token: str, *, browsers: Browsers | None = None, clock: Callable[[], float] = time.time) -> None:
        self._token = token.encode("ascii")
        self._codes: dict[str, float] = {}
        self._clock = clock
        self.browsers = browsers or Browsers(clock=clock)
        # Cookies know no ports: the servers of two homes must not overwrite each other's.
        self._cookie_name = f"{COOKIE}-{self._sealed('cookie of', '')[:8]}"

    def __repr__(self) -> str:
        return "Entry(…)"

    def bears_token(self, header: str) -> bool:
        """Say whether an Authorization header has the token."""
        scheme, _, given = header.partition(" ")
        fits = hmac.compare_digest(given.strip(" ").encode("utf-8", "replace"), self._token)
        return fits and scheme.lower() == "bearer"

    def visitor_of(self, cookies: Sequence[str]) -> Visitor | None:
        """The browser that Cookie headers name; None where none was given out here, or its browser was sent away."""
        for piece in (piece for header in cookies for piece in header.split(";")):
            name, _, value = piece.strip().partition("=")
            secure = name == f"{_HOST_ONLY}{self._cookie_name}"
            if (secure or name == self._cookie_name) and (browser := self._browser_of(value)):
                return Visitor(Origin.USER, browser, secure)
        return None

    def page_key(self, browser: str) -> str:
        """The other half of a browser's cookie, by the cookie's id."""
        return self._sealed("page", browser)

    def bears_key(self, browser: str, keys: Sequence[str]) -> bool:
        """Say whether a request has the page key of this very browser."""
        if len(keys) == 1:
            given = keys[0].encode("utf-8", "replace")
        else:
            given = b""
        return hmac.compare_digest(given, self.page_key(browser).encode())

    def code(self) -> str:
        """A code that lets one browser in, once, within ten minutes."""
        now = self._clock()
        self._codes = {code: until for code, until in self._codes.items() if until > now}
        while len(self._codes) >= _MOST_CODES:
            del self._codes[next(iter(self._codes))]
        code = secrets.token_urlsafe(24)
        self._codes[code] = now + _CODE_SECONDS
        return code

    def link(self, url: str) -> str:
        """A link with such a code. Behind a `#` it goes to no server and into no log, and no preview uses it up."""
        return f"{url}{ENTER}#{self.code()}"

    def enter(self, code: str, *, user_agent: str = "", secure: bool = False, **more: Any) -> Reply:
        """Return what a browser that brings a code is answered: cookie and page key, or that the code is used up."""
        known = next(
            (issued for issued in list(self._codes) if hmac.compare_digest(issued.encode(), _bytes(code))), None
        )
        if known is not None:
            until = self._codes.pop(known, 0.0)
        else:
            until = 0.0
        if until <= self._clock():
            why = "This link was used already, or is older than ten minutes. `holdfast ui` opens a new one."
            return Reply(error_body("NotPermitted", why), 403)
        now = self._clock()
        browser = Browser(secrets.token_hex(8), now, now, now + _COOKIE_SECONDS, browser_name(user_agent))
        self.browsers.add(browser)
        said = f"{browser.id}.{int(browser.until)}"
        cookie = self._cookie(f"{said}.{self._sealed('browser', said)}", _COOKIE_SECONDS, secure=secure)
        return Reply({"page": self.page_key(browser.id), **more}, headers=(("Set-Cookie", cookie),))

    def leave(self, visitor: Visitor) -> Reply:
        """Return what a browser is answered that wants to be let in no more."""
        self.browsers.remove(visitor.browser)
        gone = self._cookie("", 0, secure=visitor.secure)
        return Reply({"left": True}, headers=(("Set-Cookie", gone),))

    def _cookie(self, value: str, seconds: int, *, secure: bool) -> str:
        if secure:
            name = f"{_HOST_ONLY}{self._cookie_name}"
        else:
            name = self._cookie_name
        fields = f"{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict"
        return f"{fields}; Secure" if secure else fields

    def _browser_of(self, value: str) -> str:
        said, _, seal = value.rpartition(".")
        if not hmac.compare_digest(_bytes(seal), self._sealed("browser", said).encode()):
            return ""
        browser, _, until = said.partition(".")
        fresh = until.isascii() and until.isdigit() and int(until[:18]) > self._clock()
        if fresh and self.browsers.knows(browser):
            return browser
        return ""

    def _sealed(self, what: str, said: str) -> str:
        return hmac.new(self._token, _bytes(f"holdfast {what} {said}"), hashlib.sha256).hexdigest()


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")
