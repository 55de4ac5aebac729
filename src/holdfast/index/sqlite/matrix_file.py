"""The file behind a matrix: row numbers, vectors and, where there are many, the codes that say which to compare.

It is derived from SQLite and disposable, written in one step, and mapped by readers, who keep what they have mapped. It
is written as it is read from SQLite, some rows at a time, so that a million vectors need no gigabyte of memory.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import struct
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from holdfast.index.sqlite.shortlist import Codes, fine_width, sign_words
from holdfast.notes.private import open_private

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy as np

    Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

__all__ = ["Mapped", "map_file", "write_file"]

_HEADER = struct.Struct("<4sIQ32sI12x")  # 64 bytes: what follows is aligned
_MAGIC = b"HFM2"
_AT_ONCE = 8_192  # rows


class Mapped(NamedTuple):
    """What is on file."""

    rows: Array
    vectors: Array
    codes: Codes | None


def map_file(path: str, uid: str, dimensions: int) -> Mapped | None:
    """Map the file, if there is one of this space and it is whole."""
    import numpy as np

    try:
        with open(path, "rb") as file:
            magic, found, count, of, coded = _HEADER.unpack(file.read(_HEADER.size))
            if (magic, found, of) != (_MAGIC, dimensions, uid.encode()) or not count:
                return None
            if os.fstat(file.fileno()).st_size != _HEADER.size + sum(_sizes(count, dimensions, coded)):
                return None
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError, struct.error):
        return None  # no file, or a part of one: the rows are read from SQLite instead
    parts: list[Array] = []
    at = _HEADER.size
    types = ("<f4", "<u8", "<i8", "<f4", "<f4", "u1")
    for size, kind in zip(_sizes(count, dimensions, coded), types, strict=True):
        parts.append(np.frombuffer(mapped, dtype=kind, count=size // np.dtype(kind).itemsize, offset=at))
        at += size
    vectors, signs, rows, reaches, steps, fine = parts
    if (np.diff(rows) <= 0).any():
        return None  # it was written in ascending order; something else has written to it since
    vectors = vectors[: count * dimensions].reshape(count, dimensions)
    if not coded:
        return Mapped(rows, vectors, None)
    if hasattr(mmap, "MADV_RANDOM"):
        # A few hundred vectors here and there are read: without this, 128 KB around each of them.
        page = mmap.PAGESIZE
        mapped.madvise(mmap.MADV_RANDOM, 0, vectors.nbytes // page * page)
    codes = Codes(signs.reshape(-1, count), fine.reshape(count, -1), reaches[:count], steps[:count])
    return Mapped(rows, vectors, codes)


def write_file(
    path: str, uid: str, dimensions: int, batches: Iterable[Sequence[tuple[int, bytes]]], exact_up_to: int
) -> None:
    """Write rows, which come in ascending order; more than `exact_up_to` get codes. A disk that is full costs speed."""
    _sweep(path)
    part = f"{path}.{os.urandom(4).hex()}.hf-tmp"
    try:
        with os.fdopen(open_private(part, os.O_RDWR | os.O_EXCL), "wb") as file:
            _write(file, part, uid, dimensions, batches, exact_up_to)
            file.flush()
            os.fsync(file.fileno())  # else a crash could leave a whole file of zeros under the name
        os.replace(part, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(part)


def _write(
    file: BinaryIO,
    name: str,
    uid: str,
    dimensions: int,
    batches: Iterable[Sequence[tuple[int, bytes]]],
    exact_up_to: int,
) -> None:
    import numpy as np

    file.write(bytes(_HEADER.size))
    numbers: list[Array] = []
    for batch in batches:
        numbers.append(np.fromiter((row for row, _ in batch), dtype="<i8", count=len(batch)))
        file.write(b"".join(vector for _, vector in batch))
    rows = np.concatenate(numbers) if numbers else np.empty(0, dtype="<i8")
    count = len(rows)
    coded = count > exact_up_to
    file.write(bytes(_sizes(count, dimensions, coded)[0] - 4 * count * dimensions))
    if coded:
        file.flush()
        _write_codes(file, name, rows, dimensions)
    else:
        file.write(rows.tobytes())
    file.seek(0)
    file.write(_HEADER.pack(_MAGIC, dimensions, count, uid.encode(), coded))


def _write_codes(file: BinaryIO, name: str, rows: Array, dimensions: int) -> None:
    """The other parts, from the vectors that are on file already; the longest comes last, and is not held."""
    import numpy as np

    count = len(rows)
    signs = np.empty((sign_words(dimensions), count), dtype="<u8")
    reaches, steps = np.zeros(count + count % 2, dtype="<f4"), np.zeros(count + count % 2, dtype="<f4")
    mean = sum(block.sum(axis=0, dtype="<f8") for _, block in _blocks(name, count, dimensions)) / count
    begin = file.tell()
    file.seek(begin + signs.nbytes + rows.nbytes + reaches.nbytes + steps.nbytes)
    for start, block in _blocks(name, count, dimensions):
        codes, end = Codes.of(block, mean.astype("<f4")), start + len(block)
        signs[:, start:end], reaches[start:end], steps[start:end] = codes.signs, codes.reaches, codes.steps
        file.write(codes.fine.tobytes())
    file.seek(begin)
    for part in (signs, rows, reaches, steps):
        file.write(part.tobytes())


def _blocks(name: str, count: int, dimensions: int) -> Iterable[tuple[int, Array]]:
    import numpy as np

    with open(name, "rb") as file:
        file.seek(_HEADER.size)
        for start in range(0, count, _AT_ONCE):
            some = min(_AT_ONCE, count - start)
            yield start, np.frombuffer(file.read(4 * some * dimensions), dtype="<f4").reshape(some, dimensions)


def _sizes(count: int, dimensions: int, coded: bool) -> tuple[int, int, int, int, int, int]:
    """Bytes of vectors, signs, rows, reaches, steps and the finer codes; each begins at a multiple of eight."""
    vectors, each = 4 * count * dimensions, 4 * (count + count % 2)
    vectors += -vectors % 8
    if not coded:
        return vectors, 0, 8 * count, 0, 0, 0
    return vectors, 8 * count * sign_words(dimensions), 8 * count, each, each, count * fine_width(dimensions)


def _sweep(path: str) -> None:
    """Remove what a process left that died while it wrote the file; one that still writes tries again later."""
    folder, name = os.path.split(path)
    for other in os.listdir(folder):
        if other.startswith(f"{name}.") and other.endswith(".hf-tmp"):
            with contextlib.suppress(OSError):
                os.unlink(os.path.join(folder, other))
