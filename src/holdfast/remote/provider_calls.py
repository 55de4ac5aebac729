"""Calls to one provider: with patience, within a deadline, and without its key in anything that anybody may see."""

from __future__ import annotations

import json
import math
import random as random_numbers
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, Self, TypedDict, Unpack

from holdfast.errors import BadAnswer, ProviderFailed, ProviderRefused, ProviderStalled
from holdfast.guard.strict_json import refuse_constant
from holdfast.remote.attempt import Answer, Failure, Question, Trouble, Upload, attempt
from holdfast.remote.deadline import Deadline
from holdfast.remote.redaction import Scrubber, without_secrets
from holdfast.remote.refusals import message_of, refusal
from holdfast.remote.retry_policy import Policy, backoff, retry_after

if TYPE_CHECKING:
    import httpx2

__all__ = ["Caller", "Listener", "Options"]

_SPARE = Policy()
# The environment's proxy is for the world outside; our own machine is reached without it.
_HERE = ("all://localhost", "all://127.0.0.1", "all://[::1]")
_START_OLLAMA = "Start Ollama (`ollama serve`), or mend its address; what needs no model works on."


class Options(TypedDict, total=False):
    """The options of a request: one of `json`, `content` and `upload`, and how it is sent.

    `limit` is the most bytes of the answer, and `attempts` how often it is tried, where that is not the policy's. A
    request that creates something is not `repeatable`: it is sent again only when the first one surely did nothing.
    """

    json: Any
    content: bytes | None
    upload: Upload | None
    headers: Mapping[str, str] | None
    deadline: Deadline | None
    limit: int | None
    repeatable: bool
    attempts: int


class Listener(Protocol):
    """A listener to the body of an answer while it comes."""

    def begin(self) -> None:
        """An attempt begins, the first or another."""
        ...

    def take(self, piece: bytes) -> bool:
        """Hear the next bytes of a success; says whether anything of the answer was in them."""
        ...

    @property
    def committed(self) -> bool:
        """True if what was heard can't be taken back, so that there is no other attempt."""
        ...


class Caller:
    """Sends requests to one provider; threads may share it, and connections are kept for the next call.

    Redirects are not followed, since the key would go along. `sleep`, `now` and `random` are there for tests.
    """

    def __init__(
        self,
        provider: str,
        *,
        headers: Mapping[str, str] | None = None,
        policy: Policy = _SPARE,
        sleep: Callable[[float], None] = time.sleep,
        now: Callable[[], float] = time.monotonic,
        random: Callable[[], float] = random_numbers.random,
    ) -> None:
        self.provider = provider
        self.policy = policy
        self._headers = _check_headers(provider, headers or {})
        self._open: dict[str, tuple[httpx2.Client, Callable[[], object]]] = {}
        self._lock = threading.Lock()
        self._sleep, self._now, self._random = sleep, now, random

    def send(self, method: str, url: str, **options: Unpack[Options]) -> Any:
        """The JSON of the answer; everything else is an error. The options are those of `fetch`."""
        return self.parsed(self.fetch(method, url, **options))

    def fetch(self, method: str, url: str, **options: Unpack[Options]) -> Answer:
        """The answer as it came, if its status is a success; raises `ProviderFailed` or one of its kinds if not."""
        return self._fetch(method, url, None, options)

    def stream(self, method: str, url: str, listener: Listener, **options: Unpack[Options]) -> Answer:
        """The same as `fetch`, while a listener hears the body in this thread as it comes.

        Without a deadline it may take as long as it likes, as long as something comes within `Policy.idle`.
        """
        if options.get("deadline") is None:
            options["deadline"] = self.deadline(math.inf)
        return self._fetch(method, url, listener, options)

    def _fetch(self, method: str, url: str, listener: Listener | None, options: Options) -> Answer:
        headers, content = dict(options.get("headers") or {}), options.get("content")
        if (body := options.get("json")) is not None:
            # a lone surrogate of a note can't be UTF-8; it becomes a question mark instead of an error
            content = json.dumps(body, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")
            headers.setdefault("Content-Type", "application/json")
        question = Question(
            method,
            url,
            {**self._headers, **_check_headers(self.provider, headers)},
            content,
            options.get("upload"),
            options.get("limit") or self.policy.body,
            options.get("repeatable", True),
        )
        attempts = options.get("attempts", self.policy.attempts)
        return self._retry(question, options.get("deadline") or self.deadline(), listener, attempts)

    def deadline(self, seconds: float | None = None) -> Deadline:
        """A deadline on this caller's clock; the policy's where no time is given."""
        return Deadline(self.policy.total if seconds is None else seconds, self._now)

    def close(self) -> None:
        """Close the connections; a later call opens new ones."""
        with self._lock:
            for _, close in self._open.values():
                close()
            self._open.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Caller({self.provider!r})"

    def _retry(self, question: Question, deadline: Deadline, listener: Listener | None, attempts: int) -> Answer:
        """Ask until there is an answer, as often and as long as the policy and the deadline allow."""
        scrubber = Scrubber(question.headers, question.url)
        hear = None
        if listener is not None:
            hear = listener.take
        for tried in range(1, attempts + 1):
            if listener is not None:
                listener.begin()
            found = attempt(self._connected(question.url), question, self.policy, deadline, hear)
            if isinstance(found, Answer) and 200 <= found.status < 300:
                return found
            error = self._error(found, question, scrubber, tried)
            if tried == attempts or type(error) is not ProviderFailed or not _safe_again(found, question):
                raise error
            if listener is not None and listener.committed:
                raise error
            self._wait(found, tried, deadline, error)
        raise AssertionError("a policy allows at least one attempt")

    def _wait(self, found: Answer | Failure, tried: int, deadline: Deadline, error: ProviderFailed) -> None:
        asked = None
        if isinstance(found, Answer):
            asked = retry_after(found.headers.get("retry-after"), found.headers.get("date"), time.time)
        wait = (asked or 0.0) + backoff(tried, self.policy, self._random)
        if asked is not None and (asked > self.policy.longest_asked or wait >= deadline.remaining()):
            # to come back sooner than it asked for would only be refused again
            raise type(error)(
                self.provider, f"{error.why}; it asks to wait {_seconds_text(asked)}, longer than this call may"
            )
        if wait >= deadline.remaining():
            raise error
        self._sleep(wait)

    def _error(self, found: Answer | Failure, question: Question, scrubber: Scrubber, tried: int) -> ProviderFailed:
        if tried == 1:
            times = ""
        else:
            times = f" (tried {tried} times)"
        if isinstance(found, Answer):
            error = refusal(self.provider, question.url, found, scrubber)
            return type(error)(self.provider, error.why + times)
        why = scrubber.clean(found.why)
        place = without_secrets(question.url)
        if found.trouble in (Trouble.TOO_LONG, Trouble.GARBLED):
            return BadAnswer(self.provider, f"{why}, from {place}")
        if found.trouble is Trouble.STALLED:
            return ProviderStalled(self.provider, f"{why}, at {place}")
        if found.trouble is Trouble.UNSENDABLE:
            return ProviderRefused(self.provider, why)
        remedy = ""
        # Over https it is Ollama's own service, or a proxy: nobody starts that.
        if found.trouble is Trouble.UNREACHED and self.provider == "ollama" and place.startswith("http:"):
            remedy = _START_OLLAMA
        return ProviderFailed(self.provider, f"{why}, at {place}{times}", remedy)

    def parsed(self, answer: Answer) -> Any:
        """The JSON of an answer that is a success."""
        if not answer.body:
            raise BadAnswer(self.provider, f"HTTP {answer.status} with an empty body")
        try:
            return json.loads(answer.body.decode("utf-8-sig"), parse_constant=refuse_constant)
        except (ValueError, RecursionError) as error:
            if answer.body.lstrip()[:1] == b"<":
                said = message_of(answer)
            else:
                said = _spot(error)
        raise BadAnswer(self.provider, f"HTTP {answer.status}, and the body is not JSON: {said}")

    def _connected(self, url: str) -> httpx2.Client:
        if url[:5].lower() == "http:":
            scheme = "http"
        else:
            scheme = "https"
        with self._lock:
            if scheme not in self._open:
                client = _new_client(self.provider, scheme)
                self._open[scheme] = client, weakref.finalize(self, client.close)
            return self._open[scheme][0]


def _new_client(provider: str, scheme: str) -> httpx2.Client:
    import ssl

    import httpx2

    try:
        # Reading the system's certificates takes longer than a whole call to this machine; a client for plain http
        # gets none instead, and with none it trusts nobody.
        return httpx2.Client(
            headers={"User-Agent": "holdfast", "Accept": "application/json", "Accept-Encoding": "gzip"},
            verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if scheme == "http" else True,
            mounts=dict.fromkeys(_HERE),
            follow_redirects=False,
        )
    except Exception as error:  # noqa: BLE001 - a proxy of the environment may be anything, and may hold a password
        why = f"no connection can be made ({type(error).__name__}); look at HTTPS_PROXY, HTTP_PROXY and SSL_CERT_FILE"
    raise ProviderRefused(provider, why)


def _safe_again(found: Answer | Failure, question: Question) -> bool:
    """A job may have been made although its 5xx says otherwise; a 429 was turned away at the door."""
    if question.repeatable:
        return True
    if isinstance(found, Answer):
        return found.status == 429
    return found.trouble is Trouble.UNREACHED


def _check_headers(provider: str, headers: Mapping[str, str]) -> dict[str, str]:
    kept = {name.strip(): value.strip() for name, value in headers.items()}
    for name, value in kept.items():
        if not (name and name.isascii() and name.replace("-", "").replace("_", "").isalnum()):
            raise ProviderRefused(provider, f"a header's name can't be {name!r}")
        if not value.isascii() or not value.isprintable():
            # the library would quote the value in its own error, and the value is the key
            raise ProviderRefused(provider, f"the value of the header {name!r} (or the key in it) has odd characters")
    return kept


def _spot(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):  # its own text is about positions only, not about the content
        return f"{error.msg} at character {error.pos:,} of {len(error.doc):,}"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    return str(error)[:100]


def _seconds_text(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:g} s"
    return f"{seconds / 60:,.0f} minutes"
