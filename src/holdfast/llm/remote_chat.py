"""The common part of remote models: a breaker, no secrets in what is sent, and less asked of a server that knows less.

Servers that speak one language differ in what they take: newer models of OpenAI and Anthropic refuse a temperature,
older servers know no schemas. What a server names in refusing a request is left out, once and for all, and the request
sent again; a table of models would be wrong within months.
"""

from __future__ import annotations

import json
import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict

from holdfast.embeddings.remote.outbound_text import remove_secrets
from holdfast.errors import (
    BadAnswer,
    ProviderFailed,
    ProviderMissing,
    ProviderRefused,
    ProviderStalled,
    ProviderTooLarge,
)
from holdfast.llm.chat_model import Answer, Message, Request
from holdfast.llm.server_report import Fetch, ModelReport
from holdfast.llm.stream_events import EventLines, Splitter
from holdfast.llm.stream_reader import StreamCollector, StreamListener
from holdfast.named_tuple import NamedTuple
from holdfast.remote.attempt import Answer as Reply
from holdfast.remote.breaker import Breaker
from holdfast.remote.deadline import Deadline
from holdfast.remote.provider_calls import Caller, Options
from holdfast.remote.redaction import Scrubber
from holdfast.remote.refusals import message_of
from holdfast.remote.retry_policy import Policy

__all__ = ["Access", "Concession", "RemoteChatModel", "key_of", "patience"]

_BODY = 8 * 1024 * 1024  # far more than any model writes in one turn
_SECONDS = 60.0
_IDLE_SECONDS = 300.0
_REFUSED = re.compile(r"HTTP (?:400|422|501)\b")
_REMEDY = {
    ProviderRefused: "Mend llm.api_key, llm.model or llm.base_url.",
    ProviderStalled: "Look whether the server still works, and ask again; a slow model that needs longer before it "
    "begins to answer is given more time with llm.timeout_seconds.",
    ProviderTooLarge: "Ask it less at a time, or choose a model with a larger window in llm.model.",
}
_REPORT_SECONDS = 2.0  # a short answer of a server that works; a conversation waits for it once
_REPORT_BODY = 4 * 1024 * 1024  # OpenRouter lists some hundred models in half a megabyte
_ACCEPT = "text/event-stream, application/x-ndjson, application/json"
_LONGER = "Ask it less, or give it more time with llm.timeout_seconds; what needs no model works on."
_LATER = "Try again later; what needs no model works on."


class Concession(NamedTuple):
    """Something that a request can do without, and how a refusal names it."""

    name: str
    named: re.Pattern[str]


# Also a real service refuses it: OpenAI streams some models only to those who have shown who they are.
_WHOLE = Concession("stream", re.compile(r"\bstream(?:ing|ed)?\b", re.IGNORECASE))


class Access(TypedDict, total=False):
    """The owner's settings of a provider; everything may be left out.

    `base_url` and `api_key` say where and as whom it is asked, `headers` are sent with every request; `max_tokens` and
    `temperature` are for requests that name none. `context_window` is for a server that is to be told how much room a
    conversation needs. A `caller` stays its owner's to close.
    """

    base_url: str
    api_key: str | None
    headers: Mapping[str, str] | None
    caller: Caller | None
    breaker: Breaker | None
    max_tokens: int | None
    temperature: float | None
    context_window: int | None


def key_of(access: Access) -> str | None:
    """The key without what a copy brought along."""
    return (access.get("api_key") or "").strip() or None


def patience(seconds: float, idle_seconds: float = _IDLE_SECONDS) -> Policy:
    """The limits of a call: of an answer in one piece the whole, of one that is streamed each pause.

    A model that does not stream is silent until it has said everything; one that does says that it is at work. A slow
    one on this machine may take many minutes for an answer, all of them well spent.
    """
    return Policy(read=seconds, total=seconds, idle=idle_seconds, body=_BODY)


class _Limits(NamedTuple):
    """The time limits of an answer in one piece and of a streamed one.

    None is as long as something comes.
    """

    whole: Deadline
    stream: Deadline | None


class RemoteChatModel(ABC):
    """A conversation in, the next turn of a model on another machine out; threads may share it."""

    concessions: Sequence[Concession] = ()

    def __init__(
        self, provider: str, model: str, access: Access, *, url: str, headers: Mapping[str, str], hindrance: str
    ) -> None:
        """Take the settings; what keeps the model from being asked at all is said when it is asked."""
        self.provider = provider
        self.model = model
        self.url = url
        self.max_tokens = access.get("max_tokens")
        self.temperature = access.get("temperature")
        self.breaker = access.get("breaker") or Breaker()
        self.set_window = access.get("context_window")
        self._headers = {"Content-Type": "application/json", **headers}
        self._owns_caller = access.get("caller") is None
        self._caller = access.get("caller") or Caller(provider, policy=patience(_SECONDS))
        if model:
            self._hindrance = hindrance
        else:
            self._hindrance = "llm.model is not set"
        self._without: frozenset[str] = frozenset()
        self._report: ModelReport | None = None
        self._report_lock = threading.Lock()
        # A server that is down is asked for its window once a minute: it may be up by the next turn.
        self._report_breaker = Breaker(failures=1)

    @abstractmethod
    def question(self, request: Request, without: frozenset[str]) -> tuple[str, dict[str, Any]]:
        """The URL and the body that ask for the next turn, without what was conceded."""

    def stream_request(
        self,
        url: str,
        body: dict[str, Any],
        without: frozenset[str],  # noqa: ARG002 - for those who can do with less
    ) -> tuple[str, dict[str, Any]]:
        """The same question, for an answer that comes as it is written."""
        return url, {**body, "stream": True}

    def splitter(self) -> Splitter:
        """Return the splitter that cuts events out of the bytes of a stream."""
        return EventLines()

    @abstractmethod
    def collector(self) -> StreamCollector:
        """Return the collector that turns the events of a stream into an answer."""

    @abstractmethod
    def read_answer(self, answer: dict[str, Any]) -> Answer:
        """The turn in an answer, or `BadAnswer`."""

    @property
    def says_window(self) -> bool:
        """True if its server is asked for the window.

        The large services are not: theirs are larger than a conversation should get that is paid for with every turn.
        """
        return False

    @abstractmethod
    def describe_model(self, fetch: Fetch) -> ModelReport:
        """The model as its server describes it; raises `ProviderFailed`."""

    def report(self) -> ModelReport:
        """Ask the server about the model, within two seconds; raises `ProviderFailed` or one of its kinds."""
        if self._hindrance:
            raise ProviderRefused(self.provider, self._hindrance, _REMEDY[ProviderRefused])
        deadline = self._caller.deadline(_REPORT_SECONDS)

        def fetch(method: str, url: str, body: Mapping[str, Any] | None = None) -> Any:
            options: Options = {"headers": self._headers, "deadline": deadline, "limit": _REPORT_BODY, "attempts": 1}
            if body is not None:
                options["json"] = body
            return self._caller.send(method, url, **options)

        try:
            self._report = self.describe_model(fetch)
        except ProviderFailed as failure:
            raise _ours(failure, _LATER) from failure
        return self._report

    def context_window(self) -> int | None:
        """The tokens of the window that the server says, asked once; None where it does not. Never raises."""
        if not self.says_window or self._hindrance:
            return None
        with self._report_lock:
            if self._report is None and self._report_breaker.allows():
                try:
                    self.report()
                except (ProviderRefused, BadAnswer):
                    self._report = ModelReport(self.model)  # it answered, and will not say more the next time
                except ProviderFailed as failure:
                    self._report_breaker.failed(failure.why)
            if self._report is None:
                return None
            return self._report.window

    def chat(
        self, request: Request, *, seconds: float | None = None, on_text: Callable[[str], None] | None = None
    ) -> Answer:
        """The next turn, streamed where somebody wants to hear it; raises `ProviderFailed` or one of its kinds.

        Without `seconds`, an answer in one piece has the time of the policy, and a stream has no end but its pauses. A
        stream that breaks off is a failure too, and what was told of it until then is no answer.
        """
        if self._hindrance:
            raise ProviderRefused(self.provider, self._hindrance, _REMEDY[ProviderRefused])
        if not self.breaker.allows():
            wait = max(1, round(self.breaker.rest_seconds()))
            why = f"it is left alone for {wait} s more, because {self.breaker.because}"
            raise ProviderFailed(self.provider, why, _LATER)
        heard: list[str] = []

        def tell(text: str) -> None:
            heard.append(text)
            if on_text is None:
                return
            try:
                on_text(text)
            except BaseException:
                self.breaker.succeeded()  # it is the listener who broke off
                raise

        whole = self._caller.deadline(seconds)
        limits = _Limits(whole, None if seconds is None else whole)
        try:
            answer = self._answered(_redacted(request), limits, None if on_text is None else tell)
        except ProviderFailed as failure:
            if isinstance(failure, ProviderTooLarge):
                self.breaker.succeeded()  # it is the request that is at fault
            else:
                self.breaker.failed(failure.why)
            late = seconds is None and whole.passed
            raise _ours(failure, _LONGER if late else _LATER) from failure
        self.breaker.succeeded()
        if answer.text and not heard:
            tell(answer.text)
        return answer

    def close(self) -> None:
        """Close the connections, if they are its own."""
        if self._owns_caller:
            self._caller.close()

    def request_limits(self, request: Request, without: frozenset[str]) -> tuple[int | None, float | None]:
        """The most tokens and the temperature that this request asks for."""
        if request.temperature is None:
            temperature = self.temperature
        else:
            temperature = request.temperature
        if request.max_tokens is None:
            most = self.max_tokens
        else:
            most = request.max_tokens
        return most, None if "temperature" in without else temperature

    def bad(self, why: str, answer: dict[str, Any] | None = None) -> BadAnswer:
        """An answer that can't be read, with the error that it holds, if it does."""
        if not answer or "error" not in answer:
            return BadAnswer(self.provider, why)
        said = message_of(Reply(200, {}, json.dumps({"error": answer["error"]}).encode()))
        return BadAnswer(self.provider, f"{why}: {Scrubber(self._headers, self.url).clean(said)}")

    def __repr__(self) -> str:
        return f"{type(self).__name__}(provider={self.provider!r}, model={self.model!r})"

    def _answered(self, request: Request, limits: _Limits, tell: Callable[[str], None] | None) -> Answer:
        without = self._without
        url, body = self._asked(request, without, tell is not None)
        while True:
            try:
                answer = self._exchanged(url, body, limits, None if "stream" in without else tell)
                break
            except (ProviderRefused, ProviderTooLarge) as refusal:
                sent = url, body
                for name in self._conceded(refusal.why, without):
                    url, body = self._asked(request, without | {name}, tell is not None)
                    if (url, body) != sent:
                        without |= {name}
                        break
                else:
                    raise
        self._without |= without
        return answer

    def _asked(self, request: Request, without: frozenset[str], streams: bool) -> tuple[str, dict[str, Any]]:
        url, body = self.question(request, without)
        if streams and "stream" not in without:
            return self.stream_request(url, body, without)
        return (url, body)

    def _exchanged(self, url: str, body: dict[str, Any], limits: _Limits, tell: Callable[[str], None] | None) -> Answer:
        content = self._encoded(body)
        if tell is None:
            found = self._caller.send("POST", url, content=content, headers=self._headers, deadline=limits.whole)
        else:
            listening = StreamListener(self, tell)
            headers = {**self._headers, "Accept": _ACCEPT}
            reply = self._caller.stream(
                "POST", url, listening, content=content, headers=headers, deadline=limits.stream
            )
            answer = listening.finish()
            if answer is not None:
                return answer
            found = self._caller.parsed(reply)  # a server that knows no streams answers in one piece
        if not isinstance(found, dict):
            raise self.bad("the answer is not an object")
        return self.read_answer(found)

    def _encoded(self, body: dict[str, Any]) -> bytes:
        try:
            # a lone surrogate of a note can't be UTF-8; it becomes a question mark instead of an error
            written = json.dumps(body, ensure_ascii=False, allow_nan=False, default=dict)
            return written.encode("utf-8", "replace")
        except (TypeError, ValueError, RecursionError) as error:
            why = f"the request can't be written as JSON ({type(error).__name__})"
            raise ProviderRefused(self.provider, why) from error

    def _conceded(self, why: str, without: frozenset[str]) -> list[str]:
        if not _REFUSED.match(why):
            return []
        offered = (*self.concessions, _WHOLE)
        return [
            concession.name for concession in offered if concession.name not in without and concession.named.search(why)
        ]


def _ours(failure: ProviderFailed, otherwise: str) -> ProviderFailed:
    """The same failure, with the names of our settings in it."""
    if isinstance(failure, ProviderMissing):
        return failure
    why = failure.why.replace("memory.base_url", "llm.base_url")
    if failure.advice != failure.remedy:
        otherwise = failure.advice  # more than its kind tells, such as how to start the server
    return type(failure)(failure.provider, why, _REMEDY.get(type(failure), otherwise))


def _redacted(request: Request) -> Request:
    """The request without secrets; a carried turn came from where it goes."""
    return request.replace(messages=tuple(_without_secrets(message) for message in request.messages))


def _without_secrets(message: Message) -> Message:
    calls = tuple(call.replace(arguments=_redact_value(dict(call.arguments))) for call in message.tool_calls)
    return message.replace(text=remove_secrets(message.text), tool_calls=calls)


def _redact_value(value: Any) -> Any:
    if isinstance(value, str):
        return remove_secrets(value)
    if isinstance(value, Mapping):
        return {name: _redact_value(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_redact_value(item) for item in value]
    return value
