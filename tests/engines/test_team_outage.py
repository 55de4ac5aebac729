"""Several servers over one database, and a database that goes away and comes back."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engines.postgres_server import LOGIN, TEMPLATE, PostgresServer, databases_of
from engines.team_serving import Team, populated, team_served
from surfaces.http.serving import Answer, Served

from holdfast.errors import Busy, DatabaseAway
from holdfast.postgres.postgres_pool import PostgresPool

NOTE = {"content": "The tide turns at four", "file": "memory/tide.md"}


def wait_for(happens: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not happens():
        assert time.monotonic() < until


def search(web: Served, query: str) -> tuple[list[str], str]:
    answer = web.call("POST", "/api/v1/search", {"query": query})
    assert answer.status == 200, answer.data
    return [hit["path"] for hit in answer.json["results"]], answer.json["because"]


def test_what_one_server_saves_another_finds_at_once_and_an_outage_leaves_reading(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    databases = databases_of(postgres)
    with (
        team_served(databases, tmp_path / "a") as one,
        team_served(databases, tmp_path / "b", tokens=one.tokens) as two,
    ):
        assert search(two.by("acme"), "tide")[0] == []
        assert one.by("acme").call("POST", "/api/v1/notes", NOTE).status == 201
        assert search(two.by("acme"), "when does the tide turn")[0] == ["memory/tide.md"]
        assert two.by("acme").call("GET", "/api/v1/notes/memory/tide.md").status == 200
        postgres.stop(signal.SIGQUIT)
        _away(two)
        postgres.start()
        _back(two, one)


def _away(team: Team) -> None:
    web = team.by("acme")
    paths, because = search(web, "when does the tide turn")
    assert paths == ["memory/tide.md"]
    assert "database is away" in because
    told: list[Answer] = []
    away: list[tuple[str, str, dict[str, Any] | None]] = [
        ("GET", f"/api/v1/{path}", None) for path in ("history", "history/days", "sessions", "agents", "status")
    ]
    for method, path, body in (
        *away,
        ("POST", "/api/v1/notes", {"content": "lost?", "file": "memory/lost.md"}),
        ("PUT", "/api/v1/notes/memory/lost.md", {"content": "lost?"}),
        ("POST", "/api/v1/call", {"method": "save", "arguments": {"content": "x", "file": "memory/lost.md"}}),
    ):
        answer = web.call(method, path, body)
        assert (answer.status, answer.error) == (503, "DatabaseAway"), (path, answer.data)
        assert int(answer.headers["retry-after"]) >= 1
        told.append(answer)
    told.append(web.call("POST", "/api/v1/tools/memory_save", {"arguments": {"content": "x", "file": "memory/l.md"}}))
    told.append(team.by("other", "reader").call("GET", "/api/v1/status"))  # nobody knows that token here
    told.append(team.web.by("holdfast_acme_" + "0" * 64).call("GET", "/api/v1/status"))
    assert [answer.status for answer in told[-3:]] == [503] * 3, told
    for answer in told:  # where the database stands is not for callers
        assert answer.json["error"]["message"].startswith("The database is away.")
        assert not any(word in answer.data.decode() for word in ("connection", "port", "socket", TEMPLATE, LOGIN))
    assert team.web.send("GET", "/health").status == 200
    ready = team.web.send("GET", "/ready")
    assert (ready.status, ready.json) == (503, {"ready": False, "because": "DatabaseAway"})
    assert "holdfast_database_up 0" in team.operator().call("GET", "/metrics").data.decode()


def _back(team: Team, other: Team) -> None:
    def saved(web: Served) -> bool:
        return web.call("POST", "/api/v1/notes", {"content": "Back again", "file": "memory/back.md"}).status == 201

    wait_for(lambda: saved(team.by("acme")))
    wait_for(lambda: team.web.send("GET", "/ready").status == 200)
    paths, because = search(other.by("acme"), "back again")
    assert (paths[0], because) == ("memory/back.md", ""), paths
    assert team.by("acme").call("GET", "/api/v1/notes/memory/lost.md").status == 404


def test_the_log_is_told_once_when_the_database_goes_and_once_when_it_is_back(postgres: PostgresServer) -> None:
    told: list[str] = []

    def ask(pool: PostgresPool) -> bool:
        try:
            return bool(pool.ask("acme", "SELECT 1"))
        except (DatabaseAway, Busy):
            return False

    with PostgresPool.open(databases_of(postgres).dsn, tell=told.append) as pool:
        assert ask(pool) and told == []
        postgres.stop(signal.SIGQUIT)
        assert not any(ask(pool) for _ in range(3))
        assert [line.partition(" (")[0] for line in told] == ["The database is away"]
        postgres.start()
        wait_for(lambda: ask(pool))
        assert ask(pool)
        assert len(told) == 2 and told[1].startswith("The database answers again, after")


def test_a_server_keeps_as_many_tenants_open_as_it_may_and_answers_for_all(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    databases = databases_of(postgres)
    names = [f"tenant{number}" for number in range(4)]
    tokens = populated(databases, *names)
    with team_served(databases, tmp_path, "--tenants", "2", "--cache-gb", "0", tokens=tokens) as team:
        for turn in range(2):
            for name in names:
                told = {"content": f"{name} said {turn}", "file": f"memory/{turn}.md"}
                assert team.by(name).call("POST", "/api/v1/notes", told).status == 201
                answer = team.by(name).call("POST", "/api/v1/search", {"query": "who said something"})
                found = {hit["snippet"] for hit in answer.json["results"]}
                assert found == {f"{name} said {earlier}" for earlier in range(turn + 1)}
        text = team.operator().call("GET", "/metrics").data.decode()
        open_now = [line for line in text.splitlines() if line.startswith("holdfast_tenants_open{")]
        assert len(open_now) <= 3
