"""Going back: the program of an earlier version works on a home that this one has changed."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from upgrade.test_old_homes import unpacked

from holdfast import Memory, Origin

ROOT = Path(__file__).parents[2]
# The commits that wrote the homes: tests/data/homes/README.md.
COMMITS = {"first": "dd7927c", "facts": "f0597ac", "images": "ee88e3d"}
COMMANDS = """
import sys
from holdfast.surfaces.cli.main import main
home, change = sys.argv[1:]
for argv in (["history"], ["restore", change], ["save", "Said by the old one.", "--file", "memory/old.md"]):
    status = main([*argv, "--home", home])
    if status:
        sys.exit(f"{argv}: {status}")
"""


def old_source(name: str, place: Path) -> Path:
    """Unpack the program of a commit; a copy without the history of the project skips."""
    packed = subprocess.run(
        ["git", "-C", ROOT, "archive", COMMITS[name], "src/holdfast"], capture_output=True, check=False
    )
    if packed.returncode:
        pytest.skip(f"the commit {COMMITS[name]} is not here")
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(place)
    return place / "src"


@pytest.mark.parametrize("name", COMMITS)
def test_the_old_program_reads_takes_back_and_adds_to_what_this_one_wrote(name: str, tmp_path: Path) -> None:
    home, source = unpacked(name, tmp_path), old_source(name, tmp_path / "old")
    decisions = home / "memory/decisions.md"
    before = decisions.read_bytes()
    with Memory.open(home, origin=Origin.USER) as memory:
        memory.save("Chose the heron over the crane.", file="memory/decisions.md")
        change = memory.history()[0].id
        memory.facts.store("I've moved to Oslo", category="fact")
    ran = subprocess.run(
        [sys.executable, "-c", COMMANDS, home, change],
        env={**os.environ, "PYTHONPATH": str(source)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert change in ran.stdout
    assert decisions.read_bytes() == before
    # And this one goes on from there.
    with Memory.open(home, origin=Origin.USER) as memory:
        assert memory.search("what did the old one say?").results[0].path == "memory/old.md"
        assert not memory.status(deep=True).problems
        assert memory.facts.recall("where do I live?").results[0].fact.text == "I've moved to Oslo"
