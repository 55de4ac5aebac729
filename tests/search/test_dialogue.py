"""What was said before a question: it helps one that says too little, and takes over none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commandline import holdfast

from holdfast import Memory
from holdfast.errors import BadArgument
from holdfast.search.hit import CONTRIBUTIONS, Results

BOATS = "\n".join(
    f"- The {which} boat of the harbour in Turku is called {name} and has a {colour} hull."
    for which, name, colour in (("first", "Nora", "green"), ("second", "Silje", "red"), ("third", "Marit", "white"))
)
BREADS = "\n".join(
    f"- The {which} bread of the bakery in Ghent is made of {flour} and rises for {hours} hours."
    for which, flour, hours in (("first", "spelt", "six"), ("second", "rye", "nine"), ("third", "wheat", "four"))
)
TALK = ["Which boats lie in the harbour of Turku?", "There are three boats in that harbour; the first is Nora."]
FOLLOW_UP = "And the second one?"
ALONE = "Which bread of the bakery in Ghent is made of spelt and rises for six hours?"


@pytest.fixture
def memory(home: Path) -> Memory:
    (home / "memory").mkdir(parents=True)
    (home / "memory" / "2026-01-02-boats.md").write_text(f"# Boats\n\n{BOATS}", encoding="utf-8")
    (home / "memory" / "2026-01-02-breads.md").write_text(f"# Breads\n\n{BREADS}", encoding="utf-8")
    for number in range(30):
        text = f"Note {number} is about the weather on the {number}th day of the journey."
        (home / "memory" / f"n{number}.md").write_text(f"{text}\n", encoding="utf-8")
    return Memory.open(settings={"memory.recall.deadline_ms": 60_000})  # a busy machine answers as well, only later


def ranking(found: Results) -> list[tuple[str, int, float]]:
    return [(hit.path, hit.start_line, round(hit.score, 9)) for hit in found.results]


def test_a_question_that_leans_on_the_talk_is_answered_from_what_the_talk_was_about(memory: Memory) -> None:
    with memory:
        talk = ["Which breads does the bakery in Ghent have?", "The bakery has three breads; the first is of spelt."]
        found = memory.search(FOLLOW_UP, by_passage=True, context=talk).results
        other = memory.search(FOLLOW_UP, by_passage=True, context=TALK).results
    assert "rye" in found[0].snippet
    assert "Silje" in other[0].snippet


@pytest.mark.parametrize("question", [FOLLOW_UP, ALONE, "bread", "the weather on the 7th day"])
@pytest.mark.parametrize("context", [[], [""], ["  \n"]])
def test_where_nothing_was_said_nothing_changes(memory: Memory, question: str, context: list[str]) -> None:
    with memory:
        assert ranking(memory.search(question, context=context)) == ranking(memory.search(question))


def test_a_question_that_says_enough_is_answered_as_if_nothing_had_been_said(memory: Memory) -> None:
    with memory:
        assert ranking(memory.search(ALONE, context=TALK)) == ranking(memory.search(ALONE))


@pytest.mark.parametrize(
    "question", ["Which bread is made of rye?", "the red hull", "spelt", "Marit", "the weather on the 7th day"]
)
@pytest.mark.parametrize(
    "context", [TALK, ["spelt " * 50], ["Note 3 - the weather", '"wheat" -Marit'], [BOATS, BREADS]]
)
def test_a_likely_first_hit_of_a_telling_question_stays_the_first_whatever_was_said(
    memory: Memory, question: str, context: list[str]
) -> None:
    with memory:
        alone = memory.search(question, by_passage=True).results[0]
        found = memory.search(question, by_passage=True, context=context).results
    assert alone.chunk_id in [hit.chunk_id for hit in found]
    if alone.likely and len(question.split()) > 2:
        assert found[0].chunk_id == alone.chunk_id


def test_what_was_said_brings_nothing_from_where_the_question_may_not_look(memory: Memory) -> None:
    with memory:
        found = memory.search(FOLLOW_UP, path="memory/2026-01-02-breads.md", context=TALK).results
    assert {hit.path for hit in found} == {"memory/2026-01-02-breads.md"}


def test_what_the_talk_adds_is_a_part_of_the_score(memory: Memory) -> None:
    with memory:
        hits = memory.search(FOLLOW_UP, by_passage=True, context=TALK).results
    assert hits[0].explain["context"] > 0
    for hit in hits:
        assert sum(hit.explain.get(name, 0.0) for name in CONTRIBUTIONS) == pytest.approx(hit.score)


def test_signs_in_what_was_said_mean_nothing(memory: Memory) -> None:
    with memory:
        said = ['They said "no such phrase anywhere" - boats -Silje of the harbour in Turku']
        found = memory.search(FOLLOW_UP, by_passage=True, context=said).results
    assert "Silje" in found[0].snippet


def test_one_text_is_no_list_of_turns(memory: Memory) -> None:
    with memory, pytest.raises(BadArgument, match="context"):
        memory.search(FOLLOW_UP, context="Which boats?")


def test_the_command_line_may_be_told_what_was_said_before(memory: Memory) -> None:
    memory.close()
    ran = holdfast("search", FOLLOW_UP, "--context", TALK[0], "--context", TALK[1], "-n", "1", "--json")
    assert json.loads(ran.out)["results"][0]["path"] == "memory/2026-01-02-boats.md"


def test_recall_knows_what_was_said_in_its_session(memory: Memory) -> None:
    with memory, memory.session("talk") as session:
        session.append("user", TALK[0])
        session.append("assistant", TALK[1])
        hits = session.recall("and the second boat?").hits
    assert "Silje" in hits[0].snippet


HOUSE = {
    "kitchen.md": "# Kitchen\n\n## Offers\n\n- Walther: 14,200 euro, oak fronts\n- Boll: 19,900 euro, larch\n",
    "gym.md": "# Gym\n\nThe course is on every second evening of the week, with music, and ends with the summer.\n",
    "bins.md": "# Bins\n\nPaper is collected every second Thursday, organic waste on Mondays.\n",
    "cities.md": "# Lisbon\n\nLisbon in April 2025: slept at Casa do Jasmim, best pastry at Manteigaria.\n",
    "island.md": "# Bornholm\n\nHoliday on Bornholm: we stayed in a yellow house in Gudhjem.\n",
}


@pytest.fixture
def house(home: Path) -> Memory:
    (home / "memory").mkdir(parents=True)
    for name, text in HOUSE.items():
        (home / "memory" / name).write_text(text, encoding="utf-8")
    for number in range(40):
        text = f"# Day {number}\n\nOn the {number}th day of the journey the weather was fair.\n"
        (home / "memory" / f"n{number}.md").write_text(text, encoding="utf-8")
    return Memory.open()


@pytest.mark.parametrize(
    ("question", "context", "path", "place"),
    [
        ("and the second one?", ["Which offers for the kitchen did we get?", "The first is Walther."], "kitchen.md", 1),
        ("und die zweite?", ["Which offers for the kitchen did we get?", "The first is Walther."], "kitchen.md", 1),
        ("where did we stay there?", ["When were we in Lisbon?", "April 2025"], "cities.md", 2),
    ],
)
def test_a_word_that_a_passage_happens_to_hold_does_not_take_a_question_from_its_talk(
    house: Memory, question: str, context: list[str], path: str, place: int
) -> None:
    with house:
        found = [hit.path for hit in house.search(question, context=context).results]
    assert f"memory/{path}" in found[:place]


def test_a_question_with_a_telling_word_keeps_its_first_hit_in_another_talk(house: Memory) -> None:
    with house:
        found = house.search("what about Bornholm?", context=["Where did we stay in Lisbon?", "Casa do Jasmim"]).results
    assert found[0].path == "memory/island.md"


def test_a_question_in_words_that_stand_nowhere_is_no_follow_up(house: Memory) -> None:
    question, talk = "Which garbage goes out fortnightly, cardboard?", ["Where did we stay in Lisbon?"]
    with house:
        assert house.search(question, context=talk).results[0].path == house.search(question).results[0].path
