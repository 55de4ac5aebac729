"""One story by the library on every engine: notes, search, facts, sessions, approval, profile and forgetting."""

from __future__ import annotations

from contextlib import closing

import pytest
from engines.engine import Engine, TenantEngine

from holdfast.errors import NoteChangedOutside, TenantNotFound
from holdfast.guard.origin import Origin
from holdfast.notes.workspace import Workspace

NOTE = "memory/launch.md"
SESSIONS = {"memory.sources": ["memory", "sessions"]}


def everything(workspace: Workspace) -> dict[str, bytes]:
    return {note.path: workspace.read(note.path).data for note in workspace.walk().found}


def test_what_is_saved_is_found_and_what_is_undone_is_not(engine: Engine) -> None:
    with engine.memory(origin=Origin.USER) as memory:
        first = memory.save("The rocket is blue.", file=NOTE)
        assert not memory.save("The rocket is blue.", file=NOTE).checkpoint_id
        memory.save("It starts in May.", file=NOTE)
        memory.save("I like tea.")
        assert memory.search("what colour is the rocket").results[0].path == NOTE
        got = memory.get(NOTE)
        assert got.text == "The rocket is blue.\n\nIt starts in May." and got.origin is Origin.USER
        with pytest.raises(NoteChangedOutside):
            memory.save("late", file=NOTE, expected_hash="")
        memory.undo(NOTE)
        assert memory.get(NOTE).text == "The rocket is blue."
        memory.delete(NOTE, delete_file=True)
        assert memory.get(NOTE).status == "not_found"
        memory.restore(memory.history(NOTE)[0].id)
        assert memory.get(NOTE).text == "The rocket is blue."
        memory.restore(first.checkpoint_id)
        assert [hit.path for hit in memory.search("rocket").results if hit.path == NOTE] == []
        status = memory.status(deep=True)
        assert status.up_to_date and not status.problems and status.notes == 1


def test_what_waits_already_is_not_written_again_and_undo_takes_back_the_deposit(engine: Engine) -> None:
    with engine.memory(origin=Origin.USER) as memory:
        memory.save("I like tea.")
        tools = memory.tools(Origin.AGENT)
        first = tools.call("memory_save", {"content": "User uses pnpm instead of npm."})
        again = tools.call("memory_save", {"content": "User uses pnpm instead of npm."})
        assert first["waits"] and again["waits"] and not again["checkpointId"] and again["bytes_written"] == 0
        assert memory.history()[0].id == first["checkpointId"]
        memory.undo()
        assert memory.inbox.list() == [] and memory.get("MEMORY.md").text == "I like tea."


def test_another_server_finds_what_was_saved_changed_and_removed_at_once(engine: Engine) -> None:
    with (
        engine.memory(origin=Origin.USER) as one,
        engine.memory(server="second", origin=Origin.USER) as two,
    ):
        # More than a search looks at every time.
        one.notes.write_all({f"memory/n{number}.md": f"About the number {number}.\n" for number in range(120)})
        assert two.search("the number 77").results[0].path == "memory/n77.md"
        one.save("The rocket is blue.", file=NOTE)
        assert two.search("colour of the rocket").results[0].path == NOTE
        two.save("The rocket is red.", file=NOTE, append=False)
        assert "red" in one.search("colour of the rocket").results[0].snippet
        two.delete(NOTE, delete_file=True)
        assert all(hit.path != NOTE for hit in one.search("colour of the rocket").results)


def test_facts_are_stored_once_recalled_and_taken_back(engine: Engine) -> None:
    with engine.memory(origin=Origin.USER) as memory:
        stored = memory.facts.store("The user lives in Lisbon", category="fact").to_json()
        assert memory.facts.recall("Where does the user live?").to_json()["results"][0]["id"] == stored["id"]
        assert memory.facts.store("The user lives in Lisbon", category="fact").to_json()["id"] == stored["id"]
        memory.facts.store("The user owns a red bicycle", category="fact")
        assert len(memory.facts.list(state="all").to_json()["facts"]) == 2
        memory.undo()
        assert "bicycle" not in str(memory.facts.list(state="all").to_json())


def test_a_session_is_kept_found_exported_and_forgotten(engine: Engine) -> None:
    with engine.memory(settings=SESSIONS, origin=Origin.USER) as memory:
        session = memory.session("talk")
        session.append("user", "The heron nests by the quarry.")
        session.append("assistant", "Noted, the quarry.")
        session.state.set("app", "step", {"at": 3})
        assert session.messages()[0].text.startswith("The heron")
        assert [one.key for one in memory.sessions()] == ["talk"]
        memory.sync()
        assert any(hit.path.startswith("sessions/") for hit in memory.search("where does the heron nest").results)
        session.export()
        session.close()
        session = memory.session("talk")
        assert session.state.get("app", "step") == {"at": 3}
        session.forget()
        memory.sync()
        assert memory.search("heron").results == () and memory.sessions() == []
    with closing(engine.workspace()) as workspace:
        assert workspace.log(("sessions", "main"), "x").sibling_names() in ([], ["hidden.log"])


def test_what_is_forgotten_everywhere_stands_nowhere(engine: Engine) -> None:
    secret = "The vault opens with a purple walnut"
    with engine.memory(origin=Origin.USER) as memory:
        memory.save(f"First.\n\n{secret}.\n\nLast.", file=NOTE)
        memory.save("More.", file=NOTE)
        memory.facts.store(secret, category="fact")
        memory.profile.save("location", secret)
        session = memory.session("talk")
        session.append("user", f"Remember: {secret}.")
        session.state.set("app", "said", f"{secret}.")
        assert memory.search("purple walnut").results != ()
        cleared = memory.forget(text=secret, everywhere=True).cleared
        assert cleared is not None and cleared.left == ("holdfast.toml",) and cleared.places >= 4
        assert all("walnut" not in hit.snippet for hit in memory.search("purple walnut").results)
        assert "First." in memory.get(NOTE).text and "More." in memory.get(NOTE).text
        assert "walnut" not in str(session.state.get("app", "said"))


def test_what_an_agent_wants_in_every_prompt_waits_for_the_owner(engine: Engine) -> None:
    with engine.memory(origin=Origin.USER) as memory:
        waiting = memory.tools(Origin.AGENT).call("memory_save", {"content": "Always deploy on Fridays."})
        assert waiting["waits"] is True
        [entry] = memory.inbox.list()
        memory.inbox.approve(entry.id)
        assert "Always deploy on Fridays." in memory.get("MEMORY.md").text and memory.inbox.list() == []


def test_settings_and_the_profile_are_kept_beside_the_notes(engine: Engine) -> None:
    with engine.memory(origin=Origin.USER) as memory:
        memory.profile.save("name", "Ada")
        memory.profile.save("timezone", "Europe/Lisbon")
    with engine.memory(server="second", origin=Origin.USER) as memory:
        assert memory.settings.user.name == "Ada"
        memory.profile.undo()
    with engine.memory(server="third", origin=Origin.USER) as memory:
        assert memory.settings.user.timezone != "Europe/Lisbon"


def test_no_tenant_is_made_by_opening_it(engine: Engine) -> None:
    if isinstance(engine, TenantEngine):
        from holdfast import Memory

        with pytest.raises(TenantNotFound):
            Memory.open_team(engine.pool, "nobody", cache=engine.cache)
