"""Every remote provider from a note to a hit: the wire it speaks, and what a search says of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from commandline import done
from provider_server import ProviderServer
from providers.scenes import MODEL, asking, notes, stored, wrong

from holdfast import Memory


class Way(NamedTuple):
    """One provider as the settings name it, and what it does with a text."""

    name: str
    settings: dict[str, Any]
    model: str
    dimensions: int
    path: str
    address: str = "{url}"
    prompt: str = ""
    task: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.address}"


_GEMINI = "gemini-embedding-001"
WAYS = [
    Way("openai", {}, MODEL, 1536, "/v1/embeddings"),
    Way(
        "openai", {"model": "text-embedding-3-large", "dimensions": 64}, "text-embedding-3-large", 64, "/v1/embeddings"
    ),
    Way("custom", {"model": "tiny"}, "tiny", 8, "/v1/embeddings"),
    Way("custom", {"model": "tiny"}, "tiny", 8, "/v1/embeddings", "{url}/v1/"),
    Way("custom", {"model": "tiny"}, "tiny", 8, "/v1/embeddings", "{url}/v1/embeddings"),
    Way("ollama", {}, "nomic-embed-text", 768, "/api/embed", prompt="search_document: "),
    Way("ollama", {"model": "tiny:latest"}, "tiny", 8, "/api/embed", "{host}"),
    Way("gemini", {}, _GEMINI, 3072, f"/v1beta/models/{_GEMINI}:batchEmbedContents", task="RETRIEVAL_DOCUMENT"),
    Way(
        "gemini",
        {"dimensions": 32},
        _GEMINI,
        32,
        f"/v1beta/models/{_GEMINI}:batchEmbedContents",
        "{url}/v1beta",
        task="RETRIEVAL_DOCUMENT",
    ),
]


def _settings(way: Way, provider: ProviderServer) -> dict[str, Any]:
    address = way.address.format(url=provider.url, host=provider.url.removeprefix("http://"))
    return asking(provider, **{"dimensions": None, "provider": way.name, "base_url": address, **way.settings})


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_notes_become_vectors_of_the_provider_and_answer_a_search(
    way: Way, home: Path, provider: ProviderServer
) -> None:
    texts = notes(home, 3)
    with Memory.open(home, settings=_settings(way, provider)) as memory:
        synced = memory.sync()
        assert (synced.embedded, synced.pending, synced.because) == (3, 0, "")
        assert sorted(one.text for one in stored(memory)) == sorted(texts)
        assert {one.space.dimensions for one in stored(memory)} == {way.dimensions}
        assert wrong(memory, way.prompt, way.task) == []
        found = memory.search("where does heron number2 nest?")
        assert (found.mode, found.because, found.provider, found.model) == ("hybrid", "", way.name, way.model)
        assert found.results[0].path == "memory/heron2.md"
        assert all(hit.vector_score is not None for hit in found.results)
        status = memory.status()
        assert (status.mode, status.because, status.provider, status.model) == ("hybrid", "", way.name, way.model)
    assert {seen.path for seen in provider.requests} == {way.path}


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_question_and_a_note_differ_on_the_wire_where_the_provider_tells_them_apart(
    way: Way, home: Path, provider: ProviderServer
) -> None:
    (text,) = notes(home, 1)
    with Memory.open(home, settings=_settings(way, provider)) as memory:
        memory.sync()
        provider.requests.clear()
        memory.search(text)
    (seen,) = provider.requests
    if way.name == "gemini":
        (request,) = seen.json["requests"]
        assert request["taskType"] == "RETRIEVAL_QUERY"
        assert request["content"] == {"parts": [{"text": text}]}
        assert request.get("outputDimensionality") == way.settings.get("dimensions")
    else:
        assert seen.json["input"] == [f"search_query: {text}" if way.prompt else text]
    # the same words as a note were paid for as a note; only where the two differ is the question a text of its own
    assert provider.texts_paid >= 2


@pytest.mark.parametrize("way", [WAYS[0], WAYS[2], WAYS[5], WAYS[7]], ids=str)
def test_the_commands_index_search_and_status_name_the_provider(
    way: Way, home: Path, provider: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes(home, 2)
    for name, value in _settings(way, provider).items():
        if value is not None:
            text = value if isinstance(value, str) else ":".join(value) if isinstance(value, list) else str(value)
            monkeypatch.setenv("HOLDFAST_" + name.upper().replace(".", "_"), text)
    assert done("index", "--json").json["embedded"] == 2
    found = done("search", "number1", "--json").json
    assert (found["mode"], found["provider"], found["model"]) == ("hybrid", way.name, way.model)
    deep = done("status", "--deep", "--json").json
    assert (deep["provider"], deep["providers"][0]["answers"], deep["problems"]) == (way.name, True, [])
    shown = done("status").out
    assert f"{way.name} / {way.model}, because memory.provider is {way.name}" in shown
    assert "nothing: no text leaves this machine" in shown, "the test server is on this machine"
    assert provider.key not in json.dumps(deep) + shown
