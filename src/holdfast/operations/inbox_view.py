"""The inbox as its owner sees it: each entry with why it waits, where it comes from, and what it would replace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from holdfast.context.context import Context
from holdfast.dreaming.claim import Claim
from holdfast.guard.origin import Origin
from holdfast.guard.paths import INBOX
from holdfast.markdown.claim_key import key_of
from holdfast.operations.inbox_entries import Inbox
from holdfast.operations.inbox_question import is_question

if TYPE_CHECKING:
    from holdfast.approval.inbox_note import InboxEntry

__all__ = ["inbox_view"]

_WHO: Final = {
    Origin.USER: "You changed its words",
    Origin.OUTSIDE: "It was typed into a file",
    Origin.AUTO_CAPTURE: "It was noticed in a conversation",
    Origin.AGENT: "An agent wants this in every prompt",
    Origin.API: "A program wants this in every prompt",
    Origin.MCP_TOOL: "Another program's tool wants this in every prompt",
    Origin.IMPORT: "It came with an import",
}


def inbox_view(ctx: Context) -> list[dict[str, Any]]:
    """Return what waits to go into MEMORY.md, the oldest first, with the rest of what is known of it."""
    from holdfast.dreaming.dream_change import memory_bytes
    from holdfast.dreaming.memory_lines import own_lines

    entries = Inbox(ctx).list()
    if entries:
        lines = own_lines(memory_bytes(ctx))
    else:
        lines = []
    return [entry.to_json() | _more(entry, lines) for entry in entries]


def _more(entry: InboxEntry, lines: Sequence[Any]) -> dict[str, Any]:
    from holdfast.dreaming.merge_decision import Action, by_rules

    path, _, line = entry.place.rpartition("#")
    waits = path == INBOX
    if is_question(entry.id):
        shown = {"replaces": None, "score": None, "because": entry.because}
        return {"kind": "question", "source": path, "source_line": int(line), **shown}
    decision = None
    if "\n" not in entry.text:
        decision = by_rules(Claim(key_of(entry.text), entry.text, path, 1), lines)
    replaces = None
    if decision is not None and decision.action is Action.SUPERSEDE:
        replaces = decision.prior
    return {
        "kind": "waiting" if waits else "proposal",
        "source": None if waits else path,
        "source_line": int(line) if line.isdecimal() and not waits else None,
        "replaces": replaces.claim.text if replaces is not None else None,
        "score": None,
        "because": entry.because or _because(entry, waits=waits),
    }


def _because(entry: InboxEntry, *, waits: bool) -> str:
    if entry.origin is None:
        who = "Nobody knows who wrote it"
    else:
        who = _WHO[entry.origin]
    if waits:
        return f"{who}, and it is not a sentence that you typed: it goes into MEMORY.md only with your approval."
    return f"It was asked for again and again. {who}, so it goes into MEMORY.md only with your approval."
