"""The languages that clients speak to models in: a request → what is asked, a step of a script → events of a stream."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from clients.script import Asked, Step

__all__ = ["DIALECTS", "Dialect"]

Body = Mapping[str, Any]


class Dialect(NamedTuple):
    """One language: at which paths it is spoken, how a request is read, how a step is told, at once or as events."""

    path: str
    read: Callable[[Body], Asked]
    tell: Callable[[Step, Body], Body]
    stream: Callable[[Step, Body], Iterator[bytes]]


def _event(value: Mapping[str, Any], *, named: bool = True) -> bytes:
    name = f"event: {value['type']}\n" if named else ""
    return f"{name}data: {json.dumps(value)}\n\n".encode()


def _new(prefix: str) -> str:
    return f"{prefix}_{uuid.uuid4().hex[:20]}"


def _texts(content: object) -> list[str]:
    """The words of a message, whose content is a text or a list of parts."""
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else []
    return [part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str)]


# Anthropic: messages


def _read_messages(body: Body) -> Asked:
    last: list[str] = []
    for message in body.get("messages", ()):
        if message["role"] == "assistant":
            last = []
            continue
        last += _texts(message["content"])
    return Asked(last, [tool["name"] for tool in body.get("tools") or ()])


def _tell_message(step: Step, body: Body) -> Body:
    content: list[Body] = []
    if step.text:
        content.append({"type": "text", "text": step.text})
    if step.tool:
        content.append({"type": "tool_use", "id": _new("toolu"), "name": step.tool, "input": dict(step.arguments)})
    return {
        "id": _new("msg"),
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "scripted"),
        "content": content,
        "stop_reason": "tool_use" if step.tool else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": step.tokens, "output_tokens": 12},
    }


def _stream_message(step: Step, body: Body) -> Iterator[bytes]:
    message = _tell_message(step, body)
    yield _event({"type": "message_start", "message": {**message, "content": [], "stop_reason": None}})
    for index, part in enumerate(message["content"]):
        if part["type"] == "text":
            begun: Body = {"type": "text", "text": ""}
            delta: Body = {"type": "text_delta", "text": part["text"]}
        else:
            begun = {**part, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(part["input"])}
        yield _event({"type": "content_block_start", "index": index, "content_block": begun})
        yield _event({"type": "content_block_delta", "index": index, "delta": delta})
        yield _event({"type": "content_block_stop", "index": index})
    stop = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield _event({"type": "message_delta", "delta": stop, "usage": message["usage"]})
    yield _event({"type": "message_stop"})


# OpenAI: responses


def _read_input(body: Body) -> Asked:
    listed = body.get("input", ())
    items = [{"type": "message", "role": "user", "content": listed}] if isinstance(listed, str) else listed
    last: list[str] = []
    for item in items:
        kind = item.get("type", "message")
        if kind == "message" and item.get("role") == "assistant":
            last = []
        elif kind == "message" and item.get("role") == "user":
            last += _texts(item.get("content"))
    return Asked(last, [name for tool in body.get("tools") or () for name in _tool_names(tool)])


def _tool_names(tool: Body) -> list[str]:
    """The names of a tool; a namespace holds several, which are called by its name and theirs."""
    if tool.get("type") == "namespace":
        return [f"{tool['name']}/{inner['name']}" for inner in tool["tools"]]
    return [str(tool.get("name") or tool.get("type"))]


def _output_items(step: Step) -> list[Body]:
    items: list[Body] = []
    if step.text:
        part = {"type": "output_text", "text": step.text, "annotations": []}
        items.append(
            {"type": "message", "id": _new("msg"), "role": "assistant", "status": "completed", "content": [part]}
        )
    if step.tool:
        space, _, name = step.tool.rpartition("/")
        call = {"type": "function_call", "id": _new("fc"), "call_id": _new("call"), "status": "completed"}
        words = {"name": name, "arguments": json.dumps(step.arguments)}
        items.append({**call, **words, **({"namespace": space} if space else {})})
    return items


def _tell_response(step: Step, body: Body) -> Body:
    return {
        "id": _new("resp"),
        "object": "response",
        "status": "completed",
        "model": body.get("model", "scripted"),
        "output": _output_items(step),
        "usage": {
            "input_tokens": step.tokens,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 12,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": step.tokens + 12,
        },
    }


def _stream_response(step: Step, body: Body) -> Iterator[bytes]:
    response = _tell_response(step, body)
    yield _event({"type": "response.created", "response": {**response, "status": "in_progress", "output": []}})
    for index, item in enumerate(response["output"]):
        yield _event({"type": "response.output_item.added", "output_index": index, "item": {**item, "content": []}})
        if item["type"] == "message":
            place = {"item_id": item["id"], "output_index": index, "content_index": 0}
            yield _event({"type": "response.output_text.delta", **place, "delta": item["content"][0]["text"]})
        yield _event({"type": "response.output_item.done", "output_index": index, "item": item})
    yield _event({"type": "response.completed", "response": response})


# Gemini: contents


def _read_contents(body: Body) -> Asked:
    last: list[str] = []
    for content in body.get("contents", ()):
        if content.get("role") == "model":
            last = []
            continue
        last += _texts(content.get("parts"))
    declared = [one for tool in body.get("tools") or () for one in tool.get("functionDeclarations", ())]
    return Asked(last, [one["name"] for one in declared])


def _tell_candidate(step: Step, body: Body) -> Body:
    del body
    parts: list[Body] = [{"text": step.text}] if step.text else []
    if step.tool:
        parts.append({"functionCall": {"name": step.tool, "args": dict(step.arguments)}})
    return {
        "candidates": [{"index": 0, "content": {"role": "model", "parts": parts}, "finishReason": "STOP"}],
        "usageMetadata": {
            "promptTokenCount": step.tokens,
            "candidatesTokenCount": 12,
            "totalTokenCount": step.tokens + 12,
        },
        "modelVersion": "scripted",
        "responseId": _new("resp"),
    }


def _stream_candidate(step: Step, body: Body) -> Iterator[bytes]:
    yield _event(_tell_candidate(step, body), named=False)


# OpenAI: chat completions


def _read_chat(body: Body) -> Asked:
    last: list[str] = []
    for message in body.get("messages", ()):
        if message["role"] == "assistant":
            last = []
        elif message["role"] == "user":
            last += _texts(message["content"])
    return Asked(last, [tool["function"]["name"] for tool in body.get("tools") or ()])


def _chat_message(step: Step) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": step.text or None}
    if step.tool:
        call = {"name": step.tool, "arguments": json.dumps(step.arguments)}
        message["tool_calls"] = [{"index": 0, "id": _new("call"), "type": "function", "function": call}]
    return message


def _tell_chat(step: Step, body: Body, kind: str = "chat.completion") -> dict[str, Any]:
    return {
        "id": _new("chatcmpl"),
        "object": kind,
        "created": 1_700_000_000,
        "model": body.get("model", "scripted"),
        "choices": [
            {"index": 0, "message": _chat_message(step), "finish_reason": "tool_calls" if step.tool else "stop"}
        ],
        "usage": {"prompt_tokens": step.tokens, "completion_tokens": 12, "total_tokens": step.tokens + 12},
    }


def _stream_chat(step: Step, body: Body) -> Iterator[bytes]:
    whole = _tell_chat(step, body, "chat.completion.chunk")
    (choice,) = whole["choices"]
    first = {"index": 0, "delta": choice["message"], "finish_reason": None}
    last = {"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}
    yield _event({**whole, "choices": [first], "usage": None}, named=False)
    yield _event({**whole, "choices": [last], "usage": None}, named=False)
    yield _event({**whole, "choices": []}, named=False)
    yield b"data: [DONE]\n\n"


DIALECTS: Sequence[Dialect] = (
    Dialect(r".*/messages", _read_messages, _tell_message, _stream_message),
    Dialect(r".*/responses", _read_input, _tell_response, _stream_response),
    Dialect(r".*/models/[^/]+:(?:stream)?[gG]enerateContent", _read_contents, _tell_candidate, _stream_candidate),
    Dialect(r".*/chat/completions", _read_chat, _tell_chat, _stream_chat),
)
