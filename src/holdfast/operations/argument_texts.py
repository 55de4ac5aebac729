"""The texts of arguments that models, programs and people read: plain data.

They stand beside the signatures that they belong to, and not in them, because `holdfast search --help` shows them too
and must import no operation for that.
"""

from __future__ import annotations

from typing import Final

__all__ = ["FACT", "FACTS", "FACT_HISTORY", "GET", "RECALL", "SEARCH"]

SEARCH: Final = {
    "query": (
        "What to look for: a question, a topic, a name, an id or an exact phrase. Empty with since or until: all "
        "notes of that time, newest first."
    ),
    "max_results": "How many hits at the most (1 to 100; usually 6).",
    "min_score": "Leave out hits that score below this (0 to 1).",
    "path": "Only in this note or folder, such as memory/projects.",
    "source": "Only in memory, sessions or extra.",
    "since": "Only notes from this day on: 2026-03-05, last week, 10d.",
    "until": "Only notes up to this day.",
    "project": "The folder that the work at hand is about; its notes are lifted a little.",
    "category": "Only facts of this kind: preference, fact, decision, entity, other or archive.",
    "origin": (
        "Only facts that came from user, agent, auto_capture, import, mcp_tool, api or outside (typed into the "
        "note). What is no fact has no known origin."
    ),
    "min_importance": "Only facts that are at least this important (0 to 1; usually .5).",
    "min_trust": (
        "Only words of this origin or one trusted more: user, outside (typed into the note), auto_capture, agent, "
        "api, mcp_tool, import."
    ),
    "by_passage": "Each passage a hit of its own; otherwise those of one note are one hit.",
    "context": "What was said before the question, oldest first.",
    "min_confidence": "Only hits that are at least so likely to answer (0 to 1).",
}
"""Of `memory_search`."""

RECALL: Final = {
    "query": "What to recall: a question, a topic or a name.",
    "limit": "How many facts at the most (1 to 25).",
    "category": "Only preference, fact, decision, entity or other.",
    "origin": "Only facts that came from user, agent, auto_capture, import, mcp_tool, api or outside.",
    "min_importance": "Only facts that are at least this important (0 to 1).",
    "since": "Only facts from this day on: 2026-03-05, last week, 10d.",
    "until": "Only facts up to this day.",
    "as_of": "What held on this day: 2026-03-05.",
    "include_superseded": "Also facts whose place another took, or whose time is over.",
    "include_archived": "Also facts that were moved to the archive.",
}
"""Of `recall`."""

FACT: Final = {
    "text": "One fact in one sentence, in the words a person would write: 'I prefer green tea'.",
    "category": "preference, fact, decision, entity or other (the default).",
    "importance": "How much it matters, 0 to 1 (usually .5).",
    "valid_from": "The day from which it holds: 2026-03-05.",
    "valid_until": "The last day on which it holds.",
}
"""Of `store`."""

FACTS: Final = {
    "category": RECALL["category"],
    "origin": RECALL["origin"],
    "since": "Only facts that were said on or after this day: 2026-03-05, last week, 10d.",
    "until": "Only facts that were said up to this day.",
    "min_importance": RECALL["min_importance"],
    "state": "live, upcoming, superseded, expired, archived or all.",
    "limit": "How many at the most (1 to 100).",
    "offset": "How many to skip: the next_offset of the page before.",
}
"""Of `list`."""

FACT_HISTORY: Final = {
    "query": "A question, or the id of a fact.",
    "as_of": "Only what held on this day.",
}
"""Of `history` of facts."""

GET: Final = {
    "path": "The note to read: MEMORY.md or memory/<name>.md.",
    "chunk_id": "The chunk_id of a hit, or <path>:<line>. Give this or path.",
    "from_line": "The first line to read, counted from 1.",
    "lines": "How many lines to read.",
}
"""Of `memory_get`."""
