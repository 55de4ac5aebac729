"""The rules of `web/`, held without Node: what its sources may not say, how large it is, and that what is committed as
built is what the sources give."""

from __future__ import annotations

import gzip
import hashlib
import importlib.util
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
WEB = ROOT / "web"
STATIC = ROOT / "src" / "holdfast" / "surfaces" / "web" / "static"
NO_SOURCES = {"node_modules", ".tests", "__pycache__"}
NOT_BUILT = {"tests", "test.mjs", "api_types.py", "api_types.ts", "README.md"}  # no byte of the build depends on these
MOST_LINES = 300
MOST_FIRST, MOST_ALL = 60_000, 250_000  # bytes gzipped: what is fetched before anything shows, and everything
MOST_IN_WHEEL = 700_000  # bytes of all that, packed once more, and as it is for who takes no gzip

# Each would let a text of a note become HTML or code; `style="` would be refused by the CSP.
FORBIDDEN = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|\beval\b|new Function|style=\""
    r"|createContextualFragment|DOMParser|srcdoc|unsafe-"
)
# An address of another host, but for the name space of SVG, which no browser fetches.
FOREIGN = re.compile(r"""["'`(](?:https?:)?//[a-z0-9]""", re.IGNORECASE)
COMMENT = re.compile(r"^\s*(?://|\*|/\*).*$", re.MULTILINE)
QUOTED = re.compile(r">\s*[A-Z][a-z]+ [a-z]+[^<>{}]*<")


def sources() -> Iterator[Path]:
    """Every file of `web/` that is ours."""
    for path in sorted(WEB.rglob("*")):
        if path.is_file() and not NO_SOURCES.intersection(path.relative_to(WEB).parts):
            yield path


@pytest.fixture(scope="module")
def manifest() -> dict[str, Any]:
    """What was built, from what."""
    held: dict[str, Any] = json.loads((STATIC / "manifest.json").read_bytes())
    return held


def test_no_source_makes_html_or_code_from_text() -> None:
    for path in sources():
        if path.suffix in (".ts", ".tsx", ".html", ".css") and path.name != "payloads.ts":  # hostile texts, for tests
            assert FORBIDDEN.search(path.read_text(encoding="utf-8")) is None, path


def test_no_source_is_longer_than_three_hundred_lines() -> None:
    long = {
        path.relative_to(WEB).as_posix(): lines
        for path in sources()
        if path.name != "package-lock.json" and (lines := path.read_text(encoding="utf-8").count("\n")) > MOST_LINES
    }
    assert not long


def test_nothing_is_fetched_from_another_host() -> None:
    for path in sources():
        if "tests" not in path.parts and path.suffix in (".ts", ".tsx", ".html", ".css"):
            text = COMMENT.sub("", path.read_text(encoding="utf-8"))
            assert FOREIGN.search(text) is None, path
            assert "@font-face" not in text and "@import" not in text, path


def test_every_text_that_is_shown_stands_in_one_file() -> None:
    for path in sources():
        if path.suffix == ".tsx" and path.parent.name in ("pages", "parts", "markdown", "src"):
            assert QUOTED.search(path.read_text(encoding="utf-8")) is None, path


def test_the_lock_file_names_exact_versions_and_no_address_to_download_from() -> None:
    lock = json.loads((WEB / "package-lock.json").read_bytes())
    assert not [name for name, package in lock["packages"].items() if "resolved" in package]
    assert all("integrity" in package for name, package in lock["packages"].items() if name)
    given = json.loads((WEB / "package.json").read_bytes())
    versions = {**given["dependencies"], **given["devDependencies"]}
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in versions.values()), versions


def test_what_is_built_was_built_from_these_sources(manifest: dict[str, Any]) -> None:
    found = {
        f"web/{path.relative_to(WEB).as_posix()}": hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sources()
        if not NOT_BUILT.intersection(path.relative_to(WEB).parts)
    }
    assert manifest["sources"] == found, "run `make web` and commit what it makes"


def test_every_built_file_is_the_one_that_the_manifest_names(manifest: dict[str, Any]) -> None:
    on_disk = {path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file()}
    packed = {f"{name}.gz" for name in manifest["files"] if name.startswith("assets/")}
    assert on_disk == {*manifest["files"], *packed, "manifest.json"}
    for name, row in manifest["files"].items():
        data = (STATIC / name).read_bytes()
        assert hashlib.sha256(data).hexdigest() == row["sha256"], name
        assert len(data) == row["bytes"]
    for name in packed:
        assert gzip.decompress((STATIC / name).read_bytes()) == (STATIC / name.removesuffix(".gz")).read_bytes()


def test_the_first_load_and_all_parts_together_are_small(manifest: dict[str, Any]) -> None:
    rows = {name: row for name, row in manifest["files"].items() if name.startswith("assets/") or name == "index.html"}
    assert sum(row["gzip_bytes"] for row in rows.values() if row["first"]) <= MOST_FIRST
    assert sum(row["gzip_bytes"] for row in rows.values()) <= MOST_ALL
    assert {"index.html"} < {name for name, row in rows.items() if row["first"]}


def test_a_wheel_is_little_larger_for_the_page(manifest: dict[str, Any]) -> None:
    packed = [zlib.compress(path.read_bytes()) for path in STATIC.rglob("*") if path.is_file()]
    assert len(packed) > len(manifest["files"])
    assert sum(map(len, packed)) <= MOST_IN_WHEEL


def test_the_page_brings_no_script_and_no_style_of_its_own(manifest: dict[str, Any]) -> None:
    for name in ("index.html", "refused.html"):
        text = (STATIC / name).read_text(encoding="utf-8")
        assert re.findall(r"<script\b[^>]*>(?!</script>)", text) == []
        assert not re.search(r"<style|\son[a-z]+=", text)
        linked = re.findall(r'(?:src|href)="/(assets/[^"]+)"', text)
        assert linked and set(linked) <= set(manifest["files"])


def test_the_types_of_the_routes_are_those_of_the_server() -> None:
    pytest.importorskip("starlette")
    spec = importlib.util.spec_from_file_location("api_types", WEB / "api_types.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.FILE.read_text(encoding="utf-8") == module.typescript(), "run `make web` and commit what it makes"
