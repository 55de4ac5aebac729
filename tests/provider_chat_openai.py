"""OpenAI's chat completions at the test server: what it takes, what it refuses and in which words."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Sequence
from typing import Any

from provider_chat_script import ChatScript, Heard, Said, words
from provider_chat_stream import KEY, bits, sse
from provider_exchange import Ask, Reply, Route
from provider_openai import error, unauthorised

__all__ = ["describe_model", "routes"]

_FIELDS = {
    *("model", "messages", "tools", "tool_choice", "response_format", "max_tokens", "max_completion_tokens"),
    *("temperature", "top_p", "n", "stop", "stream", "stream_options", "seed", "user", "reasoning_effort"),
    "parallel_tool_calls",
}


def routes(script: ChatScript) -> list[tuple[str, str, Route]]:
    """POST /v1/chat/completions, GET /v1/models and /v1/models/NAME, and llama.cpp's GET /props."""
    return [
        ("POST", r"/v1/chat/completions", lambda ask: unauthorised(ask) or _answered(ask, script)),
        ("GET", r"/v1/models", lambda ask: unauthorised(ask) or _models(script)),
        ("GET", r"/v1/models/([^/]+)", lambda ask: describe_model(ask)),
        ("GET", r"/props", lambda ask: unauthorised(ask) or _props(script)),
    ]


def _models(script: ChatScript) -> Reply:
    """The list as each server writes it; OpenAI's own says nothing of windows."""
    shared = {"object": "model", "created": 1_780_000_000}
    entries: list[dict[str, Any]]
    match script.server:
        case "llamacpp":
            meta = {"vocab_type": 2, "n_vocab": 151_936, "n_ctx_train": script.trained_for, "n_embd": 2560}
            entries = [{"id": "../models/qwen3-4b.gguf", **shared, "owned_by": "llamacpp", "meta": meta}]
        case "vllm":
            more = {"root": "local-model", "parent": None, "max_model_len": script.window, "permission": []}
            entries = [{"id": "local-model", **shared, "owned_by": "vllm", **more}]
        case _:
            entries = [{"id": name, **shared, "owned_by": "system"} for name in ("local-model", "m", "companion")]
    return Reply({"object": "list", "data": entries})


def describe_model(ask: Ask) -> Reply:
    """GET /v1/models/NAME."""
    refusal, name = unauthorised(ask), ask.groups[0]
    if refusal is not None:
        return refusal
    if name == "nothing":
        return error(404, f"The model '{name}' does not exist")
    return Reply({"id": name, "object": "model", "created": 1_780_000_000, "owned_by": "system"})


def _props(script: ChatScript) -> Reply:
    if script.server != "llamacpp":
        return error(404, "Not Found")
    slot = {"id": 0, "id_task": -1, "n_ctx": script.window, "speculative": False, "is_processing": False, "params": {}}
    shown = {"total_slots": 1, "model_path": "../models/qwen3-4b.gguf", "chat_template": "…", "build_info": "b7321-1"}
    return Reply({"default_generation_settings": slot, **shown})


def _answered(ask: Ask, script: ChatScript) -> Reply:
    body: dict[str, Any] = ask.json
    for check in _CHECKS:
        message = check(body, script)
        if message:
            return error(404 if "does not exist" in message else 400, message)
    messages = body["messages"]
    format_of = body.get("response_format", {})
    whole = format_of.get("json_schema", {}).get("schema", {} if format_of else None)
    heard = Heard(
        next((_text_of(one["content"]) for one in reversed(messages) if one["role"] == "user"), ""),
        [tool["function"]["name"] for tool in body.get("tools", [])],
        messages[-1]["role"] != "user" or any(one["role"] == "tool" for one in messages),
        whole,
    )
    said = script.next(heard)
    if said.raw is not None:
        return Reply(said.raw)
    whole = _completion(body, said, ask)
    return Reply(whole) if not body.get("stream") else sse(ask, _chunks(whole, body), failing=error(500, KEY).body)


def _text_of(content: Any) -> str:
    """The text of a message, which has images beside it where it is a list."""
    if isinstance(content, str):
        return content
    assert all(one["image_url"]["url"].startswith("data:image/") for one in content if one["type"] == "image_url")
    return "".join(one["text"] for one in content if one["type"] == "text")


def _completion(body: dict[str, Any], said: Said, ask: Ask) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": said.text or None, "refusal": None, "annotations": []}
    if said.calls:
        message["tool_calls"] = [
            {
                "id": f"call_{uuid.uuid4().hex[:24]}",
                "type": "function",
                "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given)},
            }
            for name, given in said.calls
        ]
    if said.stop == "refusal":
        message |= {"content": None, "refusal": said.text}
    read = words(*(str(one.get("content")) for one in body["messages"]))
    wrote = words(said.text)
    finish = "stop" if said.stop == "refusal" else said.stop or ("tool_calls" if said.calls else "stop")
    return {
        "id": f"chatcmpl-{uuid.uuid4().hex[:20]}",
        "object": "chat.completion",
        "created": 1_780_000_000,
        "model": f"{ask.model(body['model'])}-2026-08-07",
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": finish}],
        "usage": {
            "prompt_tokens": read,
            "completion_tokens": wrote,
            "total_tokens": read + wrote,
            "prompt_tokens_details": {"cached_tokens": read // 2, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0},
        },
        "service_tier": "default",
    }


def _chunks(whole: dict[str, Any], body: dict[str, Any]) -> list[dict[str, Any]]:
    (choice,) = whole["choices"]
    message = choice["message"]
    counted = body.get("stream_options", {}).get("include_usage") is True
    shared = {name: whole[name] for name in ("id", "created", "model", "service_tier")}
    shared |= {"object": "chat.completion.chunk"} | ({"usage": None} if counted else {})
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": "", "refusal": None}]
    for name in ("content", "refusal"):
        deltas += [{name: bit} for bit in bits(message.get(name) or "")]
    for index, call in enumerate(message.get("tool_calls", [])):
        given = call["function"]["arguments"]
        deltas.append({"tool_calls": [{"index": index, **call, "function": {**call["function"], "arguments": ""}}]})
        deltas += [{"tool_calls": [{"index": index, "function": {"arguments": bit}}]} for bit in bits(given)]
    parts: list[tuple[dict[str, Any], Any]] = [(delta, None) for delta in deltas]
    parts.append(({}, choice["finish_reason"]))
    found = [
        {**shared, "choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}]}
        for delta, finish in parts
    ]
    return [*found, {**shared, "choices": [], "usage": whole["usage"]}] if counted else found


def _fields(body: dict[str, Any], script: ChatScript) -> str:
    unknown = sorted(body.keys() - _FIELDS)
    if unknown:
        return f"Unrecognized request argument supplied: {unknown[0]}"
    if body.get("model") == "nothing":
        return "The model `nothing` does not exist or you do not have access to it."
    if "max_tokens" in body and "max_tokens" in script.refuses:
        return (
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
        )
    if "max_completion_tokens" in body and "max_completion" in script.refuses:
        return "Unknown parameter: 'max_completion_tokens'."
    if "stream_options" in body and "stream_options" in script.refuses:
        return "Unknown parameter: 'stream_options'."
    if body.get("stream") and "stream" in script.refuses:
        return "Your organization must be verified to stream this model."
    if "temperature" in body and "temperature" in script.refuses:
        given = body["temperature"]
        return f"Unsupported value: 'temperature' does not support {given} with this model. Only the default (1)"
    return ""


def _response_format(body: dict[str, Any], script: ChatScript) -> str:
    wanted = body.get("response_format")
    if wanted is None:
        return ""
    if wanted["type"] == "json_schema":
        if "schema" in script.refuses:
            return "This response_format type is unavailable now"
        whole = wanted["json_schema"]["schema"]
        if whole.get("additionalProperties") is not False or set(whole["required"]) != set(whole["properties"]):
            return "Invalid schema for response_format 'answer': 'additionalProperties' is required to be supplied"
        return ""
    if wanted["type"] != "json_object":
        return f"Invalid value: '{wanted['type']}'."
    if "json" in script.refuses:
        return "response_format is not supported"
    if not any("json" in str(one.get("content")).lower() for one in body["messages"]):
        return "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'."
    return ""


def _messages(body: dict[str, Any], script: ChatScript) -> str:
    messages: Sequence[dict[str, Any]] = body.get("messages", [])
    if not messages:
        return "Invalid 'messages': empty array. Expected an array with minimum length 1."
    open_calls: list[str] = []
    for place, one in enumerate(messages):
        role = one.get("role")
        if role == "tool":
            if one.get("tool_call_id") not in open_calls:
                return "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
            open_calls.remove(one["tool_call_id"])
            continue
        if open_calls:
            return f"tool_call_ids did not have response messages: {', '.join(open_calls)}"
        if role not in ("system", "developer", "user", "assistant"):
            return f"Invalid value: '{role}'. Supported values are: 'system', 'assistant', 'user', 'tool'."
        if role == "user" and isinstance(one.get("content"), list):
            continue  # text with images beside it
        if not isinstance(one.get("content"), str) and not (role == "assistant" and one.get("tool_calls")):
            return f"Invalid value for 'content': expected a string, got null. (messages[{place}])"
        for call in one.get("tool_calls", []):
            json.loads(call["function"]["arguments"])
            assert call["type"] == "function"
            open_calls.append(call["id"])
    return f"tool_call_ids did not have response messages: {', '.join(open_calls)}" if open_calls else ""


def _tools(body: dict[str, Any], script: ChatScript) -> str:
    for tool in body.get("tools", []):
        if tool.get("type") != "function" or tool["function"]["parameters"].get("type") != "object":
            return "Invalid schema for function: schema must be a JSON Schema of 'type: \"object\"'"
    return ""


_CHECKS: list[Callable[[dict[str, Any], ChatScript], str]] = [_fields, _messages, _tools, _response_format]
