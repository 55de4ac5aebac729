"""Counting what models take: requests, tokens, money, and a limit."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from provider_chat_script import ChatScript
from provider_server import ProviderServer

from holdfast import Memory
from holdfast.errors import ProviderFailed, TokensSpent
from holdfast.guard.origin import Origin
from holdfast.llm.chat_contract import check_chat_model
from holdfast.llm.chat_model import Answer, Request, Usage, user
from holdfast.llm.scripted_model import ScriptedModel
from holdfast.llm.token_usage import Meter, Prices, Spent

HELLO = Request((user("hello there"),))


def test_a_metered_model_keeps_the_contract() -> None:
    check_chat_model(Meter().metered(ScriptedModel(always="Here I am.")))


def test_requests_and_tokens_are_added_up_by_the_model_that_answered() -> None:
    meter = Meter()
    model = meter.metered(
        ScriptedModel(
            Answer("a", usage=Usage(100, 10, 50), model="big"),
            Answer("b", usage=Usage(200, 20, cache_written_tokens=5), model="big"),
            Answer("c", usage=Usage(1, 2), model="small"),
            ProviderFailed("scripted", "it is down"),
        )
    )
    for _ in range(3):
        model.chat(HELLO)
    with pytest.raises(ProviderFailed):
        model.chat(HELLO)
    assert meter.by_model == {
        "big": Spent(2, 0, 0, Usage(300, 30, 50, 5)),
        "small": Spent(1, 0, 0, Usage(1, 2)),
        "scripted": Spent(1, 1),
    }
    assert meter.total == Spent(4, 1, 0, Usage(301, 32, 50, 5)) and meter.total.tokens == 333


def test_an_answer_without_a_count_is_estimated() -> None:
    meter = Meter()
    meter.metered(ScriptedModel(Answer("x" * 400))).chat(Request((user("猫" * 50),)))
    assert meter.total.estimated == 1
    assert meter.total.usage == Usage(54, 104)


def test_the_cost_is_told_where_both_prices_are_known() -> None:
    answer = Answer("a", usage=Usage(1_000_000, 500_000))
    for prices, cost in ((Prices(3.0, 15.0), 10.5), (Prices(3.0), None), (Prices(), None), (Prices(0.0, 0.0), 0.0)):
        meter = Meter(prices)
        meter.metered(ScriptedModel(answer)).chat(HELLO)
        assert meter.total.cost == meter.by_model["scripted"].cost == cost


def test_beyond_the_limit_nobody_is_asked_and_the_error_says_so() -> None:
    script = ScriptedModel(always=Answer("a", usage=Usage(60, 20)))
    model = Meter(limit=100).metered(script)
    model.chat(HELLO)
    model.chat(HELLO)
    with pytest.raises(TokensSpent, match=r"160 tokens are spent, and the limit is 100.*Raise the limit") as caught:
        model.chat(HELLO)
    assert isinstance(caught.value, ProviderFailed) and len(script.requests) == 2
    assert (caught.value.spent, caught.value.limit) == (160, 100)


def test_threads_lose_no_count() -> None:
    meter = Meter(Prices(1.0, 1.0))
    model = meter.metered(ScriptedModel(always=Answer("a", usage=Usage(2, 1))))
    threads = [threading.Thread(target=lambda: [model.chat(HELLO) for _ in range(200)]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert meter.total.requests == 1600 and meter.total.usage == Usage(3200, 1600)


def test_a_memory_tells_what_its_model_took_and_what_that_cost(
    home: Path, provider: ProviderServer, script: ChatScript
) -> None:
    settings = {
        "llm.provider": "custom",
        "llm.model": "m",
        "llm.base_url": provider.url,
        "llm.api_key": provider.key,
        "llm.price_input": 1_000_000,
        "llm.price_output": 2_000_000,
    }
    with Memory.open(settings=settings) as memory:
        assert memory.spent == Spent(cost=0.0)
        model = memory.ctx.for_origin(Origin.AGENT).chat_model
        assert model is not None
        script.say("one two three")
        model.chat(HELLO, on_text=lambda _: None)
        assert memory.spent == Spent(1, 0, 0, Usage(2, 3, 1), 2.0 + 6.0)
