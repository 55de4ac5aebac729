"""Images → vectors of what they show, in a space of their own, where the chosen model takes images.

Question and image are put into one room by the same model, but not among texts: there, anything that is said is nearer
to a question than anything that is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from holdfast.embeddings.chain import Chain
from holdfast.embeddings.remote.gemini_embedder import MOST_IMAGES, GeminiEmbedder
from holdfast.errors import HoldfastError, ProviderFailed
from holdfast.guard.media import image_kind
from holdfast.index.sqlite.database import Database
from holdfast.index.sqlite.edition import Edition
from holdfast.index.store_contract import StoredChunk
from holdfast.notes.note import NoteFile
from holdfast.notes.workspace import Workspace

__all__ = ["embed_pictures", "picture_embedder"]

_TAKEN: Final = ("PNG", "JPEG")  # the others it refuses


def picture_embedder(chain: Chain | None) -> GeminiEmbedder | None:
    """The provider that the settings chose, where its model takes images."""
    if chain is None or chain.first.name != "gemini":
        return None
    try:
        embedder = chain.first.embedder()
    except ProviderFailed:
        return None
    if isinstance(embedder, GeminiEmbedder) and embedder.sees:
        return embedder
    return None


def embed_pictures(
    database: Database, edition: Edition, workspace: Workspace, embedder: GeminiEmbedder, most_bytes: int
) -> str:
    """Embed what the images of an edition show, those that were not embedded before; says what went wrong."""
    try:
        vectors = database.vectors(embedder.space.of_pictures)
        keyed = {chunk.text_hash: found for found in workspace.walk().media if (chunk := _chunk(edition, found))}
        wanted = vectors.missing(list(keyed))
        for start in range(0, len(wanted), MOST_IMAGES):
            keys = wanted[start : start + MOST_IMAGES]
            images = _images([keyed[key] for key in keys], workspace, most_bytes)
            shown = [(key, image) for key, image in zip(keys, images, strict=True) if image is not None]
            if shown:
                made = embedder.embed_images([image for _, image in shown])
            else:
                made = []
            vectors.put([(key, vector) for (key, _), vector in zip(shown, made, strict=True)])
            vectors.put([(key, b"") for key, image in zip(keys, images, strict=True) if image is None])
    except ProviderFailed as failure:
        return f"what images show is not embedded: {failure.provider} failed: {failure.why}"
    return ""


def _chunk(edition: Edition, found: NoteFile) -> StoredChunk | None:
    return edition.chunk_at(path=found.path, line=1)


def _images(media: Sequence[NoteFile], workspace: Workspace, most_bytes: int) -> list[tuple[str, bytes] | None]:
    """Each image as it is sent; None for one that the model does not take."""
    found: list[tuple[str, bytes] | None] = []
    for image in media:
        try:
            data = workspace.read_medium(image, most_bytes).data
        except HoldfastError:
            found.append(None)
            continue
        kind = image_kind(data)
        found.append((f"image/{kind.lower()}", data) if kind in _TAKEN else None)
    return found
