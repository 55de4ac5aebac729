"""OpenAI's Batch API: a file of requests is uploaded, a batch is made of it, and a file of answers comes back.

As its reference says: at most 50,000 inputs and 200 MB a file; a batch that expires or is cancelled keeps what it had
finished in its output file; the lines of that file are in no particular order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import quote

from holdfast.embeddings.batch.batch_contract import BatchState, BatchStatus
from holdfast.embeddings.batch.batch_results import MOST_BYTES, encode_lines, gather, is_gone
from holdfast.embeddings.batch.batch_texts import outbound_rows
from holdfast.embeddings.embedder import Purpose, SpaceKey
from holdfast.embeddings.remote.openai_embedder import OpenAIEmbedder
from holdfast.errors import BadAnswer, ProviderFailed, ProviderRefused
from holdfast.remote.attempt import Upload

__all__ = ["OpenAIBatcher"]

_NAME = "holdfast_job"  # the key of a batch's metadata that holds our name for it
_ENDED = {"completed": BatchState.DONE} | dict.fromkeys(("failed", "expired", "cancelled"), BatchState.FAILED)
_PAGE = 100  # the most that one listing gives
_PAGES = 50
_TRANSFER = 600.0  # seconds for a file of many megabytes
_TIDYING = 10.0


class OpenAIBatcher:
    """The batch service behind an embedder of OpenAI's; its key and address are the embedder's."""

    def __init__(self, embedder: OpenAIEmbedder) -> None:
        self._embedder = embedder

    @property
    def space(self) -> SpaceKey:
        """The space that its vectors belong to."""
        return self._embedder.space

    def submit(self, job: str, texts: Sequence[tuple[str, str]]) -> str:
        """Upload the texts and make a batch of them."""
        file = Upload(f"holdfast-{job}.jsonl", encode_lines(self._lines(texts)), fields={"purpose": "batch"})
        uploaded = self._embedder.send("POST", self._url("files"), upload=file, repeatable=False, seconds=_TRANSFER)
        source = self._id_in(uploaded, "file")
        body = {
            "input_file_id": source,
            "endpoint": "/v1/embeddings",
            "completion_window": "24h",
            "metadata": {_NAME: job},
        }
        try:
            return self._id_in(self._embedder.send("POST", self._url("batches"), json=body, repeatable=False), "batch")
        except ProviderRefused:  # nothing was made of the file, and it holds the owner's notes
            self._delete(source)
            raise

    def find(self, job: str) -> str | None:
        """Look through the batches of the account, newest first, for the one with our name."""
        after = ""
        for _ in range(_PAGES):
            page = self._embedder.send("GET", self._url("batches", f"limit={_PAGE}{after}"))
            batches = None
            if isinstance(page, dict):
                batches = page.get("data")
            if not isinstance(batches, list) or not all(isinstance(batch, dict) for batch in batches):
                raise BadAnswer(self._embedder.provider, "the list of batches has no 'data'")
            for batch in batches:
                metadata = batch.get("metadata")
                if isinstance(metadata, dict) and metadata.get(_NAME) == job:
                    return self._id_in(batch, "batch")
            if not batches or page.get("has_more") is not True:
                return None
            after = f"&after={quote(self._id_in(batches[-1], 'batch'), safe='')}"
        return None  # behind thousands of newer ones: it is not one that was just sent

    def look(self, remote: str) -> BatchStatus:
        """Return what the batch says of itself."""
        batch = self._batch(remote)
        counts = _counts(batch)
        status = batch.get("status")
        if isinstance(status, str):
            state = _ENDED.get(status, BatchState.RUNNING)
        else:
            state = BatchState.RUNNING
        because = ""
        if state is not BatchState.RUNNING:
            because = self._embedder.redact(_complaint(batch))
        return BatchStatus(state, counts["completed"] + counts["failed"], counts["total"], because)

    def collect(self, remote: str) -> dict[str, bytes]:
        """Return the vectors of its output file."""
        try:
            batch = self._batch(remote)
            output = batch.get("output_file_id")
            if not isinstance(output, str) or not output:
                return {}
            url = self._url(f"files/{quote(output, safe='')}/content")

            def download() -> bytes:
                return self._embedder.fetch("GET", url, limit=MOST_BYTES, seconds=_TRANSFER).body

            return gather(self._embedder, download, _answer, _counts(batch)["completed"])
        except ProviderRefused as error:
            if is_gone(error):
                return {}
            raise

    def forget(self, remote: str) -> None:
        """Delete its files; the batch itself can't be deleted, and holds no text."""
        with suppress(ProviderFailed):
            batch = self._batch(remote)
            for name in ("input_file_id", "output_file_id", "error_file_id"):
                if isinstance(batch.get(name), str) and batch[name]:
                    self._delete(batch[name])

    def _lines(self, texts: Sequence[tuple[str, str]]) -> Iterator[dict[str, Any]]:
        for row, text in outbound_rows(self._embedder, texts):
            _, body = self._embedder.question([text], Purpose.DOCUMENT)
            yield {"custom_id": row, "method": "POST", "url": "/v1/embeddings", "body": body}

    def _batch(self, remote: str) -> dict[str, Any]:
        batch = self._embedder.send("GET", self._url(f"batches/{quote(remote, safe='')}"))
        if not isinstance(batch, dict) or not isinstance(batch.get("status"), str):
            raise BadAnswer(self._embedder.provider, "the answer is no batch: it has no 'status'")
        return batch

    def _delete(self, file: str) -> None:
        with suppress(ProviderFailed):
            self._embedder.fetch("DELETE", self._url(f"files/{quote(file, safe='')}"), seconds=_TIDYING)

    def _url(self, path: str, query: str = "") -> str:
        base, _, given = self._embedder.url.partition("?")
        asked = "&".join(part for part in (given, query) if part)
        return f"{base.removesuffix('/embeddings')}/{path}" + (f"?{asked}" if asked else "")

    def _id_in(self, answer: Any, what: str) -> str:
        found = None
        if isinstance(answer, dict):
            found = answer.get("id")
        if not isinstance(found, str) or not found:
            raise BadAnswer(self._embedder.provider, f"the answer names no {what}")
        return found


def _answer(line: dict[str, Any]) -> tuple[Any, Any] | None:
    response = line.get("response")
    if not isinstance(response, dict) or response.get("status_code") != 200:
        return None
    return line.get("custom_id"), response.get("body")


def _counts(batch: dict[str, Any]) -> dict[str, int]:
    given = batch.get("request_counts")
    if isinstance(given, dict):
        found = given
    else:
        found = {}
    names = ("completed", "failed", "total")
    return {name: found[name] if type(found.get(name)) is int else 0 for name in names}


def _complaint(batch: dict[str, Any]) -> str:
    counts, status = _counts(batch), batch["status"]
    errors = batch.get("errors")
    listed = None
    if isinstance(errors, dict):
        listed = errors.get("data")
    if isinstance(listed, list):
        messages = [error.get("message") for error in listed if isinstance(error, dict)]
    else:
        messages = []
    message = next((text for text in messages if isinstance(text, str) and text), "")
    if status == "completed":
        if not counts["failed"]:
            return ""
        return f"{counts['failed']} rows failed"
    if status == "cancelled":
        verb = "was"
    else:
        verb = "has"
    return f"the job {verb} {status}" + (f": {message}" if message else "")
