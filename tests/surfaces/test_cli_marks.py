"""`holdfast search` on a terminal: what matched is bold, and a line that no longer holds says so."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from commandline import done

from holdfast.search.hit import CONTRIBUTIONS, UNLIKELY
from holdfast.search.query import question_of
from holdfast.search.snippet import marked
from holdfast.surfaces.cli.main import main

BOLD, PLAIN = "\x1b[1m", "\x1b[0m"


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """It is."""
        return True


@pytest.fixture(autouse=True)
def notes(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    (home / "memory").mkdir(parents=True)
    (home / "memory/boats.md").write_text("We painted the boats blue.\n", encoding="utf-8")
    (home / "MEMORY.md").write_text("- The launch is on Friday.\n- The launch is on Monday.\n", encoding="utf-8")


def on_terminal(*argv: str) -> str:
    out = Terminal()
    with redirect_stdout(out), redirect_stderr(Terminal()):
        main(argv)
    return out.getvalue()


def test_words_that_matched_are_bold_in_whatever_form_they_stand() -> None:
    shown = on_terminal("search", "who paints a boat?")
    assert f"We {BOLD}painted{PLAIN} the {BOLD}boats{PLAIN} blue." in shown


def test_elsewhere_and_with_no_color_nothing_is_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "  We painted the boats blue.\n" in done("search", "who paints a boat?").out
    monkeypatch.setenv("NO_COLOR", "1")
    shown = on_terminal("search", "who paints a boat?")
    assert "  We painted the boats blue.\n" in shown and "\x1b" not in shown


def test_a_line_that_was_followed_by_another_says_so() -> None:
    shown = done("search", "when is the launch?").out.splitlines()
    first, second = shown.index("  - The launch is on Monday."), shown.index("  - The launch is on Friday.")
    assert first < second
    assert shown[first + 1] == "  newer than MEMORY.md#1, which says otherwise"
    assert shown[second + 1] == "  a newer line says otherwise: MEMORY.md#2"


@pytest.mark.parametrize(
    ("text", "query", "found"),
    [
        ("the Launches, launching!", "launch", ["Launches", "launching"]),
        ("a build of v1.5.7-rc2 runs", "v1.5.7-rc2", ["v1.5.7-rc2"]),
        ("kitchen and kitten", "kit*", ["kitchen", "kitten"]),
        ("nothing here", "launch", []),
        ("Café in Zürich", "cafe", ["Café"]),
    ],
)
def test_the_places_of_words_in_a_text(text: str, query: str, found: list[str]) -> None:
    assert [text[start:end] for start, end in marked(text, question_of(query).words)] == found


MANUAL = "\n".join(
    ("# Mixer", "", *(f"Tool {name} is dry." for name in "abcdefghi"), "The warranty is two years.", "Bye.")
)


def test_the_line_that_is_named_is_among_those_that_are_shown(home: Path) -> None:
    (home / "memory/mixer.md").write_text(MANUAL, encoding="utf-8")
    shown = done("search", "how long is the warranty?", "-n", "1").out.splitlines()
    assert shown[0].startswith("memory/mixer.md#12  ")
    around = [f"  Tool {name} is dry." for name in "defghi"]
    assert shown[1:] == ["  …", *around, "  The warranty is two years.", "  Bye.", ""]


def test_lines_that_are_left_out_behind_it_have_a_sign_too(home: Path) -> None:
    (home / "memory/mixer.md").write_text(MANUAL, encoding="utf-8")
    shown = done("search", "tool c", "-n", "1").out.splitlines()
    assert shown[0].startswith("memory/mixer.md#5  ")
    assert shown[1] == shown[-2] == "  …" and "  Tool c is dry." in shown


def test_a_chat_that_looks_into_memory_shows_the_line_that_it_names(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "memory/mixer.md").write_text(MANUAL, encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", io.StringIO("/memory how long is the warranty?\n"))
    shown = done("chat").out
    assert "memory/mixer.md#12\n" in shown and "  The warranty is two years.\n" in shown


def test_a_chat_that_looks_into_memory_says_when_nothing_seems_to_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("/memory what is the capital of Mongolia?\n"))
    shown = done("chat").out
    assert UNLIKELY in shown and "memory/boats.md#1  unlikely\n" in shown


def test_hits_that_are_unlikely_are_marked_one_by_one(home: Path) -> None:
    shown = done("search", "who painted the boats blue?", "-n", "3")
    found = done("search", "who painted the boats blue?", "-n", "3", "--json").json["results"]
    heads = [line for line in shown.out.splitlines() if "  score " in line]
    assert [head.endswith("  unlikely") for head in heads] == [not hit["likely"] for hit in found]
    assert not heads[0].endswith("unlikely") and heads[-1].endswith("unlikely")


def _explained(*argv: str) -> dict[str, dict[str, float]]:
    """What `--explain` says of the first hit: its groups of rows."""
    groups: dict[str, dict[str, float]] = {}
    title = ""
    for line in done("search", *argv, "-n", "1", "--explain").out.splitlines():
        if line.startswith("      "):
            name, value = line.split()
            groups[title][name] = float(value)
        elif line.startswith("    ") and line.endswith(":"):
            title = line.strip(" :")
            groups[title] = {}
    return groups


def test_explain_tells_what_adds_up_from_where_it_comes_from_and_from_what_speaks_for_it() -> None:
    groups = _explained("who painted the boats blue?")
    assert list(groups) == ["adds up", "comes from", "how likely"]
    parts = groups["adds up"]
    assert parts.pop("score") == pytest.approx(sum(parts.values()), abs=1e-5)
    assert set(parts) <= set(CONTRIBUTIONS) and {"bm25", "text_weight"} <= set(groups["comes from"])
    hit = done("search", "who painted the boats blue?", "-n", "1", "--explain", "--json").json["results"][0]
    assert groups["how likely"]["confidence"] == pytest.approx(hit["confidence"], abs=1e-4)
    assert groups["how likely"]["evidence"] == pytest.approx(hit["explain"]["evidence"], abs=1e-4)


def test_explain_leaves_out_what_is_next_to_nothing(home: Path) -> None:
    (home / "memory/2026-01-03.md").write_text("- Sold the red boats and the blue canoe.\n", encoding="utf-8")
    asked = "who sold the red boats in March 2019?"
    parts = done("search", asked, "-n", "1", "--explain", "--json").json["results"][0]["explain"].values()
    assert any(abs(value) < 1e-6 for value in parts)
    groups = _explained(asked)
    assert groups and all(abs(value) >= 1e-6 for group in groups.values() for value in group.values())
