"""Session search through `memory.session(...)`: opt-in, in the background, only the new part, isolated, forgettable."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from commandline import holdfast

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.embeddings.embedder import Embedded, Purpose
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.search.hit import Hit
from holdfast.sessions.conversation import Session

NOON = 1_794_744_000.0  # 2026-11-15 12:00 UTC
ON: dict[str, object] = {
    "memory.sources": ["memory", "sessions"],
    "memory.session_export": "off",
    "memory.citations": "on",
    "memory.disable_rag": True,
    "user.timezone": "UTC",
}


def opened(home: Path, clock: FakeClock | None = None, agent: str = "main", **more: object) -> Memory:
    settings = {**ON, **{name.replace("__", "."): value for name, value in more.items()}}
    return Memory.open(home, agent, settings=settings, clock=clock or FakeClock(NOON))


def talk(session: Session, *texts: str) -> None:
    for number, text in enumerate(texts):
        session.append("assistant" if number % 2 else "user", text)


def settle(memory: Memory) -> None:
    memory.ctx.session_index.wait()
    assert memory.ctx.session_index.because == ""


def found(memory: Memory, query: str) -> list[Hit]:
    return [hit for hit in memory.search(query).results if hit.source == "sessions"]


def rows(memory: Memory) -> list[tuple[object, ...]]:
    """Everything the index holds of transcripts, but for the numbers of rows."""
    edition = memory.ctx.database.serving()
    assert edition is not None
    number = edition.number
    return memory.ctx.database.connection.all(
        f"SELECT n.path, n.source, n.hash, n.size, n.ctime_ns, c.chunk_id, c.text_hash, c.start_line, c.end_line, "
        f"c.headings, c.text FROM e{number}_notes n JOIN e{number}_chunks c ON c.note = n.id "
        "WHERE n.source = 'sessions' ORDER BY n.path, c.start_line, c.id"
    )


def test_session_indexing_is_off_by_default(home: Path) -> None:
    with opened(home, memory__sources=["memory"]) as memory:
        session = memory.session()
        talk(session, *(f"zeppelin {number}" for number in range(60)))
        session.close()
        memory.sync()
        assert found(memory, "zeppelin") == []
        assert memory.status().by_source == {}


def test_where_the_sources_are_without_memory_notes_are_found_by_who_names_them_alone(home: Path) -> None:
    with opened(home, memory__sources=["sessions"]) as memory:
        memory.save("The heron waits at the pond.", file="memory/birds.md")
        with memory.session("work") as session:
            talk(session, "A heron stood on the pier today.")
        settle(memory)
        assert {hit.source for hit in memory.search("heron").results} == {"sessions"}
        with memory.session("other") as session:
            assert "at the pond" not in session.prompt("where is the heron?").text
        for results in (memory.search("heron", source="memory"), memory.search("heron", path="memory/birds.md")):
            assert [hit.path for hit in results.results] == ["memory/birds.md"]
        shown = memory.forget("the heron at the pond", dry_run=True)
        assert "memory/birds.md" in {one.path for one in shown.candidates}


def test_session_updates_are_indexed_once_they_cross_delta_messages(home: Path) -> None:
    with opened(home, memory__sync__sessions__delta_messages=10) as memory:
        session = memory.session()
        talk(session, *(f"zeppelin {number}" for number in range(8)))  # and the line that opens the transcript
        settle(memory)
        assert found(memory, "zeppelin") == []
        talk(session, "zeppelin nine")
        settle(memory)
        assert found(memory, "zeppelin nine") != []


def test_session_updates_are_indexed_once_they_cross_delta_bytes(home: Path) -> None:
    with opened(home, memory__sync__sessions__delta_bytes=5_000) as memory:
        session = memory.session()
        talk(session, "zeppelin " + "x" * 2_000)
        settle(memory)
        assert found(memory, "zeppelin") == []
        talk(session, "airship " + "y" * 3_000)
        settle(memory)
        assert found(memory, "airship") != []


def test_what_is_below_the_thresholds_is_indexed_when_the_session_is_left(home: Path) -> None:
    with opened(home) as memory, memory.session() as session:
        talk(session, "When does the zeppelin launch?", "On Monday.")
    with opened(home) as memory:
        assert found(memory, "zeppelin")[0].citation == "Source: sessions/main/main.jsonl#2"


def test_hits_cite_session_and_message(home: Path) -> None:
    with opened(home) as memory:
        session = memory.session("whatsapp:+41 79")
        session.append("system", "You are an agent.")
        talk(session, "When does the zeppelin launch?", "It launches on Monday.")
        memory.sync()
        (hit,) = found(memory, "launches Monday")[:1]
        assert hit.path == session.transcript.path
        assert hit.citation == f"Source: {session.transcript.path}#4"
        assert hit.snippet == "user: When does the zeppelin launch?\nassistant: It launches on Monday."
        assert hit.ranges == ((4, 4), (3, 3))
        assert hit.headings == ("2026-11-15 12:00",)
        line = (home / hit.path).read_text().splitlines()[hit.start_line - 1]
        assert json.loads(line)["text"] == "It launches on Monday."


def test_only_what_users_and_assistants_said_is_found(home: Path) -> None:
    with opened(home) as memory:
        session = memory.session()
        session.append("system", "zeppelin in a system message")
        session.append("tool", "zeppelin in a result", tool_call_id="c", tool_name="t")
        session.append("user", "zeppelin in a flush", tags=("flush",))
        session.append("user", "<memory-0123456789ab>\n| zeppelin recalled\n</memory-0123456789ab>\nHello.")
        memory.sync()
        assert found(memory, "zeppelin") == []
        assert [row[-1] for row in rows(memory)] == ["user: Hello."]


def test_only_the_new_part_is_read_and_embedded(home: Path) -> None:
    embedder = FakeEmbedder()
    settings = {**ON, "memory.disable_rag": False}
    with Memory.open(home, settings=settings, embedder=embedder, clock=FakeClock(NOON)) as memory:
        session = memory.session()
        talk(session, *(f"message number {number} about the zeppelin" for number in range(20)))
        memory.sync()
        assert embedder.texts == 20
        path = home / session.transcript.path
        # Whoever reads the beginning again would see this.
        path.write_bytes(path.read_bytes().replace(b"number 3 about the zeppelin", b"number 3 about the airships"))
        talk(session, "and one more")
        assert memory.sync().messages == 1
        assert embedder.texts == 21
        assert not any("airships" in str(row[-1]) for row in rows(memory))


class Blocked(FakeEmbedder):
    """Answers questions at once; texts have to wait until somebody lets them through."""

    def __init__(self) -> None:
        super().__init__()
        self.reached, self.let = threading.Event(), threading.Event()

    def embed(self, texts: Sequence[str], purpose: Purpose) -> Embedded:
        if purpose is Purpose.DOCUMENT:
            self.reached.set()
            assert self.let.wait(60)
        return super().embed(texts, purpose)


def test_memory_search_never_waits_for_session_indexing(home: Path) -> None:
    embedder = Blocked()
    settings = {**ON, "memory.disable_rag": False}
    with Memory.open(home, settings=settings, embedder=embedder, clock=FakeClock(NOON)) as memory:
        session = memory.session()
        talk(session, "When does the zeppelin launch?")
        session.close()
        assert embedder.reached.wait(60)
        assert found(memory, "zeppelin") != []  # by its words, while its vector is under way
        embedder.let.set()
        settle(memory)
        assert memory.search("zeppelin launch").mode == "hybrid"


def test_older_sessions_weigh_less(home: Path) -> None:
    clock = FakeClock(NOON)
    with opened(home, clock, memory__search__temporal_decay__enabled=True) as memory:
        for key in ("old", "new"):
            talk(memory.session(key), "the zeppelin launches on Monday")
            clock.advance(120 * 86_400)
        memory.sync()
        first, second = found(memory, "when does the zeppelin launch")
        assert (first.path, second.path) == ("sessions/main/new.jsonl", "sessions/main/old.jsonl")
        assert second.explain["recency"] < first.explain["recency"] < 0


def test_the_whole_of_a_hit_in_a_transcript_is_read_by_its_chunk_id_by_whom_may_see_it(home: Path) -> None:
    story = "The zeppelin story. " + "Filler words go here and there. " * 12 + "The end phrase is marmalade."
    with opened(home, memory__scope__default="allow", memory__search__snippet_chars=200) as memory:
        session = memory.session()
        session.append("tool", "The zeppelin password is hunter22.", tool_call_id="c", tool_name="look")
        talk(session, story)
        memory.sync()
        hit = found(memory, "zeppelin story")[0]
        assert hit.source == "sessions" and "marmalade" not in hit.snippet
        got = memory.get(chunk_id=hit.chunk_id)
        assert (got.status, got.path) == ("ok", hit.path) and "marmalade" in got.text and "hunter22" not in got.text
        assert "marmalade" in session.tools().call("memory_get", {"chunk_id": hit.chunk_id})["text"]
        theirs = memory.session("theirs", kind="group").tools()
        assert theirs.call("memory_get", {"chunk_id": hit.chunk_id})["error"]["type"] == "NotPermitted"
    with Memory.open(home) as memory:
        assert memory.get(chunk_id=hit.chunk_id).status == "not_found", "the owner wants no transcripts to be found"


@pytest.mark.promise("P6")
def test_what_was_indexed_piece_by_piece_is_what_a_rebuild_gives(home: Path) -> None:
    with opened(home, memory__sync__sessions__delta_messages=7) as memory:
        session = memory.session()
        for number in range(40):
            session.append(
                ("user", "assistant", "tool", "system")[number % 4], f"ok {number // 9} " + "long. " * (number * 40)
            )
            if number == 25:
                session.reset()
        settle(memory)
        memory.sync()
        piecewise = rows(memory)
        assert len(piecewise) > 20
        memory.sync(force=True)
        assert rows(memory) == piecewise
    for name in os.listdir(home / "state"):
        if name.startswith("main.sqlite"):
            (home / "state" / name).unlink()
    with opened(home) as memory:
        memory.sync()
        assert rows(memory) == piecewise


def test_a_sync_of_notes_leaves_transcripts_alone(home: Path) -> None:
    with opened(home) as memory:
        talk(memory.session(), "the zeppelin")
        memory.sync()
        memory.save("a note", file="memory/a.md")
        assert len(found(memory, "zeppelin")) == 1
        status = memory.status()
        assert (status.notes, status.notes_on_disk, status.up_to_date) == (1, 1, True)


def test_without_sessions_among_the_sources_nothing_of_them_is_found_any_more(home: Path) -> None:
    with opened(home) as memory:
        talk(memory.session(), "the zeppelin")
        memory.sync()
        assert len(found(memory, "zeppelin")) == 1
    with opened(home, memory__sources=["memory"]) as memory:
        assert found(memory, "zeppelin") == []
        assert rows(memory) == []


def test_transcripts_that_are_no_source_any_more_go_before_the_first_answer_however_fresh_the_index_is(
    home: Path,
) -> None:
    with opened(home) as memory:
        talk(memory.session(), "the zeppelin")
        memory.sync()
    with opened(home, memory__sync__on_search=False, memory__sync__on_session_start=False) as memory:
        assert len(found(memory, "zeppelin")) == 1
    with opened(
        home, memory__sources=["memory"], memory__sync__on_search=False, memory__sync__on_session_start=False
    ) as memory:
        assert found(memory, "zeppelin") == []
        assert rows(memory) == []


def test_after_a_reset_the_old_conversation_is_found_where_it_was_put(home: Path) -> None:
    with opened(home) as memory:
        session = memory.session()
        talk(session, "the zeppelin")
        memory.sync()
        session.reset()
        talk(session, "the airship")
        settle(memory)
        memory.sync()
        assert [hit.path for hit in found(memory, "zeppelin")] == ["sessions/main/main.1.jsonl"]
        assert [hit.path for hit in found(memory, "airship")] == ["sessions/main/main.jsonl"]


def test_half_a_line_is_indexed_when_it_is_ended(home: Path) -> None:
    with opened(home) as memory:
        session = memory.session()
        talk(session, "first")
        path = home / session.transcript.path
        with path.open("ab") as file:
            file.write(b'{"kind":"message","id":"m1","at":1.0,"role":"user","text":"the zepp')
        memory.sync()
        assert len(rows(memory)) == 1
        talk(session, "second")
        memory.sync()
        assert [(row[7], row[-1]) for row in rows(memory)] == [(2, "user: first"), (4, "user: second")]


def test_two_memories_that_index_the_same_transcript_at_once_agree(home: Path) -> None:
    with opened(home) as memory:
        talk(memory.session(), *(f"zeppelin {number}" for number in range(900)))
    barrier = threading.Barrier(3)

    def index() -> None:
        with opened(home) as other:
            barrier.wait()
            other.sync()

    threads = [threading.Thread(target=index) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with opened(home) as memory:
        together = rows(memory)
        assert len(together) == 900
        memory.sync(force=True)
        assert rows(memory) == together


def test_status_and_index_tell_of_sessions(home: Path) -> None:
    home.mkdir()
    (home / "holdfast.toml").write_text('[memory]\nsources = ["memory", "sessions"]\ndisable_rag = true\n')
    with Memory.open(home) as memory:
        talk(memory.session(), "the zeppelin", "flies")
    assert "1 transcript," in holdfast("status").out
    assert holdfast("status", "--json").json["sessions"]["indexed"] == 0
    done = holdfast("index", "--json")
    assert done.json["messages"] == 3
    told = holdfast("status", "--json").json["sessions"]
    assert (told["transcripts"], told["indexed"], told["pending_bytes"]) == (1, 1, 0)
    assert "1 indexed" in holdfast("status").out


def test_a_search_that_finds_another_identity_takes_transcripts_along(home: Path) -> None:
    with opened(home) as memory:
        memory.save("a note", file="memory/a.md")
        talk(memory.session(), "the zeppelin")
        memory.sync()
    with opened(home, memory__chunking__tokens=200) as memory:
        assert len(found(memory, "zeppelin")) == 1


def test_what_a_killed_process_left_is_indexed_once_nobody_talks_there(home: Path) -> None:
    with opened(home) as memory:
        session = memory.session()
        talk(session, "the zeppelin")
    with opened(home) as memory:
        memory.search("zeppelin")
        settle(memory)
        assert found(memory, "zeppelin") == []
    os.utime(home / "sessions" / "main" / "main.jsonl", (1_700_000_000, 1_700_000_000))
    with opened(home) as memory:
        memory.search("zeppelin")
        settle(memory)
        assert len(found(memory, "zeppelin")) == 1
