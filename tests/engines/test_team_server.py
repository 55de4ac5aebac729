"""`holdfast serve --database`: tenants by tokens, roles, limits, figures, health."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import anyio
import httpx2
import psycopg
import pytest
from engines.postgres_server import Databases, fresh_databases
from engines.team_serving import Team, team_served
from mcp import Client
from surfaces.http.serving import Served

from holdfast.postgres.access_tokens import Role
from holdfast.postgres.postgres_pool import PostgresPool
from holdfast.postgres.tenant_files import store_settings
from holdfast.surfaces.client.call_table import CALLS
from holdfast.surfaces.http import role_access
from holdfast.surfaces.http.route_table import ROUTES

NOTE = {"content": "The tide turns at four", "file": "memory/tide.md"}


@pytest.fixture(scope="module")
def team(postgres_port: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    with (
        fresh_databases(postgres_port) as databases,
        team_served(databases, tmp_path_factory.mktemp("team"), "--tools", "all") as running,
    ):
        yield running


def found(web: Served, query: str) -> list[str]:
    answer = web.call("POST", "/api/v1/search", {"query": query})
    assert answer.status == 200, answer.data
    return [hit["path"] for hit in answer.json["results"]]


def test_what_a_tenant_saves_it_finds_and_no_other_does(team: Team) -> None:
    assert team.by("acme").call("POST", "/api/v1/notes", NOTE).status == 201
    assert found(team.by("acme"), "when does the tide turn") == ["memory/tide.md"]
    assert found(team.by("acme", "reader"), "when does the tide turn") == ["memory/tide.md"]
    assert found(team.by("other"), "when does the tide turn") == []
    assert team.by("other").call("GET", "/api/v1/notes/memory/tide.md").status == 404


def test_a_reader_changes_nothing_by_any_route(team: Team) -> None:
    reader = team.by("acme", "reader")
    before = team.by("acme").call("GET", "/api/v1/history?limit=1").json
    for route in ROUTES:
        changes = route.method != "GET" and not route.reads
        if changes and f"{route.method} {route.path}" not in role_access._CALLS:
            path = route.path.replace("{path+}", "memory/tide.md").replace("{", "").replace("+}", "").replace("}", "")
            answer = reader.call(route.method, path, {} if route.method in ("POST", "PUT", "PATCH") else None)
            assert answer.status == 403, (route.method, path, answer.data)
    for method in (name for name, call in CALLS.items() if not call.reads):
        answer = reader.call("POST", "/api/v1/call", {"method": method, "session": {"key": "main"}})
        assert (answer.status, answer.error) == (403, "ReadOnlyToken"), method
    for tool in ("memory_save", "memory_forget", "store", "no_such_tool"):
        answer = reader.call("POST", f"/api/v1/tools/{tool}", {"arguments": {"content": "x"}})
        assert (answer.status, answer.error) == (403, "ReadOnlyToken"), tool
    assert reader.call("POST", "/api/v1/tools/memory_search", {"arguments": {"query": "tide"}}).status == 200
    assert team.by("acme").call("GET", "/api/v1/history?limit=1").json == before


def test_an_agent_writes_in_its_own_name_and_decides_nothing_in_the_owners(team: Team) -> None:
    agent = team.by("acme", "agent")
    assert agent.call("POST", "/api/v1/notes", {"content": "By an agent", "file": "memory/agent.md"}).status == 201
    [last] = team.by("acme").call("GET", "/api/v1/history?limit=1").json["checkpoints"]
    assert last["origin"] == "agent"
    for method, path in (
        *(("POST", "/api/v1/purge"), ("POST", "/api/v1/prune"), ("POST", "/api/v1/export"), ("POST", "/api/v1/import")),
        *(("PATCH", "/api/v1/settings"), ("POST", "/api/v1/inbox/x/approve"), ("PUT", "/api/v1/profile")),
    ):
        assert agent.call(method, path, {}).status == 403, path
    answer = agent.call("POST", "/api/v1/call", {"method": "purge", "arguments": {"path": "memory/tide.md"}})
    assert (answer.status, answer.error) == (403, "NotPermitted")


def test_an_owner_sets_what_is_the_tenants_and_not_what_is_the_operators(team: Team) -> None:
    owner = team.by("other")
    answer = owner.call("PATCH", "/api/v1/settings", {"changes": {"memory.search.max_results": 3}})
    assert answer.status == 200, answer.data
    assert owner.call("GET", "/api/v1/settings/memory.search.max_results").json["value"] == 3
    assert team.by("acme").call("GET", "/api/v1/settings/memory.search.max_results").json["value"] != 3
    for key, value in (("llm.base_url", "http://169.254.169.254/"), ("memory.extra_paths", ["/etc"])):
        answer = owner.call("PATCH", "/api/v1/settings", {"changes": {key: value}})
        assert (answer.status, answer.error) == (403, "NotPermitted"), key
    tested = {"what": "model", "changes": {"llm.base_url": "http://169.254.169.254/"}}
    assert owner.call("POST", "/api/v1/providers/test", tested).status == 403
    # What came in by another way, such as an import, does not hold either.
    with PostgresPool.open(team.databases.admin) as admin:
        store_settings(admin, "acme", '[memory]\nextra_paths = ["/etc"]\ncitations = "off"\n')
    acme = team.by("acme")
    until = time.monotonic() + 60
    while acme.call("GET", "/api/v1/settings/memory.citations").json["value"] != "off":
        assert time.monotonic() < until
    assert acme.call("GET", "/api/v1/settings/memory.extra_paths").json["value"] in ([], None)


def test_the_agents_of_a_tenant_are_listed_whichever_server_is_asked(team: Team) -> None:
    web = team.by("other")
    assert web.call("POST", "/api/v1/notes?agent=helper", {"content": "Mine", "file": "memory/mine.md"}).status == 201
    listed = {one["id"]: one["notes"] for one in web.call("GET", "/api/v1/agents").json["agents"]}
    assert listed["helper"] == 1
    assert "main" in listed


def test_what_is_declared_of_operations_is_what_readers_may_call_and_agents_may_not() -> None:
    reading = {name for name, call in CALLS.items() if call.reads}
    assert reading == {
        *("search", "get", "history", "diff", "status", "spaces", "sessions", "about", "session", "tools"),
        *("facts.recall", "facts.list", "facts.history", "facts.stats", "inbox.list", "profile.read"),
        *("session.messages", "session.context", "session.prompt", "session.recall", "session.flush_due"),
        *("session.state.get", "session.state.list"),
        *("notes.list", "notes.page", "notes.hash_of", "notes.read", "notes.read_all"),
    }
    assert {name for name, call in CALLS.items() if call.for_owner} == {
        *("undo_origin", "prune", "purge", "drop_space", "dreams.run", "dreams.roll_back", "profile.save"),
        *("profile.observed", "profile.undo", "inbox.approve", "inbox.edit", "inbox.reject", "export", "import_from"),
    }


def test_the_names_of_the_table_of_roles_are_those_of_routes_and_calls() -> None:
    routes = {f"{route.method} {route.path}" for route in ROUTES}
    assert routes >= role_access._CALLS
    for start in role_access._OWNERS:
        assert any(route.path.startswith(start) and route.method != "GET" for route in ROUTES), start


@pytest.mark.parametrize("token", ["", "wrong", "holdfast_acme_" + "0" * 64, "holdfast_nobody_" + "0" * 64])
def test_a_stranger_is_let_in_nowhere(team: Team, token: str) -> None:
    stranger = team.web.by(token)
    for path in ("/", "/mcp", "/metrics", "/docs", "/openapi.json", "/api/v1/status", "/enter"):
        assert stranger.call("GET", path).status in (401, 404), path
    assert stranger.call("POST", "/api/v1/search", {"query": "tide"}).status == 401
    assert team.by("acme").call("GET", "/metrics").status == 401


def test_a_caller_learns_its_tenant_and_role_and_no_path_of_the_server(team: Team) -> None:
    for tenant, role in (("acme", "owner"), ("acme", "agent"), ("other", "reader")):
        who = team.by(tenant, role).call("GET", "/api/v1/whoami").json
        assert (who["tenant"], who["role"], who["home"]) == (tenant, role, "")
    web = team.by("acme")
    web.call("POST", "/api/v1/search", {"query": "tide"})
    asked = [web.call("GET", f"/api/v1/{path}") for path in ("whoami", "status?deep=true", "settings", "doctor")]
    asked += [web.call("POST", "/api/v1/call", {"method": method}) for method in ("about", "status")]
    for answer in asked:
        assert str(team.web.home.parent) not in answer.data.decode(), answer.data
    assert asked[1].json["index"]["path"] == ""


def test_a_tenants_key_is_for_one_request_on_every_server(team: Team, tmp_path_factory: pytest.TempPathFactory) -> None:
    own = {"Idempotency-Key": "c00000000beef"}
    note = {"content": "Kept once", "file": "memory/kept.md"}
    made = team.by("acme").call("POST", "/api/v1/notes", note, own)
    with team_served(team.databases, tmp_path_factory.mktemp("second"), tokens=team.tokens) as second:
        again = second.by("acme").call("POST", "/api/v1/notes", note, own)
        assert (again.status, again.json) == (made.status, made.json)
        refused = second.by("acme").call("POST", "/api/v1/notes", note | {"content": "Lost?"}, own)
        assert (refused.status, refused.error) == (409, "KeyUsed")
        rename, renaming = "/api/v1/notes/memory/kept.md/rename", {"Idempotency-Key": "c00000000beee"}
        first, again = (
            server.by("acme").call("POST", rename, {"to": "memory/named.md"}, renaming) for server in (second, team)
        )
        assert (first.status, first.json) == (again.status, again.json) == (200, again.json)
        waiting = {"Idempotency-Key": "c00000000beed"}
        first, again = (
            server.by("acme").call("POST", "/api/v1/notes", {"content": "The pier opens at six."}, waiting)
            for server in (second, team)
        )
        assert first.json["waits"] and (first.status, first.json) == (again.status, again.json)
        said = {"Idempotency-Key": "c00000000beec"}
        first, again = (
            server.by("acme").call("POST", "/api/v1/sessions/pier/messages", {"role": "user", "text": "Six?"}, said)
            for server in (second, team)
        )
        assert (first.status, first.json) == (again.status, again.json) == (201, again.json)
        assert len(second.by("acme").call("GET", "/api/v1/sessions/pier/messages").json["messages"]) == 1
    assert team.by("acme").call("GET", "/api/v1/notes/memory/named.md?whole=true").json["text"] == "Kept once\n"


def test_a_revoked_token_lets_in_no_more_and_a_limit_is_told(
    databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with team_served(databases, tmp_path_factory.mktemp("team")) as team:
        with psycopg.connect(databases.admin) as connection:
            connection.execute("UPDATE holdfast.access_token SET revoked = now() WHERE role = 'reader'")
            connection.execute("UPDATE holdfast.tenant SET max_requests = 3 WHERE id = 'acme'")
        assert team.by("acme", "reader").call("GET", "/api/v1/status").status == 401
        answers = [team.by("acme").call("GET", "/api/v1/status") for _ in range(8)]
        refused = next(answer for answer in answers if answer.status == 429)
        assert refused.error == "TooManyRequests"
        assert 1 <= int(refused.headers["retry-after"]) <= 60
        assert team.by("other").call("GET", "/api/v1/status").status == 200


def test_health_and_readiness_are_open_and_figures_are_the_operators(team: Team) -> None:
    assert team.web.send("GET", "/health").json == {"status": "ok"}
    assert team.web.send("GET", "/ready").json == {"ready": True}
    team.by("acme").call("GET", "/api/v1/status")
    text = team.operator().call("GET", "/metrics").data.decode()
    assert 'holdfast_tenants_open{class="class-of-acme"} 1' in text
    assert 'holdfast_tenant_requests_total{class="class-of-acme",status="200"}' in text
    assert "holdfast_database_up 1" in text
    assert team.web.by("holdfast_acme_" + "0" * 64).call("GET", "/api/v1/status").status == 401
    refused = team.operator().call("GET", "/metrics").data.decode()
    assert 'holdfast_tenant_requests_total{class="none",status="401"}' in refused
    assert "NotPermitted" not in refused
    assert team.operator().call("GET", "/api/v1/status").status == 401


def test_there_is_no_page_also_for_who_has_a_token(team: Team) -> None:
    for web in (team.web.by(""), team.by("acme")):
        answer = web.call("GET", "/")
        assert (answer.status, answer.error) == (404, "NotFound")
    assert team.by("acme").call("GET", "/openapi.json").status == 200


def test_mcp_serves_the_tenant_of_the_token_and_a_reader_only_reading_tools(team: Team) -> None:
    async def asked(tenant: str, role: Role) -> tuple[set[str], str]:
        from mcp.client.streamable_http import streamable_http_client

        bearing = {"Authorization": f"Bearer {team.tokens[tenant, role.value]}"}
        async with (
            httpx2.AsyncClient(headers=bearing) as line,
            Client(streamable_http_client(f"{team.web.url}/mcp", http_client=line)) as client,
        ):
            tools = {tool.name for tool in (await client.list_tools()).tools}
            if role is not Role.READER:
                await client.call_tool("memory_save", {"content": f"Of {tenant}", "file": "memory/mcp.md"})
            result = await client.call_tool("memory_search", {"query": "Of acme or other"})
            return tools, str(result.content)

    tools, mine = anyio.run(asked, "acme", Role.AGENT)
    assert "memory_save" in tools
    assert "Of acme" in mine
    _, theirs = anyio.run(asked, "other", Role.OWNER)
    assert "Of other" in theirs
    assert "Of acme" not in theirs
    tools, read = anyio.run(asked, "acme", Role.READER)
    assert "memory_save" not in tools
    assert "memory_search" in tools
    assert "Of acme" in read


def test_no_answer_names_a_place_on_the_server(team: Team) -> None:
    web = team.by("acme")
    places = (str(team.web.home), str(team.web.home.parent))
    paths = [route.path for route in ROUTES if route.method == "GET" and "{" not in route.path]
    assert web.call("POST", "/api/v1/notes", {"content": "The tide turns at four", "file": "memory/tide.md"}).json
    asked: list[tuple[str, str, Any]] = [
        *(("GET", path, None) for path in paths if not path.endswith("events")),
        ("PUT", "/api/v1/profile", {"field": "name", "value": "Ada"}),
        ("POST", "/api/v1/profile/undo", {}),
        ("POST", "/api/v1/call", {"method": "profile.save", "arguments": {"field": "name", "value": "Bo"}}),
        ("PATCH", "/api/v1/settings", {"changes": {"memory.search.max_results": 5}}),
        ("PATCH", "/api/v1/settings", {"changes": {"memory.extra_paths": ["/etc"]}}),
        ("GET", "/api/v1/notes/%2Fetc%2Fpasswd", None),
        ("GET", "/api/v1/notes/..%2F..%2Fetc%2Fpasswd", None),
        ("POST", "/api/v1/sync", {"force": True}),
        ("POST", "/api/v1/jobs", {"kind": "reindex"}),
        ("POST", "/api/v1/sessions/main/export", {}),
        *(("POST", "/api/v1/call", {"method": method, "arguments": {}}) for method in ("status", "about", "spaces")),
    ]
    for method, path, body in asked:
        answer = web.call(method, path, body)
        assert answer.status < 500, (path, answer.data)
        assert not any(place.encode() in answer.data for place in places), (method, path, answer.data)
    (job,) = web.call("GET", "/api/v1/jobs").json["jobs"]
    assert not any(place in str(job) for place in places)
