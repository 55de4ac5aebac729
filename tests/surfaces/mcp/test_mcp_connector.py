"""What ChatGPT's `fetch` gives holds what its `search` found, and says of every cut how to read on."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from surfaces.mcp.connections import MODERN, over_stdio
from surfaces.mcp.fences import inside

from holdfast import Memory

_WORDS = [first + second for first in "ba ko ri lu me ta".split() for second in "zen dor fil mak pos".split()]


def prose(count: int, seed: int) -> str:
    chosen = random.Random(seed)
    return " ".join(chosen.choice(_WORDS) for _ in range(count))


def written(home: Path, text: str) -> None:
    (home / "memory").mkdir(parents=True)
    (home / "memory/long.md").write_text(text, encoding="utf-8", newline="")
    with Memory.open(home) as memory:
        memory.sync()


def asked(*, query: str | None = None, which: str | None = None, whole: bool = False) -> list[dict[str, Any]]:
    """What is fetched for the first result of a search, or for an id; with `whole`, and all that it leads on to."""
    parts: list[dict[str, Any]] = []

    async def ask() -> None:
        async with over_stdio(MODERN, "--tools", "chatgpt") as client:
            following = which
            if query is not None:
                found = (await client.call_tool("search", {"query": query})).structured_content
                assert isinstance(found, dict)
                following = found["results"][0]["id"]
            while following is not None:
                answer = await client.call_tool("fetch", {"id": following})
                part = answer.structured_content or {"error": str(answer.content)}
                parts.append(part)
                following = part.get("metadata", {}).get("next") if whole else None

    anyio.run(ask)
    return parts


MEETING = f"# Meeting\n\n{prose(6000, 1)} The vault combination of the Aardvark room is 7741. {prose(50, 2)}\n"
SPEECH = f"# Speech\n\n{prose(40_000, 3)} The vault combination of the Aardvark room is 7741. {prose(40_000, 4)}\n"
_TREATY = f"The Pangolin treaty was signed in Utrecht. {prose(800, 5)}"
BOOK = "\n".join([prose(850, n) for n in range(99)] + [_TREATY] + [prose(850, n) for n in range(200, 220)]) + "\n"


@pytest.fixture(scope="module")
def home_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A home with a note that is indexed once, for tests that only read."""
    homes: dict[str, Path] = {}

    def home_of(note: str) -> Path:
        if note not in homes:
            homes[note] = tmp_path_factory.mktemp("read") / "home"
            written(homes[note], note)
        return homes[note]

    return home_of


@pytest.mark.parametrize(
    ("note", "query", "needle", "cut"),
    [
        (MEETING, "vault combination Aardvark room", "7741", False),
        (SPEECH, "vault combination Aardvark room", "7741", True),
        (BOOK, "Where was the Pangolin treaty signed?", "Utrecht", True),
    ],
    ids=["one line of 40,000 characters", "one line of 500,000 characters", "paragraphs of 5,000 characters"],
)
def test_what_was_found_is_in_what_is_fetched_however_long_the_lines_are(
    note: str, query: str, needle: str, cut: bool, home_of: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_HOME", str(home_of(note)))
    (part,) = asked(query=query)
    assert needle in part["text"]
    assert len(part["text"]) < 101_000
    assert ("[Not all of it" in part["text"]) is cut
    assert not cut or "Fetch memory/long.md to read it from its beginning." in part["text"]
    assert cut or inside(part["text"]) == note.rstrip("\n")


@pytest.mark.parametrize("note", [MEETING, SPEECH, BOOK], ids=["meeting", "speech", "book"])
def test_a_note_with_long_lines_can_be_read_to_its_end(
    note: str, home_of: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_HOME", str(home_of(note)))
    parts = asked(which="memory/long.md", whole=True)
    held = ""
    for part in parts:
        following = part["metadata"].get("next")
        assert following is None or f"Fetch {following} to read on." in part["text"]
        held += inside(part["text"]) + ("" if following is None or "+" in following else "\n")
    assert held == note.rstrip("\n")


@pytest.mark.parametrize("place", ["memory/long.md:99999", "memory/long.md:0", "memory/long.md:1+99999"])
def test_a_place_that_a_note_does_not_have_is_an_error_and_no_empty_text(place: str, home: Path) -> None:
    written(home, "One line.\nAnd another.\n")
    (part,) = asked(which=place)
    assert "NotFound" in part["error"]
    assert "Fetch memory/long.md" in part["error"]
