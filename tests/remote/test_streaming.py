"""A body that is heard while it comes: by whom, how often, and what happens when either side breaks off."""

from __future__ import annotations

import threading

import provider_faults as faults
import pytest
from provider_server import ProviderServer

from holdfast.errors import BadAnswer, ProviderFailed
from holdfast.remote.provider_calls import Caller
from holdfast.remote.retry_policy import Policy

BODY = {"model": "tiny", "input": ["one", "two"]}


class Ear:
    """Hears everything, and may be told to have committed itself, or to break off."""

    def __init__(self, *, commits: bool = False, raises: BaseException | None = None) -> None:
        self.begun = 0
        self.heard = b""
        self.threads: set[int] = set()
        self._commits, self._raises = commits, raises

    def begin(self) -> None:
        self.begun += 1
        self.heard = b""

    def take(self, piece: bytes) -> bool:
        self.threads.add(threading.get_ident())
        self.heard += piece
        if self._raises is not None:
            raise self._raises
        return True

    @property
    def committed(self) -> bool:
        return self._commits and bool(self.heard)


def asked(provider: ProviderServer, ear: Ear, waits: list[float], policy: Policy | None = None) -> bytes:
    with Caller("openai", policy=policy or Policy(), sleep=waits.append) as caller:
        headers = {"Authorization": f"Bearer {provider.key}"}
        return caller.stream("POST", f"{provider.url}/v1/embeddings", ear, json=BODY, headers=headers).body


def test_the_listener_hears_the_whole_body_in_the_callers_thread(provider: ProviderServer) -> None:
    ear = Ear()
    body = asked(provider, ear, [])
    assert ear.heard == body and body.startswith(b"{")
    assert ear.threads == {threading.get_ident()}


def test_the_body_of_an_error_is_not_heard_and_each_attempt_begins_anew(provider: ProviderServer) -> None:
    provider.script(faults.status(503), faults.RESET)
    ear, waits = Ear(), list[float]()
    assert asked(provider, ear, waits) == ear.heard
    assert (ear.begun, len(waits)) == (3, 2)


def test_who_has_committed_himself_hears_no_second_attempt(provider: ProviderServer) -> None:
    provider.always(faults.RESET)
    ear, waits = Ear(commits=True), list[float]()
    with pytest.raises(ProviderFailed, match="broke off"):
        asked(provider, ear, waits)
    assert (ear.begun, waits, len(provider.requests)) == (1, [], 1)


def test_what_the_listener_raises_ends_the_call_as_it_is(provider: ProviderServer) -> None:
    for error in (ValueError("enough"), KeyboardInterrupt()):
        provider.script(faults.DRIP)
        with pytest.raises(type(error)):
            asked(provider, Ear(raises=error), [])


def test_a_body_without_end_is_cut_at_the_limit(provider: ProviderServer) -> None:
    provider.script(faults.HUGE)
    ear = Ear()
    with pytest.raises(BadAnswer, match="longer than 2,000,000 bytes"):
        asked(provider, ear, [], Policy(body=2_000_000))
    assert len(ear.heard) <= 2_000_000
