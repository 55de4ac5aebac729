"""memory_get, through Memory and through the dispatcher."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from counts import counted
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.errors import BadArgument, BadPath, BadText, UnsafeFile
from holdfast.markdown.lines import split_lines


def put(home: Path, text: str, path: str = "memory/a.md") -> None:
    file = home / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode("utf-8"))


def test_a_note_is_read_from_a_line_on(home: Path) -> None:
    put(home, "".join(f"line {number}\n" for number in range(1, 11)))
    with Memory.open() as memory:
        got = memory.get("memory/a.md", from_line=4, lines=2)
        assert (got.text, got.from_line, got.lines, got.total_lines) == ("line 4\nline 5", 4, 2, 10)
        assert (got.truncated, got.next_from) == (True, 6)
        end = memory.get("memory/a.md", from_line=9, lines=2)
        assert (end.text, end.truncated, end.next_from) == ("line 9\nline 10", False, None)


def test_the_dispatcher_reads_with_from(home: Path) -> None:
    put(home, "a\nb\nc\n")
    with Memory.open() as memory:
        got = memory.tools().call("memory_get", {"path": "memory/a.md", "from": 2, "lines": 1})
        assert got == {
            "status": "ok",
            "path": "memory/a.md",
            "text": "b",
            "from": 2,
            "lines": 1,
            "total_lines": 3,
            "truncated": True,
            "next_from": 3,
            "hash": memory.get("memory/a.md").hash,
            "origin": "outside",
        }


def test_a_page_has_120_lines_by_default(home: Path) -> None:
    put(home, "x\n" * 300)
    with Memory.open() as memory:
        pages = [memory.get("memory/a.md", from_line=start) for start in (1, 121, 241)]
    assert [page.lines for page in pages] == [120, 120, 60]
    assert [page.next_from for page in pages] == [121, 241, None]


def test_a_page_has_12_000_characters_at_the_most(home: Path) -> None:
    put(home, ("y" * 999 + "\n") * 30)
    with Memory.open() as memory:
        got = memory.get("memory/a.md")
    assert (got.lines, got.next_from) == (12, 13)
    assert len(got.text) <= 12_000


def test_a_line_that_is_longer_than_a_page_is_cut_and_the_result_says_so(home: Path) -> None:
    put(home, "z" * 13_000 + "\nend\n")
    with Memory.open() as memory:
        first = memory.get("memory/a.md")
        assert (len(first.text), first.truncated, first.next_from) == (12_000, True, 2)
        put(home, "z" * 13_000)
        last = memory.get("memory/a.md")
        assert (len(last.text), last.truncated, last.next_from) == (12_000, True, None)


def test_past_the_end_there_is_nothing_more(home: Path) -> None:
    put(home, "a\n")
    with Memory.open() as memory:
        got = memory.get("memory/a.md", from_line=7)
        assert (got.status, got.text, got.lines, got.truncated, got.next_from) == ("ok", "", 0, False, None)
        put(home, "")
        assert memory.get("memory/a.md").total_lines == 0


def test_a_missing_note_is_not_found_and_no_exception(home: Path) -> None:
    with Memory.open() as memory:
        assert memory.get("memory/none.md").status == "not_found"
        assert memory.tools().call("memory_get", {"path": "memory/none.md"}) == {
            "status": "not_found",
            "path": "memory/none.md",
        }


@pytest.mark.parametrize("chunk_id", ["0123456789abcdef", "memory/none.md:1", "memory/a.md:99", "", "\ud800", "a\0b"])
def test_a_missing_chunk_is_not_found_and_no_exception(home: Path, chunk_id: str) -> None:
    put(home, "a\n")
    with Memory.open() as memory:
        assert memory.get(chunk_id=chunk_id).status == "not_found"
        shown = memory.tools().call("memory_get", {"chunk_id": chunk_id})
        assert shown == {"status": "not_found", "path": None, "chunk_id": chunk_id}


def test_a_chunk_is_read_by_the_id_of_a_hit(home: Path) -> None:
    put(home, "# Zoo\n\n" + "The giraffe sleeps. " * 60 + "\n\nIts name is Ada.\n")
    with Memory.open() as memory:
        hit = memory.search("giraffe").results[0]
        got = memory.get(chunk_id=hit.chunk_id)
        assert got.status == "ok"
        assert got.path == "memory/a.md"
        assert got.chunk_id == hit.chunk_id
        assert got.from_line <= hit.start_line
        assert hit.snippet.strip("…\n ")[:40] in got.text


def test_a_chunk_is_read_by_path_and_line(home: Path) -> None:
    put(home, "- first\n- second\n- third\n", "MEMORY.md")
    with Memory.open() as memory:
        for chunk_id in ("MEMORY.md:2", "MEMORY.md#2"):
            got = memory.get(chunk_id=chunk_id)
            assert (got.text, got.from_line, got.lines) == ("- second", 2, 1)
            assert memory.get(chunk_id=got.chunk_id).text == "- second"


def test_a_chunk_of_a_note_that_was_just_edited_is_found(home: Path) -> None:
    with Memory.open() as memory:
        memory.sync()
        put(home, "- fresh\n", "MEMORY.md")
    with Memory.open() as memory:
        assert memory.get(chunk_id="MEMORY.md:1").text == "- fresh"


@pytest.mark.parametrize(
    "arguments",
    [{}, {"path": "memory/a.md", "chunk_id": "x"}, {"path": "memory/a.md", "from": 0}, {"path": "a.md", "lines": 0}],
)
def test_arguments_that_do_not_fit_are_refused(arguments: dict[str, Any]) -> None:
    with Memory.open() as memory:
        assert memory.tools().call("memory_get", arguments)["error"]["type"] == "BadArgument"
        if "from" in arguments:
            arguments["from_line"] = arguments.pop("from")
        with pytest.raises(BadArgument):
            memory.get(**arguments)


def test_what_is_no_plain_note_is_refused(home: Path, tmp_path: Path) -> None:
    put(home, "x\n")
    (tmp_path / "secret.md").write_text("secret\n", encoding="utf-8")
    (home / "memory/link.md").symlink_to(tmp_path / "secret.md")
    (home / "memory/latin.md").write_bytes(b"caf\xe9\n")
    with Memory.open() as memory:
        with pytest.raises(UnsafeFile):
            memory.get("memory/link.md")
        with pytest.raises(BadText):
            memory.get("memory/latin.md")
        with pytest.raises(BadPath):
            memory.get(str(tmp_path / "secret.md"))


def test_a_note_of_an_extra_path_is_read_by_its_absolute_path(home: Path, tmp_path: Path) -> None:
    extra = tmp_path / "extra"
    extra.mkdir()
    (extra / "My Notes.md").write_text("outside\n", encoding="utf-8")
    with Memory.open(settings={"memory.extra_paths": [str(extra)]}) as memory:
        assert memory.get(str(extra / "My Notes.md")).text == "outside"
        assert memory.search("outside").results[0].source == "extra"


LINE = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r\0"), max_size=40)
ENDS = st.sampled_from(["\n", "\r\n", "\r"])
LONG = st.integers(3_000, 11_999).map(lambda size: "w" * size)
NOTES = st.lists(st.tuples(LINE | LONG, ENDS).map("".join), max_size=200).map("".join)


@settings(max_examples=counted(5, 160), deadline=None)
@given(NOTES, LINE, st.none() | st.integers(1, 150))
def test_next_from_leads_to_the_end_and_gives_the_whole_note(body: str, last: str, lines: int | None) -> None:
    text = body + last
    with tempfile.TemporaryDirectory() as place:
        put(Path(place), text)
        with Memory.open(place) as memory:
            read: list[str] = []
            start: int | None = 1
            while start is not None:
                size = {} if lines is None else {"lines": lines}
                got = memory.tools().call("memory_get", {"path": "memory/a.md", "from": start, **size})
                assert got["lines"] <= (lines or 120)
                assert len(got["text"]) <= 12_000
                if got["lines"]:
                    read += got["text"].split("\n")
                assert got["next_from"] is None or got["next_from"] > start
                start = got["next_from"]
    whole = split_lines(text)
    assert read == (whole[:-1] if whole[-1] == "" else whole)
