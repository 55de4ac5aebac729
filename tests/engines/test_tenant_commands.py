"""The command line on a tenant's memory: the same commands, with a database in place of a home."""

from __future__ import annotations

import shlex
import tempfile
from pathlib import Path

import pytest
from commandline import Ran, done, holdfast, process
from engines.postgres_server import Databases

from holdfast.postgres.connection_words import connection_place
from holdfast.postgres.postgres_pool import PostgresPool
from holdfast.postgres.tenants import create_tenant

NOTE = "memory/launch.md"


@pytest.fixture
def acme(databases: Databases, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Databases:
    """A tenant, in the database that the environment names; there is no home."""
    with PostgresPool.open(databases.admin) as admin:
        create_tenant(admin, "acme")
    monkeypatch.setenv("HOLDFAST_DATABASE", databases.dsn)
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "none"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return databases


def ask(*words: str) -> Ran:
    return done(*words, "--tenant", "acme")


def test_a_tenants_memory_is_saved_searched_read_and_undone_from_the_command_line(
    acme: Databases, tmp_path: Path
) -> None:
    assert "no notes yet" in ask("search", "anything").err
    saved = ask("save", "The rocket is blue.", "--file", NOTE, "--json").json
    assert ask("search", "what colour is the rocket", "--json").json["results"][0]["path"] == NOTE
    assert "The rocket is blue." in ask("get", NOTE).out
    assert saved["checkpointId"] in ask("history", NOTE, "--json").out
    assert "+The rocket is blue." in ask("diff", saved["checkpointId"]).out
    ask("facts", "add", "I like green tea.")
    assert "green tea" in ask("facts", "list").out
    ask("undo", NOTE)
    assert holdfast("get", NOTE, "--tenant", "acme").status != 0
    ask("restore", saved["checkpointId"])
    assert list(tmp_path.iterdir()) == []  # neither a home nor words of the tenant stay on this machine


def test_what_undoes_a_change_of_a_tenant_names_the_tenant(acme: Databases) -> None:
    saved = ask("save", "The rocket is blue.", "--file", NOTE)
    done(*shlex.split(saved.out.partition("Undo with: holdfast ")[2]))
    assert holdfast("get", NOTE, "--tenant", "acme").status == 3


def test_a_limit_that_is_none_is_refused_in_the_words_that_were_typed(databases: Databases) -> None:
    word = holdfast("db", "add-tenant", "b", "--max-notes", "x")
    assert (word.status, "--max-notes: 'x' is no number; write one, or none" in word.err) == (2, True), word
    below = holdfast("db", "add-tenant", "b", "--max-notes", "-1", "--database", databases.admin)
    assert (below.status, "'--max-notes'" in below.err) == (2, True), below


def test_a_database_without_a_host_is_on_this_machine() -> None:
    assert connection_place("postgresql://") == "postgres on this machine"
    assert connection_place("postgresql://db.example.org/memory") == "memory on db.example.org"


def test_a_server_refuses_a_token_of_its_operator_that_is_too_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDFAST_TOKEN", "short")
    ended = holdfast("serve", "--database", "postgresql://nobody@127.0.0.1:1/nothing")
    assert ended.status == 2 and "HOLDFAST_TOKEN" in ended.err and "24 to 512" in ended.err
    assert "short" not in ended.err


def test_a_server_that_finds_no_database_says_so_in_one_line_and_does_not_start(tmp_path: Path) -> None:
    nowhere = "postgresql://nobody:secret@127.0.0.1:1/none"
    ended = process("serve", "--database", nowhere, "--cache", str(tmp_path / "cache"), "--port", "0")
    told = ended.stderr.decode()
    assert ended.returncode == 18
    assert told.startswith("holdfast: The database none on 127.0.0.1 does not answer")
    assert told.count("\n") == 1
    assert "secret" not in told


def test_a_tenant_that_is_not_there_a_home_beside_it_and_a_missing_database_are_refused(
    acme: Databases, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stranger = holdfast("save", "Mine", "--tenant", "stranger")
    assert stranger.status != 0 and "stranger" in stranger.err
    both = holdfast("save", "Mine", "--tenant", "acme", "--home", str(tmp_path))
    assert both.status == 2 and "--home" in both.err
    monkeypatch.delenv("HOLDFAST_DATABASE")
    nowhere = holdfast("save", "Mine", "--tenant", "acme")
    assert nowhere.status == 2 and "HOLDFAST_DATABASE" in nowhere.err
    assert holdfast("index", "--tenant", "acme").status == 2  # what is about a machine's own files has no such option
