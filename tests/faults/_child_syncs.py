"""Syncs a home and kills itself at a named point, or syncs on and on until it is killed."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from faults.children import wait_for_go

from holdfast import Memory
from holdfast.clock import SystemClock
from holdfast.context.context import Context
from holdfast.embeddings.embedder import Embedded, Purpose
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.guard.origin import Origin
from holdfast.notes.disk import Disk
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.settings.loader import load


class Bomb:
    """Goes off at the Nth time that its point is reached."""

    def __init__(self, point: str, after: int) -> None:
        self.point, self.left = point, after

    def at(self, point: str) -> None:
        """Say that a point is reached."""
        if point == self.point:
            self.left -= 1
            if self.left == 0:
                _die()


def _die() -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("nobody survives SIGKILL")


class ReadingDisk(Disk):
    """Tells when a file's bytes are read."""

    def __init__(self, bomb: Bomb) -> None:
        self.bomb = bomb

    def read(self, fd: int, size: int) -> bytes:
        """Read the next bytes."""
        data = super().read(fd, size)
        self.bomb.at("read")
        return data


class TellingEmbedder(FakeEmbedder):
    """Tells when it was asked and has its answer."""

    def __init__(self, bomb: Bomb) -> None:
        super().__init__()
        self.bomb = bomb

    def embed(self, texts: Sequence[str], purpose: Purpose) -> Embedded:
        """One vector for each text."""
        answer = super().embed(texts, purpose)
        self.bomb.at("embed")
        return answer


def main(home: str, point: str, after: str, force: str) -> None:
    """Open, arm the bomb, sync."""
    bomb = Bomb(point, int(after))
    settings = load(home).settings
    workspace = FileWorkspace.open(home, disk=ReadingDisk(bomb))
    memory = Memory(Context(settings, workspace, SystemClock(), Origin("api"), TellingEmbedder(bomb)))
    raw = memory.ctx.database.connection.raw
    memory.ctx.database.vectors(TellingEmbedder(bomb).space)

    def before_commit() -> bool:
        bomb.at("before commit")
        return False

    def after_commit(connection: Any, name: str, pages: int) -> int:
        bomb.at("after commit")
        return 0

    def statement(cursor: Any, sql: str, values: Any) -> bool:
        if "_chunks VALUES" in sql:
            bomb.at("insert")
        elif sql.startswith("UPDATE editions SET state"):
            bomb.at("publish")
        return True

    raw.set_commit_hook(before_commit)
    raw.set_wal_hook(after_commit)
    raw.set_exec_trace(statement)

    def audited(event: str, values: tuple[Any, ...]) -> None:
        if event == "os.rename" and ".hf-tmp" in str(values[0]) and ".space" in str(values[0]):
            bomb.at("matrix")

    sys.addaudithook(audited)
    wait_for_go()
    memory.sync(force=force == "force")
    while point == "never":
        os.write(1, b"synced\n")
        memory.sync(force=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
