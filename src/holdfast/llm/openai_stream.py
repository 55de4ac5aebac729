"""OpenAI's `chat.completion.chunk` events → the completion that they are the parts of."""

from __future__ import annotations

from typing import Any

from holdfast.llm.answer_parts import objects, place, text_of
from holdfast.llm.thoughts import ThoughtFilter

__all__ = ["Completion"]


class Completion:
    """Puts together text, refusal and calls; the usage comes last, or never, or with every chunk."""

    def __init__(self) -> None:
        self.ended = False
        self._texts: list[str] = []
        self._refusals: list[str] = []
        self._calls: list[dict[str, Any]] = []
        self._arguments: list[list[str]] = []  # one list for each call
        self._places: dict[int, int] = {}
        self._top: dict[str, Any] = {}
        self._finish: Any = None
        self._spoken = ThoughtFilter()

    def take(self, event: dict[str, Any]) -> str:
        """Add a chunk; the one with the usage has no choices, or null in their place."""
        for name in ("model", "usage"):
            if event.get(name):
                self._top[name] = event[name]
        text = ""
        for choice in objects(event.get("choices")):
            if choice.get("index") in (0, None):
                text += self._choice(choice)
        return text

    def whole(self) -> dict[str, Any]:
        """The completion, as it is answered without a stream."""
        for call, pieces in zip(self._calls, self._arguments, strict=True):
            call["function"]["arguments"] = call["function"]["arguments"] or "".join(pieces)
        message = {
            "role": "assistant",
            "content": "".join(self._texts) or None,
            "refusal": "".join(self._refusals) or None,
            "tool_calls": self._calls,
        }
        return {**self._top, "choices": [{"index": 0, "message": message, "finish_reason": self._finish}]}

    def _choice(self, choice: dict[str, Any]) -> str:
        if choice.get("finish_reason"):
            self._finish, self.ended = choice["finish_reason"], True
        delta = choice.get("delta")
        if not isinstance(delta, dict):
            return ""
        for given in objects(delta.get("tool_calls")):
            self._call(given)
        self._refusals.append(text_of(delta.get("refusal")))
        text = text_of(delta.get("content"))
        self._texts.append(text)
        return self._spoken.feed(text) if text else ""

    def _call(self, given: dict[str, Any]) -> None:
        """Add a part of a call to the one it belongs to.

        That is the one with its index. Some servers number none, or all of them 0, and send each in one piece: an id
        that is another one begins another call.
        """
        index, named = place(given.get("index")), given.get("id")
        at = self._places.get(index, -1)
        if at < 0 or (named and self._calls[at]["id"] and named != self._calls[at]["id"]):
            at = self._places[index] = len(self._calls)
            self._calls.append({"id": "", "type": "function", "function": {"name": "", "arguments": ""}})
            self._arguments.append([])
        call = self._calls[at]
        call["id"] = call["id"] or named or ""
        if given.get("extra_content") is not None:
            call["extra_content"] = given["extra_content"]
        function = given.get("function")
        if not isinstance(function, dict):
            return
        call["function"]["name"] = call["function"]["name"] or function.get("name") or ""
        if isinstance(function.get("arguments"), str):
            self._arguments[at].append(function["arguments"])
        elif isinstance(function.get("arguments"), dict):
            call["function"]["arguments"] = function["arguments"]
