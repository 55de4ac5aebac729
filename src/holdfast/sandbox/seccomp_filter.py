"""The system calls that a sandboxed command is refused, as a program for the kernel's seccomp (classic BPF).

Namespaces do not cover them: the keyring of the session that started us would be the command's too, and the others are
wide doors into the kernel that no ordinary command needs. They fail with EPERM. So does a call that would put a set-uid
or set-gid bit on a file: inside it has no effect, but the file lies outside too, and is of who started the command.
"""

from __future__ import annotations

import os
import struct
from typing import Final

from holdfast.named_tuple import NamedTuple

__all__ = ["seccomp_program"]


class _Machine(NamedTuple):
    """The numbers of a machine: of its kind, of calls that are refused, and of calls that give a file its mode."""

    architecture: int  # AUDIT_ARCH
    refused: tuple[int, ...]  # add_key, request_key, keyctl, perf_event_open, bpf, userfaultfd, io_uring_setup
    modes: tuple[tuple[int, int], ...]  # a call, and which of its arguments is the mode
    opens: tuple[tuple[int, int], ...]  # a call, and which are the flags; the mode follows, if a file is made


_MACHINES: Final = {
    "x86_64": _Machine(
        0xC000003E,
        (248, 249, 250, 298, 321, 323, 425),
        ((90, 1), (91, 1), (268, 2), (452, 2), (85, 1), (133, 1), (259, 2)),  # chmod to fchmodat2, creat, mknod, -at
        ((2, 1), (257, 2)),
    ),
    "aarch64": _Machine(
        0xC00000B7,
        (217, 218, 219, 241, 280, 282, 425),
        ((52, 1), (53, 2), (452, 2), (33, 2)),
        ((56, 2),),
    ),
}
_OPENAT2: Final = 437  # its mode stands in memory, where no filter sees it; programs go on with openat
_SET_IDS: Final = 0o6000
_MAKES: Final = 0o20000100  # O_TMPFILE's own bit, and O_CREAT; without them the mode is whatever was in the register
_X32: Final = 0x40000000  # the same calls by other numbers, on x86_64 alone; no call of aarch64 has so high a number
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data
_ALLOW, _REFUSE, _UNKNOWN, _KILL = 0x7FFF0000, 0x00050001, 0x00050026, 0x80000000


def seccomp_program(machine: str = "") -> bytes | None:
    """The program for a machine, this one by default; None where its numbers are not known here."""
    known = _MACHINES.get(machine or os.uname().machine)
    if known is None:
        return None
    steps = [(_LOAD, 0, 0, _ARCHITECTURE), (_EQUAL, 1, 0, known.architecture), (_RETURN, 0, 0, _KILL)]
    steps += [(_LOAD, 0, 0, _NUMBER), *_where(_AT_LEAST, _X32, _REFUSE)]
    for call in known.refused:
        steps += _where(_EQUAL, call, _REFUSE)
    steps += _where(_EQUAL, _OPENAT2, _UNKNOWN)
    for call, place in known.modes:
        steps += _unless(call, _judged(place))
    for call, place in known.opens:
        # A file that is not made has no new mode: over the look at it.
        judged = _judged(place + 1)
        made = [(_LOAD, 0, 0, _argument(place)), (_ANY_BIT, 0, len(judged) - 1, _MAKES)]
        steps += _unless(call, [*made, *judged])
    steps.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def _where(test: int, value: int, answer: int) -> list[tuple[int, int, int, int]]:
    """An answer for the calls that a test holds for."""
    return [(test, 0, 1, value), (_RETURN, 0, 0, answer)]


def _unless(call: int, steps: list[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    """Steps that end in an answer, which all calls but one go past."""
    return [(_EQUAL, 0, len(steps), call), *steps]


def _judged(place: int) -> list[tuple[int, int, int, int]]:
    """The answer to a mode, which is an argument; it ends with the one that allows."""
    look = [(_LOAD, 0, 0, _argument(place)), (_ANY_BIT, 0, 1, _SET_IDS)]
    return [*look, (_RETURN, 0, 0, _REFUSE), (_RETURN, 0, 0, _ALLOW)]


def _argument(place: int) -> int:
    """Return where the lower half of an argument stands, on these machines first."""
    return _ARGUMENTS + 8 * place
