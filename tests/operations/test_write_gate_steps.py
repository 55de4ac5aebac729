"""What `memory.agent_write_mode` stops is stopped as a whole: nothing is half done, and the reason is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import done
from dreaming.asking import NOTE, NOW, TEA, asked_for, everything, prompt
from facts.exchange.exports_of_others import claude, zipped

from holdfast import Memory
from holdfast.checkpoints.change import Authorship, GroupStep, note_before, put_note
from holdfast.checkpoints.checkpoint_store import open_for_writing
from holdfast.clock import FakeClock
from holdfast.errors import WriteModeRefused
from holdfast.guard.origin import Origin
from holdfast.guard.paths import writable_path
from holdfast.llm.chat_model import Role
from holdfast.llm.scripted_model import ScriptedModel
from holdfast.sessions.session_follow import RecordMessage, follow_at_end

OFF = {"memory.agent_write_mode": "off"}
MODES = ("off", "prompt-only", "search-only")


def told(home: Path) -> None:
    """A conversation that was exported."""
    with Memory.open(home) as memory, memory.session("told") as session:
        session.append("user", "what is a quince?")
        session.append("assistant", "a fruit")
        session.export()


@pytest.mark.parametrize("way", ["delete", "forget"])
def test_a_session_whose_export_must_stay_keeps_its_transcript_as_well(home: Path, way: str) -> None:
    told(home)
    before = everything(home)
    with Memory.open(home, settings=OFF) as memory, memory.session("told") as session:
        with pytest.raises(WriteModeRefused):
            session.forget() if way == "forget" else session.delete(everywhere=True)
        assert [entry.text for entry in session.messages()] == ["what is a quince?", "a fruit"]
        session.delete()
    assert everything(home) == before, "the transcript goes, the note stays"


def test_a_session_without_exports_is_forgotten_in_every_mode(home: Path) -> None:
    with Memory.open(home, settings=OFF) as memory, memory.session("brief") as session:
        session.append("user", "hello")
        session.forget()
        assert memory.sessions() == []


def test_a_conversation_begins_anew_where_no_export_may_be_written(home: Path) -> None:
    with Memory.open(home, settings=OFF) as memory, memory.session() as session:
        session.append("user", "what is a quince?")
        with pytest.raises(WriteModeRefused):
            session.export()
        assert session.reset() is None
        assert session.messages() == [] and session.transcript.archives()
        session.append("user", "and a medlar?")
        assert session.new().follows is None
    assert everything(home) == {}


def test_a_hook_says_why_it_wrote_no_note(home: Path) -> None:
    with Memory.open(home, settings=OFF) as memory, memory.session("hooked") as session:
        kept = follow_at_end(
            session, [RecordMessage(Role.USER, "I live in Lisbon"), RecordMessage(Role.ASSISTANT, "noted")]
        )
    assert (kept.added, kept.facts, kept.notes) == (2, 0, ())
    assert "agent_write_mode" in kept.because
    assert everything(home) == {}


def test_a_program_dreams_in_prompt_only_mode_without_a_report(home: Path) -> None:
    clock = FakeClock(NOW)
    with Memory.open(home, origin=Origin.USER, clock=clock) as memory:
        memory.save(f"- {TEA}\n", file=NOTE)
        asked_for(memory, clock)
    with Memory.open(home, settings={"memory.agent_write_mode": "prompt-only"}, clock=clock) as memory:
        made = memory.dreams.run()
        assert [one.text for one in made.of("promoted")] == [TEA] and TEA in prompt(home)
        assert made.report == "" and "agent_write_mode" in made.because
    assert not (home / "memory/dreams").exists()


def test_a_profile_that_a_program_may_not_save_stays_out_of_the_settings_too(home: Path) -> None:
    with Memory.open(home, settings=OFF) as memory:
        with pytest.raises(WriteModeRefused):
            memory.profile.save("name", "Mallory")
        assert memory.profile.read().name != "Mallory"
    assert not (home / "holdfast.toml").exists() and not (home / "USER.md").exists()


def test_no_model_is_asked_for_facts_that_could_not_be_kept(home: Path) -> None:
    model = ScriptedModel("[]")
    with Memory.open(home, settings={**OFF, "capture.llm.enabled": True}) as memory, memory.session() as session:
        session.append("user", "On Sunday we take our boat, the Otter, to the lake")
        made = session.capture(model, force=True)
    assert model.requests == [] and not made.asked and "agent_write_mode" in made.because


def test_whoever_may_write_nothing_still_takes_back_what_a_dead_writer_left_half_done(home: Path) -> None:
    with Memory.open(home, origin=Origin.USER) as memory:
        memory.save("- before", file="memory/a.md")
        workspace = memory.ctx.workspace
        with workspace.lock(), open_for_writing(workspace) as place:
            half = GroupStep("", 1, 2)
            note = note_before(place, writable_path("memory/a.md"))
            put_note(place, note, b"- half of a group\n", Authorship(Origin.USER, "test", memory.ctx.clock), part=half)
    with Memory.open(home, settings=OFF) as memory, pytest.raises(WriteModeRefused):
        memory.undo()
    assert (home / "memory/a.md").read_text(encoding="utf-8") == "- before\n"


@pytest.mark.parametrize("mode", MODES)
def test_every_command_of_the_owner_works_in_every_mode(home: Path, tmp_path: Path, mode: str) -> None:
    told(home)
    bundle = zipped(tmp_path / "claude.zip", claude())
    done("config", "set", "memory.agent_write_mode", mode)
    saved = done("save", "- The launch moved to 3 March", "--json").json["checkpointId"]
    done("save", "- Chose PostgreSQL", "--file", "memory/a.md")
    done("delete", "memory/a.md", "--text", "PostgreSQL")
    done("undo", "memory/a.md")
    done("forget", "--text", "Chose PostgreSQL")
    done("undo")
    done("restore", saved)
    done("undo")
    assert "3 March" in prompt(home)
    fact = done("facts", "add", "I live in Lisbon", "--json").json["id"]
    done("facts", "archive", fact)
    done("facts", "restore", fact)
    done("facts", "forget", fact)
    done("import", str(bundle), "--yes")
    done("undo", "--origin", "import")
    done("dream")
    done("user", "set", "name", "Ada")
    done("user", "undo")
    done("session", "export", "told")
    done("session", "forget", "told", "--yes")
    assert not list(home.glob("memory/sessions/*.md"))
    done("forget", "--text", "The launch moved to 3 March", "--everywhere", "--yes")
    assert "3 March" not in prompt(home)
    done("purge", "memory/a.md", "--yes")
