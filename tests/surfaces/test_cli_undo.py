"""The ways back from the command line: what each takes back, what it keeps, and what it says of that."""

from __future__ import annotations

from pathlib import Path

from commandline import done, holdfast

NOTE = "memory/a.md"


def _saved(text: str) -> str:
    return str(done("save", text, "--file", NOTE, "--json").json["checkpointId"])


def test_a_restore_of_an_older_change_says_what_else_it_takes_back(home: Path) -> None:
    first = _saved("one")
    _saved("two")
    with (home / NOTE).open("a") as note:
        note.write("by hand\n")
    _saved("three")
    whole = (home / NOTE).read_text()
    ran = done("restore", first)
    assert "This also took back 2 later changes and an edit made outside." in ran.err
    again = done("restore", ran.out.split()[-1], "--json").json
    assert "later" not in again and "outside" not in again, "nothing came after it"
    assert (home / NOTE).read_text() == whole
    shown = done("restore", first, "--json").json
    assert (shown["later"], shown["outside"]) == (4, True), "a restore is a change, too"


def test_an_undo_of_one_change_keeps_later_ones_and_edits_by_hand(home: Path) -> None:
    _saved("one")
    second = _saved("two")
    _saved("three")
    with (home / NOTE).open("a") as note:
        note.write("by hand\n")
    ran = done("undo", second[:8])
    assert "is without that change; later ones stay" in ran.out
    assert (home / NOTE).read_text().split() == ["one", "three", "by", "hand"]
    done("restore", ran.out.split()[-1])
    assert "two" in (home / NOTE).read_text(), "the redo that it names"


def test_an_undo_of_one_change_whose_lines_were_edited_since_names_restore(home: Path) -> None:
    _saved("one")
    second = _saved("two")
    (home / NOTE).write_text("one\n\ntwo, and more\n")
    refused = holdfast("undo", second)
    assert refused.status == holdfast("undo").status, "as for a note that was changed outside"
    assert f"`holdfast restore {second}`" in refused.err
    assert (home / NOTE).read_text() == "one\n\ntwo, and more\n"
    assert f"`holdfast restore {second}`" in holdfast("undo", second, "--force").err
    assert (home / NOTE).read_text() == "one\n\ntwo, and more\n"
    assert holdfast("undo", "c000000000000").status == 3


def test_an_undo_after_forgetting_everywhere_advises_nothing_that_loses_an_edit(home: Path) -> None:
    first = _saved("The launch is in May")
    _saved("The secret is plum")
    done("forget", "--text", "The secret is plum", "--everywhere", "--yes")
    with (home / NOTE).open("a") as note:
        note.write("by hand\n")
    refused = holdfast("undo")
    assert "--force" not in refused.err and "`holdfast undo CHECKPOINT`" in refused.err
    assert holdfast("undo", first).status == 0
    assert (home / NOTE).read_text().split() == ["by", "hand"]


def test_to_forget_everywhere_what_stands_nowhere_claims_nothing(home: Path) -> None:
    _saved("The launch is in May")
    ran = holdfast("forget", "--text", "The secret is plum", "--everywhere", "--yes")
    assert "Stood nowhere in the notes" in ran.out and "gone" not in ran.out
    assert ran.status == 3
