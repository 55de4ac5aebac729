"""Tenants, tokens, limits, leases and acts, as whoever runs the database meets them."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from commandline import Ran, holdfast
from engines.postgres_server import Databases, bare_server, programs

from holdfast import Memory
from holdfast.errors import BadTenant, NotConfirmed, TenantNotFound, TooManyRequests
from holdfast.postgres.access_tokens import Role, find_access, make_token, revoke_token
from holdfast.postgres.leases import give_back_lease, hold_lease, take_lease
from holdfast.postgres.migration import check_schema, newest_number
from holdfast.postgres.postgres_pool import PostgresPool
from holdfast.postgres.request_quota import count_request
from holdfast.postgres.tenants import TABLES, Limits, create_tenant, delete_tenant, list_tenants


@pytest.fixture
def admin(databases: Databases) -> Iterator[PostgresPool]:
    with PostgresPool.open(databases.admin) as pool:
        yield pool


@pytest.fixture
def server(databases: Databases) -> Iterator[PostgresPool]:
    with PostgresPool.open(databases.dsn) as pool:
        yield pool


def test_a_token_lets_in_until_it_is_revoked_and_the_database_has_its_hash_only(
    databases: Databases, admin: PostgresPool, server: PostgresPool
) -> None:
    create_tenant(admin, "acme", kind="gold", limits=Limits(requests=5))
    token = make_token(admin, "acme", Role.AGENT, name="bot")
    access = find_access(server, token)
    assert access is not None
    assert (access.tenant, access.role, access.kind, access.limits.requests) == ("acme", Role.AGENT, "gold", 5)
    with psycopg.connect(databases.admin) as connection:
        [(row,)] = connection.execute("SELECT k::text FROM holdfast.access_token k").fetchall()
    secret = token.rpartition("_")[2]
    assert secret not in row
    for wrong in ("", "holdfast_acme_", token[:-1], f"{token}0", token.replace("acme", "other"), "Bearer", "\0"):
        assert find_access(server, wrong) is None
    [held] = db(databases, "tokens", "acme").json["tokens"]
    revoke_token(admin, "acme", held["id"])
    assert find_access(server, token) is None


def test_a_tenant_that_is_deleted_leaves_no_row_but_what_was_done_to_it(
    databases: Databases, admin: PostgresPool, server: PostgresPool
) -> None:
    for name in ("acme", "other"):
        create_tenant(admin, name)
        make_token(admin, name, Role.OWNER)
        with server.transaction(name) as connection:
            fill(connection, name)
    with pytest.raises(NotConfirmed):
        delete_tenant(admin, "acme", word="acm")
    gone = delete_tenant(admin, "acme", word="acme")
    assert gone == dict.fromkeys(TABLES, 1)
    with psycopg.connect(databases.admin) as connection:
        for table in TABLES:
            rows = connection.execute(f"SELECT tenant FROM holdfast.{table}").fetchall()
            assert rows == [("other",)], table
    with pytest.raises(TenantNotFound), server.transaction("acme") as late:
        late.execute("INSERT INTO holdfast.home VALUES ('acme', 'main', 1)")
    assert [one.id for one in list_tenants(admin)] == ["other"]
    acts = [one["act"] for one in db(databases, "audit", "--tenant", "acme").json["acts"]]
    assert acts == ["tenant deleted", "token made", "tenant made"]


def test_every_table_with_a_tenant_is_emptied_and_held_by_row_level_security(databases: Databases) -> None:
    with psycopg.connect(databases.admin) as connection:
        rows = connection.execute(
            "SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity FROM pg_attribute a "
            "JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace "
            "WHERE n.nspname = 'holdfast' AND a.attname = 'tenant' AND c.relkind IN ('r', 'p')"
        ).fetchall()
    assert {name for name, _ in rows} == {*TABLES, "audit"}
    assert all(held for _, held in rows)


def test_who_asks_too_often_is_told_how_long_to_wait(admin: PostgresPool, server: PostgresPool) -> None:
    create_tenant(admin, "acme")
    for _ in range(3):
        count_request(server, "acme", None)
    with pytest.raises(TooManyRequests, match="5 times a minute") as caught:
        for _ in range(11):  # the minute may end between two of them, once
            count_request(server, "acme", 5)
    assert 1 <= caught.value.retry_seconds <= 60


def test_a_lease_is_held_by_one_until_it_runs_out_or_is_given_back(admin: PostgresPool, server: PostgresPool) -> None:
    create_tenant(admin, "acme")
    assert take_lease(server, "acme", "main", "dream", "one", 60)
    assert take_lease(server, "acme", "main", "dream", "one", 60)
    assert not take_lease(server, "acme", "main", "dream", "two", 60)
    assert take_lease(server, "acme", "other", "dream", "two", 60)
    give_back_lease(server, "acme", "main", "dream", "two")
    assert not take_lease(server, "acme", "main", "dream", "two", 60)
    give_back_lease(server, "acme", "main", "dream", "one")
    with hold_lease(server, "acme", "main", "dream", "two", 0) as held:
        assert held
        assert take_lease(server, "acme", "main", "dream", "three", 60)  # it had run out at once
    assert not take_lease(server, "acme", "main", "dream", "two", 60)


@pytest.mark.parametrize("name", ["", "Acme", "a_b", "-a", "a-", "a" * 64, "a b", "ä", "a\n"])
def test_an_id_that_would_not_fit_into_a_token_is_refused(name: str, admin: PostgresPool) -> None:
    with pytest.raises(BadTenant):
        create_tenant(admin, name)


def test_the_command_line_runs_the_database_of_a_team(databases: Databases, tmp_path: Path) -> None:
    assert "up to date" in holdfast("db", "migrate", "--database", databases.admin).err
    assert db(databases, "check").json == {"ready": True, "migration": newest_number()}
    assert db(databases, "add-tenant", "acme", "--max-notes", "10").status == 0
    taken = db(databases, "add-tenant", "acme")
    assert (taken.status, "there is one of this id. Choose another." in taken.err) == (2, True), taken
    [tenant] = db(databases, "tenants").json["tenants"]
    assert (tenant["id"], tenant["notes"], tenant["max_notes"], tenant["max_bytes"]) == ("acme", 0, 10, None)
    limits = db(databases, "limit-tenant", "acme", "--max-bytes", "99", "--max-requests", "7").json
    assert limits == {"id": "acme", "max_notes": 10, "max_bytes": 99, "max_requests": 7}
    limits = db(databases, "limit-tenant", "acme", "--max-notes", "none").json
    assert limits == {"id": "acme", "max_notes": None, "max_bytes": 99, "max_requests": 7}
    assert db(databases, "limit-tenant", "acme").status == 2
    assert db(databases, "limit-tenant", "acme", "--max-notes", "few").status == 2
    assert db(databases, "add-token", "acme").json["token"].startswith("holdfast_acme_")
    assert db(databases, "add-token", "nobody").status == 3
    mine = "[memory.search]\nmax_results = 3\n"
    assert db(databases, "settings", "acme", file_of(tmp_path, mine)).json["version"] == 1
    assert db(databases, "settings", "acme").json["text"] == mine
    theirs = db(databases, "settings", "acme", file_of(tmp_path, '[memory]\nextra_paths = ["/etc"]\n'))
    assert theirs.status == 4
    assert "operator" in theirs.err
    assert db(databases, "settings", "nobody", file_of(tmp_path, mine)).status == 3
    unsure = holdfast("db", "delete-tenant", "acme", "--database", databases.admin)
    assert unsure.status == 16
    assert "Say --yes acme to go ahead" in unsure.err
    assert db(databases, "delete-tenant", "acme", "--yes", "acne").status == 2
    assert db(databases, "delete-tenant", "acme", "--yes", "acme").json["rows"]["access_token"] == 1


def test_the_command_line_tells_people_in_tables_and_sentences(databases: Databases, tmp_path: Path) -> None:
    def said(*words: str) -> str:
        ran = holdfast("db", *words, "--database", databases.admin)
        assert ran.status == 0, ran.err
        return ran.out + ran.err

    assert "Ready: the tables are those of migration" in said("check")
    assert "There is no tenant yet" in said("tenants")
    assert "Made the tenant acme" in said("add-tenant", "acme", "--max-notes", "1000", "--max-requests", "60")
    table = said("tenants")
    assert "REQUESTS A MINUTE" in table and "0 of 1,000" in table and "acme" in table
    assert "notes 1,000, bytes 99, requests 60" in said("limit-tenant", "acme", "--max-bytes", "99")
    assert "There is no token of acme" in said("tokens", "acme")
    token, _, note = said("add-token", "acme", "--name", "laptop").partition("\n")
    assert token.startswith("holdfast_acme_") and "the only time" in note
    row = said("tokens", "acme").splitlines()[-1]
    assert "lets in" in row and "laptop" in row
    assert "lets in no more" in said("revoke-token", "acme", row.split()[0])
    assert "revoked" in said("tokens", "acme")
    assert "Stored." in said("settings", "acme", file_of(tmp_path, "[memory.search]\nmax_results = 3\n"))
    assert "max_results = 3" in said("settings", "acme")
    assert holdfast("db", "settings", "acme", str(tmp_path), "--database", databases.admin).status == 2
    assert "WHEN" in (acts := said("audit")) and "acme" in acts
    with Memory.open(tmp_path / "home") as memory:
        memory.save("The heron nests.", file="memory/birds.md")
    said("add-tenant", "birds")
    assert "Copied into birds: 1 agent, 1 note" in said("import", str(tmp_path / "home"), "birds")
    assert f"Wrote {tmp_path / 'copy'}: 1 agent, 1 note" in said("export", "birds", str(tmp_path / "copy"))
    assert "Deleted birds: 1 note" in said("delete-tenant", "birds", "--yes", "birds")


def test_a_database_that_is_not_there_or_has_no_tables_is_told_with_what_to_do(
    databases: Databases, postgres_port: str
) -> None:
    away = holdfast("db", "tenants", "--database", "postgresql://me:hunter2hunter2@127.0.0.1:1/none")
    assert away.status == 18
    assert "none on 127.0.0.1" in away.err
    assert "hunter2" not in away.err
    bare = holdfast("db", "check", "--database", f"postgresql://postgres@127.0.0.1:{postgres_port}/postgres")
    assert bare.status == 19
    assert "holdfast db migrate" in bare.err
    none = holdfast("db", "check")
    assert none.status == 2
    assert "HOLDFAST_DATABASE" in none.err


@pytest.mark.parametrize(
    "address", ["mysql://u:s3cret@h/db", "postgresql://u:s%3cret%zz@h/db", "postgresql://u:x@127.0.0.1:s3cret/db"]
)
def test_an_address_that_is_none_is_refused_without_its_password(address: str) -> None:
    for action in ("tenants", "migrate"):
        refused = holdfast("db", action, "--database", address)
        assert refused.status in (18, 19), refused.err
        assert "s3cret" not in refused.err
        assert "cret%" not in refused.err
        assert "try again" not in refused.err
        assert "address" in refused.err


def test_who_cant_connect_is_told_what_postgresql_said_and_to_check_the_address(
    databases: Databases, postgres_port: str
) -> None:
    at = f"127.0.0.1:{postgres_port}"
    for address, said in (
        (f"postgresql://postgres@{at}/nothere", 'database "nothere" does not exist'),
        (f"postgresql://stranger@{at}/{databases.name}", 'role "stranger" does not exist'),
        (f"postgresql://holdfast_app@{at}/{databases.name}", "not permitted to log in"),
        ("postgresql://u@127.0.0.1:99999/x", "invalid port number"),
        ("postgresql://u@nothere.invalid/x", "nothere.invalid"),
    ):
        for action in ("tenants", "migrate"):
            told = holdfast("db", action, "--database", address)
            assert told.status == 18
            assert said in told.err
            assert "check its address" in told.err
            assert "try again" not in told.err


def test_who_migrates_without_the_right_to_is_told_which_is_missing(databases: Databases, postgres_port: str) -> None:
    at, login = f"127.0.0.1:{postgres_port}", f"weak_{databases.name}"
    with psycopg.connect(databases.admin, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {login} LOGIN")
        try:
            weak = holdfast("db", "migrate", "--database", f"postgresql://{login}@{at}/{databases.name}")
            outside = holdfast("db", "check", "--database", f"postgresql://{login}@{at}/{databases.name}")
        finally:
            connection.execute(f"DROP ROLE {login}")
        read_only = f"{databases.admin}?options=-cdefault_transaction_read_only%3Don"
        frozen = (
            holdfast("db", "migrate", "--database", read_only),
            holdfast("db", "add-tenant", "acme", "--database", read_only),
        )
        connection.execute("DELETE FROM holdfast.migration")
    assert (weak.status, "Traceback" in weak.err) == (19, False)
    assert f"ALTER ROLE {login} CREATEROLE" in weak.err
    assert outside.status == 19
    assert f"GRANT holdfast_app TO {login}" in outside.err
    for told in frozen:
        assert told.status == 18
        assert "name the host that takes writes" in told.err
    twice = holdfast("db", "migrate", "--database", databases.admin)
    assert twice.status == 19
    assert "already exists" in twice.err
    assert "holdfast.migration" in twice.err


def test_tables_of_a_newer_holdfast_are_left_alone(databases: Databases, admin: PostgresPool, tmp_path: Path) -> None:
    create_tenant(admin, "acme")
    with psycopg.connect(databases.admin) as connection:
        connection.execute("INSERT INTO holdfast.migration VALUES (9999, 'from_tomorrow')")
    for words in (
        ("db", "migrate"),
        ("db", "tenants"),
        ("db", "export", "acme", str(tmp_path / "home")),
        ("sync", str(tmp_path / "notes"), "--tenant", "acme", "--once"),
    ):
        refused = holdfast(*words, "--database", databases.admin)
        assert refused.status == 19, refused.err
        assert "a newer Holdfast applied migration 9999" in refused.err


def test_a_cluster_without_our_roles_is_told_to_migrate() -> None:
    if programs() is None:
        pytest.skip("There is no PostgreSQL here")
    with bare_server() as server:
        for action in ("tenants", "check"):
            bare = holdfast("db", action, "--database", server.address("postgres"))
            assert bare.status == 19
            assert "`holdfast db migrate`" in bare.err


def test_a_backup_by_who_administers_has_every_tenant_and_can_be_put_back(
    databases: Databases, admin: PostgresPool, server: PostgresPool, postgres_port: str
) -> None:
    for name in ("acme", "other"):
        create_tenant(admin, name)
        with server.transaction(name) as connection:
            fill(connection, name)
    place = programs()
    assert place is not None
    dump = subprocess.run(
        [place / "pg_dump", "--role=holdfast_admin", "--enable-row-security", "--schema=holdfast", databases.admin],
        capture_output=True, check=True,
    ).stdout  # fmt: skip
    name = f"restored_{databases.name}"
    address = f"postgresql://postgres@127.0.0.1:{postgres_port}/{name}"
    with psycopg.connect(databases.admin, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            subprocess.run([place / "psql", "-qX", "-v", "ON_ERROR_STOP=1", address], input=dump, check=True)
            with PostgresPool.open(address) as pool:
                check_schema(pool)
                assert [(one.id, one.notes) for one in list_tenants(pool)] == [("acme", 1), ("other", 1)]
                with pool.transaction("acme", read_only=True) as restored:
                    assert restored.execute("SELECT tenant FROM holdfast.journal").fetchall() == [("acme",)]
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def file_of(place: Path, text: str) -> str:
    (place / "settings.toml").write_text(text, encoding="utf-8")
    return str(place / "settings.toml")


def db(databases: Databases, *words: str) -> Ran:
    return holdfast("db", *words, "--database", databases.admin, "--json")


def fill(connection: psycopg.Connection[tuple[object, ...]], tenant: str) -> None:
    """Put a row into every table that a server may write."""
    rows = {
        "home": "%s, 'main', 1",
        "object": "%s, 'h', 'x'",
        "note": "%s, 'main', 'MEMORY.md', 'h', 1, 1, now()",
        "journal (tenant, agent, seq, id, at)": "%s, 'main', 1, 'c1', now()",
        "transcript": "%s, 'main', 's', 1, 'x'",
        "file": "%s, 'main', 'USER.md', 'x'",
        "log": "%s, 'sessions/main', 's.jsonl', 1, 1, now()",
        "session_state": "%s, 'main', 's', 'n', 'k', 'v', 1",
        "session": "%s, 'main', 's', 'direct', '', 1, 1",
        "hidden_session": "%s, 'main', 'd', true",
        "lease": "%s, 'main', 'dream', 'me', now()",
        "snapshot": "%s, 'main', 1, 'x'",
        "request_count": "%s, 1, 1",
        "erasure": "%s, 1",
    }
    for table, values in rows.items():
        connection.execute(f"INSERT INTO holdfast.{table} VALUES ({values})", [tenant])
