"""Images that were made to harm: each costs bounded time and memory, is named, and the next one is read."""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

import pytest
from images.conftest import drawn, put

from holdfast import Memory
from holdfast.images.recognition import Recognizer
from holdfast.images.recognition_worker import CPU_SECONDS, MOST_PIXELS


def png(width: int, height: int, data: bytes, *more: tuple[bytes, bytes]) -> bytes:
    """A PNG of these parts, whatever they say."""

    def chunk(name: bytes, held: bytes) -> bytes:
        return struct.pack(">I", len(held)) + name + held + struct.pack(">I", zlib.crc32(name + held))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    inner = b"".join(chunk(*one) for one in more)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + inner + chunk(b"IDAT", data) + chunk(b"IEND", b"")


ZEROS = zlib.compress(bytes(30_000_000), 9)  # 30 kB that become 30 MB
HOSTILE = {
    "a bomb of a hundred megapixels": (png(10_000, 10_000, ZEROS), "100,000,000 pixels"),
    "the largest that a PNG can say": (png(2**31 - 1, 2**31 - 1, ZEROS), "pixels"),
    "wide and thin": (png(2**31 - 1, 1, ZEROS), "pixels"),
    "less data than it says": (png(5000, 5000, zlib.compress(bytes(10))), "can't be read"),
    "more data than it says": (png(20, 20, ZEROS), ""),
    "a text of 30 MB in a comment": (png(20, 20, zlib.compress(bytes(1220)), (b"zTXt", b"k\0\0" + ZEROS)), ""),
    "a profile of 30 MB": (png(20, 20, zlib.compress(bytes(1220)), (b"iCCP", b"k\0\0" + ZEROS)), ""),
    "cut off in the middle": (drawn(300, 300, "words")[:-60], "can't be read"),
    "cut off after its first bytes": (drawn()[:20], "can't be read"),
    "nothing": (b"", "no image"),
    "a program by the name of an image": (b"\x7fELF" + bytes(100), "no image"),
    "a page by the name of an image": (b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "no image"),
    "a letter in PostScript, which Pillow would have a program open": (b"%!PS-Adobe-3.0 EPSF-3.0\n", "no image"),
    "a JPEG that is only its beginning": (b"\xff\xd8\xff\xe0" + bytes(64), "can't be read"),
    "a GIF of nothing": (b"GIF89a\xff\xff\xff\xff\x00\x00\x00;", ""),
    "a WebP of nothing": (b"RIFF\x10\0\0\0WEBPVP8 " + bytes(8), "can't be read"),
    "a HEIC of nothing": (b"\0\0\0\x18ftypheic" + bytes(12), ""),
}


@pytest.mark.promise("P13")
def test_no_image_costs_more_than_is_allowed_and_the_next_one_is_read(home: Path, tesseract: Path) -> None:
    for number, (data, _) in enumerate(HOSTILE.values()):
        put(home, f"memory/{number:02}.png", data)
    put(home, "memory/zz.png", drawn(340))
    with Memory.open() as memory:
        told = dict(memory.sync().skipped)
        for number, (name, (_, why)) in enumerate(HOSTILE.items()):
            if why:
                assert why in told.get(f"memory/{number:02}.png", ""), name
        assert memory.search("INC-340").results[0].path == "memory/zz.png"
        assert dict(memory.sync().skipped) == told, "they are not tried again, and still named"
    assert os.times().children_user < CPU_SECONDS * len(HOSTILE)


def _enlarged_jpeg(width: int, height: int) -> bytes:
    """A small JPEG that says it is a large one."""
    data = drawn(kind="JPEG")
    place = data.index(b"\xff\xc0") + 5
    return data[:place] + struct.pack(">HH", height, width) + data[place + 4 :]


def _enlarged_gif(width: int, height: int) -> bytes:
    data = drawn(kind="GIF")
    return data[:6] + struct.pack("<HH", width, height) + data[10:]


def test_a_hundred_megapixels_are_refused_in_every_format() -> None:
    recognizer = Recognizer("off")
    try:
        for data in (_enlarged_jpeg(10_100, 10_000), _enlarged_gif(10_100, 10_000)):
            reading = recognizer.read(data)
            assert "101,000,000 pixels" in reading.flaw and f"{MOST_PIXELS:,}" in reading.flaw
    finally:
        recognizer.close()


def test_a_reader_that_hangs_is_ended_in_time(tesseract: Path) -> None:
    tesseract.write_text("#!/bin/sh\nexec sleep 600\n")
    recognizer = Recognizer("tesseract", seconds=3.0)
    try:
        assert "3 s" in recognizer.read(drawn()).flaw
        tesseract.write_text("#!/bin/sh\ncat > /dev/null\necho awake\n")
        assert recognizer._process is None, "it was ended, with all that it had started"
    finally:
        recognizer.close()
    patient = Recognizer("tesseract")
    try:
        assert patient.read(drawn()).text == "awake"
    finally:
        patient.close()


def test_a_reader_that_dies_takes_no_other_image_with_it(tesseract: Path) -> None:
    tesseract.write_text("#!/bin/sh\nkill -9 $PPID\n")
    recognizer = Recognizer("tesseract")
    try:
        assert "ended" in recognizer.read(drawn()).flaw
        tesseract.write_text("#!/bin/sh\ncat > /dev/null\necho alive\n")
        assert recognizer.read(drawn()).text == "alive"
    finally:
        recognizer.close()


def test_the_process_that_reads_has_limits_and_no_keys(tesseract: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "kestrel-key")
    tesseract.write_text("#!/bin/sh\ncat > /dev/null\nulimit -f\nulimit -v\nulimit -c\nenv\n")
    recognizer = Recognizer("tesseract")
    try:
        said = recognizer.read(drawn()).text.splitlines()
    finally:
        recognizer.close()
    assert said[:3] == ["0", str(3 * 2**20), "0"] and "ORT_DISABLE_TELEMETRY=1" in said
    assert not [line for line in said if "kestrel-key" in line]
