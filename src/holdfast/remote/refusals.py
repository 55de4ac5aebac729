"""A status and a body that are not what we asked for → the error a caller can act on, in the provider's own words."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urljoin

from holdfast.errors import ProviderFailed, ProviderRefused, ProviderTooLarge
from holdfast.pattern import compile_late
from holdfast.remote.attempt import Answer
from holdfast.remote.redaction import Scrubber, without_secrets
from holdfast.remote.retry_policy import worth_another_try

__all__ = ["message_of", "refusal"]

# How OpenAI, Gemini, Ollama, llama.cpp, vLLM and text-embeddings-inference say "less at a time, please".
_TOO_LARGE = compile_late(
    r"too (?:long|large|many|big)|maximum (?:context|input|batch|number|allowed|sequence)|context[ _](?:length|size)"
    r"|max(?:imum)?[ _]\w{0,40}(?:tokens|length|batch|size)|max \d+ tokens|at most \d+|exceed|larger than|longer than"
    r"|payload size|reduce (?:the|your) (?:length|input|batch)",
    re.IGNORECASE,
)
_NOT_SIZE = compile_late(r"quota|rate.?limit|billing", re.IGNORECASE)
_NO_MONEY = compile_late(r"insufficient_quota|billing_hard_limit|billing_not_active", re.IGNORECASE)
_SIZE_STATUSES = (400, 413, 422, 500)  # llama.cpp's server says "input is too large to process" with 500
_DEEPEST = 6
_NAMES = {
    400: "bad request",
    401: "the key was not accepted",
    403: "not allowed",
    404: "not found",
    408: "it timed out",
    413: "the request is too large",
    422: "the request can't be processed",
    429: "too many requests",
    500: "it has an internal error",
    502: "bad gateway",
    503: "it is unavailable",
    504: "gateway timed out",
}


def refusal(provider: str, url: str, answer: Answer, scrubber: Scrubber) -> ProviderFailed:
    """The error for an answer outside 200 to 299."""
    status = answer.status
    said = scrubber.clean(message_of(answer))
    name = _NAMES.get(status, "")
    if name:
        why = f"HTTP {status}, {name}"
    else:
        why = f"HTTP {status}"
    if said:
        why += f": {said.rstrip('.')}"
    if 300 <= status < 400:
        target = scrubber.clean(without_secrets(urljoin(url, answer.headers.get("location", ""))))
        why = (
            f"HTTP {status}: it redirects to {target}, which is not followed, because the key would go along; "
            "set memory.base_url to the address that answers"
        )
        return ProviderRefused(provider, why)
    if status == 413 or (status in _SIZE_STATUSES and _TOO_LARGE.search(said) and not _NOT_SIZE.search(said)):
        return ProviderTooLarge(provider, why)
    if _out_of_money(answer) or not worth_another_try(status):
        return ProviderRefused(provider, why)
    return ProviderFailed(provider, why)


def _out_of_money(answer: Answer) -> bool:
    # an empty account is answered with 429 too, and no waiting fills it
    return answer.status == 429 and _NO_MONEY.search(answer.body[:4096].decode("utf-8", "replace")) is not None


def message_of(answer: Answer) -> str:
    """Return the provider's message, in whichever of the usual shapes; empty without words."""
    text = answer.body[:65536].decode("utf-8", "replace").strip()
    kind = answer.headers.get("content-type", "").lower()
    if "html" in kind or text[:1] == "<":
        return "an HTML page instead of an API's answer; is memory.base_url right?"
    return _words(text, 0)


def _words(found: Any, depth: int) -> str:
    if depth > _DEEPEST:
        return ""
    if isinstance(found, str):
        if found[:1] in ("{", "["):  # also inside a string: Ollama hands on the error of its runner that way
            try:
                return _words(json.loads(found), depth + 1) or found
            except (ValueError, RecursionError):
                return found
        return found
    if isinstance(found, list):
        return next((words for item in found if (words := _words(item, depth + 1))), "")
    if isinstance(found, dict):
        for name in ("error", "message", "detail", "msg", "error_description", "title"):
            if found.get(name):
                words = _words(found[name], depth + 1)
            else:
                words = ""
            if words:
                code = found.get("code")
                if isinstance(code, str) and code not in words:
                    return f"{words} ({code})"
                return words
    return ""
