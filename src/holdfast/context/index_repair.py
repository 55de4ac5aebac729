"""Reading from the index, whatever state it is in: damage heals, and where that fails the notes alone answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from holdfast.errors import DatabaseAway, HoldfastError, IndexDamaged, IndexNotOurs, StorageFailed
from holdfast.notes.staleness import tell_stale

if TYPE_CHECKING:
    from holdfast.context.context import Context

__all__ = ["ask_index", "bring_up_to_date", "heal_once"]

_Answer = TypeVar("_Answer")
_TRIES = 4  # each but the first is a damage found, by us or by another process
_EMBED_AT_ONCE = 4_096  # texts before a search, with the embedded model
_SEND_AT_ONCE = 64  # texts to a provider that is asked over HTTP: one request


def ask_index(ctx: Context, ask: Callable[[], _Answer], *, embed_limit: int) -> _Answer:
    """Look at the notes and ask; where the index turns out to be damaged, once more with one made anew from the notes.

    Where that fails as well, what answers is an index in memory, of keywords alone.
    """
    failure: HoldfastError = StorageFailed(ctx.index_path, "use the index", "it is replaced again and again")
    ctx.index.retry()
    for _ in range(_TRIES):
        try:
            ctx.look(embed_limit)
            answer = ask()
            if not ctx.index.is_new or ctx.index.trouble is not None:
                return answer
            # Another process has moved the file aside after our look: the answer came from one that is still empty.
        except StorageFailed as error:
            failure = error
            break
        except Exception as error:
            damage = _damage_behind(ctx, error)
            if damage is None:
                raise
            failure = damage
    ctx.index.stand_in(failure)
    ctx.look(embed_limit)
    return ask()


def heal_once(ctx: Context, work: Callable[[], _Answer]) -> _Answer:
    """Work with the index; where that shows damage, once more with one that is begun anew."""
    try:
        return work()
    except Exception as error:
        if isinstance(error, IndexNotOurs) or _damage_behind(ctx, error) is None:
            raise
    return work()


def _damage_behind(ctx: Context, error: Exception) -> IndexDamaged | None:
    """Return what an error says about the index; whoever opens it next moves a damaged file aside. None where it is
    sound.

    A damaged file may lead to any error; but what happens with a sound one is a fault of ours, and must not be hidden.
    """
    if isinstance(error, IndexDamaged):
        return error
    if isinstance(error, HoldfastError) or ctx.index.trouble is not None:
        return None
    problems = ctx.database.check()
    if not problems:
        return None
    return IndexDamaged(ctx.index_path, f"{problems[0]} ({error})")


def bring_up_to_date(ctx: Context, embed_limit: int) -> str:
    """Sync before an answer; says why the index is older than the notes, where it is."""
    first = None
    if ctx.chain is not None:
        first = ctx.chain.first
    if first is not None and embed_limit:
        # The embedded model takes a tenth of a millisecond a text: a home of some hundred notes is ready at once.
        if first.embedded:
            embed_limit = _EMBED_AT_ONCE
        else:
            embed_limit = min(embed_limit, _SEND_AT_ONCE)
    try:
        ctx.sync(embed_limit=embed_limit)
    except StorageFailed as error:
        if _lacks_notes(ctx):
            raise
        # A full disk or a medium that can't be written to is no reason not to answer from what is there.
        return f"the index could not be brought up to date: {error.why}"
    except DatabaseAway:
        edition = ctx.database.serving()
        if edition is None or not edition.known():
            raise
        from holdfast.postgres.presence import AWAY

        tell_stale(AWAY)
        return AWAY
    return ""


def _lacks_notes(ctx: Context) -> bool:
    """Say whether some note was never indexed: an answer that does not know of it would be no answer."""
    edition = ctx.database.serving()
    if edition is not None:
        known = edition.known()
    else:
        known = {}
    return any(note.path not in known for note in ctx.workspace.walk().found)
