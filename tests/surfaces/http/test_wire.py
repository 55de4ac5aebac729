"""T13 over a real line: what a door in Python never sees, because it breaks the protocol below it."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from surfaces.http.serving import JSON, Served, begun

from holdfast.surfaces.http.request_guard import MOST_BYTES


def exchanged(web: Served, data: bytes) -> bytes:
    """Everything that comes back for some bytes, until the server closes or has nothing more to say."""
    with socket.create_connection((web.host, web.port), timeout=10) as line:
        with suppress(ConnectionResetError, BrokenPipeError):
            line.sendall(data)
            line.shutdown(socket.SHUT_WR)
        found = b""
        with suppress(ConnectionResetError):  # hung up while we were still talking
            while piece := line.recv(65536):
                found += piece
        return found


def raw(web: Served) -> Iterator[tuple[str, bytes, tuple[int, ...]]]:
    token = f"Authorization: Bearer {web.token}\r\n"
    host = f"Host: 127.0.0.1:{web.port}\r\n"
    end = "Connection: close\r\n\r\n"
    notes = "/api/v1/notes"
    yield "no Host", f"GET {notes} HTTP/1.1\r\n{token}{end}".encode(), (400, 421)
    yield "no Host in 1.0", f"GET {notes} HTTP/1.0\r\n{token}{end}".encode(), (400, 421)
    yield "two Hosts", f"GET {notes} HTTP/1.1\r\n{host}{host}{token}{end}".encode(), (400, 421)
    yield "another Host", f"GET {notes} HTTP/1.1\r\nHost: evil.example\r\n{token}{end}".encode(), (421,)
    yield "a foreign target", f"GET http://evil.example{notes} HTTP/1.1\r\n{host}{token}{end}".encode(), (400, 404, 421)
    yield (
        "a folded header",
        f"GET {notes} HTTP/1.1\r\n{host}Authorization: Bearer\r\n {web.token}\r\n{end}".encode(),
        (
            200,
            400,
            401,
        ),
    )
    yield (
        "a path that climbs",
        f"GET /api/v1/notes/../../state/token HTTP/1.1\r\n{host}{token}{end}".encode(),
        (400, 404),
    )
    climbs = "/api/v1/notes/..%2F..%2Fstate%2Ftoken"
    yield "one that climbs in disguise", f"GET {climbs} HTTP/1.1\r\n{host}{token}{end}".encode(), (400, 404)
    yield "a NUL", f"GET /api/v1/notes/a%00.md HTTP/1.1\r\n{host}{token}{end}".encode(), (400, 404)
    yield "half a character", f"GET /api/v1/notes/%ff.md HTTP/1.1\r\n{host}{token}{end}".encode(), (400,)
    upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: eA==\r\nSec-WebSocket-Version: 13\r\n"
    foreign = "Origin: http://evil.example\r\n"
    yield "a websocket", f"GET /mcp HTTP/1.1\r\n{host}{foreign}{upgrade}\r\n".encode(), (400, 403)
    both = f"{host}{token}Content-Type: application/json\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n{end}"
    yield "two lengths", f"POST /api/v1/search HTTP/1.1\r\n{both}0\r\n\r\n".encode(), (400,)
    less = f"{host}{token}Content-Type: application/json\r\nContent-Length: -1\r\n{end}"
    yield "less than nothing", f"POST /api/v1/search HTTP/1.1\r\n{less}".encode(), (400,)
    long = f"GET {notes} HTTP/1.1\r\n{host}{token}X: {'x' * 200_000}\r\n{end}"
    yield "a header without end", long.encode(), (400, 431)
    yield "no HTTP", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", (400,)
    mixed = f"POST /api/v1/undo HTTP/1.1\r\n{host}Origin: null\r\n{token}Content-Length: 0\r\n{end}"
    yield "a page without an origin", mixed.encode(), (403,)


@pytest.mark.row("T13")
@pytest.mark.row("door")
def test_no_broken_request_gets_an_answer_that_it_should_not(web: Served) -> None:
    for name, data, statuses in raw(web):
        answer = exchanged(web, data)
        if not answer:
            continue  # the line was closed: that is an answer, too
        assert int(answer.split(b" ", 2)[1]) in statuses, (name, answer[:200])
        assert b"access-control-" not in answer.lower(), name
        assert web.token.encode() not in answer, name
    assert web.call("GET", "/api/v1/notes").status == 200


def test_a_body_in_pieces_is_counted_as_it_comes(web: Served) -> None:
    line = web.line()
    sent = 0

    def pieces() -> Iterator[bytes]:
        nonlocal sent
        yield b'{"query":"'
        for _ in range(64):
            sent += 1
            yield b"x" * 262_144

    try:
        line.request(
            "POST", "/api/v1/search", pieces(), {"Authorization": f"Bearer {web.token}", **JSON}, encode_chunked=True
        )
        status = line.getresponse().status
    finally:
        line.close()
    assert status == 413


@pytest.mark.parametrize("ends", [{}, {"Connection": "close"}])
def test_who_sends_too_much_reads_why_it_is_refused(web: Served, ends: dict[str, str]) -> None:
    for much in (MOST_BYTES + 1, 3 * MOST_BYTES):
        answer = web.send(
            "POST", "/api/v1/search", b" " * much, {"Authorization": f"Bearer {web.token}", **JSON, **ends}
        )
        assert (answer.status, answer.error) == (413, "TooLarge")
    unknown = web.send("POST", "/api/v1/search", b" " * MOST_BYTES, {**JSON, **ends})
    assert (unknown.status, unknown.error) == (401, "NotPermitted")


@pytest.mark.parametrize("method", ["OPTIONS", "TRACE"])
def test_another_method_is_told_which_there_are(web: Served, method: str) -> None:
    for path, there in (
        ("/api/v1/search", "POST"),
        ("/api/v1/notes", "GET, POST, HEAD"),
        ("/docs", "GET, HEAD"),
        ("/mcp", "GET, POST, DELETE"),
    ):
        answer = web.call(method, path)
        assert (answer.status, answer.headers["allow"]) == (405, there), path


def test_who_wants_a_websocket_is_refused_without_a_word_in_the_log(tmp_path: Path) -> None:
    web = begun(tmp_path / "home")
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Key": "eA==",
        "Sec-WebSocket-Version": "13",
    }
    assert web.send("GET", "/mcp", headers=upgrade).status == 401
    status, said = web.stop()
    assert web.process.stdout is not None
    web.process.stdout.close()
    assert (status, said) == (0, "")


@pytest.mark.parametrize(
    "data",
    [
        b'{"query":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"query":"a","max_results":' + b"9" * 100_000 + b"}",
        b'{"query":"a","min_score":1e999}',
        b'{"query":"\\ud800"}',
        b'{"query":"a","query":"b"}',
        b'{"query":NaN}',
        b"{",
        b"\xff\xfe",
    ],
)
def test_a_bomb_is_a_bad_request(web: Served, data: bytes) -> None:
    answer = web.send("POST", "/api/v1/search", data, {"Authorization": f"Bearer {web.token}", **JSON})
    assert (answer.status, answer.error) == (400, "BadArgument")


def test_an_error_has_one_shape_and_a_number_to_ask_about(web: Served) -> None:
    for method, path, status, kind in (
        ("GET", "/nowhere", 404, "NotFound"),
        ("DELETE", "/api/v1/search", 405, "Refused"),
        ("GET", "/api/v1/notes/memory/none.md", 404, "NoteNotFound"),
        ("GET", "/api/v1/notes/memory/../x.md", 400, "BadPath"),
        ("GET", "/api/v1/notes?agent=NO", 400, "BadAgent"),
        ("GET", "/api/v1/notes?agent=", 400, "BadArgument"),
        ("GET", "/api/v1/notes?limit=many", 400, "BadArgument"),
        ("GET", "/health?agent=main", 400, "BadArgument"),
        ("GET", "/api/v1/jobs/none", 404, "NotFound"),
        ("POST", "/docs", 405, "Refused"),
    ):
        answer = web.call(method, path)
        assert (answer.status, answer.error) == (status, kind), (method, path, answer.data)
        assert set(answer.json) == {"error"} and set(answer.json["error"]) == {"type", "message"}
        assert len(answer.headers["x-request-id"]) == 16
    assert web.call("DELETE", "/api/v1/search").headers["allow"] == "POST"


def test_a_head_is_a_get_without_its_body(web: Served) -> None:
    answer = web.call("HEAD", "/health")
    assert (answer.status, answer.data) == (200, b"")


def test_the_way_of_a_browser(web: Served) -> None:
    link = web.call("POST", "/api/v1/entry").json["url"]
    assert link.startswith(f"{web.url}/enter#")
    entered = web.enter(link)
    assert entered.status == 200
    cookie = {"Cookie": entered.headers["set-cookie"].partition(";")[0]}
    page = web.send("GET", "/docs", headers=cookie)
    assert page.status == 200 and b"<script src=" in page.data and b"http://" not in page.data
    for name in ("docs.js", "docs.css"):
        assert web.send("GET", f"/{name}", headers=cookie).status == 200
    assert web.send("GET", "/openapi.json", headers=cookie).json["openapi"] == "3.1.0"
    assert web.enter(link).status == 403  # a second time
    assert web.enter(web.link).status == 200
    data = json.dumps({"content": "from a page"}).encode()
    assert web.send("POST", "/api/v1/notes", data, {**cookie, **JSON}).status == 401
    ours = {"Origin": web.url, "Sec-Fetch-Site": "same-origin"}
    assert web.send("POST", "/api/v1/notes", data, {**cookie, **JSON, **ours}).status == 401
    key = {"X-Holdfast-Page": entered.json["page"]}
    assert web.send("POST", "/api/v1/notes", data, {**cookie, **JSON, **key}).status == 401
    assert web.send("POST", "/api/v1/notes", data, {**cookie, **JSON, **ours, **key}).status in (200, 201)


def test_the_token_is_asked_for_everywhere_but_at_health_and_at_the_empty_pages(web: Served) -> None:
    assert web.send("GET", "/health").json["status"] == "ok"
    for path in ("/docs", "/openapi.json", "/metrics", "/api/v1/status", "/mcp", "/nowhere"):
        answer = web.send("GET", path)
        assert (answer.status, answer.headers["www-authenticate"]) == (401, 'Bearer realm="holdfast"'), path
