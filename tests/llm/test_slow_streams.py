"""A slow model: its stream may take any time in all, a pause in it may not, and an answer in one piece has a limit."""

from __future__ import annotations

import provider_faults as faults
import pytest
from llm.test_chat_streams import HELLO, LONG, every_kind
from provider_chat_kinds import ChatKind
from provider_chat_script import ChatScript
from provider_server import ProviderServer

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.errors import ProviderFailed, ProviderStalled
from holdfast.llm.remote_chat import patience
from holdfast.remote.provider_calls import Caller


@every_kind
def test_a_stream_may_take_longer_in_all_than_an_answer_in_one_piece(
    kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    script.say(LONG)
    provider.script(faults.STREAM_STALL)
    clock, told = FakeClock(), list[str]()

    def hear(text: str) -> None:
        told.append(text)
        clock.advance(50)  # as long as a slow model takes for some words; the limit of a whole answer is 60 seconds
        if len(told) == 2:
            provider.release.set()

    with Caller(kind.name, policy=patience(60, 300), now=clock.monotonic) as caller:
        answer = kind.make(provider, caller).chat(HELLO, on_text=hear)
    assert answer.text == LONG == "".join(told)
    assert len(told) * 50 > 10 * 60


@every_kind
@pytest.mark.parametrize("fault", [faults.STREAM_STALL, faults.HANG], ids=str)
def test_a_stream_that_stalls_is_given_up_after_the_idle_limit_and_the_error_names_the_setting(
    fault: faults.Fault, kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    script.say(LONG)
    provider.always(fault)
    told: list[str] = []
    with Caller(kind.name, policy=patience(60, 0.2)) as caller, pytest.raises(ProviderStalled) as caught:
        kind.make(provider, caller).chat(HELLO, on_text=told.append)
    assert "nothing of the answer came for 0.2 s" in str(caught.value)
    assert "llm.timeout_seconds" in str(caught.value)
    assert len(provider.requests) == 1  # a second try would make a slow model begin anew
    assert LONG.startswith("".join(told)) and bool(told) == (fault == faults.STREAM_STALL)


@every_kind
def test_an_answer_in_one_piece_keeps_its_limit_and_the_error_names_that_setting(
    kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    provider.always(faults.HANG)
    with Caller(kind.name, policy=patience(0.1, 300)) as caller, pytest.raises(ProviderFailed) as caught:
        kind.make(provider, caller).chat(HELLO)
    assert type(caught.value) is ProviderFailed
    assert "llm.timeout_seconds" in str(caught.value) and "idle" not in str(caught.value)


@every_kind
def test_who_gives_a_stream_so_many_seconds_is_not_kept_longer(
    kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    script.say(LONG)
    provider.script(faults.STREAM_STALL)
    with Caller(kind.name, policy=patience(60, 300)) as caller, pytest.raises(ProviderFailed, match=r" 0\.2 s"):
        kind.make(provider, caller).chat(HELLO, seconds=0.2, on_text=lambda _: None)


def test_the_idle_limit_of_the_settings_reaches_the_turns_of_a_chat(
    provider: ProviderServer, script: ChatScript
) -> None:
    settings = {
        "llm.provider": "custom",
        "llm.model": "m",
        "llm.base_url": provider.url,
        "llm.api_key": provider.key,
        "llm.idle_timeout_seconds": 1,
    }
    script.say(LONG)
    provider.always(faults.STREAM_STALL, on=r"/v1/chat/completions")
    with Memory.open(settings=settings) as memory, memory.session("slow") as session:
        with pytest.raises(ProviderStalled, match="came for 1 s"):
            session.turn("hello")
        assert session.messages()[-1].tags == ("cut",)  # what was said until then stays
