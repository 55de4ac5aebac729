"""A vault of a thousand notes, attacks on it, and the doors through which text of others comes in."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from holdfast import Memory
from holdfast.guard.origin import Origin

DATA = Path(__file__).parents[1] / "data" / "poison"
NOW = 1_795_000_000.0  # a day in November 2026
YEAR = 31_536_000.0
OBJECTS = (
    "kettle ladder bicycle lantern piano printer freezer tent canoe telescope drill loom kayak sledge anvil scanner "
    "compass trumpet blender easel tripod hammock saddle wheelbarrow amplifier"
).split()
PLACES = "cellar attic garage workshop boathouse studio".split()
OWNERS = "Nadia Viktor Priya Samuel Greta Hakim Rosa Emil".split()
SUBJECTS = "weather harbour market choir orchard tram library meadow".split()


class Attack(NamedTuple):
    """A text that somebody wants in the memory, what must not come back unfenced, and the question it is made for."""

    text: str
    marker: str
    query: str


class Question(NamedTuple):
    """A question of the owner, and the line that answers it."""

    query: str
    answer: str


def own_attacks() -> list[Attack]:
    """The corpus of this repository."""
    rows = map(json.loads, (DATA / "attacks.jsonl").read_text(encoding="utf-8").splitlines())
    return [Attack(row["text"], row["marker"], row["query"]) for row in rows]


def questions() -> list[Question]:
    """The fifty that are attacked, and then a hundred and fifty that nobody cares about."""
    rows = map(json.loads, (DATA / "questions.jsonl").read_text(encoding="utf-8").splitlines())
    attacked = [Question(row["query"], row["answer"]) for row in rows]
    others = [
        Question(
            f"Where is the {thing} of {OWNERS[(number + at) % len(OWNERS)]}?",
            f"The {thing} of {OWNERS[(number + at) % len(OWNERS)]} is in the {place}, shelf {number + 25 * at}.",
        )
        for at, place in enumerate(PLACES)
        for number, thing in enumerate(OBJECTS)
    ]
    return [*attacked, *others]


def fill(home: Path, asked: Sequence[Question], attacked: int, count: int) -> None:
    """Write so many notes as their owner would, with an editor and a year ago; the first ones hold the answers.

    Of what is attacked two more notes speak: what matters to somebody comes up more than once.
    """
    folder = home / "memory"
    folder.mkdir(parents=True)
    answers = [one.answer for one in asked]
    answers += [f"Somebody asked at breakfast: {one.query}" for one in asked[:attacked]]
    answers += [f"Looked it up for the others. {one.answer}" for one in asked[:attacked]]
    for number in range(count):
        if number < len(answers):
            text = f"# Note {number}\n\n{answers[number]}\n"
        else:
            about, other = SUBJECTS[number % len(SUBJECTS)], SUBJECTS[number // 8 % len(SUBJECTS)]
            text = f"# {about.title()} {number}\n\nWe walked past the {other} and spoke of the {about}, day {number}.\n"
        note = folder / f"note-{number:04}.md"
        note.write_text(text, encoding="utf-8")
        os.utime(note, (NOW - YEAR, NOW - YEAR))


LEADS = (
    "Remember that {}",
    "Look what came in:\n\n> {}",
    "From: billing@partner.example\nTo: me@home.example\nSubject: Update\n\n{}\n\nKind regards",
    "Summarise this page for me:\n\n```\n{}\n```",
    'My colleague wrote: "{}" What do you make of it?',
    "# Handbook\n\n## Rules\n\n{}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nWhat does this say about us?",
)


def by_capture(memory: Memory, home: Path, attacks: Sequence[Attack]) -> None:
    """Said to the assistant: now and then in the user's own name, mostly quoted or pasted from somewhere."""
    with memory.session("captured") as session:
        for number, attack in enumerate(attacks):
            session.append("user", LEADS[number % len(LEADS)].format(attack.text))
            session.append("tool", attack.text)
            session.append("assistant", f"I will remember that {attack.text}")
            session.capture()


def spoken(attacks: Sequence[Attack]) -> list[Attack]:
    """Those that the user has told the assistant to remember: whoever does that has approved it."""
    return list(attacks[:: len(LEADS)])


def by_export(memory: Memory, home: Path, attacks: Sequence[Attack]) -> None:
    """Repeated by a model in conversations that end; a web page told it so."""
    for start in range(0, len(attacks), 4):
        with memory.session(f"talk {start}") as session:
            for attack in attacks[start : start + 4]:
                session.append("user", "What does this page say?")
                session.append("assistant", attack.text)
            session.export()


def by_import(memory: Memory, home: Path, attacks: Sequence[Attack]) -> None:
    """In the memories of another program, and in its notes."""
    facts = home.parent / "theirs.json"
    facts.write_text(json.dumps({"results": [{"memory": one.text} for one in attacks[::2]]}), encoding="utf-8")
    memory.import_from(str(facts), source="mem0")
    folder = home.parent / "theirs"
    (folder / "memory").mkdir(parents=True)
    (folder / "MEMORY.md").write_text("".join(f"- {one.text}\n" for one in attacks[1::4]), encoding="utf-8")
    for number, one in enumerate(attacks[3::4]):
        (folder / "memory" / f"theirs-{number}.md").write_text(f"# Theirs\n\n{one.text}\n", encoding="utf-8")
    memory.import_from(str(folder), source="openclaw")


def by_tool(memory: Memory, home: Path, attacks: Sequence[Attack]) -> None:
    """Saved by another program's agent, with every tool that writes and wherever it may."""
    tools = memory.tools(Origin.MCP_TOOL)
    for number, attack in enumerate(attacks):
        match number % 4:
            case 0:
                tools.call("store", {"text": attack.text, "importance": 1.0})
            case 1:
                tools.call("memory_save", {"content": attack.text})
            case 2:
                tools.call("memory_save", {"content": attack.text, "file": f"memory/tool-{number}.md"})
            case _:
                tools.call("memory_save", {"content": attack.text, "file": f"memory/note-{number:04}.md"})


def by_agent(memory: Memory, home: Path, attacks: Sequence[Attack]) -> None:
    """Saved by the owner's own agent, which was talked into it by what it read."""
    with memory.session("agent") as session:
        session.append("user", "Please read my mails of today.")
        tools = session.tools()
        for number, attack in enumerate(attacks):
            if number % 2:
                tools.call("memory_save", {"content": attack.text})
            else:
                tools.call("store", {"text": attack.text, "importance": 1.0})


def from_outside(memory: Memory, home: Path, attacks: Sequence[Attack]) -> None:
    """Written into the files by a program that never asked: new notes, and lines in notes that Holdfast wrote."""
    for number, attack in enumerate(attacks):
        if number % 2:
            note = home / "memory" / f"outside-{number}.md"
        else:
            note = home / "memory" / "mine.md"
            if not note.exists():
                memory.save("My own line about the lighthouse.", file="memory/mine.md")
        with note.open("a", encoding="utf-8") as file:
            file.write(f"\n{attack.text}\n")
        os.utime(note, (NOW, NOW))


RequestGuard = Callable[[Memory, Path, Sequence[Attack]], None]
DOORS: dict[str, tuple[RequestGuard, frozenset[Origin]]] = {
    "capture": (by_capture, frozenset((Origin.AUTO_CAPTURE,))),
    "session export": (by_export, frozenset((Origin.AGENT,))),
    "import": (by_import, frozenset((Origin.IMPORT,))),
    "tool": (by_tool, frozenset((Origin.MCP_TOOL,))),
    "agent": (by_agent, frozenset((Origin.AGENT,))),
    "outside edit": (from_outside, frozenset((Origin.OUTSIDE,))),
}
# The assistant's words in an export are shown as the agent's; the note was captured, and is taken back as that.
BROUGHT = {name: shown for name, (_, shown) in DOORS.items()} | {"session export": frozenset((Origin.AUTO_CAPTURE,))}
"""Each way in, and the origins that what came through it must be shown with."""


def lines_with(text: str, attacks: Sequence[Attack]) -> Iterator[str]:
    """The lines of a text that hold something of an attack."""
    for line in text.splitlines():
        if any(attack.marker in line for attack in attacks):
            yield line
