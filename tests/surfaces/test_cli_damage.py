"""What a command says when the index was damaged, or when what was asked for could not be had."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commandline import done, holdfast

from holdfast import Memory
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.surfaces.cli.commands.status import status_rows


@pytest.mark.parametrize("argv", [["search", "walrus"], ["status"], ["index"], ["search", "walrus", "--json"]])
def test_an_index_that_was_set_aside_is_mentioned_once(home: Path, argv: list[str]) -> None:
    done("save", "a walrus")
    (home / "state/main.sqlite").write_bytes(b"this is no database" * 1000)
    said = done(*argv).err
    (aside,) = (home / "state").glob("main.sqlite.damaged-*")
    (line,) = [line for line in said.splitlines() if "damaged" in line]
    assert str(aside) in line
    assert "Nothing is lost" in line
    assert "damaged" not in done(*argv).err
    assert done("search", "walrus", "--json").json["results"]


def test_status_of_a_home_without_an_index_makes_none(home: Path) -> None:
    done("status")
    assert not (home / "state/main.sqlite").exists()


def test_status_tells_people_why_the_extension_did_not_load(tmp_path: Path) -> None:
    settings = {"memory.store.vector.extension_path": str(tmp_path / "nothing.so")}
    with Memory.open(embedder=FakeEmbedder(), settings=settings) as memory:
        memory.save("one walrus")
        rows = status_rows(memory.status())
    (space,) = [value for name, value in rows if name == "space"]
    assert "1 of 1 text (sqlite-vec could not be loaded" in space


def test_doctor_shows_what_a_killed_process_left_as_well(home: Path) -> None:
    done("save", "x")
    journal = home / "state/checkpoints/main/journal.jsonl"
    before = journal.read_bytes()
    done("save", "y")
    journal.write_bytes(before)  # as after a kill between the bytes and their line
    assert "ok   checkpoints: whole; 1 stored text that no change needs" in done("doctor").out
    journal.write_bytes(before + b'{"kind":"cha')
    assert "was cut off, and the next change mends it" in done("doctor").out


def test_doctor_warns_where_the_model_that_was_chosen_is_not_here(home: Path) -> None:
    done("config", "set", "memory.local.model_path", str(home / "none.gguf"))
    assert "memory.local.model_path names a model that is not here" in done("doctor").out
    done("config", "set", "memory.local.model_path", "use-multilingual")
    assert "is not here" not in holdfast("doctor").out
    done("config", "unset", "memory.local.model_path")
    assert "is not here" not in done("doctor").out


@pytest.mark.parametrize("name", ["main.sqlite.signals", "main.sqlite.usage"])
def test_a_file_of_counts_that_a_full_disk_left_empty_is_nothing_to_mend(home: Path, name: str) -> None:
    done("save", "x")
    done("search", "x")
    (home / "state" / name).write_bytes(b"")
    assert "ok   index: whole" in done("doctor").out


def test_doctor_ends_with_one_and_says_why_for_programs(home: Path) -> None:
    done("save", "x")
    (home / "state/checkpoints/main/journal.jsonl").unlink()
    (home / "state/checkpoints/main/journal.jsonl").mkdir()
    ran = holdfast("doctor", "--json")
    assert ran.status == 1
    assert [check["name"] for check in json.loads(ran.out)["checks"] if not check["ok"]] == ["checkpoints"]


@pytest.mark.parametrize(
    ("text", "said", "remedy"),
    [
        ('[memory]\nbackend = "qmd\n', "a text is not closed", "edit line 2 of "),
        ('[memory]\nbackend = "qmx"\n', "one of", "config unset memory.backend"),
        ("[memory]\nbackends = 1\n", "Did you mean", "line 2 of "),
        ("\udcff", "not UTF-8", "move the file away"),
    ],
)
def test_doctor_says_where_the_settings_are_broken_and_what_to_do(
    home: Path, text: str, said: str, remedy: str
) -> None:
    home.mkdir(exist_ok=True)
    (home / "holdfast.toml").write_bytes(text.encode("utf-8", "surrogateescape"))
    ran = holdfast("doctor", "--json")
    [check] = [one for one in ran.json["checks"] if one["name"] == "settings"]
    assert ran.status == 1 and said in check["detail"] and "line" in check["detail"]
    assert remedy in check["remedy"], check["remedy"]
    assert ("config unset" in check["remedy"]) == ("qmx" in text), "a command can't mend what is not TOML"
