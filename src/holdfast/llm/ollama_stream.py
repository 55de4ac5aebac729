"""The lines of Ollama's chat → the one answer that they are the parts of."""

from __future__ import annotations

from typing import Any

from holdfast.llm.answer_parts import objects, text_of
from holdfast.llm.thoughts import ThoughtFilter

__all__ = ["Reply"]


class Reply:
    """Puts together text and calls, which come whole; the last line has the counts."""

    def __init__(self) -> None:
        self.ended = False
        self._texts: list[str] = []
        self._calls: list[dict[str, Any]] = []
        self._top: dict[str, Any] = {}
        self._spoken = ThoughtFilter()

    def take(self, event: dict[str, Any]) -> str:
        """Add a line."""
        self._top |= {name: value for name, value in event.items() if name != "message"}
        self.ended = self.ended or event.get("done") is True
        message = event.get("message")
        if not isinstance(message, dict):
            return ""
        self._calls += objects(message.get("tool_calls"))
        text = text_of(message.get("content"))
        self._texts.append(text)
        return self._spoken.feed(text) if text else ""

    def whole(self) -> dict[str, Any]:
        """The answer, as it is given without a stream."""
        message = {"role": "assistant", "content": "".join(self._texts), "tool_calls": self._calls}
        return {**self._top, "message": message}
