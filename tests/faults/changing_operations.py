"""Every operation that changes something, each on a home in which it has something to do."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sessions.turns import wrote

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.context.user_profile import ProfileSaved
from holdfast.dreaming.dream_counts import signals_of
from holdfast.guard.origin import Origin
from holdfast.index.sqlite.signal_table import LineAnswer
from holdfast.llm.scripted_model import ScriptedModel
from holdfast.markdown.claim_key import key_of
from holdfast.operations.setting_change import change_setting
from holdfast.sessions.flush import Flushed

__all__ = [
    "NEXT",
    "NOW",
    "OPERATIONS",
    "SETTINGS",
    "Operation",
    "fill",
    "fill_memory",
    "open_home",
    "refusal_in",
    "truth_in",
    "truth_of",
    "write_others",
]

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC).timestamp()
DAY = 86_400.0
NEXT = "memory/next.md"  # what the check after a fault writes
SETTINGS: Mapping[str, object] = {
    "memory.checkpoints.keep_days": 1,
    "memory.checkpoints.keep_count": 2,
}
_DREAMT = "I drink green tea in the morning"
_ID = re.compile(
    r"\b(?:[0-9a-f]{6,}|[0-9A-HJKMNP-TV-Z]{26}|[0-9a-z]{8,}-[0-9a-z-]+)\b"
    r"|(?<=id=)\w+|(?<=by=)\w+|(?<=supersedes=)\w+|(?<=[Rr]un[ =])\w+|(?<=rollback )\w+"
    r"|(?<=score )[\d.]+"  # by counts that are a cache
)
Operation = Callable[[Memory, Path], object]


def open_home(home: Path, settings: Mapping[str, object] = SETTINGS) -> Memory:
    """Open a home as its owner, at a time that stands still."""
    return Memory.open(home, origin=Origin.USER, clock=FakeClock(NOW), settings=settings)


def fill(home: Path) -> None:
    """Make the home that every operation begins with, and beside it what is imported."""
    fill_memory(lambda clock: Memory.open(home, origin=Origin.USER, clock=clock, settings=SETTINGS))
    others, bundle = home.parent / "others", home.parent / "bundle.jsonl"
    write_others(others)
    with open_home(home) as memory:
        memory.export(bundle)
    bundle.write_text(bundle.read_text(encoding="utf-8").replace("memory/river.md", "memory/lake.md"), encoding="utf-8")


def write_others(place: Path) -> None:
    """Write the notes that are imported."""
    place.mkdir(exist_ok=True)
    for number in range(3):
        (place / f"note{number}.md").write_text(f"# Note {number}\n\nThe wryneck {number} calls.\n", encoding="utf-8")


def fill_memory(opened: Callable[[FakeClock], Memory]) -> None:
    """Fill a memory with something to do for every operation."""
    with opened(FakeClock(NOW - 9 * DAY)) as memory:
        for number in range(4):
            memory.save(f"- The kestrel hovers over field {number}.", file="memory/birds.md")
    with opened(FakeClock(NOW)) as memory:
        memory.save("- The otter swims.\n- The heron waits.\n", file="memory/river.md")
        memory.save("- I am Ada.\n- I like figs.\n")
        memory.facts.store("I live in Berlin", category="fact")
        memory.facts.store("I like plums", category="preference")
        memory.tools().call("memory_save", {"content": "The owner is Ada Lovelace of Ockham."})
        session = memory.session("work")
        for number in range(6):
            session.append("user", f"Question {number}: where does the otter swim?")
            session.append("assistant", f"Answer {number}: in the river.")
        session.state.set("plan", "first", 1)
        memory.session("old").append("user", "The otter swims.")
        memory.save(f"- {_DREAMT}\n", file="memory/2026-11-13.md")
        asked = [
            LineAnswer(key_of(_DREAMT), f"q{q}", f"2026-11-{12 + d}", "memory/2026-11-13.md", 0.9, NOW - (3 - d) * DAY)
            for q in range(5)
            for d in range(4)
        ]
        signals_of(memory.ctx).record(asked)
        memory.profile.save("name", "Ada")
        change_setting(memory.ctx.workspace, "memory.citations", "on")
        memory.sync()


def _first(memory: Memory, path: str) -> str:
    return [change.id for change in memory.history(limit=100) if change.path == path][-2]


def _fact(memory: Memory, text: str) -> str:
    return next(fact.id for fact in memory.facts.list(state="all").facts if fact.text == text)


OPERATIONS: Mapping[str, Operation] = {
    "save": lambda memory, _: memory.save("- The kestrel dives.", file="memory/birds.md"),
    "make": lambda memory, _: memory.save("- A new note.", file="memory/new.md"),
    "write many": lambda memory, _: memory.notes.write_all({"memory/a.md": "- A\n", "memory/river.md": "- B\n"}),
    "rename": lambda memory, _: memory.notes.rename("memory/birds.md", "memory/raptors.md"),
    "delete": lambda memory, _: memory.delete("memory/river.md", text="The otter swims."),
    "delete a note": lambda memory, _: memory.delete("memory/river.md", delete_file=True),
    "restore": lambda memory, _: memory.restore(_first(memory, "memory/birds.md")),
    "undo": lambda memory, _: memory.undo("memory/birds.md"),
    "undo an origin": lambda memory, _: memory.undo_origin("user", since="2026-11-14"),
    "forget": lambda memory, _: memory.forget(text="The otter swims."),
    "forget everywhere": lambda memory, _: memory.forget(text="The otter swims.", everywhere=True),
    "purge": lambda memory, _: memory.purge("memory/birds.md"),
    "prune": lambda memory, _: memory.prune(),
    "fact": lambda memory, _: memory.facts.store("I moved to Munich", category="fact"),
    "archive a fact": lambda memory, _: memory.facts.archive(_fact(memory, "I like plums")),
    "forget a fact": lambda memory, _: memory.facts.forget(_fact(memory, "I like plums")),
    "approve": lambda memory, _: memory.inbox.approve(memory.inbox.list()[0].id),
    "reject": lambda memory, _: memory.inbox.reject(memory.inbox.list()[0].id),
    "wait": lambda memory, _: memory.tools().call("memory_save", {"content": "The owner sails."}),
    "message": lambda memory, _: memory.session("work").append("user", "One more question."),
    "turn": lambda memory, _: memory.session("work").turn("Hello?", model=ScriptedModel("Good day.")),
    "state": lambda memory, _: memory.session("work").state.set("plan", "second", 2),
    "new session": lambda memory, _: memory.session("work").new("later").append("user", "Hi."),
    "end a session": lambda memory, _: memory.session("old").delete(everywhere=True),
    "export a session": lambda memory, _: memory.session("work").export(),
    "flush": lambda memory, _: memory.session("work").before_compaction(
        ScriptedModel(wrote("- The user asks about otters."), "NO_REPLY"), force=True
    ),
    "compact": lambda memory, _: memory.session("work").compact(ScriptedModel("They spoke of otters."), keep_tokens=20),
    "import": lambda memory, place: memory.import_from(place / "others", source="markdown"),
    "put back": lambda memory, place: memory.restore_export(place / "bundle.jsonl"),
    "dream": lambda memory, _: memory.dreams.run(),
    "profile": lambda memory, _: memory.profile.save("name", "Ada Lovelace"),
    "settings": lambda memory, _: change_setting(memory.ctx.workspace, "memory.citations", "off"),
}


def refusal_in(answer: object) -> str:
    """Return what an answer says was not done; empty where all of it was."""
    if isinstance(answer, dict) and "error" in answer:
        return str(answer["error"]["type"])
    if isinstance(answer, Flushed) and not answer.wrote:
        return "the model was told, and went on without"
    return answer.because if isinstance(answer, ProfileSaved) else ""


def truth_of(home: Path) -> dict[str, Any]:
    """Return all that must not be lost of a home."""
    with open_home(home) as memory:
        return truth_in(memory)


def truth_in(memory: Memory) -> dict[str, Any]:
    """Return notes, profile, settings, conversations and state; ids are all the same."""
    workspace = memory.ctx.workspace
    paths = [found.path for found in workspace.walk().found if found.path != NEXT]
    found: dict[str, Any] = {path: _plain(workspace.read(path).data) for path in paths}
    for name in ("USER.md", "holdfast.toml"):
        found[name] = (workspace.read_file(name) or b"").decode("utf-8")
    for session in memory.sessions():
        opened = memory.session(session.key)
        found[f"session {session.key}"] = [[entry.role.value, entry.text] for entry in opened.messages()]
        found[f"state {session.key}"] = {row.key: row.value for row in opened.state.list("plan")}
    return found


def _plain(data: bytes) -> str:
    return _ID.sub("ID", data.decode("utf-8"))
