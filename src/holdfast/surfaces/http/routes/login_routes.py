"""Coming in and leaving, for browsers: the code of a link becomes cookie and page key; who is let in, and who asks."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from holdfast.context.user_profile import user_now
from holdfast.errors import NotFound, NotPermitted
from holdfast.memory import Memory
from holdfast.surfaces.http.credentials import Visitor
from holdfast.surfaces.http.parameters import Header
from holdfast.surfaces.http.responses import Reply
from holdfast.surfaces.http.server_state import ServerState


def enter(
    server: ServerState,
    code: Annotated[str, "What stands behind the # of the link."],
    origin: Annotated[str | None, Header("Origin"), "Of the page that asks, which must be this server's."] = None,
    site: Annotated[str | None, Header("Sec-Fetch-Site"), "As browsers send it."] = None,
    user_agent: Annotated[str | None, Header("User-Agent"), "Names the browser in the list of those let in."] = None,
) -> Reply:
    """Burn the code of a link: gives a browser its cookie, and its page the key without which that is worth nothing."""
    if origin is None and site is None:
        raise NotPermitted("Only a page of this server burns the code of a link: open the link in a browser.")
    secure = (origin or "").startswith("https://")
    return server.entry.enter(code, user_agent=user_agent or "", secure=secure, agent=server.memories.agent)


def leave(server: ServerState, visitor: Visitor) -> Reply:
    """Let this browser in no more; its cookie ends."""
    if not visitor.browser:
        raise NotPermitted("This request came with the token; only a browser that came by a link can leave.")
    return server.entry.leave(visitor)


def browsers(server: ServerState, visitor: Visitor) -> dict[str, Any]:
    """The browsers that are let in, the one seen last first."""
    return {
        "browsers": [
            {
                "id": browser.id,
                "first": _moment(browser.first),
                "last": _moment(browser.last),
                "name": browser.name,
                "this": browser.id == visitor.browser,
            }
            for browser in server.entry.browsers.all()
        ]
    }


def revoke(server: ServerState, id_: Annotated[str, "The browser's id."]) -> dict[str, Any]:
    """Let a browser in no more."""
    if not server.entry.browsers.remove(id_):
        raise NotFound(f"There is no browser {id_[:40]!r}. GET /api/v1/browsers lists those that are let in.")
    return {"id": id_, "revoked": True}


def whoami(memory: Memory, server: ServerState, visitor: Visitor) -> dict[str, Any]:
    """In whose name this caller acts, and where; a tenant's token names its tenant and its role, and no home."""
    now = user_now(memory.ctx)
    if visitor.tenant:
        tenant = {"tenant": visitor.tenant, "role": visitor.role}
    else:
        tenant = {}
    return {
        **tenant,
        "origin": visitor.origin.value,
        "agent": server.memories.agent,
        "home": "" if visitor.tenant else memory.home,
        "version": server.version,
        "today": now.date().isoformat(),
        "zone": memory.profile.read().timezone or None,
        "remote": visitor.remote,
        "secure": visitor.secure,
    }


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
