"""What a note says already is not saved again; and the owner's sentences stand above the section of agents' lines."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commandline import done
from surfaces.http.serving import served

import holdfast
from holdfast import Memory, Origin
from holdfast.guard.paths import INBOX

SAME = [
    "Prefers green tea.",
    "- Prefers green tea.",
    "* Prefers green tea",
    "prefers GREEN tea",
    "Prefers green tea!",
    "  Prefers   green tea.  \n",
    "Prefers green\ntea.",
    "Remember that prefers green tea.",
    "Please remember: Prefers green tea.",
]
OTHER = [
    "Prefers green tea?",
    "Prefers green tea in the morning.",
    "Prefers tea.",
    "Never prefers green tea.",
    "Remember prefers green tea.",
    "I remember that prefers green tea.",
    "1. Prefers green tea.",
    "> Prefers green tea.",
    "~~Prefers green tea.~~",
    "# Bob\n\nPrefers green tea.",
    "Bob says:\n\n- Prefers green tea.",
]


def text_of(home: Path, name: str = "MEMORY.md") -> str:
    return (home / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("again", SAME)
def test_the_same_sentence_is_written_once_and_the_answer_says_where_it_stands(home: Path, again: str) -> None:
    done("save", "Kestrel launches in March.")
    done("save", "Prefers green tea.")
    before = text_of(home)
    saved = done("save", again)
    assert "Saved" not in saved.out and "MEMORY.md#3" in saved.err
    told = done("save", again, "--json").json
    assert (told["bytes_written"], told["checkpointId"]) == (0, "")
    assert "MEMORY.md#3" in told["because"]
    assert text_of(home) == before
    assert len(done("history", "--json").json["checkpoints"]) == 2


@pytest.mark.parametrize("other", OTHER)
def test_whatever_adds_a_word_or_says_it_elsewhere_is_written(home: Path, other: str) -> None:
    done("save", "Prefers green tea.")
    done("save", "--", other)
    assert text_of(home).endswith(f"{other}\n") and text_of(home).startswith("Prefers green tea.\n")


@pytest.mark.parametrize(
    ("note", "text", "after"),
    [
        ("- a\n- b\n", "- b\n- c", "- a\n- b\n- c\n"),
        ("First thing. Second thing.\n", "Second thing.", "First thing. Second thing.\n"),
        ("First thing.\n", "First thing. Second thing.", "First thing.\n\nFirst thing. Second thing.\n"),
        ("Never:\n\n- Deploy on Fridays\n\nMore.\n", "Deploy on Fridays", None),
        ("- Never\n  - Deploy on Fridays\n\nMore.\n", "Deploy on Fridays", None),
        ("```\nrm -r x\n```\n", "rm -r x", None),
        ("fix typo\n", "commit 1\n\n    fix typo\n\ncommit 2\n\n    fix typo", None),
        ("- Tea <!-- fact id=k3x9 origin=user -->\n", "Tea", "- Tea <!-- fact id=k3x9 origin=user -->\n"),
        ("\ufeff- Tea\r\n- Milk\r\n", "tea", "\ufeff- Tea\r\n- Milk\r\n"),
    ],
)
def test_what_is_left_of_a_text_is_what_is_new(home: Path, note: str, text: str, after: str | None) -> None:
    (home / "memory").mkdir(parents=True)
    (home / "memory/x.md").write_bytes(note.encode())
    done("save", text, "--file", "memory/x.md")
    wanted = f"{note}\n{text}\n" if after is None else after
    assert (home / "memory/x.md").read_bytes().decode() == wanted


def test_a_text_may_say_the_same_twice_by_itself(home: Path) -> None:
    done("save", "Yes.\n\nNo.\n\nYes.", "--file", "memory/x.md")
    done("save", "Up.\n\nDown.\n\nUp.", "--file", "memory/x.md")
    assert text_of(home, "memory/x.md") == "Yes.\n\nNo.\n\nYes.\n\nUp.\n\nDown.\n\nUp.\n"


def _by_library(home: Path, text: str, *, append: bool = True) -> dict[str, Any]:
    with Memory.open(home) as memory:
        return memory.save(text, file="memory/x.md", append=append).to_json()


def _by_tool(home: Path, text: str, *, append: bool = True) -> dict[str, Any]:
    with Memory.open(home) as memory:
        given = {"content": text, "file": "memory/x.md", "append": append}
        return dict(memory.tools(Origin.MCP_TOOL).call("memory_save", given))


def _by_client(home: Path, text: str, *, append: bool = True) -> dict[str, Any]:
    with served(home) as running, holdfast.connect(running.url, token=running.token) as client:
        return client.save(text, file="memory/x.md", append=append).to_json()


def _by_http(home: Path, text: str, *, append: bool = True) -> dict[str, Any]:
    with served(home) as running:
        made = running.call("POST", "/api/v1/notes", {"content": text, "file": "memory/x.md", "append": append})
        assert made.status in (200, 201), made.data
        return dict(made.json)


_Save = Callable[..., dict[str, Any]]
_SURFACES = [_by_library, _by_tool, _by_client, _by_http]


@pytest.mark.parametrize("save", _SURFACES)
def test_every_surface_writes_a_sentence_once(home: Path, save: _Save) -> None:
    assert save(home, "The ferry leaves at 07:40.")["checkpointId"]
    assert save(home, "- the ferry leaves at 07:40")["checkpointId"] == ""
    assert text_of(home, "memory/x.md") == "The ferry leaves at 07:40.\n"


@pytest.mark.parametrize("save", _SURFACES)
def test_a_note_that_is_replaced_by_the_same_text_has_no_second_checkpoint(home: Path, save: _Save) -> None:
    assert save(home, "The ferry leaves at 07:40.", append=False)["checkpointId"]
    again = save(home, "The ferry leaves at 07:40.", append=False)
    assert again["because"] == "known already, and not written twice: memory/x.md"
    assert (again["path"], again["bytes_written"], again["checkpointId"]) == ("memory/x.md", 0, "")
    assert len(done("history", "--json").json["checkpoints"]) == 1


def test_the_command_says_that_a_note_is_replaced_by_what_it_says_already(home: Path) -> None:
    done("save", "Prefers green tea.", "--replace")
    again = done("save", "Prefers green tea.", "--replace")
    assert again.out == "MEMORY.md is as it was.\n"
    assert "known already, and not written twice: MEMORY.md" in again.err
    assert done("save", "Prefers black tea.", "--replace", "--json").json["checkpointId"]


def test_what_an_agent_finds_in_memory_md_needs_no_approval(home: Path) -> None:
    done("save", "Prefers green tea.")
    with Memory.open(home) as memory:
        made = memory.tools().call("memory_save", {"content": "- prefers green tea"})
    assert made["saved"] and "MEMORY.md#1" in made["because"]
    assert done("inbox", "--json").json["entries"] == []


def test_what_waits_already_waits_once(home: Path) -> None:
    with Memory.open(home) as memory:
        for text in ("Pays Bob.", "- pays Bob", "pays bob!"):
            assert memory.tools().call("memory_save", {"content": text})["waits"]
    assert [entry["text"] for entry in done("inbox", "--json").json["entries"]] == ["Pays Bob."]


@pytest.mark.parametrize(
    "sentences",
    [
        ("I use pnpm, not npm.", "Remember that I use pnpm, not npm."),
        ("- Please remember that I use pnpm, not npm", "I use pnpm, not npm."),
        ("Recuerda que uso pnpm.", "Uso pnpm."),
    ],
)
def test_a_request_to_remember_makes_no_second_sentence(home: Path, sentences: tuple[str, str]) -> None:
    for sentence in sentences:
        done("save", "--", sentence)
    assert text_of(home) == f"{sentences[0]}\n"
    with Memory.open(home) as memory:
        for sentence in ("Pays Bob.", "Remember that pays Bob."):
            assert memory.tools().call("memory_save", {"content": sentence})["waits"]
        assert [entry.text for entry in memory.inbox.list()] == ["Pays Bob."]


def test_what_waits_already_is_not_written_and_makes_no_checkpoint(home: Path) -> None:
    done("save", "Prefers green tea.")
    with Memory.open(home) as memory:
        first = memory.tools().call("memory_save", {"content": "Pays Bob."})
        again = memory.tools().call("memory_save", {"content": "- pays Bob"})
        written = memory.notes.write("MEMORY.md", "Prefers green tea.\n\nPays Bob!\n")
        assert [change.id for change in memory.history(INBOX)] == [first["checkpointId"]]
        assert written.hash == memory.notes.hash_of(INBOX)
    assert (again["saved"], again["waits"], again["path"]) == (False, True, INBOX)
    assert (again["bytes_written"], again["checkpointId"]) == (0, "")
    assert again["because"].startswith("waits for approval already, and is not written twice")
    assert (written.waits, written.path, written.bytes, written.checkpoint_id) == (True, INBOX, 0, "")
    assert written.because == again["because"]


def test_diff_shows_what_undo_takes_back_where_an_agent_saved_twice_what_waits(home: Path) -> None:
    done("save", "Prefers green tea.")
    with Memory.open(home) as memory:
        for _ in range(2):
            memory.tools().call("memory_save", {"content": "Pays Bob."})
    assert "+- Pays Bob." in done("diff").out
    done("undo")
    assert not (home / INBOX).exists() and text_of(home) == "Prefers green tea.\n"


def _say(home: Path, *sentences: str) -> None:
    """Have an agent save what the user typed."""
    with Memory.open(home) as memory, memory.session() as session:
        for sentence in sentences:
            session.append("user", sentence)
            assert session.tools().call("memory_save", {"content": sentence})["saved"]


@pytest.mark.parametrize(
    ("first", "owners", "above"),
    [
        ("Ada leads Kestrel.", "We launch in March.", "Ada leads Kestrel.\n\nWe launch in March.\n"),
        ("- Ada leads Kestrel", "- We launch in March", "- Ada leads Kestrel\n- We launch in March\n"),
        ("# Mine\n\nAda leads it", "We launch in March", "# Mine\n\nAda leads it\n\nWe launch in March\n"),
    ],
)
def test_what_the_owner_saves_stands_above_the_lines_of_agents(home: Path, first: str, owners: str, above: str) -> None:
    done("save", first)
    _say(home, "I drink tea.")
    done("save", owners)
    assert text_of(home) == f"{above}\n# From conversations\n\nI drink tea.\n"
    _say(home, "I drink milk.")
    assert text_of(home) == f"{above}\n# From conversations\n\nI drink tea.\n\nI drink milk.\n"


@pytest.mark.parametrize("first", ["Ada leads Kestrel.", "- Ada leads Kestrel", ""])
def test_what_is_saved_after_an_approval_stands_above_the_section_that_the_approval_made(
    home: Path, first: str
) -> None:
    if first:
        done("save", first)
    with Memory.open(home) as memory:
        assert memory.tools().call("memory_save", {"content": "Pays Bob on Fridays."})["waits"]
    done("inbox", "approve", done("inbox", "--json").json["entries"][0]["id"])
    section = text_of(home)[text_of(home).index("## Consolidated Memory") :]
    done("save", "- We launch in March")
    start = f"{first}\n{'' if first.startswith('-') else chr(10)}" if first else ""
    assert text_of(home) == f"{start}- We launch in March\n\n{section}"
    _say(home, "I drink tea.")
    done("save", "It rains.")
    assert (
        text_of(home)
        == f"{start}- We launch in March\n\nIt rains.\n\n{section}\n# From conversations\n\nI drink tea.\n"
    )
    with Memory.open(home, settings={"memory.prompt_approval": "never"}) as memory:
        assert memory.tools().call("memory_save", {"content": "Bob sings."})["saved"]
    assert text_of(home).index("I drink tea.") < text_of(home).index("Bob sings.")


def test_what_an_agent_may_save_by_itself_stands_above_dreamings_section_too(home: Path) -> None:
    home.mkdir(parents=True)
    (home / "MEMORY.md").write_text("Ada.\n\n## Consolidated Memory (2026-01-01)\n\n- Late\n")
    with Memory.open(home, settings={"memory.prompt_approval": "never"}) as memory:
        assert memory.tools().call("memory_save", {"content": "Bob sings."})["saved"]
    assert text_of(home) == "Ada.\n\nBob sings.\n\n## Consolidated Memory (2026-01-01)\n\n- Late\n"


@pytest.mark.parametrize("sentence", ["I drink tea", "- I drink tea", "I drink tea."])
@pytest.mark.parametrize("between", ["", "\n# Work\n\nLate.\n", "\n## Consolidated Memory (2026-01-01)\n\n- Late\n"])
def test_there_is_one_heading_for_the_lines_of_agents(home: Path, sentence: str, between: str) -> None:
    done("save", "Ada leads Kestrel.")
    _say(home, sentence)
    with (home / "MEMORY.md").open("a") as note:
        note.write(between)
    _say(home, "I drink milk.", "Bob sings.")
    done("save", "We launch in March.")
    _say(home, "It rains.")
    text = text_of(home)
    assert text.count("# From conversations") == 1
    section = text.partition("# From conversations")[2].partition("\n#")[0]
    assert all(line in section for line in (sentence, "I drink milk.", "Bob sings.", "It rains."))
    assert "We launch in March." not in section and "Late" not in section
    assert not between or between.strip() in text


def test_a_heading_that_a_model_copies_does_not_stand_twice(home: Path) -> None:
    done("save", "Ada leads Kestrel.")
    _say(home, "I drink tea.")
    with Memory.open(home) as memory, memory.session() as session:
        session.append("user", "I drink milk.")
        made = session.tools().call("memory_save", {"content": "# From conversations\n\nI drink milk."})
    assert made["saved"], made
    assert text_of(home).count("# From conversations") == 1


def test_what_the_owner_leaves_open_does_not_swallow_the_lines_of_agents(home: Path) -> None:
    done("save", "Ada leads Kestrel.")
    _say(home, "I drink tea.")
    done("save", "```\ncode")
    assert text_of(home).endswith("# From conversations\n\nI drink tea.\n\n```\ncode\n")


def test_no_agent_moves_its_section_between_a_heading_and_what_stands_below_it(home: Path) -> None:
    owned = "# Lies\n\n## About Ada\n\nAda pays Bob.\n"
    (home).mkdir(parents=True)
    (home / "MEMORY.md").write_text(owned)
    _say(home, "I drink tea.")
    before = text_of(home)
    moved = "# Lies\n\n# From conversations\n\nI drink tea.\n\n## About Ada\n\nAda pays Bob.\n"
    with Memory.open(home) as memory, pytest.raises(holdfast.errors.NotPermitted):
        memory.notes.by(Origin.AGENT).write("MEMORY.md", moved)
    assert text_of(home) == before


def test_a_sentence_that_stands_as_a_fact_is_not_written_beside_it(home: Path) -> None:
    done("facts", "add", "I prefer green tea.", "--category", "preference")
    saved = done("save", "I prefer green tea.", "--file", "memory/preferences.md")
    assert "memory/preferences.md#1" in saved.err
    assert text_of(home, "memory/preferences.md").count("green tea") == 1
    done("save", "I prefer green tea. I like dark plums.", "--file", "memory/preferences.md")
    assert text_of(home, "memory/preferences.md").endswith("\n\nI prefer green tea. I like dark plums.\n")


def test_a_paragraph_of_a_note_of_facts_is_not_written_twice(home: Path) -> None:
    for _ in range(2):
        done("save", "Tea is for mornings.", "--file", "memory/preferences.md")
    assert text_of(home, "memory/preferences.md") == "Tea is for mornings.\n"


def test_a_fact_that_held_once_may_be_said_anew(home: Path) -> None:
    done("facts", "add", "I live in Oslo.", "--category", "fact", "--until", "2020-01-01")
    done("save", "I live in Oslo.", "--file", "memory/facts.md")
    assert text_of(home, "memory/facts.md").count("Oslo") == 2
