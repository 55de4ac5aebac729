"""Clients are told when notes change, by whomever: over both transports, in the way of each era."""

from __future__ import annotations

from typing import Any

import anyio
import pytest
from mcp.shared.subscriptions import ResourcesListChanged, ResourceUpdated
from mcp_types import ResourceListChangedNotification, ResourceUpdatedNotification
from surfaces.mcp.connections import LEGACY, MODERN, Connect, over_http, over_stdio

from holdfast import Memory

LAUNCH = "holdfast://note/memory/launch.md"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A short pause after an edit; a process is told by its home's settings."""
    with Memory.open() as memory:
        memory.save("The launch is in May.", file="memory/launch.md")
        settings = memory.ctx.workspace
        settings.replace_file("holdfast.toml", b"[memory.sync]\nwatch_debounce_ms = 50\n")


def edit(file: str, content: str) -> None:
    with Memory.open() as memory:
        memory.save(content, file=file)


@pytest.mark.filterwarnings("ignore:resources/:mcp.shared.exceptions.MCPDeprecationWarning")
@pytest.mark.parametrize("connect", [over_stdio, over_http])
def test_in_the_handshake_era_a_subscriber_is_told_of_its_note_and_everybody_of_others(connect: Connect) -> None:
    heard: list[Any] = []

    async def story() -> None:
        news = anyio.Event()

        async def told(message: Any) -> None:
            heard.append(message)
            news.set()

        async def until(kind: type) -> Any:
            nonlocal news
            with anyio.fail_after(30):
                while not (found := [one for one in heard if isinstance(one, kind)]):
                    await news.wait()
                    news = anyio.Event()
            heard.clear()
            return found[0]

        async with connect(LEGACY, told=told) as client:
            assert client.session.server_capabilities is not None
            resources = client.session.server_capabilities.resources
            assert resources is not None
            assert (resources.subscribe, resources.list_changed) == (True, True)
            await client.list_resources()
            await client.subscribe_resource(LAUNCH)
            await anyio.to_thread.run_sync(edit, "memory/launch.md", "The launch is in June.")
            assert (await until(ResourceUpdatedNotification)).params.uri == LAUNCH
            await client.unsubscribe_resource(LAUNCH)
            await anyio.to_thread.run_sync(edit, "memory/new.md", "Another note.")
            await until(ResourceListChangedNotification)

    anyio.run(story)


@pytest.mark.parametrize("connect", [over_stdio, over_http])
def test_since_2026_a_listener_is_told_what_it_asked_for(connect: Connect) -> None:
    async def story() -> None:
        async with (
            connect(MODERN) as client,
            client.listen(resources_list_changed=True, resource_subscriptions=[LAUNCH]) as events,
        ):
            with anyio.fail_after(30):
                await anyio.to_thread.run_sync(edit, "memory/launch.md", "The launch is in June.")
                assert await anext(events) == ResourceUpdated(LAUNCH)
                await anyio.to_thread.run_sync(edit, "memory/new.md", "Another note.")
                assert await anext(events) == ResourcesListChanged()

    anyio.run(story)
