"""Anthropic's Messages API."""

from __future__ import annotations

import re
from typing import Any, Unpack
from urllib.parse import quote

from holdfast.llm.answer_parts import count, name_or, objects, tool_call
from holdfast.llm.anthropic_stream import Composition
from holdfast.llm.chat_model import Answer, Carried, Message, Request, Role, Stop, Usage
from holdfast.llm.chat_url import anthropic_url, beside_url, headers_with, is_secret
from holdfast.llm.remote_chat import Access, Concession, RemoteChatModel, key_of
from holdfast.llm.role_turns import by_turns, rules_of
from holdfast.llm.server_report import Fetch, ModelReport, window_in

__all__ = ["AnthropicChat"]

_ANTHROPIC = "https://api.anthropic.com"
_VERSION = "2023-06-01"
_MOST = 4096  # the API wants a limit in every request
_STOPS = {
    "end_turn": Stop.END,
    "stop_sequence": Stop.END,
    "tool_use": Stop.TOOLS,
    "max_tokens": Stop.LENGTH,
    "model_context_window_exceeded": Stop.LENGTH,
    "refusal": Stop.REFUSED,
}


class AnthropicChat(RemoteChatModel):
    """`anthropic`; a `base_url` is a host, a proxy's path, its `/v1`, or the whole `/v1/messages` address."""

    concessions = (
        Concession("temperature", re.compile(r"\btemperature\b", re.IGNORECASE)),
        Concession("schema", re.compile(r"output_config|output_format|structured output|json_schema", re.IGNORECASE)),
    )

    def __init__(self, model: str, **access: Unpack[Access]) -> None:
        base, key, headers = access.get("base_url"), key_of(access), access.get("headers") or {}
        secret = is_secret(key, headers)
        super().__init__(
            "anthropic",
            model,
            access,
            url=anthropic_url("anthropic", base or _ANTHROPIC, secret=secret),
            headers=headers_with(headers_with(headers, "x-api-key", key), "anthropic-version", _VERSION),
            hindrance="" if base or secret else "there is no key; set ANTHROPIC_API_KEY or llm.api_key",
        )

    def question(self, request: Request, without: frozenset[str]) -> tuple[str, dict[str, Any]]:
        """The body of POST /v1/messages."""
        most, temperature = self.request_limits(request, without)
        turns = by_turns(request.messages, _blocks, model="assistant", inside="content")
        body: dict[str, Any] = {"model": self.model, "max_tokens": most or _MOST, "messages": turns}
        if rules := rules_of(request.messages):
            body["system"] = "\n\n".join(rules)
        if request.tools:
            body["tools"] = [
                {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}
                for tool in request.tools
            ]
        if request.schema is not None and "schema" not in without:
            body["output_config"] = {"format": {"type": "json_schema", "schema": request.schema}}
        if temperature is not None:
            body["temperature"] = temperature
        return self.url, body

    def describe_model(self, fetch: Fetch) -> ModelReport:
        """Describe the model as `/v1/models/NAME` does."""
        answer = fetch("GET", beside_url(self.url, "/messages", f"/models/{quote(self.model, safe='')}"))
        if isinstance(answer, dict):
            found = answer
        else:
            found = {}
        return ModelReport(name_or(found.get("id"), self.model), window_in(found.get("max_input_tokens")))

    def collector(self) -> Composition:
        """Events of a message."""
        return Composition()

    def read_answer(self, answer: dict[str, Any]) -> Answer:
        """The text blocks as one text, the tool calls, and all blocks as they came, for the next request."""
        if not isinstance(answer.get("content"), list):
            raise self.bad("the answer has no list 'content'", answer)
        blocks = objects(answer["content"])
        calls = tuple(
            tool_call(block.get("id"), block.get("name"), block.get("input"))
            for block in blocks
            if block.get("type") == "tool_use"
        )
        usage = answer.get("usage")
        return Answer(
            text="".join(_text(block) for block in blocks),
            tool_calls=calls,
            stop=_STOPS.get(name_or(answer.get("stop_reason")), Stop.OTHER),
            usage=_usage(usage if isinstance(usage, dict) else {}),
            model=name_or(answer.get("model"), self.model),
            carried=Carried("anthropic", [_sendable(block) for block in blocks]) if _signed(blocks) else None,
        )


def _blocks(message: Message) -> list[dict[str, Any]]:
    if message.role is Role.TOOL:
        result = {"type": "tool_result", "tool_use_id": message.tool_call_id, "content": message.text}
        return [result | ({"is_error": True} if message.failed else {})]
    if message.carried is not None and message.carried.provider == "anthropic":
        return objects(message.carried.content)
    # an empty text block is refused
    said: list[dict[str, Any]] = [
        {"type": "image", "source": {"type": "base64", "media_type": picture.kind, "data": picture.encoded}}
        for picture in message.pictures
    ]
    said += [{"type": "text", "text": message.text}] if message.text.strip() else []
    return said + [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": dict(call.arguments)}
        for call in message.tool_calls
    ]


def _sendable(block: dict[str, Any]) -> dict[str, Any]:
    """A call whose arguments a stream left unreadable is refused as it is."""
    if isinstance(block.get("input", {}), dict):
        return block
    return {**block, "input": {}}


def _text(block: dict[str, Any]) -> str:
    text = block.get("text")
    if block.get("type") == "text" and isinstance(text, str):
        return text
    return ""


def _signed(blocks: list[dict[str, Any]]) -> bool:
    """Say whether there are thoughts among them.

    They must come back unchanged beside the calls that followed them.
    """
    return any(block.get("type") in ("thinking", "redacted_thinking") for block in blocks)


def _usage(given: dict[str, Any]) -> Usage:
    read, written = count(given.get("cache_read_input_tokens")), count(given.get("cache_creation_input_tokens"))
    # here the tokens of the cache are no part of the others
    return Usage(count(given.get("input_tokens")) + read + written, count(given.get("output_tokens")), read, written)
