"""Images made for a test, and what stands in for the program that reads them."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from PIL import Image, ImageDraw, ImageFont

Draw: TypeAlias = Callable[..., bytes]

# It says `INC-` and how wide the image is, which stands in the bytes 16 to 19 of a PNG.
SCRIPT = """#!/bin/sh
width=$(head -c 20 | tail -c 4 | od -An -tu1 | { read a b c d; echo $((a * 16777216 + b * 65536 + c * 256 + d)); })
cat > /dev/null
echo "The build INC-$width has failed."
"""


def drawn(width: int = 320, height: int = 80, text: str = "", kind: str = "PNG", **options: Any) -> bytes:
    """An image with a line of text in it."""
    image = Image.new("RGB", (width, height), "white")
    if text:
        font = ImageFont.load_default(size=options.pop("size", 16))
        ImageDraw.Draw(image).multiline_text((10, 10), text, fill="black", font=font, spacing=8)
    held = io.BytesIO()
    image.save(held, kind, **options)
    return held.getvalue()


@pytest.fixture
def tesseract(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program by that name, and the settings that have it read images. It notes nothing and fails on nothing."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "tesseract"
    program.write_text(SCRIPT)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("HOLDFAST_MEMORY_MULTIMODAL_ENABLED", "true")
    monkeypatch.setenv("HOLDFAST_MEMORY_MULTIMODAL_OCR", "tesseract")
    return program


@pytest.fixture
def rapidocr() -> None:
    """Skip, and say so, where the extra is not installed."""
    if find_spec("rapidocr") is None:
        pytest.skip("rapidocr is not installed here: no words were read in images; `make test-images` does it")


def put(home: Path, name: str, data: bytes) -> Path:
    """Write a file of a home."""
    place = home / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)
    return place
