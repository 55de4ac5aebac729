"""Session search and what may not be found: excluded, forgotten, secret, forged, another agent's."""

from __future__ import annotations

from pathlib import Path

import pytest
from guard.secret_corpus import positives
from sessions.forged import FORGED
from sessions.test_session_search import found, opened, rows, settle, talk

from holdfast.errors import BadPath


def bytes_of(home: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(home.rglob("*")) if path.is_file())


def test_memory_get_remains_limited_to_memory_files(home: Path) -> None:
    with opened(home) as memory:
        session = memory.session()
        talk(session, "When does the zeppelin launch?")
        memory.sync()
        (hit,) = found(memory, "zeppelin")
        with pytest.raises(BadPath, match="transcript"):
            memory.get(hit.path)
        assert memory.get(chunk_id=f"{hit.path}#{hit.start_line}").status == "not_found"


def test_session_indexing_is_isolated_per_agent(home: Path) -> None:
    with opened(home) as memory, opened(home, agent="other") as other:
        talk(memory.session(), "the zeppelin of main")
        talk(other.session(), "the zeppelin of the other")
        memory.sync()
        other.sync()
        assert [hit.path for hit in found(memory, "zeppelin")] == ["sessions/main/main.jsonl"]
        assert [hit.path for hit in found(other, "zeppelin")] == ["sessions/other/main.jsonl"]


def test_an_excluded_session_is_not_found_and_stays_so(home: Path) -> None:
    with opened(home) as memory:
        session, other = memory.session("private"), memory.session("open")
        talk(session, "the zeppelin is private")
        talk(other, "the zeppelin is for all")
        memory.sync()
        session.exclude()
        assert [hit.path for hit in found(memory, "zeppelin")] == ["sessions/main/open.jsonl"]
        talk(session, *("zeppelin again" for _ in range(60)))
        session.close()
        settle(memory)
        memory.sync(force=True)
        assert [hit.path for hit in found(memory, "zeppelin")] == ["sessions/main/open.jsonl"]
        assert memory.status().sessions["excluded"] == 1
        memory.session("private").exclude(False)
        settle(memory)
        assert "sessions/main/private.jsonl" in [hit.path for hit in found(memory, "zeppelin")]


@pytest.mark.promise("P15")
def test_a_forgotten_session_is_gone_from_every_file_and_never_comes_back(home: Path) -> None:
    with opened(home) as memory:
        session = memory.session("gone")
        talk(session, "the quixotryzeppelin flies")
        session.reset()
        talk(session, "the quixotryzeppelin lands")
        settle(memory)
        memory.sync()
        assert len(found(memory, "quixotryzeppelin")) == 2
        session.forget()
        assert found(memory, "quixotryzeppelin") == []
        again = memory.session("gone")
        talk(again, "the airship")
        memory.sync(force=True)
        assert found(memory, "airship") == []
    assert b"quixotryzeppelin" not in bytes_of(home).lower()


def test_rows_of_a_deleted_transcript_vanish(home: Path) -> None:
    with opened(home) as memory:
        for key in ("one", "two"):
            talk(memory.session(key), "the zeppelin")
        memory.sync()
        memory.session("one").delete()
        assert [hit.path for hit in found(memory, "zeppelin")] == ["sessions/main/two.jsonl"]
        (home / "sessions" / "main" / "two.jsonl").unlink()
        memory.sync()
        assert found(memory, "zeppelin") == []


def test_a_message_that_was_taken_out_of_a_transcript_goes_from_the_index(home: Path) -> None:
    with opened(home) as memory:
        session = memory.session()
        talk(session, "first", "the zeppelin", "last")
        memory.sync()
        path = home / session.transcript.path
        path.write_bytes(b"".join(line for line in path.read_bytes().splitlines(True) if b"zeppelin" not in line))
        memory.sync()
        assert found(memory, "zeppelin") == []
        assert [row[7] for row in rows(memory)] == [2, 3]
        path.write_bytes(b"")
        memory.sync()
        assert rows(memory) == []


@pytest.mark.promise("P12")
def test_no_known_secret_reaches_the_index(home: Path) -> None:
    corpus = positives(11)[::9]
    with opened(home, memory__secrets="allow") as memory:
        session = memory.session()
        for positive in corpus:
            session.append("user", f"zeppelin {positive.text}")
        memory.sync()
    stored = b"".join(path.read_bytes() for path in (home / "state").glob("main.sqlite*"))
    assert [(one.kind, one.form) for one in corpus if one.secret.encode() in stored] == []


@pytest.mark.promise("P11")
def test_forged_texts_are_messages_like_any_other(home: Path) -> None:
    with opened(home) as memory:
        session = memory.session()
        for text in FORGED:
            session.append("user", f"x {text}")
        memory.sync()
        found_rows = rows(memory)
        assert {row[7] for row in found_rows} == set(range(2, len(FORGED) + 2))
        assert all(str(row[-1]).startswith("user: ") and "\x1b" not in str(row[-1]) for row in found_rows)
        assert {row[9] for row in found_rows} == {"2026-11-15 12:00"}
