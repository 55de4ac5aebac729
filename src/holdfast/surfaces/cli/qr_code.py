"""A link as a QR code, for the camera of a phone: versions 1 to 5 at the lowest level of correction (ISO/IEC 18004)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

__all__ = ["MOST_BYTES", "code_of", "qr_lines"]

_SIZES: Final = {1: (19, 7), 2: (34, 10), 3: (55, 15), 4: (80, 20), 5: (108, 26)}  # bytes of data and of correction
MOST_BYTES: Final = _SIZES[5][0] - 2
_FIELD: Final = 0x11D  # the polynomial of the field that corrections are counted in
_PAD: Final = (0xEC, 0x11)
_QUIET: Final = 2  # modules around it
_FORMAT: Final = 0b111011111000100  # lowest level, mask 0, with their own correction

Grid = list[list[bool]]


def code_of(text: str) -> Grid:
    """Return the modules, dark ones true; ValueError where the text is too long."""
    data = text.encode()
    version = next((number for number, (room, _) in _SIZES.items() if len(data) + 2 <= room), None)
    if version is None:
        raise ValueError(f"{len(data)} bytes do not fit into a code of {MOST_BYTES}")
    size = 17 + 4 * version
    fixed = dict(_fixed(size, version))
    words = _words(data, *_SIZES[version])
    bits = (word >> shift & 1 for word in words for shift in range(7, -1, -1))
    for row, column in _path(size, fixed):
        # The mask: every second module is turned round, so that no large area is of one colour.
        fixed[row, column] = bool(next(bits, 0)) ^ ((row + column) % 2 == 0)
    return [[fixed[row, column] for column in range(size)] for row in range(size)]


def qr_lines(grid: Grid) -> Iterator[str]:
    """Yield lines for a terminal with light letters on a dark ground, two rows of modules in each."""
    blank = [False] * (len(grid) + 2 * _QUIET)
    padded = [blank] * _QUIET + [[False] * _QUIET + row + [False] * _QUIET for row in grid] + [blank] * _QUIET
    for upper, lower in zip(padded[::2], [*padded[1::2], blank], strict=False):
        yield "".join(" ▄▀█"[2 * (not up) + (not down)] for up, down in zip(upper, lower, strict=True))


def _words(data: bytes, room: int, corrections: int) -> list[int]:
    """Return the bytes of a code: those of the text with their length before them, what fills it up, the correction."""
    number = 0b0100 << 8 | len(data)
    for byte in data:
        number = number << 8 | byte
    written = list((number << 4).to_bytes(len(data) + 2, "big"))
    written += [_PAD[at % 2] for at in range(room - len(written))]
    return written + _remainder(written, corrections)


def _remainder(words: Sequence[int], count: int) -> list[int]:
    """Return the correction of Reed and Solomon: what is left when the words are divided by their polynomial."""
    divisor = [0] * (count - 1) + [1]
    root = 1
    for _ in range(count):
        divisor = [_times(this, root) ^ following for this, following in zip(divisor, [*divisor[1:], 0], strict=True)]
        root = _times(root, 2)
    rest = [0] * count
    for word in words:
        factor = word ^ rest[0]
        rest = [after ^ _times(part, factor) for after, part in zip([*rest[1:], 0], divisor, strict=True)]
    return rest


def _times(left: int, right: int) -> int:
    product = 0
    for shift in range(7, -1, -1):
        product = product << 1 ^ (product >> 7) * _FIELD
        product ^= (right >> shift & 1) * left
    return product


def _fixed(size: int, version: int) -> Iterator[tuple[tuple[int, int], bool]]:
    """Yield the modules that are the same in every code of a size, what comes later holds; and those of the format."""
    for at in range(size):
        yield (6, at), at % 2 == 0
        yield (at, 6), at % 2 == 0
    for top, left in ((0, 0), (0, size - 7), (size - 7, 0)):
        yield from _rings(top + 3, left + 3, 4, size)
    if version > 1:
        yield from _rings(size - 7, size - 7, 2, size)
    for at in range(15):
        bit = bool(_FORMAT >> at & 1)
        beside = at + (at > 5) if at < 8 else 15 - at - (at > 8)  # the lines of the rhythm are left out
        yield ((beside, 8) if at < 8 else (8, beside)), bit
        yield ((8, size - 1 - at) if at < 8 else (size - 15 + at, 8)), bit
    yield (size - 8, 8), True


def _rings(row: int, column: int, radius: int, size: int) -> Iterator[tuple[tuple[int, int], bool]]:
    """Yield a square that a camera looks for: rings around a middle, the outer one of the large squares light."""
    for down in range(-radius, radius + 1):
        for right in range(-radius, radius + 1):
            place = row + down, column + right
            if min(place) >= 0 and max(place) < size:
                ring = max(abs(down), abs(right))
                yield place, ring in ((0, 1, 3) if radius == 4 else (0, 2))


def _path(size: int, fixed: dict[tuple[int, int], bool]) -> list[tuple[int, int]]:
    """Return the free modules in the order of the bits: two columns at a time from the right, up and down by turns."""
    free = []
    columns = [column for column in range(size - 1, 0, -2) if column > 6] + [5, 3, 1]
    for turn, column in enumerate(columns):
        for at in range(size):
            row = at if turn % 2 else size - 1 - at
            free += [(row, column - side) for side in (0, 1) if (row, column - side) not in fixed]
    return free
