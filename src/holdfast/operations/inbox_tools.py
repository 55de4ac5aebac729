"""The inbox as tools, for an agent that the owner lets decide in their name (`holdfast mcp --tools owner`).

No other agent has them: whoever may approve what agents save is the owner, as far as MEMORY.md goes.
"""

from __future__ import annotations

from typing import Annotated

from holdfast.approval.inbox_note import InboxEntry
from holdfast.context.context import Context
from holdfast.guard.origin import Origin
from holdfast.operations.inbox_decision import Decided
from holdfast.operations.inbox_entries import Inbox
from holdfast.value import Shown

__all__ = ["InboxList", "inbox_approve", "inbox_edit", "inbox_list", "inbox_reject"]


class InboxList(Shown):
    """The entries that wait for the owner."""

    entries: tuple[InboxEntry, ...]


def inbox_list(ctx: Context) -> InboxList:
    """List what waits for the owner's approval before it goes into MEMORY.md."""
    return InboxList(tuple(_inbox(ctx).list()))


def inbox_approve(ctx: Context, id: Annotated[str, "The id of an entry."]) -> Decided:  # noqa: A002 - its name
    """Put an entry into MEMORY.md. Do this only when the user has said so of this entry. checkpointIds undo it."""
    return _inbox(ctx).approve(id)


def inbox_edit(
    ctx: Context,
    id: Annotated[str, "The id of an entry."],  # noqa: A002 - as above
    text: Annotated[str, "The words it is to have."],
) -> Decided:
    """Give an entry other words, as the user wants them. It goes on waiting, under another id."""
    return _inbox(ctx).edit(id, text)


def inbox_reject(ctx: Context, id: Annotated[str, "The id of an entry."]) -> Decided:  # noqa: A002 - as above
    """Take an entry out of the inbox, as the user wants. The same is not put there again."""
    return _inbox(ctx).reject(id)


def _inbox(ctx: Context) -> Inbox:
    return Inbox(ctx.for_origin(Origin.USER, ctx.session))
