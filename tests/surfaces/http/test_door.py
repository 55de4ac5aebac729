"""T13: who comes in. Every hostile request at every route, against the real door; behind it stands a counter."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from holdfast.surfaces.http.credentials import COOKIE, Entry
from holdfast.surfaces.http.host_names import Addresses, is_loopback, url_of
from holdfast.surfaces.http.request_guard import MOST_BYTES, RequestGuard
from holdfast.surfaces.http.route_table import ROUTES
from holdfast.surfaces.http.router import Table
from holdfast.surfaces.http.server_state import GIVEN

TOKEN = "t" * 43
PORT = 7437
OURS = (f"127.0.0.1:{PORT}", f"localhost:{PORT}", f"[::1]:{PORT}", f"LOCALHOST:{PORT}")
HOSTS = """evil.example evil.example:7437 localhost.evil:7437 127.0.0.1.evil:7437 127.0.0.1.nip.io:7437 0.0.0.0:7437
127.0.0.1:8080 127.0.0.1 localhost localhost:80 localhost:74370 user@127.0.0.1:7437 127.0.0.1:7437@evil.example
127.0.0.1:7437, 127.1:7437 2130706433:7437 0x7f000001:7437 [::]:7437 [::ffff:127.0.0.1]:7437 [::1] 192.168.1.5:7437
localhost.:7437 127.0.0.1:07437x 127.0.0.1:7437/evil ::1:7437 example.com#127.0.0.1:7437 xn--localhost-:7437""".split()
ORIGINS = """null http://evil.example https://evil.example http://localhost:3000 http://127.0.0.1:3000 http://localhost
http://0.0.0.0:7437 http://localhost.evil:7437 http://127.0.0.1.evil:7437 http://user@127.0.0.1:7437
http://127.0.0.1:7437.evil http://127.0.0.1:7437/ file:// chrome-extension://abc http://[::1]:7437 about:blank
http://127.0.0.1:7438 127.0.0.1:7437""".split()
SITES = ("cross-site", "same-site", "none2", "", "same-origin, cross-site")
TYPES = (
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/json",
    "application/json-patch+json",
    "application/json; charset=utf-16",
    "text/plain; application/json",
    "application/xml",
)
TOKENS = ("", "Bearer", "Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", TOKEN, "Bearer ü")
TABLE = Table(ROUTES, GIVEN)
PATHS = [(one.route.method, one.route.path.replace("+}", "}")) for one in TABLE.endpoints]
PATHS += [("POST", "/mcp"), ("GET", "/docs"), ("GET", "/openapi.json")]


class Counter:
    """Counts what came through."""

    def __init__(self) -> None:
        self.reached = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.reached += 1
        headers = [(b"Access-Control-Allow-Origin", b"*")]  # whatever stands behind the door says
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"{}"})


def takes(method: str, path: str) -> tuple[tuple[str, ...], int]:
    found = TABLE.match(method, path).endpoint
    return (found.media, found.route.most or MOST_BYTES) if found is not None else (("application/json",), MOST_BYTES)


class Caller:
    """Sends requests to a door without a line."""

    def __init__(self, *, remote: bool = False, names: tuple[str, ...] = (), body_seconds: float = 30) -> None:
        self.behind = Counter()
        self.entry = Entry(TOKEN)
        addresses = Addresses(PORT, remote=remote, names=names)
        self.guard = RequestGuard(self.behind, self.entry, addresses, takes=takes, body_seconds=body_seconds)
        self.left = 0
        self.loop = asyncio.new_event_loop()
        self.headers: dict[str, str] = {}
        self.body = b""

    def send(self, method: str, path: str, headers: list[tuple[str, str]], body: bytes = b"", pieces: int = 1) -> int:
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": [(name.lower().encode(), value.encode("utf-8")) for name, value in headers],
        }
        left = [body] * pieces
        sent: list[Any] = []

        async def receive() -> Any:
            if not left:
                return {"type": "http.disconnect"}
            return {"type": "http.request", "body": left.pop(), "more_body": bool(left)}

        async def send(message: Any) -> None:
            sent.append(message)

        self.loop.run_until_complete(self.guard(scope, receive, send))
        self.left = len(left)
        self.headers = {name.decode().lower(): value.decode() for name, value in sent[0]["headers"]}
        self.body = sent[-1].get("body", b"")
        assert not [name for name in self.headers if name.startswith("access-control-")]
        assert self.headers["x-content-type-options"] == "nosniff"
        assert "frame-ancestors 'none'" in self.headers["content-security-policy"]
        return int(sent[0]["status"])


@pytest.fixture
def caller() -> Iterator[Caller]:
    made = Caller()
    yield made
    made.loop.close()


def bearing(*more: tuple[str, str], host: str = OURS[0]) -> list[tuple[str, str]]:
    return [("Host", host), ("Authorization", f"Bearer {TOKEN}"), *more]


def hostile() -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """Requests that a page elsewhere could have sent, each with the status it is refused with."""
    for host in (*HOSTS, ""):
        yield 421, bearing(host=host)
        yield 421, bearing(("Origin", f"http://{host}"), ("Sec-Fetch-Site", "same-origin"), host=host)
    yield 421, [("Authorization", f"Bearer {TOKEN}")]  # no Host at all
    yield 421, [("Host", OURS[0]), *bearing()]  # two of them
    for origin in ORIGINS:
        yield 403, bearing(("Origin", origin))
        yield 403, bearing(("Origin", origin), ("Sec-Fetch-Site", "same-origin"))
    yield 403, bearing(("Origin", f"http://{OURS[0]}"), ("Origin", "http://evil.example"))
    for site in SITES:
        yield 403, bearing(("Sec-Fetch-Site", site))
        yield 403, bearing(("Sec-Fetch-Site", site), ("Origin", f"http://{OURS[0]}"))
    for token in TOKENS:
        yield 401, [("Host", OURS[0]), ("Authorization", token)]
        yield 401, [("Host", OURS[0]), ("Origin", f"http://{OURS[0]}"), ("Authorization", token)]
    yield 401, [("Host", OURS[0])]
    yield 401, [("Host", OURS[0]), ("Authorization", f"Bearer {TOKEN}"), ("Authorization", f"Bearer {TOKEN}")]
    for cookie in ("", "x", "a.9999999999.b", f"0.9999999999.{'0' * 64}", TOKEN):
        yield 401, [("Host", OURS[0]), ("Cookie", f"{COOKIE}={cookie}")]


HOSTILE = list(hostile())


@pytest.mark.row("T13", requests=len(HOSTILE) * len(PATHS), let_in=0)
@pytest.mark.row("door")
@pytest.mark.promise("P10")
@pytest.mark.fault
def test_nothing_foreign_comes_in_at_any_route(caller: Caller) -> None:
    assert len(HOSTILE) >= 120
    accepted = []
    for (method, path), (status, headers) in product(PATHS, HOSTILE):
        if path in ("/health", "/enter") and status == 401:
            continue
        found = caller.send(method, path, headers)
        if found != status:
            accepted.append((method, path, headers, found))
    assert not accepted, accepted[:5]
    assert caller.behind.reached == 0


@pytest.mark.row("T13")
@pytest.mark.row("door")
@pytest.mark.promise("P10")
def test_everything_of_ours_comes_in_at_every_route(caller: Caller) -> None:
    refused = []
    sent = 0
    for (method, path), host in product(PATHS, OURS):
        page = ("Origin", f"http://{host}")
        for more in ([], [page], [page, ("Sec-Fetch-Site", "same-origin")]):
            typed = [("Content-Type", "application/json")] if method not in ("GET", "DELETE") else []
            if path == "/api/v1/import":
                typed = [("Content-Type", "application/zip")]
            sent += 1
            if caller.send(method, path, bearing(*more, *typed, host=host), b"{}" if typed else b"") != 200:
                refused.append((method, path, host, more))
    assert not refused
    assert caller.behind.reached == sent


def test_a_person_who_types_an_address_may_read_and_nothing_else(caller: Caller) -> None:
    typed = bearing(("Sec-Fetch-Site", "none"))
    assert caller.send("GET", "/docs", typed) == 200
    assert caller.send("POST", "/api/v1/undo", typed) == 403


@pytest.mark.row("T13")
@pytest.mark.row("door")
@pytest.mark.parametrize("kind", TYPES)
def test_a_form_or_a_text_is_no_json(caller: Caller, kind: str) -> None:
    for method, path in PATHS:
        if method not in ("GET",):
            assert caller.send(method, path, bearing(("Content-Type", kind)), b"{}") == 415, (method, path)
            assert caller.send(method, path, bearing(("Content-Type", kind))) == 415, (method, path)
    assert caller.send("POST", "/api/v1/search", bearing(), b"{}") == 415
    assert caller.behind.reached == 0


def test_what_only_reads_has_no_body(caller: Caller) -> None:
    assert caller.send("GET", "/api/v1/notes", bearing(("Content-Type", "application/json")), b"{}") == 400


@pytest.mark.row("T13")
@pytest.mark.row("door")
@pytest.mark.parametrize("method", ["OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get"])
def test_other_methods_are_refused_and_a_preflight_gets_no_permission(caller: Caller, method: str) -> None:
    assert caller.send(method, "/api/v1/search", bearing()) == 405
    assert caller.headers["allow"] == "DELETE, GET, HEAD, PATCH, POST, PUT"  # this one was told of no routes
    asked = [("Host", OURS[0]), ("Origin", "http://evil.example"), ("Access-Control-Request-Method", "POST")]
    assert caller.send(method, "/api/v1/search", asked) == 403


def test_a_long_body_is_refused_by_what_it_is_and_not_by_what_it_says(caller: Caller) -> None:
    typed = bearing(("Content-Type", "application/json"))
    half = b" " * (MOST_BYTES // 2)
    assert caller.send("POST", "/api/v1/search", typed, half, 2) == 200
    assert caller.send("POST", "/api/v1/search", typed, half, 3) == 413
    assert caller.send("POST", "/api/v1/search", [*typed, ("Content-Length", "5")], half, 3) == 413
    assert caller.send("POST", "/api/v1/search", [*typed, ("Content-Length", "9" * 30)]) == 413
    zipped = bearing(("Content-Type", "application/zip"))
    assert caller.send("POST", "/api/v1/import", zipped, half, 3) == 200


def test_a_body_that_is_refused_is_not_read_and_the_line_is_said_to_end(caller: Caller) -> None:
    piece = b" " * (1024 * 1024)
    length = ("Content-Length", str(len(piece) * 8))
    typed = bearing(("Content-Type", "application/json"), length)
    unknown = [("Host", OURS[0]), length]
    waits = [*typed, ("Expect", "100-continue")]
    for headers, status in ((typed, 413), (unknown, 401), (waits, 413)):
        assert (caller.send("POST", "/api/v1/search", headers, piece, 8), caller.left) == (status, 8)
        assert caller.headers["connection"] == "close"
    endless = bearing(("Transfer-Encoding", "chunked"), ("Content-Type", "application/json"))
    assert caller.send("POST", "/api/v1/search", endless, piece, 100) == 413 and caller.left > 90
    assert caller.headers["connection"] == "close"
    nothing = [("Host", OURS[0]), ("Content-Length", "0")]
    assert caller.send("POST", "/api/v1/search", nothing) == 401
    assert "connection" not in caller.headers


def test_without_a_token_hardly_any_body_is_taken(caller: Caller) -> None:
    unknown = [("Host", OURS[0]), ("Content-Type", "application/json")]
    assert (caller.send("POST", "/health", unknown, b" " * 512, 100), caller.left) == (413, 97)
    assert caller.send("POST", "/health", [*unknown, ("Content-Length", "4000000")], b" ", 1) == 413
    assert caller.left == 1


def test_what_a_proxy_may_read_in_another_way_is_refused(caller: Caller) -> None:
    both = bearing(("Content-Length", "2"), ("Transfer-Encoding", "chunked"), ("Content-Type", "application/json"))
    assert caller.send("POST", "/api/v1/search", both, b"{}") == 400
    many = bearing(*((f"X-{number}", "x") for number in range(100)))
    assert caller.send("GET", "/api/v1/notes", many) == 431
    assert caller.behind.reached == 0


@pytest.mark.parametrize("ending", [False, True])
def test_a_body_that_does_not_come_is_not_waited_for(ending: bool) -> None:
    caller = Caller(body_seconds=-MOST_BYTES / 2**20 if not ending else 3600)  # no time at all, or an hour
    sent: list[Any] = []

    async def receive() -> Any:
        if ending:
            caller.guard.end()
        await asyncio.Event().wait()

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(name.lower().encode(), value.encode()) for name, value in bearing(("Content-Length", "10"))]
    path = "/api/v1/search"
    scope = {"type": "http", "method": "POST", "path": path, "raw_path": path.encode(), "headers": headers}
    try:
        caller.loop.run_until_complete(caller.guard(scope, receive, send))
    finally:
        caller.loop.close()
    assert sent[0]["status"] == (503 if ending else 408)
    assert (b"connection", b"close") in sent[0]["headers"]
    assert caller.behind.reached == 0


def test_a_websocket_is_closed(caller: Caller) -> None:
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    caller.loop.run_until_complete(caller.guard({"type": "websocket", "path": "/", "headers": []}, receive, send))
    assert sent == [{"type": "websocket.close", "code": 1008}]
    assert caller.behind.reached == 0


def test_a_code_lets_one_browser_in_once(caller: Caller) -> None:
    code = caller.entry.code()
    answer = caller.entry.enter(code)
    assert answer.status == 200
    given = dict(answer.headers)["Set-Cookie"]
    assert "HttpOnly" in given and "SameSite=Strict" in given and TOKEN not in given
    assert caller.entry.enter(code).status == 403
    assert caller.entry.enter("").status == 403
    cookie = ("Cookie", f"other=1; {given.partition(';')[0]}")
    host, page = ("Host", OURS[0]), ("Origin", f"http://{OURS[0]}")
    assert caller.send("GET", "/docs", [host, cookie]) == 200
    assert caller.send("POST", "/api/v1/undo", [host, cookie]) == 401  # no page of ours says that it asks
    assert b"`Origin`" in caller.body and b"token is needed" not in caller.body
    assert caller.send("POST", "/api/v1/undo", [host, cookie, page]) == 401  # the cookie alone
    assert b"X-Holdfast-Page" in caller.body
    key = ("X-Holdfast-Page", answer.shown["page"])
    assert caller.send("POST", "/api/v1/undo", [host, cookie, page, key]) == 200
    assert caller.send("POST", "/api/v1/undo", [host, page, key]) == 401  # the key alone
    assert caller.send("POST", "/api/v1/undo", [host, cookie, page, key, key]) == 401  # which of the two?
    assert caller.send("POST", "/api/v1/undo", [host, cookie, key]) == 401  # no page of ours says that it asks
    assert caller.send("GET", "/api/v1/notes", [host, cookie]) == 401
    assert caller.send("GET", "/api/v1/notes", [host, cookie, key]) == 200
    assert caller.send("POST", "/api/v1/undo", [host, cookie, key, ("Origin", "http://localhost:3000")]) == 403
    assert caller.send("GET", "/docs", [host, cookie, ("Sec-Fetch-Site", "same-site")]) == 403
    forged = ("Cookie", given.partition(";")[0].replace(".", ".1", 1))
    assert caller.send("GET", "/docs", [host, forged]) == 401


def test_codes_and_cookies_run_out() -> None:
    now = 1000.0
    entry = Entry(TOKEN, clock=lambda: now)
    code, late = entry.code(), entry.code()
    answer = entry.enter(code)
    cookie = dict(answer.headers)["Set-Cookie"].partition(";")[0]
    assert entry.visitor_of([cookie])
    now += 601
    assert entry.enter(late).status == 403
    now += 31 * 24 * 3600
    assert not entry.visitor_of([cookie])
    assert not Entry("u" * 43, clock=lambda: 1000.0).visitor_of([cookie])  # another token, another installation
    assert TOKEN not in repr(entry)


def test_a_server_for_other_machines_answers_to_numbers_and_to_names_it_was_told() -> None:
    caller = Caller(remote=True, names=("memory.example.org",))
    try:
        for host, fits in (
            ("192.168.1.5:7437", True),
            ("[fd00::5]:7437", True),
            ("192.168.1.5:80", False),
            ("evil.example:7437", False),
            ("memory.example.org", True),
            ("memory.example.org:443", True),
            ("x.memory.example.org", False),
        ):
            assert (caller.send("GET", "/docs", bearing(host=host)) == 200) is fits, host
            page = ("Origin", f"https://{host}")
            assert (caller.send("GET", "/docs", bearing(page, host=host)) == 200) is fits, host
        assert (
            caller.send("GET", "/docs", bearing(("Origin", "https://evil.example"), host="memory.example.org")) == 403
        )
    finally:
        caller.loop.close()


def test_which_addresses_are_this_machine_alone() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.5.5.5", "::1", "[::1]", "localhost", "LocalHost")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "", "192.168.1.5", "evil.example", "localhost.evil")))
    assert [url_of(*one) for one in (("127.0.0.1", 1), ("::1", 2), ("0.0.0.0", 3))] == [
        "http://127.0.0.1:1",
        "http://[::1]:2",
        "http://127.0.0.1:3",
    ]
