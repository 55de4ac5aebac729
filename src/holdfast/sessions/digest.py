"""A summary of the part of a conversation that is left out, made without a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo

from holdfast.llm.chat_model import Role
from holdfast.plural import agree, count_of
from holdfast.transcripts.sanitizer import HIDDEN, one_line, shorten, words_of
from holdfast.transcripts.transcript_entry import Entry

__all__ = ["HEADING", "digest", "facts_of", "saved_in", "saved_paths"]

HEADING = "[Summary of the conversation so far]"
"""How a summary begins that was made here."""

_SAVED = "Saved to memory: "
_FIRST = 400  # characters of the first request
_LINE = 160
_REQUESTS = 12
_TOOLS = 8
_CARRIED = 4000
_WAITING = 8000


def digest(
    removed: Sequence[Entry],
    *,
    saved: Sequence[str] = (),
    waiting: Entry | None = None,
    carried: str = "",
    zone: tzinfo | None = None,
) -> str:
    """Return how it began, what was asked since, how much was said, and what was saved.

    `waiting` is the user's last message where it is not among what stays, and `carried` an earlier summary that
    was not made here: both would be lost otherwise.
    """
    asked = [entry for entry in removed if entry.role is Role.USER and HIDDEN.isdisjoint(entry.tags)]
    parts = [HEADING, _span(removed, zone)]
    # looking for secrets takes longer than all the rest, so only what is shown is looked through
    if asked and (words := _words(asked[0])):
        parts.append(f"It began with: {one_line(words, _FIRST)}")
    later = [f"- {one_line(words, _LINE)}" for entry in asked[1:][-_REQUESTS:] if (words := _words(entry))]
    if later:
        if len(asked) - 1 > _REQUESTS:
            cut = f" (of {count_of(len(asked) - 1, 'message')} the last ones):"
        else:
            cut = ":"
        parts += [f"Then the user said{cut}", *later]
    parts += facts_of(removed, saved=saved, waiting=waiting)
    if carried.strip():
        parts.append(f"Before that:\n{shorten(carried.strip(), _CARRIED)}")
    return "\n".join(part for part in parts if part)


def facts_of(removed: Sequence[Entry], *, saved: Sequence[str] = (), waiting: Entry | None = None) -> list[str]:
    """The lines that no model need write: the counts, the notes that were written, what waits for an answer."""
    spoken = Counter(entry.role for entry in removed if HIDDEN.isdisjoint(entry.tags))
    called = Counter(call.name for entry in removed for call in entry.tool_calls)
    counts = f"So far: {count_of(spoken[Role.USER], 'message')} of the user, {spoken[Role.ASSISTANT]} of the assistant"
    if called:
        shown = ", ".join(f"{name} {times}" for name, times in called.most_common(_TOOLS))
        counts += f", {count_of(called.total(), 'call')} of tools ({shown})"
    parts = [f"{counts}."]
    notes = list(dict.fromkeys((*saved_paths(removed), *saved)))
    if notes:
        parts.append(f"{_SAVED}{', '.join(notes)}.")
    if waiting is not None and (words := _words(waiting)):
        parts.append(f"The user's last message:\n{shorten(words, _WAITING)}")
    return parts


def saved_paths(entries: Sequence[Entry]) -> list[str]:
    """The notes that the conversation wrote with `memory_save`, as far as its results say so."""
    failed = {entry.tool_call_id for entry in entries if entry.role is Role.TOOL and entry.failed}
    paths: list[str] = []
    for entry in entries:
        for call in entry.tool_calls:
            if call.name == "memory_save" and call.id not in failed and not call.flaw:
                file = call.arguments.get("file")
                paths.append(one_line(file, _LINE) if isinstance(file, str) and file else "MEMORY.md")
    return list(dict.fromkeys(paths))


def saved_in(summary: str) -> list[str]:
    """The notes that an earlier summary says were written."""
    lines = (line for line in summary.split("\n") if line.startswith(_SAVED) and line.endswith("."))
    return [path for line in lines for path in line[len(_SAVED) : -1].split(", ")]


def _words(entry: Entry) -> str:
    return words_of(entry.role, entry.text, entry.tags)


def _span(entries: Sequence[Entry], zone: tzinfo | None) -> str:
    days = [day for entry in (*entries[:1], *entries[-1:]) if (day := _day(entry.at, zone))]
    if days:
        when = f", {' to '.join(dict.fromkeys(days))}"
    else:
        when = ""
    number = sum(HIDDEN.isdisjoint(entry.tags) for entry in entries)
    return f"{count_of(number, 'earlier message')} {agree(number, 'is', 'are')} not shown any more{when}."


def _day(at: float, zone: tzinfo | None) -> str:
    try:
        return datetime.fromtimestamp(at, UTC).astimezone(zone).strftime("%Y-%m-%d")
    except (ValueError, OverflowError, OSError):
        return ""
