"""Embeds an index through a provider's batch service, and kills itself at the Nth commit where that is wanted."""

from __future__ import annotations

import sys
from typing import Any

import httpx2  # noqa: F401 - so that the barrier stands behind the slow imports
import numpy as np  # noqa: F401
from faults._child_syncs import Bomb
from faults.children import report, wait_for_go
from provider_kinds_batch import BATCH_KINDS

from holdfast.embeddings.batch.batch_service import batcher_for
from holdfast.embeddings.remote.remote_embedder import RemoteOptions
from holdfast.index.batch_jobs import Pace, batch
from holdfast.index.sqlite.database import Database
from holdfast.remote.provider_calls import Caller
from holdfast.settings.embedding_settings import BatchSettings

ROWS = 6
SETTINGS = BatchSettings(threshold=1, poll_interval_ms=0)


def main(path: str, url: str, key: str, name: str, point: str, after: str) -> None:
    """Open, arm the bomb, send and collect."""
    bomb = Bomb(point, int(after))
    (kind,) = (one.kind for one in BATCH_KINDS if str(one) == name)
    caller = Caller(name, sleep=lambda _: None)
    embedder = kind.build("tiny", RemoteOptions(dimensions=8, base_url=url, api_key=key, caller=caller))
    batcher = batcher_for(embedder)
    assert batcher is not None
    database = Database(path)
    vectors = database.vectors(batcher.space)

    def before_commit() -> bool:
        bomb.at("before commit")
        return False

    def after_commit(connection: Any, name: str, pages: int) -> int:
        bomb.at("after commit")
        return 0

    database.connection.raw.set_commit_hook(before_commit)
    database.connection.raw.set_wal_hook(after_commit)
    wait_for_go()
    report(batch(database, vectors, batcher, SETTINGS, pace=Pace(ROWS)))


if __name__ == "__main__":
    main(*sys.argv[1:])
