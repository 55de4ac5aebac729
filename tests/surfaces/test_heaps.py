"""A server that runs for weeks shares few heaps: each thread's own would keep what was freed there."""

from __future__ import annotations

import platform
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from fork_server import Process
from surfaces.http.serving import begun
from surfaces.mcp.raw import call, python, running

pytestmark = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries have no such heaps")

MOST = 2
TELL = """
import ctypes, signal
library = ctypes.CDLL(None)
signal.signal(signal.SIGUSR1, lambda *_: library.malloc_info(0, ctypes.c_void_p.in_dll(library, "stderr")))
"""


def heaps_of(process: Process) -> int:
    """Ask a process for its heaps, and count them."""
    process.send_signal(signal.SIGUSR1)
    assert process.stderr is not None
    told = list(iter(process.stderr.readline, b"</malloc>\n"))
    return sum(line.startswith(b"<heap nr=") for line in told)


def test_the_threads_of_a_server_share_two_heaps(tmp_path: Path) -> None:
    program = f"{TELL}\nimport sys\nfrom holdfast.surfaces.cli.main import main\nsys.exit(main(sys.argv[1:]))"
    web = begun(tmp_path / "home", program=program, python=sys.executable)

    def save_and_search(number: int) -> None:
        web.call("PUT", f"/api/v1/notes/memory/{number}.md", {"content": f"The heron of day {number} waits."})
        assert web.call("POST", "/api/v1/search", {"query": "heron"}).status == 200

    try:
        with ThreadPoolExecutor(6) as threads:
            list(threads.map(save_and_search, range(12)))
        assert 1 <= heaps_of(web.process) <= MOST
    finally:
        web.stop()


def test_the_threads_of_an_mcp_server_share_two_heaps() -> None:
    with running(command=python(TELL)) as server:
        server.greet()
        server.say(*(call(number, "memory_search", {"query": f"heron {number}"}) for number in range(6)))
        for _ in range(6):
            assert "result" in server.hear()
        assert 1 <= heaps_of(server.process) <= MOST
