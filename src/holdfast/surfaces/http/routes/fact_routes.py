"""Facts, where a request is more than an operation: the status of one that is new, and one that its address names."""

from __future__ import annotations

from typing import Annotated

from holdfast.memory import Memory
from holdfast.operations.facts_forget import ChangedFact
from holdfast.operations.facts_store import StoredFact
from holdfast.surfaces.http.responses import Reply


def kept(stored: StoredFact) -> Reply:
    """Keep one fact; 201 where it is new."""
    return Reply(stored.to_json(), 200 if stored.outcome == "reinforced" else 201)


def remove(memory: Memory, id_: Annotated[str, "The fact's id."]) -> ChangedFact:
    """Remove one fact."""
    return memory.facts.forget(id_)
