"""What the models at the test server say, whichever API they are asked through; by itself, something sensible."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

__all__ = ["ChatScript", "Heard", "Said", "words"]


class Heard(NamedTuple):
    """What an API's file read out of a request: the last text, the tools by name, whether a result came, a schema."""

    text: str
    tools: Sequence[str] = ()
    answered: bool = False
    schema: Mapping[str, Any] | None = None


class Said(NamedTuple):
    """One turn: words and calls (a text for arguments goes out as it is); `raw` is sent instead of everything."""

    text: str = ""
    calls: tuple[tuple[str, Any], ...] = ()
    stop: str = ""
    thoughts: str = ""
    raw: Any = None


class ChatScript:
    """The next turns, and what the server refuses: `temperature`, `schema`, `json`, `max_tokens`, `max_completion`,
    `stream`, `stream_options`."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """As new."""
        self.refuses: set[str] = set()
        self.names_calls = True
        self.server = ""
        """Which program answers in OpenAI's language: `llamacpp`, `vllm`, or nobody who tells of a window."""
        self.window: Any = None
        """The tokens that the server gives to a conversation."""
        self.trained_for: Any = 131_072
        """The tokens that its model was trained for."""
        self._lines: deque[Said] = deque()

    def say(self, *lines: str | Said) -> None:
        """The next turns, one after the other."""
        self._lines.extend(Said(line) if isinstance(line, str) else line for line in lines)

    def next(self, heard: Heard) -> Said:
        """The turn that answers a request."""
        if self._lines:
            return self._lines.popleft()
        if heard.tools and not heard.answered:
            return Said(calls=((heard.tools[0], {"city": "Lima"}),))
        if heard.schema is not None:
            return Said(json.dumps(dict.fromkeys(heard.schema.get("properties", {}), "Lima")))
        return Said(f"You said: {heard.text}")


def words(*texts: str) -> int:
    """A rough count of tokens."""
    return sum(len(text.split()) for text in texts)
