"""`holdfast serve`"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from holdfast.surfaces.cli.command_memory import DATABASE, agent_of, refuse_mistyped_home
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.mcp.tool_profile import Profile

if TYPE_CHECKING:
    from holdfast.surfaces.http.http_server import ServerOptions

EXAMPLES = """\
  holdfast serve
  holdfast serve --port 8080 --tools all
  holdfast serve --host 0.0.0.0 --allow-remote --allow-host memory.example.org
  holdfast serve --database postgresql://holdfast_server@db.example.org/memory --cache /var/cache/holdfast
"""
MAY_BEGIN_HOME = True


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: where to listen, and for whom."""
    parser.add_argument("--host", metavar="HOST", default="127.0.0.1", help="where to listen (default: 127.0.0.1)")
    parser.add_argument("--port", metavar="PORT", type=int, default=7437, help="default: 7437; 0 chooses a free one")
    parser.add_argument(
        "--allow-remote",
        action="store_true",
        help="let other machines in: whoever has the token can read and change every note, over a line that is not "
        "encrypted",
    )
    parser.add_argument(
        "--allow-host",
        metavar="NAME",
        action="append",
        default=[],
        help="a further name under which clients may call, as a proxy or a tunnel has it",
    )
    parser.add_argument(
        "--tools", choices=tuple(Profile), default=Profile.CORE, help="which tools /mcp offers (default: core)"
    )
    parser.add_argument("--structured", action="store_true", help="for /mcp, as for `holdfast mcp`")
    parser.add_argument("--no-watch", action="store_true", help="do not follow changes of the notes")
    team = parser.add_argument_group("for a team")
    team.add_argument(
        "--database",
        metavar="URL",
        help="serve the tenants of this PostgreSQL instead of a home; - takes it from HOLDFAST_DATABASE",
    )
    team.add_argument("--cache", metavar="DIR", help="where the tenants' indexes are kept (default: the home's cache/)")
    team.add_argument("--cache-gb", metavar="N", type=float, default=20.0, help="how large they may get (default: 20)")
    team.add_argument("--tenants", metavar="N", type=int, default=100, help="how many are kept open (default: 100)")
    team.add_argument("--connections", metavar="N", type=int, default=10, help="to the database (default: 10)")
    parser.add_argument("--open", action="store_true", help="open the web app in a browser, as `holdfast ui` does")


def run(args: argparse.Namespace, console: Console) -> int:
    """Serve until Ctrl-C, SIGTERM or SIGHUP."""
    if args.database is not None:
        serve_tenants(args, console)
        if not console.as_json:
            console.note("Stopped.")
        return 0

    def tell(serving: ServerOptions, url: str, link: str) -> None:
        _tell(serving, url, link, console)
        if args.open:
            from holdfast.surfaces.cli.web_browser import open_browser

            open_browser(link)

    serve_until_stopped(args, tell)
    if not console.as_json:
        console.note("Stopped.")
    return 0


def serve_tenants(args: argparse.Namespace, console: Console) -> None:
    """Serve the tenants of a database, and say where."""
    import os

    from holdfast.errors import BadArgument
    from holdfast.settings.home_path import home_of
    from holdfast.surfaces.http.token import VARIABLE as TOKEN
    from holdfast.surfaces.http.token import checked_token

    _log_warnings()
    if args.database == "-":
        database = os.environ.get(DATABASE, "")
    else:
        database = args.database
    if not database:
        raise BadArgument("--database", f"name the database, postgresql://USER@HOST/NAME, or set {DATABASE}")
    if os.environ.get(TOKEN):
        checked_token(os.environ[TOKEN], TOKEN)
    if args.tenants < 1 or args.connections < 1 or not 0 <= args.cache_gb < math.inf:
        raise BadArgument(
            "--tenants", "a server needs at least one tenant, one connection, and a cache of 0 GB or more"
        )
    serving = _serving(args)
    try:
        from holdfast.surfaces.http.http_server import bound
        from holdfast.surfaces.http.team_server import Team, serve_team
    except ModuleNotFoundError as error:
        from holdfast.settings.installation import missing_extra

        raise missing_extra(error.name or "mcp", "server", error) from error
    team = Team(
        database=database,
        cache=args.cache or os.path.join(home_of(args.home), "cache"),
        cache_bytes=int(args.cache_gb * 2**30),
        tenants=args.tenants,
        connections=args.connections,
        operator=os.environ.get(TOKEN) or None,
    )

    def tell(url: str) -> None:
        if console.as_json:
            console.json({"url": url, "mcp": f"{url}/mcp", "ready": f"{url}/ready"})
        else:
            console.line(f"Serving tenants at {url} (MCP at {url}/mcp). Stop with Ctrl-C.")
            console.line("Programs send a token that `holdfast db add-token` made.")
        console.finish()

    serve_team(serving, team, tell, bound(serving))


def _log_warnings() -> None:
    import logging

    from holdfast.surfaces.log_throttle import ThrottledHandler

    shape = "%(asctime)s %(name)s %(levelname)s %(message)s"
    logging.basicConfig(level=logging.WARNING, format=shape, handlers=[ThrottledHandler()])


def _serving(args: argparse.Namespace) -> ServerOptions:
    """Return how to serve, as the arguments say."""
    try:
        from holdfast.surfaces.http.http_server import ServerOptions
    except ModuleNotFoundError as error:
        from holdfast.settings.installation import missing_extra

        raise missing_extra(error.name or "mcp", "server", error) from error
    return ServerOptions(
        args.home,
        agent_of(args),
        args.host,
        args.port,
        args.allow_remote,
        tuple(args.allow_host),
        Profile(args.tools),
        not args.no_watch,
        args.structured,
    )


def serve_until_stopped(
    args: argparse.Namespace, tell: Callable[[ServerOptions, str, str], None], *, any_port: bool = False
) -> None:
    """Serve as the arguments say; `tell` is told the address and a link. With `any_port` a taken port is no error."""
    from holdfast.errors import BadArgument
    from holdfast.guard.paths import agent_id
    from holdfast.memory import home_of
    from holdfast.settings.loader import load
    from holdfast.surfaces.http.token import token_of

    refuse_mistyped_home(args)
    _log_warnings()
    serving = _serving(args)
    from holdfast.surfaces.http.http_server import bound, serve

    # Settings that can't be used are told now, and not to the first client.
    load(home_of(args.home), agent_id(agent_of(args)))
    try:
        sock = bound(serving)  # first: where the port is taken, nothing is made
    except BadArgument:
        if not any_port or not 0 <= serving.port <= 65535:  # a port that is taken is one thing, none at all another
            raise
        serving = serving.replace(port=0)
        sock = bound(serving)
    token = token_of(args.home)
    assert token is not None
    serve(serving, token, lambda url, link: tell(serving, url, link), sock)


def _tell(serving: ServerOptions, url: str, link: str, console: Console) -> None:
    """Say where the server is, and how to come in. The token itself is shown nowhere."""
    from holdfast.surfaces.http.host_names import is_loopback
    from holdfast.surfaces.http.token import FILE, VARIABLE

    if console.as_json:
        console.json({"url": url, "link": link, "mcp": f"{url}/mcp", "token_file": FILE})
    else:
        console.line(f"Serving at {url} (MCP at {url}/mcp). Stop with Ctrl-C.")
        console.line(f"In a browser, once within ten minutes: {link}")
        console.line(f"Programs send the token: it is in {FILE} of the home, or in {VARIABLE} where that is set.")
        if not is_loopback(serving.host):
            console.note(
                f"{serving.host} can be reached from other machines, and the line is not encrypted: whoever reads "
                "along has the token. Put a proxy with TLS in front of it, or use a tunnel."
            )
            _show_phones(link, console)
    console.finish()


def _show_phones(link: str, console: Console) -> None:
    """Draw the link for the camera of a phone in the same network, where somebody looks at a terminal."""
    from holdfast.surfaces.cli.qr_code import MOST_BYTES, code_of, qr_lines
    from holdfast.surfaces.http.host_names import reached_from_outside

    reachable = reached_from_outside(link)
    if not console.is_terminal or reachable is None:
        return
    console.line(f"On a phone in this network, instead: {reachable}")
    if len(reachable.encode()) <= MOST_BYTES:
        for row in qr_lines(code_of(reachable)):
            console.styled(console.paint(row, "code"))
