"""A message that goes on with a conversation finds what it is about, not how its author always begins."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.index.store_contract import NoteShare, Word
from holdfast.search.boost import Boosts
from holdfast.search.query import question_of
from holdfast.search.small_talk import is_message, telling_words

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
MESSAGE = "Hello. I am ready to continue with the plan. What is the next step for the visa?"


@pytest.mark.parametrize(
    "text",
    [
        MESSAGE,
        "I took the mock exam. It went badly.",
        "Die Probe war heute. Was machen wir als Nächstes?",
        "我的签证到了。下一步做什么？",
    ],
)
def test_several_sentences_are_a_message(text: str) -> None:
    assert is_message(question_of(text))


@pytest.mark.parametrize(
    "text",
    [
        "When did Caroline paint the sunrise?",
        "Hi! When did Caroline paint the sunrise?",
        "What did Dr. Smith say about the e.g. list of St. Gallen?",
        "release notes of v1.2.3 in config.toml",
        'He said so. Where is "the second step" written?',
        "Where is it written? Not there -draft",
        "",
    ],
)
def test_a_question_of_one_sentence_a_greeting_and_what_asks_for_a_phrase_are_none(text: str) -> None:
    assert not (text and is_message(question_of(text)))


def test_words_that_many_notes_hold_are_left_out_but_no_id_and_never_all() -> None:
    ready, visa, ticket = Word("ready"), Word("visa"), Word("tck-1007", heavy=True)
    notes = NoteShare({}, 1.0, notes=100, held={"ready": 40, "visa": 3, "tck-1007": 40})
    assert telling_words([ready, visa, ticket], notes) == (visa, ticket)
    assert telling_words([ready], notes) == (ready,)


def test_in_a_handful_of_notes_no_word_is_small_talk() -> None:
    ready, visa = Word("ready"), Word("visa")
    assert telling_words([ready, visa], NoteShare({}, 1.0, notes=9, held={"ready": 9, "visa": 1})) == (ready, visa)


def write_conversations(home: Path) -> None:
    """Sixty conversations that all begin alike, one of which is about the visa."""
    folder = home / "memory/sessions"
    folder.mkdir(parents=True)
    for number in range(60):
        topic = "visa" if number == 7 else f"chapter{number}"
        opening = "- **User**: Hello. I am ready to continue with the plan. What is the next step?"
        if number == 7:
            opening = "- **User**: Good morning to you."
        replies = [f"- **Assistant**: Part {part} on the {topic}: gather {part} papers." for part in range(8)]
        text = "\n".join(["# Conversation", "", opening, *replies])
        (folder / f"talk-{number:04}.md").write_text(text + "\n", encoding="utf-8")


def test_a_message_finds_what_it_is_about_among_conversations_that_begin_alike(home: Path) -> None:
    write_conversations(home)
    with Memory.open(home, settings={"memory.disable_rag": True}) as memory:
        memory.sync()
        assert memory.search(MESSAGE).results[0].path == "memory/sessions/talk-0007.md"


def test_a_message_goes_on_with_the_last_conversation_and_age_still_moves_no_more_than_all_boosts_may(
    home: Path,
) -> None:
    folder = home / "memory/sessions"
    folder.mkdir(parents=True)
    for day in ("2026-11-13", "2025-08-01"):
        text = "# Conversation\n\n- **User**: The visa form lies on the desk.\n"
        (folder / f"{day}-talk.md").write_text(text, encoding="utf-8")
    with Memory.open(home, clock=FakeClock(NOW.timestamp())) as memory:
        memory.sync()
        asked = memory.search("visa form upstairs").results
        said = memory.search("I was away. Now for the visa form upstairs").results
    assert [hit.path for hit in said] == [f"memory/sessions/{day}-talk.md" for day in ("2026-11-13", "2025-08-01")]
    assert asked[0].explain["recency"] < 0.0 < said[0].explain["recency"]
    assert said[1].explain["recency"] < 0.0
    of_a_question, of_a_message = (new.score / old.score for new, old in (asked, said))
    assert of_a_question < of_a_message <= 1.0 + Boosts().cap
