"""What `[llm]` says reaches the provider with every request that does not say otherwise."""

from __future__ import annotations

from provider_chat_script import ChatScript
from provider_server import ProviderServer

from holdfast import Memory
from holdfast.guard.origin import Origin
from holdfast.llm.chat_model import Request, user

HELLO = Request((user("hello there"),))


def test_the_temperature_and_the_most_tokens_of_the_settings_are_sent(
    provider: ProviderServer, script: ChatScript
) -> None:
    settings = {
        "llm.provider": "custom",
        "llm.model": "m",
        "llm.base_url": provider.url,
        "llm.api_key": provider.key,
        "llm.temperature": 0.25,
        "llm.max_tokens": 77,
    }
    with Memory.open(settings=settings) as memory:
        model = memory.ctx.for_origin(Origin.AGENT).chat_model
        assert model is not None
        script.say("one")
        model.chat(HELLO)
        script.say("two")
        model.chat(HELLO.replace(temperature=0.5, max_tokens=33))
    first, second = (seen.json for seen in provider.requests[-2:])
    assert first["temperature"] == 0.25 and 77 in first.values()
    assert second["temperature"] == 0.5 and 33 in second.values()
