"""A file that is not what it was said to be is refused with the reason; one that only has another name is read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from commandline import done, holdfast
from facts.exchange.exports_of_others import chatgpt, claude, mem0, written, zipped

from holdfast import Memory
from holdfast.errors import BadArgument
from holdfast.exchange.findings import Source

_JSON = {"chatgpt": chatgpt(), "claude": claude()["conversations.json"], "mem0": mem0(), "mem0 list": mem0()["results"]}


def made(place: Path, value: Any) -> Path:
    place.write_text(value if isinstance(value, str) else json.dumps(value))
    return place


@pytest.mark.parametrize("source", ["chatgpt", "claude"])
@pytest.mark.parametrize("told", [True, False])
def test_a_file_of_conversations_that_was_renamed_is_read(home: Path, tmp_path: Path, source: str, told: bool) -> None:
    place = made(tmp_path / "my-chats-2025.json", _JSON[source])
    with Memory.open(home) as memory:
        plan = memory.import_from(str(place), source=source if told else "auto", preview=True)
        assert (plan.source, len(plan.facts) > 0) == (Source(source), True)


@pytest.mark.parametrize("written_by", list(_JSON))
@pytest.mark.parametrize("name", ["backup.txt", "chats", "export.bak"])
@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_file_is_known_by_what_is_in_it_whatever_its_name_and_its_letters(
    home: Path, tmp_path: Path, written_by: str, name: str, coding: str
) -> None:
    place = tmp_path / name
    place.write_text(json.dumps(_JSON[written_by], ensure_ascii=False), encoding=coding)
    with Memory.open(home) as memory:
        plan = memory.import_from(place, preview=True)
        assert (plan.source, len(plan.facts) > 0) == (Source(written_by.partition(" ")[0]), True)


@pytest.mark.parametrize("name", ["mem.jsonl", "mem.txt"])
@pytest.mark.parametrize("coding", ["utf-8", "utf-16"])
def test_memories_of_mem0_on_lines_are_known_under_any_name(home: Path, tmp_path: Path, name: str, coding: str) -> None:
    place = tmp_path / name
    place.write_text("".join(f"{json.dumps(row)}\n" for row in mem0()["results"]), encoding=coding)
    with Memory.open(home) as memory:
        plan = memory.import_from(place, preview=True)
        assert (plan.source, len(plan.facts) > 0) == (Source.MEM0, True)


def test_an_export_of_ours_saved_as_utf_16_under_another_name_is_read(home: Path, tmp_path: Path) -> None:
    with Memory.open(home) as memory:
        memory.facts.store("I prefer green tea")
        memory.export(tmp_path / "a.jsonl")
    place = tmp_path / "saved.txt"
    place.write_text((tmp_path / "a.jsonl").read_text(), encoding="utf-16")
    with Memory.open(tmp_path / "other") as memory:
        assert [fact.text for fact in memory.import_from(place).facts] == ["I prefer green tea"]


def test_saved_memories_of_chatgpt_are_known_under_any_name(home: Path, tmp_path: Path) -> None:
    place = made(tmp_path / "what-it-knows.txt", [{"content": "User loves dogs.", "enabled": True}])
    with Memory.open(home) as memory:
        plan = memory.import_from(place, preview=True)
        assert (plan.source, [fact.text for fact in plan.facts]) == (Source.CHATGPT, ["User loves dogs."])


def test_an_archive_whose_files_were_renamed_is_read_where_its_program_is_named(home: Path, tmp_path: Path) -> None:
    place = zipped(tmp_path / "mine.zip", {"2025/chats.json": chatgpt(), "2025/other.json": {"a": 1}})
    with Memory.open(home) as memory:
        assert memory.import_from(str(place), source="chatgpt", preview=True).facts


@pytest.mark.parametrize("written_by", list(_JSON))
@pytest.mark.parametrize("source", [one.value for one in Source])
def test_a_file_of_one_program_is_refused_as_that_of_another(
    home: Path, tmp_path: Path, written_by: str, source: str
) -> None:
    if written_by.partition(" ")[0] == source:
        return
    for name in ("conversations.json", "any.json"):
        place = made(tmp_path / name, _JSON[written_by])
        with Memory.open(home) as memory, pytest.raises(BadArgument, match=name):
            memory.import_from(str(place), source=source)


@pytest.mark.parametrize("source", [one.value for one in Source])
@pytest.mark.parametrize("text", ["", "no json", '[{"mapping": ', "[1, 2]", "7", '{"a": 1}'])
def test_a_broken_file_is_refused_whatever_it_is_said_to_be(home: Path, tmp_path: Path, source: str, text: str) -> None:
    for name in ("conversations.json", "any.txt"):
        with Memory.open(home) as memory, pytest.raises(BadArgument):
            memory.import_from(str(made(tmp_path / name, text)), source=source)


@pytest.mark.parametrize("source", ["auto", *Source])
def test_a_zip_that_was_cut_off_is_refused_as_such(home: Path, tmp_path: Path, source: str) -> None:
    whole = zipped(tmp_path / "export.zip", {"conversations.json": chatgpt()}).read_bytes()
    (tmp_path / "cut.zip").write_bytes(whole[:-40])
    (tmp_path / "cut.json").write_bytes(whole[:-40])
    for name in ("cut.zip", "cut.json"):
        with Memory.open(home) as memory, pytest.raises(BadArgument, match="cut off or damaged"):
            memory.import_from(str(tmp_path / name), source=source)


@pytest.mark.parametrize("source", [one.value for one in Source])
def test_a_folder_without_anything_of_the_program_is_refused(home: Path, tmp_path: Path, source: str) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    with Memory.open(home) as memory:
        for folder in (empty, written(tmp_path / "photos", {"a.txt": "b", "c/d.csv": "e"})):
            with pytest.raises(BadArgument):
                memory.import_from(str(folder), source=source)


def test_an_account_or_a_workspace_with_nothing_in_it_is_no_error(home: Path, tmp_path: Path) -> None:
    with Memory.open(home) as memory:
        for source in ("chatgpt", "claude"):
            place = made(tmp_path / "conversations.json", [])
            assert memory.import_from(str(place), source=source).facts == ()
        assert memory.import_from(str(made(tmp_path / "m.json", {"results": []})), source="mem0").facts == ()
        new = written(tmp_path / "claw", {"openclaw.json": {}})
        assert memory.import_from(str(new), source="openclaw").notes == ()


def test_the_command_ends_with_an_error_and_names_the_file(home: Path, tmp_path: Path) -> None:
    place = made(tmp_path / "notes.json", mem0())
    refused = holdfast("import", str(place), "--from", "chatgpt", "--yes")
    assert refused.status == 2
    assert "notes.json" in refused.err and "ChatGPT" in refused.err and "--from" in refused.err


def test_what_is_put_back_can_not_be_of_another_program(home: Path, tmp_path: Path) -> None:
    refused = holdfast("import", str(made(tmp_path / "m.json", mem0())), "--restore", "--from", "mem0", "--yes")
    assert refused.status == 2
    assert "'--from'" in refused.err and "--restore" in refused.err
    done("facts", "add", "I live in Berlin")
    done("export", str(tmp_path / "a.zip"))
    assert "Put back 0 notes" in done("import", str(tmp_path / "a.zip"), "--restore", "--from", "holdfast", "--yes").out


def test_a_note_that_differs_is_named_with_a_yes_as_well(home: Path, tmp_path: Path) -> None:
    done("facts", "add", "I live in Berlin", "--category", "fact")
    done("export", str(tmp_path / "a.zip"))
    done("facts", "add", "I have a dog", "--category", "fact")
    for asked in (("--yes",), ("--preview",), ("--yes", "--preview")):
        said = done("import", str(tmp_path / "a.zip"), "--restore", *asked).out
        assert "Left as it is, because it says something else: memory/facts.md" in said
        assert said.count("Put back") == (asked == ("--yes",))
