"""Takes turn after turn in one session with a model over HTTP, until killed; a log says what was acknowledged."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any

from faults.children import wait_for_go

from holdfast import Memory
from holdfast.llm.chat_model import Answer, ChatModel, Request
from holdfast.sessions.conversation import Session
from holdfast.sessions.turn_events import Event, Step
from holdfast.transcripts.transcript_entry import Entry

# Of many lengths, so that the limit is met at many places of a turn.
_WORDS = "We walked along the river and spoke about nothing in particular. "


class Log:
    """Lines that outlive the process, and tell the parent how far it is."""

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def write(self, **fields: Any) -> None:
        """One line, before whoever waits for it goes on."""
        os.write(self._file, json.dumps(fields).encode() + b"\n")
        os.write(1, b"another\n")


class Logged(Session):
    """A session that says which messages were acknowledged."""

    log: Log

    def append(self, *args: Any, **more: Any) -> Entry:
        """The message is durable by the time that the log has it."""
        entry = super().append(*args, **more)
        self.log.write(message=entry.id, text=entry.text)
        return entry


class Watched:
    """A model that says what it would write in a silent turn, and in which cycle, before anything is written."""

    def __init__(self, model: ChatModel, session: Session, log: Log) -> None:
        self.provider, self.model = model.provider, model.model
        self._model, self._session, self._log = model, session, log

    def chat(
        self, request: Request, *, seconds: float | None = None, on_text: Callable[[str], None] | None = None
    ) -> Answer:
        """The model's own answer."""
        answer = self._model.chat(request, seconds=seconds, on_text=on_text)
        if [tool.name for tool in request.tools] == ["write_file"]:
            for call in answer.tool_calls:
                self._log.write(flush=self._session.transcript.cycle, line=call.arguments["content"])
        return answer


def spoken(number: int) -> str:
    """What is said in a turn; every third one is to be remembered."""
    if number % 3 == 0:
        return f"Please remember: project Kite{number}ridge uses code QX-{number}."
    return f"This is turn {number}. {_WORDS * (number % 5)}"


def main(home: str, settings: str, log: str, start: str) -> None:
    """Go on from the turn after the last."""
    acknowledged = Log(log)
    with Memory.open(home, settings=json.loads(settings)) as memory:
        session = Logged(memory.ctx, "long")
        session.log = acknowledged
        assert memory.ctx.chat_model is not None
        model = Watched(memory.ctx.chat_model, session, acknowledged)

        def heard(event: Event) -> None:
            if event.step is Step.SAVED:
                acknowledged.write(saved=event.text)

        wait_for_go()
        number = int(start)
        while True:
            session.turn(spoken(number), model=model, on_event=heard)
            number += 1


if __name__ == "__main__":
    main(*sys.argv[1:])
