"""The bytes of notes before and after each change, each stored once under its SHA-256, read-only and durable."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress

from holdfast.errors import UnsafeFile
from holdfast.guard.text import MAX_NOTE_BYTES
from holdfast.notes.disk import Disk
from holdfast.notes.opening import again, directory, failing, read_whole, shut
from holdfast.notes.replacing import NewFile, ensure, put, several_at_once, sync_directory, written_temps

__all__ = ["Objects"]

_TOP = "objects"
_SHOWN = f"checkpoints/{_TOP}"


class Objects:
    """The stored bytes in an open directory."""

    def __init__(self, disk: Disk, fd: int) -> None:
        self.disk, self.fd = disk, fd

    def store(self, data: bytes | None, durable: Collection[str | None] = ()) -> str | None:
        """Store bytes and give their hash. Hashes in `durable` are known to have reached the disk before."""
        if data is None:
            return None
        digest = hashlib.sha256(data).hexdigest()
        shown = f"checkpoints/{_TOP}/{digest[:12]}"
        shelf = ensure(self.disk, self.fd, (_TOP, digest[:2]), shown)
        try:
            # An object that someone changed is written anew: it would be the only copy of what comes next.
            if self._stored(shelf, digest, shown) == data:
                if digest not in durable:
                    # A writer may have died between its rename and its sync.
                    sync_directory(self.disk, shelf, shown)
            else:
                put(self.disk, self.fd, digest, data, shown, target=shelf, mode=0o400)
        finally:
            shut(self.disk, shelf)
        return digest

    def store_all(self, blobs: Iterable[bytes]) -> None:
        """Store many bytes at the cost of few: their files are synced several at once, and all names after that."""
        by_digest = {hashlib.sha256(data).hexdigest(): data for data in blobs}
        wanted: dict[str, list[str]] = {}
        for digest in by_digest:
            wanted.setdefault(digest[:2], []).append(digest)
        top = ensure(self.disk, self.fd, (_TOP,), _SHOWN)
        try:
            self._make_shelves(top, wanted)
            missing: list[str] = []
            for shelf, digests in self._opened(top, wanted):
                with failing(_SHOWN, "list"):
                    there = set(again(self.disk.names, shelf))
                missing += [
                    digest
                    for digest in digests
                    if digest not in there or self._stored(shelf, digest, _SHOWN) != by_digest[digest]
                ]
            files = [NewFile(digest, by_digest[digest], f"{_SHOWN}/{digest[:12]}", 0o400) for digest in missing]
            with written_temps(self.disk, self.fd, files) as temps:
                temp_of = dict(zip(missing, temps, strict=True))
                for shelf, digests in self._opened(top, wanted):
                    for digest in digests:
                        if digest in temp_of:
                            with failing(f"{_SHOWN}/{digest[:12]}", "write"):
                                again(self.disk.rename, temp_of[digest], digest, src_dir_fd=self.fd, dst_dir_fd=shelf)

            def sync(name: str) -> None:
                with directory(self.disk, top, (name,), f"{_SHOWN}/{name}") as shelf:
                    sync_directory(self.disk, shelf, f"{_SHOWN}/{name}")

            # After all renames, so that one commit of the file system may do for them all; also where nothing is new: a
            # writer may have died between its rename and its sync.
            several_at_once(sync, list(wanted))
        finally:
            shut(self.disk, top)

    def _opened(self, top: int, wanted: Mapping[str, list[str]]) -> Iterator[tuple[int, list[str]]]:
        for name, digests in wanted.items():
            with directory(self.disk, top, (name,), f"{_SHOWN}/{name}") as shelf:
                yield shelf, digests

    def _make_shelves(self, top: int, wanted: Iterable[str]) -> None:
        with failing(_SHOWN, "list"):
            there = set(again(self.disk.names, top))
        new = [name for name in wanted if name not in there]
        if not new:
            return
        with failing(_SHOWN, "make the directory of"):
            for name in new:
                again(self.disk.mkdir, name, 0o700, dir_fd=top)
        try:
            sync_directory(self.disk, top, _SHOWN)
        except BaseException:
            # A retry must sync again, and it does so only when it makes a directory.
            for name in new:
                with suppress(OSError):
                    self.disk.rmdir(name, dir_fd=top)
            raise

    def load(self, digest: str) -> bytes | None:
        """The bytes under a hash, or None if they are missing; the caller compares the hash."""
        shown = f"checkpoints/{_TOP}/{digest[:12]}"
        try:
            with directory(self.disk, self.fd, (_TOP, digest[:2]), shown) as shelf:
                return read_whole(self.disk, shelf, digest, shown, MAX_NOTE_BYTES).data
        except FileNotFoundError:
            return None

    def sizes(self) -> dict[str, int]:
        """Every stored hash with the size of its file."""
        sizes: dict[str, int] = {}
        for shelf, name in self._shelves():
            with failing(f"checkpoints/{_TOP}/{name}", "list"):
                for digest in again(self.disk.names, shelf):
                    sizes[digest] = again(self.disk.lstat, digest, dir_fd=shelf).st_size
        return sizes

    def remove(self, digests: Collection[str]) -> None:
        """Remove objects that nothing refers to any more."""
        for shelf, name in self._shelves():
            gone = [digest for digest in digests if digest[:2] == name]
            with failing(f"checkpoints/{_TOP}/{name}", "remove from"):
                for digest in gone:
                    again(self.disk.unlink, digest, dir_fd=shelf)
            if gone:
                sync_directory(self.disk, shelf, f"checkpoints/{_TOP}/{name}")

    def _stored(self, shelf: int, digest: str, shown: str) -> bytes | None:
        try:
            return read_whole(self.disk, shelf, digest, shown, MAX_NOTE_BYTES).data
        except FileNotFoundError:
            return None

    def _shelves(self) -> Iterator[tuple[int, str]]:
        try:
            with directory(self.disk, self.fd, (_TOP,), f"checkpoints/{_TOP}") as top:
                with failing(f"checkpoints/{_TOP}", "list"):
                    names = sorted(again(self.disk.names, top))
                for name in names:
                    try:
                        with directory(self.disk, top, (name,), f"checkpoints/{_TOP}/{name}") as shelf:
                            yield shelf, name
                    except (FileNotFoundError, UnsafeFile):
                        continue
        except FileNotFoundError:
            return
