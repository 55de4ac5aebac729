"""What the words of a question score in whole notes, wherever in them they stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from holdfast import Memory
from holdfast.index.store_contract import NoteShare, Within
from holdfast.search.query import words_of


@contextmanager
def shares(home: Path, notes: Mapping[str, str], question: str) -> Iterator[tuple[NoteShare, Mapping[str, float]]]:
    for path, text in notes.items():
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(text, encoding="utf-8")
    with Memory.open(home) as memory:
        memory.sync()
        edition = memory.ctx.database.serving()
        assert edition is not None
        share = edition.note_share(words_of(question))
        named = dict(edition.connection.all(f"SELECT id, path FROM e{edition.number}_notes"))
        yield share, {named[note]: score for note, score in share.scores.items()}


FILLER = {f"memory/filler{number}.md": f"- Nothing of the kind, {number}\n" for number in range(20)}


def test_a_note_that_holds_all_words_in_different_lines_scores_more_than_one_that_holds_one(home: Path) -> None:
    apart = "- The zeppelin is purple\n" + "- And so on\n" * 3 + "- It lands in Lima\n"
    notes = FILLER | {"memory/2026-01-01.md": apart, "memory/2026-01-02.md": "- Lima is far\n"}
    with shares(home, notes, "does the zeppelin land in Lima?") as (share, by_path):
        assert by_path["memory/2026-01-01.md"] > by_path["memory/2026-01-02.md"] > 0.0
        assert max(by_path.values()) <= share.ideal
        assert not any(path.startswith("memory/filler") for path in by_path)


def test_of_two_notes_that_hold_a_word_as_often_the_shorter_one_scores_more(home: Path) -> None:
    line = "- The zeppelin is purple\n"
    long = line + "".join(f"- Line {number} about the garden\n" for number in range(30))
    with shares(home, FILLER | {"memory/2026-01-01.md": line, "memory/2026-01-02.md": long}, "zeppelin") as (_, found):
        assert found["memory/2026-01-01.md"] > found["memory/2026-01-02.md"] > 0.0


def test_a_word_that_stands_nowhere_makes_what_could_be_reached_more_and_no_note_better(home: Path) -> None:
    notes = FILLER | {"memory/2026-01-01.md": "- The zeppelin is purple\n"}
    with shares(home, notes, "zeppelin") as (known, _):
        pass
    with shares(home, notes, "zeppelin grontle") as (more, _):
        pass
    assert more.ideal > known.ideal and more.scores == known.scores


def test_a_question_of_which_nothing_is_known_has_no_notes(home: Path) -> None:
    with shares(home, FILLER, "grontle blorf") as (share, by_path):
        assert by_path == {} and share.ideal > 0.0


def test_only_notes_of_which_all_may_be_given_score_and_words_are_as_rare_as_in_all_notes(home: Path) -> None:
    line = "- The zeppelin is purple\n"
    with shares(home, FILLER | {"memory/2026-01-01.md": line, "memory/2026-01-02.md": line}, "zeppelin") as (every, _):
        pass
    with Memory.open(home) as memory:
        edition = memory.ctx.database.serving()
        assert edition is not None
        mine = min(every.scores)
        share = edition.note_share(words_of("zeppelin"), Within([mine]))
        assert share == every._replace(scores={mine: every.scores[mine]})
