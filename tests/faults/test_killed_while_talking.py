"""A process that talks, exports and indexes in the background is killed: nothing is lost, and the index converges."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from counts import counted
from faults._child_talks import SETTINGS
from faults.children import children

from holdfast import Memory
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.transcripts.session_note import stamp_of


def rows(memory: Memory) -> list[tuple[object, ...]]:
    """What the index holds of transcripts."""
    edition = memory.ctx.database.serving()
    assert edition is not None
    number = edition.number
    return memory.ctx.database.connection.all(
        f"SELECT n.path, n.size, c.chunk_id, c.start_line, c.text FROM e{number}_notes n "
        f"JOIN e{number}_chunks c ON c.note = n.id WHERE n.source = 'sessions' ORDER BY n.path, c.start_line, c.id"
    )


@pytest.mark.fault
@pytest.mark.promise("P6")
def test_after_a_kill_the_transcripts_are_indexed_as_a_rebuild_would(home: Path) -> None:
    random_ = random.Random(20261115)
    said = 0
    for _ in range(counted(3, 100)):
        with children("_child_talks.py", [(home, said)]) as (child,):
            child.go()
            for _ in range(random_.randrange(1, 40)):
                said = int(child.line())
            child.kill_after(random_.random() / 50)
        with Memory.open(home, settings=SETTINGS, embedder=FakeEmbedder()) as memory:
            memory.sync()
            after = rows(memory)
            memory.sync(force=True)
            assert rows(memory) == after
            # A conversation that was exported is found by its note, and not a second time by its transcript.
            notes = [note.read_text(encoding="utf-8") for note in (home / "memory" / "sessions").glob("*.md")]
            texts = [*(str(row[-1]) for row in after), *notes]
            told = {int(found) for text in texts for found in re.findall(r"message (\d+) of", text)}
            assert told >= set(range(1, said + 1))
            said = max(told)
        for note in (home / "memory" / "sessions").glob("*.md"):
            stamp = stamp_of(note.read_bytes())
            assert stamp is not None and stamp.intact
