"""What a command says to type next: pasted into a shell, it works on the memory that this call worked on."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from commandline import Ran, done, holdfast

from holdfast.surfaces.cli.parser import parse, place_options

_UNDO = re.compile(r"with: (holdfast .*)|`(holdfast [^`]*)`")


def pasted(ran: Ran) -> Ran:
    """Run the first command that was said, as a shell would."""
    found = _UNDO.search(ran.out + ran.err)
    assert found is not None, ran
    words = shlex.split(found[1] or found[2])
    return done(*words[1:])


@pytest.fixture
def other(tmp_path: Path) -> str:
    """A home that only an option names, with a space in its name."""
    place = tmp_path / "my home"
    place.mkdir()
    return str(place)


def test_what_undoes_a_change_names_the_home_that_was_named(other: str) -> None:
    note = Path(other, "MEMORY.md")
    saved = done("--home", other, "save", "Prefers dark mode")
    restored = pasted(saved)
    assert not note.exists()
    pasted(restored)
    assert note.exists()
    pasted(done("undo", "--home", other))
    assert note.exists()
    done("save", "Prefers tea", "--home", other)
    pasted(done("delete", "MEMORY.md", "--text", "Prefers tea", "--home", other))
    pasted(done("forget", "--text", "Prefers tea", "--home", other))
    assert "Prefers tea" in note.read_text(encoding="utf-8")


def test_what_undoes_a_change_of_facts_names_the_home_and_the_agent(other: str) -> None:
    place = ("--home", other, "--agent", "ada")
    done("facts", "add", "I live in Berlin", *place)
    identity = done("facts", "list", "--json", *place).json["facts"][0]["id"]
    pasted(done("facts", "archive", identity, *place))
    assert [fact["id"] for fact in done("facts", "list", "--json", *place).json["facts"]] == [identity]


def test_what_undoes_an_import_names_the_home(other: str, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("The launch is on 3 March.\n", encoding="utf-8")
    pasted(done("import", str(tmp_path / "notes"), "--yes", "--home", other))
    assert not list(Path(other, "memory").glob("*.md"))


def test_what_forces_an_undo_names_the_home(other: str) -> None:
    done("save", "Prefers tea", "--home", other)
    Path(other, "MEMORY.md").write_text("Prefers coffee\n", encoding="utf-8")
    refused = holdfast("undo", "--home", other)
    assert refused.status != 0
    pasted(refused)
    assert not Path(other, "MEMORY.md").exists()


def test_what_init_says_to_do_next_names_the_home(tmp_path: Path) -> None:
    made = done("init", "--home", str(tmp_path / "a new"))
    save = next(line for line in made.out.splitlines() if "holdfast save" in line)
    done(*shlex.split(save)[1:])
    assert (tmp_path / "a new" / "MEMORY.md").exists()


def test_what_adds_a_client_has_the_options_of_the_look_before_it(
    other: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    monkeypatch.setenv("HOME", str(tmp_path))
    options = ("--scope", "project", "--home", other, "--no-hooks", "--tools", "all", "--command", "uvx holdfast")
    shown = done("connect", "codex", *options)
    pasted(shown)
    assert other in (project / ".codex" / "config.toml").read_text(encoding="utf-8")
    assert not (tmp_path / ".codex").exists()
    assert "adds this" not in done("connect", "codex", *options).err


def test_a_tenant_is_named_again_and_a_password_is_not_shown() -> None:
    def place(*argv: str) -> tuple[str, ...]:
        return place_options(parse(argv)[1])

    bare = "postgresql://ada@db.example.org/memory"
    assert place("save", "x", "--tenant", "acme", "--database", bare) == ("--tenant", "acme", "--database", bare)
    for secret in ("postgresql://ada:pa@ss@db.example.org/memory", "host=db.example.org password=pass"):
        assert place("save", "x", "--tenant", "acme", "--database", secret)[2:] == ("--database", "URL")
    assert place("db", "add-token", "acme") == ()
