"""A real server for the home of one test, ready at once.

Its packages take more than a second to import, and most tests far less to run: so one process imports them, and each
server is a fork of it. Where the extra `server` is not installed, as beside CrewAI, SERVER_PYTHON names an
interpreter that has it.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from surfaces.http.serving import environment, served

PYTHON = "SERVER_PYTHON"
PRELOADED = ["pytest", "holdfast.surfaces.http.server", "holdfast.surfaces.mcp.web"]
SECONDS_TO_START = 60.0
SECONDS_TO_END = 30.0


@contextmanager
def server_of(home: Path) -> Iterator[str]:
    """The address of a server of this home, for a block; it must end well."""
    if find_spec("uvicorn") is not None and find_spec("mcp.server") is not None and PYTHON not in os.environ:
        with _forked(home) as url:
            yield url
        return
    if PYTHON not in os.environ:
        pytest.skip(f"holdfast[server] is not installed here; {PYTHON} may name a Python that has it")
    with served(home, "--no-watch", python=os.environ[PYTHON]) as running:
        yield running.url


@contextmanager
def _forked(home: Path) -> Iterator[str]:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_serve, args=(str(home), environment(home), theirs))
    with ours:
        process.start()
        theirs.close()
        try:
            assert ours.poll(SECONDS_TO_START), "the server does not say that it is ready"
            yield ours.recv()
        finally:
            process.terminate()
            process.join(SECONDS_TO_END)
            status = process.exitcode
            process.close()
    assert status == 0


def _serve(home: str, variables: Mapping[str, str], told: Connection) -> None:
    from holdfast.surfaces.http.server import Serving, serve
    from holdfast.surfaces.http.token import token_of

    os.environ.clear()
    os.environ.update(variables)
    token = token_of(home)
    assert token is not None
    serve(Serving(home, port=0, watch=False), token, lambda url, _: told.send(url))
