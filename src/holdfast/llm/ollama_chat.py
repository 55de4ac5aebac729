"""Ollama's own chat, on this machine or another."""

from __future__ import annotations

import re
from typing import Any, Unpack

from holdfast.errors import ProviderRefused
from holdfast.llm.answer_parts import MADE, count, name_or, text_of, without_thoughts
from holdfast.llm.chat_model import Answer, Message, Request, Role, Stop, ToolCall, Usage
from holdfast.llm.chat_url import beside_url, headers_with, is_secret, ollama_url
from holdfast.llm.function_calls import calls_of, functions, stop_reason
from holdfast.llm.ollama_stream import Reply
from holdfast.llm.remote_chat import Access, Concession, RemoteChatModel, key_of
from holdfast.llm.server_report import Fetch, ModelReport, ollama_window
from holdfast.llm.stream_events import JsonLines

__all__ = ["OllamaChat"]

_STOPS = {"stop": Stop.END, "length": Stop.LENGTH}
_WINDOW = 4096  # what Ollama gives a model where nobody says otherwise
_LARGEST = 32_768  # what is asked for where nobody says otherwise: the room is taken from the memory of the machine
_CHARACTERS_A_TOKEN = 3  # fewer than in English text: ids and other scripts take more tokens
_SPARE = 1024


class OllamaChat(RemoteChatModel):
    """`ollama`; `base_url` takes every form that `OLLAMA_HOST` has, and the default is this machine."""

    concessions = (
        Concession("schema", re.compile(r"\bformat\b|\bschema\b|grammar", re.IGNORECASE)),
        Concession("json", re.compile(r"\bformat\b|\bjson\b|grammar", re.IGNORECASE)),
    )

    def __init__(self, model: str, **access: Unpack[Access]) -> None:
        key, headers = key_of(access), access.get("headers") or {}
        super().__init__(
            "ollama",
            model,
            access,
            url=ollama_url("ollama", access.get("base_url") or "", secret=is_secret(key, headers)),
            # Ollama itself asks for no key; a proxy before it may
            headers=headers_with(headers, "Authorization", key and f"Bearer {key}"),
            hindrance="",
        )

    def question(self, request: Request, without: frozenset[str]) -> tuple[str, dict[str, Any]]:
        """The body of POST /api/chat."""
        most, temperature = self.request_limits(request, without)
        messages = [_message_json(message) for message in request.messages]
        options: dict[str, Any] = {} if temperature is None else {"temperature": temperature}
        if most is not None:
            options["num_predict"] = most
        window = _window(request, most, self._largest)
        if window > _WINDOW:
            options["num_ctx"] = window
        body: dict[str, Any] = {"model": self.model, "messages": messages, "stream": False, "options": options}
        if request.tools:
            body["tools"] = functions(request.tools)
        if request.schema is not None and "json" not in without:
            body["format"] = "json" if "schema" in without else request.schema
        return self.url, body

    @property
    def says_window(self) -> bool:
        """True if its server is asked for the window."""
        return True

    @property
    def _largest(self) -> int:
        """The most that a conversation is given: what the owner set, else what the server was heard to say."""
        if self.set_window is not None:
            return self.set_window
        said = None
        if self._report is not None:
            said = self._report.window
        return _LARGEST if said is None else said

    def describe_model(self, fetch: Fetch) -> ModelReport:
        """Describe the model as `/api/show` does."""
        try:
            answer = fetch("POST", beside_url(self.url, "/api/chat", "/api/show"), {"model": self.model})
        except ProviderRefused as refusal:
            if not refusal.why.startswith("HTTP 404"):
                raise
            raise ProviderRefused(self.provider, f"{refusal.why}; `ollama pull {self.model}` brings it") from refusal
        return ModelReport(self.model, ollama_window(answer, _LARGEST))

    def splitter(self) -> JsonLines:
        """Its streams are lines of JSON."""
        return JsonLines()

    def collector(self) -> Reply:
        """Lines of a reply."""
        return Reply()

    def read_answer(self, answer: dict[str, Any]) -> Answer:
        """The one message that there is."""
        message = answer.get("message")
        if not isinstance(message, dict):
            raise self.bad("the answer has no message", answer)
        calls = calls_of(message)
        stop = _STOPS.get(name_or(answer.get("done_reason"), "stop"), Stop.OTHER)
        return Answer(
            text=without_thoughts(text_of(message.get("content"))),
            tool_calls=calls,
            stop=stop_reason(stop, calls),
            usage=Usage(count(answer.get("prompt_eval_count")), count(answer.get("eval_count"))),
            model=name_or(answer.get("model"), self.model),
        )


def _message_json(message: Message) -> dict[str, Any]:
    written: dict[str, Any] = {"role": message.role.value, "content": message.text}
    if message.pictures:
        written["images"] = [picture.encoded for picture in message.pictures]
    if message.role is Role.TOOL:
        written["tool_name"] = message.tool_name
        if not message.tool_call_id.startswith(MADE):
            written["tool_call_id"] = message.tool_call_id
    if message.tool_calls:
        written["tool_calls"] = [_written_call(call, number) for number, call in enumerate(message.tool_calls)]
    return written


def _written_call(call: ToolCall, number: int) -> dict[str, Any]:
    function = {"index": number, "name": call.name, "arguments": dict(call.arguments)}
    if call.id.startswith(MADE):
        named = {}
    else:
        named = {"id": call.id}
    return {**named, "type": "function", "function": function}


def _window(request: Request, most: int | None, largest: int) -> int:
    """The tokens that the request needs, doubled up from the least: what does not fit is cut off without a word,
    the rules first, and every other size loads the model anew."""
    characters = sum(len(message.text) for message in request.messages)
    characters += sum(len(str(tool.parameters)) + len(tool.description) for tool in request.tools)
    wanted = characters // _CHARACTERS_A_TOKEN + (_SPARE if most is None else most)
    window = _WINDOW
    while window < wanted and window < largest:
        window *= 2
    return min(window, largest)
