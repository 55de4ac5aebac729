"""Turn a transcript into messages that every API takes: each call has its result, each result its call.

A process that was killed between a call and its result, or two that wrote at once, leave halves; providers refuse a
conversation with halves in it, and would refuse it for ever.
"""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.llm.chat_model import Message, Role, ToolCall, result_of
from holdfast.transcripts.transcript_entry import Entry

__all__ = ["messages_of"]

_LOST = '{"error": {"type": "Interrupted", "message": "This call was broken off; look whether it was done."}}'


def messages_of(entries: Sequence[Entry]) -> list[Message]:
    """The messages in order; a result stands right after its call, and one that was lost says so.

    A message that got no answer, and was then sent again in the same words, is the same message.
    """
    results = _results(entries)
    messages: list[Message] = []
    for place, entry in enumerate(entries):
        if entry.role is Role.TOOL or not (entry.text or entry.tool_calls):
            continue  # results come with their calls; an empty message is refused
        if entry.role is Role.USER and messages and messages[-1] == entry.message:
            continue
        messages.append(entry.message)
        messages += [results.get((place, number)) or _lost_result(call) for number, call in enumerate(entry.tool_calls)]
    return messages


def _results(entries: Sequence[Entry]) -> dict[tuple[int, int], Message]:
    """The result of each call, by the places of the message and of the call in it."""
    waiting: dict[str, list[tuple[int, int]]] = {}
    results: dict[tuple[int, int], Message] = {}
    for place, entry in enumerate(entries):
        if entry.role is Role.TOOL:
            if called := waiting.get(entry.tool_call_id):
                results[called.pop(0)] = entry.message
            continue
        own: dict[str, list[tuple[int, int]]] = {}
        for number, call in enumerate(entry.tool_calls):
            own.setdefault(call.id, []).append((place, number))
        waiting |= own  # some servers begin to count anew with every turn: a result belongs to the last call of its id
    return results


def _lost_result(call: ToolCall) -> Message:
    return result_of(call, _LOST, failed=True)
