"""One request to the test server and the answer to it, as an API's own file sees them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import provider_faults as faults
from provider_vectors import vector

if TYPE_CHECKING:
    from provider_server import ProviderServer

__all__ = ["Ask", "Reply", "Route", "Seen"]


class Seen(NamedTuple):
    """What a client sent; header names are in lower case."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


class Reply(NamedTuple):
    """What goes back: bytes as they are, anything else as JSON."""

    body: Any
    status: int = 200
    headers: Mapping[str, str] = {}
    media_type: str = "application/json"
    pieces: Sequence[bytes] | None = None
    """For a stream: each goes out by itself, in this order, instead of the body."""

    def encoded(self) -> bytes:
        """The bytes of the body."""
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


class Ask(NamedTuple):
    """What a route is called with: the request, the groups of its path, and the fault that is due, if any."""

    server: ProviderServer
    seen: Seen
    groups: Sequence[str]
    fault: faults.Fault | None

    @property
    def json(self) -> Any:
        """The request's body as JSON."""
        return self.seen.json

    def vectors(self, model: str, texts: Sequence[str], task: str, dimensions: int) -> list[Any]:
        """One vector for each text, spoilt as the fault says; also counts the texts as paid."""
        self.server.pay(texts)
        rows: list[Any] = [vector(model, text, task, dimensions) for text in texts]
        match self.fault:
            case faults.WRONG_COUNT:
                rows = rows[:-1] if len(rows) > 1 else [*rows, rows[0]]
            case faults.WRONG_DIMENSIONS:
                rows[-1] = rows[-1][:-1]
            case faults.NAN:
                rows[-1][0] = float("nan")
            case faults.INFINITY:
                rows[-1][0] = float("inf")
            case faults.ZERO:
                rows[-1] = [0.0] * dimensions
            case faults.WRONG_SHAPE:
                rows[-1] = ["not", "a", "number"]
        return rows

    def model(self, name: str) -> str:
        """The name that the answer reports."""
        return f"{name}-2" if self.fault == faults.BROKEN_MODEL else name


Route = Callable[[Ask], Reply]
