"""A hundred attempts of one tenant to see or change another's rows: by SQL, HTTP, MCP, ids, search and export."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import anyio
import httpx2
import psycopg
import pytest
from engines.postgres_server import Databases, fresh_databases
from engines.team_serving import Team, team_served
from engines.test_tenants import fill
from mcp import Client
from mcp.shared.exceptions import MCPError
from surfaces.http.serving import Answer

from holdfast.errors import HoldfastError
from holdfast.postgres.postgres_pool import PostgresPool
from holdfast.postgres.tenants import TABLES, create_tenant

pytestmark = pytest.mark.fault
SECRET = "xylophone-heron-quartz"
NOTE = {"content": f"The codeword is {SECRET}.", "file": "memory/codeword.md"}

WRITTEN = (
    *("home", "object", "note", "journal", "transcript", "file", "lease", "snapshot", "request_count", "log"),
    *("session", "session_state", "hidden_session", "erasure"),
)
STRANGERS = ("other", "", "acme' OR 'a' = 'a")
READS = [f"SELECT * FROM holdfast.{table}" for table in (*TABLES, "audit", "tenant")]
READS += [f"SELECT * FROM holdfast.{table} WHERE tenant = 'acme'" for table in (*TABLES, "audit")]
READS += [
    "SELECT id FROM holdfast.tenant WHERE id <> 'other'",
    "SELECT n.* FROM holdfast.note n RIGHT JOIN holdfast.object o ON true",
    "SELECT * FROM holdfast.note TABLESAMPLE SYSTEM (100)",
    "TABLE holdfast.journal",
    "WITH all_of_them AS MATERIALIZED (SELECT * FROM holdfast.note) SELECT * FROM all_of_them",
    "SELECT * FROM holdfast.note WHERE tenant = 'acme' OR true",
    "SELECT * FROM pg_catalog.pg_stats WHERE schemaname = 'holdfast'",
    "SELECT most_common_vals FROM pg_catalog.pg_stats WHERE tablename = 'note'",
]
CHANGES = [f"UPDATE holdfast.{table} SET tenant = 'other' WHERE tenant = 'acme'" for table in WRITTEN]
CHANGES += [f"UPDATE holdfast.{table} SET tenant = 'acme' WHERE tenant = 'other'" for table in WRITTEN]
CHANGES += [f"DELETE FROM holdfast.{table} WHERE tenant = 'acme'" for table in WRITTEN]
REFUSED = [
    *(f"TRUNCATE holdfast.{table}" for table in TABLES),
    "INSERT INTO holdfast.home VALUES ('acme', 'intruder', 1)",
    "INSERT INTO holdfast.home VALUES ('acme', 'main', 1) ON CONFLICT (tenant, agent) DO UPDATE SET seq = 99",
    "INSERT INTO holdfast.object VALUES ('acme', 'h', 'y') ON CONFLICT (tenant, hash) DO NOTHING",
    "INSERT INTO holdfast.access_token (tenant, hash, role) VALUES ('other', 'h', 'owner')",
    "UPDATE holdfast.access_token SET role = 'owner'",
    "UPDATE holdfast.tenant SET max_notes = NULL",
    "DELETE FROM holdfast.audit",
    "UPDATE holdfast.audit SET actor = 'nobody'",
    "SET ROLE holdfast_admin",
    "SET ROLE postgres",
    "SET SESSION AUTHORIZATION postgres",
    "SET LOCAL row_security = off; SELECT * FROM holdfast.note",
    "ALTER TABLE holdfast.note DISABLE ROW LEVEL SECURITY",
    "ALTER TABLE holdfast.note NO FORCE ROW LEVEL SECURITY",
    "CREATE POLICY everything ON holdfast.note USING (true)",
    "DROP POLICY own_rows ON holdfast.note",
    "CREATE VIEW holdfast.window AS SELECT * FROM holdfast.note",
    "CREATE FUNCTION holdfast.leak() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "ALTER ROLE holdfast_app BYPASSRLS",
    "GRANT holdfast_admin TO holdfast_server",
    "COPY holdfast.note TO PROGRAM 'cat'",
    "SELECT pg_catalog.pg_read_file('postgresql.conf')",
]


@pytest.fixture(scope="module")
def rows(postgres_port: str) -> Iterator[Databases]:
    """A database in which acme has a row in every table, and other one home."""
    with fresh_databases(postgres_port) as databases:
        with PostgresPool.open(databases.admin) as admin, PostgresPool.open(databases.dsn) as server:
            for name in ("acme", "other"):
                create_tenant(admin, name)
            with server.transaction("acme") as connection:
                fill(connection, "acme")
        with psycopg.connect(databases.admin, autocommit=True) as connection:
            connection.execute("ANALYZE")
        yield databases


def seen(databases: Databases, statement: str, tenant: str) -> list[tuple[Any, ...]]:
    with PostgresPool.open(databases.dsn, most=1) as pool, pool.transaction(tenant) as connection:
        return connection.execute(statement).fetchall()


@pytest.mark.row("tenants", attempts=3, got_through=0)
@pytest.mark.parametrize("statement", READS)
def test_no_query_of_another_tenant_or_of_none_sees_a_row(rows: Databases, statement: str) -> None:
    for tenant in STRANGERS:
        assert not [row for row in seen(rows, statement, tenant) if "acme" in str(row) or "main" in str(row)]


@pytest.mark.row("tenants", attempts=1, got_through=0)
@pytest.mark.parametrize("statement", CHANGES)
def test_no_change_of_another_tenant_reaches_a_row(rows: Databases, statement: str) -> None:
    with PostgresPool.open(rows.dsn, most=1) as pool:
        with pool.transaction("other") as connection:
            assert connection.execute(statement).rowcount == 0
        with pool.transaction("acme", read_only=True) as connection:
            for table in WRITTEN:
                assert len(connection.execute(f"SELECT 1 FROM holdfast.{table}").fetchall()) == 1, table


@pytest.mark.row("tenants", attempts=1, got_through=0)
@pytest.mark.parametrize("statement", REFUSED)
def test_what_would_lift_the_fence_is_refused(rows: Databases, statement: str) -> None:
    with (
        PostgresPool.open(rows.dsn, most=1) as pool,
        pytest.raises((HoldfastError, psycopg.Error)),
        pool.transaction("other") as connection,
    ):
        connection.execute(statement)


def test_a_function_that_tells_what_it_is_asked_about_is_not_asked_about_rows_of_others(rows: Databases) -> None:
    told: list[str] = []
    with PostgresPool.open(rows.dsn, most=1) as pool, pool.transaction("other") as connection:
        connection.add_notice_handler(lambda notice: told.append(str(notice.message_primary)))
        connection.execute(
            "CREATE FUNCTION pg_temp.tell(t text) RETURNS boolean LANGUAGE plpgsql COST 0.0000001 "
            "AS $$ BEGIN RAISE NOTICE 'saw %', t; RETURN true; END $$"
        )
        assert connection.execute("SELECT * FROM holdfast.note WHERE pg_temp.tell(path)").fetchall() == []
    assert told == []


@pytest.fixture(scope="module")
def team(postgres_port: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    """A server on which acme has a secret: a note, a fact, a session, a profile."""
    with (
        fresh_databases(postgres_port) as databases,
        team_served(databases, tmp_path_factory.mktemp("fence"), "--tools", "all") as running,
    ):
        acme = running.by("acme")
        assert acme.call("POST", "/api/v1/notes", NOTE).status == 201
        assert acme.call("POST", "/api/v1/facts", {"text": f"I keep the {SECRET} in the shed."}).status in (200, 201)
        said = {"role": "user", "text": f"My word is {SECRET}."}
        assert acme.call("POST", "/api/v1/sessions/private/messages", said).status in (200, 201)
        yield running


@pytest.mark.row("tenants")
def test_no_route_gives_another_tenant_what_it_did_not_save(
    team: Team, record_property: Callable[[str, object], None]
) -> None:
    acme, other = team.by("acme"), team.by("other")
    [checkpoint, *_] = [one["id"] for one in acme.call("GET", "/api/v1/history").json["checkpoints"]]
    [hit, *_] = acme.call("POST", "/api/v1/search", {"query": SECRET}).json["results"]
    [fact, *_] = acme.call("GET", "/api/v1/facts").json["facts"]
    job = acme.call("POST", "/api/v1/jobs", {"kind": "sync"}).json["id"]
    assert SECRET in acme.call("GET", f"/api/v1/checkpoints/{checkpoint}/diff").data.decode() + json.dumps(hit)
    reads = [
        *("/api/v1/notes", "/api/v1/tree", "/api/v1/history", "/api/v1/history/days", "/api/v1/facts", "/api/v1/inbox"),
        *("/api/v1/facts/stats", "/api/v1/sessions", "/api/v1/sessions/private/messages", "/api/v1/jobs"),
        *("/api/v1/sessions/private/context", "/api/v1/sessions/private/state", "/api/v1/dreams/reports"),
        *("/api/v1/dreams/runs", "/api/v1/questions", "/api/v1/profile", "/api/v1/status", "/api/v1/agents"),
        *("/api/v1/map", "/api/v1/whoami", "/api/v1/settings", "/api/v1/spaces", f"/api/v1/jobs/{job}"),
        *(f"/api/v1/chunks/{hit['chunk_id']}", f"/api/v1/chunks/{hit['path']}:1", f"/api/v1/facts/{fact['id']}"),
        *(f"/api/v1/checkpoints/{checkpoint}{part}" for part in ("", "/text", "/diff")),
        *("/api/v1/notes/memory/codeword.md", "/api/v1/notes/memory/codeword.md/origins"),
        *("/api/v1/notes/../acme/memory/codeword.md", "/api/v1/notes/..%2Facme%2Fmemory%2Fcodeword.md"),
        *("/api/v1/notes?agent=../acme", "/api/v1/notes?agent=acme", "/api/v1/notes?tenant=acme"),
    ]
    for path in reads:
        nothing_of_acme(other.call("GET", path, headers={"X-Tenant": "acme", "X-Holdfast-Tenant": "acme"}), path)
    changes = [
        ("POST", f"/api/v1/checkpoints/{checkpoint}/restore", {}),
        ("DELETE", f"/api/v1/facts/{fact['id']}", None),
        ("POST", f"/api/v1/facts/{fact['id']}/archive", {}),
        ("DELETE", "/api/v1/notes/memory/codeword.md", None),
        ("DELETE", "/api/v1/sessions/private", None),
        ("DELETE", f"/api/v1/jobs/{job}", None),
        ("POST", "/api/v1/undo", {}),
        ("POST", "/api/v1/purge", {"path": "memory/codeword.md"}),
        ("POST", "/api/v1/forget", {"text": SECRET}),
        ("POST", "/api/v1/search", {"query": SECRET}),
        ("POST", "/api/v1/search", {"query": SECRET, "path": "memory/codeword.md"}),
        ("POST", "/api/v1/facts/recall", {"query": SECRET}),
        ("POST", "/api/v1/sessions/private/recall", {"message": "codeword"}),
        ("POST", "/api/v1/sessions/private/prompt", {"message": "codeword"}),
        ("POST", "/api/v1/export", {}),
        ("POST", "/api/v1/call", {"method": "notes.read_all", "arguments": {"paths": ["memory/codeword.md"]}}),
        ("POST", "/api/v1/call", {"method": "get", "arguments": {"id": hit["chunk_id"]}}),
        ("POST", "/api/v1/call", {"method": "diff", "arguments": {"checkpoint": checkpoint}}),
        ("POST", "/api/v1/tools/memory_get", {"arguments": {"path": "memory/codeword.md"}}),
    ]
    for method, path, body in changes:
        nothing_of_acme(other.call(method, path, body), path)
    assert SECRET in acme.call("GET", "/api/v1/notes/memory/codeword.md").data.decode()
    assert acme.call("GET", f"/api/v1/facts/{fact['id']}").status == 200
    assert SECRET in acme.call("GET", "/api/v1/sessions/private/messages").data.decode()
    attempts = len(reads) + len(changes)
    assert attempts >= 50
    record_property("faults", f"{attempts} attempts across tenants by HTTP, ids, search and export: 0 rows")


def nothing_of_acme(answer: Answer, path: str) -> None:
    assert answer.status < 500, (path, answer.data)
    said = answer.data.decode("utf-8", "replace")
    # What was asked for may be repeated; what stands beside it in the note may not.
    for words in ("The codeword is", "in the shed", "My word is"):
        assert words not in said, (path, said)


@pytest.mark.row("tenants")
def test_no_tool_or_resource_of_mcp_gives_another_tenant_what_it_did_not_save(
    team: Team, record_property: Callable[[str, object], None]
) -> None:
    async def asked() -> list[str]:
        from mcp.client.streamable_http import streamable_http_client

        answers = []
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {team.tokens['other', 'owner']}"}) as line,
            Client(streamable_http_client(f"{team.web.url}/mcp", http_client=line)) as client,
        ):
            for name, arguments in (
                ("memory_search", {"query": "codeword shed"}),
                ("memory_get", {"path": "memory/codeword.md"}),
                ("checkpoints_list", {}),
                ("recall", {"query": "shed"}),
                ("list", {}),
            ):
                answers.append(str(await client.call_tool(name, arguments)))
            answers.append(str(await client.list_resources()))
            try:
                answers.append(str(await client.read_resource("holdfast://notes/memory/codeword.md")))
            except MCPError as error:
                answers.append(str(error))
        return answers

    answers = anyio.run(asked)
    for words in ("The codeword is", "in the shed", "My word is"):
        assert not any(words in said for said in answers)
    record_property("faults", f"{len(answers)} attempts across tenants by MCP: 0 rows")


def test_there_are_more_than_a_hundred_attempts_by_sql(record_property: Callable[[str, object], None]) -> None:
    attempts = len(READS) * len(STRANGERS) + len(CHANGES) + len(REFUSED) + 1
    assert attempts >= 100
    record_property("faults", f"{attempts} attempts across tenants by SQL: 0 rows")
