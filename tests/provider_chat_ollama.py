"""Ollama's own chat at the test server; like the real one it takes fields that it does not know."""

from __future__ import annotations

import uuid
from typing import Any

from provider_chat_script import ChatScript, Heard, Said, words
from provider_chat_stream import KEY, bits, ndjson
from provider_exchange import Ask, Reply, Route
from provider_ollama import error

__all__ = ["routes"]


def routes(script: ChatScript) -> list[tuple[str, str, Route]]:
    """POST /api/chat and /api/show."""
    return [
        ("POST", r"/api/chat", lambda ask: _answered(ask, script)),
        ("POST", r"/api/show", lambda ask: _shown(ask, script)),
    ]


def _shown(ask: Ask, script: ChatScript) -> Reply:
    """A model as Ollama describes it; `parameters` are there only where its owner set some."""
    name = ask.json.get("model")
    if name == "nothing":
        return error(404, "model 'nothing' not found")
    details = {"parent_model": "", "format": "gguf", "family": "qwen3", "families": ["qwen3"], "parameter_size": "4.0B"}
    info = {"general.architecture": "qwen3", "qwen3.block_count": 36, "qwen3.context_length": script.trained_for}
    parameters = "" if script.window is None else f"num_ctx                        {script.window}\n"
    stop = 'stop                           "<|im_end|>"'
    shown = {"details": details, "model_info": info, "capabilities": ["completion", "tools"]}
    return Reply({"license": "", "modelfile": "…", "parameters": parameters + stop, "template": "…", **shown})


def _answered(ask: Ask, script: ChatScript) -> Reply:
    body: dict[str, Any] = ask.json
    message = _refusal(body, script)
    if message:
        return error(404 if "not found" in message else 400, message)
    messages = body["messages"]
    wanted = body.get("format")
    heard = Heard(
        next((one["content"] for one in reversed(messages) if one["role"] == "user"), ""),
        [tool["function"]["name"] for tool in body.get("tools", [])],
        any(one["role"] == "tool" for one in messages),
        {} if wanted == "json" else wanted,
    )
    said = script.next(heard)
    if said.raw is not None:
        return Reply(said.raw)
    whole = _response(body, said, ask, script)
    return Reply(whole) if body.get("stream") is False else ndjson(ask, _lines(whole), failing={"error": KEY})


def _lines(whole: dict[str, Any]) -> list[dict[str, Any]]:
    shared = {name: whole[name] for name in ("model", "created_at")}
    message = whole["message"]
    parts: list[dict[str, Any]] = [{"content": "", "thinking": bit} for bit in bits(message.get("thinking", ""))]
    parts += [{"content": bit} for bit in bits(message["content"])]
    parts += [{"content": "", "tool_calls": [call]} for call in message.get("tool_calls", [])]
    found = [{**shared, "message": {"role": "assistant", **part}, "done": False} for part in parts]
    return [*found, {**whole, "message": {"role": "assistant", "content": ""}}]


def _response(body: dict[str, Any], said: Said, ask: Ask, script: ChatScript) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": said.text}
    if said.thoughts:
        message["thinking"] = said.thoughts
    if said.calls:
        message["tool_calls"] = [
            ({"id": f"call_{uuid.uuid4().hex[:8]}"} if script.names_calls else {})
            | {"function": {"index": number, "name": name, "arguments": given}}
            for number, (name, given) in enumerate(said.calls)
        ]
    return {
        "model": ask.model(body["model"]),
        "created_at": "2026-08-07T12:00:00.000000000Z",
        "message": message,
        "done": True,
        "done_reason": said.stop or "stop",
        "total_duration": 174560334,
        "load_duration": 101397084,
        "prompt_eval_count": words(*(one["content"] for one in body["messages"])),
        "prompt_eval_duration": 13074791,
        "eval_count": words(said.text),
        "eval_duration": 52479709,
    }


def _refusal(body: dict[str, Any], script: ChatScript) -> str:
    if body.get("model") == "nothing":
        return "model 'nothing' not found"
    if body.get("stream") is not False and "stream" in script.refuses:
        return "streaming is not supported"
    for one in body.get("messages", []):
        if one.get("role") not in ("system", "user", "assistant", "tool") or not isinstance(one.get("content"), str):
            return "invalid role or content"
        for call in one.get("tool_calls", []):
            if not isinstance(call["function"]["arguments"], dict):
                return "json: cannot unmarshal string into Go struct field ToolCallFunction.arguments"
    wanted = body.get("format")
    if isinstance(wanted, dict) and "schema" in script.refuses:
        return 'invalid format: expected "json"'
    if wanted == "json" and "json" in script.refuses:
        return "format is not supported by this model"
    return ""
