"""The counts of images: how many were read, how many wait, and which can't be read and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from holdfast.index.store_contract import NoteState
from holdfast.notes.note import NoteFile, SkippedFile
from holdfast.value import Value

__all__ = ["ImageCounts", "image_counts", "too_large"]


class ImageCounts(Value):
    """The images of one agent; `because` is why none is read now, where there is a reason."""

    read: int = 0
    pending: int = 0
    unreadable: tuple[SkippedFile, ...] = ()
    because: str = ""

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        unreadable = [{"path": image.path, "why": image.why} for image in self.unreadable]
        return {"read": self.read, "pending": self.pending, "unreadable": unreadable, "because": self.because}


def image_counts(
    media: Iterable[NoteFile], known: Mapping[str, NoteState], flaws: Mapping[str, str], most_bytes: int
) -> ImageCounts:
    """Count the images by what became of them; `flaws` says by the hash of an image why it can't be read."""
    read = pending = 0
    unreadable: list[SkippedFile] = []
    for found in media:
        state = known.get(found.path)
        if found.size > most_bytes:
            unreadable.append(SkippedFile(found.path, too_large(found.size, most_bytes)))
        elif state is None or (state.mtime_ns, state.size) != (found.mtime_ns, found.size):
            pending += 1
        elif state.hash in flaws:
            unreadable.append(SkippedFile(found.path, flaws[state.hash]))
        else:
            read += 1
    return ImageCounts(read, pending, tuple(sorted(unreadable)))


def too_large(size: int, most_bytes: int) -> str:
    """Return why an image of this size is not read."""
    return f"it has {size:,} bytes, and {most_bytes:,} are the most"
