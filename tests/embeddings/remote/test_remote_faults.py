"""T8: every fault of a provider, with every remote embedder: a typed error, no vector, no key, counted attempts."""

from __future__ import annotations

import logging
from typing import NamedTuple

import provider_faults as faults
import pytest
from provider_faults import Fault, status
from provider_kinds import KINDS, Kind
from provider_server import ProviderServer, closed_port

from holdfast.embeddings.embed_call import ask
from holdfast.embeddings.embedder import Embedded, Purpose
from holdfast.errors import BadAnswer, BadVectors, ProviderFailed, ProviderRefused, ProviderTooLarge
from holdfast.remote.provider_calls import Caller
from holdfast.remote.retry_policy import Policy

TEXTS = ["one", "two", "three"]


class Expected(NamedTuple):
    """A fault, the error it must become, and how often the provider is asked."""

    fault: Fault
    error: type[ProviderFailed]
    attempts: int = 1


CASES = [
    Expected(faults.HANG, ProviderFailed),
    Expected(faults.DRIP, ProviderFailed),
    Expected(faults.HEADER_DRIP, ProviderFailed),
    Expected(faults.RESET, ProviderFailed, 3),
    Expected(faults.REDIRECT, ProviderRefused),
    Expected(faults.TRUNCATED, BadAnswer),
    Expected(faults.HTML, BadAnswer),
    Expected(faults.EMPTY, BadAnswer),
    Expected(faults.HUGE, BadAnswer),
    Expected(faults.BOMB, BadAnswer),
    Expected(faults.WRONG_COUNT, BadVectors),
    Expected(faults.WRONG_DIMENSIONS, BadVectors),
    Expected(faults.WRONG_SHAPE, BadAnswer),
    Expected(faults.ZERO, BadVectors),
    Expected(status(400), ProviderRefused),
    Expected(status(401), ProviderRefused),
    Expected(status(403), ProviderRefused),
    Expected(status(404), ProviderRefused),
    Expected(status(422), ProviderRefused),
    Expected(status(429), ProviderFailed, 3),
    Expected(status(429, Retry_After="0"), ProviderFailed, 3),
    Expected(status(429, Retry_After="2"), ProviderFailed, 3),
    Expected(status(429, Retry_After="99999"), ProviderFailed),
    Expected(status(429, Retry_After="Fri, 01 May 2099 12:00:00 GMT"), ProviderFailed),
    Expected(status(429, Retry_After="rubbish"), ProviderFailed, 3),
    Expected(status(500), ProviderFailed, 3),
    Expected(status(503), ProviderFailed, 3),
]
SLOW = (faults.HANG, faults.DRIP, faults.HEADER_DRIP)
every_kind = pytest.mark.parametrize("kind", KINDS, ids=str)


def patience(fault: Fault) -> Policy:
    return Policy(total=0.1) if fault in SLOW else Policy(body=4 * 1024 * 1024)


@pytest.mark.fault
@pytest.mark.promise("P7")
@pytest.mark.promise("P12")
@every_kind
@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.fault))
def test_a_fault_is_a_typed_error_without_vector_and_key(
    case: Expected,
    kind: Kind,
    provider: ProviderServer,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    provider.always(case.fault)
    waits: list[float] = []
    with Caller(kind.name, policy=patience(case.fault), sleep=waits.append) as caller:
        embedder = kind.make(provider, caller)
        answer: Embedded | None = None
        with pytest.raises(ProviderFailed) as caught:
            answer = embedder.embed(TEXTS, Purpose.DOCUMENT)
    assert answer is None
    assert type(caught.value) is case.error
    assert len(waits) == case.attempts - 1
    # on a machine that is busy the short deadline of the slow ones may end before anything is sent
    assert len(provider.requests) == case.attempts or (case.fault in SLOW and not provider.requests)
    assert all(wait <= 30.5 for wait in waits)
    error = caught.value
    shown = [str(error), repr(error), repr(error.__cause__), repr(error.__context__), repr(embedder), repr(caller)]
    out, err = capfd.readouterr()
    assert provider.key not in "\n".join([*shown, caplog.text, out, err])
    assert error.provider == kind.name
    assert embedder.reported is None


@pytest.mark.promise("P8")
@every_kind
@pytest.mark.parametrize("fault", [faults.NAN, faults.INFINITY], ids=str)
def test_numbers_that_are_none_are_refused_plain_or_packed(fault: Fault, kind: Kind, provider: ProviderServer) -> None:
    provider.always(fault)
    with pytest.raises((BadAnswer, BadVectors), match=r"NaN|Infinity|not finite"):
        kind.make(provider).embed(TEXTS, Purpose.DOCUMENT)


@every_kind
def test_a_closed_port_is_a_provider_that_failed(kind: Kind, provider: ProviderServer) -> None:
    waits: list[float] = []
    with Caller(kind.name, sleep=waits.append) as caller:
        embedder = kind.make(provider, caller, base_url=f"http://127.0.0.1:{closed_port()}")
        with pytest.raises(ProviderFailed, match="no connection"):
            embedder.embed(TEXTS, Purpose.QUERY)
    assert len(waits) == 2


@every_kind
def test_a_question_waits_a_short_time_only(kind: Kind, provider: ProviderServer) -> None:
    provider.always(faults.HANG)
    embedder = kind.make(provider, query_seconds=0.1)
    with pytest.raises(ProviderFailed, match=r"0\.1 s"):
        embedder.embed(["what was it"], Purpose.QUERY)
    # It may give up before its request is read.
    assert len(provider.asked(kind.path)) <= 1


@every_kind
def test_after_a_fault_the_same_embedder_answers_again(kind: Kind, provider: ProviderServer) -> None:
    import numpy as np

    embedder = kind.make(provider)
    for fault in (faults.TRUNCATED, faults.WRONG_COUNT, faults.REDIRECT, faults.ZERO, status(401)):
        provider.script(fault)
        with pytest.raises(ProviderFailed):
            embedder.embed(TEXTS, Purpose.DOCUMENT)
    rows = ask(embedder, TEXTS, Purpose.DOCUMENT)
    expected = kind.expected(TEXTS, Purpose.DOCUMENT, embedder.model, kind.dimensions)
    assert np.allclose([np.frombuffer(row, "<f4") for row in rows], expected, atol=1e-6)


@every_kind
def test_a_fault_in_the_middle_of_many_batches_gives_nothing(kind: Kind, provider: ProviderServer) -> None:
    embedder = kind.make(provider, dimensions=8)
    texts = [f"text {number}" for number in range(2 * embedder.batch.texts + 1)]
    provider.script(None, faults.WRONG_COUNT)
    with pytest.raises(BadVectors, match="vectors for"):
        embedder.embed(texts, Purpose.DOCUMENT)
    assert len(provider.requests) == 2


@every_kind
def test_what_the_provider_says_of_a_wrong_key_or_model_is_handed_on(kind: Kind, provider: ProviderServer) -> None:
    with pytest.raises(ProviderRefused, match=r"404.*(does not exist|not found)"):
        kind.make(provider, model="nothing", dimensions=8).embed(["x"], Purpose.DOCUMENT)
    if kind.name != "ollama":
        with pytest.raises(ProviderRefused, match=r"Incorrect API key|API key not valid") as caught:
            kind.make(provider, api_key="sk-wrong-and-still-a-secret").embed(["x"], Purpose.DOCUMENT)
        assert "wrong-and" not in str(caught.value)


@every_kind
def test_413_is_halved_down_to_one_text_and_then_said(kind: Kind, provider: ProviderServer) -> None:
    provider.always(status(413))
    with pytest.raises(ProviderTooLarge, match="413"):
        kind.make(provider).embed(["some words", "more words"], Purpose.DOCUMENT)
    assert len(provider.requests) == 1 + 1 + 3
