"""What the scripted model says: for each prompt of a loop its steps, in order, a text or a call of a tool."""

from __future__ import annotations

import html
import re
import threading
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

__all__ = ["FENCE", "SUMMARY", "Asked", "Script", "Step", "unfenced"]

SUMMARY = "<summary>They talked about the harbour, and nothing is left to do.</summary>"
"""What the model answers where it is not asked as an agent: to titles and summaries. Claude Code wants the tags."""

# How Claude Code and Codex ask for a summary, and OpenClaw for what is to be saved before, with tools there; others
# offer none then.
_SUMMARY_ASKED = ("Do NOT call any tools", "CONTEXT CHECKPOINT COMPACTION", "Pre-compaction memory flush")

FENCE = re.compile(r"<([a-z][a-z-]*)-([0-9a-f]{12})\b[^<>\n]*>(?:\n|\\n).*?</\1-\2>", re.DOTALL)
"""A fence of ours, of whatever name: the end names the same random word as the beginning.

OpenClaw sends results of tools as JSON inside a text, in which the end of a line is written out.
"""


class Step(NamedTuple):
    """One answer of the model: a text, a call of a tool, or both."""

    text: str = ""
    tool: str = ""
    """The tool's own name; a client may put its name for our server in front of it."""
    arguments: Mapping[str, Any] = {}
    tokens: int = 900
    """How long the model says that the prompt was: what a client compacts by."""


class Asked(NamedTuple):
    """What a request says: the user's texts after the model's last answer, and the tools that it offers."""

    last: Sequence[str]
    tools: Sequence[str]


class Script:
    """The steps of every prompt, each taken once."""

    def __init__(self, steps: Mapping[str, Sequence[Step]]) -> None:
        self._left = {prompt: list(listed) for prompt, listed in steps.items()}
        self._current = ""
        self.missing: list[str] = []
        """Tools that were to be called when the client had not offered them."""
        self._lock = threading.Lock()

    def answer(self, asked: Asked) -> Step:
        """Return the next step of the prompt that is asked, or of the one before, which goes on."""
        said = unfenced("\n".join(asked.last))
        with self._lock:
            if not asked.tools or any(phrase in said for phrase in _SUMMARY_ASKED):
                return Step(SUMMARY)
            prompts = [prompt for prompt in self._left if prompt in said]
            if prompts:
                self._current = max(prompts, key=said.rfind)
            steps = self._left.get(self._current, [])
            step = steps.pop(0) if steps else Step(SUMMARY)
        if not step.tool:
            return step
        names = [name for name in asked.tools if name.endswith(step.tool)]
        if not names:
            self.missing.append(step.tool)
            return Step(f"There is no tool {step.tool}.")
        return step._replace(tool=names[0])

    @property
    def left(self) -> list[str]:
        """The prompts of which not every step was asked for."""
        return [prompt for prompt, steps in self._left.items() if steps]


def unfenced(text: str) -> str:
    """Return a text without what stands in fences; Gemini CLI writes out what hooks add as HTML."""
    return FENCE.sub("", html.unescape(text))
