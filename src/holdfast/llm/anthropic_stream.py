"""The events of Anthropic's Messages API → the message that they are the parts of."""

from __future__ import annotations

import json
from typing import Any

from holdfast.llm.answer_parts import place

__all__ = ["Composition"]

# The parts of a block that come piece by piece: the kind of the delta, where it brings them, where they go.
_PARTS = {
    "text_delta": ("text", "text"),
    "thinking_delta": ("thinking", "thinking"),
    "signature_delta": ("signature", "signature"),
    "input_json_delta": ("partial_json", "input"),
}


class Composition:
    """Puts the blocks together; kinds of events and deltas that it does not know are passed over, as the API asks."""

    def __init__(self) -> None:
        self.ended = False
        self._top: dict[str, Any] = {}
        self._usage: dict[str, Any] = {}
        self._blocks: dict[int, dict[str, Any]] = {}
        self._pieces: dict[tuple[int, str], list[str]] = {}

    def take(self, event: dict[str, Any]) -> str:
        """Add an event; gives the text in it."""
        match event.get("type"):
            case "message_start" if isinstance(event.get("message"), dict):
                self._top = event["message"]
                self._count(event["message"].get("usage"))
            case "content_block_start" if isinstance(event.get("content_block"), dict):
                return self._begun(place(event.get("index")), event["content_block"])
            case "content_block_delta" if isinstance(event.get("delta"), dict):
                return self._added(place(event.get("index")), event["delta"])
            case "message_delta":
                if isinstance(event.get("delta"), dict):
                    self._top = self._top | event["delta"]
                self._count(event.get("usage"))
            case "message_stop":
                self.ended = True
        return ""

    def whole(self) -> dict[str, Any]:
        """The message, as it is answered without a stream."""
        for (index, name), pieces in self._pieces.items():
            joined = "".join(pieces)
            self._blocks[index][name] = _object(joined) if name == "input" else joined
        return {**self._top, "content": list(self._blocks.values()), "usage": self._usage}

    def _begun(self, index: int, block: dict[str, Any]) -> str:
        self._blocks[index] = dict(block)
        text = block.get("text")
        if block.get("type") != "text" or not isinstance(text, str):
            return ""
        self._pieces[index, "text"] = [text]
        return text

    def _added(self, index: int, delta: dict[str, Any]) -> str:
        source, target = _PARTS.get(str(delta.get("type")), ("", ""))
        piece = delta.get(source)
        if not isinstance(piece, str) or index not in self._blocks:
            return ""
        self._pieces.setdefault((index, target), []).append(piece)
        if target == "text" and self._blocks[index].get("type") == "text":
            return piece
        return ""

    def _count(self, usage: Any) -> None:
        """The counts in later events are totals, and leave out what has not changed."""
        if isinstance(usage, dict):
            self._usage |= {name: value for name, value in usage.items() if value is not None}


def _object(written: str) -> Any:
    """The arguments of a call; as they were written where they are no JSON, for the reading to say so."""
    if not written:
        return {}
    try:
        return json.loads(written)
    except (ValueError, RecursionError):
        return written
