"""Streams at the test server: the parts of an answer on the wire, piece by piece, and what goes wrong in the middle."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler
from typing import Any

import provider_faults as faults
from provider_exchange import Ask, Reply

__all__ = ["KEY", "bits", "ndjson", "sse", "stream"]

KEY = "the key is $KEY"
"""In the message of an error: the client's own key, which providers have been seen to repeat."""

_COUNTS = ("usage", "usageMetadata", "prompt_eval_count", "eval_count")
_PAUSE = 0.005


def bits(text: str, size: int = 5) -> list[str]:
    """A text in small parts."""
    return [text[at : at + size] for at in range(0, len(text), size)]


def sse(ask: Ask, events: Sequence[dict[str, Any]], *, failing: dict[str, Any], done: bool = True) -> Reply:
    """Server-sent events; the name of an event is the type in its data, where there is one."""
    shown = [_event(event) for event in _counted(ask, events)]
    if done:
        shown.append(b"data: [DONE]\n\n")
    wrong = {faults.STREAM_ERROR: _event(_keyed(ask, failing)), faults.STREAM_GARBAGE: b"data: {'no': JSON}\n\n"}
    return Reply(b"", media_type="text/event-stream", pieces=_spoilt(ask, shown, wrong))


def ndjson(ask: Ask, events: Sequence[dict[str, Any]], *, failing: dict[str, Any]) -> Reply:
    """A JSON object on each line."""
    shown = [_line(event) for event in _counted(ask, events)]
    wrong = {faults.STREAM_ERROR: _line(_keyed(ask, failing)), faults.STREAM_GARBAGE: b"{'no': JSON}\n"}
    return Reply(b"", media_type="application/x-ndjson", pieces=_spoilt(ask, shown, wrong))


def stream(speaker: BaseHTTPRequestHandler, reply: Reply, fault: faults.Fault | None, release: threading.Event) -> None:
    """Send the pieces, each as a chunk of its own."""
    speaker.send_response(reply.status)
    speaker.send_header("Content-Type", reply.media_type)
    speaker.send_header("Transfer-Encoding", "chunked")
    speaker.end_headers()
    pieces = reply.pieces or ()
    for number, piece in enumerate(pieces):
        if fault == faults.STREAM_STALL and number == len(pieces) // 2:
            release.wait()
        _chunk(speaker, piece)
    if fault == faults.STREAM_DRIP:
        while not release.wait(_PAUSE):
            _chunk(speaker, b":\n" if reply.media_type == "text/event-stream" else b"\n")
    if fault == faults.STREAM_CUT:
        speaker.close_connection = True
        speaker.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
        speaker.connection.close()
        return
    speaker.wfile.write(b"0\r\n\r\n")


def _spoilt(ask: Ask, pieces: list[bytes], wrong: dict[faults.Fault, bytes]) -> list[bytes]:
    half = pieces[: len(pieces) // 2]
    match ask.fault:
        case faults.STREAM_SPLIT:
            return [bytes([byte]) for byte in b"".join(pieces)]
        case faults.STREAM_CUT | faults.STREAM_ENDS:
            return [*half, pieces[len(half)][:-9]]
        case faults.STREAM_ERROR | faults.STREAM_GARBAGE:
            return [*half, wrong[ask.fault], *pieces[len(half) :]]
        case faults.STREAM_DRIP:
            return half
    return pieces


def _counted(ask: Ask, events: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    if ask.fault != faults.STREAM_UNCOUNTED:
        return list(events)
    return [{name: value for name, value in event.items() if name not in _COUNTS} for event in events]


def _keyed(ask: Ask, event: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(event).replace("$KEY", ask.server.key))
    return found


def _event(event: dict[str, Any]) -> bytes:
    name = f"event: {event['type']}\n" if isinstance(event.get("type"), str) else ""
    return f"{name}data: {json.dumps(event, ensure_ascii=False)}\n\n".encode()


def _line(event: dict[str, Any]) -> bytes:
    return json.dumps(event, ensure_ascii=False).encode() + b"\n"


def _chunk(speaker: BaseHTTPRequestHandler, piece: bytes) -> None:
    speaker.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
    speaker.wfile.flush()
