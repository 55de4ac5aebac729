"""A command that saves does not load the model for a line or two: the next search makes their vectors."""

from __future__ import annotations

from pathlib import Path

from commandline import fresh_process

from holdfast import Memory


def counts(memory: Memory) -> tuple[int, int]:
    space = memory.status().spaces[0]
    return space["embedded"], space["texts"]


def save(home: Path, text: str, file: str) -> None:
    ran = fresh_process("--home", str(home), "save", text, "--file", file)
    assert ran.returncode == 0, ran.stderr


def test_a_line_that_a_command_saved_gets_its_vector_from_the_next_search(home: Path) -> None:
    with Memory.open(home) as memory:
        memory.search("key")
    save(home, "The spare key hangs in the boathouse.", "memory/keys.md")
    with Memory.open(home) as memory:
        assert counts(memory) == (0, 1)
        assert memory.search("Where is the key?").mode == "hybrid"
        assert counts(memory) == (1, 1)


def test_a_process_that_has_the_model_embeds_what_it_saves_at_once(home: Path) -> None:
    with Memory.open(home) as memory:
        memory.search("key")
        memory.save("The spare key hangs in the boathouse.", file="memory/keys.md")
        assert counts(memory) == (1, 1)


def test_a_command_that_saves_many_lines_embeds_them_itself(home: Path) -> None:
    with Memory.open(home) as memory:
        memory.search("shelf")
    save(home, "\n".join(f"- Shelf {number} holds jar {number}." for number in range(200)), "memory/2026-01-02.md")
    with Memory.open(home) as memory:
        embedded, texts = counts(memory)
        assert embedded == texts > 64


def test_what_a_command_saved_is_found_by_meaning_by_a_process_that_looked_a_moment_ago(home: Path) -> None:
    with Memory.open(home) as memory:
        notes = {
            f"memory/day{number}.md": f"Meeting {number} was about the budget of team {number}.\n"
            for number in range(120)  # so many that a search does not look at the notes each time
        }
        memory.notes.write_all(notes)
        memory.search("budget")
        save(home, "My sister got a puppy.", "memory/family.md")
        assert memory.search("Who has a new dog?").results[0].path == "memory/family.md"
        embedded, texts = counts(memory)
        assert embedded == texts
