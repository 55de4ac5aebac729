"""An image of the workspace as it can be shown: its bytes, and the type that they declare themselves."""

from __future__ import annotations

from typing import Annotated, Final

from holdfast.context.context import Context
from holdfast.errors import BadArgument, NoteNotFound
from holdfast.guard.media import image_kind
from holdfast.named_tuple import NamedTuple

__all__ = ["ImageView", "image_view"]

_SHOWN: Final = ("PNG", "JPEG", "GIF", "WEBP")  # what a browser draws; of the others their words are shown


class ImageView(NamedTuple):
    """An image, and what it is, as `image/png`."""

    data: bytes
    media: str


def image_view(ctx: Context, path: Annotated[str, "The path of an image, as a hit names it."]) -> ImageView:
    """Read an image that search may find (`memory.multimodal.enabled`), and no other file, whatever its name says."""
    found = next((file for file in ctx.workspace.walk().media if file.path == path), None)
    if found is None:
        raise NoteNotFound(path, what="image")
    data = ctx.workspace.read_medium(found, ctx.settings.multimodal.max_file_bytes).data
    kind = image_kind(data)
    if kind not in _SHOWN:
        raise BadArgument("path", f"{path!r} is no image that can be shown")
    return ImageView(data, f"image/{kind.lower()}")
