"""Gemini through Google's own API, `:generateContent`."""

from __future__ import annotations

import re
from typing import Any, Unpack
from urllib.parse import quote

from holdfast.llm.answer_parts import MADE, count, name_or, objects, tool_call
from holdfast.llm.chat_model import Answer, Carried, Message, Request, Role, Stop, ToolCall, Usage
from holdfast.llm.chat_url import beside_url, gemini_url, headers_with, is_secret
from holdfast.llm.function_calls import stop_reason
from holdfast.llm.gemini_stream import Response
from holdfast.llm.remote_chat import Access, Concession, RemoteChatModel, key_of
from holdfast.llm.role_turns import by_turns, rules_of
from holdfast.llm.server_report import Fetch, ModelReport, window_in

__all__ = ["GeminiChat"]

_GEMINI = "https://generativelanguage.googleapis.com/v1beta"
_WHOLE = ":generateContent"
_REFUSED = "SAFETY RECITATION LANGUAGE BLOCKLIST PROHIBITED_CONTENT SPII IMAGE_SAFETY MODEL_ARMOR".split()
_STOPS = {"STOP": Stop.END, "MAX_TOKENS": Stop.LENGTH, **dict.fromkeys(_REFUSED, Stop.REFUSED)}
# From its third generation on, a call without the signature it came with is refused; Google documents this word for
# calls of which there is none, because another model made them.
_UNSIGNED = "skip_thought_signature_validator"
_NEEDS_NO_SIGNATURE = re.compile(r"gemini-[12]\b|gemma")


class GeminiChat(RemoteChatModel):
    """`gemini`; the key travels in a header, never in the address."""

    concessions = (
        Concession("temperature", re.compile(r"\btemperature\b", re.IGNORECASE)),
        Concession("schema", re.compile(r"response_?json_?schema|response_?schema|\bschema\b", re.IGNORECASE)),
        Concession("json", re.compile(r"response.?mime.?type|json mode", re.IGNORECASE)),
    )

    def __init__(self, model: str, **access: Unpack[Access]) -> None:
        base, key, headers = access.get("base_url"), key_of(access), access.get("headers") or {}
        secret = is_secret(key, headers)
        super().__init__(
            "gemini",
            model.removeprefix("models/"),
            access,
            url=gemini_url("gemini", base or _GEMINI, secret=secret),
            headers=headers_with(headers, "x-goog-api-key", key),
            hindrance="" if base or secret else "there is no key; set GEMINI_API_KEY or llm.api_key",
        )

    def question(self, request: Request, without: frozenset[str]) -> tuple[str, dict[str, Any]]:
        """The body of `:generateContent`."""
        most, temperature = self.request_limits(request, without)
        config: dict[str, Any] = {}
        if most is not None:
            config["maxOutputTokens"] = most
        if temperature is not None:
            config["temperature"] = temperature
        # most of its models refuse to be asked for JSON and offered tools at once
        if request.schema is not None and not request.tools and "json" not in without:
            config["responseMimeType"] = "application/json"
            if "schema" not in without:
                config["responseJsonSchema"] = request.schema
        contents = by_turns(request.messages, self._parts, model="model", inside="parts")
        body: dict[str, Any] = {"contents": contents}
        if rules := rules_of(request.messages):
            body["systemInstruction"] = {"parts": [{"text": rule} for rule in rules]}
        if request.tools:
            declared = [
                {"name": tool.name, "description": tool.description, "parametersJsonSchema": tool.parameters}
                for tool in request.tools
            ]
            body["tools"] = [{"functionDeclarations": declared}]
        if config:
            body["generationConfig"] = config
        base, mark, query = self.url.partition("?")
        return f"{base}/models/{quote(self.model, safe='')}{_WHOLE}{mark}{query}", body

    def stream_request(
        self,
        url: str,
        body: dict[str, Any],
        without: frozenset[str],  # noqa: ARG002 - there is nothing to leave out
    ) -> tuple[str, dict[str, Any]]:
        """The body of `:streamGenerateContent`, which would be one long list of JSON without `alt=sse`."""
        base, _, query = url.partition("?")
        return f"{base.removesuffix(_WHOLE)}:streamGenerateContent?alt=sse{'&' if query else ''}{query}", body

    def describe_model(self, fetch: Fetch) -> ModelReport:
        """Describe the model as `/models/NAME` does."""
        answer = fetch("GET", beside_url(self.url, "", f"/models/{quote(self.model, safe='')}"))
        if isinstance(answer, dict):
            found = answer
        else:
            found = {}
        name = name_or(found.get("name"), self.model).removeprefix("models/")
        return ModelReport(name, window_in(found.get("inputTokenLimit")))

    def collector(self) -> Response:
        """Chunks of a response."""
        return Response()

    def read_answer(self, answer: dict[str, Any]) -> Answer:
        """The first candidate; a prompt that a filter stopped has none, and is a refusal."""
        found = answer.get("usageMetadata")
        usage, model = _usage(found if isinstance(found, dict) else {}), name_or(answer.get("modelVersion"), self.model)
        candidates = objects(answer.get("candidates"))
        if not candidates:
            if isinstance(answer.get("promptFeedback"), dict):
                return Answer("", stop=Stop.REFUSED, usage=usage, model=model)
            raise self.bad("the answer has no candidates", answer)
        content = candidates[0].get("content")
        if isinstance(content, dict):
            parts = objects(content.get("parts"))
        else:
            parts = []
        calls = tuple(_call(part["functionCall"]) for part in parts if isinstance(part.get("functionCall"), dict))
        stop = _STOPS.get(name_or(candidates[0].get("finishReason")), Stop.OTHER)
        return Answer(
            text="".join(_text(part) for part in parts),
            tool_calls=calls,
            stop=stop_reason(stop, calls),
            usage=usage,
            model=model,
            carried=Carried("gemini", parts) if any("thoughtSignature" in part for part in parts) else None,
        )

    def _parts(self, message: Message) -> list[dict[str, Any]]:
        if message.role is Role.TOOL:
            said = {"error" if message.failed else "result": message.text}
            result = {"name": message.tool_name, "response": said} | _id(message.tool_call_id)
            return [{"functionResponse": result}]
        if message.carried is not None and message.carried.provider == "gemini":
            return objects(message.carried.content)
        parts: list[dict[str, Any]] = [{"text": message.text}] if message.text.strip() else []
        parts += [{"inlineData": {"mimeType": picture.kind, "data": picture.encoded}} for picture in message.pictures]
        for number, call in enumerate(message.tool_calls):
            part = {"functionCall": {"name": call.name, "args": dict(call.arguments)} | _id(call.id)}
            if not number and not _NEEDS_NO_SIGNATURE.match(self.model):
                part["thoughtSignature"] = _UNSIGNED  # type: ignore[assignment]
            parts.append(part)
        return parts


def _id(given: str) -> dict[str, str]:
    if given.startswith(MADE):
        return {}
    return {"id": given}


def _call(given: dict[str, Any]) -> ToolCall:
    return tool_call(given.get("id"), given.get("name"), given.get("args"))


def _text(part: dict[str, Any]) -> str:
    text = part.get("text")
    if isinstance(text, str) and part.get("thought") is not True:
        return text
    return ""


def _usage(given: dict[str, Any]) -> Usage:
    # its thoughts, and what its tools brought in, are counted beside the others
    read = count(given.get("promptTokenCount")) + count(given.get("toolUsePromptTokenCount"))
    written = count(given.get("candidatesTokenCount")) + count(given.get("thoughtsTokenCount"))
    return Usage(read, written, count(given.get("cachedContentTokenCount")))
