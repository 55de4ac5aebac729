"""The messages that a client begins with, answered before the SDK is imported.

That import takes a second, and a client that waits no longer sends its first request to a model without our tools. So
whatever asks who we are and what we offer is answered here, from the descriptions that the SDK's server is made of
too. Any other message, and one that is odd in any way, is left to the SDK's server. That one is told of the first
request as if it had answered it itself: it decides which era of the protocol the connection speaks.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from holdfast import __version__
from holdfast.named_tuple import NamedTuple
from holdfast.surfaces.mcp.client_lines import ClientLines, Line
from holdfast.surfaces.mcp.server_info import DESCRIPTION, MODERN_VERSION, NAME, TITLE, discovery, greeting

__all__ = ["ACKNOWLEDGED", "LISTEN", "Handshake", "ReplayedLine"]

_Message: TypeAlias = dict[str, Any]
_Result: TypeAlias = dict[str, Any]

LISTEN: Final = "subscriptions/listen"
ACKNOWLEDGED: Final = "notifications/subscriptions/acknowledged"
_LINGER: Final = 0.05  # seconds; a client that sends several requests at once may ask for the tools last
_MAX_LEFT: Final = 16  # messages that wait for the SDK before it is imported without looking at more of them
_MAX_REPLAY: Final = 16  # messages that the SDK's server is told of
_MAX_LINE: Final = 64 * 1024  # bytes; what a client begins with has some hundreds
_MAX_ID: Final = 2**53  # the largest whole number that every JSON reader keeps exact
_MEMBERS: Final = {"jsonrpc", "id", "method", "params"}
_INITIALIZED: Final = {"jsonrpc": "2.0", "method": "notifications/initialized"}

_META: Final = "io.modelcontextprotocol/"
_VERSION, _CLIENT, _CAPABILITIES = _META + "protocolVersion", _META + "clientInfo", _META + "clientCapabilities"
_SERVER, _SUBSCRIPTION = _META + "serverInfo", _META + "subscriptionId"
_BY_ANYBODY: Final = {"_meta": {_VERSION: MODERN_VERSION, _CAPABILITIES: {}}}
_LIST_CHANGES: Final = ("toolsListChanged", "promptsListChanged", "resourcesListChanged")


class ReplayedLine(NamedTuple):
    """A line for the SDK's server to take in; where it is a request, the client has had its first answer."""

    line: bytes
    notes: _Result | None = None
    """The list of notes that the client was given, and knows to be old where there is another one by then."""


class Handshake:
    """Answers a client until it knows our tools, or asks for something else.

    `listings` gives the results of methods that describe what we offer, each of which may fail.
    """

    def __init__(
        self,
        lines: ClientLines,
        write: Callable[[bytes], None],
        instructions: Callable[[], str],
        listings: Mapping[str, Callable[[], _Result]],
    ) -> None:
        self._lines, self._write = lines, write
        self._instructions, self._listings = instructions, listings
        self._modern: bool | None = None
        self._listed = False
        self._listeners: list[str | int] = []
        self.replay: list[ReplayedLine] = []
        """What the SDK's server must be told of before it goes on."""

    def run(self) -> bool:
        """Answer what can be answered here; True where the SDK's server has to go on."""
        left: list[Line] = []
        while not self._listed and len(left) < _MAX_LEFT:
            line = self._lines.read(_LINGER if left else None)
            if line is None:
                break
            if not line.data.strip():
                continue
            answer = self._answer(line, may_listen=not left)
            if answer is None:
                left.append(line)
            elif answer:
                self._write(_line_of(answer))
            if self._modern is None or len(line.data) > _MAX_LINE:
                break
        self._lines.put_back(left)
        return not self._lines.gone and (bool(left) or not self._lines.ended)

    def list_changes(self) -> list[bytes]:
        """Return the notifications that there are other notes than those listed, one for each who listens."""
        changed = {"jsonrpc": "2.0", "method": "notifications/resources/list_changed"}
        if not self._modern:
            return [_line_of(changed)]
        return [_line_of({**changed, "params": {"_meta": {_SUBSCRIPTION: who}}}) for who in self._listeners]

    def _answer(self, line: Line, *, may_listen: bool) -> _Message | None:
        """Return the answer to a message, nothing to a notification, and None where it is left to the SDK."""
        message = _parse_message(line)
        if message is None:
            return None
        if message == _INITIALIZED and self._modern is False and len(self.replay) < _MAX_REPLAY:
            self.replay.append(ReplayedLine(line.data))
            return {}
        if "id" not in message:
            return None
        params = message.get("params", {})
        if self._modern is None:
            return self._begin(message, params)
        if _is_modern(params) is not self._modern:
            return None
        if message["method"] == LISTEN:
            if may_listen and len(self.replay) < _MAX_REPLAY:
                return self._listen(message, params)
            return None
        return self._list(message, params)

    def _begin(self, message: _Message, params: _Result) -> _Message | None:
        """Answer the first request, which says in which era of the protocol the client speaks."""
        if message["method"] == "initialize":
            understood = _initialize_params(params)
            if understood is None:
                return None
            self._modern = False
            self.replay.append(ReplayedLine(_line_of({**message, "params": understood})))
            return _response(message, greeting(params["protocolVersion"], self._instructions()))
        if not _is_modern(params):
            return None
        self._modern = True
        answer = self._list(message, params)
        if answer is None:
            self._modern = None
            return None
        # Before what the answer itself has added.
        self.replay.insert(0, ReplayedLine(_line_of({**message, "method": "server/discover", "params": _BY_ANYBODY})))
        return answer

    def _list(self, message: _Message, params: _Result) -> _Message | None:
        """Answer a request for what we are or offer."""
        method = message["method"]
        if params.keys() - {"_meta"} or len(self.replay) > _MAX_REPLAY:  # a cursor is judged by the SDK's server
            return None
        if method == "ping" and not self._modern:
            return _response(message, {})
        if method == "server/discover" and self._modern:
            result = discovery(self._instructions())
        elif method in self._listings:
            try:
                result = self._listings[method]()
            except Exception:  # noqa: BLE001 - the SDK's server asks again, and tells the client what is wrong
                return None
            self._listed = method == "tools/list"
        else:
            return None
        answer = _response(message, _modern_result(result) if self._modern else result)
        if method == "resources/list":  # of a client that may want to be told of changes, which nobody watches for yet
            by = _BY_ANYBODY if self._modern else {}
            self.replay.append(ReplayedLine(_line_of({**message, "params": by}), answer["result"]))
        return answer

    def _listen(self, message: _Message, params: _Result) -> _Message | None:
        """Acknowledge that a client wants to be told of other notes, tools or prompts.

        Notes are watched only once the SDK's server goes on; whoever has a list of them that is old by then is told
        so. A client that names notes may know what stands in them from elsewhere, and waits.
        """
        wanted = params.get("notifications")
        if not isinstance(wanted, dict) or params.keys() - {"_meta", "notifications"}:
            return None
        if wanted.keys() - set(_LIST_CHANGES) or not all(isinstance(wish, bool) for wish in wanted.values()):
            return None
        honoured = {kind: True for kind in _LIST_CHANGES if wanted.get(kind)}
        self.replay.append(ReplayedLine(_line_of({**message, "params": {**params, **_BY_ANYBODY}})))
        if "resourcesListChanged" in honoured:
            self._listeners.append(message["id"])
        return {
            "jsonrpc": "2.0",
            "method": ACKNOWLEDGED,
            "params": {"_meta": {_SUBSCRIPTION: message["id"]}, "notifications": honoured},
        }


def _parse_message(line: Line) -> _Message | None:
    """Return the message in a line; None where there is anything odd about it."""
    if line.cut or len(line.data) > _MAX_LINE:
        return None
    try:
        message = json.loads(line.data.decode("utf-8"))
        json.dumps(message, ensure_ascii=False).encode("utf-8")  # half a character can't be sent back
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict) or message.keys() - _MEMBERS or message.get("jsonrpc") != "2.0":
        return None
    if not isinstance(message.get("method"), str) or not isinstance(message.get("params", {}), dict):
        return None
    if "id" in message and not _is_id(message["id"]):
        return None
    return message


def _is_id(value: object) -> bool:
    if isinstance(value, int) and not isinstance(value, bool):
        return abs(value) <= _MAX_ID
    return isinstance(value, str)


def _is_modern(params: _Result) -> bool | None:
    """Say whether a request says itself who asks, in the way of the version without a handshake.

    None where that is odd.
    """
    meta = params.get("_meta", {})
    if not isinstance(meta, dict):
        return None
    if _VERSION not in meta:
        return False
    client = meta.get(_CLIENT, {"name": "", "version": ""})
    whole = (
        meta[_VERSION] == MODERN_VERSION
        and isinstance(meta.get(_CAPABILITIES), dict)
        and _client_name(client) is not None
    )
    return True if whole else None


def _initialize_params(params: _Result) -> _Result | None:
    """Return what we need of the parameters of `initialize`; None where they are odd.

    The capabilities of a client are none of it: we ask clients for nothing.
    """
    version, client = params.get("protocolVersion"), _client_name(params.get("clientInfo"))
    if not isinstance(version, str) or client is None or not isinstance(params.get("capabilities"), dict):
        return None
    return {"protocolVersion": version, "capabilities": {}, "clientInfo": client}


def _client_name(client: object) -> _Result | None:
    """Return the name and version that a client gave itself."""
    if not isinstance(client, dict):
        return None
    name, version = client.get("name"), client.get("version")
    if not isinstance(name, str) or not isinstance(version, str):
        return None
    return {"name": name, "version": version}


def _modern_result(result: _Result) -> _Result:
    """Return the result with what the version without a handshake wants beside it, in the SDK's order."""
    server = {"name": NAME, "title": TITLE, "version": __version__, "description": DESCRIPTION}
    members = {**result, "cacheScope": "private", "resultType": "complete", "ttlMs": 0}
    return {name: members[name] for name in sorted(members)} | {"_meta": {_SERVER: server}}


def _response(message: _Message, result: _Result) -> _Message:
    return {"jsonrpc": "2.0", "id": message["id"], "result": result}


def _line_of(message: _Message) -> bytes:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8") + b"\n"
