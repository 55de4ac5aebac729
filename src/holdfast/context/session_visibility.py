"""The rules of what a session may see and change of the memory; a caller without a session sees everything.

Every tool but `session_state` asks here, by the paths it is given and by those it finds: there is no second filter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.context.context import Context
from holdfast.context.open_session import OpenSession
from holdfast.errors import NotPermitted

if TYPE_CHECKING:
    from holdfast.context.visibility_rules import Sight

__all__ = ["caller_sight", "can_read", "require_readable", "require_shared", "sight_of_session"]


def sight_of_session(session: OpenSession) -> Sight:
    """Return what a session may see, by the rules of `memory.scope`; nothing where `memory.style` is off."""
    from holdfast.context.visibility_rules import Sight, sight_of

    settings = session.ctx.settings
    if off := settings.memory.style.stops_memory:
        return Sight(memory=False, prompt_memory=False, because=off)
    return sight_of(settings.scope, session.kind, session.key, session.channel)


def caller_sight(ctx: Context) -> Sight | None:
    """Return the same for the session that the caller is in; None where there is none."""
    if ctx.session is None:
        return None
    return sight_of_session(ctx.session)


def can_read(ctx: Context, path: str) -> bool:
    """Say whether the session may see a note, and with it that there is one of this name."""
    sight = caller_sight(ctx)
    if sight is None or sight.prompt_memory:
        return True
    from holdfast.context.visibility_rules import is_private

    return sight.memory and not is_private(path)


def require_readable(ctx: Context, path: str | None = None) -> None:
    """Raise NotPermitted where the session may not see the memory, or not this note of it."""
    sight = caller_sight(ctx)
    if sight is None:
        return
    if not sight.memory:
        raise NotPermitted(f"This can't be done here: {sight.because}. The owner can change that in memory.scope.")
    if path is not None and not can_read(ctx, path):
        raise NotPermitted(f"This can't be done here: {sight.because}. No rule changes that; ask in a direct session.")


def require_shared(ctx: Context, file: str | None) -> None:
    """Raise NotPermitted where a save would reach MEMORY.md, or another private note, from a session that sees none.

    What goes there is in the prompt of every direct session from then on: a group could talk to its owner through it.
    """
    sight = caller_sight(ctx)
    if sight is None or sight.prompt_memory:
        return
    from holdfast.context.save_target import default_target  # not above: a search changes nothing
    from holdfast.context.visibility_rules import is_private

    if is_private(default_target(ctx) if file is None else file):
        raise NotPermitted(
            "Only direct sessions write to MEMORY.md, the inbox and the notes of facts. Name another note below "
            "memory/, such as memory/notes.md."
        )
