"""`holdfast mcp`"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from holdfast.guard.paths import agent_id
from holdfast.surfaces.cli.command_memory import agent_of, refuse_mistyped_home
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.mcp.tool_profile import Profile

if TYPE_CHECKING:
    from holdfast.surfaces.mcp.client_lines import ClientLines
    from holdfast.surfaces.mcp.handshake import Handshake
    from holdfast.surfaces.mcp.pipes import Pipes
    from holdfast.surfaces.memory_pool import MemoryPool

EXAMPLES = """\
  holdfast mcp
  holdfast mcp --tools facts --agent work
  claude mcp add-json holdfast '{"command": "holdfast", "args": ["mcp"], "alwaysLoad": true}'
"""
MAY_BEGIN_HOME = True


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: which tools, and for whom."""
    parser.add_argument(
        "--tools",
        choices=tuple(Profile),
        default=Profile.CORE,
        help="which tools to offer: search, get, save and forget (core), those for facts as well, all of them, "
        "all and the inbox for an agent that approves in your name (owner), "
        "or `search` and `fetch` for ChatGPT (default: core)",
    )
    parser.add_argument(
        "--session", metavar="KEY", help="serve in this session: what it may see, and its own small values"
    )
    parser.add_argument("--read-only", action="store_true", help="offer nothing that could change a note")
    parser.add_argument(
        "--structured",
        action="store_true",
        help="give results as JSON too, with stored text as it is: for programs, not for models, which would read it "
        "without its fence",
    )


def run(args: argparse.Namespace, console: Console) -> int:
    """Speak MCP on stdin and stdout until the client has gone."""
    from holdfast.surfaces.mcp.pipes import claim_pipes

    agent_id(agent_of(args))
    refuse_mistyped_home(args)
    if args.session is not None:
        from holdfast.transcripts.session_key import check_key

        check_key(args.session)
    pipes = claim_pipes()  # before anything else is imported: what it prints must not reach the client
    if pipes.come >= 0 and os.isatty(pipes.come):
        console.note("This speaks MCP, for clients that start it: one JSON message a line. Ctrl-D ends it.")
    return _served(args, pipes)


def _served(args: argparse.Namespace, pipes: Pipes) -> int:
    import gc
    import logging
    from importlib.util import find_spec

    from holdfast.guard.origin import Origin
    from holdfast.surfaces.log_throttle import ThrottledHandler
    from holdfast.surfaces.mcp.client_lines import ClientLines
    from holdfast.surfaces.memory_pool import MemoryPool

    logging.basicConfig(level=logging.WARNING, handlers=[ThrottledHandler()])  # on stderr
    if find_spec("mcp") is None:
        from holdfast.settings.installation import missing_extra

        raise missing_extra("mcp", "server", ModuleNotFoundError("No module named 'mcp'", name="mcp"))
    # Thousands of objects are made that stay for good: looking through them for garbage takes an eighth of the start.
    gc.disable()
    settings = None
    if args.read_only:
        settings = {"memory.agent_write_mode": "off"}
    memories = MemoryPool(args.home, agent_of(args), settings, origin=Origin.MCP_TOOL)
    lines = ClientLines(pipes)
    try:
        with _ended_by_signals():
            handshake = _handshake(args, memories, lines, pipes)
            if not handshake.run():
                return 0
            status = _served_by_sdk(args, memories, lines, pipes, handshake)
    except BrokenPipeError:  # nobody reads any more
        return 0
    finally:
        memories.close()
    return status


def _handshake(args: argparse.Namespace, memories: MemoryPool, lines: ClientLines, pipes: Pipes) -> Handshake:
    """Return what answers the client before the SDK is imported."""
    from holdfast.surfaces.mcp.client_access import Access
    from holdfast.surfaces.mcp.handshake import Handshake
    from holdfast.surfaces.mcp.pipes import write_all
    from holdfast.surfaces.mcp.prompts import describe_prompts
    from holdfast.surfaces.mcp.resources import describe_notes
    from holdfast.surfaces.mcp.tool_list import ToolList

    profile, out = Profile(args.tools), pipes.out()
    access = Access(memories, args.session, owner=profile is Profile.OWNER)
    tools = ToolList(profile, read_only=args.read_only, structured=args.structured)

    def write(data: bytes) -> None:
        if out is not None:
            write_all(out, data)

    listings = {
        "tools/list": lambda: access.toolbox_at_once(tools.describe),
        "prompts/list": describe_prompts,
        "resources/list": lambda: access.in_context_at_once(describe_notes),
    }
    return Handshake(lines, write, lambda: tools.instructions(access), listings)


def _served_by_sdk(
    args: argparse.Namespace, memories: MemoryPool, lines: ClientLines, pipes: Pipes, handshake: Handshake
) -> int:
    import gc

    from holdfast.surfaces.heaps import limit_heaps

    limit_heaps()  # the SDK answers in threads
    try:
        from holdfast.surfaces.mcp.mcp_server import made_server
        from holdfast.surfaces.mcp.stdio import leave, serve
    except ModuleNotFoundError as error:
        from holdfast.settings.installation import missing_extra

        raise missing_extra(error.name or "mcp", "server", error) from error
    finally:
        gc.freeze()
        gc.enable()
    try:
        server = made_server(
            memories,
            Profile(args.tools),
            session=args.session,
            read_only=args.read_only,
            structured=args.structured,
        )
        status = serve(server, pipes, lines, handshake)
    finally:
        memories.close()
    leave(status)
    return status


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """End the process in order when a signal comes before the SDK's event loop heeds it."""
    import signal

    from holdfast.surfaces.cli.exit_codes import INTERRUPTED, TERMINATED

    def end(number: int, _: object) -> None:
        raise SystemExit(TERMINATED if number == signal.SIGTERM else INTERRUPTED)

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
