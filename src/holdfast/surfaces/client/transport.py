"""The connection of a client: one request for each call, and errors that come back as what they were."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from holdfast import errors
from holdfast.errors import BadAnswer, BadArgument, HoldfastError, MemoryClosed, NotPermitted, ServerUnreachable
from holdfast.surfaces.client.wire_values import Unreadable, from_wire, plain, to_wire

if TYPE_CHECKING:
    import httpx2

__all__ = ["BEHIND", "Link", "is_loopback"]

BEHIND: Final = "Holdfast-Behind"
"""The header of an answer that says why it may be older than what was saved."""

_LOG: Final = logging.getLogger("holdfast.client")
_CONNECT_SECONDS: Final = 5.0
_SLOW_SECONDS: Final = 900.0  # a model may think for minutes, an index of a million chunks takes some
_JSON: Final = {"Content-Type": "application/json"}
_MOST_SECONDS: Final = 2_000_000.0  # some three weeks: the system counts a wait in thousandths, in 31 bits


def is_loopback(url: str) -> bool:
    """Say whether an address is of this machine, so that what is sent there leaves it on no wire."""
    from holdfast.surfaces.http import host_names

    try:
        place = urlsplit(url)
        named = place.hostname or ""
    except ValueError as error:
        raise BadArgument("url", f"it is no address ({error})") from error
    if "@" in place.netloc:  # it would take the place of the token, and is shown in no message
        raise BadArgument("url", "it has a name or a password in front of the host; give the token as `token=`")
    return host_names.is_loopback(named)


class Link:
    """Sends calls to one server, for one agent."""

    def __init__(self, url: str, token: str, agent: str | None, seconds: float) -> None:
        import ssl

        import httpx2

        self.url, self._agent, self._seconds = url.rstrip("/"), agent, float(min(seconds, _MOST_SECONDS))
        try:
            address = httpx2.URL(self.url)
        except (httpx2.InvalidURL, UnicodeError) as error:
            raise BadArgument("url", f"{url!r} is no address ({error})") from error
        verify: ssl.SSLContext | bool = True
        if address.scheme == "http":
            # Reading the system's certificates takes longer than a call; with none this one trusts nobody.
            verify = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self._http: httpx2.Client | None = httpx2.Client(
            base_url=address,
            headers={"Authorization": f"Bearer {token}"},
            # A call that never reached the server can't have been done: only the connection is tried again.
            transport=httpx2.HTTPTransport(retries=2, verify=verify),
            trust_env=False,  # a proxy would see the memory
        )

    def call(
        self, method: str, session: Mapping[str, Any] | None = None, slow: bool = False, /, **arguments: Any
    ) -> Any:
        """Return what a method gives at the server; its errors are raised here.

        A slow one may wait for a model or an index, and must not take the place of what answers at once.
        """
        sent = {name: _wire_argument(name, value) for name, value in arguments.items()}
        asked: dict[str, Any] = {"method": method, "arguments": sent}
        if session is not None:
            asked["session"] = {name: value for name, value in session.items() if value is not None}
        if slow:
            answer = self._post("/api/v1/call-slow", asked, _SLOW_SECONDS)
        else:
            answer = self._post("/api/v1/call", asked, 0.0)
        try:
            return from_wire(answer["result"])
        except (Unreadable, LookupError) as error:
            raise _unreadable(str(error)) from error

    def close(self) -> None:
        """Let go of the connection."""
        if self._http is not None:
            self._http.close()
            self._http = None

    def _post(self, path: str, body: Mapping[str, Any], least_seconds: float) -> dict[str, Any]:
        import httpx2

        if self._http is None:
            raise MemoryClosed("holdfast.connect")
        wait = httpx2.Timeout(max(self._seconds, least_seconds), connect=_CONNECT_SECONDS)
        if self._agent is not None:
            query = {"agent": self._agent}
        else:
            query = {}
        try:
            response = self._http.post(path, content=_encode_body(body), headers=_JSON, params=query, timeout=wait)
        except httpx2.TimeoutException as error:
            raise ServerUnreachable(self.url, "it took too long; what was asked may still be done") from error
        except (httpx2.TransportError, httpx2.InvalidURL) as error:
            raise ServerUnreachable(self.url, str(error) or type(error).__name__) from error
        try:
            answer = response.json()
        except (ValueError, RecursionError) as error:
            raise _unreadable(f"status {response.status_code} without JSON") from error
        if not isinstance(answer, dict):
            raise _unreadable("it is no object")
        if response.status_code >= 400:
            raise _error_of(answer, response.status_code)
        if behind := response.headers.get(BEHIND):
            _LOG.warning("What %s answered may be old: %s.", self.url, behind)
        return answer


def _wire_argument(name: str, value: Any) -> Any:
    """An argument as it is sent, or BadArgument with its name."""
    try:
        return to_wire(plain(value))
    except RecursionError:
        raise BadArgument(name, "it is nested too deep to be sent") from None
    except OverflowError as error:
        raise BadArgument(name, f"the number is out of range ({error})") from error
    except TypeError as error:
        raise BadArgument(name, f"{error}; over the network only texts, numbers and lists can go") from error


def _encode_body(body: Mapping[str, Any]) -> bytes:
    """The JSON of a request. Half a character, which UTF-8 has no bytes for, makes it one of escapes: twice as long."""
    try:
        try:
            return json.dumps(body, allow_nan=False, ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError:
            return json.dumps(body, allow_nan=False).encode("ascii")
    except (TypeError, ValueError, RecursionError) as error:  # a whole number of more digits than Python writes
        raise BadArgument("arguments", f"they can't be sent ({error})") from error


def _unreadable(why: str) -> BadAnswer:
    return BadAnswer("holdfast serve", why, "Are the client and the server of the same version?")


def _error_of(answer: Mapping[str, Any], status: int) -> HoldfastError:
    """The error that the server met: the same class, the same words, and what it knows beside them."""
    problem = answer.get("error")
    if not isinstance(problem, Mapping):
        return _unreadable(f"status {status}: {json.dumps(answer)[:200]}")
    if status == 401:
        return NotPermitted(f"{problem.get('message')} A client takes it from HOLDFAST_TOKEN or as `token=`.")
    kind = getattr(errors, str(problem.get("type")), None)
    if not isinstance(kind, type) or not issubclass(kind, HoldfastError):
        kind = HoldfastError
    error: HoldfastError = kind.__new__(kind)
    Exception.__init__(error, str(problem.get("message", "")))
    try:
        details = from_wire(problem.get("details", {"$": "mapping", "is": []}))
    except Unreadable:
        details = {}
    error.__dict__.update(details)
    return error
