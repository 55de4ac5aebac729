"""The answers to requests that brought a key of their own, so that the same one sent again is told the same.

A change of notes is found again by its checkpoint. What leaves none, or would answer otherwise the second time (facts,
what is said in a session, its state), is told by the answer itself, which is kept for a day. It stands in the state of
the session that it is about, or of the agent: what is forgotten goes from there too.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from holdfast.checkpoints.change_id import given_id, given_request
from holdfast.errors import HoldfastError, KeyUsed
from holdfast.surfaces.http.responses import Flow, Raw, Reply

if TYPE_CHECKING:
    from holdfast.context.context import Context

__all__ = ["answer_once"]

_NAMESPACE: Final = "answers"
_AGENTS: Final = "answers"
"""The session in whose state those stand that are about none."""
_KEPT: Final = 24 * 3600.0  # seconds
_LOCKS: Final = 256  # each key has one of these: a lock of its own would leave a file for each request
_WAIT: Final = 30.0


def answer_once(
    ctx: Context, session: str | None, work: Callable[[], Reply | Raw | Flow], *, keep: bool = True
) -> Reply | Raw | Flow:
    """Do the work, or tell what it gave when it was done with this request's key; without one, just do it."""
    key, request = given_id(), given_request()
    if key is None:
        return work()
    place = (ctx.workspace.agent, session or _AGENTS, _NAMESPACE)
    lock = f".answer{int(key[1:], 16) % _LOCKS}.{ctx.workspace.agent}.lock"
    # The same request may come again while the first is at work.
    with ctx.workspace.named_lock(lock, "the same request", _WAIT):
        held = ctx.state_store.get(*place, key)
        if isinstance(held, dict):
            if held.get("request") != request:
                raise KeyUsed(key)
            return Reply(held["shown"], held["status"], tuple((name, value) for name, value in held["headers"]))
        answer = work()
        if keep and isinstance(answer, Reply):
            _keep(ctx, place, key, request, answer)
        return answer


def _keep(ctx: Context, place: tuple[str, str, str], key: str, request: str, answer: Reply) -> None:
    now = ctx.clock.now()
    shown: dict[str, Any] = {
        "request": request,
        "shown": answer.shown,
        "status": answer.status,
        "headers": [list(header) for header in answer.headers],
    }
    with suppress(HoldfastError):  # it is done, whether or not it can be told again
        for old in ctx.state_store.list(*place):
            if now - old.updated > _KEPT:
                ctx.state_store.delete(*place, old.key)
        ctx.state_store.set(*place, key, shown, now)
