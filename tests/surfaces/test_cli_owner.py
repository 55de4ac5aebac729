"""The owner's hand on the command line: folders, spaces, sentences, notes that one has, and typing mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commandline import done, holdfast

from holdfast import Memory, Origin
from holdfast.errors import BadPath, HoldfastError
from holdfast.operations.changes_page import changes_page

DEEP = "memory/Project X/the plan.md"


def test_the_owner_saves_deletes_and_forgets_in_folders_and_names_with_spaces(home: Path) -> None:
    note = home / DEEP
    done("save", "We launch Kestrel in March.", "--file", DEEP)
    done("save", "Ada leads it.", "--file", DEEP)
    assert note.read_text() == "We launch Kestrel in March.\n\nAda leads it.\n"
    assert DEEP in done("search", "who leads Kestrel?").out
    done("forget", "--text", "Ada leads it.")
    assert note.read_text().strip() == "We launch Kestrel in March."
    done("undo")
    assert "Ada leads it." in note.read_text()
    done("delete", DEEP, "--text", "We launch Kestrel in March.")
    assert note.read_text().strip() == "Ada leads it."
    done("delete", DEEP, "--file-itself")
    assert not note.exists()
    done("undo")
    assert note.read_text().strip() == "Ada leads it."


def test_a_note_that_an_editor_made_in_a_folder_is_the_owners_to_change(home: Path) -> None:
    note = home / "memory" / "Journal 2026" / "May, what?.md"
    note.parent.mkdir(parents=True)
    note.write_text("- Saw Ada\n- Lost the keys\n")
    done("forget", "--text", "Lost the keys")
    assert note.read_text() == "- Saw Ada\n"


@pytest.mark.parametrize(
    "path",
    [
        "memory/../x.md",
        "memory/a/../../x.md",
        "memory/con/a.md",
        "memory/a/nul.md",
        "memory/.hidden/a.md",
        "memory/a/.md",
        "notes/a.md",
        "/etc/a.md",
        "memory/a\u202e/b.md",
        "memory/a /b.md",
    ],
)
def test_no_folder_leads_the_owner_out_of_memory_or_to_a_name_that_is_reserved(home: Path, path: str) -> None:
    assert holdfast("save", "x", "--file", path).status == 2
    assert not list(home.rglob("*x.md"))


def test_a_link_in_the_way_of_the_owner_is_not_followed(home: Path, tmp_path: Path) -> None:
    done("init")
    (tmp_path / "elsewhere").mkdir()
    (home / "memory").mkdir(exist_ok=True)
    (home / "memory" / "link").symlink_to(tmp_path / "elsewhere")
    assert holdfast("save", "x", "--file", "memory/link/a.md").status == 7
    assert not list((tmp_path / "elsewhere").iterdir())


@pytest.mark.parametrize("origin", [Origin.API, Origin.AGENT, Origin.MCP_TOOL])
def test_the_strict_rule_holds_for_agents_and_programs(home: Path, origin: Origin) -> None:
    done("save", "We launch Kestrel in March.", "--file", DEEP)
    with Memory.open(origin=origin) as memory:
        with pytest.raises(BadPath):
            memory.save("x", file=DEEP)
        with pytest.raises(BadPath):
            memory.delete(DEEP, delete_file=True)
        with pytest.raises(BadPath):
            memory.notes.write(DEEP, "x")
        with pytest.raises(HoldfastError):
            memory.undo(DEEP)
        assert memory.tools().call("memory_save", {"content": "x", "file": DEEP})["error"]["type"] == "BadPath"
        assert not memory.forget(text="We launch Kestrel in March.").forgotten
    assert (home / DEEP).read_text() == "We launch Kestrel in March.\n"


def test_the_library_with_the_origin_user_is_the_owner(home: Path) -> None:
    with Memory.open(origin=Origin.USER) as memory:
        memory.save("x", file=DEEP)
        memory.notes.write("memory/a/b/c d.md", "whole\n")
        memory.notes.rename("memory/a/b/c d.md", "memory/a/e f.md")
        memory.delete(DEEP, delete_file=True)
    assert (home / "memory" / "a" / "e f.md").read_text() == "whole\n"
    assert not (home / DEEP).exists()


@pytest.mark.parametrize("name", ["MEMORY.md", "memory/notes.md", "memory/a folder/b.md"])
@pytest.mark.parametrize(
    ("before", "text", "after"),
    [
        ("A paragraph\n", "A sentence.", "A paragraph\n\nA sentence.\n"),
        ("A paragraph", "A sentence.", "A paragraph\n\nA sentence.\n"),
        ("- one\n- two\n", "A sentence.", "- one\n- two\n\nA sentence.\n"),
        ("- one\n- two\n", "- three", "- one\n- two\n- three\n"),
        ("- one\n  goes on\n", "- two", "- one\n  goes on\n- two\n"),
        ("1. one\n", "2. two", "1. one\n2. two\n"),
        ("A paragraph\n", "- one", "A paragraph\n\n- one\n"),
        ("# Title\n\n", "A sentence.", "# Title\n\nA sentence.\n"),
        ("A paragraph\r\n", "A sentence.", "A paragraph\r\n\r\nA sentence.\r\n"),
    ],
)
def test_a_saved_sentence_is_a_block_of_its_own_and_a_bullet_joins_a_list(
    home: Path, name: str, before: str, text: str, after: str
) -> None:
    note = home / name
    note.parent.mkdir(parents=True)
    note.write_bytes(before.encode())
    done("save", "--file", name, "--", text)
    assert note.read_bytes() == after.encode()


def test_save_daily_writes_to_the_note_of_the_day_where_the_user_is(home: Path) -> None:
    done("user", "set", "timezone", "Pacific/Kiritimati")
    saved = done("save", "Met Ada", "--daily", "--json").json
    assert saved["path"] == f"memory/{_today('Pacific/Kiritimati')}.md"
    assert (home / saved["path"]).read_text() == "Met Ada\n"
    both = holdfast("save", "x", "--daily", "--file", "memory/a.md")
    assert (both.status, "--file" in both.err) == (2, True)


def _today(zone: str) -> str:
    from datetime import datetime
    from zoneinfo import ZoneInfo

    return datetime.now(ZoneInfo(zone)).date().isoformat()


@pytest.mark.parametrize(
    ("words", "held"),
    [
        (["/a", "/b"], ["/a", "/b"]),
        (["/a:/b"], ["/a", "/b"]),
        (["/a,/b"], ["/a", "/b"]),
        (["/a,b"], ["/a,b"]),
        (['["/a", "/b:c,d"]'], ["/a", "/b:c,d"]),
        (["[]"], []),
    ],
)
def test_config_set_takes_lists(home: Path, words: list[str], held: list[str]) -> None:
    done("config", "set", "memory.extra_paths", *words)
    assert done("config", "get", "memory.extra_paths", "--json").json["value"] == held


def test_config_set_takes_a_list_of_words_with_commas_and_no_list_for_one_value(home: Path) -> None:
    done("config", "set", "memory.sources", "memory,sessions")
    assert done("config", "get", "memory.sources", "--json").json["value"] == ["memory", "sessions"]
    assert holdfast("config", "set", "memory.citations", "on", "off").status == 4


def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "My vault"
    (folder / "Project X").mkdir(parents=True)
    (folder / "a.md").write_text("Ada lives in Lisbon.\n")
    (folder / "Project X" / "the plan.md").write_text("# Plan\n\nWe launch Kestrel in March.\n")
    (folder / ".obsidian").mkdir()
    (folder / ".obsidian" / "x.md").write_text("settings")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    return folder


def test_a_folder_of_markdown_is_copied_with_its_folders_and_names(home: Path, tmp_path: Path) -> None:
    folder = vault(tmp_path)
    shown = done("import", str(folder), "--preview").out
    assert "memory/My vault/Project X/the plan.md" in shown and "From markdown" in shown
    assert not (home / "memory").exists()
    done("import", str(folder), "--yes")
    assert (home / "memory/My vault/Project X/the plan.md").read_text() == "# Plan\n\nWe launch Kestrel in March.\n"
    assert "Project X" in done("search", "when do we launch Kestrel?").out
    assert "nothing new" in done("import", str(folder), "--yes").out
    assert not list(home.rglob("x.md"))


def test_a_folder_of_markdown_can_be_searched_where_it_is(home: Path, tmp_path: Path) -> None:
    folder = vault(tmp_path)
    assert "2 notes" in done("import", str(folder), "--in-place", "--preview").out
    assert done("config", "get", "memory.extra_paths", "--json").json["value"] == []
    done("import", str(folder), "--in-place", "--yes")
    assert done("config", "get", "memory.extra_paths", "--json").json["value"] == [str(folder)]
    assert str(folder) in done("search", "where does Ada live?").out
    assert not (home / "memory" / "My vault").exists()
    assert "already" in done("import", str(folder), "--in-place", "--yes").out


def test_a_folder_of_the_same_name_replaces_nothing_of_another(home: Path, tmp_path: Path) -> None:
    for number in ("one", "two"):
        (tmp_path / number / "notes").mkdir(parents=True)
        (tmp_path / number / "notes" / "a.md").write_text(f"{number}\n", encoding="utf-8")
        ran = done("import", str(tmp_path / number / "notes"), "--yes")
    assert "1 was refused" in ran.err
    assert (home / "memory/notes/a.md").read_text(encoding="utf-8") == "one\n"
    (tmp_path / "one/notes/a.md").write_text("one, and more\n", encoding="utf-8")
    done("import", str(tmp_path / "one/notes"), "--yes")
    assert (home / "memory/notes/a.md").read_text(encoding="utf-8") == "one, and more\n"


def test_an_import_says_which_names_can_not_stand_here_and_brings_the_others(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "vault"
    folder.mkdir()
    for name in ("B", "N", "n", "z", "con"):
        (folder / f"{name}.md").write_text(f"{name}\n", encoding="utf-8")
    ran = done("import", str(folder), "--yes")
    assert sorted(file.stem for file in (home / "memory/vault").iterdir()) == ["B", "N", "z"]
    assert "1 was refused" in ran.err and "1 was left out" in ran.err
    assert "same note as" in done("import", str(folder), "--preview").out


def test_a_program_imports_a_folder_of_markdown_to_where_imports_go(home: Path, tmp_path: Path) -> None:
    with Memory.open() as memory:
        made = memory.import_from(str(vault(tmp_path)))
    assert {note.path.rpartition("/")[0] for note in made.notes} == {"memory/imports"}


def test_an_import_that_nobody_confirmed_fails_with_its_reason(home: Path, tmp_path: Path) -> None:
    ran = holdfast("import", str(vault(tmp_path)), "--json")
    assert (ran.status, json.loads(ran.err)["error"]["type"]) == (16, "NotConfirmed")
    assert holdfast("import", str(vault(tmp_path / "b")), "--in-place").status == 16
    assert not (home / "memory").exists()


def test_get_names_the_notes_that_are_called_nearly_so(home: Path) -> None:
    done("save", "x", "--file", DEEP)
    done("save", "x", "--file", "memory/decisions.md")
    assert "Did you mean 'memory/decisions.md'?" in holdfast("get", "memory/desicions.md").err
    assert f"'{DEEP}'" in holdfast("get", "plan").err
    assert json.loads(holdfast("get", "memory/the-plan.md", "--json").out)["near"] == [DEEP]
    assert "Did you mean" not in holdfast("get", "memory/zebra.md").err


@pytest.mark.parametrize("words", [(), ("save",), ("config", "set")])
def test_help_is_a_command(home: Path, words: tuple[str, ...]) -> None:
    assert done("help", *words).out == done(*words, "--help").out
    assert not home.exists()


def test_help_for_no_command_says_so(home: Path) -> None:
    ran = holdfast("help", "serch")
    assert (ran.status, "Did you mean 'search'?" in ran.err) == (2, True)


def test_a_mistyped_folder_of_a_search_is_named_with_those_that_are_near(home: Path) -> None:
    done("save", "We launch Kestrel in March.", "--file", DEEP)
    ran = holdfast("search", "Kestrel", "--in", "memory/Projekt X")
    assert (ran.status, "no note or folder 'memory/Projekt X'" in ran.err) == (3, True)
    assert "Did you mean 'memory/Project X'?" in ran.err
    assert done("search", "zebra", "--in", "memory/Project X").status == 0
    with Memory.open() as memory:
        assert "no note or folder 'memory/Projekt X'" in memory.search("Kestrel", path="memory/Projekt X").because
        assert "no note or folder" not in memory.search("zebra", path=DEEP).because


@pytest.mark.parametrize(
    "words",
    [
        *(
            "search x",
            "get MEMORY.md",
            "status",
            "history",
            "facts list",
            "inbox",
            "user show",
            "export x.zip",
            "doctor",
        ),
        *("mcp", "serve --port 0", "watch", "connect", "connect codex", "connect codex --write"),
    ],
)
def test_a_mistyped_home_is_named_and_not_made(home: Path, tmp_path: Path, words: str) -> None:
    place = tmp_path / "hmoe"
    ran = holdfast(*words.split(), "--home", str(place))
    assert (ran.status, str(place) in ran.err) == (3, True), ran
    assert not place.exists()


@pytest.mark.parametrize("words", ["search x", "history", "status", "facts list", "inbox", "doctor", "save x"])
def test_a_home_that_was_begun_where_the_environment_names_none_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    place = tmp_path / "hmoe"
    monkeypatch.setenv("HOLDFAST_HOME", str(place))
    ran = holdfast(*words.split())
    assert ran.status == 0, ran.err
    assert f"A new home was begun: there was none at {str(place)!r}, which HOLDFAST_HOME names." in ran.err
    assert "A new home" not in done(*words.split()).err


def test_a_folder_that_was_no_home_is_named_when_a_look_makes_it_one(home: Path, tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    assert "which --home names" in done("search", "x", "--home", str(tmp_path / "pictures")).err


def test_nothing_is_said_of_a_home_that_was_made_before_or_that_has_notes_of_its_owner(home: Path) -> None:
    done("init")
    assert done("save", "We launch Kestrel in March.").err == ""
    assert "A new home" not in done("search", "Kestrel").err
    (home / "state").rename(home.parent / "gone")
    assert "A new home" not in done("search", "Kestrel").err


def test_a_search_in_the_folder_of_all_notes_finds_nothing_before_there_is_one(home: Path) -> None:
    done("init")
    for folder in ("memory", "memory/"):
        assert done("search", "Kestrel", "--in", folder, "--json").json["results"] == []
    assert holdfast("search", "Kestrel", "--in", "memory/birds").status == 3


def test_a_path_that_its_owner_can_not_write_to_is_refused_with_what_the_owner_may(home: Path) -> None:
    ran = holdfast("save", "We launch Kestrel in March.", "--file", "launch.md")
    assert (ran.status, "a name ending in .md below memory/, in any folder there" in ran.err) == (2, True), ran.err
    assert "memory/<name>.md" not in ran.err


def test_a_home_may_be_begun_anywhere_by_init(home: Path, tmp_path: Path) -> None:
    done("init", "--home", str(tmp_path / "new"))
    done("save", "x", "--home", str(tmp_path / "new"))
    done("search", "x", "--home", str(tmp_path / "new"))


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_since_and_until_take_every_day_of_the_calendar(home: Path, zone: str) -> None:
    whole = ["--since", "0001-01-01", "--until", "9999-12-31"]
    done("user", "set", "timezone", zone)
    done("save", "The heron waits.", "--file", "memory/birds.md")
    done("facts", "add", "Ada keeps bees.")
    assert "heron" in done("search", "heron", *whole).out
    assert "heron" in done("search", "", *whole).out
    assert "bees" in done("facts", "list", *whole).out
    assert "memory/birds.md" in done("undo", "--origin", "user", "--dry-run", *whole).out
    with Memory.open(home) as memory:
        assert len(changes_page(memory.ctx, since=whole[1], until=whole[3]).changes) >= 2
    ran = holdfast("search", "heron", "--since", "2026-02-30")
    assert (ran.status, "is not a date" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("words", "flag"),
    [
        ("get MEMORY.md --from 0", "'--from'"),
        ("get MEMORY.md --from 99999999999999999999", "'--from'"),
        ("get MEMORY.md --lines 0", "'--lines'"),
        ("get", "--chunk-id"),
        ("search x -n 0", "'-n'"),
        ("search x --max-results 0", "'--max-results'"),
        ("search x --since never", "'--since'"),
        ("delete MEMORY.md", "--file-itself"),
        ("forget x --limit 0", "'--limit'"),
        ("facts add x --from never", "'--from'"),
    ],
)
def test_a_refusal_names_what_was_typed(home: Path, words: str, flag: str) -> None:
    done("save", "x")
    ran = holdfast(*words.split())
    assert (ran.status, flag in ran.err) == (2, True), ran.err
    assert "_" not in ran.err
