"""Where a note is cut: headings, paragraphs, sentences, fences, and what is repeated."""

from __future__ import annotations

from itertools import pairwise

from holdfast.markdown.chunk import Chunk
from holdfast.markdown.splitter import split


def _body(chars: int, word: str = "word") -> str:
    line = (word + " ") * 10
    return "\n".join([line.strip()] * (chars // len(line)))


def _paths(chunks: tuple[Chunk, ...]) -> list[tuple[str, ...]]:
    return [chunk.headings for chunk in chunks]


def test_a_note_within_the_limit_stays_one_chunk() -> None:
    note = "# One\n\n" + _body(900) + "\n\n## Two\n\n" + _body(900)
    assert len(split(note).chunks) == 1
    assert len(split(note, tokens=300).chunks) == 2


def test_a_section_within_the_limit_stays_one_chunk() -> None:
    note = f"## A\n{_body(700)}\n## B\n{_body(1900)}\n## C\n{_body(900)}"
    chunks = split(note).chunks
    assert _paths(chunks) == [("A",), ("B",), ("C",)]
    assert all(chunk.text.startswith("## ") for chunk in chunks)


def test_short_sections_are_gathered_up_to_the_target() -> None:
    note = "# Log\n\n" + "\n\n".join(f"## Day {day}\n\n{_body(300)}" for day in range(12))
    chunks = split(note).chunks
    assert len(chunks) == 3
    assert _paths(chunks)[0] == ("Log", "Day 0")
    assert all(chunk.headings[0] == "Log" for chunk in chunks)
    assert all(len(chunk.text) <= 1600 for chunk in chunks)


def test_a_stronger_heading_is_the_better_place_to_cut() -> None:
    note = f"## A\n### a1\n{_body(1300)}\n### a2\n{_body(1300)}\n## B\n### b1\n{_body(600)}\n### b2\n{_body(600)}"
    assert [chunk.text.split("\n", 1)[0] for chunk in split(note, overlap=0).chunks] == ["## A", "### a2", "## B"]


def test_a_heading_does_not_stay_behind_alone() -> None:
    note = f"# Title\n\n## Long\n\n{_body(5000)}\n"
    first = split(note).chunks[0]
    assert first.headings == ("Title", "Long")
    assert "word" in first.text


def test_a_small_tail_joins_the_chunk_before_it() -> None:
    note = f"## A\n{_body(1500)}\n\n## B\nshort\n\n## C\n{_body(1600)}\n\n## D\nlast words"
    chunks = split(note, overlap=0).chunks
    assert [chunk.text.split("\n", 1)[0] for chunk in chunks] == ["## A", "## C"]
    assert chunks[-1].text.endswith("last words")


def test_headings_alone_are_cut_too() -> None:
    chunks = split("# h\n## i\n" * 2000).chunks
    assert len(chunks) > 8
    assert chunks[0].headings == ("h",)


def test_paragraphs_are_kept_whole_before_sentences_and_lines() -> None:
    paragraph = _body(500)
    chunks = split("\n\n".join([paragraph] * 10), overlap=0).chunks
    assert len(chunks) == 3
    assert all(set(chunk.text.split("\n\n")) == {paragraph} for chunk in chunks)


def test_a_top_level_list_item_is_as_good_a_place_as_a_paragraph() -> None:
    item = "- " + "\n  ".join(["some words of an item"] * 6)
    chunks = split("\n".join([item] * 60), overlap=0).chunks
    assert len(chunks) > 3
    assert all(chunk.text.startswith("- ") for chunk in chunks)


def test_a_sentence_end_is_a_better_place_than_a_line_end() -> None:
    lines = ["this line goes on and on"] * 3 + ["until here it ends."]
    chunks = split("\n".join(lines * 60), overlap=0).chunks
    assert len(chunks) > 2
    assert all(chunk.text.endswith("ends.") for chunk in chunks)


def test_a_fence_that_fits_is_never_cut() -> None:
    fence = "```python title=x\n" + "\n\n".join(["# no heading\nx = 1"] * 40) + "\n`````"
    for before in range(0, 3000, 130):
        note = f"# Top\n\n{_body(before)}\n\n{fence}\n\n{_body(1700)}"
        chunks = split(note).chunks
        assert sum(fence in chunk.text for chunk in chunks) == 1
        assert all((chunk.text.count("```python") == 1) == ("x = 1" in chunk.text) for chunk in chunks)
        assert all(chunk.headings == ("Top",) for chunk in chunks)


def test_a_fence_in_a_list_item_is_never_cut_either() -> None:
    fence = "   ~~~ sh\n" + "\n\n".join(["   # comment\n   make test"] * 30) + "\n   ~~~"
    note = "\n\n".join([f"1. Do this first:\n\n{fence}\n\n   Then {_body(300)}"] * 6)
    assert sum(chunk.text.count(fence) for chunk in split(note, overlap=0).chunks) == 6


def test_a_fence_that_does_not_fit_is_cut_at_its_lines() -> None:
    note = "# Top\n\n```\n" + "\n".join(f"# row {row} of the table" for row in range(400)) + "\n```\nafter"
    result = split(note, overlap=0)
    assert len(result.chunks) >= 5
    assert all(chunk.headings == ("Top",) and len(chunk.text) <= 2080 for chunk in result.chunks)
    assert "\n".join(chunk.text for chunk in result.chunks).count("# row") == 400


def test_an_unclosed_fence_runs_to_the_end_of_the_note() -> None:
    result = split("intro\n\n~~~\n# not a title\n```\n## nor this\n")
    assert result.title == ""
    assert result.chunks[0].headings == ()


def test_a_following_chunk_repeats_the_end_of_the_one_before() -> None:
    note = "# Top\n\n" + "\n\n".join(
        f"Paragraph {number} with some words in it, and then some more." for number in range(80)
    )
    chunks = split(note, tokens=100, overlap=30).chunks
    assert len(chunks) > 5
    for before, after in pairwise(chunks):
        assert after.start_line <= before.end_line
        shared = "\n".join(before.text.split("\n")[after.start_line - before.end_line - 1 :])
        assert after.text.startswith(shared)
        assert 0 < len(shared) <= 120
        assert shared.startswith("Paragraph")


def test_without_overlap_no_line_is_in_two_chunks() -> None:
    chunks = split("\n".join(["some words"] * 1000), overlap=0).chunks
    assert all(before.end_line < after.start_line for before, after in pairwise(chunks))


def test_nothing_is_repeated_across_a_strong_heading() -> None:
    for level, repeats in ((1, False), (2, False), (3, True)):
        mark = "#" * level
        note = f"{mark} A\n{_body(1500)}\n{mark} B\n{_body(1500)}\n"
        first, second = split(note).chunks
        assert (second.start_line <= first.end_line) is repeats
        assert second.headings == ("B",)


def test_an_overlap_never_begins_inside_a_fence() -> None:
    block = "```\n" + "\n".join(["code"] * 40) + "\n```"
    note = "\n\n".join([_body(600), block] * 8)
    for chunk in split(note, tokens=250, overlap=40).chunks:
        assert chunk.text.count("```") % 2 == 0


def test_the_title_is_the_first_top_heading_then_the_front_matter_then_any_heading() -> None:
    front = "---\ntitle: From the front\n---\n"
    assert split(front + "## Two\n\n# One\n").title == "One"
    assert split(front + "## Two\n").title == "From the front"
    assert split("text\n\n## Two\n### Three\n").title == "Two"
    assert split("text").title == ""
    assert split("```\n# no\n```\nSetext\n===\n").title == "Setext"
    assert split("# " + "x" * 5000 + "\n").title == "x" * 200


def test_the_path_is_that_of_the_first_line_of_text() -> None:
    assert split("# A\n## B\n\ntext\n\n## C\nmore").chunks[0].headings == ("A", "B")
    assert split("text\n# A\nmore").chunks[0].headings == ()
    assert split("# A\n## B").chunks[0].headings == ("A",)
    assert split("### Deep\n# A\n### C\ntext").chunks[0].headings == ("A", "C")
