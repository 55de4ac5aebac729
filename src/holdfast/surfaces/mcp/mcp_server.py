"""One MCP server: the SDK's, with our tools, resources and prompts; stdio and HTTP drive the same one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.models import InitializationOptions

from holdfast import __version__
from holdfast.surfaces.mcp.client_access import Access
from holdfast.surfaces.mcp.error_replies import error_middleware
from holdfast.surfaces.mcp.mcp_tools import Tools
from holdfast.surfaces.mcp.prompts import Prompts
from holdfast.surfaces.mcp.resources import Resources
from holdfast.surfaces.mcp.server_info import DESCRIPTION, NAME, TITLE
from holdfast.surfaces.mcp.subscriptions import Subscriptions
from holdfast.surfaces.mcp.tool_profile import Profile
from holdfast.surfaces.memory_pool import MemoryPool

__all__ = ["made_server"]


class _Server(Server[Any]):
    """The SDK's server; it says in every handshake, over HTTP too, that the list of notes may change.

    Its instructions are made anew for each client: the owner can change which tools are offered while it runs.
    """

    describe_tools: Callable[[], str] = staticmethod(lambda: "")

    @property
    def instructions(self) -> str | None:
        """Return what a client tells its model about this server."""
        return self.describe_tools()

    @instructions.setter
    def instructions(self, given: str | None) -> None:
        """Take what the SDK sets when the server is made: nothing."""

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        changing = notification_options or NotificationOptions(resources_changed=True)
        return super().create_initialization_options(changing, experimental_capabilities, extensions)


def made_server(
    memories: MemoryPool,
    profile: Profile = Profile.CORE,
    *,
    session: str | None = None,
    read_only: bool = False,
    structured: bool = False,
) -> Server[Any]:
    """A server over the memories of a pool. It opens none of them before a request needs one."""
    access = Access(memories, session, owner=profile is Profile.OWNER)
    tools = Tools(access, profile, read_only=read_only, structured=structured)
    subscriptions, prompts = Subscriptions(access), Prompts(access)
    resources = Resources(access, subscriptions.note_interest)

    @asynccontextmanager
    async def lifespan(_: Server[Any]) -> AsyncIterator[dict[str, Any]]:
        async with subscriptions.running():
            yield {}

    server = _Server(
        NAME,
        version=__version__,
        title=TITLE,
        description=DESCRIPTION,
        lifespan=lifespan,
        # No parameter of our tools is also sent as a header, so there is nothing to compare.
        get_tool_input_schema=lambda _: None,
        on_list_tools=tools.list_tools,
        on_call_tool=tools.call,
        on_list_resources=resources.list_resources,
        on_list_resource_templates=resources.templates,
        on_read_resource=resources.read,
        on_subscribe_resource=subscriptions.subscribe,
        on_unsubscribe_resource=subscriptions.unsubscribe,
        on_subscriptions_listen=subscriptions.listen,
        on_list_prompts=prompts.list_prompts,
        on_get_prompt=prompts.get,
    )
    server.describe_tools = tools.instructions
    server.middleware.append(error_middleware)
    return server
