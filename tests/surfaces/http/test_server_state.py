"""What a server holds open stays bounded, whatever it is asked; and writes are told once."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from holdfast import Memory, Origin
from holdfast.operations.write_events import WriteFeed
from holdfast.surfaces.http.background import Background
from holdfast.surfaces.http.credentials import Entry
from holdfast.surfaces.http.event_stream import Bus
from holdfast.surfaces.http.server_state import ServerState
from holdfast.surfaces.memory_pool import MemoryPool


def test_of_many_agents_the_memories_of_a_few_stay_open(tmp_path: Path) -> None:
    memories = MemoryPool(str(tmp_path / "home"))
    first = memories.call(lambda memory: memory, "agent-0")
    for number in range(40):
        memories.call(lambda memory: memory.history(), f"agent-{number}")
    assert list(memories._idle) == [f"agent-{number}" for number in range(32, 40)]
    assert first.ctx._closed
    assert memories.call(lambda memory: memory.agent, "agent-0") == "agent-0"
    memories.close()
    assert memories._idle == {}


def test_a_memory_that_was_used_last_is_used_next(tmp_path: Path) -> None:
    memories = MemoryPool(str(tmp_path / "home"))
    with memories.memory() as one, memories.memory() as other:
        assert one is not other
    with memories.memory() as again:
        assert again is one
    memories.renew()
    with memories.memory() as anew:
        assert anew not in (one, other)
    memories.close()


def test_what_the_owner_changes_in_the_settings_holds_from_the_next_lending_on(home: Path) -> None:
    memories = MemoryPool(str(home))
    told: list[str] = []
    memories.on_renewed.append(lambda: told.append("renewed"))
    with memories.memory() as first:
        pass
    with memories.memory() as same:
        assert same is first, "nothing has changed"
        (home / "holdfast.toml").write_text("[memory.search]\nmax_results = 3\n")
        with memories.memory() as other:
            assert (other.settings.search.max_results, len(told)) == (3, 1)
    with memories.memory() as again:
        assert again is other, "the one that was lent before the change has been closed"
    (home / "holdfast.toml").unlink()
    memories.renew()
    with memories.memory() as last:
        assert (last.settings.search.max_results == 3, len(told)) == (False, 2)
    memories.close()
    assert len(told) == 2


def test_each_write_is_told_once_by_its_checkpoint_or_as_outside(home: Path) -> None:
    with Memory.open(home, origin=Origin.USER) as memory:
        memory.save("before anybody looked")
        workspace = memory.ctx.workspace
        happenings = WriteFeed(workspace)
        assert happenings.look(workspace, ["MEMORY.md"]) == []
        first, second = (
            memory.save("one", file="memory/a.md").checkpoint_id,
            memory.save("two", file="memory/a.md").checkpoint_id,
        )
        told = happenings.look(workspace, ["memory/a.md", "MEMORY.md"])
        assert [(one.path, one.checkpoint) for one in told] == [("memory/a.md", first), ("memory/a.md", second)]
        assert happenings.look(workspace, ["memory/a.md"]) == []
        (home / "memory" / "a.md").write_text("by hand\n")
        (home / "memory" / "b.md").write_text("by hand, too\n")
        told = happenings.look(workspace, ["memory/a.md", "memory/b.md"])
        assert [(one.path, one.origin, one.checkpoint) for one in told] == [
            ("memory/a.md", "outside", ""),
            ("memory/b.md", "outside", ""),
        ]
        assert happenings.look(workspace, ["memory/a.md", "memory/b.md"]) == []
        memory.purge("memory/a.md")
        third = memory.save("three", file="memory/a.md").checkpoint_id
        assert [one.checkpoint for one in happenings.look(workspace)] == [third]


def test_a_house_that_can_not_open_its_home_still_has_figures(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file where the home should be")
    server = ServerState(MemoryPool(str(tmp_path / "home")), Entry("t" * 43))
    assert "holdfast_uptime_seconds" in server.figures()
    server.look(None)
    server.stop()


def test_what_runs_in_the_background_ends_when_it_is_told_to_and_not_at_its_next_look(tmp_path: Path) -> None:
    server = ServerState(MemoryPool(str(tmp_path / "home")), Entry("t" * 43))
    synced = threading.Event()

    class Listening(Bus):
        def tell(self, kind: str, agent: str, data: dict[str, Any]) -> None:
            super().tell(kind, agent, data)
            synced.set()

    server.bus = Listening()
    background = Background(server, watch=False, tick=3600.0)
    background.start()
    assert synced.wait(30)
    background.stop(30)
    assert not background.is_running
    server.stop()


def test_a_home_that_cant_be_opened_is_told_of_and_followed_once_it_can(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.write_text("a file where the home should be")
    server = ServerState(MemoryPool(str(home)), Entry("t" * 43))
    told: list[str] = []
    failed, synced = threading.Event(), threading.Event()

    class Listening(Bus):
        def tell(self, kind: str, agent: str, data: dict[str, Any]) -> None:
            super().tell(kind, agent, data)
            synced.set()

    def log(why: str) -> None:
        told.append(why)
        failed.set()

    server.bus = Listening()
    background = Background(server, watch=False, log=log, tick=3600.0)
    background.start()
    assert failed.wait(30)
    home.unlink()
    server.memories.renew()  # as a change of the settings does it: nobody waits for the next try
    assert synced.wait(30)
    background.stop(30)
    server.stop()
    assert len(told) == 1 and told[0].startswith("the background work failed: ")
