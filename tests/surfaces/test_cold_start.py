"""What a cold command pays for before it works: classes and expressions that it does not use are not made."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from commandline import done

PROGRAM = """
import re._compiler, sys, typing
import builtins
compiled, classes, named = [], [], []
compile_now, make = re._compiler.compile, typing.NamedTupleMeta.__new__

def compile_noted(pattern, flags=0):
    compiled.append(str(pattern))
    return compile_now(pattern, flags)

def make_noted(kind, name, bases, namespace):
    classes.append(namespace.get("__module__", ""))
    return make(kind, name, bases, namespace)

def compile_name_noted(source, *more, **given):
    if isinstance(source, str):  # a module is compiled from its bytes
        named.append(source)
    return compile_name(source, *more, **given)

re._compiler.compile = compile_noted
compile_name, builtins.compile = builtins.compile, compile_name_noted
typing.NamedTupleMeta.__new__ = staticmethod(make_noted)
from holdfast.surfaces.cli.main import main
main(sys.argv[1:])
import json
told = {"compiled": compiled, "classes": classes, "named": named, "modules": sorted(sys.modules)}
print("\\n" + json.dumps(told))
"""
PROMPT = {"session_id": "s", "cwd": "/", "prompt": "who decided on retries of the storage gateway?"}


def cold(*argv: str, given: object = None) -> dict[str, Any]:
    """Run a command in a fresh interpreter, and tell what it compiled, made and loaded."""
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, *argv], input=json.dumps(given).encode(), capture_output=True, check=True
    )
    found: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return found


@pytest.fixture
def home_with_facts(home: Path) -> Path:
    done("save", "The gateway retries three times", "--file", "memory/gateway.md")
    done("facts", "add", "I live in Munich")
    done("search", "gateway")
    return home


HOOK = ["hook", "user-prompt", "--client", "claude-code", "--deadline", "60"]
COMMANDS = [(["search", "gateway"], 65), (["save", "The launch moved", "--file", "memory/launch.md"], 60), (HOOK, 90)]


@pytest.mark.parametrize(("argv", "most"), COMMANDS, ids=["search", "save", "hook"])
def test_a_command_makes_no_class_by_compiling_and_few_expressions(
    home_with_facts: Path, argv: list[str], most: int
) -> None:
    found = cold(*argv, given=PROMPT)
    assert [module for module in found["classes"] if module.startswith("holdfast")] == []
    assert len(found["compiled"]) <= most


def test_a_prompt_that_asks_for_nothing_loads_no_rules_of_subjects(home_with_facts: Path) -> None:
    loaded = set(cold(*HOOK, given=PROMPT)["modules"])
    assert "holdfast.facts.question" in loaded
    assert loaded.isdisjoint({"holdfast.facts.subject", "holdfast.facts.subject_forms", "pathlib", "urllib.parse"})


def test_a_prompt_loads_no_log_no_secrets_and_nothing_that_changes_notes(home_with_facts: Path) -> None:
    loaded = set(cold(*HOOK, given=PROMPT)["modules"])
    assert loaded.isdisjoint({"logging", "secrets", "holdfast.facts.ledger"})
    assert [name for name in loaded if name.startswith("holdfast.checkpoints.")] == ["holdfast.checkpoints.receipts"]


def test_a_search_loads_what_it_does_and_not_what_it_could_do(home_with_facts: Path) -> None:
    loaded = set(cold("search", "gateway")["modules"])
    unused = {"index.sqlite.inspection", "postgres.presence", "search.diversity", "search.rerank"}
    assert {name for name in unused if f"holdfast.{name}" in loaded} == set()


def test_no_command_asks_python_to_compile_a_name(home_with_facts: Path) -> None:
    """The first call of `compile` makes all classes of syntax trees: a millisecond, for a type hint in quotes."""
    for argv in (["save", "The launch moved", "--file", "memory/launch.md"], [*HOOK[:1], "session-start", *HOOK[2:]]):
        assert cold(*argv, given=PROMPT)["named"] == []


def test_a_save_loads_neither_vectors_nor_the_model(home_with_facts: Path) -> None:
    loaded = set(cold("save", "The launch moved", "--file", "memory/launch.md")["modules"])
    assert loaded.isdisjoint({"numpy", "holdfast.embeddings.static.token_tables", "holdfast.search.search_pipeline"})


def test_an_action_loads_the_operations_of_no_other_action(home_with_facts: Path) -> None:
    loaded = set(cold("facts", "add", "I prefer green tea")["modules"])
    assert loaded.isdisjoint({"holdfast.operations.facts_recall", "holdfast.operations.facts_forget"})
