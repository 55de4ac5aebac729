"""Each batch service, made for the test server, with the embedder that goes with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from provider_any_batch import BatchService
from provider_gemini_batch import GeminiBatches
from provider_kinds import GEMINI, OPENAI, Kind
from provider_openai_batch import OpenAIBatches
from provider_server import ProviderServer

from holdfast.embeddings.batch.batch_contract import Batcher
from holdfast.embeddings.batch.batch_service import batcher_for
from holdfast.embeddings.embedder import Purpose
from holdfast.embeddings.remote.remote_embedder import RemoteEmbedder
from holdfast.remote.provider_calls import Caller
from holdfast.remote.retry_policy import Policy

__all__ = ["BATCH_KINDS", "BatchKind"]


class BatchKind(NamedTuple):
    """A provider with a batch service; `upload` and `create` match the paths of those two requests."""

    kind: Kind
    serve: Callable[[ProviderServer], BatchService]
    upload: str
    create: str
    look: str
    content: str

    def __str__(self) -> str:
        return self.kind.name

    def embedder(self, server: ProviderServer, **more: Any) -> RemoteEmbedder:
        """An embedder of a small model that waits for nothing between its attempts."""
        caller = Caller(self.kind.name, policy=Policy(total=20.0), sleep=lambda _: None)
        return self.kind.make(server, caller, **{"model": "tiny", "dimensions": 8, **more})

    def batcher(self, server: ProviderServer, **more: Any) -> Batcher:
        """The batch service as our code sees it."""
        found = batcher_for(self.embedder(server, **more))
        assert found is not None
        return found

    def expected(self, texts: Sequence[str]) -> list[list[float]]:
        """The vectors that the server gives for these texts."""
        return self.kind.expected(texts, Purpose.DOCUMENT, "tiny", 8)


BATCH_KINDS = [
    BatchKind(OPENAI, OpenAIBatches, r"/v1/files", r"/v1/batches", r"/v1/batches/.+", r"/v1/files/.+/content"),
    BatchKind(
        GEMINI,
        GeminiBatches,
        r"/upload/v1beta/files",
        r"/v1beta/models/tiny:asyncBatchEmbedContent",
        r"/v1beta/batches/.+",
        r"/download/.+",
    ),
]
