"""Over HTTP, too, whatever is no message is answered in our words, with its id and the documented object."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from typing import Any

import pytest
from surfaces.mcp.connections import served

from holdfast.surfaces.mcp.client_lines import LONGEST
from holdfast.surfaces.mcp.message_lines import parse_line

BOTH = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
MALFORMED: dict[str, tuple[bytes, int, str | int | None]] = {
    "nothing": (b"", -32700, None),
    "no JSON": (b"not json", -32700, None),
    "an empty object": (b"{}", -32600, None),
    "a list": (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, None),
    "an old version": (b'{"jsonrpc":"1.0","id":7,"method":"ping"}', -32600, 7),
    "a method that is none": (b'{"jsonrpc":"2.0","id":"s","method":5}', -32600, "s"),
    "params that are none": (b'{"jsonrpc":"2.0","id":"p","method":"ping","params":[]}', -32600, "p"),
    "an id that is null": (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, None),
    "an id that is a fraction": (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, None),
    "an id that is a switch": (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600, None),
    "half of one": (b'{"jsonrpc":"2.0","id":9,"method":"ping"', -32700, 9),
    "no UTF-8": (b'{"jsonrpc":"2.0","id":9,"method":"\xff"}', -32700, 9),
}


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOLDFAST_HOME", str(tmp_path_factory.mktemp("screened") / "home"))
        with served() as address:
            yield int(address.rsplit(":", 1)[1].split("/")[0])


def asked(port: int, body: bytes, headers: dict[str, str] | None = None, method: str = "POST") -> tuple[int, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request(method, "/mcp/", body, headers or BOTH)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])
@pytest.mark.parametrize("name", MALFORMED)
def test_what_is_no_message_is_told_as_over_stdio(port: int, name: str, version: str) -> None:
    body, code, known = MALFORMED[name]
    status, told = asked(port, body, {**BOTH, "MCP-Protocol-Version": version})
    error = told["error"]
    assert (status, told["id"], error["code"]) == (400, known, code)
    assert error["data"]["error"] == {"type": "BadArgument", "message": error["message"]}
    assert "pydantic" not in error["message"] and "validation" not in error["message"]
    if body:
        said = parse_line(body).answer
        assert said is not None and (said.id, said.error.code) == (known, code)


def test_a_message_that_is_too_long_is_told_with_its_id(port: int) -> None:
    body = b'{"jsonrpc":"2.0","id":"long","method":"ping","params":{"x":"' + b"y" * LONGEST + b'"}}'
    status, told = asked(port, body)
    assert (status, told["id"], told["error"]["code"]) == (413, "long", -32600)
    assert told["error"]["data"]["error"]["type"] == "BadArgument"


@pytest.mark.parametrize(
    ("method", "headers", "status", "known"),
    [
        ("PUT", BOTH, 405, None),
        ("POST", {"Content-Type": "application/json", "Accept": "text/html"}, 406, 5),
        ("POST", {**BOTH, "Mcp-Session-Id": "nobody"}, 404, 5),
    ],
    ids=["another method", "no answer is accepted", "no such session"],
)
def test_what_the_transport_refuses_has_the_documented_object(
    port: int, method: str, headers: dict[str, str], status: int, known: int | None
) -> None:
    body = b'{"jsonrpc":"2.0","id":5,"method":"tools/list"}'
    found, told = asked(port, body, headers, method)
    assert (found, told["id"]) == (status, known)
    shown = told["error"]["data"]["error"]
    assert shown == {"type": "NotFound" if status == 404 else "BadArgument", "message": told["error"]["message"]}
