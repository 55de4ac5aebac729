"""llms.txt names every page of the documentation, and nothing that is not there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "llms.txt").read_text(encoding="utf-8")


def test_every_page_is_named_once_and_there() -> None:
    named = re.findall(r"\]\(([^)]+)\)", TEXT)
    assert len(named) == len(set(named))
    assert [name for name in named if not (ROOT / name).is_file()] == []
    pages = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert pages - {"docs/site/index.md"} <= set(named)


def test_every_page_stands_in_the_contents_of_the_site() -> None:
    index = ROOT / "docs/site/index.md"
    entries = re.findall(r"^(\.\./\S+)$", index.read_text(encoding="utf-8"), re.MULTILINE)
    listed = {(index.parent / f"{entry}.md").resolve() for entry in entries}
    assert len(listed) == len(entries)
    assert [page for page in listed if not page.is_file()] == []
    pages = {path.resolve() for path in (ROOT / "docs").rglob("*.md")} - {index.resolve()}
    for room in ("bench", "training"):
        pages |= {path for path in (ROOT / room).rglob("README.md") if "/." not in str(path.relative_to(ROOT))}
    assert pages <= listed


def test_it_has_the_shape_that_readers_of_such_files_expect() -> None:
    lines = TEXT.splitlines()
    assert lines[0] == "# Holdfast"
    assert lines[2].startswith("> ")
    assert all(re.match(r"- \[[^\]]+\]\([^)]+\)", line) for line in lines if line.startswith("- "))
