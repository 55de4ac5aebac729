"""Made screenshots, read by rapidocr as users have it: `make test-images`."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from images.conftest import drawn, put

from holdfast import Memory

SIZES = ((1600, 1000, 26), (1200, 750, 20), (800, 500, 16))
KINDS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("png", "PNG", {}),
    ("jpg", "JPEG", {"quality": 60}),
    ("webp", "WEBP", {"quality": 70}),
)
WORDS = "deploy failed on host retry queue invoice order shipped customer ticket closed latency alert release".split()


def screenshots(count: int) -> dict[str, tuple[str, bytes]]:
    """Ids, and for each a name and an image that has it among other lines."""
    chance = random.Random(21)  # the same images every time
    made = {}
    for number in range(count):
        width, height, size = SIZES[number % 3]
        ending, kind, options = KINDS[number // 3 % 3]
        letters = "".join(chance.choice("ABCDEFGHJKLMNPQRSTUVWXYZ") for _ in range(3))
        name = f"INC-{chance.randrange(10_000, 99_999)}-{letters}"
        lines = [" ".join(chance.choices(WORDS, k=6)) for _ in range(8)]
        lines[chance.randrange(8)] += f" {name}"
        data = drawn(width, height, "\n".join(lines), kind, size=size, **options)
        made[name] = (f"memory/shots/{number:02}.{ending}", data)
    return made


def test_the_ids_in_forty_screenshots_are_found(home: Path, rapidocr: None) -> None:
    made = screenshots(40)
    for path, data in made.values():
        put(home, path, data)
    with Memory.open(settings={"memory.multimodal.enabled": True}) as memory:
        done = memory.sync()
        assert (done.images, done.skipped) == (40, ())
        found = [name for name, (path, _) in made.items() if _first(memory, name) == path]
        assert len(found) >= 38, f"of 40 ids {len(found)} were found: {sorted(set(made) - set(found))} were not"
        assert memory.sync().images == 0


def _first(memory: Memory, query: str) -> str:
    found = memory.search(query).results
    return found[0].path if found else ""


def test_heic_is_read_where_the_decoder_is(home: Path, rapidocr: None) -> None:
    heif = pytest.importorskip("pillow_heif", reason="pillow-heif is not installed: no HEIC was read")
    heif.register_heif_opener()
    put(home, "memory/photo.heic", drawn(800, 200, "Boarding pass KL-1234-QX", "HEIF", size=28))
    with Memory.open(settings={"memory.multimodal.enabled": True}) as memory:
        memory.sync()
        assert _first(memory, "KL-1234-QX") == "memory/photo.heic"


def test_reading_needs_no_network(tmp_path: Path, rapidocr: None) -> None:
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        pytest.skip("bubblewrap is not installed here: reading without a network was not tried")
    image = put(tmp_path, "one.png", drawn(800, 200, "Invoice 4711-AX9", size=28))
    code = (
        "import sys; from holdfast.images.recognition import Recognizer; r = Recognizer('rapidocr'); "
        "print(r.read(open(sys.argv[1], 'rb').read())); r.close()"
    )
    alone = [
        bwrap,
        "--ro-bind",
        "/",
        "/",
        "--dev",
        "/dev",
        "--proc",
        "/proc",
        "--unshare-net",
        "--ro-bind",
        str(tmp_path),
        str(tmp_path),
    ]
    ran = subprocess.run([*alone, sys.executable, "-c", code, str(image)], capture_output=True, text=True, check=True)
    assert "4711-AX9" in ran.stdout, ran.stderr
