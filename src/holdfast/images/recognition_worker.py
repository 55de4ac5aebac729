"""The process that opens images, so that no image can harm, block or fill the one that searches.

It answers one line of JSON for each image on its input: eight bytes of length, then the image. It may not use more
memory or processor time than set here, may write no file, and has none of the environment's secrets. What it can't do
it says; what it may not do ends it, and whoever started it starts another.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from typing import Any, Final, TypeAlias

from holdfast.guard.media import image_kind
from holdfast.images.image_text import MOST_CHARACTERS, ImageReading, reading_json

__all__ = ["CPU_SECONDS", "MOST_MEMORY", "MOST_PIXELS", "main"]

MOST_PIXELS: Final = 40_000_000
CPU_SECONDS: Final = 20
MOST_MEMORY: Final = 3 * 2**30
"""Bytes of address space: onnxruntime with its models takes one gibibyte, an image of 40 megapixels another half."""

_LONGEST_SIDE: Final = 4000  # what is larger is made smaller before it is read
_LEAST_SIDE: Final = 8
_EXIF, _TAKEN, _CHANGED = 0x8769, 36867, 306

Recognize: TypeAlias = Callable[[Any], list[str]]
"""An image of Pillow's → the lines of text in it."""


def main() -> int:
    """Read images until the input ends."""
    _limit()
    recognize: Recognize | None = None
    while len(head := sys.stdin.buffer.read(8)) == 8:
        data = sys.stdin.buffer.read(int.from_bytes(head, "big"))
        with redirect_stdout(sys.stderr):
            _limit_cpu()
            try:
                recognize = recognize or _recognizer(sys.argv[1])
                reading = _read(data, recognize)
            except Exception as error:  # noqa: BLE001 - a decoder may raise anything on a file that was made for it
                reading = ImageReading(flaw=f"it can't be read ({type(error).__name__}: {str(error)[:200]})")
        sys.stdout.buffer.write(reading_json(reading).encode() + b"\n")
        sys.stdout.buffer.flush()
    return 0


def _limit() -> None:
    """Give up all that reading an image does not need."""
    import resource

    with suppress(OSError):
        os.nice(10)
    limits = ((resource.RLIMIT_AS, MOST_MEMORY), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_CORE, 0))
    for what, most in limits:
        with suppress(ValueError, OSError):  # not every system has each
            resource.setrlimit(what, (most, most))


def _limit_cpu() -> None:
    """So many seconds for the next image; the system ends the process after that."""
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    with suppress(ValueError, OSError):
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + CPU_SECONDS, hard))


def _read(data: bytes, recognize: Recognize) -> ImageReading:
    from PIL import Image, ImageOps

    kind = image_kind(data)
    if not kind:
        return ImageReading(flaw="it is no image, whatever its name says")
    if kind == "HEIF":
        try:
            from pillow_heif import register_heif_opener
        except ImportError:
            return ImageReading(flaw="HEIC needs the package pillow-heif")
        register_heif_opener()
    Image.MAX_IMAGE_PIXELS = None  # ours is asked below, for every format and before anything is decoded
    with Image.open(io.BytesIO(data), formats=[kind]) as image:
        pixels = image.width * image.height
        if pixels > MOST_PIXELS:
            return ImageReading(flaw=f"it has {pixels:,} pixels; the limit is {MOST_PIXELS:,}")
        if min(image.size) < _LEAST_SIDE:
            return ImageReading()
        taken = _taken(image)
        image.draft("RGB", (_LONGEST_SIDE, _LONGEST_SIDE))
        image.thumbnail((_LONGEST_SIDE, _LONGEST_SIDE))
        upright = ImageOps.exif_transpose(image).convert("RGB")
    return ImageReading("\n".join(recognize(upright))[:MOST_CHARACTERS], taken)


def _taken(image: Any) -> str:
    """The day that a camera wrote into the image."""
    try:
        exif = image.getexif()
        found = str(exif.get_ifd(_EXIF).get(_TAKEN) or exif.get(_CHANGED) or "")
    except Exception:  # noqa: BLE001 - what is broken there says no day, and the image may be fine
        return ""
    day = found[:10].replace(":", "-")
    if len(day) == 10 and day.replace("-", "").isdigit():
        return day
    return ""


def _recognizer(name: str) -> Recognize:
    if name == "rapidocr":
        return _rapidocr()
    if name == "tesseract":
        return _tesseract
    return lambda _: []


def _rapidocr() -> Recognize:
    from rapidocr import RapidOCR

    engine = RapidOCR(
        params={
            "Global.log_level": "critical",
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )

    def recognize(image: Any) -> list[str]:
        found = engine(image)
        return [str(line) for line in found.txts or ()]

    return recognize


def _tesseract(image: Any) -> list[str]:
    program = shutil.which("tesseract")
    if program is None:
        raise FileNotFoundError("tesseract is not installed")
    page = io.BytesIO()
    image.save(page, "PNG")
    command = [program, "stdin", "stdout", "--psm", "11"]
    found = subprocess.run(command, input=page.getvalue(), capture_output=True, timeout=CPU_SECONDS, check=True)
    return [line for line in found.stdout.decode("utf-8", "replace").splitlines() if line.strip()]


if __name__ == "__main__":
    sys.exit(main())
