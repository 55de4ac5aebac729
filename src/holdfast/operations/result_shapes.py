"""Describe tool results as JSON Schema: the one source for MCP's output schemas and for the HTTP API's document.

The schemas name every field that a result can have, and allow others: a client that checks against the schema of an
older Holdfast must not refuse what a newer one adds. The tests close them, so that none is missing here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

__all__ = ["CHANGE", "ENTRY", "ERROR", "FACT", "HIT", "SHAPES", "Shape", "fields", "list_of", "maybe"]

Shape: TypeAlias = dict[str, Any]


def fields(always: Mapping[str, Shape], sometimes: Mapping[str, Shape] | None = None) -> Shape:
    """An object with these fields; some of them are not always there."""
    return {"type": "object", "properties": {**always, **(sometimes or {})}, "required": list(always)}


def list_of(shape: Shape) -> Shape:
    """A list of these."""
    return {"type": "array", "items": shape}


def maybe(shape: Shape) -> Shape:
    """This, or null."""
    return {**shape, "type": [shape["type"], "null"]}


def _text(meaning: str = "") -> Shape:
    if meaning:
        return {"type": "string", "description": meaning}
    return {"type": "string"}


_TEXT: Final = _text()
_NUMBER: Final[Shape] = {"type": "number"}
_COUNT: Final[Shape] = {"type": "integer"}
_YES: Final[Shape] = {"type": "boolean"}
_DAY: Final = maybe(_text("A day, as 2026-03-05."))
_BECAUSE: Final = _text("What else is to be said of it; why something is missing or has to wait.")
_CHECKPOINT: Final = _text("checkpoint_restore with this id takes the change back.")
_CHECKPOINTS: Final = list_of(_CHECKPOINT)
_WHOSE: Final = maybe(_text("Whose words these are, of several the one trusted least; null where it is not known."))
_WAITS: Final[Shape] = {"type": "boolean", "description": "True: it is in the inbox, until the owner approves it."}

ERROR: Final = fields({"error": fields({"type": _text("The class of the error."), "message": _TEXT})})
"""What any tool gives in place of its result when it can't do what was asked."""

_KNOWN_FACT: Final = fields(
    {
        "id": maybe(_TEXT),
        "category": _TEXT,
        "importance": _NUMBER,
        "origin": _TEXT,
        "observed": _DAY,
        "valid_from": _DAY,
        "valid_until": _DAY,
        "superseded": _YES,
    }
)
HIT: Final = fields(
    {
        "chunk_id": _text("memory_get reads the whole chunk by it."),
        "path": _TEXT,
        "start_line": _COUNT,
        "end_line": _COUNT,
        "score": _NUMBER,
        "confidence": _NUMBER,
        "likely": _YES,
        "vector_score": maybe(_NUMBER),
        "text_score": maybe(_NUMBER),
        "snippet": _TEXT,
        "citation": maybe(_TEXT),
        "source": _text("memory, sessions or extra."),
    },
    {
        "origin": _WHOSE,
        "newer": _text("Where a newer line says something else of the same thing: this one may no longer hold."),
        "older": _text("Where an older line stands that this one says something else than."),
        "ranges": {
            **list_of(list_of(_COUNT)),
            "description": "Of several passages of the note that were found, the first and last line, best first.",
        },
        "waits": _WAITS,
        "fact": _KNOWN_FACT,
        "found_by": _text("What brought it: words, meaning, words and meaning, or time."),
        "headings": list_of(_TEXT),
        "explain": {"type": "object", "additionalProperties": _NUMBER},
    },
)
FACT: Final = fields(
    {
        "id": maybe(_TEXT),
        "text": _TEXT,
        "category": _TEXT,
        "importance": _NUMBER,
        "origin": _TEXT,
        "state": _text("live, upcoming, superseded, expired or archived."),
        "observed": _DAY,
        "valid_from": _DAY,
        "valid_until": _DAY,
        "reinforced_on": _DAY,
        "reinforced": _COUNT,
        "supersedes": list_of(_TEXT),
        "superseded_by": maybe(_TEXT),
        "rule": maybe(_TEXT),
        "session": maybe(_TEXT),
        "message": maybe(_TEXT),
        "path": _TEXT,
        "line": _COUNT,
    }
)
_RECALLED_FACT: Final = fields({**FACT["properties"], "score": _NUMBER, "confidence": _NUMBER})
_CANDIDATE: Final = fields(
    {"path": _TEXT, "line": _COUNT, "text": _TEXT, "chosen": _YES, "origin": _WHOSE}, {"because": _BECAUSE}
)
CHANGE: Final = fields(
    {
        "id": _CHECKPOINT,
        "seq": _COUNT,
        "createdAt": maybe(_text("When, as ISO 8601.")),
        "path": _TEXT,
        "origin": _TEXT,
        "tool": _TEXT,
        "reason": _TEXT,
        "existed": _YES,
        "exists": _YES,
    },
    {
        "author": _text(
            "Whose words it brought, where that is not who made it: the owner approves what an agent wrote."
        ),
        "group": _text("The first of the changes that were made as one, and are taken back as one."),
    },
)
ENTRY: Final = fields(
    {
        "id": _TEXT,
        "text": _TEXT,
        "origin": maybe(_TEXT),
        "client": _text("The program that brought it; empty where it did not say its name."),
        "at": maybe(_text("When, as ISO 8601.")),
        "place": _text("The note and the line where it waits."),
        "because": _BECAUSE,
    }
)
_DECIDED: Final = fields(
    {
        **ENTRY["properties"],
        "outcome": _text("approved, merged (MEMORY.md says so already), edited or rejected."),
        "checkpointIds": _CHECKPOINTS,
    }
)
_ANYTHING: Final[Shape] = {"description": "Any JSON value."}

SHAPES: Final[Mapping[str, Shape]] = {
    "memory_search": fields(
        {
            "query": _TEXT,
            "backend": _text("builtin or qmd: who answered."),
            "mode": _text("hybrid, keyword or vector."),
            "because": _BECAUSE,
            "partial": _YES,
            "likely": _YES,
            "results": list_of(HIT),
            "provider": maybe(_TEXT),
            "model": maybe(_TEXT),
            "took_ms": _NUMBER,
        },
        {"window": _TEXT},
    ),
    "memory_get": fields(
        {"status": _text("ok or not_found."), "path": maybe(_TEXT)},
        {
            "chunk_id": _TEXT,
            "text": _TEXT,
            "from": _COUNT,
            "lines": _COUNT,
            "total_lines": _COUNT,
            "truncated": _YES,
            "next_from": maybe(_COUNT),
            "origin": _WHOSE,
            "hash": maybe(_text("memory_save takes it as expected_hash.")),
        },
    ),
    "memory_save": fields(
        {"saved": _YES, "path": _TEXT, "bytes_written": _COUNT, "checkpointId": _CHECKPOINT},
        {"waits": _WAITS, "because": _BECAUSE},
    ),
    "memory_forget": fields(
        {
            "forgotten": list_of(fields({"path": _TEXT, "text": _TEXT})),
            "needs_confirmation": _YES,
            "candidates": list_of(_CANDIDATE),
            "because": _BECAUSE,
            "checkpointIds": _CHECKPOINTS,
            "dry_run": _YES,
        },
        {"everywhere": {"type": "object", "description": "Where else it stood, and what was cleared."}},
    ),
    "memory_delete": fields(
        {
            "deleted": _YES,
            "path": _TEXT,
            "file_deleted": _YES,
            "matches_removed": _COUNT,
            "checkpointId": _CHECKPOINT,
        },
        {"because": _BECAUSE},
    ),
    "checkpoints_list": fields({"count": _COUNT, "checkpoints": list_of(CHANGE)}),
    "checkpoint_restore": fields(
        {"restored": _YES, "path": _TEXT, "exists": _YES, "checkpointId": _CHECKPOINT},
        {"also": list_of(_TEXT), "later": _COUNT, "outside": _YES, "because": _BECAUSE},
    ),
    "store": fields(
        {
            "id": maybe(_TEXT),
            "outcome": _TEXT,
            "text": _TEXT,
            "category": _TEXT,
            "path": _TEXT,
            "checkpointId": maybe(_CHECKPOINT),
            "checkpointIds": _CHECKPOINTS,
        },
        {"superseded": list_of(_TEXT), "rule": _TEXT, "archived": _COUNT, "because": _BECAUSE},
    ),
    "recall": fields({"query": _TEXT, "results": list_of(_RECALLED_FACT), "because": _BECAUSE}),
    "forget": fields(
        {
            "forgotten": _YES,
            "fact": FACT,
            "checkpointId": maybe(_CHECKPOINT),
            "checkpointIds": _CHECKPOINTS,
        },
        {"because": _BECAUSE},
    ),
    "list": fields(
        {"facts": list_of(FACT), "total": _COUNT, "offset": _COUNT, "next_offset": maybe(_COUNT)},
        {"because": _BECAUSE},
    ),
    "session_state": fields(
        {},
        {
            "namespace": _TEXT,
            "key": _TEXT,
            "value": _ANYTHING,
            "found": _YES,
            "deleted": _YES,
            "set": _YES,
            "cleared": _COUNT,
            "values": list_of({"type": "object"}),
        },
    ),
    "inbox_list": fields({"entries": list_of(ENTRY)}),
    "inbox_approve": _DECIDED,
    "inbox_edit": _DECIDED,
    "inbox_reject": _DECIDED,
}
"""The shape of the result of each tool, by the tool's name."""
