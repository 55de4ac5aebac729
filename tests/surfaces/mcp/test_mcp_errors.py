"""What goes wrong is told in the documented object, whichever method met it, and every request is answered."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.shared.exceptions import MCPDeprecationWarning, MCPError
from surfaces.mcp.connections import CONNECTIONS, LEGACY, NAMES, Connect
from surfaces.mcp.fences import inside
from surfaces.mcp.raw import Raw, call, request, running

from holdfast import Memory
from holdfast.surfaces.mcp.error_codes import INTERNAL, PARAMS
from holdfast.surfaces.mcp.message_lines import parse_line

everywhere = pytest.mark.parametrize(("connect", "mode"), CONNECTIONS, ids=NAMES)
UNFIT: list[tuple[str, dict[str, Any], str]] = [
    ("tools/call", {"name": "memory_search", "arguments": ["a"]}, "'arguments'"),
    ("tools/call", {"name": "memory_search", "arguments": "query"}, "'arguments'"),
    ("tools/call", {}, "'name'"),
    ("tools/call", {"name": 5}, "'name'"),
    ("tools/list", {"cursor": 5}, "'cursor'"),
    ("resources/list", {"cursor": 5}, "'cursor'"),
    ("resources/list", {"cursor": "?"}, "'cursor'"),
    ("resources/read", {"uri": 5}, "'uri'"),
    ("resources/subscribe", {}, "'uri'"),
    ("prompts/get", {"name": "recall", "arguments": {"topic": 5}}, "'arguments.topic'"),
    ("prompts/get", {"name": "none"}, "'name'"),
]


def settings() -> Path:
    home = Path(os.environ["HOLDFAST_HOME"])
    home.mkdir(parents=True, exist_ok=True)
    return home / "holdfast.toml"


def error_of(server: Raw, message: dict[str, Any] | bytes) -> dict[str, Any]:
    server.say(message)
    heard = server.hear()
    assert "error" in heard, heard
    error: dict[str, Any] = heard["error"]
    said = error["data"]["error"]
    assert set(said) == {"type", "message"} and said["message"]
    return {**error, "type": said["type"], "said": said["message"]}


def test_what_does_not_fit_is_named_in_the_documented_object() -> None:
    with running() as server:
        server.greet()
        for number, (method, params, name) in enumerate(UNFIT):
            error = error_of(server, request(number, method, **params))
            assert (error["code"], error["type"]) == (PARAMS, "BadArgument"), (method, params)
            assert name in error["said"] == error["message"]
        unknown = error_of(server, request("u", "no/such"))
        assert (unknown["code"], unknown["type"]) == (-32601, "BadArgument")
        assert server.ended() == 0


def test_what_is_asked_before_the_handshake_is_told_so() -> None:
    with running() as server:
        assert "handshake" in error_of(server, request(1, "tools/list"))["said"]
        server.greet()


def test_settings_that_can_not_be_read_are_told_by_every_method_and_followed_once_mended() -> None:
    settings().write_text("[[broken")
    with running() as server:
        server.greet()
        for number, (method, params) in enumerate(
            [
                ("tools/list", {}),
                ("tools/call", {"name": "no such tool"}),
                ("resources/list", {}),
                ("resources/read", {"uri": "holdfast://note/MEMORY.md"}),
                ("resources/subscribe", {"uri": "holdfast://note/MEMORY.md"}),
                ("prompts/get", {"name": "daily_review"}),
            ]
        ):
            error = error_of(server, request(number, method, **params))
            assert (error["code"], error["type"]) == (INTERNAL, "UnreadableSettings"), method
            assert "Mend it" in error["said"]
        server.say(call("c", "memory_search", {"query": "x"}))
        assert server.hear()["result"]["isError"]
        settings().unlink()
        for method, params in (("tools/list", {}), ("resources/subscribe", {"uri": "holdfast://note/MEMORY.md"})):
            server.say(request(method, method, **params))
            assert "result" in server.hear()
        assert server.ended() == 0
        assert server.process.stderr is not None
        assert b"Traceback" not in server.process.stderr.read()


def test_a_server_goes_on_while_the_settings_are_half_saved() -> None:
    with running() as server:
        server.greet()
        server.say(call(1, "memory_save", {"content": "Tea at four", "file": "memory/tea.md"}))
        assert not server.hear()["result"]["isError"]
        settings().write_text("[memory]\ncitations = 'of")
        server.say(call(2, "memory_search", {"query": "tea"}))
        assert not server.hear()["result"]["isError"]
        assert server.ended() == 0


@pytest.mark.parametrize("number", [b"1.5", b"null", b'{"a":1}', b"[1]", b"true"])
def test_a_request_whose_id_is_none_is_answered(number: bytes) -> None:
    line = b'{"jsonrpc":"2.0","id":' + number + b',"method":"ping"}'
    found = parse_line(line)
    assert found.message is None and found.answer is not None
    with running() as server:
        server.greet()
        error = error_of(server, line)
        assert (error["code"], error["type"]) == (-32600, "BadArgument")
        server.say(b'{"jsonrpc":"2.0","method":"notifications/none","params":{"id":1}}', request("last", "ping"))
        assert server.hear()["id"] == "last"
        assert server.ended() == 0


@everywhere
def test_nobody_subscribes_to_what_is_no_note(connect: Connect, mode: str) -> None:
    async def ask() -> None:
        for link in ("file:///etc/passwd", "holdfast://note/../state/token", "holdfast://note/", "x"):
            async with connect(mode) as client:
                with pytest.raises((MCPError, ExceptionGroup)) as refused:
                    if mode == LEGACY:
                        with warnings.catch_warnings():
                            warnings.simplefilter("ignore", MCPDeprecationWarning)
                            await client.subscribe_resource(link)
                    else:
                        async with client.listen(resource_subscriptions=[link]):
                            pass
            assert "can't be used as a note's path" in str(told(refused.value))

    anyio.run(ask)


def told(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


LINES = [f"Line {number} of a note that goes on and on and on." for number in range(1, 3001)]


@pytest.fixture(scope="module")
def long_notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with two long notes, indexed once for tests that only read."""
    home = tmp_path_factory.mktemp("long") / "home"
    (home / "memory").mkdir(parents=True)
    (home / "memory/long.md").write_text("\n".join(LINES[:1000]) + "\n")
    (home / "memory/longer.md").write_text("\n".join(LINES) + "\n")
    with Memory.open(home) as memory:
        memory.sync()
    return home


@everywhere
def test_chatgpt_reads_all_of_a_long_note_or_is_told_how(
    connect: Connect, mode: str, long_notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_HOME", str(long_notes))

    async def read() -> None:
        async with connect(mode, "--tools", "chatgpt") as client:

            async def fetched(which: str) -> dict[str, Any]:
                found = (await client.call_tool("fetch", {"id": which})).structured_content
                assert isinstance(found, dict)
                return found

            whole = await fetched("memory/long.md")
            assert inside(whole["text"]).splitlines() == LINES[:1000]
            assert "next" not in whole["metadata"]
            found = (await client.call_tool("search", {"query": "line 700 of a note"})).structured_content
            assert isinstance(found, dict)
            hit = next(one for one in found["results"] if one["title"].startswith("memory/long.md"))
            assert inside((await fetched(hit["id"]))["text"]) == inside(whole["text"])
            held: list[str] = []
            following: str | None = "memory/longer.md"
            while following is not None:
                part = await fetched(following)
                following = part["metadata"].get("next")
                _, _, hint = part["text"].partition("\n\n[Not all of it")
                assert bool(hint) == (following is not None) and (following or "") in hint
                held += inside(part["text"]).splitlines()
            assert held == LINES

    anyio.run(read)
