"""The transcript: lines in the order they were said; a torn one costs itself, a compaction deletes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.clock import FakeClock
from holdfast.llm.chat_model import Role
from holdfast.notes.faulty_disk import FaultyDisk
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.transcripts.session_key import Kind
from holdfast.transcripts.transcript import Ids, Transcript, read_log
from holdfast.transcripts.transcript_entry import Compaction, Entry, Opening


def transcript_of(home: Path, key: str = "main", disk: FaultyDisk | None = None) -> Transcript:
    return Transcript(FileWorkspace.open(home, disk=disk), key, kind=Kind.GROUP, channel="mail", clock=FakeClock())


def say(transcript: Transcript, *texts: str) -> list[Entry]:
    entries = [Entry(transcript.next_id(), 1.0, Role.USER, text) for text in texts]
    for entry in entries:
        transcript.append(entry)
    return entries


def words(entries: list[Entry]) -> list[str]:
    return [entry.text for entry in entries]


def test_what_was_said_comes_back_in_order(home: Path) -> None:
    transcript = transcript_of(home)
    assert (transcript.entries(), transcript.context(), transcript.count, transcript.bytes) == ([], [], 0, 0)
    entries = say(transcript, "one", "two", "three")
    assert transcript.entries() == transcript.context() == transcript_of(home).entries() == entries
    assert transcript.count == 3
    assert transcript.bytes == (home / transcript.path).stat().st_size


def test_the_first_line_says_whose_transcript_it_is(home: Path) -> None:
    transcript = transcript_of(home, "Work / Ada")
    say(transcript, "one")
    assert transcript.opening == Opening("Work / Ada", Kind.GROUP, transcript.entries()[0].at, "mail")


@pytest.mark.promise("P14")
def test_ids_grow_and_differ_also_where_the_clock_goes_back() -> None:
    clock = FakeClock()
    ids = Ids(clock)
    made = [ids.next()]
    for jump in (0.0, 0.0, 5.0, -3600.0, 0.0, -1e9, 1e9):
        clock.jump(jump)
        made.append(ids.next())
    assert made == sorted(set(made))
    assert len({Ids(clock).next() for _ in range(100)}) == 100


def test_a_torn_last_line_costs_that_line_and_is_counted(home: Path) -> None:
    transcript = transcript_of(home)
    one, two = say(transcript, "one", "two")
    file = home / transcript.path
    file.write_bytes(file.read_bytes()[:-10])
    again = transcript_of(home)
    assert again.entries() == [one]
    assert again.unread == 0, "it may be a line that somebody is just writing"
    (three,) = say(again, "three")
    assert again.entries() == [one, three]
    assert again.unread == 1
    assert two not in again.context()


def test_a_message_that_only_lacks_its_line_end_is_kept(home: Path) -> None:
    transcript = transcript_of(home)
    entries = say(transcript, "one", "two")
    file = home / transcript.path
    file.write_bytes(file.read_bytes()[:-1])
    entries += say(transcript, "three")
    assert transcript_of(home).entries() == entries


def test_lines_that_another_program_wrote_are_passed_over_and_counted(home: Path) -> None:
    transcript = transcript_of(home)
    say(transcript, "one")
    with (home / transcript.path).open("ab") as file:
        file.write(b"hello\n\xff\xfe\n{}\n\n")
    say(transcript, "two")
    assert words(transcript.entries()) == ["one", "two"]
    assert transcript.unread == 4


def test_after_a_compaction_the_model_is_sent_the_summary_and_the_kept_tail(home: Path) -> None:
    transcript = transcript_of(home)
    entries = say(transcript, "one", "two", "three")
    transcript.append(Compaction(transcript.next_id(), 2.0, "They counted.", entries[2].id))
    say(transcript, "four")
    for look in (transcript, transcript_of(home)):
        assert words(look.context()) == ["They counted.", "three", "four"]
        assert look.context()[0].tags == ("summary",)
        assert words(look.entries()) == ["one", "two", "three", "four"], "nothing is deleted"
        assert (look.cycle, look.count) == (1, 4)
    transcript.append(Compaction(transcript.next_id(), 3.0, "", transcript.context()[2].id))
    assert words(transcript.context()) == ["four"]
    transcript.append(Compaction(transcript.next_id(), 3.0, "All.", "unknown"))
    assert words(transcript.context()) == ["All."]
    assert (transcript.cycle, transcript.bytes_since_compaction) == (3, 0)


def test_the_context_follows_what_another_process_adds_and_reads_only_that(home: Path) -> None:
    disk = FaultyDisk()
    mine, theirs = transcript_of(home, disk=disk), transcript_of(home)
    say(theirs, *(f"word {number} " + "x" * 1000 for number in range(200)))
    assert mine.count == 200
    say(theirs, "last")
    before = len(disk.log)
    assert mine.context()[-1].text == "last"
    assert mine.context()[-1].text == "last"
    reads = [call for call in disk.log[before:] if call.name == "pread"]
    assert len(reads) == 2, "one block with the new line, one that is empty, and none for the second look"


def test_an_archive_keeps_everything_and_the_session_begins_anew(home: Path) -> None:
    transcript, other = transcript_of(home), transcript_of(home)
    assert transcript.archive() is None
    say(transcript, "one")
    assert other.count == 1
    assert transcript.archive() == "main.1.jsonl"
    assert transcript.entries() == other.context() == []
    say(other, "two")
    assert transcript.archive() == "main.2.jsonl"
    kept = [[read.record for read in read_log(log)][1] for log in transcript.archives()]
    assert [entry.text for entry in kept if isinstance(entry, Entry)] == ["one", "two"]


def test_removing_takes_the_archives_along_and_no_other_session(home: Path) -> None:
    transcript, other, alike = transcript_of(home), transcript_of(home, "main2"), transcript_of(home, "main.1")
    for each in (transcript, other, alike):
        say(each, "one")
    transcript.archive()
    say(transcript, "two")
    transcript.remove()
    transcript.remove()
    assert transcript.log.sibling_names() == sorted([other.log.name, alike.log.name])


def test_a_line_can_be_read_again_from_its_offset(home: Path) -> None:
    transcript = transcript_of(home)
    say(transcript, "one", "two", "three")
    reads = list(transcript.lines())
    assert [read.record for read in transcript.lines(reads[2].start)] == [read.record for read in reads[2:]]
