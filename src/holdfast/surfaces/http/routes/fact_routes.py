"""Facts, where a request is more than an operation: the status of one that is new."""

from __future__ import annotations

from holdfast.operations.facts_store import StoredFact
from holdfast.surfaces.http.responses import Reply


def fact_shown(stored: StoredFact) -> Reply:
    """Show a fact that was kept; 201 where it is new."""
    return Reply(stored.to_json(), 200 if stored.outcome == "reinforced" else 201)
