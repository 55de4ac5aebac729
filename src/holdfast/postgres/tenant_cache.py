"""The tenants' indexes on this server's disk, a directory each: a cache, of which those asked for last are kept."""

from __future__ import annotations

import fcntl
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from holdfast.errors import StorageFailed
from holdfast.postgres.note_copies import COPIES
from holdfast.postgres.tenants import check_tenant, is_tenant

__all__ = ["TenantCache"]

_TRASH: Final = ".gone"
_HOLDER: Final = ".server"  # locked by the server whose directory this is, for as long as it runs


class TenantCache:
    """Directories of tenants below one that is this server's alone. `most` is how many bytes they may have."""

    def __init__(self, root: str, most: int) -> None:
        self.root, self.most = os.path.abspath(root), most
        self._lock = threading.Lock()
        self._looked_at = ""
        self.bytes = 0
        """As the last sweep found it."""
        try:
            os.makedirs(self.root, mode=0o700, exist_ok=True)
        except OSError as error:
            raise StorageFailed(self.root, "make", error.strerror or str(error)) from error
        shutil.rmtree(os.path.join(self.root, _TRASH), ignore_errors=True)

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Be the only server with this directory: two would drop each other's indexes while they are asked."""
        fd = os.open(os.path.join(self.root, _HOLDER), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                why = "another server has its indexes there; give each a directory of its own by --cache"
                raise StorageFailed(self.root, "take", why) from error
            yield
        finally:
            os.close(fd)

    def place_of(self, tenant: str) -> str:
        """Return the directory of a tenant, made where it is missing, and remember that it was asked for now."""
        place = os.path.join(self.root, check_tenant(tenant))
        with self._lock:
            try:
                os.makedirs(place, mode=0o700, exist_ok=True)
                os.utime(place)
            except OSError as error:
                raise StorageFailed(place, "make", error.strerror or str(error)) from error
        return place

    def drop(self, tenant: str) -> None:
        """Remove a tenant's directory: it is built anew from the database when the tenant is asked for."""
        place, trash = os.path.join(self.root, check_tenant(tenant)), os.path.join(self.root, _TRASH)
        with suppress(OSError):
            os.makedirs(trash, mode=0o700, exist_ok=True)
            # At once, so that whoever opens the tenant meanwhile finds it whole or not at all.
            os.rename(place, os.path.join(trash, f"{tenant}-{os.urandom(4).hex()}"))
        shutil.rmtree(trash, ignore_errors=True)

    def erasures_known(self, tenant: str) -> int:
        """Return up to which erasure a tenant's directory was cleared; 0 where nobody knows."""
        try:
            with open(self._mark_of(tenant), encoding="ascii") as file:
                return int(file.read(20))
        except (OSError, ValueError):
            return 0

    def note_erasures(self, tenant: str, number: int) -> None:
        """Write down that a tenant's directory was cleared up to an erasure."""
        mark = self._mark_of(tenant)
        with suppress(OSError):  # a disk that is full: it is cleared once more
            with open(f"{mark}.new", "w", encoding="ascii") as file:
                file.write(str(number))
            os.replace(f"{mark}.new", mark)

    def agents_of(self, tenant: str) -> list[str]:
        """Return the agents of a tenant that have an index or copies of notes here."""
        state = os.path.join(self.root, check_tenant(tenant), "state")
        names = set(os.listdir(state))
        with suppress(FileNotFoundError):
            names.update(os.listdir(os.path.join(state, COPIES)))
        return sorted(name.removesuffix(".sqlite") for name in names if name.endswith(".sqlite"))

    def _mark_of(self, tenant: str) -> str:
        return os.path.join(self.root, check_tenant(tenant), "state", "erasures")

    def some_tenants(self, most: int) -> list[str]:
        """Return whose directories are here, at most so many: those that follow the ones of the last call."""
        with os.scandir(self.root) as entries:
            names = sorted(entry.name for entry in entries if is_tenant(entry.name) and _has_state(entry.path))
        later = [name for name in names if name > self._looked_at]
        some = [*later, *names[: len(names) - len(later)]][:most]
        self._looked_at = some[-1] if some else ""
        return some

    def sweep(self, is_open: Callable[[str], bool]) -> list[str]:
        """Drop those that nobody asked for lately until the rest fits; return which. Open ones stay."""
        held = sorted(self._held())
        self.bytes = sum(size for _, _, size in held)
        dropped = []
        for _, tenant, size in held:
            if self.bytes <= self.most:
                break
            with self._lock:
                if is_open(tenant):
                    continue
                self.drop(tenant)
            self.bytes -= size
            dropped.append(tenant)
        return dropped

    def _held(self) -> list[tuple[float, str, int]]:
        """Return each tenant's directory: when it was asked for, whose it is, and its size."""
        with os.scandir(self.root) as entries:
            return [
                (entry.stat().st_mtime, entry.name, _size(entry.path))
                for entry in entries
                if entry.name != _TRASH and entry.is_dir(follow_symlinks=False)
            ]


def _has_state(place: str) -> bool:
    """True for a directory that Holdfast made: somebody else's below a root that was chosen badly is left alone."""
    return os.path.isdir(os.path.join(place, "state")) and not os.path.islink(place)


def _size(place: str) -> int:
    total = 0
    for folder, _, names in os.walk(place):
        for name in names:
            with suppress(OSError):
                total += os.lstat(os.path.join(folder, name)).st_blocks * 512
    return total
