"""Colour and progress only on a terminal, and nothing a note says can drive the terminal (T15)."""

from __future__ import annotations

import io
import json
import re
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from commandline import done, holdfast
from keyboard import Keyboard

from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.main import main

HOSTILE = [
    "\x1b[2J\x1b[H cleared",
    "\x1b]0;new title\x07",
    "\x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\",
    "\x1b]52;c;ZXZpbA==\x07 clipboard",
    "\x9b31m one byte CSI",
    "\x90 device control \x9c",
    "over\rwritten",
    "back\b\b\b\bspace",
    "\u202egnirts desrever",
    "\u2066isolate\u2069",
    "\x7f delete \x0b \x0c",
]
OURS = re.compile(r"\x1b\[[0-9;]*m|\x1b\[K|\r(?=\x1b\[K|Indexing)")
WILD = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """It is."""
        return True


def on_terminal(*argv: str) -> tuple[str, str]:
    out, err = Terminal(), Terminal()
    with redirect_stdout(out), redirect_stderr(err):
        main(argv)
    return out.getvalue(), err.getvalue()


def test_in_a_narrow_terminal_history_shortens_how_a_note_was_changed_before_which_one(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done("save", "one", "--file", "memory/decisions.md")
    done("undo")
    monkeypatch.setenv("COLUMNS", "80")
    lines = on_terminal("history")[0].splitlines()
    assert [line.split()[-1] for line in lines[1:]] == ["memory/decisions.md"] * 2
    assert "undo (undid" in lines[1] and "…" in lines[1]
    assert max(len(OURS.sub("", line)) for line in lines) <= 80
    monkeypatch.setenv("COLUMNS", "200")
    assert "…" not in on_terminal("history")[0]


@pytest.fixture
def hostile(home: Path) -> Path:
    (home / "memory").mkdir(parents=True)
    for number, text in enumerate(HOSTILE):
        (home / f"memory/h{number}.md").write_bytes(f"# head {text}\n\nneedle {text}\n".encode())
    (home / "memory/name\x1b[31m.md").write_text("x\n", encoding="utf-8")
    for number in range(len(HOSTILE)):
        done("save", "appended", "--file", f"memory/h{number}.md")
    return home


def commands() -> list[list[str]]:
    reads = [["get", f"memory/h{number}.md"] for number in range(len(HOSTILE))]
    reads += [["get", "--chunk-id", f"memory/h{number}.md:3"] for number in range(len(HOSTILE))]
    return [
        *reads,
        ["search", "needle", "-n", "50", "--explain"],
        ["search", "\x1b[2J needle"],
        ["history"],
        ["diff"],
        ["index", "--force"],
        ["status", "--deep"],
        ["doctor"],
        ["get", "memory/\x1b[2J.md"],
        ["restore", "\x1b[2J"],
        ["config", "get", "\x1b[2J"],
        ["--agent", "\x1b[2J", "status"],
    ]


@pytest.mark.row("T15")
@pytest.mark.row("fences")
@pytest.mark.promise("P11")
@pytest.mark.parametrize("as_json", [False, True])
def test_no_note_drives_the_terminal(hostile: Path, as_json: bool) -> None:
    checkpoints = [change["id"] for change in done("history", "--json").json["checkpoints"]]
    for argv in [*commands(), *(["diff", checkpoint] for checkpoint in checkpoints)]:
        for shown in on_terminal(*(["--json"] if as_json else []), *argv):
            wild = WILD.search(OURS.sub("", shown) if not as_json else shown)
            assert wild is None, (argv, shown)


def test_what_is_escaped_for_the_terminal_is_still_exact_in_json(hostile: Path) -> None:
    for number, text in enumerate(HOSTILE):
        shown = on_terminal("--json", "get", f"memory/h{number}.md")[0]
        lines = json.loads(shown)["text"].split("\n")
        assert f"needle {text.split(chr(13))[0]}" in lines


def test_a_home_with_escapes_in_its_name_is_shown_harmlessly(tmp_path: Path) -> None:
    place = str(tmp_path / "a\x1b[31mb")
    for argv in (["init"], ["status"], ["config", "path"], ["doctor"]):
        for shown in on_terminal("--home", place, *argv):
            assert WILD.search(OURS.sub("", shown)) is None, argv


def test_colours_are_for_terminals_and_not_for_pipes() -> None:
    done("save", "needle")
    assert "\x1b[" in on_terminal("search", "needle")[0]
    for argv in (["search", "needle"], ["diff"], ["history"], ["status"], ["doctor"], ["index", "--force"]):
        ran = holdfast(*argv)
        assert "\x1b" not in ran.out + ran.err
    assert "\x1b" not in holdfast("get", "memory/none.md").err


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_colours_can_be_switched_off(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    done("save", "needle")
    monkeypatch.setenv(name, value)
    for argv in (["search", "needle"], ["diff"], ["history"], ["status"], ["get", "memory/none.md"]):
        assert all("\x1b" not in shown for shown in on_terminal(*argv))


def test_indexing_shows_a_bar_on_a_terminal_and_clears_it_away(home: Path) -> None:
    done("save", "x")
    _, err = on_terminal("index", "--force")
    assert "\rIndexing ██████████████████████████████ 1/1" in err
    assert err.endswith("\r\x1b[K")
    assert "Indexing" not in done("index", "--force").err
    assert on_terminal("index", "--force", "--json")[1] == ""


def test_the_bar_is_gone_before_anything_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("yes\n"))
    both = Terminal()
    console = Console(out=both, err=both)
    for show in (
        lambda: console.line("shown"),
        lambda: console.styled("shown"),
        lambda: console.json({"shown": True}),
        lambda: console.table(("shown",), [("x",)]),
        lambda: console.note("shown"),
        lambda: console.error("Kind", "shown"),
        lambda: console.ask("shown?"),
    ):
        console.progress("Indexing", 1, 1)
        show()
        after = both.getvalue().partition("1/1\x1b[K")[2]
        assert after.startswith("\r\x1b[K"), after
        assert "shown" in after
        both.seek(0)
        both.truncate()


def test_an_import_of_many_notes_shows_how_far_it_is(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "vault"
    folder.mkdir()
    for number in range(150):
        (folder / f"n{number}.md").write_text(f"The heron number {number}.\n", encoding="utf-8")
    bars = on_terminal("import", str(folder), "--yes")[1]
    for bar in ("Reading", "Writing", "Indexing"):
        counts = [int(count) for count in re.findall(rf"\r{bar} [█░]+ (\d+)/150\x1b", bars)]
        assert counts[-1] == 150, bars
        assert len(counts) > 1, bars
        assert counts == sorted(counts)


def test_the_summary_of_an_index_does_not_run_into_the_bar(home: Path) -> None:
    done("save", "x")
    shown = typed_at("", "index", "--force")
    assert re.search(r"1/1\x1b\[K\r\x1b\[K1 added", shown), shown


@pytest.mark.parametrize(
    ("keys", "dropped"), [("\x04", 0), ("\n", 0), ("n\n", 0), ("perhaps\n", 0), ("y\n", 1), ("YES\n", 1)]
)
def test_purge_asks_and_takes_only_a_yes_for_a_yes(home: Path, keys: str, dropped: int) -> None:
    done("save", "x")
    shown = typed_at(keys, "purge", "MEMORY.md")
    assert "Drop every checkpoint of MEMORY.md, for good? [y/N]" in shown
    assert "Traceback" not in shown
    assert ("Dropped 1 checkpoint of" in shown) == bool(dropped)
    assert ("Nothing was dropped." in shown) == (not dropped)
    assert done("history", "--json").json["count"] == 1 - dropped


def test_purge_does_not_ask_about_a_note_that_is_not_there(home: Path) -> None:
    shown = typed_at("", "purge", "memory/none.md", status=3)
    assert "There is no note" in shown
    assert "[y/N]" not in shown


def test_json_is_one_line_in_a_pipe_and_indented_on_a_terminal() -> None:
    assert done("status", "--json").out.count("\n") == 1
    assert on_terminal("status", "--json")[0].count("\n") > 5


def test_a_table_fits_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    done("save", "x", "--file", f"memory/{'n' * 120}.md")
    assert all(len(OURS.sub("", line)) <= 80 for line in on_terminal("history")[0].splitlines())
    assert "n" * 120 in done("history").out


@pytest.mark.row("T15")
@pytest.mark.row("fences")
@pytest.mark.promise("P11")
def test_a_real_terminal_gets_no_escape_of_a_note(hostile: Path) -> None:
    text = typed_at("", "search", "needle", "-n", "50")
    assert "needle" in text
    assert "\x1b[" in text
    assert WILD.search(OURS.sub("", text)) is None


def typed_at(keys: str, *argv: str, status: int = 0) -> str:
    """What a real terminal shows of a command whose questions are answered with these keys."""
    person = Keyboard(*argv)
    person.type(keys)
    assert person.end() == status
    return person.shown.replace("\r\n", "\n")
