"""Everything in the home is for its owner alone, whatever made it and however open the umask is (SECURITY.md)."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from commandline import done, holdfast
from faults.every_operation import operations
from surfaces.http.serving import served

from holdfast import Memory
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.errors import HoldfastError
from holdfast.guard.origin import Origin

pytestmark = [pytest.mark.fault, pytest.mark.promise("P12")]

VECTORS = 2_100  # from 2,000 on they have a file of their own beside the index


@pytest.fixture(autouse=True)
def open_umask() -> Iterator[None]:
    """The most open one: what is not said to be private is everybody's."""
    before = os.umask(0)
    yield
    os.umask(before)


def left_open(home: Path) -> list[str]:
    """What in a home, and the home itself, others may read, write or enter."""
    wrong = []
    for path in [home, *sorted(home.rglob("*"))]:
        mode = stat.S_IMODE(path.lstat().st_mode)
        if mode != (0o700 if path.is_dir() else 0o600) and not _is_object(path, home):
            wrong.append(f"{path.relative_to(home)} {mode:o}")
    return wrong


def _is_object(path: Path, home: Path) -> bool:
    """Stored texts of checkpoints are never written again, and so not even their owner may write to them."""
    kept = "objects" in path.relative_to(home).parts and path.is_file()
    return kept and stat.S_IMODE(path.stat().st_mode) == 0o400


def test_the_library_leaves_nothing_open(home: Path, tmp_path: Path) -> None:
    settings = {"memory.sources": ["memory", "sessions"], "memory.store.path": "state/deep/er/{agentId}.sqlite"}
    with Memory.open(home, settings=settings, embedder=FakeEmbedder(), origin=Origin.USER) as memory:
        for name, call in operations(memory, tmp_path).items():
            with suppress(HoldfastError):
                call()
            memory.ctx.session_index.wait()
            assert left_open(home) == [], name
        for first in range(0, VECTORS, 700):
            # A line of MEMORY.md is a chunk of its own.
            memory.save("".join(f"- The heron {number} waits.\n" for number in range(first, first + 700)))
        memory.sync()
        memory.sync(force=True)
        assert list(home.rglob("*.space*")) and list(home.rglob("*.building"))
        assert left_open(home) == []
    assert left_open(home) == []


def test_a_damaged_index_and_a_damaged_state_leave_nothing_open(home: Path) -> None:
    with Memory.open(home) as memory:
        memory.save("- An otter swims.\n")
        memory.session("work").append("user", "Hello.")
        memory.session("work").state.set("plan", "a", 1)
    for name in ("main.sqlite", "sessions.sqlite"):
        (home / "state" / name).write_bytes(b"\xff" * 40_000)
    with Memory.open(home) as memory:
        assert "otter" in memory.search("otter").results[0].snippet
        memory.session("work").state.set("plan", "b", 2)
        assert list(home.rglob("main.sqlite.lock"))
        assert left_open(home) == []


def test_the_commands_leave_nothing_open(home: Path, tmp_path: Path) -> None:
    done("init")
    done("save", "The launch moved to 3 March", "--file", "memory/launch.md")
    done("save", "Chose PostgreSQL over MySQL.")
    done("search", "when do we launch?")
    done("get", "MEMORY.md")
    done("index", "--force")
    done("facts", "add", "Prefers tea to coffee.")
    done("user", "set", "name", "Ada")
    done("config", "set", "memory.citations", "on")
    done("dream")
    done("export", str(tmp_path / "all.zip"))
    holdfast("import", str(tmp_path / "all.zip"))
    done("undo")
    done("history")
    done("prune")
    done("purge", "MEMORY.md", "--yes")
    done("forget", "--everywhere", "--text", "The launch moved to 3 March", "--yes")
    holdfast("doctor")
    done("status")
    done("session", "list")
    assert left_open(home) == []


def test_a_server_leaves_nothing_open(home: Path) -> None:
    with served(home) as server:
        server.call("POST", "/api/v1/tools/memory_save", {"arguments": {"content": "- An otter swims.\n"}})
        server.call("PUT", "/api/v1/sessions/work/state/plan/a", {"value": 1})
        assert server.call("POST", "/api/v1/search", {"query": "otter"}).status == 200
        assert server.call("GET", "/api/v1/status").status == 200
        assert left_open(home) == []
    assert left_open(home) == []
