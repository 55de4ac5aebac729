"""Reading while the database is away: notes and all that is made of them, from what this server knew last."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import anyio
import httpx2
import pytest
from engines.postgres_server import PostgresServer, databases_of
from engines.team_serving import Team, populated, team_served
from engines.test_team_outage import wait_for
from surfaces.http.serving import Answer, Served

import holdfast
from holdfast.errors import DatabaseAway

BEHIND = "holdfast-behind"
Request = tuple[str, str, dict[str, Any] | None]
_GET = ("notes", "tree", "notes/memory/tide.md/links", "facts", "facts/history?query=tea", "inbox", "profile")
_CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("facts.list", {}),
    ("inbox.list", {}),
    ("profile.read", {}),
    ("notes.list", {}),
    ("notes.read", {"path": "memory/tide.md"}),
    ("notes.hash_of", {"path": "memory/tide.md"}),
    ("notes.read_all", {"paths": ["memory/tide.md"]}),
)
SAME: tuple[Request, ...] = (
    *(("GET", f"/api/v1/{path}", None) for path in _GET),
    ("GET", "/api/v1/chunks/memory%2Ftide.md:1", None),
    *(("POST", "/api/v1/call", {"method": method, "arguments": given}) for method, given in _CALLS),
)
"""What is answered byte for byte as before."""
CHANGES: tuple[Request, ...] = (
    ("PUT", "/api/v1/notes/memory/tide.md", {"content": "lost?"}),
    ("DELETE", "/api/v1/notes/memory/tide.md", None),
    (
        "DELETE",
        "/api/v1/notes/memory/none.md",
        None,
    ),  # somebody else may have made it: nobody says that it is not there
    ("POST", "/api/v1/notes/memory/none.md/rename", {"to": "memory/other.md"}),
    ("POST", "/api/v1/forget", {"text": "tide"}),
    ("DELETE", "/api/v1/facts/none", None),
    ("POST", "/api/v1/inbox/none/approve", {}),
    ("POST", "/api/v1/undo", {}),
    ("PUT", "/api/v1/profile", {"field": "name", "value": "Bo"}),
    ("POST", "/api/v1/export", {}),
    ("POST", "/api/v1/call", {"method": "facts.forget", "arguments": {"id": "none"}}),
    ("POST", "/api/v1/tools/memory_save", {"arguments": {"content": "x", "file": "memory/l.md"}}),
)


@pytest.fixture
def team(postgres: PostgresServer, tmp_path: Path) -> Iterator[Team]:
    """A server with a tenant that has some of everything; the database is there again at the end."""
    tenant = f"t{uuid4().hex[:12]}"
    tokens = populated(databases_of(postgres), tenant)
    tokens = {("acme", role): token for (_, role), token in tokens.items()}
    with team_served(databases_of(postgres), tmp_path, tokens=tokens) as team:
        try:
            yield team
        finally:
            if postgres.process is None:
                postgres.start()
                wait_for(lambda: team.web.send("GET", "/ready").status == 200)


def fill(web: Served) -> None:
    """Save a note, a fact, a profile, a line of MEMORY.md, and what waits in the inbox."""
    for method, path, body in (
        ("POST", "/api/v1/notes", {"content": "The tide turns at four, see [[memory/sea]]", "file": "memory/tide.md"}),
        ("POST", "/api/v1/facts", {"text": "I like tea"}),
        ("PUT", "/api/v1/profile", {"field": "name", "value": "Ada"}),
    ):
        answer = web.call(method, path, body)
        assert answer.status in (200, 201), (path, answer.data)
    for line in ("Always say which sea", "Never say which sea"):
        assert web.call("POST", "/api/v1/notes", {"content": line, "file": "MEMORY.md"}).status in (200, 201)
    first = web.call("GET", "/api/v1/inbox").json["entries"][0]["id"]
    assert web.call("POST", f"/api/v1/inbox/{first}/approve", {}).status == 200


def ask(web: Served, request: Request) -> Answer:
    return web.call(*request)


def test_all_that_is_made_of_notes_is_answered_as_before_and_says_that_it_may_be_old(
    postgres: PostgresServer, team: Team
) -> None:
    web = team.by("acme")
    fill(web)
    before = [ask(web, request) for request in SAME]
    note = web.call("GET", "/api/v1/notes/memory/tide.md")
    assert all(answer.status == 200 and BEHIND not in answer.headers for answer in before)
    postgres.stop(signal.SIGQUIT)
    for request, was in zip(SAME, before, strict=True):
        answer = ask(web, request)
        assert (answer.status, answer.data) == (200, was.data), request
        assert "database is away" in answer.headers[BEHIND], request
    read = web.call("GET", "/api/v1/notes/memory/tide.md")
    assert read.json == note.json | {"origin": None}  # who wrote a line stands in the history
    assert read.headers["etag"] == note.headers["etag"]
    again = web.call("GET", "/api/v1/notes/memory/tide.md", headers={"If-None-Match": note.headers["etag"]})
    assert again.status == 304
    assert web.call("GET", "/api/v1/notes/memory/none.md").status == 404
    found = web.call("POST", "/api/v1/search", {"query": "when does the tide turn"})
    assert found.json["because"] == found.headers[BEHIND]
    (fact,) = web.call("GET", "/api/v1/facts").json["facts"]
    assert web.call("GET", f"/api/v1/facts/{fact['id']}").status == 200
    recalled = web.call("POST", "/api/v1/facts/recall", {"query": "tea"})
    assert [fact["text"] for fact in recalled.json["results"]] == ["I like tea"]
    for request in CHANGES:
        answer = ask(web, request)
        assert (answer.status, answer.error) == (503, "DatabaseAway"), (request, answer.data)
        assert int(answer.headers["retry-after"]) >= 1
    postgres.start()
    wait_for(lambda: web.call("POST", "/api/v1/notes", {"content": "Back", "file": "memory/back.md"}).status == 201)
    fresh = web.call("GET", "/api/v1/notes/memory/back.md")
    assert (fresh.status, BEHIND in fresh.headers) == (200, False)


def test_what_others_changed_and_removed_is_known_once_this_server_has_looked(
    postgres: PostgresServer, team: Team, tmp_path: Path
) -> None:
    one = team.by("acme")
    fill(one)
    assert one.call("POST", "/api/v1/notes", {"content": "Old", "file": "memory/old.md"}).status == 201
    with team_served(databases_of(postgres), tmp_path / "b", tokens=team.tokens) as other:
        two = other.by("acme")
        changed = {"content": "The tide turns at five"}
        assert two.call("PUT", "/api/v1/notes/memory/tide.md", changed).status == 200
        assert two.call("POST", "/api/v1/notes", {"content": "New", "file": "memory/new.md"}).status == 201
        assert two.call("DELETE", "/api/v1/notes/memory/old.md").status == 200
        assert one.call("GET", "/api/v1/notes").status == 200
        postgres.stop(signal.SIGQUIT)
        for web in (one, two):
            paths = {note["path"] for note in web.call("GET", "/api/v1/notes").json["notes"]}
            assert {"memory/tide.md", "memory/new.md"} <= paths
            assert "memory/old.md" not in paths
            assert web.call("GET", "/api/v1/notes/memory/tide.md").json["text"] == "The tide turns at five"
            assert web.call("GET", "/api/v1/notes/memory/old.md").status == 404


def test_a_session_that_is_known_here_has_its_prompt_and_a_group_is_shown_no_more_than_before(
    postgres: PostgresServer, team: Team
) -> None:
    web = team.by("acme")
    fill(web)

    def prompt(session: str) -> Answer:
        return web.call("POST", f"/api/v1/sessions/{session}/prompt", {})

    for session, kind in (("mine", "direct"), ("ours", "group")):
        said = web.call("POST", f"/api/v1/sessions/{session}/messages?kind={kind}", {"role": "user", "text": "hello"})
        assert said.status == 201, said.data
        assert (b"Always say which sea" in prompt(session).data) is (kind == "direct")
    postgres.stop(signal.SIGQUIT)
    mine, ours = prompt("mine"), prompt("ours")
    assert b"Always say which sea" in mine.data
    assert b"Ada" in mine.data
    assert b"Always say which sea" not in ours.data
    assert "database is away" in mine.headers[BEHIND]
    assert prompt("unknown").status == 503


def test_a_tenant_whose_house_was_closed_is_read_from_the_disk(postgres: PostgresServer, tmp_path: Path) -> None:
    databases = databases_of(postgres)
    names = ("closed", "open")
    tokens = populated(databases, *names)
    with team_served(databases, tmp_path, "--tenants", "1", tokens=tokens) as team:
        try:
            for tenant in names:
                fill(team.by(tenant))
                of_it = {"content": f"Of {tenant}", "file": f"memory/{tenant}.md"}
                assert team.by(tenant).call("POST", "/api/v1/notes", of_it).status == 201
            postgres.stop(signal.SIGQUIT)
            for tenant in ("closed", "open", "closed"):
                answer = team.by(tenant).call("GET", "/api/v1/notes/memory/tide.md")
                assert (answer.status, BEHIND in answer.headers) == (200, True), answer.data
                own = {other: team.by(tenant).call("GET", f"/api/v1/notes/memory/{other}.md").status for other in names}
                assert own == {other: 200 if other == tenant else 404 for other in names}
        finally:
            if postgres.process is None:
                postgres.start()


def test_copies_that_are_damaged_are_no_answer_and_are_made_anew(
    postgres: PostgresServer, team: Team, tmp_path: Path
) -> None:
    web = team.by("acme")
    fill(web)
    (copies,) = tmp_path.glob("cache/*/state/copies/main.sqlite")
    copies.write_bytes(b"no database " * 1000)
    postgres.stop(signal.SIGQUIT)
    assert web.call("GET", "/api/v1/notes/memory/tide.md").error == "DatabaseAway"
    postgres.start()
    wait_for(lambda: web.call("POST", "/api/v1/notes", {"content": "Back", "file": "memory/back.md"}).status == 201)
    postgres.stop(signal.SIGQUIT)
    assert web.call("GET", "/api/v1/notes/memory/tide.md").status == 200


def test_mcp_reads_on_and_tells_the_model_that_it_may_be_old(postgres: PostgresServer, team: Team) -> None:
    web = team.by("acme")
    fill(web)

    async def told() -> tuple[str, str, str, str]:
        from mcp import Client
        from mcp.client.streamable_http import streamable_http_client

        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {web.token}"}) as line,
            Client(streamable_http_client(f"{web.url}/mcp", http_client=line)) as client,
        ):
            postgres.stop(signal.SIGQUIT)
            note = await client.call_tool("memory_get", {"path": "memory/tide.md"})
            resource = await client.read_resource("holdfast://note/memory/tide.md")
            recall = await client.get_prompt("recall", {"topic": "when does the tide turn"})
            saved = await client.call_tool("memory_save", {"content": "lost?", "file": "memory/lost.md"})
            return str(note.content), str(resource.contents), str(recall.messages), str(saved.content)

    note, resource, recall, saved = anyio.run(told)
    assert "It may be old: the database is away" in note
    assert "turns at four" in note
    assert "It may be old: the database is away" in resource
    assert "It may be old: the database is away" in recall
    assert "turns at four" in recall
    assert "DatabaseAway" in saved


def test_the_client_gets_what_the_library_gives_and_the_log_says_that_it_may_be_old(
    postgres: PostgresServer, team: Team, caplog: pytest.LogCaptureFixture
) -> None:
    web = team.by("acme")
    fill(web)
    with holdfast.connect(web.url, token=web.token) as memory:
        notes, facts = memory.notes.list(), memory.facts.list().facts
        assert not caplog.records
        postgres.stop(signal.SIGQUIT)
        assert memory.notes.list() == notes
        assert memory.facts.list().facts == facts
        assert "may be old: the database is away" in caplog.text
        with pytest.raises(DatabaseAway):
            memory.save("lost?", file="memory/lost.md")
