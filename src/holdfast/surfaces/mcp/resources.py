"""Notes as resources: listed page by page, described by a template, read whole and in a fence.

The SDK is imported where it is used: `handshake` lists the notes before it is loaded.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from holdfast.errors import BadArgument, NotPermitted
from holdfast.guard.origin import Origin
from holdfast.notes.staleness import told_stale
from holdfast.surfaces.mcp.note_uri import TEMPLATE, link_of, path_of, word_of
from holdfast.surfaces.mcp.tool_text import fence_note, with_behind

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp_types import (
        ListResourcesResult,
        ListResourceTemplatesResult,
        PaginatedRequestParams,
        ReadResourceRequestParams,
        ReadResourceResult,
    )

    from holdfast.context.context import Context
    from holdfast.context.note_list import NoteSeen
    from holdfast.operations.note_result import NoteText
    from holdfast.surfaces.mcp.client_access import Access

__all__ = ["Resources", "describe_notes"]

_Context: TypeAlias = "ServerRequestContext[Any, Any]"
_PAGE: Final = 100
_PLAIN: Final = "text/plain"
"""Not text/markdown: a client puts what it reads before its model, so it comes in a fence, each line behind a bar."""


class Resources:
    """The notes that this server's session may see. `interested` is called when a client looks at them."""

    def __init__(self, access: Access, interested: Callable[[_Context], None]) -> None:
        self._access, self._interested = access, interested

    async def list_resources(self, ctx: _Context, params: PaginatedRequestParams | None) -> ListResourcesResult:
        """One page of the notes, by path."""
        from mcp_types import ListResourcesResult

        self._interested(ctx)
        cursor = None
        if params is not None:
            cursor = params.cursor
        page = await self._access.in_context(lambda ctx: describe_notes(ctx, cursor))
        return ListResourcesResult.model_validate(page)

    async def templates(self, _: _Context, __: PaginatedRequestParams | None) -> ListResourceTemplatesResult:
        """Return how the address of a note is made of its path."""
        from mcp_types import ListResourceTemplatesResult, ResourceTemplate

        note = ResourceTemplate(
            name="note",
            title="A note of the memory",
            uri_template=TEMPLATE,
            description="A Markdown note by its path: MEMORY.md or memory/<name>.md.",
            mime_type=_PLAIN,
        )
        return ListResourceTemplatesResult(resource_templates=[note])

    async def read(self, ctx: _Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        """A whole note, as data for a model."""
        from mcp_types import ReadResourceResult, TextResourceContents

        self._interested(ctx)
        link = str(params.uri)
        note, origin, behind = await self._note(link)
        text = with_behind(fence_note(note.path, note.text, {"origin": origin or ""}), behind)
        text = text.encode("utf-8", "replace").decode()
        return ReadResourceResult(contents=[TextResourceContents(uri=link, mime_type=_PLAIN, text=text)])

    async def _note(self, link: str) -> tuple[NoteText, Origin | None, str]:
        path = path_of(link)

        def read(ctx: Context) -> tuple[NoteText, Origin | None, str]:
            from holdfast.context.line_origins import LineOrigins
            from holdfast.operations.note_access import Notes

            shown = Notes(ctx).read(path)
            note = ctx.workspace.read(shown.path)
            # Somebody may have changed it in between: then nobody can tell whose the text is that was read first.
            origin = None
            if note.hash == shown.hash:
                origin = LineOrigins(ctx).of(note, 1, shown.text.count("\n") + 1)
            return shown, origin, told_stale()

        return await self._access.in_context(read)


def describe_notes(ctx: Context, cursor: str | None = None) -> dict[str, Any]:
    """Return the result of `resources/list`: one page of the notes, by path."""
    from holdfast.operations.note_access import Notes

    if cursor is not None:
        after = _after(cursor)
    else:
        after = ""
    try:
        notes = Notes(ctx).list(limit=_PAGE + 1, after=after)
    except NotPermitted:
        notes = []  # a session that may not see the memory sees a memory without notes
    page: dict[str, Any] = {"resources": [_resource(note) for note in notes[:_PAGE]]}
    if len(notes) > _PAGE:
        page["nextCursor"] = _cursor(notes[_PAGE - 1].path)
    return page


def _resource(note: NoteSeen) -> dict[str, Any]:
    # What every prompt should hold anyway comes first, where a client sorts by it.
    if note.path == "MEMORY.md":
        priority = 1.0
    else:
        priority = 0.5
    changed = datetime.fromtimestamp(min(max(note.modified, 0.0), 4e9), UTC).isoformat(timespec="seconds")
    return {
        "annotations": {"lastModified": changed, "priority": priority},
        "mimeType": _PLAIN,
        "name": word_of(note.path),
        "size": note.bytes,
        "uri": link_of(note.path),
    }


def _cursor(path: str) -> str:
    return base64.urlsafe_b64encode(path.encode("utf-8", "surrogatepass")).decode()


def _after(cursor: str) -> str:
    try:
        return base64.b64decode(cursor, altchars=b"-_", validate=True).decode("utf-8", "surrogatepass")
    except (binascii.Error, ValueError) as error:
        raise BadArgument("cursor", "it is not one that this server gave; list from the beginning") from error
