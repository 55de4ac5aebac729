"""A section of a manual is found beside many lines of talk, and the other way round."""

from __future__ import annotations

from pathlib import Path

from holdfast import Memory

_FILLER = "Water the rows in the evening, turn the compost, and keep the paths between the beds free of weeds. "


def _written(home: Path, talks: int, lines: int) -> None:
    sessions = home / "memory/sessions"
    sessions.mkdir(parents=True)
    for talk in range(talks):
        said = [f"- **{'Ann' if at % 2 else 'Bob'}**: we spoke of the boat, part {at} of {talk}" for at in range(lines)]
        (sessions / f"2026-01-{talk + 1:02}-talk.md").write_text(
            "# Talk\n\n" + "\n".join(said) + "\n", encoding="utf-8"
        )
    manual = f"# Garden\n\n{_FILLER * 12}Quinces ripen in October. {_FILLER * 8}\n"
    (home / "memory/garden.md").write_text(manual, encoding="utf-8")
    for number in range(3):
        other = f"# Manual {number}\n\n{_FILLER * 20}\n"
        (home / f"memory/manual-{number}.md").write_text(other, encoding="utf-8")


def test_a_word_in_a_long_section_counts_as_much_as_one_in_a_line_of_talk(home: Path) -> None:
    _written(home, talks=20, lines=40)
    (home / "memory/sessions/2026-02-01-talk.md").write_text("- **Bob**: a quince jam\n", encoding="utf-8")
    with Memory.open(home) as memory:
        memory.sync()
        hits = memory.search("when do the quinces ripen in the garden?", by_passage=True).results
        assert hits[0].path == "memory/garden.md"
        by_path = {hit.path: hit.explain.get("bm25", 0.0) for hit in reversed(hits)}
        # Two words of three in a section of four hundred are more than one of three in a line of four.
        assert by_path["memory/garden.md"] > by_path["memory/sessions/2026-02-01-talk.md"]


def test_a_home_of_one_kind_ranks_as_bm25_does(home: Path) -> None:
    (home / "memory").mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(("apple " * 3 + "pear " * 40, "apple pear", "pear " * 10)):
        (home / f"memory/fruit-{number}.md").write_text(text + "\n", encoding="utf-8")
    with Memory.open(home) as memory:
        memory.sync()
        edition = memory.ctx.database.serving()
        assert edition is not None
        assert edition.lengths.weights().split(", ")[4:] == ["2.0000", "2.0000", "1.5000", "1.0000"]
