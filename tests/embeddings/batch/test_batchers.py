"""The batch services of OpenAI and Gemini: what is sent, what comes back, what is left out and what is left behind."""

from __future__ import annotations

import json

import numpy as np
import provider_faults as faults
import pytest
from provider_any_batch import Mishap
from provider_faults import Fault, status
from provider_gemini_batch import GeminiBatches
from provider_kinds import CUSTOM, OLLAMA
from provider_kinds_batch import BATCH_KINDS, BatchKind
from provider_openai_batch import OpenAIBatches
from provider_server import ProviderServer

from holdfast.embeddings.batch.batch_contract import Batcher, BatchState
from holdfast.embeddings.batch.batch_service import batcher_for
from holdfast.embeddings.embedder import Purpose
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.errors import BadAnswer, ProviderFailed, ProviderRefused

every_kind = pytest.mark.parametrize("kind", BATCH_KINDS, ids=str)
TEXTS = [("a" * 32, "the first text"), ("b" * 32, "日本語 \u2028 and\nlines"), ("c" * 32, "third \ud800")]
SENT = [text.encode("utf-8", "replace").decode() for _, text in TEXTS]


def ended(batcher: Batcher, remote: str) -> BatchState:
    for _ in range(5):
        state = batcher.look(remote).state
        if state is not BatchState.RUNNING:
            return state
    raise AssertionError("the job does not end")


def numbers(found: dict[str, bytes]) -> dict[str, list[float]]:
    return {row: np.frombuffer(vector, "<f4").tolist() for row, vector in found.items()}


@every_kind
def test_a_job_is_sent_looked_at_collected_and_forgotten(kind: BatchKind, provider: ProviderServer) -> None:
    service, batcher = kind.serve(provider), kind.batcher(provider)
    remote = batcher.submit("job-1", TEXTS)
    first = batcher.look(remote)
    assert (first.state, first.because) == (BatchState.RUNNING, "")
    assert batcher.look(remote) == (BatchState.DONE, 3, 3, "")
    found = numbers(batcher.collect(remote))
    assert sorted(found) == [row for row, _ in TEXTS]
    assert np.allclose([found[row] for row, _ in TEXTS], kind.expected(SENT), atol=1e-6)
    assert provider.paid == dict.fromkeys(SENT, 1)
    assert service.files
    batcher.forget(remote)
    assert service.files == {}


@every_kind
def test_a_batch_gives_the_same_vectors_as_a_direct_call(kind: BatchKind, provider: ProviderServer) -> None:
    kind.serve(provider)
    embedder = kind.embedder(provider, model="text-embedding-3-small" if str(kind) == "openai" else "tiny")
    batcher = batcher_for(embedder)
    assert batcher is not None
    remote = batcher.submit("job", TEXTS)
    assert ended(batcher, remote) is BatchState.DONE
    direct = embedder.embed([text for _, text in TEXTS], Purpose.DOCUMENT)
    found = numbers(batcher.collect(remote))
    assert np.array_equal([found[row] for row, _ in TEXTS], np.array(direct.vectors))


@every_kind
@pytest.mark.promise("P12")
def test_secrets_do_not_leave_and_blank_texts_are_not_sent(kind: BatchKind, provider: ProviderServer) -> None:
    kind.serve(provider)
    secret = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
    kind.batcher(provider).submit("job", [("d" * 32, f"the token is {secret} indeed"), ("e" * 32, " \n ")])
    assert secret.encode() not in b"".join(seen.body for seen in provider.requests)
    assert [text for text in provider.paid if "redacted" in text] == list(provider.paid)


@every_kind
def test_a_job_is_found_by_our_name_among_many(kind: BatchKind, provider: ProviderServer) -> None:
    kind.serve(provider)
    batcher = kind.batcher(provider)
    assert batcher.find("job-0") is None
    remotes = [batcher.submit(f"job-{number}", TEXTS[:1]) for number in range(120)]
    for number in (0, 60, 119):
        assert batcher.find(f"job-{number}") == remotes[number]
    assert batcher.find("job-120") is None


@every_kind
@pytest.mark.parametrize("mishap", [Mishap.CREATED_BUT_500, Mishap.CREATED_BUT_CUT], ids=str)
def test_a_create_that_failed_and_did_create_is_sent_once_and_can_be_found(
    mishap: Mishap, kind: BatchKind, provider: ProviderServer
) -> None:
    service, batcher = kind.serve(provider), kind.batcher(provider)
    service.next(mishap)
    with pytest.raises(ProviderFailed) as caught:
        batcher.submit("job", TEXTS)
    assert not isinstance(caught.value, ProviderRefused)
    remote = batcher.find("job")
    assert remote is not None and ended(batcher, remote) is BatchState.DONE
    assert len(batcher.collect(remote)) == 3
    assert max(provider.paid.values()) == 1
    assert len(provider.asked(kind.create)) - (str(kind) == "openai") == 1  # there the list has the same path


@every_kind
@pytest.mark.parametrize("fault", [status(400), status(401), status(403), status(404)], ids=str)
def test_a_refused_create_takes_its_file_back(fault: Fault, kind: BatchKind, provider: ProviderServer) -> None:
    service, batcher = kind.serve(provider), kind.batcher(provider)
    provider.script(fault, on=kind.create)
    with pytest.raises(ProviderRefused) as caught:
        batcher.submit("job", TEXTS)
    assert service.files == {} and service.jobs == {}
    assert provider.key not in str(caught.value)


@every_kind
@pytest.mark.parametrize("fault", [faults.RESET, status(500), faults.HTML, faults.EMPTY, faults.TRUNCATED], ids=str)
def test_an_upload_that_breaks_off_makes_no_job(fault: Fault, kind: BatchKind, provider: ProviderServer) -> None:
    service, batcher = kind.serve(provider), kind.batcher(provider)
    provider.always(fault, on=kind.upload)
    with pytest.raises(ProviderFailed):
        batcher.submit("job", TEXTS)
    assert service.jobs == {} and not provider.paid


@every_kind
def test_a_failed_job_says_why_and_brings_nothing(kind: BatchKind, provider: ProviderServer) -> None:
    service, batcher = kind.serve(provider), kind.batcher(provider)
    service.next(Mishap.FAILED)
    remote = batcher.submit("job", TEXTS)
    assert ended(batcher, remote) is BatchState.FAILED
    because = batcher.look(remote).because
    assert "It is full" in because and provider.key not in because
    assert batcher.collect(remote) == {}


@every_kind
@pytest.mark.parametrize("mishap", [Mishap.EXPIRED, Mishap.CANCELLED], ids=str)
def test_what_a_job_finished_before_it_ended_early_is_kept(
    mishap: Mishap, kind: BatchKind, provider: ProviderServer
) -> None:
    service, batcher = kind.serve(provider), kind.batcher(provider)
    service.next(mishap)
    remote = batcher.submit("job", TEXTS)
    assert ended(batcher, remote) is BatchState.FAILED
    assert mishap.value.split()[0] in batcher.look(remote).because
    assert list(batcher.collect(remote)) == [TEXTS[0][0]]


@every_kind
@pytest.mark.parametrize(
    ("mishap", "kept"),
    [
        (Mishap.ERROR_ROW, "bc"),
        (Mishap.MISSING, "bc"),
        (Mishap.DUPLICATED, "bc"),
        (Mishap.REPEATED, "abc"),
        (Mishap.NAN, "bc"),
        (Mishap.ZERO, "bc"),
        (Mishap.SHORT, "bc"),
        (Mishap.WORDS, "bc"),
        (Mishap.CUT_LINE, "ab"),
        (Mishap.LOST, ""),
    ],
)
@pytest.mark.promise("P8")
def test_a_bad_row_is_left_out_and_the_others_are_kept(
    mishap: Mishap, kept: str, kind: BatchKind, provider: ProviderServer
) -> None:
    service, batcher = kind.serve(provider), kind.batcher(provider)
    service.next(mishap)
    remote = batcher.submit("job", TEXTS)
    assert ended(batcher, remote) is BatchState.DONE
    found = numbers(batcher.collect(remote))
    assert sorted(found) == [letter * 32 for letter in kept]
    expected = dict(zip((row for row, _ in TEXTS), kind.expected(SENT), strict=True))
    assert all(np.allclose(vector, expected[row], atol=1e-6) for row, vector in found.items())


@every_kind
@pytest.mark.parametrize("fault", [faults.TRUNCATED, faults.HTML, faults.EMPTY, faults.RESET], ids=str)
def test_a_download_that_was_damaged_once_is_made_again(
    fault: Fault, kind: BatchKind, provider: ProviderServer
) -> None:
    kind.serve(provider)
    batcher = kind.batcher(provider)
    remote = batcher.submit("job", TEXTS)
    ended(batcher, remote)
    provider.script(fault, on=kind.content)
    assert len(batcher.collect(remote)) == 3
    assert len(provider.asked(kind.content)) == 2


@every_kind
def test_results_without_one_readable_line_are_an_error_and_not_an_empty_result(
    kind: BatchKind, provider: ProviderServer
) -> None:
    service, batcher = kind.serve(provider), kind.batcher(provider)
    service.next(Mishap.HTML)
    remote = batcher.submit("job", TEXTS)
    ended(batcher, remote)
    with pytest.raises(BadAnswer, match="can't be read"):
        batcher.collect(remote)


@every_kind
def test_a_job_that_is_gone_is_refused_and_has_no_results(kind: BatchKind, provider: ProviderServer) -> None:
    service, batcher = kind.serve(provider), kind.batcher(provider)
    remote = batcher.submit("job", TEXTS)
    service.jobs.clear()
    with pytest.raises(ProviderRefused, match="404"):
        batcher.look(remote)
    assert batcher.collect(remote) == {}
    batcher.forget(remote)


@every_kind
def test_forgetting_never_complains(kind: BatchKind, provider: ProviderServer) -> None:
    kind.serve(provider)
    batcher = kind.batcher(provider)
    remote = batcher.submit("job", TEXTS)
    provider.always(status(500))
    batcher.forget(remote)


@every_kind
@pytest.mark.promise("P12")
def test_a_wrong_key_is_refused_at_every_step_and_never_shown(kind: BatchKind, provider: ProviderServer) -> None:
    kind.serve(provider)
    batcher = kind.batcher(provider, api_key="sk-wrong-and-still-a-secret")
    for step in (
        lambda: batcher.submit("job", TEXTS),
        lambda: batcher.find("job"),
        lambda: batcher.look("batches/x"),
        lambda: batcher.collect("batches/x"),
    ):
        with pytest.raises(ProviderRefused) as caught:
            step()
        assert "wrong-and" not in str(caught.value)


def test_gemini_uploads_nowhere_but_to_the_owners_address(provider: ProviderServer) -> None:
    service = GeminiBatches(provider)
    service.upload_at = "http://192.0.2.1/upload/v1beta/files"
    with pytest.raises(ProviderRefused, match="no place of its own"):
        BATCH_KINDS[1].batcher(provider).submit("job", TEXTS)
    assert len(provider.requests) == 1


def test_a_row_of_another_model_is_left_out(provider: ProviderServer) -> None:
    service = OpenAIBatches(provider)
    batcher = BATCH_KINDS[0].batcher(provider)
    remote = batcher.submit("job", TEXTS)
    ended(batcher, remote)
    (output,) = (name for name, content in service.files.items() if b"batch_req_" in content)
    lines = [json.loads(line) for line in service.files[output].splitlines()]
    lines[-1]["response"]["body"]["model"] = "tiny-2"
    service.files[output] = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    assert len(batcher.collect(remote)) == 2


def test_only_openai_and_gemini_have_a_batch_service(provider: ProviderServer) -> None:
    assert batcher_for(FakeEmbedder()) is None
    assert batcher_for(CUSTOM.make(provider)) is None
    assert batcher_for(OLLAMA.make(provider)) is None


def test_the_official_client_gets_the_same_batch(provider: ProviderServer) -> None:
    """Proof that the test server's Batch API is the one that the provider's own client knows."""
    openai = pytest.importorskip("openai")
    OpenAIBatches(provider)
    lines = [
        {"custom_id": row, "method": "POST", "url": "/v1/embeddings", "body": {"model": "tiny", "input": [text]}}
        for row, text in zip("ab", SENT, strict=False)
    ]
    content = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    with openai.OpenAI(api_key=provider.key, base_url=f"{provider.url}/v1", max_retries=0) as client:
        file = client.files.create(file=("in.jsonl", content), purpose="batch")
        batch = client.batches.create(
            input_file_id=file.id, endpoint="/v1/embeddings", completion_window="24h", metadata={"holdfast_job": "j"}
        )
        while batch.status != "completed":
            batch = client.batches.retrieve(batch.id)
        assert batch.request_counts.completed == 2
        found = [json.loads(line) for line in client.files.content(batch.output_file_id).text.splitlines()]
        rows = {one["custom_id"]: one["response"]["body"]["data"][0]["embedding"] for one in found}
        assert [rows["a"], rows["b"]] == BATCH_KINDS[0].expected(SENT[:2])
        assert [one.id for one in client.batches.list(limit=1)] == [batch.id]
        assert BATCH_KINDS[0].batcher(provider).find("j") == batch.id
        assert client.files.delete(file.id).deleted
        with pytest.raises(openai.NotFoundError):
            client.batches.retrieve("batch_none")
