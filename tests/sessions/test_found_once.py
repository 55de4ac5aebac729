"""A conversation that was exported is found once: by its note, or where that tells less, by its transcript."""

from __future__ import annotations

from pathlib import Path

from holdfast import Memory

ON = {"memory.sources": ["memory", "sessions"], "memory.disable_rag": True}


def sources(memory: Memory, query: str) -> list[str]:
    memory.sync()
    memory.ctx.session_index.wait()
    return sorted({hit.source for hit in memory.search(query).results})


def test_after_a_reset_an_exported_conversation_is_found_once(home: Path) -> None:
    with Memory.open(home, settings=ON) as memory, memory.session() as session:
        session.append("user", "the zeppelin lands on Monday")
        assert sources(memory, "zeppelin") == ["sessions"]
        assert session.reset() is not None
        assert sources(memory, "zeppelin") == ["memory"]
        progress = memory.ctx.session_index.progress()
        assert (progress.transcripts, progress.indexed, progress.pending_bytes) == (1, 1, 0)


def test_after_new_an_exported_conversation_is_found_once_until_it_goes_on(home: Path) -> None:
    with Memory.open(home, settings=ON) as memory:
        session = memory.session("trip")
        session.append("user", "the zeppelin lands on Monday")
        session.new("other").close()
        assert sources(memory, "zeppelin") == ["memory"]
        with memory.session("trip") as again:
            again.append("user", "and the zeppelin leaves on Friday")
        assert sources(memory, "zeppelin Friday") == ["memory", "sessions"]


def test_an_archive_is_found_again_once_its_export_is_edited_or_gone(home: Path) -> None:
    with Memory.open(home, settings=ON) as memory, memory.session() as session:
        session.append("user", "the zeppelin lands on Monday")
        exported = session.reset()
        assert exported is not None
        note = home / exported.path
        note.write_text(note.read_text(encoding="utf-8") + "\nMy own words.\n", encoding="utf-8")
        assert sources(memory, "zeppelin") == ["memory", "sessions"]
        note.unlink()
        assert sources(memory, "zeppelin") == ["sessions"]


def test_an_archive_with_more_than_its_export_tells_is_found(home: Path) -> None:
    with Memory.open(home, settings=ON) as memory, memory.session() as session:
        session.append("user", "lorem ipsum " * 1000 + "the zeppelin lands on Monday")
        session.reset()
        assert sources(memory, "zeppelin") == ["sessions"]
