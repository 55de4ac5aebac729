"""What a client begins with is answered before the SDK is imported, and just as the SDK's server answers it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS
from surfaces.mcp.connections import environment
from surfaces.mcp.raw import HELLO, READY, Raw, call, forked, python, request, running

from holdfast import Memory, Origin
from holdfast.surfaces.mcp.server_info import HANDSHAKE_VERSIONS, MODERN_VERSION
from holdfast.surfaces.mcp.tool_profile import Profile

WITHOUT_SDK = python(
    """
import os
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name in ("mcp_types", "pydantic", "anyio"):
            os._exit(99)  # a client would have to wait for it
sys.meta_path.insert(0, Refuse())
"""
)
"""A server that ends as soon as anything imports the SDK."""
WHO = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "claude-code", "title": "Claude Code", "version": "2.1.325"},
    "io.modelcontextprotocol/clientCapabilities": {"roots": {"listChanged": True}, "elicitation": {"form": {}}},
}
LISTS = ("prompts/list", "resources/list", "tools/list")
OPTIONS = [
    *(("--tools", profile) for profile in Profile),
    ("--read-only",),
    ("--structured",),
    ("--tools", "all", "--session", "work"),
]


def modern(number: int | str, method: str, **params: Any) -> dict[str, Any]:
    """A request that says itself who asks, as there is no handshake."""
    return request(number, method, _meta=WHO, **params)


def listen(number: int | str, **wanted: Any) -> dict[str, Any]:
    return modern(number, "subscriptions/listen", notifications=wanted)


def hello(version: str) -> dict[str, Any]:
    return {**HELLO, "params": {**HELLO["params"], "protocolVersion": version}}


def answer(server: Raw, message: dict[str, Any]) -> str:
    """What answers a message, with its members in one order: the SDK has one of its own for each version."""
    server.say(message)
    heard = server.hear()
    assert heard["id"] == message["id"]
    return json.dumps(heard, sort_keys=True)


def test_the_versions_are_those_of_the_sdk() -> None:
    assert HANDSHAKE_VERSIONS == HANDSHAKE_PROTOCOL_VERSIONS
    assert (MODERN_VERSION,) == MODERN_PROTOCOL_VERSIONS


def test_a_client_of_the_handshake_knows_the_tools_before_the_sdk_is_imported() -> None:
    with running(command=WITHOUT_SDK) as server:
        assert server.greet()["result"]["serverInfo"]["name"] == "holdfast"
        server.say(request("alive", "ping"))
        assert server.hear() == {"jsonrpc": "2.0", "id": "alive", "result": {}}
        for method in LISTS:
            assert server.hear_result(request(method, method))
        assert server.process.wait(30) == 99  # right after the tools were listed


def test_a_client_without_a_handshake_knows_the_tools_before_the_sdk_is_imported() -> None:
    """As Claude Code 2.1.325 begins: it waits for each answer, and sends the last three at once."""
    with running(command=WITHOUT_SDK) as server:
        assert server.hear_result(modern("probe", "server/discover"))["supportedVersions"] == [MODERN_VERSION]
        server.say(listen("listen:0", toolsListChanged=True, resourcesListChanged=True))
        assert server.hear()["method"] == "notifications/subscriptions/acknowledged"
        assert server.hear_result(modern(2, "server/discover"))["capabilities"]["tools"]
        server.say(modern(3, "prompts/list"), modern(4, "resources/list"), modern(5, "tools/list"))
        assert [server.hear()["id"] for _ in range(3)] == [3, 4, 5]


@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
def test_the_lists_are_what_the_sdk_answers(options: tuple[str, ...], home: Path) -> None:
    (home / "memory").mkdir(parents=True)
    for number in range(101):  # more than a page of them
        (home / "memory" / f"note {number}.md").write_text("A note.")
    for start, ask in ((HELLO, request), (modern("hello", "server/discover"), modern)):
        with running(*options) as server:
            first = answer(server, start)
            lists = [answer(server, ask(7, method)) for method in LISTS]  # from here on the SDK answers
            assert lists == [answer(server, ask(7, method)) for method in LISTS]
            if ask is modern:
                assert answer(server, start) == first
            assert server.ended() == 0


@pytest.mark.parametrize("version", [*HANDSHAKE_VERSIONS, MODERN_VERSION, "1999-01-01"])
def test_the_greeting_is_what_the_sdk_answers(version: str) -> None:
    with running() as server:
        first = answer(server, hello(version))
        assert server.ended() == 0
    with running() as server:
        assert "error" in json.loads(answer(server, call("early", "memory_get", {})))  # which only the SDK answers
        assert answer(server, hello(version)) == first
        assert server.ended() == 0


def test_a_tool_can_be_called_whatever_was_answered_before(home: Path) -> None:
    starts: list[list[dict[str, Any]]] = [
        [HELLO, READY],
        [HELLO],
        [HELLO, READY, request("lists", "tools/list")],
        [HELLO, READY, request("more", "resources/templates/list"), request("lists", "tools/list")],
    ]
    for number, start in enumerate(starts):
        with running() as server:
            server.say(*start, call("save", "memory_save", {"content": f"The launch moved {number} days."}))
            wanted = {message["id"] for message in (*start, {"id": "save"}) if "id" in message}
            heard = {message["id"]: message for message in (server.hear() for _ in wanted)}
            assert heard.keys() == wanted
            assert all("result" in message for message in heard.values())
            assert server.ended() == 0
    with Memory.open() as memory:
        assert [entry.client for entry in memory.inbox.list()] == ["t"] * len(starts)


def test_what_was_acknowledged_is_kept_and_told_once(home: Path) -> None:
    with running() as server:
        assert server.hear_result(modern(0, "server/discover"))
        server.say(listen("listen:0", resourcesListChanged=True), modern(1, "resources/list"), modern(2, "tools/list"))
        heard = [server.hear() for _ in range(3)]
        assert {message.get("id", message.get("method")) for message in heard} == {
            "notifications/subscriptions/acknowledged",
            1,
            2,
        }
        with Memory.open(origin=Origin.USER) as memory:
            memory.save("New.", file="memory/new.md")
        told = server.hear()
        assert told["method"] == "notifications/resources/list_changed"
        assert told["params"]["_meta"] == {"io.modelcontextprotocol/subscriptionId": "listen:0"}


@pytest.mark.parametrize("ask", [request, modern])
def test_a_note_that_comes_before_notes_are_watched_is_told_of(home: Path, ask: Any) -> None:
    note = home / "memory" / "meanwhile.md"
    home.joinpath("memory").mkdir(parents=True)
    code = f"""
import pathlib
class Write:
    def find_spec(self, name, path=None, target=None):
        if name == "mcp_types":  # the client has its answers by now
            pathlib.Path({str(note)!r}).write_text("New.")
sys.meta_path.insert(0, Write())
"""
    with running(command=python(code)) as server:
        if ask is modern:
            server.hear_result(modern("hello", "server/discover"))
            server.say(listen("listen:0", resourcesListChanged=True))
            assert server.hear()["method"] == "notifications/subscriptions/acknowledged"
        else:
            server.greet()
        assert server.hear_result(ask(1, "resources/list"))["resources"] == []
        assert server.hear_result(ask(2, "tools/list"))["tools"]
        told = server.hear()
        assert told["method"] == "notifications/resources/list_changed"
        if ask is modern:
            assert told["params"]["_meta"] == {"io.modelcontextprotocol/subscriptionId": "listen:0"}
        server.say(ask(3, "resources/list"))
        while "id" not in (told := server.hear()):
            assert told["method"] == "notifications/resources/list_changed"
        assert [one["name"] for one in told["result"]["resources"]] == ["memory/meanwhile.md"]


def test_a_client_that_names_notes_is_told_of_them_only_when_they_are_watched(home: Path) -> None:
    with running(command=WITHOUT_SDK) as server:
        server.hear_result(modern(0, "server/discover"))
        server.say(listen("listen:0", resourceSubscriptions=["holdfast://note/MEMORY.md"]))
        assert server.out.readline() == b""
    with running() as server:
        server.hear_result(modern(0, "server/discover"))
        server.say(listen("listen:0", resourceSubscriptions=["holdfast://note/MEMORY.md"]))
        assert server.hear()["method"] == "notifications/subscriptions/acknowledged"
        with Memory.open(origin=Origin.USER) as memory:
            memory.save("New.")
        while (told := server.hear())["method"] != "notifications/resources/updated":
            assert told["method"] == "notifications/resources/list_changed"
        assert told["params"]["uri"] == "holdfast://note/MEMORY.md"


def test_a_handshake_that_comes_after_a_discovery_is_refused_and_the_discovery_holds() -> None:
    """Claude Code sends both where the first answer is late."""
    with running() as server:
        server.say(modern("probe", "server/discover"), HELLO)
        assert "result" in server.hear()
        refused = server.hear()
        assert (refused["id"], refused["error"]["code"]) == ("hello", -32022)
        assert server.hear_result(modern(1, "tools/list"))["tools"]
        assert server.ended() == 0


@pytest.mark.parametrize(
    "message",
    [
        {**HELLO, "id": True},
        {**HELLO, "id": 1.5},
        {**HELLO, "extra": 1},
        {**HELLO, "params": {"protocolVersion": "2025-11-25"}},
        {**HELLO, "params": {**HELLO["params"], "clientInfo": {"name": 1, "version": "1"}}},
        {**HELLO, "params": {**HELLO["params"], "protocolVersion": 5}},
        {**HELLO, "params": []},
        {**HELLO, "id": "\ud800"},
        request(1, "server/discover"),
        request(1, "server/discover", _meta={**WHO, "io.modelcontextprotocol/protocolVersion": "2031-01-01"}),
        request(1, "server/discover", _meta=[]),
        request(1, "tools/list"),
        READY,
    ],
    ids=repr,
)
def test_a_beginning_that_is_odd_in_any_way_is_left_to_the_sdk(message: dict[str, Any]) -> None:
    with running(command=WITHOUT_SDK) as server:
        server.say(message)
        assert server.out.readline() == b""
        assert server.process.wait(30) == 99


def test_a_list_that_can_not_be_made_is_told_as_the_sdk_tells_it() -> None:
    nowhere = {**environment(), "HOLDFAST_HOME": "/proc/nope"}
    code = f"import os; os.environ.update({nowhere!r})"
    with running(command=forked(code)) as server:
        server.greet()
        server.say(request(1, "tools/list"))
        heard = server.hear()
        assert "/proc/nope" in heard["error"]["message"]
        assert heard["error"]["data"]["error"]["type"] == "StorageFailed"
        assert server.ended() == 0
