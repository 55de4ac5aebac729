from __future__ import annotations

import subprocess
import sys

import pytest

from holdfast.errors import BadAnswer, BadArgument, ProviderFailed
from holdfast.llm.chat_contract import check_chat_model
from holdfast.llm.chat_model import Answer, Request, Stop, ToolCall, Usage, system, user
from holdfast.llm.scripted_model import ScriptedModel

HELLO = Request((user("hello there"),))


def test_the_fake_keeps_the_contract() -> None:
    check_chat_model(ScriptedModel(always="well"))
    call = ToolCall("c1", "clock", {"city": "Lima"})
    check_chat_model(ScriptedModel("a", "b", Answer("", (call,), Stop.TOOLS), always=lambda request: "later"))


def test_lines_are_said_in_turn_and_the_requests_kept() -> None:
    model = ScriptedModel("one", lambda request: request.messages[-1].text.upper(), Answer("three", model="other"))
    first = model.chat(HELLO)
    assert (first.text, first.model, first.usage) == ("one", "scripted", Usage(2, 1))
    assert model.chat(HELLO).text == "HELLO THERE"
    assert model.chat(HELLO).model == "other"
    assert model.requests == [HELLO] * 3
    with pytest.raises(ProviderFailed, match="its script is over"):
        model.chat(HELLO)


def test_a_line_may_be_a_failure_and_a_model_may_be_down() -> None:
    model = ScriptedModel(BadAnswer("scripted", "garbled"), "fine")
    with pytest.raises(BadAnswer, match="garbled"):
        model.chat(HELLO)
    model.down = True
    with pytest.raises(ProviderFailed, match="switched off"):
        model.chat(HELLO)
    model.down = False
    assert model.chat(HELLO).text == "fine"


def test_a_conversation_without_a_question_can_not_be_asked() -> None:
    for messages in ((), (system("rules"),)):
        with pytest.raises(BadArgument, match="none to answer"):
            Request(messages)


def test_nothing_heavy_is_imported_before_a_model_is_asked() -> None:
    code = (
        "import sys\n"
        "from holdfast.llm import anthropic_chat, gemini_chat, model_choice, ollama_chat, openai_chat\n"
        "from holdfast.search import query_expansion, rerank, rerank_llm, rerank_onnx\n"
        "openai_chat.OpenAIChat('m', api_key='k')\n"
        "print(sorted({'numpy', 'httpx2', 'ssl', 'onnxruntime', 'tokenizers', 'asyncio'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
