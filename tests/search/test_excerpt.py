"""What is shown of a hit is the answer: the line that answers is named, short lines come with what is around them."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.guard.origin import Origin
from holdfast.index.store_contract import Word
from holdfast.search.hit import Hit
from holdfast.search.snippet import best_line

TALK = (
    "- **Ana**: Did the plumber come to look at the boiler?\n"
    "- **Ben**: In May.\n"
    "- **Ana**: And what did he say about the price of a new one?\n"
    "- **Ben**: Nine hundred, with the pipes.\n"
)


def write(home: Path, path: str, text: str) -> None:
    (home / path).parent.mkdir(parents=True, exist_ok=True)
    (home / path).write_text(text, encoding="utf-8")


def best(memory: Memory, query: str) -> Hit:
    return memory.search(query).results[0]


def test_a_turn_of_a_few_words_is_shown_with_the_turns_around_it(home: Path) -> None:
    write(home, "memory/sessions/2026-05-04-boiler.md", TALK)
    with Memory.open(home, settings={"memory.citations": "on"}) as memory:
        hit = best(memory, "nine hundred pipes")
        assert hit.snippet == TALK.rstrip()
        assert (hit.start_line, hit.end_line) == (4, 4)
        assert hit.citation == "Source: memory/sessions/2026-05-04-boiler.md#4"


def test_what_is_shown_is_never_longer_than_the_setting(home: Path) -> None:
    write(home, "memory/sessions/2026-05-04-boiler.md", TALK)
    with Memory.open(home, settings={"memory.search.snippet_chars": 100}) as memory:
        hit = best(memory, "nine hundred pipes")
        assert "Nine hundred" in hit.snippet and len(hit.snippet) <= 100
        assert (hit.start_line, hit.end_line) == (4, 4)


def test_by_passage_each_is_shown_alone(home: Path) -> None:
    write(home, "memory/sessions/2026-05-04-boiler.md", TALK)
    with Memory.open(home) as memory:
        hit = memory.search("nine hundred pipes", by_passage=True).results[0]
        assert hit.snippet == "- **Ben**: Nine hundred, with the pipes."


def test_an_entry_of_a_daily_note_is_shown_alone(home: Path) -> None:
    write(home, "memory/2026-05-04.md", "- Bought tea.\n- Called the plumber.\n- Ran ten miles.\n")
    with Memory.open(home) as memory:
        assert best(memory, "plumber").snippet == "- Called the plumber."


def test_another_section_is_not_shown_with_it(home: Path) -> None:
    talk = "## Monday\n\n- **Ana**: It is old.\n\n## Tuesday\n\n- **Ben**: It leaks in autumn.\n- **Ana**: Yes.\n"
    write(home, "memory/sessions/2026-05-04-house.md", talk)
    with Memory.open(home) as memory:
        (hit,) = memory.search("leaks in autumn", max_results=1).results
        assert hit.snippet == "- **Ben**: It leaks in autumn.\n- **Ana**: Yes."


@pytest.mark.parametrize("words", ["rotate the keys", "vault monthly rotate"])
def test_the_line_that_answers_is_cited_and_not_the_heading_above_it(home: Path, words: str) -> None:
    text = "# Keys\n\n## How to rotate the keys\n\nThere are three of them.\nRotate them in the vault, monthly.\n"
    write(home, "memory/keys.md", text)
    with Memory.open(home, settings={"memory.citations": "on"}) as memory:
        hit = best(memory, words)
        assert hit.start_line == 6 and hit.citation == "Source: memory/keys.md#6"
        assert "## How to rotate the keys" in hit.snippet


def test_words_that_are_trusted_less_are_not_shown_with_the_owners(home: Path) -> None:
    with Memory.open(home, origin=Origin.USER) as memory:
        memory.save("**Ana**: The boiler is old.\n\n**Ben**: It is.", file="memory/talk.md")
    with Memory.open(home, origin=Origin.MCP_TOOL) as memory:
        memory.save("**Ana**: Pay the stranger.\n\n**Ben**: Why?", file="memory/talk.md")
    with Memory.open(home) as memory:
        (old,) = memory.search("is the boiler old?", max_results=1).results
        assert "boiler" in old.snippet and "It is." in old.snippet
        assert "stranger" not in old.snippet and old.origin is Origin.USER
        (other,) = memory.search("pay the stranger", max_results=1).results
        assert "stranger" in other.snippet and "boiler" in other.snippet and other.origin is Origin.MCP_TOOL


def test_what_a_filter_leaves_out_is_not_shown_beside_what_it_lets_in(home: Path) -> None:
    with Memory.open(home, origin=Origin.USER) as memory:
        memory.save("**Ana**: The boiler is old.\n\n**Ben**: It is.", file="memory/talk.md")
    with Memory.open(home, origin=Origin.MCP_TOOL) as memory:
        memory.save("**Ana**: Pay the stranger.\n\n**Ben**: Why?", file="memory/talk.md")
    with Memory.open(home) as memory:
        found = memory.search("is the boiler old?", min_trust="user").results
        assert found and not any("stranger" in hit.snippet for hit in found)


GARDEN = (
    "# Schrebergarten\n\n"
    "Die Parzelle Nummer 83 gehört seit März uns. Die Pacht beträgt 310 Euro im Jahr.\n\n"
    "Der Apfelbaum ist ein Gravensteiner und wird im Februar geschnitten.\n\n"
    "Das Wasser wird am ersten November abgestellt.\n\n"
    "Die Laube hat ein Teerdach, das im Nordosten undicht ist.\n"
)


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("wie viel Pacht zahlen wir für den Garten?", 3),
        ("wer hat uns die Pacht gesagt?", 3),
        ("wo ist das Dach der Laube undicht?", 9),
        ("wann wird denn das Wasser wieder abgestellt?", 7),
    ],
)
def test_the_line_that_answers_holds_the_rare_words_of_the_question_and_not_the_small_ones(
    home: Path, question: str, line: int
) -> None:
    write(home, "memory/garten.md", GARDEN)
    for number in range(12):
        write(
            home, f"memory/tag-{number}.md", f"# Tag {number}\n\nWir haben das heute im Hof gemacht, und wie immer.\n"
        )
    with Memory.open(home) as memory:
        hit = best(memory, question)
        assert (hit.path, hit.start_line) == ("memory/garten.md", line)


def test_the_lines_of_a_long_note_that_are_shown_are_those_with_its_rarest_word(home: Path) -> None:
    small = [f"It was about the way that we used to make the house number {number} nice again." for number in range(40)]
    lines = [*small[:30], "The boiler was made by Vaillant.", *small[30:]]
    write(home, "memory/house.md", "# House\n\n" + "\n".join(lines) + "\n")
    for number in range(12):
        write(home, f"memory/other-{number}.md", f"We used to make much of house number {number}.\n")
    with Memory.open(home, settings={"memory.search.snippet_chars": 200}) as memory:
        hit = best(memory, "which make of boiler was used in the house number 7?")
        assert "Vaillant" in hit.snippet and hit.start_line == 33


@pytest.mark.parametrize("others", [0, 1, 2])
def test_of_paragraphs_longer_than_a_snippet_the_one_that_answers_is_named_and_shown(home: Path, others: int) -> None:
    filler = "The house was quiet and nothing much was said of it by anybody that day. " * 11
    about = f"{filler}The boiler in the cellar was serviced by Vaillant. {filler[:200]}"
    lines = [f"{filler}The boiler stood still.", *["The house has a boiler."] * others, about]
    write(home, "memory/house.md", "# House\n\n" + "\n\n".join(lines) + "\n")
    with Memory.open(home) as memory:
        hit = best(memory, "who serviced the boiler in the cellar?")
        assert hit.start_line == 3 + 2 * (len(lines) - 1)
        assert "Vaillant" in hit.snippet


def test_a_short_word_is_not_taken_for_the_beginning_of_others() -> None:
    text = "A mother took the bus.\nThe old motor stopped."
    assert best_line(text, [Word("motor")]) == 1
    assert best_line("It went wild.\nWe saw it.", [Word("we")]) == 1
    assert best_line("It went wild.\nShe was running.", [Word("run")]) == 1


def test_a_line_that_a_mistyped_name_found_is_the_one_that_is_named_and_shown(home: Path) -> None:
    lines = [f"- Room {number}: quiet, with a view of the yard and the old trees" for number in range(40)]
    lines[25] = "- Tomasz Wieczorek: kiosks"
    write(home, "memory/people.md", "# People\n\n" + "\n".join(lines) + "\n")
    settings = {"memory.disable_rag": True, "memory.search.snippet_chars": 300}
    with Memory.open(home, settings=settings) as memory:
        for name in ("Wieczorek", "Wieczorrek", "Wieczork", "Tomsaz"):
            hit = best(memory, name)
            assert hit.start_line == 28 and "Wieczorek" in hit.snippet, name
