"""The bytes of many notes that were changed as one, in one file: written with one sync, however many they are.

A pack has the id of its group of changes, which is in each of their lines of the journal. Its first line is JSON, each
hash with the number of its bytes; the bytes follow in that order. It is as read-only and durable as an object.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterator, Mapping

from holdfast.errors import TooLarge, UnsafeFile
from holdfast.guard.text_rules import MAX_NOTE_BYTES
from holdfast.named_tuple import NamedTuple
from holdfast.notes.atomic_write import ensure_directory, sync_directory, write_file
from holdfast.notes.disk import Disk
from holdfast.notes.safe_open import close_quietly, directory, kind_fault, retry, storage_errors
from holdfast.pattern import compile_late

__all__ = ["PACKS", "Packs"]

PACKS = "packs"
_SHOWN = f"checkpoints/objects/{PACKS}"
_NAME = compile_late(r"c[0-9a-f]{12}", re.ASCII)
_HASH = compile_late(r"[0-9a-f]{64}", re.ASCII)
_BLOCK_BYTES = 64 * 1024
_MAX_LISTING_BYTES = 64 * 1024 * 1024  # bytes of a first line: some 900,000 notes
_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


class _Piece(NamedTuple):
    """The position of one hash's bytes in a pack."""

    offset: int
    size: int


class Packs:
    """The packs below the open directory of an agent's checkpoints."""

    def __init__(self, disk: Disk, fd: int, parts: tuple[str, ...]) -> None:
        self.disk, self.fd, self._parts = disk, fd, parts
        self._pack_of: dict[str, str] | None = None

    def write(self, name: str, blobs: Mapping[str, bytes]) -> None:
        """Store bytes under their hashes, all of them or none."""
        self._pack_of = None
        listing = json.dumps({digest: len(data) for digest, data in blobs.items()}, separators=(",", ":"))
        folder = ensure_directory(self.disk, self.fd, self._parts, _SHOWN)
        try:
            data = b"".join((listing.encode("ascii"), b"\n", *blobs.values()))
            write_file(self.disk, self.fd, name, data, f"{_SHOWN}/{name}", target=folder, mode=0o400)
        finally:
            close_quietly(self.disk, folder)

    def load(self, name: str, digest: str) -> bytes | None:
        """Return the bytes under a hash in one pack, or None; the caller compares the hash."""
        if not _NAME.fullmatch(name):
            return None
        try:
            with directory(self.disk, self.fd, self._parts, _SHOWN) as folder:
                return self._load_from(folder, name, digest)
        except FileNotFoundError:
            return None

    def find(self, digest: str) -> bytes | None:
        """Return the bytes under a hash from whichever pack has them.

        The packs are listed once for all that is asked for here.
        """
        if self._pack_of is None:
            self.sizes()
        name = (self._pack_of or {}).get(digest)
        if name is None:
            return None
        return self.load(name, digest)

    def sizes(self) -> dict[str, int]:
        """Return every stored hash with the number of its bytes."""
        sizes: dict[str, int] = {}
        self._pack_of = {}
        for name in self.names():
            for digest, piece in self._pieces(name).items():
                sizes[digest], self._pack_of[digest] = piece.size, name
        return sizes

    def remove(self, digests: Collection[str]) -> None:
        """Rewrite every pack that has some of these without them; an empty one goes."""
        gone = frozenset(digests)
        for name in self.names():
            pieces = self._pieces(name)
            if gone.isdisjoint(pieces):
                continue
            kept = {digest: self.load(name, digest) for digest in pieces if digest not in gone}
            if kept:
                self.write(name, {digest: data for digest, data in kept.items() if data is not None})
            else:
                self._remove_pack(name)

    def names(self) -> list[str]:
        """Return the names of all packs."""
        try:
            with directory(self.disk, self.fd, self._parts, _SHOWN) as folder, storage_errors(_SHOWN, "list"):
                return sorted(name for name in retry(self.disk.names, folder) if _NAME.fullmatch(name))
        except (FileNotFoundError, UnsafeFile):
            return []

    def _remove_pack(self, name: str) -> None:
        self._pack_of = None
        with directory(self.disk, self.fd, self._parts, _SHOWN) as folder:
            with storage_errors(f"{_SHOWN}/{name}", "remove"):
                retry(self.disk.unlink, name, dir_fd=folder)
            sync_directory(self.disk, folder, _SHOWN)

    def _pieces(self, name: str) -> Mapping[str, _Piece]:
        """Return the pieces of a pack; nothing where it can't be read."""
        try:
            with (
                directory(self.disk, self.fd, self._parts, _SHOWN) as folder,
                storage_errors(_SHOWN, "read", missing=True),
            ):
                file = self._open(folder, name)
                try:
                    return self._read_listing(file)
                finally:
                    close_quietly(self.disk, file)
        except (FileNotFoundError, UnsafeFile):
            return {}

    def _load_from(self, folder: int, name: str, digest: str) -> bytes | None:
        shown = f"{_SHOWN}/{name}"
        with storage_errors(shown, "read", missing=True):
            file = self._open(folder, name)
            try:
                piece = self._read_listing(file).get(digest)
                if piece is None:
                    return None
                if piece.size > MAX_NOTE_BYTES:
                    raise TooLarge(f"file {shown!r}", piece.size, MAX_NOTE_BYTES)
                return b"".join(self._read_blocks(file, piece.offset, piece.size))
            finally:
                close_quietly(self.disk, file)

    def _open(self, folder: int, name: str) -> int:
        file = retry(self.disk.open, name, _FLAGS, dir_fd=folder)
        fault = kind_fault(retry(self.disk.fstat, file))
        if fault is not None:
            close_quietly(self.disk, file)
            raise UnsafeFile(f"{_SHOWN}/{name}", fault)
        return file

    def _read_listing(self, file: int) -> dict[str, _Piece]:
        line = b""
        for block in self._read_blocks(file, 0, _MAX_LISTING_BYTES):
            before, end, _ = block.partition(b"\n")
            line += before
            if end:
                break
        try:
            sizes = json.loads(line)
            if not isinstance(sizes, dict):
                return {}
        except (ValueError, RecursionError):
            return {}
        pieces: dict[str, _Piece] = {}
        offset = len(line) + 1
        for digest, size in sizes.items():
            if not _HASH.fullmatch(digest) or type(size) is not int or size < 0:
                return {}
            pieces[digest] = _Piece(offset, size)
            offset += size
        return pieces

    def _read_blocks(self, file: int, offset: int, size: int) -> Iterator[bytes]:
        while size > 0:
            block = retry(self.disk.pread, file, min(_BLOCK_BYTES, size), offset)
            if not block:
                return
            yield block
            offset, size = offset + len(block), size - len(block)
