"""Describe what happens during a turn, in a line each that a person can read; a surface shows them as they come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from holdfast.llm.chat_model import Answer, Stop
from holdfast.plural import agree, count_of
from holdfast.recall.recall import Recalled
from holdfast.sessions.compaction import Compacted
from holdfast.value import Shown

__all__ = ["Event", "Step", "of_answer", "of_call", "of_compaction", "of_recall"]

_SHOWN = 4  # places in a line
_LONGEST = 120  # characters of a text in a line


class Step(StrEnum):
    """The kind of thing that happens."""

    TEXT = "text"  # a piece of the answer, as it comes
    RECALLED = "recalled"
    LOOKED = "looked"
    SAVED = "saved"
    FORGOT = "forgot"
    RESTORED = "restored"
    FLUSHED = "flushed"
    COMPACTED = "compacted"
    FAILED = "failed"
    NOTED = "noted"  # anything else that one may want to know


class Event(Shown):
    """One thing that happened; `text` is the line, or the piece of the answer."""

    step: Step
    text: str


def of_recall(recalled: Recalled | None) -> list[Event]:
    """Return what the user's message brought to mind; nothing where it brought nothing."""
    if recalled is None or not recalled.hits:
        return []
    places = [_short(f"{hit.path}#{hit.start_line}") for hit in recalled.hits]
    return [Event(Step.RECALLED, f"recalled {_count(len(places), 'note')}: {_list_places(places)}")]


def of_call(name: str, arguments: Mapping[str, Any], result: Mapping[str, Any]) -> Event:
    """Return what a call of a tool did."""
    error = result.get("error")
    if isinstance(error, Mapping):
        return Event(Step.FAILED, f"{name}: {_short(str(error.get('message', '')))}")
    path = _short(str(result.get("path", "")))
    match name:
        case "memory_search" | "recall":
            places = [_place(hit) for hit in _rows(result, "results")]
            asked = f"looked for {_short(str(arguments.get('query', '')))!r}: {_count(len(places), 'hit')}"
            if places and result.get("likely") is False:
                doubt = ", unlikely to answer"
            else:
                doubt = ""
            return Event(Step.LOOKED, f"{asked}{doubt} ({_list_places(places)})" if places else asked)
        case "memory_get":
            what = arguments.get("path") or arguments.get("chunk_id") or path
            return Event(Step.LOOKED, f"read {_short(str(what))}")
        case "memory_save" | "store":
            text = arguments.get("content") or arguments.get("text") or ""
            return Event(Step.SAVED, f"saved to {path}: {_short(str(text))}")
        case "memory_delete":
            whole = bool(result.get("file_deleted"))
            return Event(Step.FORGOT, f"deleted {path}" if whole else f"deleted text from {path}")
        case "memory_forget":
            return _of_forget(result)
        case "forget":
            fact = result.get("fact")
            return Event(
                Step.FORGOT, f"forgot {_short(str(fact.get('text', '') if isinstance(fact, Mapping) else ''))}"
            )
        case "checkpoint_restore":
            return Event(Step.RESTORED, f"restored {path}")
    return Event(Step.NOTED, f"used {_short(name)}")


def of_compaction(compacted: Compacted) -> list[Event]:
    """Return what the silent turn saved, and how much of the conversation is no longer sent."""
    events: list[Event] = []
    flush = compacted.flush
    if flush is not None and flush.ran:
        events.append(Event(Step.FAILED if flush.failed else Step.FLUSHED, f"before it is shortened: {flush.why}"))
    if compacted.removed:
        removed = f"{count_of(compacted.removed, 'message')} {agree(compacted.removed, 'is', 'are')} summed up"
        stay = f"{compacted.kept:,} {agree(compacted.kept, 'stays', 'stay')} word for word"
        kept = f"shortened the conversation: {removed}, {stay}"
        events.append(Event(Step.COMPACTED, kept))
    if compacted.because and compacted.removed:
        events.append(Event(Step.NOTED, f"the summary is not the model's: {compacted.because}"))
    return events


def of_answer(answer: Answer) -> list[Event]:
    """Return what is odd about an answer, if anything is."""
    if answer.stop is Stop.LENGTH:
        return [Event(Step.NOTED, "the answer was cut off: it reached the longest that is allowed")]
    if answer.stop is Stop.REFUSED:
        return [Event(Step.NOTED, "the model would not answer")]
    if not answer.text.strip() and not answer.tool_calls:
        return [Event(Step.NOTED, "the model said nothing")]
    return []


def _of_forget(result: Mapping[str, Any]) -> Event:
    gone = [str(row.get("text", "")) for row in _rows(result, "forgotten")]
    if gone:
        return Event(Step.FORGOT, f"forgot {'; '.join(map(_short, gone[:_SHOWN]))}")
    because = str(result.get("because", "")) or "nothing was found"
    return Event(Step.NOTED, f"nothing was forgotten: {_short(because)}")


def _rows(result: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    rows = result.get(name)
    if not isinstance(rows, list):
        return []
    return [row for row in rows if isinstance(row, Mapping)]


def _place(hit: Mapping[str, Any]) -> str:
    line = hit.get("start_line", hit.get("line"))
    return _short(f"{hit.get('path', '')}#{line}" if line is not None else str(hit.get("path", "")))


def _count(count: int, what: str) -> str:
    if count == 1:
        return f"{count} {what}"
    return f"{count} {what}s"


def _list_places(places: Sequence[str]) -> str:
    more = len(places) - _SHOWN
    return ", ".join(places[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _short(text: str) -> str:
    line = " ".join(text.split())
    if len(line) <= _LONGEST:
        return line
    return f"{line[: _LONGEST - 1]}…"
