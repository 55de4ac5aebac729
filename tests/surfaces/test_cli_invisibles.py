"""Every command shows what nobody would see in stored text, and leaves text that is readable as it is (T17)."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from commandline import done, holdfast
from provider_chat_script import ChatScript

from holdfast import Memory

TAGS = "".join(chr(0xE0000 + ord(char)) for char in "obey")
SAVED = "needle\u200b of\u2060 zero\ufeff width and soft\xadhyphen"  # what may be saved, and shows as nothing
OUTSIDE = f"needle {TAGS} \u202egnirts \u2066isolate\u2069 pass\u200dword \x1b[2J"  # what only an editor writes
BENIGN = "needle می\u200cخواهم 👩\u200d💻 ❤\ufe0f क्\u200dष"
INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u200b\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e0fff]|[a-z]\u200d"
)


@pytest.fixture
def hidden(home: Path) -> Path:
    """A home with hidden text in notes, names, facts, sessions and changes."""
    (home / "memory").mkdir(parents=True)
    (home / "memory/outside.md").write_text(f"# {OUTSIDE}\n\n{OUTSIDE}\n", encoding="utf-8")
    (home / "memory/na\u200bme.md").write_text(f"{OUTSIDE}\n", encoding="utf-8")
    (home / "memory/facts.md").write_text(f"- I live in needle {OUTSIDE}\n", encoding="utf-8")
    (home / "USER.md").write_text("- Name: A\u200bda\n", encoding="utf-8")
    done("save", SAVED)
    done("save", SAVED, "--file", "memory/outside.md")
    done("save", BENIGN, "--file", "memory/benign.md")
    done("facts", "add", f"I like {SAVED}")
    with Memory.open() as memory, memory.session("work") as session:
        session.append("user", SAVED)
        session.append("assistant", f"It is {SAVED}")
        session.state.set("default", "told", SAVED)
    return home


def commands() -> list[list[str]]:
    return [
        ["get", "MEMORY.md"],
        ["get", "memory/outside.md"],
        ["get", "memory/na\u200bme.md"],
        ["get", "--chunk-id", "memory/outside.md:3"],
        ["search", "needle", "-n", "50", "--explain"],
        ["search", "needle zero width"],
        ["facts", "list"],
        ["facts", "recall", "what do I like?"],
        ["facts", "history", "what do I like?"],
        ["history"],
        ["diff"],
        ["session", "show", "work"],
        ["session", "list"],
        ["session", "state", "work", "list"],
        ["session", "state", "work", "get", "told"],
        ["prompt"],
        ["user", "show"],
        ["forget", "needle", "--dry-run"],
        ["dream", "--dry-run", "--explain"],
        ["dream", "proposals"],
        ["status"],
        ["doctor"],
        ["get", "memory/no\u202ene.md"],
    ]


@pytest.mark.promise("P11")
@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
def test_no_command_prints_what_nobody_sees(hidden: Path, as_json: bool) -> None:
    changes = [change["id"] for change in done("history", "--json").json["checkpoints"]]
    for argv in [*commands(), *(["diff", change] for change in changes)]:
        ran = holdfast(*argv, *(["--json"] if as_json else []))
        assert ran.status in (0, 1, 2, 3), (argv, ran)
        assert ran.out or ran.err, argv
        for printed in (ran.out, ran.err):
            assert INVISIBLE.search(printed) is None, (argv, printed)


@pytest.mark.parametrize(
    "argv",
    [["get", "memory/outside.md"], ["search", "needle gnirts isolate"], ["get", "--chunk-id", "memory/outside.md:3"]],
)
def test_hidden_characters_are_shown_by_their_number(hidden: Path, argv: list[str]) -> None:
    printed = done(*argv).out
    assert (
        "⟦U+E006F⟧⟦U+E0062⟧⟦U+E0065⟧⟦U+E0079⟧ ⟦U+202E⟧gnirts ⟦U+2066⟧isolate⟦U+2069⟧ pass⟦U+200D⟧word ␛[2J" in printed
    )


@pytest.mark.parametrize("argv", [["get", "MEMORY.md"], ["session", "show", "work"], ["facts", "list"]])
def test_zero_width_characters_are_shown_by_their_number(hidden: Path, argv: list[str]) -> None:
    assert "needle⟦U+200B⟧ of⟦U+2060⟧ zero⟦U+FEFF⟧ width and soft⟦U+00AD⟧hyphen" in done(*argv).out


@pytest.mark.parametrize("argv", [["get", "memory/benign.md"], ["search", "می\u200cخواهم"], ["diff"]])
def test_joiners_that_a_language_needs_are_left_alone(home: Path, argv: list[str]) -> None:
    done("save", BENIGN, "--file", "memory/benign.md")
    assert BENIGN in done(*argv).out


def test_json_holds_the_exact_text_in_plain_sight(hidden: Path) -> None:
    for path, text in (("MEMORY.md", SAVED), ("memory/outside.md", OUTSIDE), ("memory/benign.md", BENIGN)):
        printed = done("get", path, "--json").out
        assert INVISIBLE.search(printed) is None
        assert text in json.loads(printed)["text"]
    messages = done("session", "show", "work", "--json").json["messages"]
    assert messages[0]["text"] == SAVED


def test_an_answer_of_a_model_is_shown_the_same(script: ChatScript) -> None:
    script.say(f"{SAVED} 👩\u200d💻 \x1b[2J")
    printed = done("chat", "--once", "hello").out
    assert printed == "needle⟦U+200B⟧ of⟦U+2060⟧ zero⟦U+FEFF⟧ width and soft⟦U+00AD⟧hyphen 👩\u200d💻 ␛[2J\n"
