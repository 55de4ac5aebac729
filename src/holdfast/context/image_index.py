"""The images of one agent in the index: what a sync does about them, and why nothing where it does nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from holdfast.errors import ProviderMissing
from holdfast.index.sync import ImagesRead

if TYPE_CHECKING:
    from holdfast.context.context import Context
    from holdfast.images.image_counts import ImageCounts
    from holdfast.images.image_sync import Reader
    from holdfast.images.recognition import Recognizer
    from holdfast.index.sqlite.database import Database
    from holdfast.index.sqlite.edition import Edition
    from holdfast.index.store_contract import NoteState
    from holdfast.notes.note import NoteFile
    from holdfast.progress import Progress

__all__ = ["ImageIndex", "count_images"]


class ImageIndex:
    """Reads images for one sync; `wait` is whether there is time for that, which a search has not."""

    def __init__(self, ctx: Context, database: Database, *, wait: bool, progress: Progress | None) -> None:
        self._ctx, self._database, self._wait, self._progress = ctx, database, wait, progress

    def into(self, edition: Edition) -> ImagesRead:
        """Bring the images of an edition up to date; a reader that is missing is no reason for a sync to fail."""
        from holdfast.images.image_sync import ImageSync
        from holdfast.images.recognition import Recognizer, choose_reader
        from holdfast.index.sqlite.image_table import ImageTable

        settings = self._ctx.settings.multimodal
        try:
            name = choose_reader(settings.ocr)
        except ProviderMissing as missing:
            return ImagesRead(because=f"images are not read: {missing}")
        recognizer = Recognizer(name)
        try:
            table = ImageTable(self._database)
            reader, hindrance = self._reader(recognizer)
            progress = self._progress if self._wait else None
            sync = ImageSync(self._ctx.workspace, table, reader, settings.max_file_bytes, progress=progress)
            done = sync.run(edition, self._elsewhere(edition))
            if self._wait:
                hindrance.append(self._pictured(edition))
                table.keep_only(self._hashes())
        finally:
            recognizer.close()
        return done.replace(because="; ".join(filter(None, dict.fromkeys(hindrance))))

    def _reader(self, recognizer: Recognizer) -> tuple[Reader, list[str]]:
        from holdfast.images.image_sync import Reader

        ctx, problems = self._ctx, list[str]()
        read = recognizer.read if self._wait else None
        if not ctx.settings.multimodal.caption:
            return Reader(recognizer.reader, read), problems
        model = ctx.chat_model
        if model is None:
            problems.append("images have no captions: no language model is configured (llm.provider)")
            return Reader(recognizer.reader, read), problems
        from holdfast.images.caption import Captioner

        captioner = Captioner(model, problems.append)
        name = f"caption {model.provider}/{model.model}"
        return Reader(recognizer.reader, read, captioner.caption if self._wait else None, name), problems

    def _elsewhere(self, edition: Edition) -> Mapping[str, NoteState]:
        """Return what the edition that answers knows of images, for one that is built beside it."""
        serving = self._database.serving()
        if serving is None or serving.number == edition.number:
            return {}
        return serving.known()

    def _hashes(self) -> set[str]:
        return {state.hash for edition, _ in self._database.editions() for state in edition.known().values()}

    def _pictured(self, edition: Edition) -> str:
        """Have what images show embedded, where the chosen model can do that; says what went wrong."""
        from holdfast.images.picture_space import embed_pictures, picture_embedder

        embedder = picture_embedder(self._ctx.chain)
        if embedder is None:
            return ""
        most = self._ctx.settings.multimodal.max_file_bytes
        return embed_pictures(self._database, edition, self._ctx.workspace, embedder, most)


def count_images(ctx: Context, database: Database | None, media: Iterable[NoteFile]) -> ImageCounts | None:
    """Return how many images were read and which can't be, by what the index has.

    None where images are not to be read.
    """
    settings = ctx.settings.multimodal
    if not settings.images:
        return None
    from holdfast.images.image_counts import image_counts
    from holdfast.images.image_text import flaws_of
    from holdfast.images.recognition import choose_reader
    from holdfast.index.sqlite.image_table import ImageTable

    flaws, because = dict[str, str](), ""
    try:
        reader = choose_reader(settings.ocr)
        if database:
            flaws = flaws_of(ImageTable(database).all_of(reader))
        else:
            flaws = {}
    except ProviderMissing as missing:
        because = str(missing)
    edition = None
    if database:
        edition = database.serving()
    known = edition.known() if edition else {}
    counts = image_counts(media, known, flaws, settings.max_file_bytes)
    return counts.replace(because=because)
