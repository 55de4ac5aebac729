"""The remote embedders against a server that behaves: the vectors, the requests, the batches."""

from __future__ import annotations

import math

import pytest
from provider_faults import BROKEN_MODEL, SWAPPED
from provider_kinds import CUSTOM, GEMINI, KINDS, OLLAMA, OPENAI, Kind
from provider_server import ProviderServer

from holdfast.embeddings.embedder import Embedded, Purpose, SpaceKey
from holdfast.embeddings.embedder_contract import check_embedder
from holdfast.embeddings.remote.gemini_embedder import GeminiEmbedder
from holdfast.embeddings.remote.openai_embedder import OpenAIEmbedder
from holdfast.embeddings.remote.remote_embedder import RemoteOptions
from holdfast.errors import BadVectors, ProviderRefused, ProviderTooLarge

TEXTS = ["the cat sat on the mat", "an invoice for March", "猫が座った"]
every_kind = pytest.mark.parametrize("kind", KINDS, ids=str)


def close_to(rows: object, expected: list[list[float]]) -> bool:
    import numpy as np

    return bool(np.allclose(np.asarray(rows), np.asarray(expected), atol=1e-6))


def listed(answer: Embedded) -> list[list[float]]:
    assert all(vector is not None for vector in answer.vectors)
    return [list(vector) for vector in answer.vectors if vector is not None]


@every_kind
def test_the_contract_is_kept(kind: Kind, provider: ProviderServer) -> None:
    embedder = kind.make(provider)
    check_embedder(embedder)
    embedder.close()


@every_kind
@pytest.mark.parametrize("purpose", Purpose)
def test_vectors_are_those_of_the_provider_in_order(kind: Kind, purpose: Purpose, provider: ProviderServer) -> None:
    embedder = kind.make(provider)
    answer = embedder.embed(TEXTS, purpose)
    assert answer.space == SpaceKey(*embedder.identity, kind.dimensions) == embedder.space
    assert close_to(answer.vectors, kind.expected(TEXTS, purpose, embedder.model, kind.dimensions))
    assert len(provider.asked(kind.path)) == len(provider.requests) == 1
    assert embedder.reported == (embedder.model if kind.names_its_model else None)


@every_kind
def test_blank_texts_are_never_sent_and_have_no_vector(kind: Kind, provider: ProviderServer) -> None:
    answer = kind.make(provider).embed(["", "word", " \n\t"], Purpose.DOCUMENT)
    assert [vector is None for vector in answer.vectors] == [True, False, True]
    assert provider.texts_paid == 1
    kind.make(provider, dimensions=8).embed(["", " "], Purpose.DOCUMENT)
    assert len(provider.requests) == 1


@pytest.mark.parametrize("kind", [OPENAI, OLLAMA, GEMINI], ids=str)
def test_dimensions_are_asked_for_where_the_api_can(kind: Kind, provider: ProviderServer) -> None:
    import numpy as np

    embedder = kind.make(provider, dimensions=32)
    assert embedder.space.dimensions == 32
    assert provider.requests == []
    (row,) = embedder.embed(["word"], Purpose.DOCUMENT).vectors
    assert math.isclose(float(np.linalg.norm(np.asarray(row))), 1.0, rel_tol=1e-5)
    assert row is not None and len(row) == 32


def test_dimensions_are_not_sent_to_a_model_that_has_no_such_parameter(provider: ProviderServer) -> None:
    embedder = CUSTOM.make(provider, dimensions=8)
    embedder.embed(["word"], Purpose.DOCUMENT)
    assert "dimensions" not in provider.requests[0].json
    wrong = CUSTOM.make(provider, dimensions=16)
    with pytest.raises(BadVectors, match="shape"):
        wrong.embed(["word"], Purpose.DOCUMENT)


def test_an_unknown_model_is_asked_for_one_vector_and_remembered(provider: ProviderServer) -> None:
    embedder = CUSTOM.make(provider)
    assert embedder.identity == ("custom", "tiny", f"{provider.url}/v1")
    assert provider.requests == []
    assert [embedder.space.dimensions, embedder.space.dimensions] == [8, 8]
    assert [seen.json["input"] for seen in provider.requests] == [["ping"]]
    other = CUSTOM.make(provider)
    other.embed(["word"], Purpose.DOCUMENT)  # the first answer tells it as well
    assert other.space.dimensions == 8
    assert len(provider.requests) == 2


def test_openai_asks_for_base64_and_takes_plain_numbers_too(provider: ProviderServer) -> None:
    packed = OPENAI.make(provider).embed(TEXTS, Purpose.DOCUMENT)
    provider.knows_base64 = False
    plain = OPENAI.make(provider).embed(TEXTS, Purpose.DOCUMENT)
    assert [seen.json["encoding_format"] for seen in provider.requests] == ["base64", "base64"]
    assert listed(packed) == listed(plain)


def test_gemini_is_told_the_task_and_the_key_stands_in_a_header_only(provider: ProviderServer) -> None:
    embedder = GEMINI.make(provider, dimensions=8)
    embedder.embed(["word"], Purpose.DOCUMENT)
    embedder.embed(["word"], Purpose.QUERY)
    tasks = [seen.json["requests"][0]["taskType"] for seen in provider.requests]
    assert tasks == ["RETRIEVAL_DOCUMENT", "RETRIEVAL_QUERY"]
    for seen in provider.requests:
        assert seen.headers["x-goog-api-key"] == provider.key
        assert provider.key not in seen.path + seen.query
        assert seen.json["requests"][0]["outputDimensionality"] == 8


def test_the_second_generation_of_gemini_is_told_its_task_in_the_text(provider: ProviderServer) -> None:
    provider.models["gemini-embedding-2"] = 3072
    embedder = GEMINI.make(provider, model="models/gemini-embedding-2")
    embedder.embed(["word"], Purpose.QUERY)
    (request,) = provider.requests[0].json["requests"]
    assert request["content"]["parts"] == [{"text": "task: search result | query: word"}]
    assert "taskType" not in request


def test_an_ollama_model_is_the_same_with_and_without_latest(provider: ProviderServer) -> None:
    assert OLLAMA.make(provider, model="nomic-embed-text:latest").space == OLLAMA.make(provider).space


@every_kind
def test_many_texts_go_in_batches_that_the_api_takes(kind: Kind, provider: ProviderServer) -> None:
    embedder = kind.make(provider, dimensions=8)
    texts = [f"text {number}" for number in range(300)]
    answer = embedder.embed(texts, Purpose.DOCUMENT)
    assert len(answer.vectors) == 300
    assert len(provider.requests) == math.ceil(300 / embedder.batch.texts)
    assert provider.texts_paid == len(provider.paid) == 300


def test_long_texts_make_smaller_batches(provider: ProviderServer) -> None:
    embedder = CUSTOM.make(provider)
    embedder.embed(["x" * 30_000] * 20, Purpose.DOCUMENT)
    assert len(provider.requests) == 4


@pytest.mark.parametrize("kind", [OPENAI, CUSTOM, GEMINI], ids=str)  # Ollama has no limit on the number of texts
def test_a_batch_that_is_too_large_is_halved(kind: Kind, provider: ProviderServer) -> None:
    texts = [f"text {number}" for number in range(10)]
    embedder = kind.make(provider)
    provider.most_texts = 3
    answer = embedder.embed(texts, Purpose.DOCUMENT)
    assert close_to(answer.vectors, kind.expected(texts, Purpose.DOCUMENT, embedder.model, kind.dimensions))
    assert provider.texts_paid == 10


@every_kind
def test_one_text_that_is_too_long_is_cut_until_it_fits_and_its_neighbours_are_not(
    kind: Kind, provider: ProviderServer
) -> None:
    provider.window, provider.refuses_to_cut = 100, True
    texts = ["short", "word " * 500, "also short"]
    embedder = kind.make(provider)
    answer = embedder.embed(texts, Purpose.DOCUMENT)
    assert all(vector is not None for vector in answer.vectors)
    outer = [answer.vectors[0], answer.vectors[2]]
    assert close_to(outer, kind.expected(["short", "also short"], Purpose.DOCUMENT, embedder.model, kind.dimensions))


def test_a_text_that_never_fits_is_an_error_and_not_a_vector_of_nothing(provider: ProviderServer) -> None:
    provider.window = 10
    with pytest.raises(ProviderTooLarge, match="maximum context length"):
        CUSTOM.make(provider).embed(["word " * 500], Purpose.DOCUMENT)
    assert len(provider.requests) == 4


def test_swapped_rows_are_put_right(provider: ProviderServer) -> None:
    provider.always(SWAPPED)
    for kind in (OPENAI, CUSTOM):
        embedder = kind.make(provider)
        answer = embedder.embed(TEXTS, Purpose.DOCUMENT)
        assert close_to(answer.vectors, kind.expected(TEXTS, Purpose.DOCUMENT, embedder.model, kind.dimensions))


@pytest.mark.promise("P8")
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.names_its_model], ids=str)
def test_a_model_that_changes_in_the_middle_refuses_the_whole_answer(kind: Kind, provider: ProviderServer) -> None:
    embedder = kind.make(provider)
    texts = [f"text {number}" for number in range(embedder.batch.texts + 1)]
    provider.script(None, BROKEN_MODEL)
    with pytest.raises(BadVectors, match=r"it answered as '.*-2', and before as"):
        embedder.embed(texts, Purpose.DOCUMENT)
    assert embedder.reported == embedder.model


def test_the_first_answer_names_the_model_whatever_it_is_called(provider: ProviderServer) -> None:
    provider.script(BROKEN_MODEL, BROKEN_MODEL, None)
    embedder = CUSTOM.make(provider)
    embedder.embed(["a"], Purpose.DOCUMENT)
    embedder.embed(["a"], Purpose.DOCUMENT)
    with pytest.raises(BadVectors, match="it answered as 'tiny', and before as 'tiny-2'"):
        embedder.embed(["a"], Purpose.DOCUMENT)


def test_extra_headers_go_along_and_may_stand_for_the_key(provider: ProviderServer) -> None:
    headers = {"Authorization": f"Bearer {provider.key}", "X-Team": "memory"}
    embedder = OpenAIEmbedder("tiny", RemoteOptions(base_url=provider.url, headers=headers), provider="custom")
    embedder.embed(["word"], Purpose.DOCUMENT)
    assert provider.requests[0].headers["x-team"] == "memory"


@pytest.mark.parametrize("kind", [OPENAI, GEMINI], ids=str)
def test_without_a_key_nothing_is_sent_to_the_real_service(kind: Kind, provider: ProviderServer) -> None:
    embedder = kind.make(provider, base_url="", api_key=None)
    assert embedder.space.dimensions == kind.dimensions
    with pytest.raises(ProviderRefused, match=r"there is no key; set (OPENAI|GEMINI)_API_KEY"):
        embedder.embed(["word"], Purpose.DOCUMENT)


def test_a_custom_provider_needs_an_address() -> None:
    with pytest.raises(ProviderRefused, match=r"memory\.base_url is not set"):
        OpenAIEmbedder("tiny", provider="custom")


def test_the_real_services_have_their_own_addresses() -> None:
    options = RemoteOptions(api_key="k")
    assert OpenAIEmbedder(options=options).identity[2] == "https://api.openai.com/v1"
    assert GeminiEmbedder(options=options).identity[2] == "https://generativelanguage.googleapis.com/v1beta"


@every_kind
@pytest.mark.promise("P12")
def test_repr_shows_provider_model_and_place_and_never_the_key(kind: Kind, provider: ProviderServer) -> None:
    embedder = kind.make(provider, base_url=provider.url.replace("://", "://me:hunter2@"))
    shown = repr(embedder) + str(embedder.identity) + repr(embedder._caller)
    assert f"provider='{kind.name}'" in shown and embedder.model in shown
    assert provider.url in shown
    assert provider.key not in shown and "hunter2" not in shown


def test_the_official_client_gets_the_same_vectors(provider: ProviderServer) -> None:
    openai = pytest.importorskip("openai")
    ours = listed(OPENAI.make(provider, dimensions=64).embed(TEXTS, Purpose.DOCUMENT))
    with openai.OpenAI(api_key=provider.key, base_url=f"{provider.url}/v1", max_retries=0) as client:
        for more in ({}, {"encoding_format": "float"}, {"encoding_format": "base64"}):
            found = client.embeddings.create(model="text-embedding-3-small", input=TEXTS, dimensions=64, **more)
            rows = [item.embedding for item in found.data]
            if isinstance(rows[0], str):
                continue  # asked for by name, the client hands base64 on as it is
            assert close_to(rows, ours)
            assert found.usage.prompt_tokens > 0
        with pytest.raises(openai.NotFoundError, match="does not exist"):
            client.embeddings.create(model="nothing", input="x")
        with pytest.raises(openai.AuthenticationError, match="Incorrect API key"):
            client.with_options(api_key="wrong").embeddings.create(model="tiny", input="x")
