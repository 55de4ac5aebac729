"""The bytes of a stream, in whatever pieces they come → the texts of its events: SSE, or a JSON object on each line."""

from __future__ import annotations

import re
from typing import Protocol

__all__ = ["EventLines", "JsonLines", "Splitter"]

_END = re.compile(rb"\r\n|\n|\r(?=.)", re.DOTALL)  # a "\r" that stands last may be half of a "\r\n"
_BOM = b"\xef\xbb\xbf"


class Splitter(Protocol):
    """Bytes in, the texts of whole events out."""

    def feed(self, piece: bytes) -> list[str]:
        """The events that are complete with this piece."""
        ...

    def rest(self) -> list[str]:
        """Return what was still open when the stream ended."""
        ...


class JsonLines:
    """One JSON text on each line, as Ollama streams; empty lines say nothing."""

    def __init__(self) -> None:
        self._lines = _Lines()

    def feed(self, piece: bytes) -> list[str]:
        """The lines that are complete with this piece."""
        return [line for line in self._lines.feed(piece) if line.strip()]

    def rest(self) -> list[str]:
        """A last line without an end."""
        return [line for line in self._lines.rest() if line.strip()]


class EventLines:
    """Server-sent events, of which only the data counts: each of our APIs names the type inside it again."""

    def __init__(self) -> None:
        self._lines = _Lines()
        self._data: list[str] = []

    def feed(self, piece: bytes) -> list[str]:
        """The data of the events that are complete with this piece."""
        found: list[str] = []
        for line in self._lines.feed(piece):
            found += self._taken(line)
        return found

    def rest(self) -> list[str]:
        """An event without the empty line that ends it; some servers leave out the last one."""
        return [event for line in (*self._lines.rest(), "") for event in self._taken(line)]

    def _taken(self, line: str) -> list[str]:
        if line:
            name, _, value = line.partition(":")
            if name == "data":
                self._data.append(value.removeprefix(" "))
            return []
        event = "\n".join(self._data)
        self._data.clear()
        return [event] if event.strip() else []


class _Lines:
    """Bytes in, whole lines out; a line is decoded when it is whole, so that no cut can split a character."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._seen = 0
        self._first = True

    def feed(self, piece: bytes) -> list[str]:
        self._held += piece
        found: list[str] = []
        start = 0
        for end in _END.finditer(self._held, max(0, self._seen - 1)):
            found.append(self._text(self._held[start : end.start()]))
            start = end.end()
        del self._held[:start]
        self._seen = len(self._held)
        return found

    def rest(self) -> list[str]:
        last = bytes(self._held).removesuffix(b"\r")
        self._held.clear()
        return [self._text(last)] if last else []

    def _text(self, line: bytes | bytearray) -> str:
        if self._first:
            self._first = False
            line = bytes(line).removeprefix(_BOM)
        return line.decode("utf-8", "replace")
