"""The bytes of notes before and after each change in files under their SHA-256, read-only and durable.

Each version of a note is a file of its own, stored once; one that is like the version before is stored as the
difference. The versions of many notes that change as one are in a pack.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator

from holdfast.checkpoints.deltas import Splice, parse_splice, splice_for
from holdfast.checkpoints.packs import PACKS, Packs
from holdfast.errors import TooLarge, UnsafeFile
from holdfast.guard.text_rules import MAX_NOTE_BYTES
from holdfast.notes.atomic_write import ensure_directory, sync_directory, write_file
from holdfast.notes.disk import Disk
from holdfast.notes.safe_open import close_quietly, directory, read_whole, retry, storage_errors

__all__ = ["FileObjects"]

_TOP = "objects"
_SHOWN = f"checkpoints/{_TOP}"


class FileObjects:
    """The stored bytes in an open directory."""

    def __init__(self, disk: Disk, fd: int) -> None:
        self.disk, self.fd = disk, fd
        self._packs = Packs(disk, fd, (_TOP, PACKS))

    def store(
        self, data: bytes | None, durable: Collection[str | None] = (), *, onto: bytes | None = None
    ) -> str | None:
        """Store bytes and return their hash.

        Hashes in `durable` are known to have reached the disk before.

        Where they are like the bytes of `onto`, which are stored by now, only what differs need be.
        """
        if data is None:
            return None
        digest = hashlib.sha256(data).hexdigest()
        shown = f"checkpoints/{_TOP}/{digest[:12]}"
        shelf = ensure_directory(self.disk, self.fd, (_TOP, digest[:2]), shown)
        try:
            # An object that someone changed is written anew: it would be the only copy of what comes next.
            if self._load_object(digest) == data:
                if digest not in durable:
                    # A writer may have died between its rename and its sync.
                    sync_directory(self.disk, shelf, shown)
            else:
                splice = None
                if onto is not None:
                    splice = splice_for(data, onto, self._splice_count(onto) + 1)
                if splice is None:
                    stored = data
                else:
                    stored = splice.encode()
                write_file(self.disk, self.fd, digest, stored, shown, target=shelf, mode=0o400)
        finally:
            close_quietly(self.disk, shelf)
        return digest

    def store_all(self, blobs: Iterable[bytes], pack: str) -> None:
        """Store many bytes with one sync, in the pack of this name."""
        self._packs.write(pack, {hashlib.sha256(data).hexdigest(): data for data in blobs})

    def load(self, digest: str, pack: str = "") -> bytes | None:
        """Return the bytes under a hash, or None if they are missing; the caller compares the hash.

        `pack` is the group of the change that they belong to, where it has one: that pack is looked into first.
        """
        data = self._load_object(digest)
        if data is not None:
            return data
        packed = self._packs.load(pack, digest)
        if packed is None:
            return self._packs.find(digest)
        return packed

    def sizes(self) -> dict[str, int]:
        """Return every stored hash with the size of its file."""
        return dict(self.stored())

    def stored(self) -> Iterator[tuple[str, int]]:
        """Yield the same one by one: those in packs in their order, then the others."""
        yield from sorted(self._packs.sizes().items())
        for shelf, name in self._shelves():
            with storage_errors(f"checkpoints/{_TOP}/{name}", "list"):
                for digest in retry(self.disk.names, shelf):
                    yield digest, retry(self.disk.lstat, digest, dir_fd=shelf).st_size

    def remove(self, digests: Collection[str]) -> None:
        """Remove objects that nothing refers to any more.

        Objects spliced onto one of them are stored whole before.
        """
        self._make_whole(frozenset(digests))
        self._packs.remove(digests)
        for shelf, name in self._shelves():
            gone = [digest for digest in digests if digest[:2] == name]
            with storage_errors(f"checkpoints/{_TOP}/{name}", "remove from"):
                for digest in gone:
                    retry(self.disk.unlink, digest, dir_fd=shelf)
            if gone:
                sync_directory(self.disk, shelf, f"checkpoints/{_TOP}/{name}")

    def _load_object(self, digest: str) -> bytes | None:
        """Return the bytes in an object's own file or row of splices; None if some are missing."""
        splices: list[Splice] = []
        while True:
            stored = self._read_object(digest)
            splice = None
            if stored is not None:
                splice = parse_splice(stored, digest)
            if splice is None:
                break
            if splices and splice.row >= splices[-1].row:
                return stored  # a row that leads nowhere: the caller sees that these are not the bytes
            splices.append(splice)
            digest = splice.base
        if stored is None and splices:
            stored = self._packs.find(digest)
        for splice in reversed(splices):
            if stored is None:
                stored = None
            else:
                stored = splice.apply_to(stored)
        return stored

    def _splice_count(self, data: bytes) -> int:
        """Return how many splices lie one upon the other up to these bytes."""
        splice = self._splice_of(hashlib.sha256(data).hexdigest())
        return 0 if splice is None else splice.row

    def _make_whole(self, gone: Collection[str]) -> None:
        """Store whole the objects that are spliced onto some that are about to go."""
        if not gone:
            return
        for shelf, name in self._shelves():
            with storage_errors(f"checkpoints/{_TOP}/{name}", "list"):
                left = [digest for digest in retry(self.disk.names, shelf) if digest not in gone]
            for digest in left:
                splice = self._splice_of(digest)
                data = None
                if splice is not None and splice.base in gone:
                    data = self._load_object(digest)
                if data is not None and hashlib.sha256(data).hexdigest() == digest:
                    write_file(
                        self.disk, self.fd, digest, data, f"checkpoints/{_TOP}/{digest[:12]}", target=shelf, mode=0o400
                    )

    def _splice_of(self, digest: str) -> Splice | None:
        try:
            stored = self._read_object(digest)
        except (TooLarge, UnsafeFile):
            return None
        if stored is None:
            return None
        return parse_splice(stored, digest)

    def _read_object(self, digest: str) -> bytes | None:
        """Return the bytes of the file of a hash; None when there is no file."""
        shown = f"checkpoints/{_TOP}/{digest[:12]}"
        try:
            with directory(self.disk, self.fd, (_TOP, digest[:2]), shown) as shelf:
                return read_whole(self.disk, shelf, digest, shown, MAX_NOTE_BYTES).data
        except FileNotFoundError:
            return None

    def _shelves(self) -> Iterator[tuple[int, str]]:
        try:
            with directory(self.disk, self.fd, (_TOP,), f"checkpoints/{_TOP}") as top:
                with storage_errors(f"checkpoints/{_TOP}", "list"):
                    names = sorted(retry(self.disk.names, top))
                for name in names:
                    if name == PACKS:
                        continue
                    try:
                        with directory(self.disk, top, (name,), f"checkpoints/{_TOP}/{name}") as shelf:
                            yield shelf, name
                    except (FileNotFoundError, UnsafeFile):
                        continue
        except FileNotFoundError:
            return
