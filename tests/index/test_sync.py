from __future__ import annotations

import os
from pathlib import Path

import apsw
import pytest

from holdfast import Memory
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.errors import IndexDamaged


def write(home: Path, name: str, text: str) -> Path:
    file = home / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def test_a_first_sync_adds_everything_and_a_second_one_nothing(home: Path) -> None:
    for i in range(5):
        write(home, f"memory/n{i}.md", f"# Note {i}\n\nalpha{i} beta")
    with Memory.open(home) as memory:
        first, second = memory.sync(), memory.sync()
    assert (first.added, first.changed, first.removed) == (5, 0, 0)
    assert (second.added, second.changed, second.removed, second.unchanged) == (0, 0, 0, 5)


def test_only_what_changed_is_embedded(home: Path) -> None:
    body = "\n\n".join(f"## Part {i}\n\n" + f"word{i} " * 200 for i in range(6))
    file = write(home, "memory/long.md", body)
    embedder = FakeEmbedder()
    with Memory.open(home, embedder=embedder) as memory:
        memory.sync()
        before = embedder.texts
        assert before >= 6
        file.write_text(body.replace("word3 word3", "word3 changed", 1), encoding="utf-8")
        memory.sync()
    assert 1 <= embedder.texts - before <= 2  # the chunk itself, and at most the neighbour that overlaps it


def test_a_moved_note_costs_no_embedding(home: Path) -> None:
    file = write(home, "memory/old.md", "# Title\n\nsomething worth moving")
    embedder = FakeEmbedder()
    with Memory.open(home, embedder=embedder) as memory:
        memory.sync()
        before = embedder.texts
        file.rename(home / "memory/new.md")
        done = memory.sync()
        assert (done.added, done.removed) == (1, 1)
        assert memory.search("worth moving").results[0].path == "memory/new.md"
        assert embedder.texts == before + 1  # the question


def test_lines_that_move_keep_their_chunk_id(home: Path) -> None:
    file = write(home, "memory/a.md", "# A\n\n" + "filler text here. " * 120 + "\n\n# B\n\nthe needle stands here\n")
    with Memory.open(home) as memory:
        (before,) = [hit for hit in memory.search("needle").results if "needle" in hit.snippet]
        file.write_text("\n\n\n" + file.read_text(encoding="utf-8"), encoding="utf-8")
        (after,) = [hit for hit in memory.search("needle").results if "needle" in hit.snippet]
        assert after.chunk_id == before.chunk_id
        assert after.start_line == before.start_line + 3
        assert "needle" in memory.get(chunk_id=before.chunk_id).text


def test_a_note_that_is_gone_is_not_found(home: Path) -> None:
    file = write(home, "memory/a.md", "ephemeral")
    with Memory.open(home) as memory:
        assert "ephemeral" in memory.search("ephemeral").results[0].snippet
        file.unlink()
        assert not memory.search("ephemeral").results


@pytest.mark.promise("P14")
def test_an_edit_of_the_same_size_with_the_old_time_stamp_is_seen(home: Path) -> None:
    file = write(home, "memory/a.md", "the colour is green")
    with Memory.open(home) as memory:
        memory.sync()
        stamp = file.stat()
        file.write_text("the colour is mauve", encoding="utf-8")
        os.utime(file, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
        assert "mauve" in memory.search("mauve").results[0].snippet
        assert memory.search("green").results[0].snippet == "the colour is mauve"


@pytest.mark.parametrize("stamp", [0, 4_000_000_000])
def test_time_stamps_of_1970_or_the_future_hide_no_edit(home: Path, stamp: int) -> None:
    file = write(home, "memory/a.md", "first words")
    os.utime(file, (stamp, stamp))
    with Memory.open(home) as memory:
        memory.sync()
        file.write_text("other words", encoding="utf-8")
        os.utime(file, (stamp, stamp))
        memory.sync()
        assert "other" in memory.search("other").results[0].snippet
        assert memory.search("first").results[0].snippet == "other words"


def test_other_chunk_sizes_are_built_beside_the_old_ones(home: Path) -> None:
    write(home, "memory/a.md", "\n\n".join(f"Paragraph {i} says something. " * 20 for i in range(30)))
    with Memory.open(home) as memory:
        memory.sync()
        large = memory.status().chunks
    small = {"memory.chunking.tokens": 64, "memory.chunking.overlap": 8}
    with (
        Memory.open(home, settings=small) as memory,
        Memory.open(home, settings={"memory.sync.on_search": False}) as old,
    ):
        assert old.search("paragraph 7").results[0].text_score is not None  # the old edition goes on answering
        memory.sync()
        assert memory.status().chunks > large
        assert (
            old.search("paragraph 7").results[0].text_score is not None
        )  # and so does the new one, to a process that did not build it


def test_a_save_is_found_at_once_although_the_chunk_sizes_have_changed(home: Path) -> None:
    never = {"memory.sync.on_search": False, "memory.sync.on_session_start": False}
    with Memory.open(home, settings=never) as memory:
        memory.save("the first thing", file="memory/a.md")
    with Memory.open(home, settings={**never, "memory.chunking.tokens": 200}) as memory:
        memory.save("the second thing", file="memory/b.md")
        assert {hit.path for hit in memory.search("thing").results} == {"memory/a.md", "memory/b.md"}


def test_a_rebuild_gives_the_same_rows(home: Path) -> None:
    from rows import rows_of

    for i in range(8):
        write(home, f"memory/n{i}.md", f"# Note {i}\n\n" + f"word{i} " * (100 * i))
    with Memory.open(home) as memory:
        memory.sync()
        write(home, "memory/n3.md", "# Changed\n\nquite another text")
        (home / "memory/n5.md").unlink()
        memory.sync()
        live = rows_of(memory)
        memory.sync(force=True)
        assert rows_of(memory) == live


def test_extra_paths_are_searched_and_read_but_never_written(home: Path, tmp_path: Path) -> None:
    outside = tmp_path / "docs"
    write(outside, "deep/er/guide.md", "# Guide\n\nhow to calibrate the flux")
    write(outside, "ignored.txt", "calibrate nothing")
    single = write(tmp_path, "one.md", "calibrate this one too")
    with Memory.open(home, settings={"memory.extra_paths": [str(outside), str(single)]}) as memory:
        hits = memory.search("calibrate").results
        assert {(hit.path, hit.source) for hit in hits} == {
            (str(outside / "deep/er/guide.md"), "extra"),
            (str(single), "extra"),
        }
        assert "flux" in memory.get(str(outside / "deep/er/guide.md")).text


def test_an_extra_path_relative_to_the_workspace_works(home: Path) -> None:
    write(home, "../team/notes.md", "the shibboleth")
    with Memory.open(home, settings={"memory.extra_paths": ["../team"]}) as memory:
        assert [hit.source for hit in memory.search("shibboleth").results] == ["extra"]


def test_every_skipped_file_is_reported_with_its_reason(home: Path) -> None:
    write(home, "memory/good.md", "fine")
    (home / "memory/bad.md").write_bytes(b"\xff\xfe broken")
    (home / "memory/nul.md").write_bytes(b"a\x00b")
    (home / "memory/link.md").symlink_to(home / "memory/good.md")
    os.mkfifo(home / "memory/pipe.md")
    with Memory.open(home) as memory:
        skipped = dict(memory.sync().skipped)
        assert set(skipped) == {"memory/bad.md", "memory/nul.md", "memory/link.md", "memory/pipe.md"}
        assert all(skipped.values())
        assert memory.status().notes == 1


def test_indexing_changes_no_byte_and_no_time_stamp(home: Path) -> None:
    files = [
        write(home, f"memory/{i}.md", text)
        for i, text in enumerate(["a\r\nb", "\ufeffbom", "no end", "---\nx: 1\n---\n"])
    ]
    before = [(file.read_bytes(), file.stat().st_mtime_ns) for file in files]
    with Memory.open(home) as memory:
        memory.sync()
        memory.sync(force=True)
        memory.search("bom")
    assert [(file.read_bytes(), file.stat().st_mtime_ns) for file in files] == before


def test_a_settled_note_is_not_read_again(home: Path) -> None:
    """The fast path: with trusted time stamps not even a note that can't be read is touched."""
    file = write(home, "memory/a.md", "quiet")
    with Memory.open(home) as memory:
        memory.sync()
        database = memory.ctx.database
        number = database.serving().number  # type: ignore[union-attr]
        with database.connection.writing() as raw:
            raw.execute(f"UPDATE e{number}_notes SET settled = 1, hash = 'as recorded'")
        assert memory.sync().unchanged == 1
        assert database.serving().known()["memory/a.md"].hash == "as recorded"  # type: ignore[union-attr]
        file.touch()
        memory.sync()
        assert database.serving().known()["memory/a.md"].hash != "as recorded"  # type: ignore[union-attr]


@pytest.mark.promise("P6")
@pytest.mark.parametrize("damage", [b"", b"not a database at all", b"SQLite format 3\x00" + b"\xff" * 4000])
def test_a_damaged_index_is_set_aside_and_built_anew(home: Path, damage: bytes) -> None:
    write(home, "memory/a.md", "still here")
    with Memory.open(home) as memory:
        memory.sync()
    for file in (home / "state").glob("main.sqlite*"):
        file.unlink()
    (home / "state/main.sqlite").write_bytes(damage)
    with Memory.open(home) as memory:
        assert memory.search("still here").results[0].text_score is not None
        assert memory.status(deep=True).problems == () or memory.ctx.database.set_aside


def test_an_index_of_a_newer_version_is_left_alone(home: Path) -> None:
    with Memory.open(home) as memory:
        memory.save("something")
    path = str(home / "state/main.sqlite")
    raw = apsw.Connection(path)
    raw.execute("PRAGMA user_version=99")
    raw.close()
    with Memory.open(home) as memory:
        with pytest.raises(IndexDamaged, match="newer Holdfast"):
            memory.sync()
        assert "something" in memory.search("something").results[0].snippet
    raw = apsw.Connection(path)
    assert raw.execute("PRAGMA user_version").get == 99
    raw.close()


def test_agents_have_indexes_of_their_own(home: Path) -> None:
    with Memory.open(home) as main, Memory.open(home, "scout") as scout:
        main.save("main knows the password hint", file="memory/a.md")
        scout.save("scout knows the way", file="memory/a.md")
        assert [hit.snippet for hit in scout.search("password hint").results] == ["scout knows the way"]
        assert [hit.snippet for hit in scout.search("way").results] == ["scout knows the way"]
        assert (home / "agents/scout/memory/a.md").exists()


def test_progress_is_told_to_whoever_waits(home: Path) -> None:
    for i in range(120):
        write(home, f"memory/n{i}.md", f"note {i}")
    seen: list[tuple[str, int, int]] = []
    with Memory.open(home, settings={"memory.disable_rag": True}) as memory:
        memory.sync(progress=lambda *step: seen.append(step))
    assert seen[-1] == ("Indexing", 120, 120)
    assert [done for _, done, _ in seen] == sorted(done for _, done, _ in seen)
