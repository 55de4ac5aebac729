"""What recall brings into a prompt when several passages speak of a message: which, in what order, and of what day."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.embeddings.embedder import Embedded, Purpose
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.errors import ProviderFailed
from holdfast.guard.origin import Origin
from holdfast.markdown.fact_row import Category, Fact
from holdfast.markdown.speakers import Voice
from holdfast.recall.recall import choose_hits
from holdfast.search.hit import Hit

PATIENT = {"memory.recall.deadline_ms": 60_000}
HIT = Hit("c1", "memory/a.md", 7, 8, 0.85, None, None, "one", None, "memory", confidence=0.9)
ASKED = "Whom did I call first, Ida or the plumber?"
OTHERS = """The bakery on the corner closes at six.
The train to Bergen leaves from platform four.
The garden needs water twice a week in July.
The printer wants the drawings as PDF.
Tax papers are in the blue folder.
The museum is free on the first Sunday.
Bread rises better near the oven.
The bicycle needs a new chain.
The lease of the flat ends in October.
Choir practice moved to Wednesday.
The cat gets its pills with tuna.
The router stands behind the bookshelf.
The winter tyres are in the cellar.
The school play is in the gym.
The recipe needs two lemons.
The dentist sits on the third floor.
The tent has a hole near the door.
The piano was tuned in spring.
The window in the hall does not close.
The old camera takes 120 film.
The choir sings a mass by Schubert.
The spare key hangs in the shed.
The boat was painted green.
The library card expires in May.
The kettle was a present from Ole.""".split("\n")


class Silent(FakeEmbedder):
    """A provider that answers no question, so that keywords do."""

    def embed(self, texts: Sequence[str], purpose: Purpose) -> Embedded:
        if purpose is Purpose.QUERY:
            raise ProviderFailed("fake", "it is down")
        return super().embed(texts, purpose)


def write(home: Path, path: str, text: str) -> None:
    where = home / path
    where.parent.mkdir(parents=True, exist_ok=True)
    where.write_text(text, encoding="utf-8")


def fill(home: Path) -> None:
    for number, line in enumerate(OTHERS):
        write(home, f"memory/other{number}.md", f"{line}\n")


def bodies(text: str) -> list[str]:
    """What stands behind the bars, a text for each fence."""
    fences = re.findall(r"<memory-\w+ id=\d+[^>]*>\n(.*?)\n</memory-", text, re.DOTALL)
    return ["\n".join(line[2:] for line in one.split("\n") if line.startswith("| ")) for one in fences]


def test_a_question_about_two_things_recalls_both(home: Path) -> None:
    fill(home)
    ida = "\n".join(f"- **user**: I called Ida about the {what} again." for what in "keys roof party boat car".split())
    write(home, "memory/sessions/2026-01-03-ida.md", f"# Calls\n\n{ida}\n")
    write(home, "memory/sessions/2026-01-04-ida.md", f"# Calls\n\n{ida.replace('again', 'once more')}\n")
    write(home, "memory/sessions/2026-01-05-ida.md", f"# Calls\n\n{ida.replace('again', 'at noon')}\n")
    write(
        home,
        "memory/sessions/2026-01-02-sink.md",
        "# Sink\n\n- **user**: The sink leaks.\n- **assistant**: Oh no.\n"
        "- **user**: The plumber comes on Friday, he said on the phone.\n",
    )
    with Memory.open(settings=PATIENT) as memory:
        text = memory.session().prompt(ASKED).text
    assert "I called Ida" in text and "The plumber comes on Friday" in text


def test_as_many_passages_as_are_needed_come_from_several_sessions(home: Path) -> None:
    fill(home)
    for number, city in enumerate("Bergen Turku Porto Ghent Basel Graz Lyon Cork".split(), 1):
        write(
            home,
            f"memory/sessions/2026-02-{number:02}-trip.md",
            f"# Talk\n\n- **user**: On my holiday I went to {city} by train.\n- **assistant**: How nice.\n",
        )
    with Memory.open(settings=PATIENT) as memory:
        found = memory.session().recall("Where did I go on holiday by train?")
    assert len([hit for hit in found.hits if "On my holiday" in hit.snippet]) == 8
    assert len(found.hits) <= 10


def test_each_passage_says_the_day_of_its_session(home: Path) -> None:
    fill(home)
    write(home, "memory/sessions/2026-02-07-trip.md", "# Talk\n\n- **user**: I gave the violin to Ida.\n")
    write(home, "memory/dated.md", "---\ndate: 2026-02-09\n---\n\nThe violin was made in Mittenwald.\n")
    write(home, "memory/plain.md", "The violin has a crack.\n")
    with Memory.open(settings=PATIENT) as memory:
        text = memory.session().recall("What about the violin?").text
    fences = re.findall(r"(<memory-\w+ id=[^>]*>)\n[^\n]*\n\| [^\n]*?(Ida|Mittenwald|crack)", text)
    days = {word: re.findall(r'date="([^"]*)"', line) for line, word in fences}
    assert days == {"Ida": ["2026-02-07"], "Mittenwald": ["2026-02-09"], "crack": []}


def test_a_day_that_stands_in_a_heading_is_the_day_of_what_stands_below_it(home: Path) -> None:
    fill(home)
    write(
        home, "memory/log.md", "# Log\n\n## 2026-03-01\n\nThe violin was mended.\n\n## 2026-03-02\n\nThe boat sank.\n"
    )
    with Memory.open(settings=PATIENT) as memory:
        text = memory.session().recall("violin mended?").text
    assert re.search(r'date="2026-03-01"[^>]*>\n[^<]*The violin was mended', text)


def test_the_users_own_words_come_before_the_assistants() -> None:
    hits = [
        HIT.replace(snippet="You said that you prefer oat milk.", score=0.82, voice=Voice.ASSISTANT),
        HIT.replace(snippet="I prefer oat milk.", score=0.8, voice=Voice.PERSON),
    ]
    assert [hit.voice for hit in choose_hits(hits, "which milk?")] == [Voice.PERSON, Voice.ASSISTANT]


def test_what_the_assistant_said_is_recalled_where_it_is_the_answer() -> None:
    hits = [
        HIT.replace(snippet="The bridge opens at nine.", score=0.9, voice=Voice.ASSISTANT),
        HIT.replace(snippet="I like bridges.", score=0.4, voice=Voice.PERSON),
    ]
    assert [hit.voice for hit in choose_hits(hits, "when does the bridge open?")] == [Voice.ASSISTANT, Voice.PERSON]


def test_an_answer_stands_before_an_earlier_copy_of_the_question(home: Path) -> None:
    fill(home)
    write(
        home,
        "memory/sessions/2026-01-02-code.md",
        "# Talk\n\n- **user**: so, what is the code of the garage door?\n- **assistant**: I can't know that.\n",
    )
    write(home, "memory/sessions/2026-01-03-door.md", "# Talk\n\n- **user**: The garage door opens with 4711.\n")
    with Memory.open(settings=PATIENT) as memory:
        hits = memory.session().recall("What is the code of the garage door?").hits
    places = {hit.snippet: place for place, hit in enumerate(hits)}
    answer = next(place for text, place in places.items() if "4711" in text)
    assert all(answer < place for text, place in places.items() if "what is the code" in text)


def test_a_fact_and_a_passage_that_say_the_same_are_given_once(home: Path) -> None:
    fill(home)
    write(home, "memory/sessions/2026-01-02-move.md", "# Talk\n\n- **user** (10:42): I live in Bergen.\n")
    with Memory.open(origin=Origin.USER, settings=PATIENT) as memory:
        memory.facts.store("I live in Bergen", category="fact")
        texts = bodies(memory.session().recall("In which city do I live?").text)
    assert len([text for text in texts if "I live in Bergen" in text]) == 1


def test_what_says_the_opposite_is_not_taken_for_the_same() -> None:
    hits = [HIT.replace(snippet="- **user**: I don't live in Turku."), HIT.replace(snippet="- I live in Turku.")]
    assert len(choose_hits(hits, "where do I live?")) == 2


def test_a_young_home_recalls_nothing_that_has_nothing_to_do_with_the_message(home: Path) -> None:
    for number, line in enumerate(OTHERS[:5]):
        write(home, f"memory/sessions/2026-01-0{number + 1}-talk.md", f"# Talk\n\n- **user**: {line}\n")
    with Memory.open(settings=PATIENT) as memory:
        assert not memory.session().recall("How do I make pancakes?").hits
        assert "platform four" in memory.session().recall("From where does the train to Bergen leave?").hits[0].snippet


@pytest.mark.parametrize("size", [1, 2, 5, 25])
def test_what_speaks_of_the_message_is_recalled_however_few_notes_there_are(home: Path, size: int) -> None:
    for number, line in enumerate(OTHERS[:size]):
        write(home, f"memory/other{number}.md", f"{line}\n")
    with Memory.open(embedder=Silent(), settings=PATIENT) as memory:
        session = memory.session()
        assert [hit.path for hit in session.recall("When does the bakery on our corner open?").hits] == [
            "memory/other0.md"
        ]
        assert not session.recall("Where can I buy pancakes at noon?").hits


def test_two_facts_share_the_place_of_a_passage() -> None:
    passages = [HIT.replace(chunk_id=f"p{number}", snippet=f"{line}\nIt is so.") for number, line in enumerate(OTHERS)]
    facts = [
        HIT.replace(chunk_id=f"f{number}", snippet=f"- {line}", fact=Fact(id=f"f{number}", category=Category.FACT))
        for number, line in enumerate(OTHERS)
    ]
    asked = "what is there to know?"
    assert len(choose_hits(passages, asked, most=6)) == 6
    assert len(choose_hits(facts, asked, most=6)) == 12
    assert len(choose_hits([*passages[:3], *facts[3:]], asked, most=6)) == 9
