"""Promises about a search as a whole, each broken once: nonsense, names, limits and orders in a home of some size."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from counts import by_turns

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.context.context import Context
from holdfast.errors import ProviderFailed
from holdfast.llm.scripted_model import ScriptedModel

_SUBJECTS = "harbour lantern violin glacier saffron compass orchard kettle meadow anchor ladder copper".split()
_DEEDS = "repaired painted measured bought moved counted cleaned labelled packed restored".split()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some three hundred chunks in ninety notes."""
    home, chance = tmp_path_factory.mktemp("library") / "home", random.Random(11)
    folder = home / "memory"
    folder.mkdir(parents=True)
    for number in range(90):
        sections = []
        for part in range(4):
            words = [f"We {chance.choice(_DEEDS)} the {chance.choice(_SUBJECTS)} near the {chance.choice(_SUBJECTS)}."]
            words += [" ".join(chance.choices(_SUBJECTS + _DEEDS, k=24)) + "." for _ in range(14)]
            sections.append(f"## Part {part}\n\n" + " ".join(words))
        (folder / f"note-{number:02}.md").write_text(f"# Note {number}\n\n" + "\n\n".join(sections) + "\n")
    with Memory.open(home) as memory:
        memory.sync()
    return home


@pytest.fixture
def memory(library: Path) -> Iterator[Memory]:
    with Memory.open(library) as opened:
        yield opened


def test_made_up_words_find_nothing_that_seems_to_answer_them(memory: Memory) -> None:
    right = memory.search("who repaired the lantern near the harbour?").results[0]
    for asked in ("asdfghjkl", "qwzx blorf grontle", "vvto sevma", "zjaam gcax wouaemq", "fsouowpjvr"):
        found = memory.search(asked).results
        assert found and all(hit.text_score is None for hit in found)
        assert right.likely and not any(hit.likely for hit in found)
        assert max(hit.score for hit in found) < right.score / 2


@pytest.mark.parametrize(("turn", "ways"), [*enumerate(product((False, True), (None, 0.7, 0.3), (False, True)))])
def test_the_first_hits_stay_the_first_in_a_home_of_some_size(
    library: Path, turn: int, ways: tuple[bool, float | None, bool]
) -> None:
    words_only, relevance, by_passage = ways
    settings: dict[str, object] = {"memory.disable_rag": words_only}
    if relevance is not None:
        settings |= {"memory.search.mmr.enabled": True, "memory.search.mmr.relevance": relevance}
    with Memory.open(library, settings=settings) as memory:
        for question in by_turns(("who repaired the lantern near the harbour?", "violin", "copper kettle"), turn, 1):
            every = [hit.chunk_id for hit in memory.search(question, max_results=100, by_passage=by_passage).results]
            for count in by_turns((1, 3, 6, 10, 16, 17, 20, 24, 30, 50, 61, 75), turn, 5):
                found = memory.search(question, max_results=count, by_passage=by_passage).results
                assert [hit.chunk_id for hit in found] == every[:count]


def test_without_vectors_a_score_says_how_much_of_the_question_is_held(library: Path) -> None:
    with Memory.open(library, settings={"memory.disable_rag": True}) as memory:
        strong = memory.search("who repaired the lantern near the harbour?", min_score=0.5)
        weak = "how many moons of zorblax were discovered by the grontle telescope near midnight?"
        assert strong.results
        assert memory.search(weak).results and not memory.search(weak, min_score=0.5).results


def test_a_heading_of_small_words_names_nothing(home: Path) -> None:
    with Memory.open(home) as memory:
        memory.save("# Lunch\n\n## Of your team\n\nPizza on Friday.", file="memory/c.md")
        memory.save("How to restore the database of your team after an outage: ask Ines.", file="memory/d.md")
        best = memory.search("How to restore the database of your team").results[0]
        assert best.path == "memory/d.md"


def test_a_heading_inside_a_chunk_is_a_name_too(home: Path) -> None:
    with Memory.open(home) as memory:
        text = "# Alpha\n\n## Setup\n\nShort.\n\n## Rotate the backup keys\n\nIn the vault, monthly.\n"
        memory.save(text, file="memory/a.md")
        memory.save("We rotate the backup keys; rotate keys and backup; the backup keys rotate.", file="memory/b.md")
        assert memory.search("Rotate the backup keys").results[0].path == "memory/a.md"


def test_where_all_notes_are_alike_one_that_holds_the_whole_question_is_found(home: Path) -> None:
    # No word is rare there, and no note is nearer than the others.
    lines = [f"- wrote line {number}." for number in range(40)]
    for number in range(80):
        random.Random(number).shuffle(lines)
        note = home / "memory" / f"{number}.md"
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text("\n".join(lines), encoding="utf-8")
    with Memory.open(home) as memory:
        assert memory.search("wrote line 17.").results[0].text_score is not None


def test_a_note_of_many_answers_is_one_hit_and_hides_no_other(home: Path) -> None:
    with Memory.open(home) as memory:
        section = "\n\n".join(f"## Budget {n}\n\n" + "The budget of the year. " * 40 for n in range(8))
        memory.save(f"# Budget\n\n{section}", file="memory/budget.md")
        for name in ("travel", "office", "garden"):
            memory.save(f"# {name}\n\nThe budget for the {name} is small this year.", file=f"memory/{name}.md")
        found = memory.search("budget", max_results=6).results
        assert sorted(hit.path for hit in found) == [
            "memory/budget.md",
            "memory/garden.md",
            "memory/office.md",
            "memory/travel.md",
        ]
        (many,) = [hit for hit in found if hit.path == "memory/budget.md"]
        assert len(many.ranges) > 1


def test_hits_below_the_least_score_are_left_out_after_reranking_too(home: Path) -> None:
    class Cold:
        def score(self, question: str, texts: list[str]) -> list[float]:
            del question
            return [0.1] * len(texts)

    with Memory.open(home) as memory:
        memory.save("The launch is on 3 March.", file="memory/plans.md")
        memory.ctx.__dict__["reranker"] = Cold()
        assert "launch" in memory.search("launch").results[0].snippet
        assert memory.search("launch", min_score=0.6).results == ()


def test_a_model_that_does_not_answer_is_a_part_that_is_missing(home: Path) -> None:
    with Memory.open(home, settings={"memory.search.expand": True, "memory.search.llm_timeout_ms": 250}) as memory:
        ctx: Context = memory.ctx
        ctx.__dict__["chat_model"] = ScriptedModel(always=ProviderFailed("far", "it did not answer in time"))
        for number in range(3):
            memory.save(f"Ledger {number}: the launch was planned with Ines.", file=f"memory/plan{number}.md")
        found = memory.search("when is the launch?")
        assert found.results and found.partial and "did not answer in time" in found.because


def test_an_id_that_was_found_stands_before_notes_of_the_time_that_was_asked_for(home: Path) -> None:
    with Memory.open(home, clock=FakeClock(1_794_744_000.0)) as memory:  # 2026-11-15
        memory.save("We raised delay_size_k88 for the old queue.", file="memory/2023-11-01.md")
        for day in range(1, 29):
            memory.save(f"Last month we raised the delay of queue {day} again.", file=f"memory/2026-10-{day:02}.md")
        best = memory.search("why did we raise delay_size_k88 last month?").results[0]
        assert best.path == "memory/2023-11-01.md"


def _steps(note: int, size: int, step: int) -> range:
    return range(note * size, (note + 1) * size, step)


def test_how_words_are_shared_out_among_notes_outside_a_scope_changes_nothing_inside_it(tmp_path: Path) -> None:
    words = ["zeppelin", "captain", "Lima", "Ostrander", "purple"]
    inside = {
        "memory/trips/2026-01-01.md": "- The zeppelin is old\n- It rains\n- We fly to Lima\n- Ostrander has a hat\n",
        "memory/trips/2026-01-02.md": "- A captain of Lima\n- It rains\n",
    }
    pads = [f"pad{number}" for number in range(1_400)]
    apart = [[f"- {words[note % 5]} {' '.join(pads[at : at + 4])}" for at in _steps(note, 20, 4)] for note in range(70)]
    together = [[f"- {' '.join(words[at:] + words[:at])}" for at in range(5)] for _ in range(14)]
    together += [[f"- {' '.join(pads[at : at + 5])}" for at in _steps(note, 25, 5)] for note in range(56)]
    found = []
    for name, outside in (("apart", apart), ("together", together)):
        notes = inside | {
            f"memory/old/{2000 + number}-01-01.md": "\n".join(lines) for number, lines in enumerate(outside)
        }
        for path, text in notes.items():
            (tmp_path / name / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name / path).write_text(text, encoding="utf-8")
        with Memory.open(tmp_path / name, settings={"memory.disable_rag": True}) as memory:
            hits = memory.search(" ".join(words), path="memory/trips", by_passage=True).results
        found.append([(hit.path, hit.start_line, hit.score, hit.explain["note"]) for hit in hits])
    assert len(found[0]) >= 4 and found[0] == found[1]
