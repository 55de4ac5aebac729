"""Changes, where a request is more than an operation: a longer row, a plan that a page confirms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from holdfast.checkpoints.retention import Pruned
from holdfast.errors import NoteNotFound
from holdfast.guard.paths import readable_path
from holdfast.memory import Memory
from holdfast.operations.changes_page import MORE, ChangesPage
from holdfast.operations.checkpoint_restore import Restored
from holdfast.surfaces.http.confirmation import plan_hash
from holdfast.surfaces.http.credentials import Visitor
from holdfast.surfaces.http.server_state import ServerState

_MOST_PURGED = 1000  # changes that are counted; more go all the same


def changes_shown(
    page: ChangesPage,
    full: Annotated[bool, "Also the hashes before and after, and what belongs together."] = False,
) -> dict[str, Any]:
    """Show a page of changes."""
    shown = page.to_json()
    if full:
        pairs = zip(shown["checkpoints"], page.changes, strict=True)
        shown["checkpoints"] = [row | {name: getattr(change, name) for name in MORE} for row, change in pairs]
    return shown


def diff_shown(diff: str, checkpoint: str) -> dict[str, Any]:
    """Show a diff with the change that it is of."""
    return {"checkpoint": checkpoint, "diff": diff}


def restore_shown(made: Restored) -> dict[str, Any]:
    """Show what was put back, with all that undoes this in turn."""
    return made.to_json() | {"checkpointIds": list(made.checkpoint_ids)}


def purge(
    run: Callable[..., Pruned],
    memory: Memory,
    server: ServerState,
    visitor: Visitor,
    path: str,
    dry_run: Annotated[bool, "Only count what would go."] = False,
    plan: Annotated[str | None, "For a page: the `plan` of a dry run of the same."] = None,
    word: Annotated[str | None, "For a page: purge."] = None,
) -> dict[str, Any]:
    """Drop every checkpoint of one note, for good; a dry run counts them, and names that `plan`."""
    found = memory.history(path, limit=_MOST_PURGED)
    if not found and not memory.ctx.workspace.exists(readable_path(path)):
        raise NoteNotFound(path)
    named = plan_hash("purge", memory.agent, path, [change.id for change in found])
    if dry_run:
        server.plans.note(named)
        return {"changes": len(found), "objects": None, "bytes": None, "plan": named}
    if visitor.browser:
        server.plans.require(named, plan, word, "purge")
    return counts_shown(run())


def counts_shown(pruned: Pruned) -> dict[str, Any]:
    """Show how much went."""
    return pruned._asdict()
