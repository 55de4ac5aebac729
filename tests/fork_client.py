"""The command line of a forked process: asks the fork server for it, and stands for it with its streams and its end.

It is run on its own (`python -I -S fork_client.py ADDRESS PROGRAM [ARGUMENT…]`) and so imports next to nothing.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import struct
import sys

__all__ = ["NUMBER", "ask"]

LENGTH = struct.Struct("!Q")
NUMBER = struct.Struct("!i")


def ask(address: str, program: str, argv: tuple[str, ...], env: dict[str, str], streams: list[int]) -> socket.socket:
    """Return the line to a new process, on which its number comes and then how it ended."""
    line = socket.socket(socket.AF_UNIX)
    line.connect(address)
    job = json.dumps({"program": program, "argv": argv, "env": env, "cwd": os.getcwd()}).encode()
    socket.send_fds(line, [LENGTH.pack(len(job))], streams)
    line.sendall(job)
    return line


def _stand_in(name: str, program: str, *argv: str) -> None:
    line = ask("\0" + name, program, argv, dict(os.environ), [0, 1, 2])
    for stream in range(3):
        os.close(stream)
    (child,) = NUMBER.unpack(line.recv(NUMBER.size, socket.MSG_WAITALL))
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda sent, _: os.kill(child, sent))
    (status,) = NUMBER.unpack(line.recv(NUMBER.size, socket.MSG_WAITALL))
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status)


if __name__ == "__main__":
    _stand_in(*sys.argv[1:])
