"""A conversation at a terminal, or line by line through a pipe: messages go to the model, commands are obeyed."""

from __future__ import annotations

import io
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from holdfast.errors import HoldfastError, NoModel
from holdfast.plural import count_of
from holdfast.sessions.turn_events import Event, Step
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.exit_codes import exit_status
from holdfast.surfaces.cli.slash import COMMANDS, Talk, command_in

if TYPE_CHECKING:
    from holdfast.sessions.tool_loop import Turned

__all__ = ["ChatLoop"]

_PROMPT = "> "


class ChatLoop:
    """Reads, answers, and goes on whatever happens, until there is nothing more to read."""

    def __init__(self, talk: Talk, console: Console) -> None:
        self._talk, self._console = talk, console
        self._at_start = True  # of a line: what is told in the middle of an answer stands on one of its own

    def run(self) -> int:
        """Until the end; at a terminal failures were seen, in a pipe the last one decides the status."""
        self._greet()
        status = 0
        is_empty = True
        while not self._talk.over:
            try:
                line = self._read()
                if line is None:
                    break
                if line.strip():
                    is_empty = False
                    status = self._line(line) or status
            except KeyboardInterrupt:  # while a line is typed; one that comes between two steps is late, and lands here
                if not self._talk.person:
                    raise
                self._console.line()
                self._console.aside("Ctrl-D leaves")
        if self._talk.person:
            return 0
        if is_empty and self._talk.memory.ctx.chat_model is None:
            raise NoModel  # nobody would know why there was no answer
        return status

    def once(self, message: str) -> None:
        """One message and its answer."""
        try:
            self._show(self._answer(message))
        finally:
            self._end_line()  # an answer that broke off, too

    def _line(self, line: str) -> int:
        if not self._talk.person:
            return self._done(line)
        with _stopped_once():
            return self._done(line)

    def _done(self, line: str) -> int:
        try:
            wanted = command_in(line)
            if wanted is not None:
                return self._obey(*wanted)
            self._show(self._answer(line.rstrip("\r\n")))
        except HoldfastError as error:
            self._end_line()
            self._console.error(type(error).__name__, str(error))
            return exit_status(error)
        except KeyboardInterrupt:
            if not self._talk.person:
                raise
            self._end_line()
            self._console.aside("stopped; what was said is kept")
        return 0

    def _answer(self, message: str) -> Turned:
        if self._console.as_json:
            return self._talk.session.turn(message)
        return self._talk.session.turn(message, on_event=self._tell)

    def _tell(self, event: Event) -> None:
        if event.step is Step.TEXT:
            self._console.piece(event.text)
            self._at_start = event.text.endswith("\n")
        else:
            self._end_line()
            self._console.aside(f"· {event.text}")

    def _end_line(self) -> None:
        if not self._at_start:
            self._console.line()
            self._at_start = True

    def _show(self, turned: Turned) -> None:
        if self._console.as_json:
            self._console.json({"session": self._talk.session.key, **turned.to_json()})
        self._end_line()
        self._console.finish()

    def _obey(self, name: str, rest: str) -> int:
        command = COMMANDS.get(name)
        if command is None:
            self._console.error("Usage", f"There is no command /{name}. /help lists those that there are.")
            return 2
        if not self._console.as_json:
            status = command.run(self._talk, rest, self._console)
        else:
            shown = io.StringIO()
            status = command.run(self._talk, rest, Console(out=shown, err=shown))
            self._console.json({"command": f"/{name}", "text": shown.getvalue()})
        self._console.finish()
        return status

    def _greet(self) -> None:
        if not self._talk.person:
            return
        session, model = self._talk.session, self._talk.memory.ctx.chat_model
        count = session.transcript.count
        if count:
            said = f"{count_of(count, 'message')} so far"
        else:
            said = "nothing said yet"
        if model is not None:
            who = f"{model.provider}/{model.model}"
        else:
            who = "no model"
        self._console.aside(f"session {session.key}: {said} · {who} · /help lists commands, Ctrl-D leaves")
        if model is None:
            self._console.aside(f"{NoModel()} /memory and the other commands work without.")

    def _read(self) -> str | None:
        """The next line; None at the end."""
        if not (self._talk.person and sys.stdout and sys.stdout.isatty()):
            return (sys.stdin.readline() if sys.stdin else "") or None
        import readline  # noqa: F401 - lines can be edited, and the last ones fetched back

        try:
            return input(_PROMPT) + "\n"
        except EOFError:
            self._console.line()
            return None


@contextmanager
def _stopped_once() -> Iterator[None]:
    """The first Ctrl-C stops what is going on; further ones, by who can't wait, must not stop the keeping of it."""

    def stop(*_: object) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
