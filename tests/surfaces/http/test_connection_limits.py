"""Whoever connects without a token can't stop the server: half requests, too many connections, answers not read."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from commandline import SCRIPT
from surfaces.http.serving import Served, begun, served
from surfaces.http.test_events import Line, listening, written

from holdfast.surfaces.http.connection_limits import MAX_CONNECTIONS, RESERVED_DESCRIPTORS, max_connections

DESCRIPTORS = 128
FEW_DESCRIPTORS = f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({DESCRIPTORS},) * 2); {SCRIPT}"
HALF = b"GET /health HTTP/1.1\r\nHost: 127."
GIVEN_BY_EVERY_ANSWER = {
    "cache-control",
    "content-length",
    "content-security-policy",
    "content-type",
    "cross-origin-opener-policy",
    "cross-origin-resource-policy",
    "date",
    "referrer-policy",
    "x-content-type-options",
    "x-frame-options",
    "x-request-id",
}


def limited(limits: str) -> str:
    """The program of a server with other limits than `holdfast serve` has."""
    return f"""
import json, logging
from holdfast.surfaces.http.connection_limits import ConnectionLimits
from holdfast.surfaces.http.http_server import ServerOptions, serve
from holdfast.surfaces.http.token import token_of
from holdfast.surfaces.log_throttle import ThrottledHandler
def ready(url, link):
    print(json.dumps(dict(url=url, link=link)), flush=True)
logging.basicConfig(handlers=[ThrottledHandler()])
serve(ServerOptions(port=0, limits=ConnectionLimits({limits})), token_of(None), ready)
"""


@contextmanager
def connected(web: Served, data: bytes = b"") -> Iterator[socket.socket]:
    """A connection that has sent some bytes."""
    with socket.create_connection((web.host, web.port), timeout=30) as line:
        with suppress(ConnectionError):  # it may have had to give way already
            line.sendall(data)
        yield line


def read_all(line: socket.socket) -> bytes:
    """Everything until the server hangs up."""
    found = b""
    with suppress(ConnectionResetError):
        while piece := line.recv(65536):
            found += piece
    return found


def read_answer(line: socket.socket) -> bytes:
    """One answer that is a JSON object without others in it, and not what comes after."""
    found = b""
    while not found.endswith(b"}"):
        found += line.recv(1)
    return found


def wait_out(web: Served, rounds: int = 4) -> None:
    """Wait until connections with half a request have run out of time, one after another."""
    for _ in range(rounds):
        with connected(web, HALF) as line:
            assert read_all(line).startswith(b"HTTP/1.1 408 ")


def header_names(answer: bytes) -> set[str]:
    head = answer.partition(b"\r\n\r\n")[0].decode().lower()
    return {line.partition(":")[0] for line in head.splitlines()[1:]}


def asked(web: Served) -> bytes:
    """A request with the token; without, no more than one at a time is looked at."""
    head = f"GET /nowhere HTTP/1.1\r\nHost: 127.0.0.1:{web.port}\r\nAuthorization: Bearer {web.token}\r\n\r\n"
    return head.encode()


def ended(web: Served) -> tuple[int, str]:
    status, err = web.stop()
    assert web.process.stdout is not None
    web.process.stdout.close()
    return status, err


def test_more_half_requests_than_descriptors_leave_room_for_a_client(tmp_path: Path) -> None:
    web = begun(tmp_path / "home", program=FEW_DESCRIPTORS)
    with ExitStack() as held:
        held.callback(web.process.kill)
        for _ in range(2 * DESCRIPTORS):
            held.enter_context(connected(web, HALF))
        for number in range(5):
            assert web.call("PUT", f"/api/v1/notes/memory/{number}.md", {"content": "in spite of it"}).status == 201
            assert web.call("GET", f"/api/v1/status?agent=agent-{number}").status == 200
        assert web.send("GET", "/health").status == 200
        status, err = ended(web)
    assert status == 0
    assert len(err) < 1000 and "left out" in err, err  # one line, and one that counts the rest
    assert "Traceback" not in err and "Too many open files" not in err


def test_connections_leave_descriptors_to_the_databases() -> None:
    assert max_connections(1024) == min(MAX_CONNECTIONS, 1024 - RESERVED_DESCRIPTORS)
    assert max_connections(1_000_000) == MAX_CONNECTIONS
    for few in (64, 128, 256, 400):
        assert few // 4 <= max_connections(few) < few


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server without patience."""
    program = limited("head_seconds=0.2, idle_seconds=1, stall_seconds=0.2, linger_seconds=0.2")
    with served(tmp_path_factory.mktemp("hasty") / "home", program=program) as running:
        yield running


def test_half_a_head_is_told_that_its_time_is_over(hasty: Served) -> None:
    with connected(hasty, HALF) as line:
        answer = read_all(line)
    assert answer.startswith(b"HTTP/1.1 408 ") and b'"type":"Refused"' in answer
    assert header_names(answer) == GIVEN_BY_EVERY_ANSWER | {"connection"}


def test_a_connection_that_says_nothing_is_closed_without_a_word(hasty: Served) -> None:
    with connected(hasty) as line:
        assert read_all(line) == b""


@pytest.mark.parametrize("asks_first", [False, True])
def test_a_head_that_comes_byte_by_byte_has_no_more_time(hasty: Served, asks_first: bool) -> None:
    whole = f"GET /health HTTP/1.1\r\nHost: 127.0.0.1:{hasty.port}\r\n\r\n".encode() if asks_first else b""
    with connected(hasty, whole) as line:
        if asks_first:
            assert read_answer(line).startswith(b"HTTP/1.1 200 ")
        line.sendall(b"GET /health HTTP/1.1\r\nX: ")
        for _ in range(1000):
            if select.select([line], [], [], 0.02)[0]:
                break
            line.sendall(b"x")
        assert read_all(line).startswith(b"HTTP/1.1 408 ")


def test_a_connection_without_another_request_is_closed(hasty: Served) -> None:
    with connected(hasty, f"GET /health HTTP/1.1\r\nHost: 127.0.0.1:{hasty.port}\r\n\r\n".encode()) as line:
        assert read_all(line).count(b"HTTP/1.1 ") == 1


def test_what_follows_a_refused_body_is_neither_read_nor_waited_for(hasty: Served) -> None:
    head = f"POST /nowhere HTTP/1.1\r\nHost: 127.0.0.1:{hasty.port}\r\nContent-Length: 9999999\r\n\r\n"
    with connected(hasty, head.encode()) as line:
        assert line.recv(65536).startswith(b"HTTP/1.1 401 ")
        with pytest.raises(ConnectionError):
            for _ in range(1000):
                line.sendall(b"GET /health HTTP/1.1\r\n\r\n")
                select.select([], [], [], 0.02)


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="counts the files of another process")
def test_descriptors_come_back_when_time_is_over(hasty: Served) -> None:
    files = Path(f"/proc/{hasty.process.pid}/fd")
    hasty.call("GET", "/api/v1/status")
    before = len(list(files.iterdir()))
    with ExitStack() as held:
        lines = [held.enter_context(connected(hasty, HALF)) for _ in range(40)]
        for line in lines:
            read_all(line)
    look = threading.Event()
    for _ in range(1000):
        if len(list(files.iterdir())) <= before:
            break
        look.wait(0.02)
    assert len(list(files.iterdir())) <= before


def test_a_client_that_reads_no_answer_is_hung_up_on(hasty: Served) -> None:
    ask = asked(hasty) * 500
    with connected(hasty) as line:
        line.setblocking(False)
        ends = select.poll()
        ends.register(line, select.POLLOUT)
        for _ in range(100_000):
            ((_, event),) = ends.poll(120_000) or [(0, 0)]
            if not event & select.POLLOUT or event & (select.POLLERR | select.POLLHUP):
                break
            with suppress(BlockingIOError):
                line.send(ask)
            if line.fileno() >= 0 and not select.select([], [line], [], 0)[1]:
                ends.modify(line, 0)  # it is full: now only the end can come
        assert event & (select.POLLERR | select.POLLHUP)


def test_neither_listeners_nor_slow_bodies_are_cut(hasty: Served) -> None:
    head = f"POST /api/v1/search HTTP/1.1\r\nHost: 127.0.0.1:{hasty.port}\r\nAuthorization: Bearer {hasty.token}\r\n"
    head += "Connection: close\r\nContent-Type: application/json\r\nContent-Length: 18\r\n\r\n"
    with listening(hasty, "?kinds=write") as listener, connected(hasty, head.encode()) as slow:
        for piece in (b'{"query":', b'"launch"'):
            slow.sendall(piece)
            wait_out(hasty, 2)
        assert hasty.call("PUT", "/api/v1/notes/memory/late.md", {"content": "late"}).status == 201
        listener.next(written("memory/late.md"))
        slow.sendall(b"}")
        answer = read_all(slow)
    assert answer.startswith(b"HTTP/1.1 200 "), answer[:300]


def test_strangers_give_way_to_who_has_the_token(tmp_path: Path) -> None:
    with ExitStack() as held:
        web = held.enter_context(served(tmp_path / "home", program=limited("connections=8")))
        listener = held.enter_context(listening(web, "?kinds=write"))
        line = web.line()
        held.callback(line.close)
        bearing = {"Authorization": f"Bearer {web.token}"}
        line.request("GET", "/api/v1/notes", headers=bearing)
        assert line.getresponse().read()
        for _ in range(50):
            held.enter_context(connected(web, HALF))
        assert web.call("PUT", "/api/v1/notes/memory/a.md", {"content": "a"}).status == 201
        listener.next(written("memory/a.md"))
        line.request("GET", "/api/v1/notes", headers=bearing)  # on the connection of before
        assert b"memory/a.md" in line.getresponse().read()


def test_where_all_connections_are_in_use_another_is_told_when_to_come_again(tmp_path: Path) -> None:
    with ExitStack() as held:
        web = held.enter_context(served(tmp_path / "home", program=limited("connections=3")))
        for _ in range(3):
            held.enter_context(listening(web))
        answer = web.call("GET", "/api/v1/status")
        assert (answer.status, answer.error, answer.headers["retry-after"]) == (503, "Busy", "1")
        assert set(answer.headers) == GIVEN_BY_EVERY_ANSWER | {"connection", "retry-after"}
        assert answer.headers["x-frame-options"] == "DENY"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_half_requests_do_not_delay_the_end(tmp_path: Path, number: signal.Signals) -> None:
    web = begun(tmp_path / "home")
    ask = f"GET /health HTTP/1.1\r\nHost: 127.0.0.1:{web.port}\r\n\r\n".encode()
    refused = f"POST /x HTTP/1.1\r\nHost: 127.0.0.1:{web.port}\r\nContent-Length: 999\r\n\r\n".encode()
    with ExitStack() as held:
        held.callback(web.process.kill)
        for data in (b"", HALF, refused, b"\0\r\n\r\n", ask, ask * 5000):
            held.enter_context(connected(web, data))
        listener = Line(web)
        held.callback(listener.close)
        web.process.send_signal(number)
        _, err = web.process.communicate(timeout=30)
    # uvicorn would say that its ten seconds for requests under way are over.
    assert web.process.returncode == 0 and b"exceeded" not in err and b"Traceback" not in err, err


def test_what_is_sent_ahead_of_its_answers_is_not_kept(web: Served) -> None:
    ask = asked(web) * 1000
    sent = 0
    with connected(web) as line:
        while sent < 2**26 and select.select([], [line], [], 1)[1]:
            sent += line.send(ask)
    assert sent < 2**25  # what the system's own buffers take; without a bound the server takes all
    assert web.send("GET", "/health").status == 200


BROKEN = {
    "no HTTP": (b"\x16\x03\x01\r\n\r\n", 400),
    "HTTP/0.9": (b"GET /health\r\n\r\n", 400),
    "HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
    "a line too much": (b"GET /health\r\nX: y HTTP/1.1\r\nHost: HOST\r\n\r\n", 400),
    "a header without a name": (b"GET /health HTTP/1.1\r\nHost: HOST\r\n: y\r\n\r\n", 400),
    "a NUL": (b"GET /health HTTP/1.1\r\nHost: HOST\r\nX: a\0b\r\n\r\n", 400),
    "a long head": (b"GET /health HTTP/1.1\r\nHost: HOST\r\nX: " + b"x" * 100_000 + b"\r\n\r\n", 431),
    "a head in few pieces": (b"GET /health HTTP/1.1\r\nHost: HOST\r\nX: " + b"x" * 33_000 + b"\r\n\r\n", 431),
    "a long address": (b"GET /health?" + b"x" * 33_000 + b" HTTP/1.1\r\nHost: HOST\r\n\r\n", 431),
    "a head without end": (b"GET /health HTTP/1.1\r\nHost: HOST\r\nX: " + b"x" * 3_000_000, 431),
    "short headers": (b"GET /health HTTP/1.1\r\nHost: HOST\r\n" + b"a:b\r\n" * 5_000 + b"\r\n", 431),
    "another encoding": (b"POST /health HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
    "two lengths": (b"POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400),
    "a length and chunks": (
        b"POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        400,
    ),
    "no chunk": (b"POST / HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n", 400),
    "a long body for nobody": (b"POST /health HTTP/1.1\r\nHost: HOST\r\nContent-Length: 4000000\r\n\r\nx", 413),
    "a promise of a body": (
        b"POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n",
        401,
    ),
    "a websocket": (
        b"GET /mcp HTTP/1.1\r\nHost: HOST\r\nUpgrade: websocket\r\nConnection: Upgrade, close\r\n\r\n",
        401,
    ),
    "a tunnel": (b"CONNECT evil.example:443 HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n", 405),
}


@pytest.mark.parametrize("name", BROKEN)
def test_every_refusal_has_the_headers_of_every_answer(web: Served, name: str) -> None:
    data, status = BROKEN[name]
    with connected(web, data.replace(b"HOST", f"127.0.0.1:{web.port}".encode())) as line:
        answer = read_all(line)
    assert answer.startswith(f"HTTP/1.1 {status} ".encode()), answer[:300]
    assert header_names(answer) - {"allow", "www-authenticate"} == GIVEN_BY_EVERY_ANSWER | {"connection"}
    assert answer.partition(b"\r\n\r\n")[2].startswith(b'{"error":{"type":"')
    assert answer.count(b'"error"') == 1


def test_garbage_after_a_whole_request_is_refused_after_its_answer(web: Served) -> None:
    ask = f"GET /api/v1/notes HTTP/1.1\r\nHost: 127.0.0.1:{web.port}\r\nAuthorization: Bearer {web.token}\r\n\r\n"
    with connected(web, ask.encode() + b"\0\1\r\n\r\n") as line:
        first, second = read_all(line).split(b"HTTP/1.1 ")[1:]
    assert first.startswith(b"200 ") and second.startswith(b"400 ")


def test_many_requests_in_one_piece_are_each_answered_in_their_order(web: Served) -> None:
    head = f"HTTP/1.1\r\nHost: 127.0.0.1:{web.port}\r\nAuthorization: Bearer {web.token}\r\n"
    asks = "".join(f"GET /nowhere/{number} {head}\r\n" for number in range(1000))
    with connected(web) as line:
        last = f"HEAD /docs {head}Connection: close\r\n\r\n"
        sender = threading.Thread(target=line.sendall, args=((asks + last).encode(),))
        sender.start()
        answers = read_all(line)
        sender.join()
    assert answers.count(b"HTTP/1.1 404 ") == 1000
    assert answers.count(b"HTTP/1.1 200 ") == 1


def test_who_has_no_token_is_answered_once_before_it_has_read(web: Served) -> None:
    ask = f"GET /health HTTP/1.1\r\nHost: 127.0.0.1:{web.port}\r\n\r\n".encode()
    with connected(web, ask * 3) as line:
        assert read_all(line).count(b"HTTP/1.1 200 ") == 1
    with connected(web) as line:
        for _ in range(3):  # one after another is another matter
            line.sendall(ask)
            assert read_answer(line).startswith(b"HTTP/1.1 200 ")


def test_a_body_is_whole_however_it_is_cut(web: Served) -> None:
    head = f"HTTP/1.1\r\nHost: 127.0.0.1:{web.port}\r\nAuthorization: Bearer {web.token}\r\n"
    head += "Connection: close\r\nContent-Type: application/json\r\n"
    content = os.urandom(20_000).hex()
    body = json.dumps({"content": content}).encode()
    chunks = b"".join(b"7\r\n%s\r\n" % body[at : at + 7] for at in range(0, len(body) - 7, 7))
    rest = body[len(chunks) // 12 * 7 :]
    chunks += b"%x\r\n%s\r\n0\r\n\r\n" % (len(rest), rest)
    put = f"PUT /api/v1/notes/memory/cut.md {head}Transfer-Encoding: chunked\r\n\r\n"
    with connected(web, put.encode() + chunks) as line:
        assert read_all(line).startswith(b"HTTP/1.1 201 ")
    assert content in (web.home / "memory" / "cut.md").read_text()
    padded = b" " * 3_000_000 + b'{"query":"launch"}'
    search = f"POST /api/v1/search {head}Content-Length: {len(padded)}\r\n\r\n"
    with connected(web, search.encode() + padded) as line:
        assert read_all(line).startswith(b"HTTP/1.1 200 ")
