"""Forgetting for good, where names are made of what was said: files of exports, keys of sessions, names of notes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.forgetting.forget_keys import names_text
from holdfast.guard.origin import Origin


@pytest.fixture
def memory(home: Path) -> Iterator[Memory]:
    settings = {"memory.sources": ["memory", "sessions"], "memory.disable_rag": True}
    with Memory.open(home, settings=settings, origin=Origin.USER) as opened:
        yield opened


def telling(home: Path, *words: str) -> list[str]:
    """Every file that has one of these in its name or its bytes, whatever the case."""
    found = []
    for file in sorted(home.rglob("*")):
        data = file.read_bytes().lower() if file.is_file() else b""
        if any(word in file.name.lower() or word.encode() in data for word in words):
            found.append(file.relative_to(home).as_posix())
    return found


@pytest.mark.parametrize(
    ("said", "text", "traces"),
    [
        ("talk of Wombat ok", "Wombat", ["wombat"]),
        ("Zürich it is", "Zürich", ["zürich", "zurich"]),
        ("Zürich Jubiläum Platz it is", "Zürich Jubiläum Platz", ["zürich", "zurich", "jubilaum"]),  # no hexadecimal
        ("my doctor is Anna", "Anna", ["anna"]),
    ],
)
def test_one_word_is_gone_from_names_of_exports_and_from_the_index(
    home: Path, memory: Memory, said: str, text: str, traces: list[str]
) -> None:
    session = memory.session("a")
    session.append("user", said)
    session.append("assistant", "noted")
    session.reset()
    memory.sync()
    made = memory.forget(text=text, everywhere=True, confirmed=True)
    assert made.cleared is not None
    assert made.cleared.left == ()
    memory.close()
    assert telling(home, *traces) == []


def test_an_export_named_after_another_word_keeps_its_name(home: Path, memory: Memory) -> None:
    session = memory.session("a")
    session.append("user", "Annabel likes tea")
    exported = session.reset()
    assert exported is not None
    memory.save("- Anna called", file="memory/n.md")
    memory.forget(text="Anna", everywhere=True, confirmed=True)
    assert (home / exported.path).exists()


def test_a_session_whose_key_holds_it_goes_on_under_another(home: Path, memory: Memory) -> None:
    session = memory.session("plans for Wombat", kind="group", channel="chat")
    session.append("user", "first words")
    session.reset()
    session.append("user", "hello there")
    session.state.set("a", "wombat", "kept")
    session.exclude()
    session.close()
    before = memory.forget(text="Wombat", everywhere=True, confirmed=True, dry_run=True).cleared
    assert before is not None
    assert before.sessions == 1
    made = memory.forget(text="Wombat", everywhere=True, confirmed=True)
    assert made.cleared is not None
    assert (made.cleared.sessions, made.cleared.left) == (1, ())
    (listed,) = memory.sessions()
    assert "wombat" not in listed.key.lower()
    assert listed.key in made.because
    assert (listed.excluded, listed.kind.value, listed.channel) == (True, "group", "chat")
    with memory.session(listed.key) as again:
        assert [entry.text for entry in again.messages()] == ["hello there"]
        assert again.state.get("a", "wombat") == "kept"
        assert len(again.transcript.archives()) == 1
        again.state.delete("a", "wombat")
        again.forget()  # its exports are still its own
    assert list((home / "memory" / "sessions").glob("*.md")) == []
    assert not memory.forget(text="Wombat", everywhere=True, confirmed=True).because
    memory.close()
    assert telling(home, "wombat") == []


def test_names_of_values_are_cleared_as_their_values_are(home: Path, memory: Memory) -> None:
    with memory.session("a") as session:
        session.state.set("Wombat", "of Wombat", {"Wombat": 1})
        made = memory.forget(text="Wombat", everywhere=True, confirmed=True)
        assert made.cleared is not None
        assert made.cleared.state == 1
        assert [(one.namespace, one.key) for one in session.state.list()] == [("[forgotten]", "of [forgotten]")]
    memory.close()
    assert telling(home, "wombat") == []


def test_the_first_session_keeps_its_key_whatever_is_forgotten(memory: Memory) -> None:
    with memory.session() as session:
        session.append("user", "the main thing")
    memory.forget(text="main", everywhere=True, confirmed=True)
    assert [one.key for one in memory.sessions()] == ["main"]


def test_notes_named_after_it_and_indexes_of_other_agents_are_told_of(home: Path, memory: Memory) -> None:
    memory.save("- Wombat eats grass\n- other", file="memory/wombat.md")
    with Memory.open(home, agent="bob", origin=Origin.USER) as bob:
        bob.save("Wombat too")
        bob.search("Wombat")
    made = memory.forget(text="Wombat", everywhere=True, confirmed=True)
    assert made.cleared is not None
    assert {"memory/wombat.md", "agents/bob/MEMORY.md", "state/bob.sqlite"} <= set(made.cleared.left)
    assert "rename" in made.because


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("talk-of-wombat-ok", "Wombat", True),
        ("talk-of-wombats", "Wombat", False),
        ("zurich-it-is", "Zürich", True),
        ("we-live-at-elm-street", "Elm Street 55, Springfield", False),
        ("we-live-at-elm-street-55", "Elm Street 55, Springfield", True),
        ("we-live-at-elm-street-55-2", "Elm Street 55, Springfield", True),
        ("zu-hause", "Zü", False),
        ("session", "日本語の秘密", False),
    ],
)
def test_a_name_gives_a_text_away_by_its_words(name: str, text: str, expected: bool) -> None:
    assert names_text(name, text) is expected
