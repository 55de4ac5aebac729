"""A stream of a model's turn → its text, told as it comes, and then the same answer as without a stream.

Each API's collector puts its events together to what the API would have answered in one piece, so that there is only
one reading of an answer, and the two ways can't differ.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Protocol

from holdfast.errors import BadAnswer
from holdfast.guard.strict_json import refuse_constant
from holdfast.llm.chat_model import Answer
from holdfast.llm.stream_events import Splitter

__all__ = ["StreamCollector", "StreamFormat", "StreamListener"]

_DONE = "[DONE]"


class StreamCollector(Protocol):
    """Events in, the text in each of them out; `whole()` is the answer as one object."""

    ended: bool
    """Whether the API has said that the turn is over."""

    def take(self, event: dict[str, Any]) -> str:
        """Add an event; gives what may be told of the text now: never what the reading of the whole leaves out."""
        ...

    def whole(self) -> dict[str, Any]:
        """Return what the API would have answered in one piece."""
        ...


class StreamFormat(Protocol):
    """The knowledge of a model about its own streams."""

    def splitter(self) -> Splitter:
        """Return the splitter that cuts events out of the bytes."""
        ...

    def collector(self) -> StreamCollector:
        """Return the collector that turns events into an answer."""
        ...

    def read_answer(self, answer: dict[str, Any]) -> Answer:
        """The turn in an answer."""
        ...

    def bad(self, why: str, answer: dict[str, Any] | None = None) -> BadAnswer:
        """An answer that can't be read."""
        ...


class StreamListener:
    """Listens to one stream; once text was told, there is no second attempt, which would tell it twice."""

    def __init__(self, model: StreamFormat, on_text: Callable[[str], None]) -> None:
        self._model = model
        self._on_text = on_text
        self._told: list[str] = []
        self.begin()

    def begin(self) -> None:
        """A stream begins, the first or another after one that told nothing."""
        self._splitter = self._model.splitter()
        self._collector = self._model.collector()
        self._events = 0

    @property
    def committed(self) -> bool:
        """True if text was told."""
        return bool(self._told)

    def take(self, piece: bytes) -> bool:
        """Hear the next bytes; says whether an event ended in them, be it one without text, such as a thought."""
        events = self._splitter.feed(piece)
        for data in events:
            self._take(data)
        return bool(events)

    def finish(self) -> Answer | None:
        """The whole turn; None where the body holds no event, and so may be an answer in one piece."""
        for data in self._splitter.rest():
            self._take(data, last=True)
        if not self._events:
            return None
        if not self._collector.ended:
            raise self._model.bad("the stream ended before the answer did")
        answer = self._model.read_answer(self._collector.whole())
        self._tell(answer.text[len("".join(self._told)) :])
        return answer

    def _take(self, data: str, *, last: bool = False) -> None:
        if data.strip() == _DONE:
            self._collector.ended = True
            return
        event = self._parsed(data, last)
        if event is None:
            return
        self._events += 1
        if event.get("error"):
            raise self._model.bad("it broke off the stream with an error", event)
        self._tell(self._collector.take(event))

    def _parsed(self, data: str, last: bool) -> dict[str, Any] | None:
        try:
            event = json.loads(data, parse_constant=refuse_constant)
        except (ValueError, RecursionError):
            if last and not self._events:
                return None  # no stream at all; whoever reads the body in one piece says what it is
            if last:
                why = "the stream ended in the middle of an event"
            else:
                why = "the stream has an event that is not JSON"
            raise self._model.bad(why) from None
        if not isinstance(event, dict):
            raise self._model.bad("the stream has an event that is not an object")
        return event

    def _tell(self, text: str) -> None:
        if text:
            self._told.append(text)
            self._on_text(text)
