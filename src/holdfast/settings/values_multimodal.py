"""The frozen values of images: whether they are read, by what, and how large they may be."""

from __future__ import annotations

from enum import StrEnum

from holdfast.value import Value

__all__ = ["MultimodalSettings", "Ocr"]


class Ocr(StrEnum):
    """What reads the words in an image."""

    AUTO = "auto"
    RAPIDOCR = "rapidocr"
    TESSERACT = "tesseract"
    OFF = "off"


class MultimodalSettings(Value):
    """Whether images become searchable, and by what."""

    enabled: bool = False
    modalities: tuple[str, ...] = ("image",)
    max_file_bytes: int = 10_485_760
    ocr: Ocr = Ocr.AUTO
    caption: bool = False

    @property
    def images(self) -> bool:
        """Whether images are to be read."""
        return self.enabled and "image" in self.modalities
