"""`memory.facts`: what is known about the user, the project and people, for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.context.context import Context
from holdfast.guard.argument_types import check_arguments

if TYPE_CHECKING:
    from holdfast.index.sync import Synced
    from holdfast.operations.facts_forget import ChangedFact
    from holdfast.operations.facts_list import FactStats, ListedFacts
    from holdfast.operations.facts_recall import History, Recalled
    from holdfast.operations.facts_store import StoredFact

__all__ = ["Facts"]


class Facts:
    """The facts of one agent; each method is a tool of its own, imported when it is called."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx

    @check_arguments
    def store(
        self,
        text: str,
        *,
        category: str | None = None,
        importance: float | None = None,
        valid_from: str | None = None,
        valid_until: str | None = None,
    ) -> StoredFact:
        """Keep one fact; what is known already is strengthened, what it contradicts is kept as superseded."""
        from holdfast.operations.facts_store import store

        return store(self._ctx, text, category, importance, valid_from, valid_until)

    @check_arguments
    def recall(
        self,
        query: str,
        *,
        limit: int = 6,
        category: str | None = None,
        origin: str | None = None,
        min_importance: float | None = None,
        since: str | None = None,
        until: str | None = None,
        as_of: str | None = None,
        include_superseded: bool = False,
        include_archived: bool = False,
    ) -> Recalled:
        """The facts that answer a question, best first."""
        from holdfast.operations.facts_recall import recall

        asked = (limit, category, origin, min_importance, since, until, as_of, include_superseded, include_archived)
        return recall(self._ctx, query, *asked)

    @check_arguments
    def forget(self, id: str | None = None, *, text: str | None = None) -> ChangedFact:  # noqa: A002 - its name
        """Remove one fact, by its id or its exact words."""
        from holdfast.operations.facts_forget import forget_fact

        return forget_fact(self._ctx, id, text)

    @check_arguments
    def list(
        self,
        *,
        category: str | None = None,
        origin: str | None = None,
        since: str | None = None,
        until: str | None = None,
        min_importance: float | None = None,
        state: str = "live",
        limit: int = 20,
        offset: int = 0,
    ) -> ListedFacts:
        """The facts there are, those said last first, page by page."""
        from holdfast.operations.facts_list import list_facts

        return list_facts(self._ctx, category, origin, since, until, min_importance, state, limit, offset)

    @check_arguments
    def history(self, query: str, *, as_of: str | None = None) -> History:
        """Say how the answer to a question changed over time, or what it was on a day."""
        from holdfast.operations.facts_recall import history

        return history(self._ctx, query, as_of)

    @check_arguments
    def archive(self, id: str) -> ChangedFact:  # noqa: A002 - its name
        """Move a fact to the archive."""
        from holdfast.operations.facts_forget import archive_fact

        return archive_fact(self._ctx, id)

    @check_arguments
    def restore(self, id: str) -> ChangedFact:  # noqa: A002 - its name
        """Bring a fact back from the archive, or put a superseded one in force again."""
        from holdfast.operations.facts_forget import restore_fact

        return restore_fact(self._ctx, id)

    @check_arguments
    def undo_supersession(self, id: str) -> ChangedFact:  # noqa: A002 - its name
        """Put a superseded fact in force again, beside the one that had its place."""
        return self.restore(id)

    def stats(self) -> FactStats:
        """Say how many there are, of what kind, and what could be tidied."""
        from holdfast.operations.facts_list import stats

        return stats(self._ctx)

    @check_arguments
    def reindex(self, *, approved: bool = False) -> Synced:
        """Make the index anew, as after a change of provider; `approved` as in `Memory.sync`."""
        return self._ctx.sync(anew=True, approved=approved)
