"""Gemini's embeddings through Google's own API, which tells questions from documents."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from holdfast.embeddings.embedder import Embedded, Purpose
from holdfast.embeddings.remote.endpoint import plain_endpoint
from holdfast.embeddings.remote.remote_embedder import Batch, Reading, RemoteEmbedder, RemoteOptions
from holdfast.embeddings.remote.vector_rows import rows_of
from holdfast.errors import BadAnswer

__all__ = ["MOST_IMAGES", "TASKS", "GeminiEmbedder"]

MOST_IMAGES = 6  # in one request
_MODEL = "gemini-embedding-001"
_DEFAULTS = RemoteOptions()
_GEMINI = "https://generativelanguage.googleapis.com/v1beta"
TASKS = {Purpose.DOCUMENT: "RETRIEVAL_DOCUMENT", Purpose.QUERY: "RETRIEVAL_QUERY"}


class GeminiEmbedder(RemoteEmbedder):
    """`gemini`; the key travels in a header, never in the address."""

    batch = Batch(texts=100, characters=100_000)  # the service takes 100 texts

    def __init__(self, model: str = "", options: RemoteOptions = _DEFAULTS) -> None:
        endpoint = plain_endpoint("gemini", options.base_url or _GEMINI, secret=options.is_secret)
        if endpoint.url.count("/") == 2:  # a host alone
            endpoint = plain_endpoint("gemini", f"{endpoint.url}/v1beta", secret=options.is_secret)
        headers = dict(options.headers)
        if options.api_key:
            headers.setdefault("x-goog-api-key", options.api_key.strip())
        if endpoint.name == _GEMINI and not options.is_secret:
            self.lacks = "there is no key; set GEMINI_API_KEY or memory.api_key"
        super().__init__("gemini", (model or _MODEL).removeprefix("models/"), endpoint, options, headers)

    def question(self, texts: Sequence[str], purpose: Purpose) -> tuple[str, dict[str, Any]]:
        """Return the body of `:batchEmbedContents`."""
        self.complete()
        requests = [self.request(text, purpose) for text in texts]
        base, mark, query = self.url.partition("?")
        return f"{base}/models/{quote(self.model, safe='')}:batchEmbedContents{mark}{query}", {"requests": requests}

    def request(self, text: str, purpose: Purpose) -> dict[str, Any]:
        """Return an EmbedContentRequest; a batch job is made of the same."""
        body: dict[str, Any] = {"model": f"models/{self.model}", "content": {"parts": [{"text": text}]}}
        if not self.known.prompts.query:  # a model that is told its task in the text takes no task type
            body["taskType"] = TASKS[purpose]
        if self.asked_dimensions is not None:
            body["outputDimensionality"] = self.asked_dimensions
        return body

    @property
    def sees(self) -> bool:
        """True if the model takes images too, and puts them where their description would stand."""
        return self.model.startswith("gemini-embedding-2")

    def embed_images(self, images: Sequence[tuple[str, bytes]]) -> list[bytes]:
        """Return the packed vectors of some images, at most `MOST_IMAGES`.

        Each is given as what it is (`image/png`) and its bytes.
        """
        from holdfast.embeddings.vector_check import pack_vectors

        self.complete()
        requests = []
        for kind, data in images:
            shown = {"inlineData": {"mimeType": kind, "data": b64encode(data).decode("ascii")}}
            body: dict[str, Any] = {"model": f"models/{self.model}", "content": {"parts": [shown]}}
            if self.asked_dimensions is not None:
                body["outputDimensionality"] = self.asked_dimensions
            requests.append(body)
        base, mark, query = self.url.partition("?")
        url = f"{base}/models/{quote(self.model, safe='')}:batchEmbedContents{mark}{query}"
        found = self.read_answer(self.send("POST", url, json={"requests": requests}), len(images))
        return pack_vectors(Embedded(self.space, found.rows), len(images), self.space)

    def read_answer(self, answer: Any, count: int) -> Reading:  # noqa: ARG002 - its rows have no numbers; order is all
        """Return the rows as they come; the answer does not name its model."""
        found = None
        if isinstance(answer, dict):
            found = answer.get("embeddings")
        if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
            raise BadAnswer(self.provider, "the answer has no list 'embeddings'")
        return Reading(rows_of(self.provider, [item.get("values") for item in found]), None)
