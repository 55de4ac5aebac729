"""The file behind a matrix: row numbers, vectors and, where there are many, the codes that say which to compare.

It is written in one step, never changed, and mapped by readers, who keep what they have mapped. It is written some rows
at a time, so that a million vectors need no gigabyte of memory.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import struct
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

from holdfast.index.sqlite.quantization import ByteVectors
from holdfast.index.sqlite.shortlist import Codes, sign_words
from holdfast.named_tuple import NamedTuple
from holdfast.notes.private_database import open_private

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy as np

    Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

__all__ = ["Batch", "FileExtent", "MappedFile", "checksum_of", "map_file", "write_file"]

_HEADER = struct.Struct("<4sIQ32sI12x")  # 64 bytes: what follows is aligned
_MAGIC = b"HFM3"
_AT_ONCE = 512  # rows: as numbers of four bytes they stay in the processor's second cache
_BYTES_SUMMED = 1 << 20


class MappedFile(NamedTuple):
    """A file of vectors, mapped into memory."""

    rows: Array
    vectors: ByteVectors
    codes: Codes | None
    file: mmap.mmap

    def release(self) -> None:
        """Let go of the vectors that were read; the system has them at hand, but they are not this process's memory."""
        if hasattr(mmap, "MADV_DONTNEED"):
            self.file.madvise(mmap.MADV_DONTNEED, 0, _whole_pages(self.vectors))


def map_file(path: str, uid: str, dimensions: int) -> MappedFile | None:
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
        return None  # no file, or a part of one
    parts: list[Array] = []
    at = _HEADER.size
    for size, kind in zip(_sizes(count, dimensions, coded), ("i1", "<f4", "<i8", "<u8", "<f4"), strict=True):
        parts.append(np.frombuffer(mapped, dtype=kind, count=size // np.dtype(kind).itemsize, offset=at))
        at += size
    codes, steps, rows, signs, reaches = parts
    if (np.diff(rows) <= 0).any():
        return None  # it was written in ascending order; something else has written to it since
    vectors = ByteVectors(codes[: count * dimensions].reshape(count, dimensions), steps[:count])
    if not coded:
        return MappedFile(rows, vectors, None, mapped)
    if hasattr(mmap, "MADV_RANDOM"):
        # Some thousand vectors here and there are read: without this, 128 KB around each of them.
        mapped.madvise(mmap.MADV_RANDOM, 0, _whole_pages(vectors))
    return MappedFile(rows, vectors, Codes(signs.reshape(-1, count), reaches[:count]), mapped)


def _whole_pages(vectors: ByteVectors) -> int:
    """Return how many bytes from the beginning of the file on hold vectors and nothing else, but for the header."""
    return int(vectors.codes.nbytes) // mmap.PAGESIZE * mmap.PAGESIZE


class Batch(NamedTuple):
    """Rows to be written: their numbers, ascending, and their vectors."""

    numbers: Sequence[int]
    vectors: ByteVectors


class FileExtent(NamedTuple):
    """Says what a file has that was written: its last row, how many there are, its size and its checksum."""

    last: int
    rows: int
    size: int
    checksum: int


def write_file(path: str, uid: str, dimensions: int, batches: Iterable[Batch], exact_up_to: int) -> FileExtent | None:
    """Write rows, which come in ascending order; more than `exact_up_to` get codes. None where the disk is full."""
    part = f"{path}.{os.urandom(4).hex()}.hf-tmp"
    try:
        with os.fdopen(open_private(part, os.O_RDWR | os.O_EXCL), "wb") as file:
            rows = _write(file, part, uid, dimensions, batches, exact_up_to)
            file.flush()
            os.fsync(file.fileno())  # else a crash could leave a whole file of zeros under the name
            size = os.fstat(file.fileno()).st_size
        checksum = checksum_of(part)
        os.replace(part, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(part)
        return None
    return FileExtent(int(rows[-1]) if len(rows) else 0, len(rows), size, checksum)


def checksum_of(path: str) -> int:
    """Return the checksum of a file, by which damage is told."""
    from zlib import crc32

    found = 0
    with open(path, "rb") as file:
        while some := file.read(_BYTES_SUMMED):
            found = crc32(some, found)
    return found


def _write(
    file: BinaryIO,
    name: str,
    uid: str,
    dimensions: int,
    batches: Iterable[Batch],
    exact_up_to: int,
) -> Array:
    """Write the parts, and return the rows."""
    import numpy as np

    file.write(bytes(_HEADER.size))
    numbers: list[Array] = [np.empty(0, dtype="<i8")]
    steps: list[Array] = [np.empty(0, dtype="<f4")]
    for batch in batches:
        numbers.append(np.array(batch.numbers, dtype="<i8"))
        steps.append(batch.vectors.steps)
        file.write(batch.vectors.codes.data)
    rows, every_step = np.concatenate(numbers), np.concatenate(steps)
    count = len(rows)
    coded = count > exact_up_to
    parts = [every_step, rows]
    if coded:
        file.flush()
        parts += _codes(name, every_step, dimensions)
    at = _HEADER.size
    for size, part in zip(_sizes(count, dimensions, coded), [None, *parts], strict=False):
        if part is not None:
            file.seek(at)
            file.write(part.data)
        at += size
    file.truncate(at)
    file.seek(0)
    file.write(_HEADER.pack(_MAGIC, dimensions, count, uid.encode(), coded))
    return rows


def _codes(name: str, steps: Array, dimensions: int) -> tuple[Array, Array]:
    """Return the signs and the reaches, from the vectors that are on file already."""
    import numpy as np

    count = len(steps)
    signs = np.empty((sign_words(dimensions), count), dtype="<u8")
    reaches = np.empty(count, dtype="<f4")
    mean = sum(block.sum(axis=0, dtype="<f8") for _, block in _blocks(name, steps, dimensions)) / count
    for start, block in _blocks(name, steps, dimensions):
        codes, end = Codes.of(block, mean.astype("<f4")), start + len(block)
        signs[:, start:end], reaches[start:end] = codes.signs, codes.reaches
    return signs, reaches


def _blocks(name: str, steps: Array, dimensions: int) -> Iterable[tuple[int, Array]]:
    import numpy as np

    with open(name, "rb") as file:
        file.seek(_HEADER.size)
        for start in range(0, len(steps), _AT_ONCE):
            some = steps[start : start + _AT_ONCE]
            numbers = np.frombuffer(file.read(len(some) * dimensions), dtype=np.int8).reshape(len(some), dimensions)
            yield start, ByteVectors(numbers, some).floats()


def _sizes(count: int, dimensions: int, coded: bool) -> tuple[int, ...]:
    """Return bytes of the vectors, their steps, rows, signs and reaches; each begins at a multiple of eight."""
    signs, reaches = (8 * count * sign_words(dimensions), 4 * count) if coded else (0, 0)
    return tuple(-(-size // 8) * 8 for size in (count * dimensions, 4 * count, 8 * count, signs, reaches))
