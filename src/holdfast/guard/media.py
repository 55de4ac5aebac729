"""Tell images from other files, by their names and by their first bytes. Pure."""

from __future__ import annotations

from typing import Final

__all__ = ["AUDIO", "IMAGES", "image_kind", "is_image"]

IMAGES: Final = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".heic", ".heif")
"""How the name of an image ends."""

AUDIO: Final = (".mp3", ".wav", ".ogg", ".opus", ".m4a", ".aac", ".flac")
"""How the name of a recording ends, which nothing here can read."""

_HEIF_BRANDS: Final = (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1")


def is_image(path: str) -> bool:
    """Return whether a path names an image; a note's never does."""
    return path.lower().endswith(IMAGES)


def image_kind(data: bytes) -> str:
    """Return what an image is by its first bytes, as Pillow calls it.

    Empty for anything else, whatever its name says.
    """
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "PNG"
    if data.startswith(b"\xff\xd8\xff"):
        return "JPEG"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "GIF"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WEBP"
    if data[4:8] == b"ftyp" and data[8:12] in _HEIF_BRANDS:
        return "HEIF"
    return ""
