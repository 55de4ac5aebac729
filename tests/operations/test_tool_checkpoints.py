"""checkpoints_list and checkpoint_restore, and what Memory adds to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.errors import BadArgument, BadPath, CheckpointNotFound, NoteChangedOutside
from holdfast.guard.origin import Origin


def test_changes_are_listed_newest_first_with_who_and_how() -> None:
    with Memory.open(clock=FakeClock(1_700_000_000)) as memory:
        memory.save("one")
        memory.tools().call("memory_save", {"content": "two", "file": "memory/a.md", "append": False})
        listed = memory.tools().call("checkpoints_list")
        ids = [change.id for change in memory.history()]
    assert listed["count"] == 2
    assert [one["id"] for one in listed["checkpoints"]] == ids
    assert listed["checkpoints"][0] == {
        "id": ids[0],
        "seq": 2,
        "createdAt": "2023-11-14T22:13:20+00:00",
        "path": "memory/a.md",
        "origin": "agent",
        "tool": "memory_save",
        "reason": "replace",
        "existed": False,
        "exists": True,
    }
    assert listed["checkpoints"][1]["origin"] == "api"


def test_the_list_takes_a_limit_and_a_note() -> None:
    with Memory.open() as memory:
        for number in range(5):
            memory.save(str(number), file=f"memory/{number % 2}.md")
        tools = memory.tools()
        assert tools.call("checkpoints_list", {"limit": 2})["count"] == 2
        paths = [one["path"] for one in tools.call("checkpoints_list", {"path": "memory/1.md"})["checkpoints"]]
        assert paths == ["memory/1.md", "memory/1.md"]
        assert tools.call("checkpoints_list", {"path": "memory/none.md"}) == {"count": 0, "checkpoints": []}


@pytest.mark.parametrize("limit", [0, -1, 1001])
def test_a_limit_out_of_range_is_refused(limit: int) -> None:
    with Memory.open() as memory:
        assert memory.tools().call("checkpoints_list", {"limit": limit})["error"]["type"] == "BadArgument"
        with pytest.raises(BadArgument):
            memory.history(limit=limit)


def test_a_bad_path_is_refused_also_where_no_file_is_opened() -> None:
    with Memory.open() as memory:
        assert memory.tools().call("checkpoints_list", {"path": "../x.md"})["error"]["type"] == "BadPath"
        for call in (memory.history, memory.undo, memory.purge):
            with pytest.raises(BadPath):
                call("../../etc/passwd")


@pytest.mark.parametrize("wall", [1e18, -1e18, 1e11, float("nan")])
def test_a_clock_gone_wild_does_not_hide_the_history(wall: float) -> None:
    with Memory.open(clock=FakeClock(wall)) as memory:
        memory.save("x")
        (listed,) = memory.tools().call("checkpoints_list")["checkpoints"]
        assert listed["createdAt"] is None or isinstance(listed["createdAt"], str)


def test_restore_is_exact_and_can_itself_be_undone(home: Path) -> None:
    (home / "memory").mkdir(parents=True)
    file = home / "memory/a.md"
    file.write_bytes(b"\xef\xbb\xbfold\r\nbytes")
    with Memory.open() as memory:
        memory.save("new", file="memory/a.md", append=False)
        done = memory.tools().call("checkpoint_restore", {"id": memory.history()[0].id})
        assert done == {"restored": True, "path": "memory/a.md", "exists": True, "checkpointId": memory.history()[0].id}
        assert file.read_bytes() == b"\xef\xbb\xbfold\r\nbytes"
        memory.restore(done["checkpointId"])
        assert file.read_bytes() == b"\xef\xbb\xbfnew\r\n"
        assert "new" in memory.search("new").results[0].snippet


def test_restoring_a_note_that_was_new_removes_it(home: Path) -> None:
    with Memory.open() as memory:
        checkpoint = memory.save("x", file="memory/a.md").checkpoint_id
        assert memory.tools().call("checkpoint_restore", {"id": checkpoint})["exists"] is False
        assert not (home / "memory/a.md").exists()
        assert not memory.search("x").results


@pytest.mark.parametrize("checkpoint", ["", "c", "cffffffffffff", "../x", "\ud800abc", "nope" * 100])
def test_an_unknown_checkpoint_is_not_found(checkpoint: str) -> None:
    with Memory.open() as memory:
        memory.save("x")
        assert memory.tools().call("checkpoint_restore", {"id": checkpoint})["error"]["type"] == "CheckpointNotFound"
        for call in (memory.restore, memory.diff):
            with pytest.raises(CheckpointNotFound):
                call(checkpoint)


def test_undo_steps_back_one_change_at_a_time(home: Path) -> None:
    with Memory.open(origin=Origin.USER) as memory:
        for word in ("one", "two", "three"):
            memory.save(word)
        for expected in ("one\n\ntwo\n", "one\n"):
            assert memory.undo().existed is True
            assert (home / "MEMORY.md").read_text(encoding="utf-8") == expected
        assert memory.undo().existed is False
        with pytest.raises(CheckpointNotFound):
            memory.undo()


def test_undo_refuses_to_overwrite_an_outside_edit_unless_forced(home: Path) -> None:
    with Memory.open(origin=Origin.USER) as memory:
        memory.save("one")
        (home / "MEMORY.md").write_text("edited\n", encoding="utf-8")
        with pytest.raises(NoteChangedOutside):
            memory.undo()
        assert (home / "MEMORY.md").read_text(encoding="utf-8") == "edited\n"
        memory.undo(force=True)
        memory.restore(memory.history()[0].id)
    assert (home / "MEMORY.md").read_text(encoding="utf-8") == "edited\n"


def test_diff_shows_what_a_change_did_and_what_differs_now() -> None:
    with Memory.open(origin=Origin.USER) as memory:
        memory.save("one")
        checkpoint = memory.save("two").checkpoint_id
        memory.save("three")
        assert "+two" in memory.diff(checkpoint)
        assert "+three" not in memory.diff(checkpoint)
        assert "+three" in memory.diff(checkpoint, against_now=True)


def test_purge_and_prune_drop_checkpoints_and_keep_the_note(home: Path) -> None:
    with Memory.open() as memory:
        memory.save("secret", file="memory/a.md")
        memory.delete("memory/a.md", text="secret", delete_if_empty=False)
        memory.save("kept", file="memory/b.md")
        assert memory.prune().changes == 0
        assert memory.purge("memory/a.md").changes == 2
        assert [change.path for change in memory.history()] == ["memory/b.md"]
    assert b"secret" not in b"".join(
        file.read_bytes() for file in (home / "state/checkpoints").rglob("*") if file.is_file()
    )


def test_the_surface_stamps_the_origin() -> None:
    with Memory.open(origin=Origin("user")) as memory:
        memory.save("x")
        memory.tools(Origin("mcp_tool")).call("memory_save", {"content": "y"})
        memory.save("z")
        assert [change.origin for change in memory.history()] == ["user", "mcp_tool", "user"]
