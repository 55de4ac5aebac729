"""Completion scripts: made for three shells, correct for each, and complete."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from commandline import done

from holdfast.settings.declaration import Kind
from holdfast.settings.keys import KEYS
from holdfast.surfaces.cli.parser import COMMANDS, commands_of, full_parser

SHELLS = ("bash", "zsh", "fish")


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_names_every_command_and_option(shell: str) -> None:
    script = done("completions", shell).out
    assert done("completions", shell, "--json").json == {"shell": shell, "script": script}
    for name, parser in commands_of(full_parser()).items():
        assert name in script
        for action in parser._actions:
            for flag in action.option_strings:
                assert not flag.startswith("--") or (flag if shell != "fish" else f"-l {flag[2:]}") in script
    for action_name in ("show", "unset", "path"):
        assert action_name in script


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_is_correct_in_its_shell(shell: str) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")
    script = done("completions", shell).out.encode()
    checked = subprocess.run([program, "-n"], input=script, capture_output=True, timeout=60, check=False)
    assert (checked.returncode, checked.stderr) == (0, b"")


def completed(*words: str) -> list[str]:
    """What bash would offer for the last word."""
    listed = " ".join(f"'{word}'" for word in words)
    script = done("completions", "bash").out
    script += f'COMP_WORDS=({listed}); COMP_CWORD={len(words) - 1}; _holdfast; printf "%s\\n" "${{COMPREPLY[@]}}"\n'
    run = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, encoding="utf-8", timeout=60, check=True
    )
    return run.stdout.split()


def test_bash_offers_commands_then_the_options_of_the_command() -> None:
    assert set(completed("holdfast", "")) >= set(COMMANDS)
    assert completed("holdfast", "his") == ["history"]
    assert completed("holdfast", "save", "--rep") == ["--replace"]
    assert "--json" in completed("holdfast", "--home", "/x", "status", "--")
    assert completed("holdfast", "config", "un") == ["unset"]


def test_bash_offers_the_shells_and_nothing_else() -> None:
    assert completed("holdfast", "completions", "") == list(SHELLS)
    assert completed("holdfast", "--home", "/x", "completions", "z") == ["zsh"]
    assert "--json" in completed("holdfast", "completions", "--")


@pytest.mark.parametrize("action", ["get", "set", "unset"])
def test_bash_offers_the_settings(action: str) -> None:
    assert completed("holdfast", "config", action, "") == [key.path for key in KEYS]
    assert completed("holdfast", "config", "--json", action, "memory.cit") == ["memory.citations"]


def test_bash_offers_the_values_of_a_setting_that_has_few() -> None:
    for key in KEYS:
        offered = completed("holdfast", "config", "set", key.path, "") if key.choices or key.kind is Kind.SWITCH else []
        assert offered == [str(choice) for choice in key.choices or ()] or offered == ["true", "false"]
    assert completed("holdfast", "config", "set", "memory.search.max_results", "--j") == ["--json"]
    assert completed("holdfast", "config", "show", "--ch") == ["--changed"]


@pytest.mark.parametrize("shell", SHELLS)
def test_every_script_knows_the_settings_and_their_values(shell: str) -> None:
    script = done("completions", shell).out
    assert all(key.path in script for key in KEYS)
    assert "auto on off" in script
    assert "true false" in script
