"""A session that was forgotten leaves nothing to be had of it, and nobody keeps a record of it again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.errors import BadArgument, CheckpointNotFound, SessionNotFound
from holdfast.llm.chat_model import Role
from holdfast.operations.hook_log import note_hook
from holdfast.sessions.session_follow import RecordMessage, follow_at_end, follow_before_compaction
from holdfast.surfaces.adapters.framework_transcript import SpokenMessage, keep_spoken
from holdfast.surfaces.cli.main import main

SAID = "the zanzibarium code is blue"


def files_with(home: Path, word: str) -> list[str]:
    return sorted(
        str(path.relative_to(home)) for path in home.rglob("*") if path.is_file() and word.encode() in path.read_bytes()
    )


def talked(memory: Memory, key: str = "k") -> None:
    with memory.session(key) as session:
        session.append("user", SAID)
        session.append("assistant", "ok")
        session.export()


def test_the_exports_of_a_deleted_session_can_still_be_forgotten(home: Path) -> None:
    with Memory.open(home) as memory:
        talked(memory)
        memory.session("k").delete()
        assert len(memory.notes.list("memory/sessions/")) == 1
        memory.session("k").forget()
        assert memory.notes.list("memory/sessions/") == []
    assert files_with(home, "zanzibarium") == []


def test_the_exports_of_a_deleted_session_can_still_be_removed(home: Path) -> None:
    with Memory.open(home) as memory:
        talked(memory)
        memory.session("k").delete()
        memory.session("k").delete(everywhere=True)
        assert memory.notes.list("memory/sessions/") == []
        memory.session("k").forget()  # its checkpoints, of which the stamp tells
    assert files_with(home, "zanzibarium") == []


def test_a_session_that_never_was_is_not_forgotten(home: Path) -> None:
    with Memory.open(home) as memory:
        talked(memory)
        for work in (memory.session("slip").forget, memory.session("slip").delete):
            with pytest.raises(SessionNotFound):
                work()


def test_a_session_of_which_only_an_archive_is_left_can_be_deleted(home: Path) -> None:
    with Memory.open(home, settings={"memory.session_export": "off"}) as memory, memory.session("k") as session:
        session.append("user", SAID)
        session.reset()
        memory.ctx.state_store.delete_session("main", "k")
    with Memory.open(home) as memory:
        memory.session("k").delete()
    assert files_with(home, "zanzibarium") == []


def test_forgetting_is_finished_by_whoever_asks_again(home: Path) -> None:
    with Memory.open(home) as memory:
        talked(memory)
        memory.ctx.state_store.forget("main", "k", 0.0)  # as one does who is killed right after it
        memory.session("k").forget()
        with pytest.raises(SessionNotFound):
            memory.session("k").forget()
    assert files_with(home, "zanzibarium") == []


def test_no_checkpoint_brings_a_forgotten_session_back(home: Path) -> None:
    with Memory.open(home) as memory:
        talked(memory, "k")
        talked(memory, "other")
        memory.save("Lima is far away.", file="memory/a.md")
        memory.session("k").forget()
        left = {change.path for change in memory.history()}
        assert len(left) == 2 and "memory/a.md" in left
        for path in left - {"memory/a.md"}:
            assert SAID in memory.notes.read(path).text  # the other session's stays as it is
        memory.session("other").forget()
        assert [change.path for change in memory.history()] == ["memory/a.md"]
        memory.undo()
        with pytest.raises(CheckpointNotFound):
            memory.undo()
    assert files_with(home, "zanzibarium") == []


def test_what_the_hooks_wrote_down_of_a_forgotten_session_goes_too(home: Path) -> None:
    with Memory.open(home) as memory:
        talked(memory, "claude-code:5d2c1f6e-07")
        path = memory.notes.list("memory/sessions/")[0].path
        note_hook(str(home), "claude-code", "session-end", f"2 messages, 0 facts, wrote {path}")
        note_hook(str(home), "claude-code", "session-end", "StorageFailed: session 5d2c1f6e-07 can't be written")
        note_hook(str(home), "claude-code", "session-end", "gave up after 2 s")
        memory.session("claude-code:5d2c1f6e-07").forget()
    log = (home / "state" / "hooks.log").read_text()
    assert log.count("\n") == 1 and log.endswith("gave up after 2 s\n")


def test_a_hook_keeps_nothing_of_a_forgotten_session(home: Path) -> None:
    with Memory.open(home) as memory:
        talked(memory)
        memory.session("k").forget()
        for keep in (follow_at_end, follow_before_compaction):
            with memory.session("k") as session:
                kept = keep(
                    session, [RecordMessage(Role.USER, SAID), RecordMessage(Role.USER, "My name is Zanzibaria.")]
                )
            assert (kept.added, kept.facts, kept.notes) == (0, 0, ()) and "forgotten" in kept.because
        assert keep_spoken(memory, "k", [SpokenMessage(Role.USER, SAID)], export=True) == 0
        assert memory.sessions() == []
    assert files_with(home, "anzibari") == []


def test_a_forgotten_session_that_is_let_in_again_is_kept_again(home: Path) -> None:
    with Memory.open(home) as memory:
        talked(memory)
        memory.session("k").forget()
        memory.session("k").exclude(False)
        assert memory.sessions() == []  # nothing was said in it yet
        assert keep_spoken(memory, "k", [SpokenMessage(Role.USER, SAID)]) == 1


def test_values_that_were_not_there_make_no_session(home: Path) -> None:
    with Memory.open(home) as memory:
        state = memory.session("never").state
        assert not state.delete("n", "k")
        assert state.clear() == state.clear("n") == 0
        assert not state.compare_and_set("n", "k", 1, 2)
        with pytest.raises(BadArgument):
            state.set("n", "k", object())
        assert memory.sessions() == []
        assert state.compare_and_set("n", "k", None, 2)
        assert [one.key for one in memory.sessions()] == ["never"]


def test_the_command_line_excludes_and_forgets_as_the_library_does(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Memory.open(home) as memory:
        talked(memory)
        memory.session("k").delete()
    where = ["--home", str(home)]
    assert main(["session", "forget", "k", "--yes", *where]) == 0
    assert main(["session", "exclude", "later", *where]) == 0
    assert main(["session", "forget", "slip", "--yes", *where]) != 0
    capsys.readouterr()
    assert main(["session", "list", "--json", *where]) == 0
    listed = json.loads(capsys.readouterr().out)["sessions"]
    assert [(one["key"], one["excluded"]) for one in listed] == [("later", True)]
    assert files_with(home, "zanzibarium") == []
