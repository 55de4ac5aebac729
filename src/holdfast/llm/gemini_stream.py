"""The chunks of Gemini's `:streamGenerateContent` → the response that they are the parts of."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from holdfast.llm.answer_parts import objects

__all__ = ["Response"]


class Response:
    """Puts the parts of the first candidate together; nothing but its reason to finish says that it is the last."""

    def __init__(self) -> None:
        self.ended = False
        self._parts: list[dict[str, Any]] = []
        self._top: dict[str, Any] = {}
        self._candidate: dict[str, Any] | None = None

    def take(self, event: dict[str, Any]) -> str:
        """Add a chunk; gives the text in it that is no thought."""
        self._top |= {name: value for name, value in event.items() if name != "candidates"}
        if isinstance(event.get("promptFeedback"), dict) and event["promptFeedback"].get("blockReason"):
            self.ended = True
        candidates = objects(event.get("candidates"))
        if not candidates:
            return ""
        first = candidates[0]
        self._candidate = {**(self._candidate or {}), **first}
        self.ended = self.ended or bool(first.get("finishReason"))
        content = first.get("content")
        text = ""
        for part in objects(content.get("parts")) if isinstance(content, dict) else []:
            self._parts.append(part)
            if isinstance(part.get("text"), str) and part.get("thought") is not True:
                text += part["text"]
        return text

    def whole(self) -> dict[str, Any]:
        """The response, as it is answered without a stream."""
        if self._candidate is None:
            return self._top
        content = {"role": "model", "parts": _join_text_parts(self._parts)}
        return {**self._top, "candidates": [{**self._candidate, "content": content}]}


def _join_text_parts(parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Plain pieces of one text as one part again; a part with a signature must go back as it came."""
    found: list[dict[str, Any]] = []
    for (plain, thought), run in groupby(parts, key=_kind):
        pieces = list(run)
        if plain and len(pieces) > 1:
            text = "".join(piece["text"] for piece in pieces)
            pieces = [{"text": text, "thought": True} if thought else {"text": text}]
        found += pieces
    return found


def _kind(part: dict[str, Any]) -> tuple[bool, bool]:
    plain = isinstance(part.get("text"), str) and part.keys() <= {"text", "thought"}
    return plain, part.get("thought") is True
