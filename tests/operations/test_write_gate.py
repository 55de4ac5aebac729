"""`memory.agent_write_mode` stops agents and programs at every change of a note, and never the owner.

Each row of the tables is a public method or a tool that changes notes. All of them are walked in every mode and for
every origin (in the short run by turns), on a copy of the same home, and the bytes of the notes decide.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from counts import by_turns
from dreaming.asking import DAY, NOTE, NOW, QUESTIONS, TEA, asked_for
from facts.exchange.exports_of_others import claude, zipped
from sessions.turns import called, wrote

from holdfast import Memory
from holdfast.checkpoints.change_history import history
from holdfast.clock import FakeClock
from holdfast.context.memory_backend import MemoryPart
from holdfast.context.user_profile import UserProfile
from holdfast.dreaming.dream_access import Dreams
from holdfast.dreaming.dream_idle import IdleDreamer
from holdfast.errors import HoldfastError, WriteModeRefused
from holdfast.guard.origin import Origin
from holdfast.llm.scripted_model import ScriptedModel
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.operations.fact_access import Facts
from holdfast.operations.inbox_entries import Inbox
from holdfast.operations.note_access import Notes
from holdfast.operations.toolbox import TOOLS
from holdfast.sessions.conversation import Session

MODES = ("off", "prompt-only", "search-only")
STAMPED = [origin for origin in Origin if origin is not Origin.OUTSIDE]  # which no caller has
PLAIN = "The launch moved to 3 March"
BOAT = "Our boat lies in the harbour of Porto all winter"
BOAT_QUESTIONS = (
    "where does our boat lie?",
    "boat in the harbour of Porto",
    "which harbour in winter",
    "is the boat in Porto all winter",
    "boat harbour winter",
)


class Seeds(NamedTuple):
    """The home that every row is tried on a copy of, and the names of what is in it."""

    home: Path
    export: Path
    bundle: Path
    prompt_change: str
    note_change: str
    fact: str
    archived: str
    superseded: str
    proposal: str
    now: float
    looks: dict[str, tuple[bytes, set[str]]]
    """The bytes of every note of the home, and the checkpoints there are of it."""


Work = Callable[[Memory, Seeds], Any]


def tool(name: str, **arguments: Any) -> Work:
    """A tool, called by whoever has the memory; `$x` in an argument is what the seeds call x."""

    def work(memory: Memory, seeds: Seeds) -> Any:
        given = {key: getattr(seeds, value[1:]) if value[0] == "$" else value for key, value in arguments.items()}
        return memory.tools(memory.ctx.origin).call(name, given)

    return work


# What a caller asks for: it is the caller who acts.
ASKED: dict[str, Work] = {
    "Memory.save": lambda memory, _: memory.save("- something new"),
    "Memory.save MEMORY.md": lambda memory, _: memory.save("- something new", file="MEMORY.md"),
    "Memory.save memory/": lambda memory, _: memory.save("- something new", file="memory/new.md"),
    "Memory.delete": lambda memory, _: memory.delete("MEMORY.md", delete_file=True),
    "Memory.delete memory/": lambda memory, _: memory.delete("memory/a.md", text="Chose PostgreSQL"),
    "Memory.forget": lambda memory, _: memory.forget(text=PLAIN),
    "Memory.forget memory/": lambda memory, _: memory.forget(text="Chose PostgreSQL"),
    "Memory.forget everywhere": lambda memory, _: memory.forget(text=PLAIN, everywhere=True),
    "Memory.forget everywhere, memory/": lambda memory, _: memory.forget(text="Chose PostgreSQL", everywhere=True),
    "Memory.forget everywhere, by hand": lambda memory, _: memory.forget(text="a folder of my own", everywhere=True),
    "Memory.import_from": lambda memory, seeds: memory.import_from(seeds.bundle),
    "Memory.restore": lambda memory, seeds: memory.restore(seeds.prompt_change),
    "Memory.restore memory/": lambda memory, seeds: memory.restore(seeds.note_change),
    "Memory.restore_export": lambda memory, seeds: memory.restore_export(seeds.export),
    "Memory.undo": lambda memory, _: memory.undo(),
    "Memory.undo MEMORY.md": lambda memory, _: memory.undo("MEMORY.md", force=True),
    "Memory.undo_origin": lambda memory, _: memory.undo_origin("agent"),
    "Memory.purge": lambda memory, _: memory.purge("MEMORY.md"),
    "Memory.purge memory/": lambda memory, _: memory.purge("memory/a.md"),
    "Notes.write": lambda memory, _: memory.notes.write("MEMORY.md", "something else\n"),
    "Notes.write memory/": lambda memory, _: memory.notes.write("memory/a.md", "something else\n"),
    "Notes.write_all memory/": lambda memory, _: memory.notes.write_all(
        {"memory/a.md": "new\n", "memory/new.md": "x\n"}
    ),
    "Notes.delete": lambda memory, _: memory.notes.delete("MEMORY.md"),
    "Notes.delete memory/": lambda memory, _: memory.notes.delete("memory/a.md"),
    "Notes.rename": lambda memory, _: memory.notes.rename("MEMORY.md", "memory/was-prompt.md"),
    "Notes.rename memory/": lambda memory, _: memory.notes.rename("memory/a.md", "memory/z.md"),
    "Facts.store": lambda memory, _: memory.facts.store("I play the oboe"),
    "Facts.forget": lambda memory, seeds: memory.facts.forget(seeds.fact),
    "Facts.archive": lambda memory, seeds: memory.facts.archive(seeds.fact),
    "Facts.restore": lambda memory, seeds: memory.facts.restore(seeds.archived),
    "Facts.undo_supersession": lambda memory, seeds: memory.facts.undo_supersession(seeds.superseded),
    "Dreams.run": lambda memory, _: memory.dreams.run(),
    "Inbox.approve": lambda memory, seeds: memory.inbox.approve(seeds.proposal),
    "Inbox.edit memory/": lambda memory, seeds: memory.inbox.edit(seeds.proposal, "Ada has a boat"),
    "Inbox.reject memory/": lambda memory, seeds: memory.inbox.reject(seeds.proposal),
    "Dreams.roll_back": lambda memory, _: memory.dreams.roll_back(),
    "UserProfile.save": lambda memory, _: memory.profile.save("name", "Grace"),
    "UserProfile.observed": lambda memory, _: memory.profile.observed(location="Lisbon"),
    "UserProfile.undo": lambda memory, _: memory.profile.undo(),
    "Session.export": lambda memory, _: memory.session("new").export(),
    "Session.reset": lambda memory, _: memory.session("new").reset(),
    "Session.new": lambda memory, _: memory.session("new").new("newer"),
    "Session.delete": lambda memory, _: memory.session("told").delete(everywhere=True),
    "Session.forget": lambda memory, _: memory.session("told").forget(),
    "memory_save": tool("memory_save", content="- something new"),
    "memory_save memory/": tool("memory_save", content="- something new", file="memory/new.md"),
    "memory_delete": tool("memory_delete", file="memory/a.md", text="Chose PostgreSQL"),
    "memory_forget": tool("memory_forget", text="Chose PostgreSQL"),
    "checkpoint_restore": tool("checkpoint_restore", id="$note_change"),
    "store": tool("store", text="I play the oboe"),
    "forget": tool("forget", id="$fact"),
}


def in_turn(name: str, **arguments: Any) -> Work:
    """A turn of a conversation in which the model calls a tool."""

    def work(memory: Memory, _: Seeds) -> Any:
        with memory.session("new") as session:
            return session.turn("hello", model=ScriptedModel(called(name, arguments), "done"))

    return work


def flushed(path: str) -> Work:
    """The silent turn, with a model that writes to this note."""
    return lambda memory, _: memory.session("new").before_compaction(
        ScriptedModel(wrote("- tea", path), "NO_REPLY"), force=True
    )


def compacted(memory: Memory, _: Seeds) -> Any:
    return memory.session("new").compact(ScriptedModel(wrote("- tea"), "NO_REPLY"), keep_tokens=1)


def dreamt(memory: Memory, seeds: Seeds) -> Any:
    return IdleDreamer(memory.ctx).tick(seeds.now + DAY, seeds.now)


# What happens by itself, or what a model does: it is no doing of the owner's, whoever opened the memory.
BY_ITSELF: dict[str, Work] = {
    "Session.capture": lambda memory, _: memory.session("new").capture(),
    "Session.before_compaction": flushed("memory/YYYY-MM-DD.md"),
    "Session.before_compaction MEMORY.md": flushed("MEMORY.md"),
    "Session.compact": compacted,
    "Session.turn": in_turn("memory_save", content="- something new", file="MEMORY.md"),
    "Session.turn memory/": in_turn("store", text="I play the oboe"),
    "Session.tools": lambda memory, _: (
        memory.session("new").tools().call("memory_save", {"content": "x", "file": NOTE})
    ),
    "Memory.tools": lambda memory, _: memory.tools().call("memory_save", {"content": "x"}),
    "Notes.by": lambda memory, _: memory.notes.by(Origin.AGENT).write("memory/a.md", "x"),
    "Memory.watch": dreamt,
}
# What changes no note: it reads, or is about the index, the transcripts or the state of a session.
OTHERS = {
    *(
        "Memory." + name
        for name in "agent close diff drop_space export get history home open open_team prune search".split()
    ),
    *("Memory." + name for name in "session sessions settings spaces spent status sync url".split()),
    *("Memory." + name for name in "dreams facts inbox notes profile".split()),
    *("Notes." + name for name in "hash_of list page read read_all".split()),
    *("Facts." + name for name in "history list recall reindex stats".split()),
    "Inbox.list",
    "UserProfile.read",
    *("Session." + name for name in "append close compacted context exclude excluded messages needs_flush".split()),
    *("Session." + name for name in "flush_due forgotten prompt recall refresh_prompt transcript undo_reset".split()),
    *"memory_search memory_get checkpoints_list recall list".split(),
}


def test_every_public_method_and_tool_is_in_a_table() -> None:
    public = {
        f"{kind.__name__}.{name}"
        for kind in (Memory, Notes, Facts, Inbox, Dreams, UserProfile, Session)
        for name in dir(kind)
        if not name.startswith("_") and name not in dir(MemoryPart)
    }
    walked = {name.split()[0] for name in (*ASKED, *BY_ITSELF)}
    assert public | set(TOOLS) == walked | OTHERS
    assert not walked & OTHERS


@pytest.fixture(scope="module")
def seeds(tmp_path_factory: pytest.TempPathFactory) -> Seeds:
    """A home with something of every kind in it."""
    place = tmp_path_factory.mktemp("seeds")
    home, clock = place / "home", FakeClock(NOW)
    rules = {"memory.prompt_approval": "never"}  # the agent's line is in MEMORY.md at once
    with Memory.open(home, origin=Origin.USER, clock=clock, settings=rules) as memory:
        memory.profile.save("name", "Ada")
        memory.save("- put back by an export", file="memory/exported.md")
        memory.export(place / "export.zip")
        memory.delete("memory/exported.md", delete_file=True)
        prompt_change = memory.save(f"- {PLAIN}").checkpoint_id
        fact = memory.facts.store("I live in Lisbon").id
        superseded = memory.facts.store("I live in Berlin", category="fact").id
        memory.facts.store("I moved to Munich", category="other")
        archived = memory.facts.store("I like plums").id
        memory.facts.archive(archived)
        with memory.session("told") as session:
            session.append("user", "what is a quince?")
            session.append("assistant", "a fruit")
            session.export()
        for message in ("I have a boat called Otter", "I am allergic to peanuts"):
            memory.session("new").append("user", message)
            memory.session("new").append("assistant", "noted")
        tools = memory.tools(Origin.AGENT)
        tools.call("memory_save", {"content": "- an agent's line"})
        tools.call("memory_save", {"content": "- an agent's other line", "file": "memory/b.md"})
        note_change = memory.save("- Chose PostgreSQL", file="memory/a.md").checkpoint_id
    (home / "memory/deep").mkdir()
    (home / "memory/deep/own.md").write_text("- a folder of my own\n", encoding="utf-8")
    with Memory.open(home, origin=Origin.MCP_TOOL, clock=clock) as memory:
        for line in ("Ada likes long walks", "Ada has a bicycle"):
            memory.tools(Origin.MCP_TOOL).call("memory_save", {"content": f"- {line}"})
    with Memory.open(home, origin=Origin.USER, clock=clock) as memory:
        first, second = memory.inbox.list()
        memory.inbox.approve(first.id)
        memory.save(f"- {TEA}\n", file=NOTE)
        asked_for(memory, clock, QUESTIONS)
        assert [one.text for one in memory.dreams.run().of("promoted")] == [TEA]
        memory.save(f"- {BOAT}\n", file="memory/2026-11-14.md")
        asked_for(memory, clock, BOAT_QUESTIONS)
        assert [one.text for one in memory.dreams.run(dry_run=True).of("promoted")] == [BOAT]
    return Seeds(
        home,
        place / "export.zip",
        zipped(place / "claude.zip", claude()),
        prompt_change,
        note_change,
        fact,
        archived,
        superseded,
        second.id,
        clock.now(),
        look(home),
    )


def look(home: Path) -> dict[str, tuple[bytes, set[str]]]:
    """The bytes of every note, and the checkpoints there are of it."""
    with FileWorkspace.open(home) as workspace:
        changes = history(workspace, limit=10_000)
    notes = {path.relative_to(home).as_posix(): path.read_bytes() for path in home.rglob("*.md")}
    names = {*notes, *(change.path for change in changes)}
    return {name: (notes.get(name, b""), {one.id for one in changes if one.path == name}) for name in names}


def changed(home: Path, before: dict[str, tuple[bytes, set[str]]]) -> set[str]:
    """The notes that have other bytes by now, or of which a checkpoint is gone."""
    after = look(home)
    nothing: tuple[bytes, set[str]] = (b"", set())
    return {
        name
        for name in {*before, *after}
        if before.get(name, nothing)[0] != after.get(name, nothing)[0]
        or before.get(name, nothing)[1] - after.get(name, nothing)[1]
    }


def tried(work: Work, seeds: Seeds, home: Path, mode: str, origin: Origin) -> tuple[set[str], object]:
    """The notes that changed on a copy of the home, and what came of it."""
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(seeds.home, home)
    outcome = None
    settings = {"memory.agent_write_mode": mode, "memory.prompt_approval": "never"}
    with Memory.open(home, origin=origin, settings=settings, clock=FakeClock(seeds.now)) as memory:
        try:
            outcome = work(memory, seeds)
        except HoldfastError as error:
            outcome = error
    return changed(home, seeds.looks), outcome


def forbidden(mode: str, path: str) -> bool:
    """The setting in a sentence: `prompt-only` is nothing under memory/, `search-only` nothing to MEMORY.md."""
    if mode == "prompt-only":
        return path.startswith("memory/")
    return mode == "off" or path == "MEMORY.md"


@pytest.mark.fault
@pytest.mark.parametrize("row", ASKED)
def test_the_owner_is_never_stopped(row: str, seeds: Seeds, home: Path) -> None:
    usual, _ = tried(ASKED[row], seeds, home, "hybrid", Origin.USER)
    assert usual, "the row changes nothing"
    for mode in by_turns(MODES, list(ASKED).index(row), 1):
        notes, outcome = tried(ASKED[row], seeds, home, mode, Origin.USER)
        assert not isinstance(outcome, WriteModeRefused)
        assert notes == usual, (mode, outcome)


@pytest.mark.row("approval", attempts=1, got_through=0)
@pytest.mark.fault
@pytest.mark.parametrize("row", ASKED)
def test_nobody_else_gets_through(row: str, seeds: Seeds, home: Path) -> None:
    for origin in by_turns([origin for origin in STAMPED if origin is not Origin.USER], list(ASKED).index(row), 1):
        for mode in MODES:
            notes, outcome = tried(ASKED[row], seeds, home, mode, origin)
            assert not [path for path in notes if forbidden(mode, path)], (mode, origin, outcome)


@pytest.mark.parametrize("row", BY_ITSELF)
def test_nothing_that_happens_by_itself_gets_through_not_even_in_the_owners_name(
    row: str, seeds: Seeds, home: Path
) -> None:
    for origin in (Origin.USER, Origin.API):
        usual, outcome = tried(BY_ITSELF[row], seeds, home, "hybrid", origin)
        assert usual, f"the row changes nothing: {outcome}"
        for mode in MODES:
            notes, outcome = tried(BY_ITSELF[row], seeds, home, mode, origin)
            assert not [path for path in notes if forbidden(mode, path)], (mode, origin, outcome)
