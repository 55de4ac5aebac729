"""What recall brings of a talk: a question with its reply, and no turn that says nothing by itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.markdown.speakers import Voice
from holdfast.recall.addressee import asks_assistant
from holdfast.recall.recall import choose_hits
from holdfast.search.hit import Hit

PATIENT = {"memory.recall.deadline_ms": 60_000}
LONG = (
    "Sure, here is an overview. "
    + "Many things count, such as the cost, the time and the people, so write them down. " * 12
)
TALKS = {
    "2026-09-01": [("user", "I called Ida about the leak in the cellar."), ("assistant", LONG), ("user", "It dries.")],
    "2026-09-20": [("user", "My new bike is a Canyon Grizl in green."), ("assistant", "Enjoy!")],
    "2026-10-02": [
        ("user", "I adopted a second cat, her name is Pixel."),
        ("assistant", LONG),
        ("user", "The first cat is called Byte."),
        ("assistant", "Nice names!"),
    ],
    "2026-10-10": [
        ("user", "What is my cat called?"),
        ("assistant", "I don't know yet."),
        ("user", "How do I descale the coffee machine?"),
        ("assistant", "Use citric acid, 30 grams a litre, and rinse twice."),
    ],
    "2026-10-14": [("user", "I twisted my ankle on Sunday."), ("assistant", "Rest for ten days and cool it.")],
    "2026-11-05": [("user", "I visited Rome, Oslo and Kyoto."), ("assistant", LONG)],
}


@pytest.fixture
def memory(home: Path) -> Memory:
    for day, turns in TALKS.items():
        note = home / f"memory/sessions/{day}-talk.md"
        note.parent.mkdir(parents=True, exist_ok=True)
        said = "\n".join(f"- **{who}** (10:00): {text}" for who, text in turns)
        note.write_text(f"# {turns[0][1]}\n\n## {day}\n\n{said}\n", encoding="utf-8")
    return Memory.open(settings=PATIENT)


def recalled(memory: Memory, message: str) -> list[str]:
    with memory:
        return [hit.snippet for hit in memory.session().recall(message).hits]


def test_a_question_is_recalled_with_its_reply_as_one_passage(memory: Memory) -> None:
    found = recalled(memory, "What did you tell me about descaling?")
    asked = "- **user** (10:00): How do I descale the coffee machine?"
    assert found[0] == f"{asked}\n- **assistant** (10:00): Use citric acid, 30 grams a litre, and rinse twice."
    assert sum("citric" in text for text in found) == 1


def test_who_asks_what_the_assistant_said_gets_what_it_said_next(memory: Memory) -> None:
    assert recalled(memory, "What did you advise for my ankle?")[0].endswith("Rest for ten days and cool it.")


def test_who_does_not_ask_for_it_gets_what_was_said_alone(memory: Memory) -> None:
    assert recalled(memory, "When did I twist my ankle?")[0].endswith("I twisted my ankle on Sunday.")


def test_a_passage_of_two_turns_names_the_lines_of_both_and_the_origin_that_is_trusted_less() -> None:
    with Memory.open(settings=PATIENT) as memory:
        with memory.session("before") as session:
            session.append("user", "How do I descale the coffee machine?")
            session.append("assistant", "Use citric acid, 30 grams a litre.")
            session.reset()
        memory.sync()
        found = memory.session("now").recall("What did you tell me about descaling?")
    hit = found.hits[0]
    assert hit.end_line == hit.start_line + 1
    assert re.search(r'origin="agent"[^>]*>\n[^<]*\| [^\n]*How do I descale[^\n]*\n\| [^\n]*citric acid', found.text)


def test_a_reply_that_asks_back_is_left_where_it_is(home: Path) -> None:
    note = home / "memory/sessions/2026-01-02-talk.md"
    note.parent.mkdir(parents=True)
    said = (
        "- **user**: How do I descale the machine?\n- **assistant**: Which machine is it, for coffee or for dishes?\n"
    )
    note.write_text(f"# Talk\n\n{said}", encoding="utf-8")
    found = recalled(Memory.open(settings=PATIENT), "What did you tell me about descaling the machine?")
    assert found and not any("How do I descale" in text and "Which machine" in text for text in found)


@pytest.mark.parametrize("message", ["What is my cat called?", "What are my cats called?"])
def test_answers_come_before_an_earlier_copy_of_the_question_and_before_what_else_was_said_there(
    memory: Memory, message: str
) -> None:
    found = recalled(memory, message)
    assert {"Pixel" in text or "Byte" in text for text in found[:2]} == {True}
    assert not any(text.endswith(("Nice names!", "Good.")) for text in found)


def test_an_answer_that_has_the_words_of_the_question_is_no_copy_of_it() -> None:
    hits = [
        Hit("c1", "memory/a.md", 7, 7, 0.6, None, None, "so what is my dog called?", None, "memory", confidence=0.9),
        Hit("c2", "memory/b.md", 7, 7, 0.5, None, None, "my cat is called Pixel", None, "memory", confidence=0.9),
        Hit("c3", "memory/c.md", 7, 7, 0.9, None, None, "what are the cats called?", None, "memory", confidence=0.9),
    ]
    assert [hit.chunk_id for hit in choose_hits(hits, "What is my cat called?")] == ["c1", "c2"]


def test_the_answer_to_yes_or_no_is_no_copy_of_the_question() -> None:
    hit = Hit("c1", "memory/a.md", 1, 1, 0.9, None, None, "The Orion launch is late.", None, "memory", confidence=0.9)
    assert choose_hits([hit], "Is the Orion launch late?") == [hit]


def test_pieces_of_one_turn_are_recalled_once(memory: Memory) -> None:
    found = recalled(memory, "Whom did I call about the leak in the cellar, and what does it cost in time and people?")
    assert sum("Many things count" in text for text in found if "cellar" not in text) <= 1


@pytest.mark.parametrize("said", ["Good.", "Nice names!", "Exciting!", "Good to know.", "好的"])
def test_a_turn_that_says_nothing_by_itself_takes_no_place(said: str) -> None:
    hit = Hit("c1", "memory/a.md", 7, 7, 0.9, None, None, f"- **assistant**: {said}", None, "memory", confidence=0.9)
    assert choose_hits([hit.replace(voice=Voice.ASSISTANT)], "What are the names?") == []


@pytest.mark.parametrize(
    ("said", "voice"),
    [
        ("I'm vegan.", Voice.PERSON),
        ("Noted: 3 March.", Voice.ASSISTANT),
        ("Take citric acid.", Voice.ASSISTANT),
        ("使用柠檬酸清洗", Voice.ASSISTANT),
    ],
)
def test_a_short_turn_that_says_something_does(said: str, voice: Voice) -> None:
    hit = Hit("c1", "memory/a.md", 7, 7, 0.9, None, None, f"- **x**: {said}", None, "memory", confidence=0.9)
    assert choose_hits([hit.replace(voice=voice)], "What now?") == [hit.replace(voice=voice)]


@pytest.mark.parametrize(
    ("message", "is_asked"),
    [
        ("What did you tell me about descaling?", True),
        ("Which wine did you recommend?", True),
        ("What was your advice on the ankle?", True),
        ("You said something about Riesling", True),
        ("Was hast du mir zum Entkalken gesagt?", True),
        ("Qu'est-ce que tu m'as conseillé ?", True),
        ("¿Qué me dijiste del vino?", True),
        ("What did I tell you about Rolf?", False),
        ("Can you plan a trip to Rome?", False),
        ("What is my cat called?", False),
    ],
)
def test_a_message_may_ask_for_what_the_assistant_said(message: str, is_asked: bool) -> None:
    assert asks_assistant(message) is is_asked


def test_who_asks_for_a_time_gets_what_is_of_it_and_nothing_of_another(memory: Memory) -> None:
    found = recalled(memory, "What have we talked about in September 2026?")
    assert any("Ida" in text for text in found) and any("Grizl" in text for text in found)
    assert not any("cat" in text or "Rome" in text or "ankle" in text for text in found)


def test_of_what_was_asked_for_only_what_is_of_the_time_is_recalled(memory: Memory) -> None:
    assert all("descale" not in text for text in recalled(memory, "Which cat did I speak of on 2 October 2026?"))


def test_where_nothing_is_of_the_time_the_rest_is_recalled(memory: Memory) -> None:
    assert any("Pixel" in text for text in recalled(memory, "Which cat did I adopt in March 2024?"))


def test_what_names_the_time_itself_is_of_it(home: Path) -> None:
    talk = home / "memory/sessions/2026-11-05-talk.md"
    talk.parent.mkdir(parents=True)
    talk.write_text(
        "# Talk\n\n- **user**: I visited Rome in May 2026.\n- **user**: Oslo was later.\n", encoding="utf-8"
    )
    (home / "memory/2026-05-03.md").write_text("- Visited the dentist, two visits more.\n", encoding="utf-8")
    found = recalled(Memory.open(settings=PATIENT), "Which cities did I visit in May 2026?")
    assert any("Rome" in text for text in found)
