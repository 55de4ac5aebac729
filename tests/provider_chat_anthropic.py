"""Anthropic's Messages API at the test server: what it takes, what it refuses and in which words."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Sequence
from typing import Any

from provider_chat_openai import describe_model
from provider_chat_script import ChatScript, Heard, Said, words
from provider_chat_stream import KEY, bits, sse
from provider_exchange import Ask, Reply, Route

__all__ = ["error", "routes"]

_FIELDS = {
    *("model", "messages", "max_tokens", "system", "tools", "tool_choice", "temperature", "output_config"),
    *("stop_sequences", "stream", "thinking", "metadata", "top_p", "top_k", "service_tier"),
}
_KINDS = {401: "authentication_error", 404: "not_found_error", 413: "request_too_large", 429: "rate_limit_error"}


def error(code: int, message: str) -> Reply:
    """An error in Anthropic's shape."""
    kind = _KINDS.get(code, "invalid_request_error" if code < 500 else "api_error")
    found = {"type": kind, "message": message}
    return Reply({"type": "error", "error": found, "request_id": f"req_{uuid.uuid4().hex[:20]}"}, code)


def routes(script: ChatScript) -> list[tuple[str, str, Route]]:
    """POST /v1/messages, and GET /v1/models/NAME, a path that OpenAI has too."""
    return [
        ("POST", r"/v1/messages", lambda ask: _answered(ask, script)),
        ("GET", r"/v1/models/([^/]+)", _described),
    ]


def _described(ask: Ask) -> Reply:
    if "anthropic-version" not in ask.seen.headers:
        return describe_model(ask)
    if ask.seen.headers.get("x-api-key", "") != ask.server.key:
        return error(401, "invalid x-api-key")
    name = ask.groups[0]
    if name == "nothing":
        return error(404, f"model: {name}")
    shown = {"display_name": name.title(), "created_at": "2026-08-07T00:00:00Z", "lifecycle": "active"}
    return Reply({"type": "model", "id": name, **shown, "max_input_tokens": 200_000, "max_tokens": 64_000})


def _answered(ask: Ask, script: ChatScript) -> Reply:
    given = ask.seen.headers.get("x-api-key", "")
    if given != ask.server.key:
        return error(401, "invalid x-api-key" if given else "x-api-key header is required")
    if ask.seen.headers.get("anthropic-version") != "2023-06-01":
        return error(400, "anthropic-version: header is required")
    body: dict[str, Any] = ask.json
    if body.get("model") == "nothing":
        return error(404, "model: nothing")
    for check in _CHECKS:
        message = check(body, script)
        if message:
            return error(400, message)
    blocks = [block for turn in body["messages"] for block in _blocks(turn)]
    texts = [block["text"] for block in blocks if block["type"] == "text"]
    heard = Heard(
        texts[-1] if texts else "",
        [tool["name"] for tool in body.get("tools", [])],
        any(block["type"] == "tool_result" for block in blocks),
        body.get("output_config", {}).get("format", {}).get("schema"),
    )
    said = script.next(heard)
    if said.raw is not None:
        return Reply(said.raw)
    whole = _message(body, said, ask, texts)
    if not body.get("stream"):
        return Reply(whole)
    return sse(ask, _events(whole), failing=error(529, KEY).body, done=False)


def _events(whole: dict[str, Any]) -> list[dict[str, Any]]:
    usage = whole["usage"]
    begun = {**whole, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    found: list[dict[str, Any]] = [{"type": "message_start", "message": begun}, {"type": "ping"}]
    for index, block in enumerate(whole["content"]):
        empty = {**block, **{name: type(block[name])() for name in ("text", "thinking", "signature") if name in block}}
        deltas = [{"type": "text_delta", "text": bit} for bit in bits(block.get("text", ""))]
        deltas += [{"type": "thinking_delta", "thinking": bit} for bit in bits(block.get("thinking", ""))]
        if "signature" in block:
            deltas.append({"type": "signature_delta", "signature": block["signature"]})
        if block["type"] == "tool_use":
            empty["input"] = {}
            given = block["input"] if isinstance(block["input"], str) else json.dumps(block["input"])
            deltas += [{"type": "input_json_delta", "partial_json": bit} for bit in ("", *bits(given))]
        found.append({"type": "content_block_start", "index": index, "content_block": empty})
        found += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        found.append({"type": "content_block_stop", "index": index})
    ending = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    counted = {"output_tokens": usage["output_tokens"]}
    return [*found, {"type": "message_delta", "delta": ending, "usage": counted}, {"type": "message_stop"}]


def _message(body: dict[str, Any], said: Said, ask: Ask, texts: Sequence[str]) -> dict[str, Any]:
    content: list[dict[str, Any]] = []
    if said.thoughts:
        content.append({"type": "thinking", "thinking": said.thoughts, "signature": "EqQBCkYIBxgCKkA"})
    if said.text:
        content.append({"type": "text", "text": said.text})
    for name, given in said.calls:
        content.append({"type": "tool_use", "id": f"toolu_{uuid.uuid4().hex[:20]}", "name": name, "input": given})
    return {
        "id": f"msg_{uuid.uuid4().hex[:20]}",
        "type": "message",
        "role": "assistant",
        "model": f"{ask.model(body['model'])}-20251001",
        "content": content,
        "stop_reason": said.stop or ("tool_use" if said.calls else "end_turn"),
        "stop_sequence": None,
        "usage": {
            "input_tokens": words(*texts),
            "cache_creation_input_tokens": 3,
            "cache_read_input_tokens": 5,
            "output_tokens": words(said.text),
            "service_tier": "standard",
        },
    }


def _blocks(turn: dict[str, Any]) -> list[dict[str, Any]]:
    content = turn["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _fields(body: dict[str, Any], script: ChatScript) -> str:
    unknown = sorted(body.keys() - _FIELDS)
    if unknown:
        return f"{unknown[0]}: Extra inputs are not permitted"
    if not isinstance(body.get("max_tokens"), int):
        return "max_tokens: Field required"
    if body.get("stream") and "stream" in script.refuses:
        return "stream: streaming is not supported"
    if "temperature" in body and "temperature" in script.refuses:
        return "`temperature` is deprecated for this model."
    if "output_config" in body and "schema" in script.refuses:
        return "output_config.format: structured outputs are not supported by this model"
    wanted = body.get("output_config", {}).get("format")
    if wanted and wanted["schema"].get("additionalProperties") is not False:
        return "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false"
    if body.get("system") == "":
        return "system: text content blocks must be non-empty"
    return ""


def _turns(body: dict[str, Any], script: ChatScript) -> str:
    turns = body.get("messages") or []
    if not turns or turns[0]["role"] != "user":
        return 'messages: first message must use the "user" role'
    waiting: set[str] = set()
    for place, turn in enumerate(turns):
        if turn["role"] not in ("user", "assistant"):
            return f"messages.{place}.role: Input should be 'user' or 'assistant'"
        blocks = _blocks(turn)
        if not blocks:
            return f"messages.{place}: all messages must have non-empty content"
        if any(block["type"] == "text" and not block["text"].strip() for block in blocks):
            return "messages: text content blocks must be non-empty"
        results = {block["tool_use_id"] for block in blocks if block["type"] == "tool_result"}
        if results - waiting:
            return f"messages.{place}.content.0: unexpected `tool_use_id` found in `tool_result` blocks"
        if waiting - results:
            return f"messages.{place}: `tool_use` ids were found without `tool_result` blocks immediately after"
        kinds = [block["type"] for block in blocks]
        if "tool_result" in kinds and kinds.index("tool_result") != 0:
            return f"messages.{place}: `tool_result` blocks must come first"
        waiting = {block["id"] for block in blocks if block["type"] == "tool_use"}
    return f"messages: `tool_use` ids were found without `tool_result` blocks: {waiting}" if waiting else ""


_CHECKS: list[Callable[[dict[str, Any], ChatScript], str]] = [_fields, _turns]
