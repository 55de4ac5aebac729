"""Conversations and the turns of a scripted model, for the tests of the silent turn and of compaction."""

from __future__ import annotations

from typing import Any

from holdfast.llm.chat_model import Answer, Stop, ToolCall
from holdfast.sessions.conversation import Session

__all__ = ["WORDS", "called", "talk", "wrote"]

WORDS = "what is it for and how would it go on after that? "  # nothing to be noted as a fact


def talk(session: Session, turns: int = 20, *, words: str = WORDS * 4) -> None:
    """So many questions and answers, of about a hundred tokens each turn."""
    for number in range(turns):
        session.append("user", f"question {number}: {words}")
        session.append("assistant", f"answer {number}: {words}")


def called(name: str, arguments: Any, number: int = 1) -> Answer:
    """A turn in which a model calls a tool; arguments that are no object are a flaw."""
    flawed = not isinstance(arguments, dict)
    call = ToolCall(f"c{number}", name, {} if flawed else arguments, "the arguments are not JSON" if flawed else "")
    return Answer("", (call,), Stop.TOOLS)


def wrote(content: str, path: str = "memory/YYYY-MM-DD.md", number: int = 1) -> Answer:
    """A turn in which a model writes to a note."""
    return called("write_file", {"path": path, "content": content}, number)
