"""Everything out as one file, and another program's memory in."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

from holdfast.memory import Memory
from holdfast.operations.exchange_export import SentOut
from holdfast.surfaces.client.uploads import import_upload, restore_upload
from holdfast.surfaces.http.parameters import Query, Upload
from holdfast.surfaces.http.responses import Raw

_MEDIA = {"zip": "application/zip", "jsonl": "application/x-ndjson"}
_UPLOADS = ("application/zip", "application/x-ndjson", "application/json", "application/octet-stream")


class Format(StrEnum):
    """The two kinds of export."""

    ZIP = "zip"
    JSONL = "jsonl"


class Ending(StrEnum):
    """The kind of the file that is uploaded; its reader goes by the ending."""

    ZIP = "zip"
    JSONL = "jsonl"
    JSON = "json"
    MD = "md"


def export(
    run: Callable[..., SentOut],
    memory: Memory,
    format_: Annotated[Format, "zip (the notes as they are) or jsonl."] = Format.ZIP,
) -> Raw:
    """Give all notes and facts as one file to download."""
    with tempfile.TemporaryDirectory(prefix="holdfast-") as folder:
        made = run(file=f"{folder}/holdfast-{memory.agent}.{format_}")
        data = Path(made.path).read_bytes()
    name = f'attachment; filename="holdfast-{memory.agent}.{format_}"'
    counts = (("X-Holdfast-Notes", str(made.notes)), ("X-Holdfast-Facts", str(made.facts)))
    return Raw(data, _MEDIA[format_], headers=(("Content-Disposition", name), *counts))


def import_(
    memory: Memory,
    data: Annotated[bytes, Upload(_UPLOADS), "The file."],
    ending: Annotated[Ending, Query(), "What kind of file it is, where it has no name."] = Ending.ZIP,
    name: Annotated[str | None, Query(), "What the file is called; notes of Markdown get their names by it."] = None,
    source: Annotated[str | None, Query(), "Which program it is from, where the file does not show it."] = None,
    preview: Annotated[bool, Query(), "Only show what would be added."] = False,
    restore: Annotated[bool, Query(), "It is an export of your own: put its notes back as they were."] = False,
) -> dict[str, Any]:
    """Take over the memory of another program, or put back an export of your own."""
    place = name or _place(data, ending)
    if restore:
        return restore_upload(memory, data, place, preview=preview).to_json()
    known_as = name or f"an upload ({_digest(data)})"
    return import_upload(memory, data, place, source, preview=preview, known_as=known_as).to_json()


def _place(data: bytes, ending: Ending) -> str:
    """The name of a file without one; two that differ must not be one note, and of Markdown the name is the note's."""
    if ending == Ending.MD:
        return f"upload-{_digest(data)}.md"
    return f"upload.{ending}"


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()[:8]
