"""Mistakes in the arguments: what is said to people and to programs, and what to type instead."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commandline import done, holdfast

from holdfast import Memory
from holdfast.context.user_profile import UserProfile
from holdfast.dreaming.dream_access import Dreams
from holdfast.forgetting.forget_everywhere import forget_memory
from holdfast.guard.signature import parameters_of
from holdfast.operations.checkpoint_purge import purge_note
from holdfast.operations.checkpoint_restore import checkpoint_restore, undo_last
from holdfast.operations.checkpoints_list import diff_change, list_changes
from holdfast.operations.exchange_export import export_memory
from holdfast.operations.exchange_import import import_from
from holdfast.operations.fact_view import show_fact
from holdfast.operations.facts_forget import archive_fact, forget_fact, restore_fact
from holdfast.operations.facts_list import list_facts
from holdfast.operations.facts_recall import fact_history, recall
from holdfast.operations.facts_store import store
from holdfast.operations.inbox_entries import Inbox
from holdfast.operations.index_watch import rebuild_index, sync_index
from holdfast.operations.memory_delete import memory_delete
from holdfast.operations.memory_get import memory_get
from holdfast.operations.memory_save import memory_save
from holdfast.operations.memory_search import memory_search
from holdfast.operations.memory_status import status
from holdfast.operations.session_state import session_state
from holdfast.operations.undo_origin import undo_origin
from holdfast.operations.vector_spaces import drop_space
from holdfast.sessions.conversation import Session
from holdfast.surfaces.cli.cli_reference import reference_markdown
from holdfast.surfaces.cli.parser import commands_of, full_parser

MISTAKES = [
    "bogus",
    "--bogus",
    "--home",
    "save",
    "save a b",
    "save -x",
    "search x -n many",
    "config",
    "config bogus",
    "config set memory.citations",
    "completions tcsh",
    "index extra",
]


@pytest.mark.parametrize("line", MISTAKES)
@pytest.mark.parametrize("first", [True, False])
def test_a_mistake_in_the_arguments_is_json_for_programs(line: str, first: bool) -> None:
    words = line.split(" ")
    if not first and words[-1] == "--home":
        pytest.skip("the option would take --json for its value")
    ran = holdfast(*(["--json", *words] if first else [*words, "--json"]))
    assert (ran.status, ran.out) == (2, "")
    assert list(json.loads(ran.err)) == ["error"]
    error = json.loads(ran.err)["error"]
    assert (error["type"], bool(error["message"])) == ("Usage", True)


@pytest.mark.parametrize("line", MISTAKES)
def test_a_mistake_in_the_arguments_shows_people_the_usage(line: str) -> None:
    ran = holdfast(*line.split(" "))
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("usage: holdfast ")
    assert ran.err.splitlines()[-1].startswith("holdfast: ")
    assert ran.err.endswith((".\n", "?\n"))


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("serch x", "There is no command 'serch'. Did you mean 'search'?"),
        ("--home /x statsu", "There is no command 'statsu'. Did you mean 'status'?"),
        ("config shw", "There is no action 'shw'. Did you mean 'show'?"),
        ("completions bsh", "There is no shell 'bsh'. Did you mean 'bash'?"),
        ("connect codex --tools full", "--tools takes no 'full'. Choose one of: core, facts, all, owner, chatgpt."),
        ("search x --limit ten", "--limit takes no 'ten'. Give a whole number."),
        ("search x --min-score high", "--min-score takes no 'high'. Give a number."),
        ("connect codex --tools ownr", "--tools takes no 'ownr'. Did you mean 'owner'?"),
        ("completions powershell", "Choose one of: bash, zsh, fish."),
        ("frobnicate", "Choose one of: init, save, search"),
        ("save a --fil memory/a.md", "Did you mean '--file'?"),
        ("search heron --max 3", "Did you mean '--max-results'?"),
        ("--hom /x search heron", "Unrecognized arguments: --hom. Did you mean '--home'?"),
        ("--hom=/x search heron", "Did you mean '--home'?"),
    ],
)
def test_a_mistyped_word_names_the_nearest_one(line: str, hint: str) -> None:
    assert hint in holdfast(*line.split(" ")).err


@pytest.mark.parametrize(
    "line", ["save -x", "save a -x", "save --- --file memory/a.md", "search -x", "search -- -a -b"]
)
def test_text_that_starts_with_a_dash_gets_the_hint_about_two_dashes(line: str) -> None:
    expected = "--" not in line.split(" ")
    assert ("Put -- before text that starts with a dash" in holdfast(*line.split(" ")).err) == expected


def test_a_value_that_starts_with_a_dash_gets_a_hint_of_its_own() -> None:
    assert "Write OPTION=VALUE" in holdfast("delete", "MEMORY.md", "--text", "-x").err


def test_a_right_option_is_not_blamed_for_a_wrong_word() -> None:
    for line in ("config show --changed extra", "search x y -n5", "save a b --file=memory/a.md --json"):
        ran = holdfast(*line.split(" "))
        assert ran.status == 2
        assert "dash" not in ran.err
        assert "Did you mean" not in ran.err


def test_text_after_two_dashes_is_text(home: Path) -> None:
    done("save", "--", "-x")
    assert done("save", "--", "--json").out.startswith("Saved to MEMORY.md.")
    assert (home / "MEMORY.md").read_text(encoding="utf-8") == "-x\n\n--json\n"


def test_a_mistake_can_not_drive_the_terminal() -> None:
    for argv in (["\x1b[2J"], ["save", "a", "\x1b[2J"], ["save", "a", "--\x1b[2J"], ["completions", "\x1b[2J"]):
        assert "\x1b" not in holdfast(*argv).err


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("memory.search.max_results", "4", 4),
        ("memory.search.min_score", "1", 1.0),
        ("memory.sync.watch", "off", False),
        ("memory.citations", " on", "on"),
        ("memory.extra_paths", "/a:/b", ["/a", "/b"]),
        ("memory.store.vector.extension_path", "", None),
    ],
)
def test_config_set_shows_the_value_as_it_was_understood(key: str, text: str, value: object) -> None:
    shown = done("config", "set", key, text, "--json").json
    assert (shown["key"], shown["value"], type(shown["value"])) == (key, value, type(value))
    assert done("config", "get", key, "--json").json["value"] == value


def test_config_of_a_table_lists_what_is_in_it() -> None:
    for argv in (["get", "memory"], ["set", "memory", "x"], ["unset", "memory"]):
        ran = holdfast("config", *argv)
        assert (ran.status, ran.out) == (4, "")
        assert "'memory' is a table" in ran.err
        assert "memory.citations" in ran.err
        assert "memory.search" in ran.err
        assert "Did you mean" not in ran.err
    assert "memory.store.vector.extension_path" in holdfast("config", "get", "memory.store.vector").err
    assert "Did you mean 'memory.citations'?" in holdfast("config", "get", "memory.citation").err


@pytest.mark.parametrize("action", ["show", "get", "set", "unset", "path"])
def test_every_action_of_config_has_a_description_and_an_example(action: str) -> None:
    parser = commands_of(commands_of(full_parser())["config"])[action]
    assert parser.description
    assert f"example:\n  holdfast config {action}" in done("config", action, "--help").out


def every_parser(parser: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    return [parser, *(inner for one in commands_of(parser).values() for inner in every_parser(one))]


def test_every_argument_says_what_it_is() -> None:
    for parser in every_parser(full_parser()):
        for action in parser._actions:
            assert action.help or isinstance(action, argparse._SubParsersAction), (parser.prog, action.dest)
    assert "one of these" not in reference_markdown()


def test_text_that_starts_with_a_dash_is_taken_after_two_dashes(home: Path) -> None:
    assert holdfast("save", "--", "-x is a flag").status == 0
    assert holdfast("save", "- a bullet").status == 0
    assert holdfast("search", "--", "-x").status == 0
    assert (home / "MEMORY.md").read_text(encoding="utf-8") == "-x is a flag\n\n- a bullet\n"


# The operation whose arguments a command takes, and those for which a person is told something else than a model.
DERIVED: list[tuple[str, Callable[..., Any], set[str]]] = [
    ("search", memory_search, {"query"}),  # the command line knows signs for phrases, too
    ("save", memory_save, {"file"}),
    ("get", memory_get, set()),
    ("delete", memory_delete, {"text"}),
    ("forget", forget_memory, {"confirmed"}),
    ("facts add", store, set()),
    ("facts list", list_facts, set()),
    ("facts recall", recall, set()),
    ("facts history", fact_history, set()),
    ("facts forget", forget_fact, set()),
    ("facts archive", archive_fact, set()),
    ("facts restore", restore_fact, set()),
    ("facts show", show_fact, set()),
    ("facts reindex", rebuild_index, set()),
    ("history", list_changes, set()),
    ("diff", diff_change, set()),
    ("restore", checkpoint_restore, {"checkpoint"}),
    ("undo", undo_last, {"path"}),
    ("undo", undo_origin, {"origin"}),
    ("purge", purge_note, set()),
    ("export", export_memory, set()),
    ("import", import_from, set()),
    ("inbox", Inbox.edit, set()),
    ("dream", Dreams.run, {"phases"}),
    ("index", sync_index, set()),
    ("spaces drop", drop_space, set()),
    ("status", status, set()),
    ("session show", Session.messages, set()),
    ("session delete", Session.delete, set()),
    ("session state", session_state, set()),
    ("prompt", Session.prompt, set()),
    ("prompt", Memory.session, set()),
    ("chat", Memory.session, set()),
    ("user set", UserProfile.save, set()),
    ("user undo", UserProfile.undo, set()),
]


@pytest.mark.parametrize(("line", "operation", "own"), DERIVED, ids=[f"{row[0]}-{row[1].__name__}" for row in DERIVED])
def test_help_says_of_an_argument_what_its_operation_says(
    line: str, operation: Callable[..., Any], own: set[str]
) -> None:
    parser: argparse.ArgumentParser = full_parser()
    for word in line.split():
        parser = commands_of(parser)[word]
    typed = {action.dest: action for action in parser._actions}
    shared = [parameter for parameter in parameters_of(operation)[1:] if parameter.name in typed]
    assert shared
    for parameter in shared:
        action = typed[parameter.name]
        if line.startswith("session") and parameter.name == "action":
            continue  # there it is the word after `session`
        if parameter.name not in own:
            shown = action.help or ""
            assert f"{shown[0].upper()}{shown[1:]}".casefold().startswith(
                parameter.description.removesuffix(".").casefold()
            )
        assert set(parameter.choices) <= set(action.choices or ())
        if bool in parameter.kinds:
            assert action.nargs == 0
        elif parameter.kinds[0] in (int, float):
            assert action.type is parameter.kinds[0]
            assert action.default == parameter.default


def test_help_is_one_json_object_where_that_is_asked_for() -> None:
    for words in (["save"], ["config", "set"], []):
        assert done("help", *words, "--json").json == {
            "command": " ".join(words),
            "help": holdfast("help", *words).out,
        }
    unknown = holdfast("help", "sve", "--json")
    assert (unknown.status, json.loads(unknown.err)["error"]["type"]) == (2, "Usage")
