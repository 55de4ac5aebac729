"""Every public operation of the library, each called so that it really works; a new one can't be left out."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from holdfast import Memory
from holdfast.context.user_profile import UserProfile
from holdfast.dreaming.dream_access import Dreams
from holdfast.guard.origin import Origin
from holdfast.llm.scripted_model import ScriptedModel
from holdfast.operations.fact_access import Facts
from holdfast.operations.inbox_entries import Inbox
from holdfast.operations.note_access import Notes
from holdfast.sessions.conversation import Session
from holdfast.transcripts.state import BoundState

__all__ = ["ENDS", "SECRET", "operations", "public_methods"]

SECRET = "The quokka lives at Elm Street 55"
# Nothing of a memory is open after these.
ENDS = {"Memory.close", "Memory.open", "Memory.open_team", "Session.close"}


def operations(memory: Memory, tmp_path: Path) -> dict[str, Callable[[], Any]]:
    """Every public method of a memory and of what it hands out, each called so that it really works."""
    session = memory.session("work")
    model = ScriptedModel(*["Noted."] * 20)
    stop = threading.Event()
    stop.set()
    facts, notes, dreams, profile, state = memory.facts, memory.notes, memory.dreams, memory.profile, session.state
    inbox = memory.inbox
    bundle = tmp_path / "out.jsonl"

    def newest_fact() -> str:
        return facts.list().facts[0].id

    def waiting(text: str) -> str:
        memory.tools().call("memory_save", {"content": text})
        return next(entry.id for entry in inbox.list() if entry.text == text)

    return {
        "Memory.save": lambda: memory.save(f"- {SECRET}\n- Works at Acme\n"),
        "Memory.search": lambda: memory.search("quokka"),
        "Memory.get": lambda: memory.get(chunk_id=memory.search("quokka").results[0].chunk_id),
        "Memory.sync": lambda: memory.sync(force=True),
        "Memory.status": lambda: memory.status(deep=True),
        "Memory.history": lambda: memory.history(),
        "Memory.diff": lambda: memory.diff(memory.history()[0].id),
        "Memory.export": lambda: memory.export(bundle),
        "Memory.restore_export": lambda: memory.restore_export(bundle),
        "Memory.import_from": lambda: memory.import_from(memory.home),
        "Memory.spaces": lambda: memory.spaces(),
        "Memory.watch": lambda: list(memory.watch(stop)),
        "Memory.session": lambda: memory.session("other").append("user", "Hello."),
        "Memory.sessions": lambda: memory.sessions(),
        "Memory.tools": lambda: memory.tools().call("memory_search", {"query": "quokka"}),
        "Memory.forget": lambda: memory.forget(text=SECRET, everywhere=True),
        "Memory.prune": lambda: memory.prune(),
        "Memory.delete": lambda: memory.delete("MEMORY.md", text="Works at Acme"),
        "Memory.undo": lambda: memory.undo(),
        "Memory.restore": lambda: memory.restore(memory.history()[0].id),
        "Memory.undo_origin": lambda: memory.undo_origin("import"),
        "Memory.purge": lambda: memory.purge("MEMORY.md"),
        "Memory.drop_space": lambda: memory.drop_space("1"),
        "Notes.write": lambda: notes.write("memory/a.md", "- The heron waits.\n"),
        "Notes.by": lambda: notes.by(Origin.USER).list(),
        "Notes.list": lambda: notes.list(),
        "Notes.page": lambda: notes.page(),
        "Notes.read": lambda: notes.read("memory/a.md"),
        "Notes.hash_of": lambda: notes.hash_of("memory/a.md"),
        "Notes.read_all": lambda: notes.read_all(["memory/a.md"]),
        "Notes.write_all": lambda: notes.write_all({"memory/c.md": "- A\n", "memory/d.md": "- B\n"}),
        "Notes.rename": lambda: notes.rename("memory/a.md", "memory/b.md"),
        "Notes.delete": lambda: notes.delete("memory/b.md"),
        "Facts.store": lambda: facts.store("Prefers tea to coffee."),
        "Facts.recall": lambda: facts.recall("tea"),
        "Facts.list": lambda: facts.list(),
        "Facts.history": lambda: facts.history("tea"),
        "Facts.stats": lambda: facts.stats(),
        "Facts.reindex": lambda: facts.reindex(),
        "Facts.archive": lambda: facts.archive(newest_fact()),
        "Facts.restore": lambda: facts.restore(facts.list(state="all").facts[0].id),
        "Facts.undo_supersession": lambda: facts.undo_supersession(newest_fact()),
        "Facts.forget": lambda: facts.forget(newest_fact()),
        "Dreams.run": lambda: dreams.run(),
        "Inbox.list": lambda: inbox.list(),
        "Inbox.approve": lambda: inbox.approve(waiting("The heron waits.")),
        "Inbox.edit": lambda: inbox.edit(waiting("The heron sleeps."), "The heron flies."),
        "Inbox.reject": lambda: inbox.reject(waiting("The heron swims.")),
        "Dreams.roll_back": lambda: dreams.roll_back(),
        "UserProfile.save": lambda: profile.save("name", "Ada"),
        "UserProfile.read": lambda: profile.read(),
        "UserProfile.observed": lambda: profile.observed(timezone="Europe/Berlin"),
        "UserProfile.undo": lambda: profile.undo(),
        "Session.append": lambda: session.append("user", "I like tea."),
        "Session.messages": lambda: session.messages(),
        "Session.context": lambda: session.context(),
        "Session.prompt": lambda: session.prompt("What do I like?"),
        "Session.refresh_prompt": lambda: session.refresh_prompt(),
        "Session.recall": lambda: session.recall("tea"),
        "Session.tools": lambda: session.tools().call("session_state", {"action": "list"}),
        "Session.turn": lambda: session.turn("Hello?", model=model),
        "Session.capture": lambda: session.capture(),
        "Session.needs_flush": lambda: session.needs_flush(),
        "Session.flush_due": lambda: session.flush_due(),
        "Session.before_compaction": lambda: session.before_compaction(model, force=True),
        "Session.compact": lambda: session.compact(model),
        "Session.compacted": lambda: session.compacted(),
        "Session.export": lambda: session.export(),
        "Session.exclude": lambda: session.exclude(),
        "Session.new": lambda: memory.session("third").new("fourth").append("user", "Hi."),
        "Session.delete": lambda: memory.session("other").delete(everywhere=True),
        "Session.forget": lambda: memory.session("fourth").forget(),
        "BoundState.set": lambda: state.set("plan", "a", 1),
        "BoundState.get": lambda: state.get("plan", "a"),
        "BoundState.list": lambda: state.list(),
        "BoundState.compare_and_set": lambda: state.compare_and_set("plan", "a", 1, 2),
        "BoundState.delete": lambda: state.delete("plan", "a"),
        "BoundState.clear": lambda: state.clear(),
        "Session.reset": lambda: session.reset(),
        "Session.undo_reset": lambda: session.undo_reset(),
    }  # fmt: skip


def public_methods() -> set[str]:
    kinds = (Memory, Notes, Facts, Inbox, Dreams, UserProfile, Session, BoundState)
    return {
        f"{kind.__name__}.{name}"
        for kind in kinds
        for name, _ in inspect.getmembers(kind, callable)
        if not name.startswith("_")
    }
