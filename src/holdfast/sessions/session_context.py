"""A view of what the model will be sent with the next message, part by part, and how much of its window that takes.

A mere look: it takes no snapshot, keeps no state, and asks no model.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from holdfast.llm.chat_model import system
from holdfast.llm.token_usage import Spent, estimate
from holdfast.named_tuple import NamedTuple
from holdfast.operations.checkpoints_list import moment
from holdfast.operations.context_window import WindowBudget, schema_tokens, tools_of, window_of
from holdfast.plural import count_of
from holdfast.sessions.conversation import Session
from holdfast.sessions.session_prompt import frozen_since, session_prompt
from holdfast.sessions.session_turn import instructions_of
from holdfast.settings.session_settings import PromptMemoryMode
from holdfast.transcripts.tokens import tokens_in
from holdfast.value import Value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.llm.chat_model import ToolSpec
    from holdfast.transcripts.transcript_entry import Entry

__all__ = ["ContextPart", "ContextView", "session_context"]

_INSTRUCTIONS: Final = "how to answer, and the day"


class ContextPart(NamedTuple):
    """One part of what is sent; `source` says where it is from."""

    name: str
    kind: str
    """instructions, tools, block or conversation."""
    characters: int
    tokens: int
    source: str
    truncated: bool
    text: str


class ContextView(Value):
    """Everything that is sent, and what there is room for; numbers are tokens."""

    session: str
    model: str | None
    style: str
    mode: str
    frozen_at: float | None
    """When the prompt's memory was taken, where it is frozen and was taken already."""
    recall: bool
    because: str
    window: int
    reserve: int
    flush_at: int
    cycle: int
    sandbox: str
    """What a sandbox means for the session, in a sentence; empty where there is none."""
    parts: tuple[ContextPart, ...]
    spent: Spent = Spent()

    @property
    def sent(self) -> int:
        """All parts together; what a message brings to mind comes on top."""
        return sum(part.tokens for part in self.parts)

    @property
    def frozen(self) -> bool:
        """True if the prompt's memory stays as it is until it is refreshed."""
        return self.mode == PromptMemoryMode.FROZEN.value

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        when = None
        if self.frozen_at is not None:
            when = moment(self.frozen_at)
        return {
            "session": self.session,
            "model": self.model,
            "style": self.style,
            "mode": self.mode,
            "frozen": self.frozen,
            "frozen_at": when.isoformat(timespec="seconds") if when else None,
            "recall": self.recall,
            "because": self.because,
            "window": self.window,
            "reserve": self.reserve,
            "flush_at": self.flush_at,
            "cycle": self.cycle,
            "sandbox": self.sandbox,
            "sent": self.sent,
            "parts": [part._asdict() for part in self.parts],
            "spent": {
                "requests": self.spent.requests,
                "input_tokens": self.spent.usage.input_tokens,
                "output_tokens": self.spent.usage.output_tokens,
                "cost": self.spent.cost,
            },
        }


def session_context(session: Session) -> ContextView:
    """Return what the model is sent with the next message, part by part, and how much of its window that takes."""
    ctx, settings = session.ctx, session.ctx.settings
    window = window_of(ctx)
    budget = WindowBudget.of(window, settings)
    prompt = session_prompt(session, keep=False, tokens=budget.prompt_tokens)
    entries = session.context()
    due = session.flush_due(context_window=window)
    instructions = instructions_of(session)
    instruction_tokens = estimate((system(instructions),))
    parts = [
        ContextPart(
            "instructions", "instructions", len(instructions), instruction_tokens, _INSTRUCTIONS, False, instructions
        )
    ]
    parts.append(_tools(session, window))
    parts += [
        ContextPart(block.name, "block", block.characters, block.tokens, block.source, block.truncated, block.text)
        for block in prompt.blocks
    ]
    parts.append(_conversation(session, entries))
    model = ctx.chat_model
    return ContextView(
        session=session.key,
        model=None if model is None else f"{model.provider}/{model.model}",
        style=settings.memory.style.value,
        mode=prompt.mode,
        frozen_at=frozen_since(session),
        recall=settings.recall.enabled,
        because=prompt.because,
        window=window,
        reserve=budget.reserve_tokens,
        flush_at=due.limit,
        cycle=due.cycle,
        sandbox=settings.sandbox.summary,
        parts=tuple(parts),
        spent=ctx.meter.total,
    )


def _tools(session: Session, window: int) -> ContextPart:
    toolbox = session.tools()
    tools: Sequence[ToolSpec] = tools_of(toolbox, window)
    if len(tools) == len(toolbox.names):
        offered = f"{len(tools)}"
    else:
        offered = f"{len(tools)} of {len(toolbox.names)}"
    described = sum(len(str(tool.parameters)) + len(tool.description) for tool in tools)
    shown = [{"name": tool.name, "description": tool.description, "parameters": tool.parameters} for tool in tools]
    text = json.dumps(shown, indent=1, ensure_ascii=False)
    source = f"{offered} descriptions"
    return ContextPart("tools", "tools", described, schema_tokens(tools), source, len(tools) < len(toolbox.names), text)


def _conversation(session: Session, entries: Sequence[Entry]) -> ContextPart:
    count = session.transcript.count
    text = "\n\n".join(f"{entry.role.value}: {entry.text}" for entry in entries)
    source = f"{len(entries)} of {count_of(count, 'message')}"
    characters = sum(len(entry.text) for entry in entries)
    return ContextPart(
        "conversation", "conversation", characters, tokens_in(entries), source, len(entries) < count, text
    )
