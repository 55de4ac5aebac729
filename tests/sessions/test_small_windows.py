"""A chat on a small local model: the window is the server's, and everything that is sent fits into it."""

from __future__ import annotations

import pytest
from counts import by_turns, counted
from provider_chat_script import ChatScript
from provider_server import ProviderServer

from holdfast import Memory, Origin
from holdfast.llm.chat_model import Answer, Request, Stop, ToolCall
from holdfast.llm.scripted_model import ScriptedModel
from holdfast.llm.token_usage import estimate
from holdfast.operations.context_window import ESSENTIAL_TOOLS, schema_tokens


def keys(provider: ProviderServer, **more: object) -> dict[str, object]:
    given = {"llm.provider": "custom", "llm.model": "local-model", "llm.base_url": provider.url}
    return {**given, "llm.api_key": provider.key, **more}


def weight(request: Request) -> int:
    """About how many tokens a request takes of the window, with the answer that it leaves room for."""
    return estimate(request.messages) + schema_tokens(request.tools) + (request.max_tokens or 0)


@pytest.mark.parametrize(("window", "limit"), [(4096, 1024), (8192, 2048), (65_536, 41_536)])
def test_a_conversation_is_shortened_by_the_window_that_the_server_says(
    window: int, limit: int, provider: ProviderServer, script: ChatScript
) -> None:
    script.server, script.window = "llamacpp", window
    with Memory.open(settings=keys(provider)) as memory, memory.session() as session:
        assert session.flush_due().limit == limit
    with (
        Memory.open(settings=keys(provider)) as memory,
        memory.session() as session,
    ):
        assert session.flush_due(context_window=100_000).limit == 76_000


def test_what_the_owner_set_wins_and_nobody_is_asked(provider: ProviderServer, script: ChatScript) -> None:
    script.server, script.window = "llamacpp", 4096
    with Memory.open(settings={**keys(provider), "compaction.context_window": 50_000}) as memory:
        assert memory.session().flush_due().limit == 26_000
    assert provider.requests == []


def test_a_server_that_does_not_say_leaves_the_default(provider: ProviderServer, script: ChatScript) -> None:
    with Memory.open(settings=keys(provider)) as memory:
        assert memory.session().flush_due().limit == 104_000


@pytest.mark.parametrize(("window", "few"), [(4096, True), (8192, True), (16_384, True), (32_768, False)])
def test_a_small_window_is_offered_the_essential_tools_only(window: int, few: bool) -> None:
    with Memory.open() as memory, memory.session() as session:
        model = ScriptedModel("Hello.", window=window)
        session.turn("hello", model=model)
        names = tuple(tool.name for tool in model.requests[0].tools)
        assert names == (ESSENTIAL_TOOLS if few else session.tools().names)
        assert schema_tokens(model.requests[0].tools) * 5 <= window


@pytest.mark.parametrize(
    ("line", "window"),
    [
        (line, window)
        for turn, line in enumerate(("The launch of the Kestrel moved again. ", "打ち上げは三月三日に延期されました。"))
        for window in by_turns((4096, 8192), turn, 1)
    ],
)
def test_everything_that_is_sent_in_a_long_conversation_fits_into_a_small_window(line: str, window: int) -> None:
    def answer(request: Request) -> str | Answer:
        last = request.messages[-1]
        if not request.tools or request.tools[0].name == "write_file":
            return "NO_REPLY"
        if last.role == "user":
            return Answer("", (ToolCall("c1", "memory_search", {"query": "Kestrel 打ち上げ"}),), Stop.TOOLS)
        if len([one for one in request.messages if one.tool_call_id == "c2"]) < 2 and last.tool_call_id != "c2":
            return Answer("", (ToolCall("c2", "memory_get", {"path": "memory/launch.md"}),), Stop.TOOLS)
        return "So it is. " * 20

    with Memory.open(origin=Origin.USER) as memory:
        memory.save(line * 900)
        memory.save("\n\n".join(line * 12 for _ in range(70)), file="memory/launch.md")
        with memory.session() as session:
            model = ScriptedModel(always=answer, window=window)
            for number in range(counted(14, 30)):
                turned = session.turn(f"Question {number}: " + line * 8, model=model)
                assert turned.text.startswith("So it is.")
            assert session.transcript.cycle >= 2
    heaviest = max(model.requests, key=weight)
    assert weight(heaviest) <= window


def test_an_answer_is_limited_to_the_room_that_is_kept_for_it() -> None:
    with Memory.open(settings={"llm.max_tokens": 3000}) as memory:
        for number, (window, most) in enumerate(((8192, 2048), (128_000, None))):
            model = ScriptedModel("Hello.", window=window)
            memory.session(f"s{number}").turn("hello", model=model)
            assert model.requests[0].max_tokens == most
