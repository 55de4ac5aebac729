"""What only our own code may name: the paths of exports; and text that is kept without what may not reach disk."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.errors import BadPath
from holdfast.guard.paths import changeable_path, writable_path
from holdfast.guard.text_rules import admit, strip_refused
from holdfast.notes.file_workspace import FileWorkspace


@pytest.mark.parametrize("path", ["MEMORY.md", "memory/a.md", "memory/sessions/2026-11-15-a.md", "memory/imports/a.md"])
def test_a_note_that_tools_write_and_an_export_may_change(path: str) -> None:
    assert changeable_path(path).text == path


@pytest.mark.promise("P9")
@pytest.mark.parametrize(
    "path",
    [
        *("memory/sessions/", "memory/sessions/../a.md", "memory/sessions/a/b.md", "memory/sessions//a.md", "a.md"),
        *("memory/sessions/.a.md", "memory/sessions/a.txt", "memory/sessions/con.md", "memory/other/a.md", ""),
        *("memory/sessions/a b.md", "memory/sessions/a\\b.md", "memory/sessions/%2e%2e.md", "/memory/sessions/a.md"),
        *("./memory/sessions/a.md", "memory/sessions/\u202ea.md", "memory/sessions/" + "x" * 300 + ".md"),
        *("memory/imports/", "memory/imports/a/b.md", "memory/imports/../a.md", "memory/imports.md/a.md"),
    ],
)
def test_nothing_else_may_change(path: str) -> None:
    with pytest.raises(BadPath):
        changeable_path(path)


def test_an_export_is_not_writable_by_its_name() -> None:
    with pytest.raises(BadPath):
        writable_path("memory/sessions/2026-11-15-a.md")


@pytest.mark.parametrize("folder", ["sessions", "imports"])
def test_temps_of_an_export_whose_writer_died_are_swept(home: Path, folder: str) -> None:
    with FileWorkspace.open(home) as workspace:
        workspace.replace(changeable_path(f"memory/{folder}/a.md"), b"a")
    left = home / "memory" / folder / ".a.md.0123456789abcdef.hf-tmp"
    left.write_bytes(b"half")
    with FileWorkspace.open(home):
        assert [path.name for path in left.parent.iterdir()] == ["a.md"]


@given(st.text(st.characters(), max_size=60))
def test_what_is_cleaned_is_admitted_and_stays_the_same(text: str) -> None:
    assert admit(strip_refused(text)) == strip_refused(text) == strip_refused(strip_refused(text))


def test_cleaning_takes_nothing_else_away() -> None:
    assert (
        strip_refused("Grüße 👩\u200d👩\u200d👧 می\u200cخواهم\n\ttab")
        == "Grüße 👩\u200d👩\u200d👧 می\u200cخواهم\n\ttab"
    )
    assert strip_refused("a\x00b\x1bc\u202ed\ud800e") == "abcde"
    assert strip_refused("x" + "\ufe0f" * 4 + "\x00" + "\ufe0f" * 4) == "x"
