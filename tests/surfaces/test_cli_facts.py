"""`holdfast facts`: what a person types, and what a script reads."""

from __future__ import annotations

import shlex
from pathlib import Path

from commandline import done, holdfast, process

from holdfast import Memory
from holdfast.surfaces.cli.commands.facts import EXAMPLES
from holdfast.transcripts.session_key import session_mark


def test_a_person_adds_reads_and_takes_back_facts(home: Path) -> None:
    made = done("facts", "add", "I live in Berlin", "--category", "fact", "--json").json
    assert made["outcome"] == "stored"
    told = done("facts", "add", "I moved to Munich", "--category", "fact").out
    assert f"It takes the place of {made['id']} (subject:user/lives-in)" in told
    assert "Known already" in done("facts", "add", "i moved to munich.").out
    assert "I moved to Munich" in done("facts", "recall", "where do I live?").out
    shown = done("facts", "history", "where do I live").out
    assert shown.index("I live in Berlin") < shown.index("I moved to Munich")
    assert "superseded by" in shown
    assert done("facts", "list", "--state", "superseded", "--json").json["total"] == 1
    assert "Restored: I live in Berlin" in done("facts", "restore", made["id"]).out
    archived = done("facts", "archive", made["id"]).out
    assert "Archived: I live in Berlin\nUndo with: holdfast undo\n" in archived
    assert done("facts", "reindex", "--json").json["added"] == 2
    assert "2 added" in done("facts", "reindex").out
    assert "Berlin" not in holdfast("facts", "recall", "Berlin").out
    assert done("facts", "recall", "Berlin", "--archived", "--json").json["results"][0]["state"] == "archived"
    gone = done("facts", "forget", made["id"])
    assert "Undo with: holdfast restore" in gone.out
    assert "I moved to Munich" in done("facts", "list").out
    stats = done("facts", "stats", "--json").json
    assert (stats["total"], stats["origins"]) == (1, {"user": 1})
    assert "1 fact (of 5,000 at the most)" in done("facts", "stats").out
    assert (home / "memory/facts.md").read_text().count("\n") == 1


def test_the_examples_of_its_help_find_what_they_ask_for() -> None:
    for line in EXAMPLES.strip().splitlines():
        said = done(*shlex.split(line)[1:]).out
        assert "tea" in said or " recall " not in line
        assert "Berlin" in said or " history " not in line


def test_what_is_not_there_ends_with_a_status_of_its_own() -> None:
    assert holdfast("facts", "forget", "k3x9wb").status == 3
    assert holdfast("facts", "history", "where do I live").status == 3
    assert holdfast("facts", "history", "where do I live", "--json").status == 3
    assert holdfast("facts", "forget").status == 2
    assert holdfast("facts", "add", "").status == 2
    assert done("facts", "list").out == ""
    assert (holdfast("facts", "recall", "tea").status, holdfast("facts", "recall", "tea").out) == (3, "")
    assert holdfast("facts", "recall", "tea", "--json").status == 3


def test_a_person_is_told_what_nothing_was_written_for_and_what_is_to_come(home: Path) -> None:
    (home / "memory").mkdir(parents=True, exist_ok=True)
    (home / "memory/facts.md").write_text("- I like plums\n")
    known = holdfast("facts", "add", "I like plums")
    assert known.out == "Known already: memory/facts.md\n"
    assert "stays as it is" in known.err
    done("facts", "add", "I live in Oslo", "--from", "2999-01-01")
    assert "2999-01-01 …             I live in Oslo" in done("facts", "history", "where do I live").out
    (home / "memory/other.md").write_bytes(b"- caf\xe9\n")
    assert "memory/other.md is left out" in holdfast("facts", "list").err
    assert "memory/other.md is left out" in holdfast("facts", "stats").err


def test_an_argument_is_named_as_it_was_typed() -> None:
    for typed in (("add", "I live in Rome", "--from", "soon"), ("add", "I live in Rome", "--until", "later")):
        refused = holdfast("facts", *typed)
        assert refused.status == 2
        assert f"Argument '{typed[2]}'" in refused.err
    assert "Argument '--as-of'" in holdfast("facts", "history", "Rome", "--as-of", "then").err
    assert "Argument '--min-importance'" in holdfast("facts", "list", "--min-importance", "7").err


def test_a_fact_can_be_piped_and_signs_alone_are_none() -> None:
    assert b"Stored" in process("facts", "add", "-", stdin=b"I live in Rome\n").stdout
    assert "I live in Rome" in done("facts", "list").out
    for nothing in ("!!!", "…", "- ", "👍"):
        assert holdfast("facts", "add", nothing).status == 2
    assert process("facts", "add", "-").returncode == 2


def test_a_note_that_can_not_be_read_is_named_where_a_fact_would_go_into_it(home: Path) -> None:
    (home / "memory").mkdir(parents=True, exist_ok=True)
    (home / "memory/facts.md").write_bytes(b"- a\n- caf\xe9\n")
    refused = holdfast("facts", "add", "I live in Rome", "--category", "fact")
    assert refused.status == 2
    assert "note memory/facts.md" in refused.err and "line 2" in refused.err
    assert (home / "memory/facts.md").read_bytes() == b"- a\n- caf\xe9\n"


def test_a_captured_fact_shows_the_message_it_comes_from(home: Path) -> None:
    with Memory.open(home) as memory, memory.session("tea") as session:
        said = session.append("user", "Hi! I live in Lisbon. Can you fix the build?")
        made = session.capture().facts[0]
    told = done("facts", "show", made.id).out
    assert f", message {said.id}:\nHi! I live in Lisbon. Can you fix the build?" in told
    assert "Captured from session tea, 2" in told
    source = done("facts", "show", made.id, "--json").json["source"]
    assert (source["session"], source["message"], source["text"]) == ("tea", said.id, said.text)
    assert source["at"] == said.at


def test_a_fact_of_an_older_version_has_no_message_and_is_shown_with_its_session(home: Path) -> None:
    with Memory.open(home) as memory, memory.session("tea") as session:
        session.append("user", "Good morning")
        key = session_mark("main", "tea")
    (home / "memory").mkdir(exist_ok=True)
    line = f"- I live in Lisbon <!-- fact id=k3x9wb origin=auto_capture observed=2026-02-11 session={key} -->\n"
    (home / "memory/facts.md").write_text(line)
    assert "Captured from session tea; its message is not there." in done("facts", "show", "k3x9wb").out
    assert (home / "memory/facts.md").read_text() == line
