"""The images of a workspace → the rows of one edition, each read once.

An image whose size, times and inode are as recorded is not opened; one that was opened is read only where nobody has
read the same bytes before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from holdfast.errors import HoldfastError
from holdfast.images.image_counts import too_large
from holdfast.images.image_rows import image_rows, unread_rows
from holdfast.images.image_text import ImageReading, flaws_of, found_text, reading_from, reading_json
from holdfast.index.sqlite.edition import Edition
from holdfast.index.sqlite.image_table import ImageTable
from holdfast.index.store_contract import Batch, NoteRows, NoteState
from holdfast.index.sync import ImagesRead, is_trusted
from holdfast.named_tuple import NamedTuple
from holdfast.notes.note import Note, NoteFile, SkippedFile
from holdfast.notes.workspace import Workspace
from holdfast.progress import Progress

__all__ = ["ImageSync", "Reader"]

Read: TypeAlias = Callable[[bytes], ImageReading]
Told: TypeAlias = Callable[[Note], str]
"""A caption for an image; empty where there is none."""


class Reader(NamedTuple):
    """A reader of images, by name; `read` is None for who must not wait for that, as a search."""

    name: str
    read: Read | None
    caption: Told | None = None
    caption_name: str = ""
    """The model that the caption is of: another one's is asked for anew."""


class ImageSync:
    """Brings the images of an edition up to date."""

    def __init__(
        self,
        workspace: Workspace,
        readings: ImageTable,
        reader: Reader,
        most_bytes: int,
        *,
        progress: Progress | None = None,
    ) -> None:
        self._workspace, self._readings, self._reader, self._most = workspace, readings, reader, most_bytes
        self._progress = progress

    def run(self, edition: Edition, elsewhere: Mapping[str, NoteState]) -> ImagesRead:
        """Read what is new; `elsewhere` is what another edition knows, which need not be opened again."""
        known = edition.known()
        media = self._workspace.walk().media
        flaws = flaws_of(self._readings.all_of(self._reader.name))
        skipped = [
            SkippedFile(file.path, flaws[state.hash])
            for file in media
            if (state := known.get(file.path)) is not None and state.hash in flaws
        ]
        suspects = [file for file in media if not is_trusted(known.get(file.path), file)]
        read = pending = 0
        for done, file in enumerate(suspects):
            self._tell(done, len(suspects))
            outcome: int | SkippedFile | None
            try:
                outcome = self._one(edition, file, known.get(file.path), elsewhere.get(file.path))
            except HoldfastError as error:
                outcome = SkippedFile(file.path, getattr(error, "why", None) or str(error))
            if isinstance(outcome, SkippedFile):
                skipped.append(outcome)
            elif outcome is None:
                pending += 1
            else:
                read += outcome
        self._tell(len(suspects), len(suspects))
        return ImagesRead(read, pending, tuple(dict.fromkeys(skipped)))

    def _tell(self, done: int, total: int) -> None:
        """Say how far it is, before each image: the first may take long."""
        if self._progress is not None and total:
            self._progress("Reading images", done, total)

    def _one(
        self, edition: Edition, found: NoteFile, before: NoteState | None, elsewhere: NoteState | None
    ) -> int | SkippedFile | None:
        """Return how many rows are new, 0 or 1; or why the image was left out; or None where it has to wait."""
        if elsewhere is not None and is_trusted(elsewhere, found):
            rows = self._known_rows(found, elsewhere)
            if rows is not None:
                edition.write(Batch([rows], seen={found.path: before} if before else {}))
                return 1
        if self._reader.read is None:
            return None
        if found.size > self._most:
            return SkippedFile(found.path, too_large(found.size, self._most))
        note = self._workspace.read_medium(found, self._most)
        state = NoteState(note.hash, note.size, note.mtime_ns, note.ctime_ns, note.inode, note.settled)
        seen = {found.path: before} if before else {}
        if before is not None and before.hash == note.hash:
            edition.write(Batch(touches=[(found.path, state)], seen=seen))
            return 0
        reading = self._reading(note)
        if reading.flaw:
            edition.write(Batch([unread_rows(found.path, found.source, state)], seen=seen))
            return SkippedFile(found.path, reading.flaw)
        rows = image_rows(found.path, found.source, state, found_text(reading, note.hash, self._caption(note)))
        edition.write(Batch([rows], seen=seen))
        return 1

    def _known_rows(self, found: NoteFile, state: NoteState) -> NoteRows | None:
        """The row of an image that was read before, without opening it."""
        stored = self._readings.get(state.hash, self._reader.name)
        reading = None
        if stored is not None:
            reading = reading_from(stored)
        if reading is None:
            return None
        if reading.flaw:
            return unread_rows(found.path, found.source, state)
        caption = None
        if self._reader.caption_name:
            caption = self._readings.get(state.hash, self._reader.caption_name)
        return image_rows(found.path, found.source, state, found_text(reading, state.hash, caption or ""))

    def _reading(self, note: Note) -> ImageReading:
        stored = self._readings.get(note.hash, self._reader.name)
        reading = None
        if stored is not None:
            reading = reading_from(stored)
        if reading is None:
            assert self._reader.read is not None
            reading = self._reader.read(note.data)
            self._readings.put(note.hash, self._reader.name, reading_json(reading))
        return reading

    def _caption(self, note: Note) -> str:
        name = self._reader.caption_name
        if not name or self._reader.caption is None:
            return ""
        caption = self._readings.get(note.hash, name)
        if caption is None:
            caption = self._reader.caption(note)
            if caption:
                self._readings.put(note.hash, name, caption)
        return caption
