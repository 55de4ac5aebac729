"""Images that search has found: sent as they are to who was let in, and nothing else by that way."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from surfaces.http.serving import Page, Served, served


def png() -> bytes:
    """The smallest image."""

    def chunk(name: bytes, held: bytes) -> bytes:
        return struct.pack(">I", len(held)) + name + held + struct.pack(">I", zlib.crc32(name + held))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\0\1\2\3")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server over a home with images, and with files that only look like some."""
    home = tmp_path_factory.mktemp("gallery") / "home"
    (home / "memory").mkdir(parents=True)
    (home / "holdfast.toml").write_text("[memory.multimodal]\nenabled = true\n")
    (home / "memory" / "one.png").write_bytes(png())
    (home / "memory" / "page.png").write_bytes(b"<script>alert(1)</script>")
    (home / "memory" / "drawing.svg").write_bytes(b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")
    (home / "state").mkdir()
    (home / "state" / "secret.png").write_bytes(png())
    (home / "memory" / "link.png").symlink_to(home / "state" / "secret.png")
    with served(home, "--no-watch") as running:
        yield running


@pytest.fixture(scope="module")
def page(gallery: Served) -> Page:
    return gallery.page()


def test_an_image_is_sent_as_what_it_is_and_can_do_nothing(page: Page) -> None:
    answer = page.call("GET", "/image?path=memory/one.png")
    assert (answer.status, answer.data) == (200, png())
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "path",
    [
        *("memory/page.png", "memory/drawing.svg", "memory/link.png", "state/secret.png", "../state/secret.png"),
        *("memory/../state/secret.png", "/etc/passwd", "holdfast.toml", "memory/none.png", "MEMORY.md", "", "%00"),
    ],
)
def test_nothing_else_is_sent_by_that_way(page: Page, path: str) -> None:
    assert page.call("GET", f"/image?path={path}").status in (400, 404, 409, 413, 422)


def test_who_was_not_let_in_sees_no_image(gallery: Served) -> None:
    assert gallery.send("GET", "/api/v1/image?path=memory/one.png").status == 401


def test_where_images_are_not_read_none_is_sent(web: Served) -> None:
    (Path(web.home) / "memory").mkdir(exist_ok=True)
    (Path(web.home) / "memory" / "one.png").write_bytes(png())
    assert web.page().call("GET", "/image?path=memory/one.png").status == 404
