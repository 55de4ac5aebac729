"""What the tests of dreaming share: a line, the questions that ask for it, and a look at the home."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from holdfast import Memory
from holdfast.clock import FakeClock

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC).timestamp()
DAY = 86_400.0
TEA = "I drink green tea in the morning before work"
NOTE = "memory/2026-11-13.md"
QUESTIONS = (
    "which tea in the morning?",
    "green tea before work",
    "what do I drink in the morning",
    "do I drink tea before work",
    "green tea morning",
)


def asked_for(memory: Memory, clock: FakeClock, questions: tuple[str, ...] = QUESTIONS, days: int = 3) -> None:
    """Ask so many questions on each of some days, and leave the clock on the last of them."""
    for day in range(days):
        for question in questions:
            assert memory.search(question).results
        if day < days - 1:
            clock.advance(DAY)


def prompt(home: Path) -> str:
    path = home / "MEMORY.md"
    return path.read_bytes().decode() if path.exists() else ""


def everything(home: Path) -> dict[str, bytes]:
    """Every file but what is derived or counted."""
    return {str(path): path.read_bytes() for path in home.rglob("*.md")}
