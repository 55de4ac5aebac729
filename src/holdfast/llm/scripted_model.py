"""A model for tests and demonstrations: it says what it was told to say, in turn."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from holdfast.errors import ProviderFailed
from holdfast.llm.chat_model import Answer, Request, Usage
from holdfast.llm.server_report import ModelReport

__all__ = ["Line", "ScriptedModel"]

Line = str | Answer | ProviderFailed | Callable[[Request], "str | Answer | ProviderFailed"]
"""One turn of a script: words, a whole answer, a failure, or a function that makes one of them of the request."""


class ScriptedModel:
    """Answers with its lines, one after the other, and then with `always`, if there is one.

    `down = True` makes it fail as a provider that can't be reached does; `requests` are those it was asked. `window` is
    what it says of itself, as a server does.
    """

    provider = "scripted"

    def __init__(
        self, *lines: Line, always: Line | None = None, model: str = "scripted", window: int | None = None
    ) -> None:
        self.model = model
        self.window = window
        self.down = False
        self.requests: list[Request] = []
        self._lines = deque(lines)
        self._always = always
        self._lock = threading.Lock()

    def report(self) -> ModelReport:
        """Describe the model as a server would."""
        if self.down:
            raise ProviderFailed(self.provider, "it was switched off")
        return ModelReport(self.model, self.window)

    def context_window(self) -> int | None:
        """The tokens of its window, where it was given one."""
        return self.window

    def chat(
        self,
        request: Request,
        *,
        seconds: float | None = None,
        on_text: Callable[[str], None] | None = None,
    ) -> Answer:
        """The next line of the script."""
        if self.down:
            raise ProviderFailed(self.provider, "it was switched off")
        if seconds is not None and seconds <= 0:
            raise ProviderFailed(self.provider, "no time was left")
        with self._lock:
            self.requests.append(request)
            line = self._lines.popleft() if self._lines else self._always
        said = line(request) if callable(line) else line
        if said is None:
            raise ProviderFailed(self.provider, "its script is over")
        if isinstance(said, ProviderFailed):
            raise said
        if isinstance(said, str):
            read = sum(len(message.text.split()) for message in request.messages)
            said = Answer(said, usage=Usage(read, len(said.split())))
        if on_text is not None and said.text:
            on_text(said.text)
        if said.model:
            return said
        return said.replace(model=self.model)
