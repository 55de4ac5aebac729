"""The answers to requests with an `Idempotency-Key`: the same request sent again gets the same answer.

A change of notes is found again by its checkpoint. What leaves none, or would answer otherwise the second time (facts,
what is said in a session, its state), is told by the answer itself, which is kept for a day. It stands in the state of
the session that it is about, or of the agent: what is forgotten goes from there too.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from holdfast.checkpoints.change_id import given_id, given_request
from holdfast.errors import Busy, HoldfastError, KeyUsed
from holdfast.surfaces.http.responses import Flow, PackedJson, Raw, Reply

if TYPE_CHECKING:
    from holdfast.context.context import Context

__all__ = ["answer_once"]

_NAMESPACE: Final = "answers"
_AGENTS: Final = "answers"
"""The session in whose state those stand that are about none."""
_KEPT: Final = 24 * 3600.0  # seconds
_DEAD: Final = 120.0  # seconds after which whoever began is taken for dead


def answer_once(
    ctx: Context, session: str | None, work: Callable[[], Reply | Raw | PackedJson | Flow], *, keep: bool = True
) -> Reply | Raw | PackedJson | Flow:
    """Do the work, or tell what it gave when it was done with this request's key; without one, just do it."""
    key, request = given_id(), given_request()
    if key is None:
        return work()
    place = (ctx.workspace.agent, session or _AGENTS, _NAMESPACE, key)
    earlier = _claim(ctx, place, request)
    if earlier is not None:
        return earlier
    answer: Reply | Raw | PackedJson | Flow | None = None
    try:
        answer = work()
        return answer
    finally:
        if keep and isinstance(answer, Reply):
            _keep(ctx, place, request, answer)
        else:  # refused, or not to be kept: it may be asked again
            with suppress(HoldfastError):
                ctx.state_store.delete(*place)


def _claim(ctx: Context, place: tuple[str, str, str, str], request: str) -> Reply | None:
    """Claim a key for this request; return the answer of before where there is one."""
    held, now = ctx.state_store.get(*place), ctx.clock.now()
    if isinstance(held, dict):
        if held.get("request") != request:
            raise KeyUsed(place[-1])
        if "status" in held:
            return Reply(held["shown"], held["status"], tuple((name, value) for name, value in held["headers"]))
        if now - held["began"] < _DEAD:
            raise Busy("The same request", 0.0)
    if not ctx.state_store.compare_and_set(*place, held, {"request": request, "began": now}, now):
        raise Busy("The same request", 0.0)  # sent twice at once, and the other one was first
    return None


def _keep(ctx: Context, place: tuple[str, str, str, str], request: str, answer: Reply) -> None:
    """Keep an answer, and drop those that were kept for long enough."""
    now = ctx.clock.now()
    held: dict[str, Any] = {
        "request": request,
        "shown": answer.shown,
        "status": answer.status,
        "headers": [list(header) for header in answer.headers],
    }
    with suppress(HoldfastError):  # it is done, whether or not it can be told again
        ctx.state_store.set(*place, held, now)
        for old in ctx.state_store.list(*place[:-1]):
            if now - old.updated > _KEPT:
                ctx.state_store.delete(*place[:-1], old.key)
