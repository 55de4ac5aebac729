"""Images that search has found words in, as they are."""

from __future__ import annotations

from typing import Annotated, Final

from holdfast.memory import Memory
from holdfast.operations.image_view import image_view
from holdfast.surfaces.http.responses import Raw

# A file is somebody else's: opened by itself it may do nothing at all.
_HEADERS: Final = (
    ("Content-Security-Policy", "default-src 'none'; sandbox"),
    ("Content-Disposition", "attachment"),
    ("Cache-Control", "no-store"),
)


def show(memory: Memory, path: Annotated[str, "The path of an image, as a hit names it."]) -> Raw:
    """An image of the workspace, where `memory.multimodal.enabled` is on."""
    found = image_view(memory.ctx, path)
    return Raw(found.data, found.media, headers=_HEADERS)
