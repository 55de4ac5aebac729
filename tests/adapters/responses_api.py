"""OpenAI's Responses API at the test server, as far as the Agents SDK asks it by default."""

from __future__ import annotations

import json
import uuid
from typing import Any

from provider_chat_script import ChatScript, Heard, Said, words
from provider_exchange import Ask, Reply, Route
from provider_openai import error

__all__ = ["routes"]


def routes(script: ChatScript) -> list[tuple[str, str, Route]]:
    """POST /v1/responses."""
    return [("POST", r"/v1/responses", lambda ask: _answered(ask, script))]


def _answered(ask: Ask, script: ChatScript) -> Reply:
    if ask.seen.headers.get("authorization") != f"Bearer {ask.server.key}":
        return error(401, "Incorrect API key provided")
    body: dict[str, Any] = ask.json
    given = body["input"] if isinstance(body["input"], list) else [{"role": "user", "content": body["input"]}]
    called = [item["call_id"] for item in given if item.get("type") == "function_call"]
    answered = [item["call_id"] for item in given if item.get("type") == "function_call_output"]
    if called != answered:
        return error(400, f"No tool output found for function call {called}")
    said = script.next(Heard(str(given[-1].get("content", "")), [tool["name"] for tool in body.get("tools", [])]))
    return Reply(_response(body, said))


def _response(body: dict[str, Any], said: Said) -> dict[str, Any]:
    output: list[dict[str, Any]] = [
        {
            "type": "function_call",
            "id": f"fc_{uuid.uuid4().hex}",
            "call_id": f"call_{uuid.uuid4().hex}",
            "name": name,
            "arguments": json.dumps(given),
            "status": "completed",
        }
        for name, given in said.calls
    ]
    if said.text:
        text = {"type": "output_text", "text": said.text, "annotations": [], "logprobs": []}
        told = {"type": "message", "id": f"msg_{uuid.uuid4().hex}", "role": "assistant", "status": "completed"}
        output.append({**told, "content": [text]})
    return {
        "id": f"resp_{uuid.uuid4().hex}",
        "object": "response",
        "created_at": 1_780_000_000,
        "model": body["model"],
        "status": "completed",
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": body.get("tools", []),
        "usage": {
            "input_tokens": 9,
            "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens": words(said.text),
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 9 + words(said.text),
        },
    }
