"""OpenAI's chat completions, and every service that speaks the same language."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import Any, Unpack
from urllib.parse import quote

from holdfast.errors import ProviderFailed, ProviderRefused
from holdfast.llm.answer_parts import count, name_or, objects, text_of, without_thoughts
from holdfast.llm.chat_model import Answer, Carried, Message, Request, Role, Stop, ToolCall, Usage
from holdfast.llm.chat_url import beside_url, headers_with, is_secret, openai_url
from holdfast.llm.function_calls import calls_of, functions, stop_reason
from holdfast.llm.openai_stream import Completion
from holdfast.llm.remote_chat import Access, Concession, RemoteChatModel, key_of
from holdfast.llm.server_report import Fetch, ModelReport, listed_model, props_window

__all__ = ["OpenAIChat"]

_OPENAI = "https://api.openai.com/v1"
_COMPLETIONS = "/chat/completions"
_STOPS = {
    "stop": Stop.END,
    "length": Stop.LENGTH,
    "tool_calls": Stop.TOOLS,
    "function_call": Stop.TOOLS,
    "content_filter": Stop.REFUSED,
}


class OpenAIChat(RemoteChatModel):
    """`openai`, or `custom` with a `base_url`: a host, its `/v1`, or the whole `/chat/completions` address."""

    concessions = (
        Concession("usage of a stream", re.compile(r"stream_options|include_usage", re.IGNORECASE)),
        Concession("temperature", re.compile(r"\btemperature\b", re.IGNORECASE)),
        Concession("schema", re.compile(r"json_schema|response_format|\bschema\b", re.IGNORECASE)),
        Concession("json", re.compile(r"response_format|json_object|\bjson\b", re.IGNORECASE)),
        Concession("name of the limit", re.compile(r"max_(?:completion_)?tokens", re.IGNORECASE)),
    )

    def __init__(self, model: str, *, provider: str = "openai", **access: Unpack[Access]) -> None:
        base, key, headers = access.get("base_url"), key_of(access), access.get("headers") or {}
        secret = is_secret(key, headers)
        hindrance = ""
        if not base and provider != "openai":
            hindrance = "llm.base_url is not set, and only it says where to ask"
        elif not base and not secret:
            hindrance = "there is no key; set OPENAI_API_KEY or llm.api_key"
        super().__init__(
            provider,
            model,
            access,
            url=openai_url(provider, base or _OPENAI, secret=secret),
            headers=headers_with(headers, "Authorization", key and f"Bearer {key}"),
            hindrance=hindrance,
        )

    def question(self, request: Request, without: frozenset[str]) -> tuple[str, dict[str, Any]]:
        """The body of POST /chat/completions."""
        most, temperature = self.request_limits(request, without)
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [self._written(message) for message in request.messages],
        }
        if request.tools:
            body["tools"] = functions(request.tools)
        if request.schema is not None and "json" not in without:
            whole = {"name": "answer", "schema": request.schema, "strict": True}
            body["response_format"] = (
                {"type": "json_object"} if "schema" in without else {"type": "json_schema", "json_schema": whole}
            )
        if most is not None:
            # OpenAI's newer models refuse the old name, and most servers that resemble it know no other
            old = (self.provider == "openai") == ("name of the limit" in without)
            body["max_tokens" if old else "max_completion_tokens"] = most
        if temperature is not None:
            body["temperature"] = temperature
        return self.url, body

    def stream_request(self, url: str, body: dict[str, Any], without: frozenset[str]) -> tuple[str, dict[str, Any]]:
        """The same as a stream, with the usage in its last chunk, where the server knows how."""
        if "usage of a stream" in without:
            counted = {}
        else:
            counted = {"stream_options": {"include_usage": True}}
        return url, {**body, "stream": True, **counted}

    def collector(self) -> Completion:
        """Chunks of a completion."""
        return Completion()

    def read_answer(self, answer: dict[str, Any]) -> Answer:
        """The first choice; a server that answers 200 with an error in it did not answer."""
        choices = objects(answer.get("choices"))
        message = None
        if choices:
            message = choices[0].get("message")
        if not isinstance(message, dict):
            raise self.bad("the answer has no message", answer)
        given, calls = objects(message.get("tool_calls")), calls_of(message)
        refusal = message.get("refusal")
        stop = stop_reason(_STOPS.get(name_or(choices[0].get("finish_reason")), Stop.OTHER), calls)
        usage = answer.get("usage")
        return Answer(
            text=without_thoughts(text_of(message.get("content"))) or text_of(refusal),
            tool_calls=calls,
            stop=Stop.REFUSED if isinstance(refusal, str) and refusal else stop,
            usage=_usage(usage if isinstance(usage, dict) else {}),
            model=name_or(answer.get("model"), self.model),
            # a proxy before another provider's model puts signatures beside a call, and wants them back
            carried=Carried(self.provider, given) if calls and all("extra_content" in call for call in given) else None,
        )

    @property
    def says_window(self) -> bool:
        """True if it is another server than OpenAI's own, which does not say."""
        return not self.url.startswith(_OPENAI)

    def describe_model(self, fetch: Fetch) -> ModelReport:
        """OpenAI's own model by its name; of another server its list of models, and llama.cpp's `/props`."""
        if not self.says_window:
            found = fetch("GET", beside_url(self.url, _COMPLETIONS, f"/models/{quote(self.model, safe='')}"))
            return ModelReport(name_or(found.get("id") if isinstance(found, dict) else None, self.model))
        report = ModelReport(self.model, asks_props=True)
        try:
            report = listed_model(
                self.provider, self.model, fetch("GET", beside_url(self.url, _COMPLETIONS, "/models"))
            )
        except ProviderRefused as refusal:
            if not refusal.why.startswith("HTTP 404"):  # a server without a list may still have a model
                raise
        if report.window is None and report.asks_props:
            root = beside_url(beside_url(self.url, _COMPLETIONS, ""), "/v1", "/props")
            with suppress(ProviderFailed):  # most servers have none
                report = report.replace(window=props_window(fetch("GET", root)))
        return report

    def _written(self, message: Message) -> dict[str, Any]:
        if message.role is Role.TOOL:
            return {"role": "tool", "tool_call_id": message.tool_call_id, "content": message.text}
        written: dict[str, Any] = {"role": message.role.value, "content": message.text}
        if message.pictures:
            shown = [f"data:{picture.kind};base64,{picture.encoded}" for picture in message.pictures]
            pictures = [{"type": "image_url", "image_url": {"url": url}} for url in shown]
            written["content"] = [{"type": "text", "text": message.text}, *pictures]
        if message.tool_calls:
            written["tool_calls"] = [_written_call(call) for call in message.tool_calls]
            carried = message.carried
            if carried is not None and carried.provider == self.provider:
                for call, given in zip(written["tool_calls"], objects(carried.content), strict=False):
                    call["extra_content"] = given.get("extra_content")
            written["content"] = message.text or None
        return written


def _written_call(call: ToolCall) -> dict[str, Any]:
    function = {"name": call.name, "arguments": json.dumps(dict(call.arguments), ensure_ascii=False)}
    return {"id": call.id, "type": "function", "function": function}


def _usage(given: dict[str, Any]) -> Usage:
    details = given.get("prompt_tokens_details")
    if isinstance(details, dict):
        cached = details
    else:
        cached = {}
    return Usage(
        count(given.get("prompt_tokens")),
        count(given.get("completion_tokens")),
        count(cached.get("cached_tokens")),
        count(cached.get("cache_write_tokens")),
    )
