"""One request, one answer, within the time that is left; no retries and no judgement of the status.

The request runs in a thread of its own. Socket time outs count from the last byte, so a provider that drips one byte
a second, in the body, the headers or a TLS handshake, or a name server that never answers, would hold the caller for
as long as it likes; the caller waits for the thread no longer than its deadline, and then cuts the connection. An
answer that is heard while it comes may take as long as it likes, and only its pauses are limited.
"""

from __future__ import annotations

import queue
import socket
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from holdfast.named_tuple import NamedTuple
from holdfast.remote.deadline import Deadline
from holdfast.remote.http_log_filter import quiet
from holdfast.remote.retry_policy import Policy
from holdfast.remote.stop_signal import next_piece

if TYPE_CHECKING:
    import httpx2

__all__ = ["Answer", "Failure", "Question", "Trouble", "Upload", "attempt"]

_GRACE = 0.05  # the thread's own time outs end at the same moment, and say more precisely what was late


class Upload(NamedTuple):
    """A file for a multipart form, with the form's other fields."""

    name: str
    content: bytes
    media_type: str = "application/jsonl"
    field: str = "file"
    fields: Mapping[str, str] = {}


class Question(NamedTuple):
    """A request to send; `repeatable` says that sending it twice does no harm."""

    method: str
    url: str
    headers: Mapping[str, str] = {}
    content: bytes | None = None
    upload: Upload | None = None
    limit: int = 0
    repeatable: bool = True


class Answer(NamedTuple):
    """The response, whatever its status; the names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Trouble(StrEnum):
    """The reason why no answer came back, as far as it matters for trying again."""

    UNREACHED = "unreached"  # nothing was sent
    LATE = "late"
    STALLED = "stalled"  # an answer that is heard while it comes has stopped coming
    BROKEN = "broken"  # the connection ended before the answer did
    TOO_LONG = "too long"
    GARBLED = "garbled"  # the bytes could not be unpacked
    UNSENDABLE = "unsendable"  # the address or a header can't be put on the wire


class Failure(NamedTuple):
    """No answer, and what happened in words; the words may still hold a secret."""

    trouble: Trouble
    why: str


def attempt(
    client: httpx2.Client,
    question: Question,
    policy: Policy,
    deadline: Deadline,
    hear: Callable[[bytes], bool] | None = None,
) -> Answer | Failure:
    """Send it once; an answer of any status, or why there is none.

    `hear` is given the body of a success as it comes, in the caller's own thread; what it raises ends the call. It says
    whether anything of the answer was in the piece: comments that keep a connection alive are none of it.
    """
    run = _Run(client, question, policy, deadline, heard=hear is not None)
    thread = threading.Thread(target=run.run, name="holdfast-call", daemon=True)
    thread.start()
    pause = deadline.fresh(policy.idle if hear is not None else deadline.remaining())
    try:
        while (piece := next_piece(run.pieces, min(deadline.remaining(), pause.remaining()) + _GRACE)) is not None:
            if hear is None:
                continue
            if hear(piece):
                pause = deadline.fresh(policy.idle)
            elif pause.passed:
                run.cut()
                return _stalled(policy)
    except queue.Empty:
        run.cut()
        if deadline.passed:
            return _timeout_failure(deadline)
        return _stalled(policy)
    except BaseException:
        run.cut()
        raise
    return run.result


class _Run:
    """The work of the thread, and the connection that it uses."""

    def __init__(
        self, client: httpx2.Client, question: Question, policy: Policy, deadline: Deadline, *, heard: bool
    ) -> None:
        self._client, self._question, self._policy, self._deadline = client, question, policy, deadline
        self._heard = heard
        self._stream: Any = None
        self.pieces: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.result: Answer | Failure = Failure(Trouble.BROKEN, "the call ended without a result")

    def run(self) -> None:
        """Never raises: what went wrong is the result."""
        try:
            with quiet():
                self.result = self._exchange()
        except Exception as error:  # noqa: BLE001 - it would be lost in this thread; the caller must learn of it
            self.result = _failure(error, self._deadline, self._policy if self._heard else None)
        finally:
            self.pieces.put(None)

    def cut(self) -> None:
        """Wake a thread that is still reading; closing the socket instead could hit one that reuses its number."""
        if self._stream is not None:
            with suppress(Exception):
                self._stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)

    def _exchange(self) -> Answer | Failure:
        import httpx2

        asked, left = self._question, self._deadline.remaining()
        if left <= 0:
            return Failure(Trouble.LATE, f"no time was left of {self._deadline.seconds:g} s")
        if self._heard:
            read = self._policy.idle
        else:
            read = self._policy.read
        wait, connect = min(read, left), min(self._policy.connect, left)
        form: dict[str, Any] = {"content": asked.content}
        if asked.upload is not None:
            file = asked.upload
            form = {"files": {file.field: (file.name, file.content, file.media_type)}, "data": dict(file.fields)}
        request = self._client.build_request(
            asked.method,
            asked.url,
            headers=dict(asked.headers),
            timeout=httpx2.Timeout(wait, connect=connect),
            extensions={"trace": self._watch},
            **form,
        )
        response = self._client.send(request, stream=True, follow_redirects=False)
        try:
            self._stream = response.extensions.get("network_stream", self._stream)
            return self._read(response)
        finally:
            response.close()

    def _watch(self, event: str, details: Mapping[str, Any]) -> None:
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            self._stream = details.get("return_value")

    def _read(self, response: httpx2.Response) -> Answer | Failure:
        limit = self._question.limit or self._policy.body
        heard = self._heard and 200 <= response.status_code < 300
        body = bytearray()
        for piece in response.iter_bytes():  # unpacked, at most a megabyte at a time: a bomb is seen before it is big
            body += piece
            if len(body) > limit:
                return Failure(Trouble.TOO_LONG, f"the answer is longer than {limit:,} bytes")
            if self._deadline.passed:
                return _timeout_failure(self._deadline)
            if heard:
                self.pieces.put(piece)
        headers = {name.lower(): value for name, value in response.headers.items()}
        return Answer(response.status_code, headers, bytes(body))


def _timeout_failure(deadline: Deadline) -> Failure:
    return Failure(Trouble.LATE, f"no complete answer within {deadline.seconds:g} s")


def _stalled(policy: Policy) -> Failure:
    return Failure(Trouble.STALLED, f"nothing of the answer came for {policy.idle:g} s")


def _failure(error: Exception, deadline: Deadline, heard: Policy | None) -> Failure:
    """Say in words what went wrong.

    `heard` are the limits of an answer that is heard while it comes.
    """
    import httpx2

    match error:
        case httpx2.ConnectTimeout() | httpx2.PoolTimeout():
            return Failure(Trouble.UNREACHED, "no connection in time")
        case httpx2.TimeoutException() if heard is not None and not deadline.passed:
            return _stalled(heard)
        case httpx2.TimeoutException():
            return Failure(Trouble.LATE, f"no answer in time (the limit of the whole call is {deadline.seconds:g} s)")
        case httpx2.ConnectError() | httpx2.ProxyError():
            return Failure(Trouble.UNREACHED, f"no connection ({error})")
        case httpx2.LocalProtocolError() | httpx2.UnsupportedProtocol() | httpx2.InvalidURL():
            # these quote the header or the address, escaped in ways that could hide a key from the scrubber
            return Failure(Trouble.UNSENDABLE, "the address or a header can't be sent; look for odd characters in it")
        case httpx2.DecodingError():
            return Failure(Trouble.GARBLED, "the compressed answer can't be unpacked")
        case httpx2.TransportError():
            return Failure(Trouble.BROKEN, "the connection broke off before the answer was complete")
        case _:
            return Failure(Trouble.UNSENDABLE, f"the request could not be sent ({type(error).__name__})")
