"""A note without an exact text, whatever its lines end in."""

from __future__ import annotations

import re
from bisect import bisect_left

__all__ = ["remove_text"]


def remove_text(old: bytes, text: str, *, every: bool) -> tuple[bytes, int]:
    """Return the note without the text, and how often it was removed.

    Line ends of any kind are equal here, because memory_get shows them as one kind.
    """
    wanted, flat = _unix(text.encode("utf-8", "surrogatepass")), _unix(old)
    # Where a flat offset lies in the note: every CRLF before it adds one byte.
    pairs = [match.start() - number for number, match in enumerate(re.finditer(rb"\r\n", old))]
    kept: list[bytes] = []
    removed = done = 0
    at = flat.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        kept.append(old[done : at + bisect_left(pairs, at)])
        done = end + bisect_left(pairs, end)
        removed += 1
        at = flat.find(wanted, end) if every else -1
    return b"".join(kept) + old[done:], removed


def _unix(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
