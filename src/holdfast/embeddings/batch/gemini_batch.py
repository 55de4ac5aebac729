"""Gemini's batch jobs for embeddings: a file of requests through its Files API, a job, and a file of answers.

As its reference says: a job is an operation whose metadata has the state and our display name; once it has succeeded
its response names the file with one answer a line, each with the `key` of its request. Uploaded files and jobs that
never end are dropped by the service itself after two days. Results come in a file and not inside the operation,
because a list of jobs carries with it whatever is inside them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import quote, urlsplit

from holdfast.embeddings.batch.batch_contract import BatchState, BatchStatus
from holdfast.embeddings.batch.batch_results import MOST_BYTES, encode_lines, gather, is_gone
from holdfast.embeddings.batch.batch_texts import outbound_rows
from holdfast.embeddings.embedder import Purpose, SpaceKey
from holdfast.embeddings.remote.gemini_embedder import GeminiEmbedder
from holdfast.errors import BadAnswer, ProviderFailed, ProviderRefused

__all__ = ["GeminiBatcher"]

_JOB = re.compile(r"batches/[A-Za-z0-9_.~-]{1,200}")
_FILE = re.compile(r"files/[A-Za-z0-9_.~-]{1,200}")
_ENDED = {"SUCCEEDED": BatchState.DONE} | dict.fromkeys(("FAILED", "CANCELLED", "EXPIRED"), BatchState.FAILED)
_PAGE = 50
_PAGES = 50
_LISTING = 64 * 1024 * 1024  # other jobs of the account may carry their results with them
_TRANSFER = 600.0
_TIDYING = 10.0


class GeminiBatcher:
    """The batch service behind an embedder of Gemini's; its key and address are the embedder's."""

    def __init__(self, embedder: GeminiEmbedder) -> None:
        self._embedder = embedder

    @property
    def space(self) -> SpaceKey:
        """The space that its vectors belong to."""
        return self._embedder.space

    def submit(self, job: str, texts: Sequence[tuple[str, str]]) -> str:
        """Upload the texts and make a job of them."""
        source = self._upload(f"holdfast-{job}", encode_lines(self._lines(texts)))
        body = {"batch": {"displayName": f"holdfast-{job}", "inputConfig": {"fileName": source}}}
        url = self._url(f"models/{quote(self._embedder.model, safe='')}:asyncBatchEmbedContent")
        try:
            return self._name_in(self._embedder.send("POST", url, json=body, repeatable=False), _JOB, "batch job")
        except ProviderRefused:  # nothing was made of the file, and it holds the owner's notes
            self._delete(source)
            raise

    def find(self, job: str) -> str | None:
        """Look through the jobs of the account for the one with our name."""
        token = ""
        for _ in range(_PAGES):
            page = self._embedder.send("GET", self._url("batches", f"pageSize={_PAGE}{token}"), limit=_LISTING)
            jobs = None
            if isinstance(page, dict):
                jobs = page.get("operations", [])
            if not isinstance(jobs, list) or not all(isinstance(listed, dict) for listed in jobs):
                raise BadAnswer(self._embedder.provider, "the list of batch jobs has no 'operations'")
            for listed in jobs:
                if _metadata(listed).get("displayName") == f"holdfast-{job}":
                    return self._name_in(listed, _JOB, "batch job")
            following = page.get("nextPageToken")
            if not isinstance(following, str) or not following:
                return None
            token = f"&pageToken={quote(following, safe='')}"
        return None

    def look(self, remote: str) -> BatchStatus:
        """Return what the operation says of itself."""
        operation = self._operation(remote)
        metadata, failure = _metadata(operation), operation.get("error")
        state = _ENDED.get(_state(metadata), BatchState.RUNNING)
        if state is BatchState.RUNNING and operation.get("done") is True:
            if failure:
                state = BatchState.FAILED
            else:
                state = BatchState.DONE
        if state is BatchState.DONE and not _output(operation) and operation.get("done") is not True:
            state = BatchState.RUNNING  # it is still writing down what it has
        good, bad, total = _counts(metadata)
        because = ""
        if state is BatchState.DONE and bad:
            because = f"{bad} rows failed"
        elif state is BatchState.FAILED:
            because = f"the job has ended as {_state(metadata).lower() or 'failed'}"
            if isinstance(failure, dict) and failure.get("message"):
                because += f": {failure['message']}"
        return BatchStatus(state, good + bad, total, self._embedder.redact(because))

    def collect(self, remote: str) -> dict[str, bytes]:
        """Return the vectors of its result file."""
        try:
            operation = self._operation(remote)
            file = _output(operation).get("responsesFile")
            if not isinstance(file, str) or not _FILE.fullmatch(file):
                return {}
            url = self._service_url("download", f"{file}:download", "alt=media")

            def download() -> bytes:
                return self._embedder.fetch("GET", url, limit=MOST_BYTES, seconds=_TRANSFER).body

            return gather(self._embedder, download, _answer, _counts(_metadata(operation))[0])
        except ProviderRefused as error:
            if is_gone(error):
                return {}
            raise

    def forget(self, remote: str) -> None:
        """Delete its files, and the job itself."""
        with suppress(ProviderFailed):
            operation = self._operation(remote)
            config = _metadata(operation).get("inputConfig")
            for file in (
                config.get("fileName") if isinstance(config, dict) else "",
                _output(operation).get("responsesFile"),
            ):
                if isinstance(file, str) and _FILE.fullmatch(file):
                    self._delete(file)
            self._delete(remote)

    def _lines(self, texts: Sequence[tuple[str, str]]) -> Iterator[dict[str, Any]]:
        for row, text in outbound_rows(self._embedder, texts):
            yield {"key": row, "request": self._embedder.request(text, Purpose.DOCUMENT)}

    def _upload(self, name: str, content: bytes) -> str:
        self._embedder.question([], Purpose.DOCUMENT)  # says so where there is no key, before any text is sent
        start = self._embedder.fetch(
            "POST",
            self._service_url("upload", "files"),
            json={"file": {"displayName": name}},
            headers={
                "X-Goog-Upload-Protocol": "resumable",
                "X-Goog-Upload-Command": "start",
                "X-Goog-Upload-Header-Content-Length": str(len(content)),
                "X-Goog-Upload-Header-Content-Type": "application/jsonl",
            },
        )
        place = start.headers.get("x-goog-upload-url", "")
        if _origin(place) != _origin(self._embedder.url):  # the key and the notes go nowhere but where the owner said
            raise ProviderRefused(self._embedder.provider, "it names no place of its own to upload the texts to")
        answer = self._embedder.send(
            "POST",
            place,
            content=content,
            headers={"X-Goog-Upload-Offset": "0", "X-Goog-Upload-Command": "upload, finalize"},
            repeatable=False,
            seconds=_TRANSFER,
        )
        return self._name_in(answer.get("file") if isinstance(answer, dict) else None, _FILE, "file")

    def _operation(self, remote: str) -> dict[str, Any]:
        operation = self._embedder.send("GET", self._url(remote), limit=MOST_BYTES)
        if not isinstance(operation, dict) or not isinstance(operation.get("metadata"), dict):
            raise BadAnswer(self._embedder.provider, "the answer is no batch job: it has no 'metadata'")
        return operation

    def _delete(self, name: str) -> None:
        with suppress(ProviderFailed):
            self._embedder.fetch("DELETE", self._url(name), seconds=_TIDYING)

    def _url(self, path: str, query: str = "") -> str:
        base, _, given = self._embedder.url.partition("?")
        asked = "&".join(part for part in (given, query) if part)
        return f"{base}/{path}" + (f"?{asked}" if asked else "")

    def _service_url(self, service: str, path: str, query: str = "") -> str:
        """Return the address of an upload or download, whose place is named first: `/upload/v1beta/files`."""
        base, slash, version = self._embedder.url.partition("?")[0].rpartition("/")
        return self._url(path, query).replace(f"{base}{slash}{version}/", f"{base}/{service}/{version}/", 1)

    def _name_in(self, answer: Any, pattern: re.Pattern[str], what: str) -> str:
        found = None
        if isinstance(answer, dict):
            found = answer.get("name")
        if not isinstance(found, str) or not pattern.fullmatch(found):
            raise BadAnswer(self._embedder.provider, f"the answer names no {what}")
        return found


def _answer(line: dict[str, Any]) -> tuple[Any, Any] | None:
    response = line.get("response")
    if not isinstance(response, dict) or "embedding" not in response:
        return None
    return line.get("key"), {"embeddings": [response["embedding"]]}


def _metadata(operation: dict[str, Any]) -> dict[str, Any]:
    found = operation.get("metadata")
    if isinstance(found, dict):
        return found
    return {}


def _output(operation: dict[str, Any]) -> dict[str, Any]:
    for found in (operation.get("response"), _metadata(operation).get("output")):
        if isinstance(found, dict) and "responsesFile" in found:
            return found
    return {}


def _state(metadata: dict[str, Any]) -> str:
    """Return the state without its prefix: the reference says BATCH_STATE_, the guide JOB_STATE_."""
    return str(metadata.get("state", "")).rpartition("_STATE_")[2]


def _counts(metadata: dict[str, Any]) -> tuple[int, int, int]:
    """Return how many rows succeeded, failed and are there; 64-bit numbers are texts in Google's JSON."""
    stats = metadata.get("batchStats")
    if isinstance(stats, dict):
        found = stats
    else:
        found = {}
    texts = (str(found.get(name, "")) for name in ("successfulRequestCount", "failedRequestCount", "requestCount"))
    good, bad, total = (int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0 for text in texts)
    return good, bad, total


def _origin(url: str) -> tuple[str, str, int | None] | None:
    try:
        parts = urlsplit(url)
        if not parts.hostname:
            return None
        return (parts.scheme, parts.hostname or "", parts.port)
    except ValueError:
        return None
