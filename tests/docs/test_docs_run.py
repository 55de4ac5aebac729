"""What the documents tell the reader to type works, in order, in a fresh home; what they link to exists."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import fork_server
import pytest
from commandline import SCRIPT
from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted(
    path
    for path in (
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *ROOT.glob("bench/*.md"),
        *ROOT.glob("release/*.md"),
    )
    if not any(part.startswith(".") for part in path.relative_to(ROOT).parts)
)
RUNNABLE = [
    path
    for path in DOCUMENTS
    if path.name in ("README.md", "package.md", "tools.md", "sessions.md", "facts.md")
    or path.parent.name == "tutorials"
]
# It needs a database: tests/engines/test_team_tutorial.py runs it.
RUNNABLE = [path for path in RUNNABLE if path.name != "team.md"]
SHELL = ("console", "bash", "sh", "shell")
# Needs an answer from the outside world, a person, or never ends.
LEFT_OUT = re.compile(r"holdfast (watch|serve|purge|ui)\b|pip install|[<>…]")


class Block(NamedTuple):
    """One fenced block: its language, the line it starts at, and what is in it."""

    language: str
    line: int
    text: str


def blocks(path: Path) -> Iterator[Block]:
    for token in MarkdownIt().parse(path.read_text(encoding="utf-8")):
        if token.type == "fence" and token.map:
            yield Block(token.info.split(" ")[0], token.map[0] + 1, token.content)


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.fixture
def environment(home: Path, tmp_path: Path) -> dict[str, str]:
    """A shell in which `holdfast` is the one under test."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "holdfast").write_text(f'#!/bin/sh\nexec {shlex.join(fork_server.command(SCRIPT))} "$@"\n')
    (programs / "holdfast").chmod(0o755)
    return {**os.environ, "HOLDFAST_HOME": str(home), "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}


def lines_to_run(path: Path) -> Iterator[tuple[int, str]]:
    for block in blocks(path):
        if block.language in SHELL:
            for number, line in enumerate(block.text.splitlines(), block.line + 1):
                command = line.removeprefix("$ ").split("  #")[0].strip()
                # In a console block a line without a prompt is output, unless the block has no prompts at all.
                typed = line.startswith("$ ") or "\n$ " not in f"\n{block.text}"
                if typed and command.startswith("holdfast ") and not LEFT_OUT.search(command):
                    yield number, command


@pytest.mark.parametrize("path", RUNNABLE, ids=named)
def test_every_python_block_runs(path: Path, environment: dict[str, str], tmp_path: Path) -> None:
    for block in blocks(path):
        if block.language == "python":
            program = f"import warnings; warnings.simplefilter('error')\n{block.text}"
            ran = subprocess.run(
                fork_server.command(program),
                capture_output=True,
                timeout=120,
                cwd=tmp_path,
                env=environment,
                check=False,
            )
            assert ran.returncode == 0, f"{named(path)}:{block.line}: {ran.stderr.decode()}"


@pytest.mark.parametrize("path", RUNNABLE, ids=named)
def test_every_holdfast_command_runs(path: Path, environment: dict[str, str], tmp_path: Path) -> None:
    for number, command in lines_to_run(path):
        ran = subprocess.run(
            ["bash", "-c", command],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=120,
            cwd=tmp_path,
            env=environment,
            check=False,
        )
        assert ran.returncode == 0, f"{named(path)}:{number}: {command}: {ran.stderr.decode()}"


@pytest.mark.parametrize("path", DOCUMENTS, ids=named)
def test_every_holdfast_command_that_is_shown_exists(path: Path) -> None:
    from holdfast.surfaces.cli.parser import COMMANDS

    text = path.read_text(encoding="utf-8")
    for shown in re.findall(r"`holdfast ([a-z][^`\n]*)`", text):
        assert shlex.split(shown.replace("'", ""))[0].split("|")[0] in COMMANDS, f"{named(path)}: holdfast {shown}"


@pytest.mark.parametrize("path", DOCUMENTS, ids=named)
def test_every_link_to_a_file_resolves(path: Path) -> None:
    broken = []
    for token in MarkdownIt().parse(path.read_text(encoding="utf-8")):
        for inner in token.children or ():
            target = inner.attrGet("href") or inner.attrGet("src")
            if isinstance(target, str) and not re.match(r"[a-z][a-z0-9+.-]*:|#|$", target):
                file = path.parent / target.split("#")[0]
                if not file.exists():
                    broken.append(f"{named(path)}:{token.map[0] + 1 if token.map else 0}: {target}")
    assert not broken, "\n".join(broken)


def anchors(path: Path) -> set[str]:
    """The headings as GitHub names them."""
    tokens = MarkdownIt().parse(path.read_text(encoding="utf-8"))
    heads = [tokens[number + 1].content for number, token in enumerate(tokens) if token.type == "heading_open"]
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("path", DOCUMENTS, ids=named)
def test_every_link_to_a_heading_resolves(path: Path) -> None:
    broken = []
    for token in MarkdownIt().parse(path.read_text(encoding="utf-8")):
        for inner in token.children or ():
            target = inner.attrGet("href")
            if isinstance(target, str) and "#" in target and ":" not in target:
                name, _, anchor = target.partition("#")
                page = path.parent / name if name else path
                if page.suffix == ".md" and page.exists() and anchor not in anchors(page):
                    broken.append(f"{named(path)}: {target}")
    assert not broken, "\n".join(broken)


@pytest.mark.parametrize("path", DOCUMENTS, ids=named)
def test_every_path_of_the_repository_that_is_named_exists(path: Path) -> None:
    named_paths = re.findall(
        r"`((?:src|tests|docs|bench|examples|\.ci|\.github)/[\w./-]+)`", path.read_text(encoding="utf-8")
    )
    missing = [name for name in named_paths if not (ROOT / name.rstrip("/")).exists()]
    assert not missing, f"{named(path)} names {missing}"


def test_no_document_names_a_path_of_the_machine_it_was_written_on() -> None:
    for path in DOCUMENTS:
        assert not re.search(r"(?<![\w~.])/(root|work|Users|home/\w+)/", path.read_text(encoding="utf-8")), named(path)
