"""A home with something to hide, and a sandbox over it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from commandline import process

SECRET = "kestrel-lies-at-anchor"
WHY_NOT = "bubblewrap is not installed here (Debian: apt-get install bubblewrap): no sandbox was tried"
Run: TypeAlias = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def bwrap() -> str:
    """The bubblewrap of this machine; without one the test is skipped, and says so."""
    found = shutil.which("bwrap")
    if found is None:
        pytest.skip(WHY_NOT)
    return found


@pytest.fixture
def hiding(home: Path) -> Path:
    """A home in which everything but the notes of main holds a secret."""
    texts = {
        "MEMORY.md": "# Memory\n\nThe launch is on 3 March.\n",
        "memory/plans.md": "# Plans\n\nKestrel sails.\n",
        "state/secret.txt": SECRET,
        "state/main.sqlite": SECRET,
        "state/token": SECRET,
        "sessions/main/work.jsonl": SECRET,
        "agents/other/memory/own.md": SECRET,
        "USER.md": SECRET,
        "holdfast.toml": f'[user]\nname = "{SECRET}"\n',
    }
    for name, text in texts.items():
        place = home / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return home


@pytest.fixture
def sandboxed(bwrap: str, hiding: Path) -> Run:
    """Run `holdfast sandbox run` on that home in a process of its own; its environment holds the secret too."""

    def run(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
        ran = process("sandbox", "run", *words, env={"OPENAI_API_KEY": SECRET, "SOME_TOKEN": SECRET, **more})
        return subprocess.CompletedProcess(ran.args, ran.returncode, ran.stdout.decode(), ran.stderr.decode())

    return run
