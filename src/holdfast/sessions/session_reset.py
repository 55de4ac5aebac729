"""The reset of a session, and its undo: what a reset clears is kept beside the session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from holdfast.errors import BadArgument, TooLarge

if TYPE_CHECKING:
    from holdfast.sessions.conversation import Session

__all__ = ["clear_state", "undo_reset"]

_NAMESPACE: Final = "reset"
_KEY: Final = "before"


def clear_state(session: Session, archive: str | None) -> None:
    """Clear the state of a session, what Holdfast keeps there itself as well; what was there is kept for an undo."""
    store, place = session.ctx.state_store, (session.agent, session.key)
    values = [list(value) for value in store.list(*place) if value.namespace != _NAMESPACE]
    store.clear(*place)
    if archive is None and not values:
        return
    now = session.ctx.clock.now()
    try:
        store.set(*place, _NAMESPACE, _KEY, {"archive": archive, "state": values}, now)
    except TooLarge:  # more than one value may hold: an undo brings back what was said
        store.set(*place, _NAMESPACE, _KEY, {"archive": archive, "state": []}, now)


def undo_reset(session: Session) -> None:
    """Make the transcript that was put aside last the session's again, with the state that it had."""
    store, place = session.ctx.state_store, (session.agent, session.key)
    before = store.get(*place, _NAMESPACE, _KEY)
    if before is None:
        raise BadArgument("key", "this session was not reset")
    said = session.transcript.log.status()
    if said is not None and said.size:
        raise BadArgument("key", "something was said in this session since it was reset")
    if before["archive"] is not None:
        session.transcript.unarchive(before["archive"])
    for namespace, key, value, updated in before["state"]:
        store.set(*place, namespace, key, value, updated)
    store.delete(*place, _NAMESPACE, _KEY)
    session.ctx.session_index.catch_up()
