"""What the tests of this folder share: a home with notes, a memory that asks the test server, and what it stored."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import provider_openai
import pytest
from provider_server import ProviderServer
from provider_vectors import vector

from holdfast import Memory
from holdfast.embeddings.embedder import SpaceKey
from holdfast.embeddings.provider_link import Link
from holdfast.index.sqlite.quantization import ByteVectors
from holdfast.remote.breaker import Breaker

__all__ = [
    "AFAR",
    "MODEL",
    "Clock",
    "Stored",
    "afar",
    "asking",
    "chain",
    "first",
    "keys_shown",
    "notes",
    "opened",
    "stored",
    "texts_sent",
    "timed",
    "wrong",
]

MODEL = "text-embedding-3-small"
AFAR = "http://embeddings.internal/v1"  # a name that nobody is asked for: the proxy of the environment takes it


class Stored(NamedTuple):
    """One vector of the index: its space, the text it was made from, and its numbers."""

    space: SpaceKey
    text: str
    numbers: list[float]


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


def notes(home: Path, count: int, what: str = "heron") -> list[str]:
    """Notes of one chunk each; gives their texts."""
    (home / "memory").mkdir(parents=True, exist_ok=True)
    texts = [f"The {what} number{number} nests in the alder of day{number}." for number in range(count)]
    for number, text in enumerate(texts):
        (home / "memory" / f"{what}{number}.md").write_text(f"{text}\n", encoding="utf-8")
    return texts


def asking(server: ProviderServer, **more: Any) -> dict[str, Any]:
    """Settings for OpenAI's API at the test server, with short vectors and nobody to fall back on.

    `model="tiny"` is short for `memory.model`, and `remote__ask_above=3` for `memory.remote.ask_above`.
    """
    given: dict[str, Any] = {
        "provider": "openai",
        "base_url": server.url,
        "api_key": server.key,
        "dimensions": 8,
        "fallback": ["none"],
    }
    return {f"memory.{name.replace('__', '.')}": value for name, value in (given | more).items()}


def opened(home: Path, server: ProviderServer, **more: Any) -> Memory:
    """A memory that asks the test server."""
    return Memory.open(home, settings=asking(server, **more))


def chain(memory: Memory) -> tuple[Link, ...]:
    """The providers of a memory, in the order in which they are asked."""
    assert memory.ctx.chain is not None
    return memory.ctx.chain.links


def first(memory: Memory) -> Link:
    """The provider that the settings chose."""
    return chain(memory)[0]


def timed(memory: Memory, place: int = 0) -> Clock:
    """Let a provider's breaker rest by a clock of the test."""
    clock = Clock()
    chain(memory)[place].breaker = Breaker(clock)
    return clock


def stored(memory: Memory) -> list[Stored]:
    """Every vector of the index that a chunk points to."""
    database = memory.ctx.database
    edition = database.serving()
    if edition is None:
        return []
    rows = database.connection.all(
        "SELECT s.provider, s.model, s.endpoint, s.dimensions, c.text, v.vector FROM vectors v "
        f"JOIN spaces s ON s.id = v.space JOIN e{edition.number}_chunks c ON c.text_hash = v.hash "
        "WHERE s.provider != ''"
    )
    return [Stored(SpaceKey(*row[:4]), row[4], ByteVectors.of([row[5]], row[3]).floats()[0].tolist()) for row in rows]


def wrong(memory: Memory, prompt: str = "", task: str = "") -> list[Stored]:
    """The vectors of remote spaces that are not the ones that the server has for their text."""
    found = []
    for one in stored(memory):
        if one.space.provider != "local":
            right = vector(one.space.model, prompt + one.text, task, one.space.dimensions)
            if len(one.numbers) != len(right) or not np.allclose(one.numbers, right, atol=0.01):
                found.append(one)
    return found


def texts_sent(server: ProviderServer) -> list[str]:
    """The texts of every embedding request so far, in OpenAI's or Ollama's form."""
    return [text for seen in server.requests if seen.method == "POST" for text in seen.json["input"]]


def keys_shown(server: ProviderServer, memory: Memory, *outputs: object) -> list[str]:
    """Where the key can be read: in what is given, in the status of the memory, or in how its parts show themselves."""
    links = chain(memory)
    shown = [
        *(json.dumps(one.to_json()) if hasattr(one, "to_json") else str(one) for one in outputs),
        json.dumps(memory.status().to_json()),
        repr(memory),
        repr(memory.ctx.chain),
        *(repr(part) for link in links for part in (link, link.breaker, link.trouble, _embedder(link))),
    ]
    return [text for text in shown if server.key in text or server.key[:12] in text]


def _embedder(link: Link) -> object:
    return getattr(link, "_made", None)


@pytest.fixture
def afar(provider: ProviderServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[ProviderServer]:
    """The test server as a machine far away: its address is `AFAR`, and a proxy leads there."""
    provider.add([("POST", rf"{AFAR}/embeddings", provider_openai.embeddings)])
    monkeypatch.setenv("HTTP_PROXY", provider.url)
    for name in ("http_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    yield provider
