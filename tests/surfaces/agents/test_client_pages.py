"""docs/clients: what a page shows is what `holdfast connect` prints, and what it tells to type works."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from commandline import done
from markdown_it import MarkdownIt

from holdfast.surfaces.agents.clients import CLIENTS, Client
from holdfast.surfaces.agents.hook_events import HOOKED, Event

DOCS = Path(__file__).parents[3] / "docs" / "clients"


def blocks(name: str) -> list[tuple[str, str, str]]:
    """Each fenced block of a page: the line before it, its language, and what is in it."""
    tokens = MarkdownIt().parse((DOCS / name).read_text(encoding="utf-8"))
    texts = [token.content for token in tokens]
    fences = [number for number, token in enumerate(tokens) if token.type == "fence"]
    return [(texts[number - 2], tokens[number].info, tokens[number].content.rstrip("\n")) for number in fences]


@pytest.mark.skipif(sys.platform == "darwin", reason="desktop programs keep their settings elsewhere on macOS")
@pytest.mark.parametrize("client", Client)
def test_a_page_shows_what_connect_prints(client: Client, person: Path) -> None:
    files = done("connect", client, "--command", "holdfast", "--json").json["files"]
    page = [block for block in blocks(f"{client}.md") if block[1] in ("json", "toml")]
    wanted = [(f"`{one['path'].replace(str(person), '~')}`:", one["format"], one["snippet"]) for one in files]
    assert page == wanted
    printed = done("connect", client, "--command", "holdfast").out
    assert all(snippet in printed for _, _, snippet in page)


@pytest.mark.parametrize("client", Client)
def test_a_page_names_its_program_and_the_commands_on_it_work(client: Client, person: Path) -> None:
    text = (DOCS / f"{client}.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {CLIENTS[client].title}\n")
    (first, *_) = [content for _, language, content in blocks(f"{client}.md") if language == "sh"]
    commands = [line.split() for line in first.splitlines() if line.startswith("holdfast ")]
    assert commands == [["holdfast", "connect", client], ["holdfast", "connect", client, "--write"]]
    for _, *words in commands:
        done(*words)
    assert {one["state"] for one in done("connect", client, "--json").json["files"]} == {"added"}
    assert f"`holdfast connect {client} --remove`" in text
    assert ("hooks.md" in text) == (client in HOOKED)


def test_the_page_of_hooks_has_every_event_and_its_example_answers(person: Path) -> None:
    text = (DOCS / "hooks.md").read_text(encoding="utf-8")
    for event in Event:
        assert f"| `{event}` |" in text
    ((_, _, script),) = blocks("hooks.md")
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    # A hook gives up after two seconds, which a busy machine may need.
    patient = script.replace("--client claude-code", "--client claude-code --deadline 60")
    assert patient != script
    ran = subprocess.run(patient, shell=True, capture_output=True, env=env, timeout=120, check=True)
    said = json.loads(ran.stdout.splitlines()[-1])["hookSpecificOutput"]
    assert said["hookEventName"] == "UserPromptSubmit"
    assert "heron-net" in said["additionalContext"]
