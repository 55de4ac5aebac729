"""The settings of images: whether they are read, by what, and how large they may be."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from holdfast.settings.declaration import Section, choice, fixed, switch, texts, whole
from holdfast.settings.llm_settings import for_task

__all__ = ["MultimodalSettings", "Ocr"]


class Ocr(StrEnum):
    """The program that reads the words in an image."""

    AUTO = "auto"
    RAPIDOCR = "rapidocr"
    TESSERACT = "tesseract"
    OFF = "off"


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


class MultimodalSettings(Section, table="memory.multimodal"):
    """The switch of images, and what reads them."""

    enabled: bool = switch(
        False,
        "Make images below memory/ and in extra paths searchable by the words in them; needs the extra `images`, "
        "and is done by `holdfast index`, `watch` and a server, never in a search.",
    )
    modalities: tuple[str, ...] = fixed(
        texts(("image",), "What is read beside text: `image`.", flaw=_modality_flaw, together=_emptiness),
        "Images are all that is read beside text; memory.multimodal.enabled switches them on or off.",
    )
    max_file_bytes: int = fixed(whole(10_485_760, "Larger files are left out, and reported.", 1000, 100_000_000))
    ocr: Ocr = choice(
        Ocr.AUTO,
        "What reads the words in an image: `rapidocr` of the extra `images`, `tesseract` where that program is "
        "installed, `auto` the first of these that is there, `off` nothing.",
    )
    caption: bool = for_task(
        switch(False, "Also send each image once to the language model, which must take images."), "captions"
    )

    @property
    def images(self) -> bool:
        """True if images are to be read."""
        return self.enabled and "image" in self.modalities
