"""The remote models against a server that behaves: the turns, the requests, the tools, what a server can't do."""

from __future__ import annotations

from typing import Any

import pytest
from provider_chat_kinds import ANTHROPIC, CUSTOM, GEMINI, KINDS, OLLAMA, OPENAI, ChatKind
from provider_chat_script import ChatScript, Said
from provider_server import ProviderServer

from holdfast.llm.answer_parts import MADE
from holdfast.llm.chat_contract import check_chat_model
from holdfast.llm.chat_model import Message, Request, Role, Stop, ToolCall, ToolSpec, Usage, result_of, system, user

SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
CLOCK = ToolSpec("clock", "The time of day.", SCHEMA)
HELLO = Request((system("Be brief."), user("hello there")))
every_kind = pytest.mark.parametrize("kind", KINDS, ids=str)


def last(provider: ProviderServer) -> Any:
    return provider.requests[-1].json


@every_kind
def test_the_contract_is_kept(kind: ChatKind, provider: ProviderServer, script: ChatScript) -> None:
    model = kind.make(provider)
    check_chat_model(model)
    model.close()


@every_kind
def test_the_contract_is_kept_by_a_server_that_names_no_calls_and_can_do_little(
    kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    script.names_calls = False
    script.refuses = {"temperature", "schema", "json", "max_completion"}
    check_chat_model(kind.make(provider))


@every_kind
def test_a_turn_comes_with_its_model_and_its_cost(kind: ChatKind, provider: ProviderServer, script: ChatScript) -> None:
    answer = kind.make(provider).chat(HELLO)
    assert (answer.text, answer.stop, answer.tool_calls) == ("You said: hello there", Stop.END, ())
    assert answer.model.startswith(kind.model)
    assert answer.usage.output_tokens >= 4
    assert answer.usage.input_tokens >= 2
    assert len(provider.asked(kind.path)) == len(provider.requests) == 1


def test_usage_is_counted_alike_whoever_counts(provider: ProviderServer, script: ChatScript) -> None:
    script.say(*["one two three"] * len(KINDS))
    found = {kind.name: kind.make(provider).chat(HELLO).usage for kind in KINDS}
    assert found["openai"] == Usage(4, 3, cached_tokens=2)
    assert found["anthropic"] == Usage(2 + 5 + 3, 3, cached_tokens=5, cache_written_tokens=3)
    assert found["gemini"] == Usage(2, 3 + 7, cached_tokens=2)
    assert found["ollama"] == Usage(4, 3)
    assert Usage(1, 2) + Usage(3, 4, 5, 6) == Usage(4, 6, 5, 6)


@every_kind
def test_the_key_stands_in_a_header_only(kind: ChatKind, provider: ProviderServer, script: ChatScript) -> None:
    model = kind.make(provider)
    model.chat(HELLO)
    (seen,) = provider.requests
    assert sum(provider.key in value for value in seen.headers.values()) == 1
    assert provider.key not in seen.path + seen.query + seen.body.decode() + repr(model)


@every_kind
def test_a_tool_is_called_and_its_result_answered(kind: ChatKind, provider: ProviderServer, script: ChatScript) -> None:
    script.say(Said("Let me look.", calls=(("clock", {"city": "Lima"}), ("clock", {"city": "Oslo"}))), "Noon.")
    model, asked = kind.make(provider), user("What time is it?")
    answer = model.chat(Request((asked,), (CLOCK,)))
    assert answer.stop is Stop.TOOLS
    assert [(call.name, call.arguments) for call in answer.tool_calls] == [
        ("clock", {"city": "Lima"}),
        ("clock", {"city": "Oslo"}),
    ]
    first, second = answer.tool_calls
    results = (result_of(first, "12:00"), result_of(second, "no such city", failed=True))
    following = model.chat(Request((asked, answer.message, *results), (CLOCK,)))
    assert (following.text, following.stop) == ("Noon.", Stop.END)


@pytest.mark.parametrize("kind", [GEMINI, OLLAMA], ids=str)
def test_a_call_without_an_id_gets_one_that_is_not_sent_back(
    kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    script.names_calls = False
    model, asked = kind.make(provider), user("What time is it?")
    answer = model.chat(Request((asked,), (CLOCK,)))
    (call,) = answer.tool_calls
    assert call.id.startswith(MADE)
    model.chat(Request((asked, answer.message, result_of(call, "12:00")), (CLOCK,)))
    assert MADE not in provider.requests[-1].body.decode()


@pytest.mark.parametrize("kind", [OPENAI, CUSTOM], ids=str)
@pytest.mark.parametrize(
    ("given", "flaw"),
    [('{"city": ', "not JSON"), ('["Lima"]', "not an object"), ('{"n": 1e999}', "a number that is none")],
)
def test_arguments_that_are_no_object_are_said_to_be_flawed(
    kind: ChatKind, given: str, flaw: str, provider: ProviderServer, script: ChatScript
) -> None:
    script.say(Said(calls=(("clock", given),)))
    model, asked = kind.make(provider), user("What time is it?")
    answer = model.chat(Request((asked,), (CLOCK,)))
    (call,) = answer.tool_calls
    assert flaw in call.flaw and call.arguments == {}
    model.chat(Request((asked, answer.message, result_of(call, call.flaw, failed=True)), (CLOCK,)))


def test_thoughts_of_anthropic_go_back_as_they_came(provider: ProviderServer, script: ChatScript) -> None:
    script.say(Said("Now.", calls=(("clock", {"city": "Lima"}),), thoughts="hm"), "Noon.")
    model, asked = ANTHROPIC.make(provider), user("What time is it?")
    answer = model.chat(Request((asked,), (CLOCK,)))
    assert answer.text == "Now."
    model.chat(Request((asked, answer.message, result_of(answer.tool_calls[0], "12:00")), (CLOCK,)))
    kinds = [block["type"] for block in last(provider)["messages"][1]["content"]]
    assert kinds == ["thinking", "text", "tool_use"]


def test_signatures_of_gemini_go_back_and_calls_of_others_are_marked(
    provider: ProviderServer, script: ChatScript
) -> None:
    model, asked = GEMINI.make(provider), user("What time is it?")
    answer = model.chat(Request((asked,), (CLOCK,)))
    result = result_of(answer.tool_calls[0], "12:00")
    model.chat(Request((asked, answer.message, result), (CLOCK,)))
    assert last(provider)["contents"][1]["parts"][0]["thoughtSignature"] == "EjQKMgEMOdbHO0Gd"
    model.chat(Request((asked, answer.message.replace(carried=None), result), (CLOCK,)))
    assert "skip" in last(provider)["contents"][1]["parts"][0]["thoughtSignature"]
    older = GEMINI.make(provider, model="models/gemini-2.5-flash")
    older.chat(Request((asked, answer.message.replace(carried=None), result), (CLOCK,)))
    assert "thoughtSignature" not in last(provider)["contents"][1]["parts"][0]


def test_a_turn_that_one_provider_carried_is_written_anew_for_another(
    provider: ProviderServer, script: ChatScript
) -> None:
    asked = user("What time is it?")
    for first in (ANTHROPIC, GEMINI):
        script.say(Said("Now.", calls=(("clock", {"city": "Lima"}),), thoughts="hm"))
        answer = first.make(provider).chat(Request((asked,), (CLOCK,)))
        assert answer.carried is not None
        for kind in KINDS:
            messages = (asked, answer.message, result_of(answer.tool_calls[0], "12:00"))
            assert kind.make(provider).chat(Request(messages, (CLOCK,))).text


@pytest.mark.parametrize("kind", [OPENAI, CUSTOM], ids=str)
def test_what_a_proxy_puts_beside_a_call_goes_back(
    kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "clock", "arguments": "{}"}}
    signed = call | {"extra_content": {"google": {"thought_signature": "abc"}}}
    message = {"role": "assistant", "content": None, "tool_calls": [signed]}
    script.say(Said(raw={"choices": [{"message": message, "finish_reason": "stop"}]}))
    model, asked = kind.make(provider), user("What time is it?")
    answer = model.chat(Request((asked,), (CLOCK,)))
    assert answer.stop is Stop.TOOLS
    model.chat(Request((asked, answer.message, result_of(answer.tool_calls[0], "12:00")), (CLOCK,)))
    assert last(provider)["messages"][1]["tool_calls"] == [signed]


@every_kind
def test_a_turn_that_was_cut_off_or_refused_says_so(
    kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    script.say(Said("half a", stop=kind.cut))
    assert kind.make(provider).chat(HELLO).stop is Stop.LENGTH
    if kind.refused:
        script.say(Said("", stop=kind.refused))
        assert kind.make(provider).chat(HELLO).stop is Stop.REFUSED


def test_a_refusal_in_words_and_a_stopped_prompt_are_refusals(provider: ProviderServer, script: ChatScript) -> None:
    script.say(Said("I can't help with that.", stop="refusal"))
    answer = OPENAI.make(provider).chat(HELLO)
    assert (answer.text, answer.stop) == ("I can't help with that.", Stop.REFUSED)
    script.say(Said(raw={"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 4}}))
    answer = GEMINI.make(provider).chat(HELLO)
    assert (answer.text, answer.stop, answer.usage.input_tokens) == ("", Stop.REFUSED, 4)


@pytest.mark.parametrize("kind", [CUSTOM, OLLAMA], ids=str)
def test_thoughts_said_aloud_are_no_part_of_the_text(
    kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    script.say("<think>\nwell, well\n</think>\n\nNoon.", "a <think> in the middle </think> stays")
    model = kind.make(provider)
    assert model.chat(HELLO).text == "Noon."
    assert model.chat(HELLO).text == "a <think> in the middle </think> stays"


@every_kind
def test_json_is_asked_for_as_the_api_can(kind: ChatKind, provider: ProviderServer, script: ChatScript) -> None:
    answer = kind.make(provider).chat(Request((user("The capital of Peru, as JSON."),), schema=SCHEMA))
    assert answer.text == '{"city": "Lima"}'
    assert '"additionalProperties": false' in provider.requests[-1].body.decode()


@every_kind
def test_limits_come_from_the_request_or_else_from_the_model(
    kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    model = kind.make(provider, max_tokens=77, temperature=0.25)
    model.chat(HELLO)
    assert ": 77" in (sent := provider.requests[-1].body.decode()) and ": 0.25" in sent
    model.chat(HELLO.replace(max_tokens=33, temperature=0.5))
    assert ": 33" in (sent := provider.requests[-1].body.decode()) and ": 0.5" in sent
    kind.make(provider).chat(HELLO)
    assert "temperature" not in provider.requests[-1].body.decode()


@pytest.mark.parametrize("kind", [OPENAI, CUSTOM, ANTHROPIC, GEMINI], ids=str)
def test_what_a_model_refuses_is_left_out_and_not_sent_again(
    kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    script.refuses = {"temperature", "schema"}
    model = kind.make(provider, temperature=0.0)
    request = Request((user("The capital of Peru, as JSON."),), schema=SCHEMA)
    model.chat(request)
    assert len(provider.requests) == 3
    model.chat(request)
    assert len(provider.requests) == 4
    assert "temperature" not in provider.requests[-1].body.decode()


def test_the_limit_is_sent_under_the_name_that_the_server_knows(provider: ProviderServer, script: ChatScript) -> None:
    script.refuses = {"max_tokens"}
    model = CUSTOM.make(provider, max_tokens=50)
    model.chat(HELLO)
    model.chat(HELLO)
    assert [seen.json.get("max_completion_tokens") for seen in provider.requests] == [None, 50, 50]
    script.refuses = {"max_completion"}
    model = OPENAI.make(provider, max_tokens=50)
    model.chat(HELLO)
    assert last(provider)["max_tokens"] == 50


@pytest.mark.promise("P12")
@every_kind
def test_no_secret_of_a_note_is_sent(kind: ChatKind, provider: ProviderServer, script: ChatScript) -> None:
    secret = "ghp_" + "Zk3vQ8xW1nR5tY7uI9oP2aS4dF6gH0jL1zXc"[:36]
    call = ToolCall("c1", "clock", {"city": [f"token {secret}"]})
    messages = (
        system(f"know {secret}"),
        user(f"my token is {secret}"),
        Message(Role.ASSISTANT, "", (call,)),
        result_of(call, f"found {secret}"),
    )
    kind.make(provider).chat(Request(messages, (CLOCK,)))
    assert secret not in provider.requests[0].body.decode()
    assert "[redacted: " in provider.requests[0].body.decode()


def test_ollama_is_given_a_window_that_holds_the_request(provider: ProviderServer, script: ChatScript) -> None:
    model = OLLAMA.make(provider)
    model.chat(HELLO)
    assert "num_ctx" not in last(provider)["options"]
    model.chat(Request((user("word " * 6000),), max_tokens=500))
    assert last(provider)["options"] == {"num_predict": 500, "num_ctx": 16_384}
    model.chat(Request((user("word " * 100_000),)))
    assert last(provider)["options"]["num_ctx"] == 32_768


def test_the_official_client_understands_the_test_server(provider: ProviderServer, script: ChatScript) -> None:
    openai = pytest.importorskip("openai")
    tools: list[Any] = [{"type": "function", "function": {"name": "clock", "parameters": SCHEMA}}]
    messages: list[Any] = [{"role": "user", "content": "What time is it?"}]
    with openai.OpenAI(base_url=f"{provider.url}/v1", api_key=provider.key, max_retries=0) as client:
        found = client.chat.completions.create(model="gpt-5-mini", messages=messages, tools=tools)
        choice = found.choices[0]
        assert (choice.finish_reason, choice.message.tool_calls[0].function.name) == ("tool_calls", "clock")
        messages += [choice.message, {"role": "tool", "tool_call_id": choice.message.tool_calls[0].id, "content": "1"}]
        again = client.chat.completions.create(model="gpt-5-mini", messages=messages, tools=tools)
        assert again.choices[0].message.content == "You said: What time is it?"
