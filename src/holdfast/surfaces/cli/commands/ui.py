"""`holdfast ui`"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from holdfast.plural import clause, count_of
from holdfast.surfaces.cli.command_memory import refuse_mistyped_home
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.web_browser import open_browser

if TYPE_CHECKING:
    from holdfast.surfaces.agents.server_request import Server
    from holdfast.surfaces.http.http_server import ServerOptions

EXAMPLES = """\
  holdfast ui
  holdfast ui --no-open
  holdfast ui --revoke-all
"""
MAY_BEGIN_HOME = True
_PATIENCE = 10.0  # seconds for a server that runs to answer


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: how to come in, or that nobody may any more."""
    parser.add_argument("--no-open", action="store_true", help="only print the link, which lets one browser in once")
    parser.add_argument(
        "--port", metavar="PORT", type=int, default=7437, help="where to listen if no server runs yet (default: 7437)"
    )
    parser.add_argument("--revoke-all", action="store_true", help="let no browser in any more that came by a link")


def run(args: argparse.Namespace, console: Console) -> int:
    """Open the web app with the server that runs, or start one and stay until Ctrl-C."""
    from holdfast.memory import home_of
    from holdfast.surfaces.agents.server_request import server_of

    refuse_mistyped_home(args)
    home = home_of(args.home)
    if args.revoke_all:
        return _revoke_all(home, console)
    server = server_of(home)
    link = None
    if server is not None:
        link = _link_of(server)
    if link is not None:
        _tell(link, console, opened=not args.no_open and open_browser(link), started=False)
        return 0
    return _serve(args, console)


def _link_of(server: Server) -> str | None:
    """A link from the server that runs; None where it does not answer."""
    import http.client
    import json

    line = http.client.HTTPConnection(server.host, server.port, timeout=_PATIENCE)
    try:
        line.request("POST", "/api/v1/entry", headers={"Authorization": f"Bearer {server.token}"})
        answer = line.getresponse()
        answered = json.loads(answer.read())
        if answer.status != 200:
            return None
        return str(answered["url"])
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
        return None
    finally:
        line.close()


def _serve(args: argparse.Namespace, console: Console) -> int:
    from holdfast.surfaces.cli.commands.serve import serve_until_stopped
    from holdfast.surfaces.mcp.tool_profile import Profile

    for name, value in (
        *(("host", "127.0.0.1"), ("allow_remote", False), ("allow_host", []), ("tools", Profile.CORE)),
        *(("structured", False), ("no_watch", False)),
    ):
        setattr(args, name, value)

    def tell(_: ServerOptions, __: str, link: str) -> None:
        _tell(link, console, opened=not args.no_open and open_browser(link), started=True)

    # The port of before may be another program's by now; a page is let in at any.
    serve_until_stopped(args, tell, any_port=True)
    if not console.as_json:
        console.note("Stopped.")
    return 0


def _tell(link: str, console: Console, *, opened: bool, started: bool) -> None:
    url = link.partition("/enter")[0]
    if console.as_json:
        console.json({"url": url, "link": link, "opened": opened, "started": started})
    else:
        stop = clause(" Stop with Ctrl-C.", started)
        if opened:
            console.line(f"Opened {url}.{stop}")
        else:
            console.line(f"The web app is at {url}.{stop}")
            console.line(f"Open this link, once within ten minutes: {link}")
    console.finish()


def _revoke_all(home: str, console: Console) -> int:
    from holdfast.surfaces.http.browsers import Browsers

    count = Browsers(home).clear()
    if console.as_json:
        console.json({"revoked": count})
    else:
        console.line(f"{count_of(count, 'browser')} let in no more. `holdfast ui` lets one in again.")
    return 0
