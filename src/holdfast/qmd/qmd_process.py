"""One run of QMD: within its time, with no more output than is of use, and nothing of it left behind.

Without its models QMD waits for a download that never ends, so its whole process group goes when the time is over; and
what has left the group is found by a mark in its environment, which is inherited by all that it starts.
"""

from __future__ import annotations

import os
import selectors
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from holdfast.errors import ProviderFailed, ProviderMissing
from holdfast.named_tuple import NamedTuple

__all__ = ["FinishedRun", "environment", "program", "run"]

_MOST_OUT: Final = 8 * 1024 * 1024  # bytes; a hundred hits take some hundred thousand
_LAST_ERR: Final = 4096
_MARK: Final = "QMD_RUN_OF_HOLDFAST"
_LOOKS: Final = 20
_TICK: Final = 0.1  # seconds between looks at `stop` and at a process that is gone
_REMEDY: Final = "Install it (npm install -g @tobilu/qmd), or set memory.qmd.command; see docs/qmd.md."
# What it needs to run and to find its models. No key of any provider: it has no use for one.
_PASSED: Final = (
    *("PATH", "HOME", "USER", "TMPDIR", "TZ", "LANG", "LC_ALL", "LC_CTYPE", "XDG_CACHE_HOME", "CUDA_VISIBLE_DEVICES"),
    *("QMD_EMBED_MODEL", "QMD_RERANK_MODEL", "QMD_GENERATE_MODEL", "QMD_LLAMA_GPU"),
)


class FinishedRun(NamedTuple):
    """The end of a run: its status and its output; `message` is the last line of its errors."""

    status: int
    out: bytes
    message: str


def program(command: str) -> str:
    """Return where the program is; raises ProviderMissing where it is not."""
    found = shutil.which(os.path.expanduser(command))
    if found is None:
        raise ProviderMissing("qmd", f"the program {command!r} is not here", _REMEDY)
    return found


def environment(index: str, config: str) -> dict[str, str]:
    """Return what QMD is told by variables: where its index and its configuration are."""
    kept = {name: os.environ[name] for name in _PASSED if name in os.environ}
    return {**kept, "INDEX_PATH": index, "QMD_CONFIG_DIR": config, "NO_COLOR": "1"}


def run(
    argv: Sequence[str], env: Mapping[str, str], cwd: str, seconds: float, stop: threading.Event | None = None
) -> FinishedRun:
    """Run it to its end; raises ProviderFailed where it takes longer, says too much or can't be started."""
    if seconds <= 0:
        raise ProviderFailed("qmd", "there was no time left to ask it")
    mark = os.urandom(16).hex()
    try:
        child = subprocess.Popen(
            argv,
            env={**env, _MARK: mark},
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            umask=0o077,
        )
    except OSError as error:
        raise ProviderFailed("qmd", f"it could not be started ({error.strerror or error})") from None
    with child:
        try:
            out, err = _heard(child, time.monotonic() + seconds, stop, f"it took longer than {seconds:.3g} s")
        except ProviderFailed:
            _end_group(child)
            _end_marked(f"{_MARK}={mark}".encode())
            raise
        finally:
            _end_group(child)
    lines = err.decode("utf-8", "replace").strip().splitlines()
    return FinishedRun(child.returncode, out, lines[-1][:200] if lines else "")


def _end_group(child: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)


def _end_marked(mark: bytes) -> None:
    """End every process that carries the mark, also one with a session of its own; where there is no /proc, none.

    Another look follows until one finds nothing: what ends may have started something meanwhile.
    """
    for _ in range(_LOOKS):
        found = [pid for pid in _processes() if mark in _environment_of(pid)]
        for pid in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        if not found:
            return


def _processes() -> list[int]:
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []


def _environment_of(pid: int) -> list[bytes]:
    """The variables of a process; none of one that is gone, has ended, or is another user's."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as environ:
            return environ.read().split(b"\0")
    except OSError:
        return []


def _heard(child: subprocess.Popen[bytes], end: float, stop: threading.Event | None, late: str) -> tuple[bytes, bytes]:
    """All of its output, and the last of its errors."""
    assert child.stdout is not None
    assert child.stderr is not None
    heard = {child.stdout: bytearray(), child.stderr: bytearray()}
    with selectors.DefaultSelector() as pipes:
        for pipe in heard:
            pipes.register(pipe, selectors.EVENT_READ)
        while pipes.get_map():
            left = end - time.monotonic()
            if left <= 0:
                raise ProviderFailed("qmd", late)
            if stop is not None and stop.is_set():
                raise ProviderFailed("qmd", "the memory was closed")
            ready = pipes.select(min(left, _TICK))
            for key, _ in ready:
                piece = os.read(key.fd, 65_536)
                if not piece:
                    pipes.unregister(key.fileobj)
                    continue
                held = heard[child.stdout if key.fileobj is child.stdout else child.stderr]
                held += piece
                if held is heard[child.stderr]:
                    del held[:-_LAST_ERR]
                elif len(held) > _MOST_OUT:
                    raise ProviderFailed("qmd", f"it said more than {_MOST_OUT:,} bytes")
            if not ready and child.poll() is not None:
                break  # something that it started holds the pipes open; it goes with the group
    with suppress(subprocess.TimeoutExpired):
        child.wait(max(0.0, end - time.monotonic()))
    if child.returncode is None:
        raise ProviderFailed("qmd", late)
    return bytes(heard[child.stdout]), bytes(heard[child.stderr])
