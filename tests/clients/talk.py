"""One talk with a client, the same for all: what is remembered before, what is said in it, what holds afterwards."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from clients.endpoint import Received
from clients.loop import Loop
from clients.script import FENCE, SUMMARY, Script, Step, unfenced

__all__ = ["FERRY", "HARBOUR", "Talk", "Turn", "script_of", "turns"]

FERRY = "The ferry to Saltholm leaves at 07:40"
"""In MEMORY.md before the talk: what a session begins with."""
HARBOUR = "The harbour office code is heron-4471"
"""In a note before the talk: what the first prompt brings to mind."""
TEA = "Ada prefers tea in the morning."
"""What the user asks to remember."""


class Turn(NamedTuple):
    """One prompt, and what the model answers to it."""

    prompt: str
    steps: tuple[Step, ...]

    @property
    def messages(self) -> list[str]:
        """Everything that was said in it."""
        return [self.prompt, *(step.text for step in self.steps if step.text)]


Arguments = dict[str, Any]


def called(tool: str, arguments: Arguments) -> tuple[str, Arguments]:
    """Return how most clients have a tool called: by its name."""
    return tool, arguments


def turns(
    full: int, call: Callable[[str, Arguments], tuple[str, Arguments]] = called, *, after: int = 900
) -> list[Turn]:
    """Return the talk. `full` is how many tokens make a client compact, `call` how it has a tool called.

    `after` is how many tokens the answer in that turn says: OpenClaw compacts only between turns.
    """
    search, query = call("memory_search", {"query": "harbour office code"})
    search, drink = call("memory_search", {"query": "what Ada prefers in the morning"})
    save, sentence = call("memory_save", {"content": TEA, "file": "MEMORY.md"})
    return [
        Turn(
            "What is the harbour office code?", (Step("", search, query), Step("Your notes say it, I read it there."))
        ),
        Turn(f"Remember that {TEA}", (Step("", save, sentence), Step("I put that into your memory."))),
        # The answer to the call says that the window is full, so that the client compacts before it asks again.
        Turn(
            "Which boat comes next week?",
            (Step("Let me look.", search, query, full), Step("The blue boat does.", tokens=after)),
        ),
        Turn("And who steers her?", (Step("The old pilot steers her."),)),
        # In a session of its own, after the talk: all that was said before is stored text by now.
        Turn(
            "What does Ada like to drink at breakfast?", (Step("", search, drink), Step("That is in your memory, too."))
        ),
    ]


def script_of(talk: Sequence[Turn]) -> Script:
    """Return what the model says in the talk."""
    return Script({turn.prompt: turn.steps for turn in talk})


class Talk(NamedTuple):
    """A talk that has taken place, with a last turn in a session of its own."""

    loop: Loop
    turns: Sequence[Turn]
    first: Sequence[Received]
    """The requests of the session in which the talk was."""
    second: Sequence[Received]
    """Those of the new session after it."""

    @property
    def said(self) -> list[str]:
        """Every message of the first session, in order."""
        return [message for turn in self.turns[:-1] for message in turn.messages]

    def check_script(self) -> None:
        """Raise unless the client asked for every step, each tool being there when it was called."""
        assert self.loop.endpoint.script.missing == []
        assert self.loop.endpoint.script.left == []

    def check_recall(self) -> None:
        """Raise unless hooks brought to mind what answers a prompt before the model was asked for the first time."""
        before = fenced(opening(self.first, self.turns[0].prompt))
        assert FERRY in before
        assert HARBOUR in before
        assert TEA in fenced(opening(self.second, self.turns[-1].prompt))

    def check_notes(self) -> None:
        """Raise unless the notes hold every message once, in the order in which it was said, and no summary."""
        notes = [spoken(text) for text in self.loop.notes().values()]
        last = self.turns[-1]
        (first,) = [text for text in notes if self.said[0] in text]
        (second,) = [text for text in notes if last.prompt in text]
        assert [first.count(message) for message in self.said] == [1] * len(self.said), first
        places = [first.index(message) for message in self.said]
        assert places == sorted(places), first
        assert [second.count(message) for message in last.messages] == [1, 1], second
        assert len(notes) == 2, notes
        assert all(unwrapped(SUMMARY) not in text for text in notes)

    def check_fences(self) -> None:
        """Raise unless stored text reached the model, and only inside fences."""
        for request in self.first:
            assert_only_fenced(request, [FERRY, HARBOUR])
        for request in self.second:
            assert_only_fenced(request, [FERRY, HARBOUR, TEA, *self.said])
        assert HARBOUR in fenced(self.first)
        assert TEA in fenced(self.second)

    def check_saved(self, note: str = "MEMORY.md") -> None:
        """Raise unless the sentence that the user asked to remember is in a note, once."""
        text = (self.loop.home / note).read_text(encoding="utf-8")
        assert text.count(TEA) == 1, text


def opening(requests: Sequence[Received], prompt: str) -> Sequence[Received]:
    """Return the first request that asks an agent for an answer to a prompt, as a list of one."""
    asked = [
        request for request in requests if request.body.get("tools") and prompt in "\n".join(strings(request.body))
    ]
    return asked[:1]


def spoken(note: str) -> str:
    """Return what a note says without its first lines and headings, which repeat the first prompt."""
    body = note.split("\n---\n", 1)[1]
    return "\n".join(line for line in body.split("\n") if not line.startswith("#"))


def unwrapped(summary: str) -> str:
    """Return a summary without its tags."""
    return re.sub(r"</?summary>", "", summary)


def assert_only_fenced(request: Received, sentences: Sequence[str]) -> None:
    """Raise where one of the sentences stands anywhere in a request but in a fence."""
    for text in strings(request.body):
        outside = unfenced(text)
        for sentence in sentences:
            assert sentence not in outside, f"{sentence!r} outside a fence, in {request.path}:\n{outside[:4000]}"


def fenced(requests: Sequence[Received]) -> str:
    """Return all that stands in the fences of requests."""
    texts = [html.unescape(text) for request in requests for text in strings(request.body)]
    return "\n".join(found[0] for text in texts for found in FENCE.finditer(text))


def strings(value: object) -> Iterator[str]:
    """Return every text in a value of JSON; one that is JSON itself, such as arguments of a call, is looked into."""
    if isinstance(value, str):
        inner = decoded(value)
        if inner is None:
            yield value
        else:
            yield from strings(inner)
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


def decoded(text: str) -> object:
    """Return what a text means as JSON, an object, a list or a text; None for any other."""
    if not text.startswith(("{", "[", '"')):
        return None
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, (dict, list, str)) else None
