"""A home moves into a tenant and out again: notes byte for byte, history, sessions, profile and settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from commandline import holdfast
from engines.postgres_server import Databases

from holdfast import Memory
from holdfast.guard.origin import Origin
from holdfast.postgres.postgres_pool import PostgresPool

ASKED = ("when does the tide turn", "what do I drink", "launch", "dentist")


def furnish(home: Path) -> None:
    """Put something of every kind into a home."""
    with Memory.open(home, origin=Origin.USER) as memory:
        memory.save("The tide turns at four", file="memory/tide.md")
        memory.save("It turns at five in winter ⚓", file="memory/tide.md")
        memory.save("A mistake", file="memory/wrong.md")
        memory.undo()
        memory.save("We launch in March", file="MEMORY.md")
        memory.facts.store("I drink oolong tea.")
        memory.facts.store("I drink green tea.")
        memory.profile.save("name", "Anna")
        with memory.session("main") as session:
            session.append("user", "I have to see the dentist on Monday")
            session.append("assistant", "Noted.")
            session.state.set("app", "count", 3)
        with memory.session("hidden") as session:
            session.append("user", "Nobody needs to know")
            session.exclude()
        with memory.session("gone") as session:
            session.append("user", "Forget this")
            session.forget()
    with Memory.open(home, "helper") as memory:
        memory.save("The helper knows the launch code path", file="memory/helper.md")
    (home / "holdfast.toml").write_text("[memory.search]\nmax_results = 5\n", encoding="utf-8")


def shown(memory: Memory) -> dict[str, Any]:
    """What a memory says of itself, without what depends on the machine."""
    found = {
        query: [(hit.path, hit.start_line, hit.snippet) for hit in memory.search(query).results] for query in ASKED
    }
    return {
        "history": [(one.id, one.path, one.origin, one.tool, one.seq) for one in memory.history(limit=100)],
        "times": [one.at for one in memory.history(limit=100)],
        "found": found,
        "facts": [fact.text for fact in memory.facts.list().facts],
        "sessions": sorted((one.key, one.kind, one.channel, one.excluded) for one in memory.sessions()),
        "profile": memory.profile.read().name,
        "max_results": memory.settings.search.max_results,
    }


def assert_same(now: dict[str, Any], before: dict[str, Any]) -> None:
    """Compare what a memory says of itself before and after; a database keeps the microseconds of a time."""
    assert now["times"] == pytest.approx(before["times"], rel=0, abs=1e-5)
    assert now | {"times": []} == before | {"times": []}


def test_a_home_is_the_same_in_a_tenant_and_out_of_it_again(databases: Databases, tmp_path: Path) -> None:
    home, back = tmp_path / "before", tmp_path / "after"
    furnish(home)
    with Memory.open(home) as memory:
        before = shown(memory)
    done = holdfast("db", "import", str(home), "acme", "--database", databases.admin, "--json")
    assert done.status == 0, done.err
    assert (done.json["agents"], done.json["notes"], done.json["transcripts"]) == (2, 4, 2)
    with PostgresPool.open(databases.dsn) as pool:
        with Memory.open_team(pool, "acme", cache=tmp_path / "cache") as memory:
            assert_same(shown(memory), before)
            with memory.session("main") as session:
                assert session.state.get("app", "count") == 3
                assert next(entry.text for entry in session.messages()).startswith("I have to see")
            with memory.session("gone") as session:
                assert session.forgotten
        with Memory.open_team(pool, "acme", "helper", cache=tmp_path / "cache") as memory:
            assert memory.get("memory/helper.md").text.startswith("The helper knows")
    done = holdfast("db", "export", "acme", str(back), "--database", databases.admin, "--json")
    assert done.status == 0, done.err
    assert files_of(back) == files_of(home)
    with Memory.open(back) as memory:
        assert_same(shown(memory), before)
        memory.undo()
        assert len(memory.history(limit=100)) > len(before["history"])


def files_of(home: Path) -> dict[str, bytes]:
    """All that is the owner's in a home: notes, transcripts, profile, settings."""
    kept = (*home.rglob("*.md"), *home.rglob("*.jsonl"), *home.rglob("holdfast.toml"))
    return {path.relative_to(home).as_posix(): path.read_bytes() for path in kept if "checkpoints" not in path.parts}


def test_a_home_is_copied_only_into_what_is_empty(databases: Databases, tmp_path: Path) -> None:
    home = tmp_path / "one"
    furnish(home)
    address = ("--database", databases.admin)
    assert holdfast("db", "import", str(home), "acme", *address).status == 0
    again = holdfast("db", "import", str(home), "acme", *address)
    assert again.status == 2
    assert "has something already" in again.err
    assert holdfast("db", "import", str(tmp_path / "nowhere"), "new", *address).status == 3
    assert holdfast("db", "export", "acme", str(home), *address).status == 2
    assert holdfast("db", "export", "nobody", str(tmp_path / "empty"), *address).status == 3


def test_what_no_tenant_can_have_is_named_when_a_home_is_copied(databases: Databases, tmp_path: Path) -> None:
    memory = tmp_path / "one/memory"
    memory.mkdir(parents=True)
    (memory / "kept.md").write_bytes(b"bytes that are no text \xff\r\n")
    (memory / "picture.png").write_bytes(b"\x89PNG")
    (memory / "link.md").symlink_to("/etc/hostname")
    done = holdfast("db", "import", str(tmp_path / "one"), "acme", "--database", databases.admin, "--json")
    assert done.json["notes"] == 1
    assert [left["path"] for left in done.json["left_out"]] == ["memory/link.md", "memory/picture.png"]
    told = holdfast("db", "import", str(tmp_path / "one"), "other", "--database", databases.admin)
    assert "Not copied: memory/picture.png (it is an image, and tenants have none)" in told.err
    assert holdfast("db", "export", "acme", str(tmp_path / "two"), "--database", databases.admin).status == 0
    assert (tmp_path / "two/memory/kept.md").read_bytes() == b"bytes that are no text \xff\r\n"
