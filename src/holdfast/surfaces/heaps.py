"""The heaps of the C library: a server that runs for weeks keeps few of them, and gives back what it has freed.

Each thread would get a heap of its own, and keep what was freed there; and once a large array was freed, the next ones
would be cut out of these heaps. A server that saved and searched grew by thirty megabytes for a thousand saves so, of
which four were in use.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

__all__ = ["limit_heaps", "trim_heaps"]

# Numbers of malloc.h
_ARENA_MAX: Final = -8
_MMAP_THRESHOLD: Final = -3

_MOST: Final = 2
_LARGE: Final = 128 * 1024  # bytes; where it starts anyway, but a number that was set is not raised any more


def limit_heaps() -> None:
    """Have all threads share two heaps, and large arrays lie outside of them; call it before there are threads."""
    import ctypes

    with suppress(OSError, AttributeError):  # another C library
        library = ctypes.CDLL(None)
        library.mallopt(_ARENA_MAX, _MOST)
        library.mallopt(_MMAP_THRESHOLD, _LARGE)


def trim_heaps() -> None:
    """Give what was freed back to the system, which the C library would keep most of."""
    import ctypes

    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
