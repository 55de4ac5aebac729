"""A memory, and the test server with the chat APIs that frameworks speak."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import provider_chat_anthropic
import provider_chat_openai
import pytest
from adapters.server_process import server_of
from provider_chat_script import ChatScript
from provider_exchange import Ask, Reply, Route
from provider_fixture import provider
from provider_server import ProviderServer

from holdfast import Memory, Origin, connect

__all__ = ["provider"]


@pytest.fixture(params=["library", "client"])
def memory(home: Path, request: pytest.FixtureRequest) -> Iterator[Memory]:
    """A memory in a home of its own, as a program with a framework in it opens one: here, and at a server."""
    if request.param == "library":
        with Memory.open(home) as opened:
            yield opened
        return
    with server_of(home) as url, connect(url, home=str(home)) as client:
        yield client


@pytest.fixture
def owner(home: Path) -> Iterator[Memory]:
    """The same memory in the hands of its owner, whose words go into MEMORY.md at once."""
    with Memory.open(home, origin=Origin.USER) as opened:
        yield opened


@pytest.fixture
def script(provider: ProviderServer) -> ChatScript:
    """What the models at the server say next."""
    found = ChatScript()
    provider.add((method, path, _flat(route)) for method, path, route in provider_chat_openai.routes(found))
    provider.add((method, path, _as_before(route)) for method, path, route in provider_chat_anthropic.routes(found))
    return found


def _flat(route: Route) -> Route:
    """A message may come in parts; the test server knows only whole ones."""

    def answer(ask: Ask) -> Reply:
        body = ask.json
        for message in body["messages"]:
            if isinstance(message.get("content"), list):
                message["content"] = "\n".join(part["text"] for part in message["content"])
        return route(ask._replace(seen=ask.seen._replace(body=json.dumps(body).encode())))

    return answer


def _as_before(route: Route) -> Route:
    """The package speaks a later version of the API than the test server: it sends its key otherwise."""

    def answer(ask: Ask) -> Reply:
        key = ask.seen.headers.get("authorization", "").removeprefix("Bearer ")
        headers = {**ask.seen.headers, "x-api-key": key, "anthropic-version": "2023-06-01"}
        return route(ask._replace(seen=ask.seen._replace(headers=headers)))

    return answer
