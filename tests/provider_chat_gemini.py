"""Gemini's `:generateContent` at the test server: what it takes, what it refuses and in which words."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from provider_chat_script import ChatScript, Heard, Said, words
from provider_chat_stream import KEY, bits, sse
from provider_exchange import Ask, Reply, Route
from provider_gemini import error, unauthorised

__all__ = ["routes"]

_FIELDS = {"contents", "systemInstruction", "tools", "toolConfig", "generationConfig", "safetySettings"}
_CONFIG = {
    *("maxOutputTokens", "temperature", "responseMimeType", "responseJsonSchema", "responseSchema", "topP", "topK"),
    *("stopSequences", "candidateCount", "thinkingConfig"),
}


def routes(script: ChatScript) -> list[tuple[str, str, Route]]:
    """POST /v1beta/models/{model}:generateContent and :streamGenerateContent, and GET of the model itself."""
    path = r"/v1beta/models/([^/:]+):(generateContent|streamGenerateContent)"
    return [
        ("POST", path, lambda ask: unauthorised(ask) or _answered(ask, script)),
        ("GET", r"/v1beta/models/([^/:]+)", lambda ask: unauthorised(ask) or _described(ask)),
    ]


def _described(ask: Ask) -> Reply:
    name = ask.groups[0]
    if name == "nothing":
        return error(404, f"models/{name} is not found for API version v1beta")
    limits = {"inputTokenLimit": 1_048_576, "outputTokenLimit": 65_536}
    return Reply({"name": f"models/{name}", "version": "001", "displayName": name.title(), **limits})


def _answered(ask: Ask, script: ChatScript) -> Reply:
    body: dict[str, Any] = ask.json
    model = ask.groups[0]
    if model == "nothing":
        return error(404, "models/nothing is not found for API version v1beta")
    for check in _CHECKS:
        message = check(body, script, model)
        if message:
            return error(400, message)
    parts = [part for content in body["contents"] for part in content["parts"]]
    texts = [part["text"] for part in parts if "text" in part]
    config = body.get("generationConfig", {})
    heard = Heard(
        texts[-1] if texts else "",
        [one["name"] for tool in body.get("tools", []) for one in tool["functionDeclarations"]],
        any("functionResponse" in part for part in parts),
        config.get("responseJsonSchema", {} if "responseMimeType" in config else None),
    )
    said = script.next(heard)
    if said.raw is not None:
        return Reply(said.raw)
    whole = _response(said, ask.model(model), texts, script)
    if ask.groups[1] == "generateContent":
        return Reply(whole)
    if ask.seen.query != "alt=sse":
        return Reply([whole])
    return sse(ask, _chunks(whole), failing=error(503, KEY).body, done=False)


def _chunks(whole: dict[str, Any]) -> list[dict[str, Any]]:
    (candidate,) = whole["candidates"]
    parts: list[dict[str, Any]] = []
    for part in candidate["content"].get("parts", []):
        # calls come whole; a signature comes with its call, or in a part of its own
        parts += [{**part, "text": bit} for bit in bits(part["text"])] if "text" in part else [part]
    usage = {name: value for name, value in whole["usageMetadata"].items() if name != "candidatesTokenCount"}
    found = [
        {**whole, "candidates": [{"content": {"role": "model", "parts": [part]}, "index": 0}], "usageMetadata": usage}
        for part in parts
    ]
    last = {**candidate, "content": {"role": "model", "parts": [{"text": ""}]}}
    return [*found, {**whole, "candidates": [last]}]


def _response(said: Said, model: str, texts: list[str], script: ChatScript) -> dict[str, Any]:
    parts: list[dict[str, Any]] = [{"text": said.thoughts, "thought": True}] if said.thoughts else []
    if said.text:
        parts.append({"text": said.text})
    for number, (name, given) in enumerate(said.calls):
        call: dict[str, Any] = {"functionCall": {"name": name, "args": given}}
        if script.names_calls:
            call["functionCall"]["id"] = uuid.uuid4().hex[:8]
        if not number and _signs(model):
            call["thoughtSignature"] = "EjQKMgEMOdbHO0Gd"
        parts.append(call)
    content = {"role": "model", "parts": parts} if parts else {"role": "model"}
    return {
        "candidates": [{"content": content, "finishReason": said.stop or "STOP", "index": 0}],
        "usageMetadata": {
            "promptTokenCount": words(*texts),
            "candidatesTokenCount": words(said.text),
            "thoughtsTokenCount": 7,
            "totalTokenCount": words(said.text, *texts) + 7,
            "cachedContentTokenCount": 2,
        },
        "modelVersion": f"{model}-001",
        "responseId": uuid.uuid4().hex[:20],
    }


def _signs(model: str) -> bool:
    return model.startswith("gemini-3")


def _fields(body: dict[str, Any], script: ChatScript, model: str) -> str:
    config = body.get("generationConfig", {})
    unknown = sorted((body.keys() - _FIELDS) | (config.keys() - _CONFIG))
    if unknown:
        return f'Invalid JSON payload received. Unknown name "{unknown[0]}": Cannot find field.'
    if "temperature" in config and "temperature" in script.refuses:
        return "temperature is not supported by this model"
    if "responseJsonSchema" in config and "schema" in script.refuses:
        return "Invalid JSON payload received. Unknown name \"responseJsonSchema\" at 'generation_config'"
    if "responseMimeType" in config:
        if "json" in script.refuses:
            return "JSON mode is not enabled for this model: responseMimeType"
        if body.get("tools"):
            return "Function calling with a response mime type: 'application/json' is unsupported"
    return ""


def _contents(body: dict[str, Any], script: ChatScript, model: str) -> str:
    contents = body.get("contents") or []
    if not contents:
        return "* GenerateContentRequest.contents: contents is not specified"
    waiting = 0
    for content in contents:
        if content.get("role") not in ("user", "model"):
            return "Please use a valid role: user, model."
        parts = content.get("parts") or []
        if not parts or any(not part.keys() & {"text", "functionCall", "functionResponse"} for part in parts):
            return "* GenerateContentRequest.contents[0].parts: contents.parts must not be empty."
        results = sum("functionResponse" in part for part in parts)
        if results != waiting:
            return (
                "Please ensure that the number of function response parts is equal to the number of function call "
                "parts of the function call turn."
            )
        calls = [part for part in parts if "functionCall" in part]
        if calls and _signs(model) and not calls[0].get("thoughtSignature"):
            return "Function call is missing a thought_signature in functionCall parts."
        if any(not isinstance(part.get("functionResponse", {}).get("response", {}), dict) for part in parts):
            return "Invalid value at 'contents.parts.function_response.response'"
        waiting = len(calls)
    return "Please ensure that function call turns are answered." if waiting else ""


_CHECKS: list[Callable[[dict[str, Any], ChatScript, str], str]] = [_fields, _contents]
