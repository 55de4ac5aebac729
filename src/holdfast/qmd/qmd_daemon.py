"""A QMD that runs as a server on this machine: one request a search, and no process."""

from __future__ import annotations

from typing import Any

from holdfast.errors import BadAnswer, ProviderFailed
from holdfast.qmd.qmd_wire import Place, read_hits
from holdfast.remote.provider_calls import Caller
from holdfast.remote.retry_policy import Policy

__all__ = ["Daemon"]

_MOST = 8 * 1024 * 1024  # bytes
_REMEDY = (
    "Start it with `qmd mcp --http`, or mend memory.qmd.command; where that is no address the program itself is run. "
    "Until then the builtin search answers."
)


class Daemon:
    """Asks the server at one address; its connection is kept for the next search."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self._caller = Caller("qmd", policy=Policy(connect=1.0, attempts=1, body=_MOST))

    def ask(self, text: str, limit: int, collections: list[str], seconds: float, *, by_models: bool) -> list[Place]:
        """The hits for a question; without models by its words alone, which need none."""
        searches = [{"type": "lex", "query": text}]
        if by_models:
            searches.append({"type": "vec", "query": text})
        body = {"searches": searches, "limit": limit, "collections": collections, "rerank": by_models}
        answer = self._send("POST", "/query", seconds, body)
        if not isinstance(answer, dict) or "results" not in answer:
            raise BadAnswer("qmd", "its answer holds no results")
        return read_hits(answer["results"], quoted=True)

    def check(self, seconds: float) -> None:
        """Raise ProviderFailed where no QMD answers."""
        try:
            answer = self._send("GET", "/health", seconds)
        except ProviderFailed as failure:
            raise ProviderFailed("qmd", failure.why, _REMEDY) from failure
        if not isinstance(answer, dict) or answer.get("status") != "ok":
            raise BadAnswer("qmd", f"what listens at {self.url} is no QMD", _REMEDY)

    def close(self) -> None:
        """Close the connection."""
        self._caller.close()

    def _send(self, method: str, path: str, seconds: float, body: Any = None) -> Any:
        deadline = self._caller.deadline(seconds)
        return self._caller.send(method, f"{self.url}{path}", json=body, deadline=deadline)
