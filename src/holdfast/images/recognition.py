"""An image's bytes → what a process of its own reads in it, within limits of time; and which program reads."""

from __future__ import annotations

import os
import select
import shutil
import signal
import struct
import subprocess
import sys
import threading
import time
import zlib
from contextlib import suppress
from importlib.util import find_spec
from typing import Final

from holdfast.errors import ExtraMissing, ProviderMissing
from holdfast.images.image_text import ImageReading, reading_from
from holdfast.settings.image_settings import Ocr
from holdfast.settings.installation import missing_extra

__all__ = ["Recognizer", "choose_reader", "try_reader"]

_SECONDS: Final = 60.0  # on a busy machine; what it may take of the processor is a third of that
_ENDED: Final = "the process that read it ended: it took too much memory or processor time"
_KEPT: Final = ("PATH", "HOME", "LANG", "LC_ALL", "PYTHONPATH", "VIRTUAL_ENV", "LD_LIBRARY_PATH", "SYSTEMROOT")
_MOST_ANSWER: Final = 1_000_000
_INSTALL_TESSERACT: Final = "Install it (Debian: apt install tesseract-ocr), or unset memory.multimodal.ocr."


def choose_reader(ocr: Ocr) -> str:
    """Return who reads images here: `rapidocr`, `tesseract` or `off`; ProviderMissing where nobody can."""
    if find_spec("PIL") is None:
        raise _missing("PIL")
    has_rapidocr = find_spec("rapidocr") is not None and find_spec("onnxruntime") is not None
    if ocr is Ocr.AUTO:
        if not has_rapidocr and shutil.which("tesseract"):
            return "tesseract"
        ocr = Ocr.RAPIDOCR
    if ocr is Ocr.RAPIDOCR and not has_rapidocr:
        raise _missing("rapidocr")
    if ocr is Ocr.TESSERACT and not shutil.which("tesseract"):
        # Here and not image by image: what is said of an image is remembered.
        raise ProviderMissing("images", "the program tesseract is not here", _INSTALL_TESSERACT)
    return ocr.value


def _missing(package: str) -> ExtraMissing:
    return missing_extra(package, "images", ModuleNotFoundError(name=package), "; until then images are left out")


def try_reader(reader: str) -> str:
    """Have an empty image read; says what goes wrong, and nothing where the reader works."""
    recognizer = Recognizer(reader)
    try:
        return recognizer.read(_blank_png()).flaw
    finally:
        recognizer.close()


def _blank_png(side: int = 64) -> bytes:
    """A white square: eight bits of grey a pixel."""

    def part(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    pixels = zlib.compress((b"\0" + b"\xff" * side) * side)
    head = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", pixels) + part(b"IEND", b"")


class Recognizer:
    """Reads images one after another in a process that is started when the first comes; close it at the end."""

    def __init__(self, reader: str, *, seconds: float = _SECONDS) -> None:
        self.reader = reader
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, data: bytes) -> ImageReading:
        """Return what the image says.

        What goes wrong is said in the reading, and costs no more than the time allowed.
        """
        process = self._process or self._start()
        until = time.monotonic() + self._seconds
        # By a thread: a process that reads nothing would block us, and the clock would not be looked at.
        sender = threading.Thread(target=self._send, args=(process, data), daemon=True)
        sender.start()
        line = self._answer(process, until)
        reading = reading_from(line) if line else None
        if reading is None:
            late = time.monotonic() >= until
            self.close()
            sender.join()
            return ImageReading(flaw=f"it could not be read in {self._seconds:g} s" if late else _ENDED)
        sender.join()
        return reading

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()

    def _start(self) -> subprocess.Popen[bytes]:
        environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
        # onnxruntime would tell its makers what it does.
        environment |= {"ORT_DISABLE_TELEMETRY": "1", "OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "holdfast.images.recognition_worker", self.reader],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,
        )
        return self._process

    @staticmethod
    def _send(process: subprocess.Popen[bytes], data: bytes) -> None:
        assert process.stdin is not None
        with suppress(OSError, ValueError):  # it has ended, which the answer tells
            process.stdin.write(len(data).to_bytes(8, "big") + data)
            process.stdin.flush()

    @staticmethod
    def _answer(process: subprocess.Popen[bytes], until: float) -> bytes:
        """The next line that is an answer; nothing where the process ends or the time is over."""
        assert process.stdout is not None
        said = b""
        while (left := until - time.monotonic()) > 0 and len(said) < _MOST_ANSWER:
            ready, _, _ = select.select([process.stdout], [], [], left)
            if ready:
                piece = os.read(process.stdout.fileno(), 65_536)
            else:
                piece = b""
            if not piece:
                return b""
            said += piece
            if said.endswith(b"\n"):
                return said.splitlines()[-1]
        return b""
