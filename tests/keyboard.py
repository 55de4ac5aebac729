"""A command at a real terminal: what a person types, and what is shown."""

from __future__ import annotations

import os
import termios

import fork_server
from commandline import SCRIPT

__all__ = ["Keyboard"]

# A session of its own with this terminal, so that Ctrl-C reaches it as it would a person's; and streams that send each
# line, as Python makes them where it starts at one.
_AT_TERMINAL = f"""import fcntl, os, sys, termios
os.setsid()
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
for stream in (sys.stdout, sys.stderr):
    stream.reconfigure(line_buffering=True)
{SCRIPT}
"""


class Keyboard:
    """A child at a real terminal: keys in, what is shown out."""

    def __init__(self, *argv: str, term: str = "xterm") -> None:
        self._ours, theirs = os.openpty()
        # A terminal forgets on Ctrl-C what was written to it and not yet shown; a person would see it, a test waits.
        modes = termios.tcgetattr(theirs)
        modes[3] |= termios.NOFLSH
        termios.tcsetattr(theirs, termios.TCSANOW, modes)
        env = {**os.environ, "TERM": term, "INPUTRC": "/dev/null"}
        self._child = fork_server.start(_AT_TERMINAL, *argv, env=env, streams=[theirs] * 3)
        os.close(theirs)
        self.shown = ""
        self._read = 0

    def type(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def until(self, text: str, *, again: str = "") -> str:
        """What is shown up to this text, since the last one that was waited for.

        `again` is typed once more when nothing comes: a Ctrl-C between a prompt and the wait for a key may be lost.
        """
        tries = 0
        while text not in self.shown[self._read :]:
            while again and not fork_server.readable([self._ours], 1):
                tries += 1
                assert tries < 60, f"{text!r} was never shown: {self.shown!r}"
                self.type(again)
            assert self._more(), f"{text!r} was never shown: {self.shown!r}"
        at = self.shown.index(text, self._read) + len(text)
        part, self._read = self.shown[self._read : at], at
        return part

    def end(self) -> int:
        while self._more():
            pass
        status = self._child.wait(timeout=60)
        os.close(self._ours)
        return status

    def _more(self) -> bool:
        if not fork_server.readable([self._ours], 60):
            self._child.kill()
            raise AssertionError(f"nothing came any more: {self.shown!r}")
        try:
            piece = os.read(self._ours, 65_536)
        except OSError:  # Linux says EIO when the last writer is gone
            return False
        self.shown += piece.decode("utf-8", "replace")
        return bool(piece)
