"""A reading of an image, and the text that the image is found by."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from holdfast.guard.secrets import redact
from holdfast.guard.text_rules import strip_refused
from holdfast.value import Value

__all__ = ["MOST_CHARACTERS", "ImageReading", "flaws_of", "found_text", "reading_from", "reading_json"]

MOST_CHARACTERS: Final = 20_000
"""Of one image: a page of a newspaper has half as many."""


class ImageReading(Value):
    """The words in an image, line by line, and the day it was taken on; or why it can't be read."""

    text: str = ""
    taken: str = ""
    flaw: str = ""


def reading_json(reading: ImageReading) -> str:
    """The reading as it is stored."""
    return json.dumps({"text": reading.text, "taken": reading.taken, "flaw": reading.flaw}, ensure_ascii=False)


def reading_from(line: str | bytes) -> ImageReading | None:
    """A reading as it was stored, or as the process that reads images answers; None for anything else."""
    try:
        given = json.loads(line)
        return ImageReading(*(str(given[name])[:MOST_CHARACTERS] for name in ("text", "taken", "flaw")))
    except (ValueError, TypeError, KeyError):
        return None


def flaws_of(stored: Mapping[str, str]) -> dict[str, str]:
    """Return why images can't be read, by the keys of their stored readings; those that can be are left out."""
    readings = {key: reading_from(line) for key, line in stored.items()}
    return {key: reading.flaw for key, reading in readings.items() if reading is not None and reading.flaw}


def found_text(reading: ImageReading, digest: str, caption: str = "") -> str:
    """The text of an image's row: its words, the day, and what a model says of it.

    Without any of these it is the image's own hash: two that say nothing are not the same, and what each of them shows
    is kept by its text.

    They are a stranger's words, as those of a web page: what hides in them goes, and known kinds of secrets are no more
    written to the index than those of a conversation.
    """
    parts = [reading.text.strip()]
    if reading.taken:
        parts.append(f"Taken on {reading.taken}.")
    if caption:
        parts.append(f"A model's caption: {caption}")
    return redact(strip_refused("\n".join(filter(None, parts)))).strip() or f"An image without words ({digest[:12]})."
