"""The keys of images; `keys.py` takes them into its list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from holdfast.settings.setting_key import Key, Kind

__all__ = ["MULTIMODAL_KEYS"]


def _modality_flaw(name: str) -> str | None:
    if name == "image":
        return None
    if name in ("audio", "all"):
        return "recordings are not supported, only `image` is: nothing here turns speech into text"
    return "it must be `image`"


def _emptiness(names: Sequence[str]) -> str | None:
    if names:
        return None
    return 'it is empty: `memory.multimodal.enabled = false` switches images off, and ["image"] reads them'


MULTIMODAL_KEYS: Final[tuple[Key, ...]] = (
    Key(
        "memory.multimodal.enabled",
        Kind.SWITCH,
        "Make images below memory/ and in extra paths searchable by the words in them; needs the extra `images`, and "
        "is done by `holdfast index`, `watch` and a server, never in a search.",
    ),
    Key(
        "memory.multimodal.modalities",
        Kind.TEXTS,
        "What is read beside text: `image`.",
        flaw=_modality_flaw,
        together=_emptiness,
    ),
    Key(
        "memory.multimodal.max_file_bytes",
        Kind.WHOLE,
        "Larger files are left out, and reported.",
        1000,
        100_000_000,
    ),
    Key(
        "memory.multimodal.ocr",
        Kind.CHOICE,
        "What reads the words in an image: `rapidocr` of the extra `images`, `tesseract` where that program is "
        "installed, `auto` the first of these that is there, `off` nothing.",
    ),
    Key(
        "memory.multimodal.caption",
        Kind.SWITCH,
        "Also send each image once to the language model of `[llm]`, which must take images, and keep what it says of "
        "it.",
    ),
)
