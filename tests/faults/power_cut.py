"""What a disk may hold after the power was cut: all that was synced, and of the rest nothing, or any part.

Bytes are safe once their file was synced, names once their directory was. What was not may be missing, reordered, or
half there; a rename happens whole or not at all, as file systems with a journal do it.
"""

from __future__ import annotations

import os
import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from faults.system_calls import Call

__all__ = ["State", "keep_none", "keep_some", "read_state", "state_after", "write_state"]

State = Mapping[str, bytes | None]
"""Files by their paths, with their bytes; None is a directory."""
Keep = Callable[[], bool]


def read_state(home: Path) -> State:
    """Return all files of a home, which are taken to be safe on the disk."""
    paths = sorted(home.rglob("*"))
    return {str(path.relative_to(home)): path.read_bytes() if path.is_file() else None for path in paths}


def write_state(state: State, home: Path) -> None:
    """Put files into a new home."""
    home.mkdir(parents=True)
    for path, data in state.items():
        if data is None:
            (home / path).mkdir(parents=True, exist_ok=True)
        else:
            (home / path).write_bytes(data)
            (home / path).chmod(0o600)


def keep_none() -> bool:
    """Lose all that was not synced."""
    return False


def keep_some(seed: int) -> Keep:
    """Keep some of what was not synced, in no order."""
    chance = random.Random(seed)
    return lambda: chance.random() < 0.5


def state_after(before: State, calls: Sequence[Call], keep: Keep) -> State:
    """Return what a disk holds when the power is cut after these calls."""
    disk = _Disk(before)
    for call in calls:
        disk.take(call)
    return disk.left(keep)


class _File:
    """The bytes of a file that are safe, and the changes of it that are not."""

    def __init__(self, data: bytes = b"") -> None:
        self.safe = data
        self.open: list[Call] = []

    def sync(self) -> None:
        self.safe, self.open = self.data(lambda: True), []

    def data(self, keep: Keep) -> bytes:
        data = bytearray(self.safe)
        for call in self.open:
            if not keep():
                continue
            if call.name == "truncate":
                del data[call.offset :]
                continue
            data.extend(bytes(max(0, call.offset - len(data))))
            data[call.offset : call.offset + len(call.data)] = call.data
        return bytes(data)


class _Disk:
    """Names and files, as programs see them and as they are safe."""

    def __init__(self, before: State) -> None:
        self._safe: dict[str, _File | None] = {
            path: None if data is None else _File(data) for path, data in before.items()
        }
        self._seen = dict(self._safe)
        self._open: dict[str, list[tuple[str, str, _File | None]]] = defaultdict(list)

    def take(self, call: Call) -> None:
        """Let a program see what a call did."""
        path, file = call.path, self._seen.get(call.path)
        if call.name in ("write", "truncate") and file is not None:
            file.open.append(call)
        elif call.name == "fsync" and file is not None:
            file.sync()
        elif call.name == "fsync":
            self._sync_names(path)
        elif call.name == "create":
            self._name("", path, _File())
        elif call.name == "mkdir":
            self._name("", path, None)
        elif call.name == "rename" and path in self._seen:
            self._name(path, call.target, file)
        elif call.name in ("unlink", "rmdir"):
            self._name(path, "", None)

    def _name(self, old: str, new: str, file: _File | None) -> None:
        self._seen.pop(old, None)
        if new:
            self._seen[new] = file
        if old and new:  # a journal keeps the order: a file that was moved does not come back where it was made
            above = self._open[os.path.dirname(old) or "."]
            above[:] = [change for change in above if change[1] != old]
        self._open[os.path.dirname(new or old) or "."].append((old, new, file))

    def _sync_names(self, directory: str) -> None:
        for old, new, file in self._open.pop(directory, []):
            _rename(self._safe, old, new, file)

    def left(self, keep: Keep) -> State:
        """Return what is safe, with what is kept of the rest."""
        names = dict(self._safe)
        for changes in self._open.values():
            for old, new, file in changes:
                if keep():
                    _rename(names, old, new, file)
        data = {path: None if file is None else file.data(keep) for path, file in names.items()}
        return {path: data[path] for path in sorted(data) if _is_reached(path, data)}


def _rename(names: dict[str, _File | None], old: str, new: str, file: _File | None) -> None:
    names.pop(old, None)
    if new:
        names[new] = file


def _is_reached(path: str, data: Mapping[str, bytes | None]) -> bool:
    """Say whether all directories above a path are there."""
    above = os.path.dirname(path)
    return not above or (above in data and data[above] is None and _is_reached(above, data))
