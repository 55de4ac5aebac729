"""The system calls that a sandboxed command is refused, as a program for the kernel's seccomp (classic BPF).

Namespaces do not cover them: the keyring of the session that started us would be the command's too, and the others are
wide doors into the kernel that no ordinary command needs. They fail with EPERM.
"""

from __future__ import annotations

import os
import struct
from typing import Final

__all__ = ["seccomp_program"]

# By machine: its AUDIT_ARCH, and add_key, request_key, keyctl, perf_event_open, bpf, userfaultfd, io_uring_setup.
_CALLS: Final[dict[str, tuple[int, tuple[int, ...]]]] = {
    "x86_64": (0xC000003E, (248, 249, 250, 298, 321, 323, 425)),
    "aarch64": (0xC00000B7, (217, 218, 219, 241, 280, 282, 425)),
}
_X32: Final = 0x40000000  # the same calls by other numbers, on x86_64 alone; no call of aarch64 has so high a number
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER, _ARCHITECTURE = 0, 4  # offsets in struct seccomp_data
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050001, 0x80000000


def seccomp_program(machine: str = "") -> bytes | None:
    """The program for a machine, this one by default; None where its numbers are not known here."""
    known = _CALLS.get(machine or os.uname().machine)
    if known is None:
        return None
    architecture, calls = known
    steps = [(_LOAD, 0, 0, _ARCHITECTURE), (_EQUAL, 1, 0, architecture), (_RETURN, 0, 0, _KILL)]
    steps.append((_LOAD, 0, 0, _NUMBER))
    steps.append((_AT_LEAST, len(calls) + 1, 0, _X32))
    # Each comparison jumps over those after it and the step that allows.
    steps += [(_EQUAL, len(calls) - place, 0, call) for place, call in enumerate(calls)]
    steps += [(_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _REFUSE)]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)
