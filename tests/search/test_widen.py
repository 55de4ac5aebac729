"""A search that asks in other words too: more is found, nothing is lost, and a model that fails changes nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from counts import counted
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.errors import ProviderFailed
from holdfast.llm.scripted_model import Line, ScriptedModel
from holdfast.search.hit import CONTRIBUTIONS, Results
from holdfast.search.second_search import WEIGHT

NOTES = {
    "memory/house.md": "# House\n\n- The physician comes on Tuesdays at nine.\n",
    "memory/private/health.md": "# Private\n\n- The physician is Doctor Okonkwo, and the appointment is at nine.\n",
    "memory/food.md": "# Food\n\n- The baker opens at seven. When is it time for bread?\n",
    "memory/ids.md": "# Ids\n\n- The visit is booked as VIS-20417-QX.\n",
    "MEMORY.md": "The garage door sticks when it rains.\n",
}
QUESTION = "when does the doc visit?"
KEYWORDS: dict[str, object] = {"memory.disable_rag": True}


def said(*variants: str, answer: str = "") -> str:
    return json.dumps({"variants": list(variants), "answer": answer})


@pytest.fixture
def notes(home: Path) -> Path:
    for path, text in NOTES.items():
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(text, encoding="utf-8")
    return home


def opened(home: Path, *lines: Line, always: Line | None = None, **more: Any) -> tuple[Memory, ScriptedModel]:
    """A memory whose language model is a script."""
    given_ = {"memory.search.expand": True, **more.pop("settings", KEYWORDS)}
    memory = Memory.open(home, settings=given_, **more)
    model = ScriptedModel(*lines, always=always)
    memory.ctx.chat_model = model
    return memory, model


def paths(found: Results) -> list[str]:
    return [hit.path for hit in found.results]


def test_other_words_find_what_the_question_does_not_say(notes: Path) -> None:
    memory, model = opened(notes, said("physician appointment"))
    with memory:
        found = memory.search(QUESTION)
        assert "memory/private/health.md" in paths(found)
        hit = next(hit for hit in found.results if hit.path == "memory/private/health.md")
        assert hit.explain["expand"] > 0 and hit.explain["variant_score"] > 0
        assert 0 < hit.confidence < 1
        assert found.because.endswith("the question was also asked in 1 other way")
        assert memory.search(QUESTION).results == found.results
        assert len(model.requests) == 1


@pytest.mark.promise("P7")
@pytest.mark.parametrize(
    ("line", "why"),
    [
        (ProviderFailed("openai", "it is unavailable"), "unavailable"),
        ("I would rather talk about the weather.", "can't be read"),
        (lambda request: 1 / 0, "ZeroDivisionError"),
    ],
)
def test_a_model_that_fails_changes_nothing_but_the_reason(notes: Path, line: Line, why: str) -> None:
    with Memory.open(notes, settings=KEYWORDS) as plain:
        alone = plain.search(QUESTION)
    memory, _ = opened(notes, line)
    with memory:
        found = memory.search(QUESTION)
        assert found.results == alone.results
        assert "the question was not expanded: " in found.because and why in found.because


def test_without_a_model_the_question_stands_alone_and_the_reason_says_so(notes: Path) -> None:
    with Memory.open(notes, settings={**KEYWORDS, "memory.search.expand": True}) as memory:
        assert "no language model is configured" in memory.search(QUESTION).because


def test_nobody_is_asked_unless_the_owner_wants_it(notes: Path) -> None:
    memory, model = opened(notes, always=said("physician"), settings={**KEYWORDS, "memory.search.expand": False})
    with memory:
        assert "expanded" not in memory.search(QUESTION).because
        assert model.requests == []


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("VIS-20417-QX", "it names what it looks for"),
        ("what is VIS-20417-QX about?", "it names what it looks for"),
        ('"the garage door"', "it names what it looks for"),
        ("garage door sticks rains", "its first hit is good enough"),
    ],
)
def test_a_strong_first_signal_asks_nobody(notes: Path, query: str, why: str) -> None:
    memory, model = opened(notes, always=said("physician"))
    with memory:
        found = memory.search(query)
        assert f"the question was not expanded: {why}" in found.because
        assert model.requests == []


def test_what_the_question_does_not_want_stays_away_whatever_the_model_says(notes: Path) -> None:
    memory, model = opened(notes, always=said("physician appointment Okonkwo", answer="Doctor Okonkwo."))
    with memory:
        assert "memory/private/health.md" in paths(memory.search(QUESTION))
        assert "memory/private/health.md" not in paths(memory.search(f"{QUESTION} -okonkwo"))
        assert len(model.requests) == 1


def test_other_words_look_into_nothing_that_the_question_may_not(notes: Path) -> None:
    memory, _ = opened(notes, always=said("physician appointment", answer="Okonkwo"), settings={})
    with memory:
        memory.sync()
        for scope in ({"path": "memory/house.md"}, {"path": "memory/food.md"}, {"source": "sessions"}):
            assert "memory/private/health.md" not in paths(memory.search(QUESTION, **scope))  # type: ignore[arg-type]


def test_a_made_up_answer_is_looked_for_by_its_vector(notes: Path) -> None:
    answer = "The physician is Doctor Okonkwo, and the appointment is at nine."
    memory, _ = opened(notes, said(answer=answer), settings={}, embedder=FakeEmbedder())
    with memory:
        memory.sync()
        found = memory.search(QUESTION)
        assert found.because == "the question was also asked with a made-up answer"
        hit = next(hit for hit in found.results if hit.path == "memory/private/health.md")
        assert hit.explain["answer_score"] > 0
        assert answer not in found.because


def test_an_embedder_that_fails_between_two_questions_leaves_the_words(notes: Path) -> None:
    embedder = FakeEmbedder()

    def falls_ill(request: object) -> str:
        embedder.down = True
        return said("physician appointment", answer="At nine.")

    memory, _ = opened(notes, falls_ill, settings={}, embedder=embedder)
    with memory:
        memory.sync()
        assert memory.search(QUESTION).because == "the question was also asked in 1 other way"


def test_an_index_that_was_built_anew_while_the_model_thought_is_left_alone(notes: Path) -> None:
    def rebuilt(request: object) -> str:
        with Memory.open(notes, settings=KEYWORDS) as other:
            other.sync(force=True)
        return said("physician appointment")

    memory, _ = opened(notes, rebuilt)
    with memory:
        memory.sync()
        assert "the index was built anew meanwhile" in memory.search(QUESTION).because


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Memory, Memory, ScriptedModel]]:
    """The same notes with and without other words."""
    home = tmp_path_factory.mktemp("widened")
    (home / "memory").mkdir()
    topics = ("harbour", "invoice", "telescope", "orchard", "compiler", "marathon", "violin", "glacier")
    for number in range(60):
        words = [topics[number % 8], topics[(number * 3 + 1) % 8], topics[number // 8]]
        lines = [f"- {words[line % 3]} entry {line} of day {number}" for line in range(12)]
        text = f"# {words[0].title()} {number}\n\n" + "\n".join(lines) + "\n"
        (home / f"memory/note-{number:02}.md").write_text(text, encoding="utf-8")
    model = ScriptedModel(
        always=said("violin glacier", "marathon day 7", answer="The telescope stands in the orchard.")
    )
    embedder = FakeEmbedder()
    with Memory.open(home, embedder=embedder) as plain:
        plain.sync()
        with Memory.open(home, embedder=embedder, settings={"memory.search.expand": True}) as wide:
            wide.ctx.chat_model = model
            yield plain, wide, model


WORDS = st.lists(
    st.sampled_from(["harbour", "invoice", "orchard", "entry", "day", "9", "sextant"]), min_size=1, max_size=5
)


@settings(max_examples=counted(5, 160), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(WORDS)
def test_no_score_gets_smaller_and_what_is_new_scores_half_at_the_most(
    library: tuple[Memory, Memory, ScriptedModel], words: list[str]
) -> None:
    _, wide, _ = library
    found = wide.search(" ".join(words), max_results=100)
    for hit in found.results:
        parts = hit.explain
        assert 0.0 <= hit.score <= 1.0 and 0.0 <= hit.confidence <= 1.0
        assert hit.score == pytest.approx(sum(parts.get(name, 0.0) for name in CONTRIBUTIONS))
        assert parts.get("expand", 0.0) >= 0.0
        if hit.text_score is None and hit.vector_score is None and not parts.get("note"):
            assert parts["expand"] <= WEIGHT


@example(["entry", "sextant", "sextant"])
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(WORDS)
def test_the_first_hits_stay_the_first_when_more_are_asked_for(
    library: tuple[Memory, Memory, ScriptedModel], words: list[str]
) -> None:
    _, wide, _ = library
    every = [hit.chunk_id for hit in wide.search(" ".join(words), max_results=60).results]
    for count in (1, 3, 6, 12, 23, 24, 25, 40):
        assert [hit.chunk_id for hit in wide.search(" ".join(words), max_results=count).results] == every[:count]


def test_a_title_that_is_named_stays_first_however_much_else_is_found(
    library: tuple[Memory, Memory, ScriptedModel],
) -> None:
    plain, wide, model = library
    before = len(model.requests)
    for number in range(0, 60, 7):
        first = plain.search(f"note-{number:02}").results[0]
        assert wide.search(f"note-{number:02}").results[0].path == first.path
    assert len(model.requests) >= before
