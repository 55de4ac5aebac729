"""Facts below a note of facts: whether they read the same by themselves as they do there.

Without this, the whole note would have to be cut again each time that a line is added or indexed. A note that holds
nothing but marked bullets of one line each, as Holdfast writes them, has nothing that reaches beyond its line: no
heading that stands above what follows, no code that somebody has not closed. Any other is read whole.
"""

from __future__ import annotations

from typing import Final

__all__ = ["stands_alone"]

_BULLET: Final = b"- "
_END: Final = b"-->"
_REACHES: Final = (b"```", b"~~~", b"- #", b"\r", b"\x0b", b"\x0c", b"\x00", b"\t")


def stands_alone(above: bytes, below: bytes) -> bool:
    """Say whether lines below others in a note of facts can be cut by themselves.

    Blank lines have nothing below them.
    """
    whole = above + below
    if not above or not below or not above.endswith(b"\n") or any(sign in whole for sign in _REACHES):
        return False
    return all(line.startswith(_BULLET) and line.endswith(_END) for line in whole.rstrip(b"\n").split(b"\n"))
