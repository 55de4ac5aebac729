"""T24: what a hostile or broken client sends is answered once, in the protocol, and the server goes on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from surfaces.mcp.fences import value_in
from surfaces.mcp.raw import Raw, call, request, running
from tally import Count

from holdfast import Memory
from holdfast.operations.tool_schema import schema_of
from holdfast.operations.toolbox import SESSION_TOOLS, TOOLS

WRONG: dict[str, list[Any]] = {
    "string": [
        1,
        1.5,
        True,
        [],
        {},
        "",
        "\x00",
        "x" * 60_000,
        "x" * 1_000_000,
        "../../etc/passwd",
        "\u202eevil",
        "a\nb",
    ],
    "integer": ["1", 1.5, True, [], -1, 0, 2**63, 2**70, 10**300, 1e308],
    "number": ["1", True, [], -1.0, 1e308, 10**400],
    "boolean": ["true", 1, 0, [], {}],
}
# Not messages, or not of the protocol: each has the id that its answer must have.
LINES: list[tuple[bytes, Any]] = [
    (b"not json", None),
    (b"{", None),
    (b"[]", None),
    (b"[1,2]", None),
    (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', None),
    (b"1", None),
    (b"null", None),
    (b'"text"', None),
    (b"{}", None),
    (b"\xff\xfe\x00", None),
    (b"NaN", None),
    (b"\x00", None),
    (b'{"jsonrpc":"1.0","id":7,"method":"ping"}', 7),
    (b'{"id":8,"method":"ping"}', 8),
    (b'{"jsonrpc":"2.0","id":9}', 9),
    (b'{"jsonrpc":"2.0","id":"a","method":5}', "a"),
    (b'{"jsonrpc":"2.0","id":10,"method":"ping","params":[]}', 10),
    (b'{"jsonrpc":"2.0","id":11,"method":"ping","params":"x"}', 11),
    (b'{"jsonrpc":"2.0","id":1.5,"method":[]}', None),
    (b'{"jsonrpc":"2.0","id":{},"method":[]}', None),
    (
        b'{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"memory_search","arguments":{"query":"\\ud800"}}}',
        12,
    ),
    (
        b'{"jsonrpc":"2.0","id":13,"method":"tools/call","params":{"name":"memory_search","arguments":{"query":"\xff"}}}',
        13,
    ),
    (b'{"jsonrpc":"2.0","id":14,"method":"ping","params":' + b'{"a":' * 5000 + b"1" + b"}" * 5000 + b"}", 14),
    (b'{"jsonrpc":"2.0","id":15,"method":"x","params":{"a":"' + b"y" * (5 * 1024 * 1024) + b'"}}', 15),
    (b'{"params":{"id":99,"a":"' + b"y" * (5 * 1024 * 1024) + b'"},"jsonrpc":"2.0","id":16,"method":"x"}', None),
]
METHODS = ["tools/list", "tools/call", "resources/list", "resources/read", "resources/subscribe", "prompts/get"]
METHODS += ["prompts/list", "no/such", "", "initialize", "server/discover", "logging/setLevel", "completion/complete"]
PARAMS: list[Any] = [
    {"name": 5},
    {"name": "memory_search", "arguments": "query"},
    {"name": "memory_search", "arguments": [1]},
    {"uri": 5},
    {"uri": "holdfast://note/../../etc/passwd"},
    {"cursor": 5},
    {"cursor": "x" * 100_000},
    {"_meta": 5},
    {"_meta": {"progressToken": {}}},
    {"unknown": {"deep": [[[[]]]]}},
]


def calls() -> Iterator[tuple[str, Any]]:
    """Every tool with a wrong value for each of its parameters, an unknown one, and none at all."""
    for name, tool in {**TOOLS, **SESSION_TOOLS}.items():
        schema = schema_of(tool)
        good = dict.fromkeys(schema["required"], "x")
        yield name, {}
        yield name, {**good, "surprise": 1}
        yield name, {**good, "__class__": "x", "self": 1, "rooms": None}
        for key, one in schema["properties"].items():
            for value in WRONG[one["type"]]:
                yield name, {**good, key: value}


@pytest.fixture(scope="module")
def cases() -> list[tuple[str, Any]]:
    found = list(calls())
    assert len(found) + len(LINES) + len(METHODS) * len(PARAMS) > 300
    return found


def answered(server: Raw, expected: Any) -> dict[str, Any]:
    """The answer to what was sent last, and nothing else before the answer to a ping."""
    heard = server.hear()
    assert heard.get("id") == expected, heard
    assert ("result" in heard) != ("error" in heard)
    return heard


@pytest.mark.row("T24")
def test_every_wrong_call_gets_a_result_of_its_own_and_changes_nothing_outside(
    cases: list[tuple[str, Any]], tally: Count
) -> None:
    with running("--tools", "all", "--session", "hostile") as server:
        server.greet()
        for number, (name, arguments) in enumerate(cases):
            server.say(call(number, name, arguments))
            heard = answered(server, number)
            assert "result" in heard, (name, str(arguments)[:200], heard)
            if heard["result"]["isError"]:
                error = value_in(heard["result"]["content"][0]["text"])["error"]
                assert error["type"] != "Unexpected", (name, str(arguments)[:200], error)
        server.say(request("last", "ping"))
        answered(server, "last")
        assert server.ended() == 0
    with Memory.open() as memory:
        paths = [found.path for found in memory.ctx.workspace.walk().found]
    assert all(path == "MEMORY.md" or path.startswith("memory/") for path in paths)
    tally(calls=len(cases), broken=0)


@pytest.mark.row("T24", calls=len(LINES), broken=0)
def test_lines_that_are_no_messages_are_answered_with_errors() -> None:
    with running() as server:
        server.greet()
        for line, number in LINES:
            server.say(line)
            assert "error" in answered(server, number), line[:100]
        server.say(
            b"", b"   ", b'{"jsonrpc":"2.0","method":"notifications/none"}', b'{"jsonrpc":"2.0","id":1,"result":{}}'
        )
        server.say(b'{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}')
        server.say(request("alive", "ping"))
        answered(server, "alive")
        assert server.ended() == 0


@pytest.mark.row("T24", calls=len(METHODS) * len(PARAMS), broken=0)
def test_wrong_parameters_of_every_method_are_answered() -> None:
    with running() as server:
        server.greet()
        number = 0
        for method in METHODS:
            for params in PARAMS:
                number += 1
                server.say(request(number, method, **params))
                answered(server, number)
        assert server.ended() == 0


@pytest.mark.row("T24", calls=1_000, broken=0)
def test_a_thousand_calls_at_once_are_each_answered_once() -> None:
    with Memory.open() as memory:
        memory.save("The launch moved to 3 March.", file="memory/launch.md")
    with running() as server:
        server.greet()
        names = [("memory_search", {"query": "launch"}), ("memory_get", {"path": "memory/launch.md"})]
        server.say(*(call(number, *names[number % 2]) for number in range(1000)))
        heard = [server.hear() for _ in range(1000)]
        assert sorted(one["id"] for one in heard) == list(range(1000))
        assert not any(one["result"]["isError"] for one in heard)
        assert server.ended() == 0


def test_a_cancelled_call_is_not_answered_and_holds_nothing_up() -> None:
    with running() as server:
        server.greet()
        server.say(*(call(number, "memory_search", {"query": "x"}) for number in range(30)))
        server.say(
            *(
                {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}}
                for number in range(30)
            )
        )
        server.say(call("last", "memory_search", {"query": "x"}))
        heard = []
        while "last" not in heard:
            heard.append(server.hear()["id"])
        assert len(heard) == len(set(heard))
        assert server.ended() == 0
