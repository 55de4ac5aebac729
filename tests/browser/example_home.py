"""A home as somebody might have after two weeks, always the same: for pictures, and for tests that want one."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.guard.origin import Origin

__all__ = ["CLOCK", "NOW", "make_home"]

NOW: Final = datetime(2026, 11, 16, 9, 41, tzinfo=UTC).timestamp()
_DAY: Final = 86_400.0

# A server for which it is always that morning.
CLOCK: Final = f"""
import holdfast.clock
holdfast.clock.SystemClock.now = lambda self: {NOW}
"""

MEMORY: Final = """# Memory

- Ines prefers short answers, with the command first.
- Production deploys only on Mondays to Wednesdays.
- The customer portal is called *Harbour*; old documents say *Dock*.
"""
NOTES: Final = {
    "memory/work/harbour.md": (
        "# Harbour\n\nThe customer portal, live since March.\n\n## Launch\n\n"
        "- [x] Load test with 400 users\n- [x] Terms signed by legal\n- [ ] Status page on its own domain\n"
        "- [ ] Rehearse the rollback\n\n"
        "The launch of version 2 is on **24 November**, at ten in the morning. Priya leads it.\n\n"
        "## Costs\n\n| what | a month |\n|---|---|\n| database | 340 € |\n| mail | 25 € |\n| backups | 18 € |\n\n"
        "See [the runbook](runbook.md) for what to do when it does not start.\n"
    ),
    "memory/work/runbook.md": (
        "# Runbook of Harbour\n\n## When it does not start\n\n1. `journalctl -u harbour -n 50`\n"
        "2. Look whether the certificate has expired.\n3. Roll back: `harbour release --to previous`.\n\n"
        "## Backups\n\nNightly at 02:30, kept for 35 days. The restore was last rehearsed on 2 October.\n"
    ),
    "memory/people.md": (
        "# People\n\n- **Priya** leads the launch; mornings are best.\n- **Tomás** owns billing and the mail service.\n"
        "- **Wen** reviews everything that touches the database.\n"
    ),
    "memory/work/billing.md": (
        "# Billing\n\n- Invoices go out on the third working day.\n- VAT numbers are checked with VIES, once a day.\n"
        "- Refunds above 500 € need Tomás.\n"
    ),
    "memory/work/database.md": (
        "# Database\n\n- PostgreSQL 17, one primary and one replica.\n- Long migrations run with `lock_timeout = 2s`.\n"
        "- The replica may lag by up to ten seconds.\n"
    ),
    "memory/home/garden.md": (
        "# Garden\n\n- The apple tree is cut in February.\n- Tomatoes want water on Mondays and Thursdays.\n"
        "- Garlic goes into the ground before the first frost.\n"
    ),
    "memory/home/kitchen.md": (
        "# Kitchen\n\n- Sourdough: feed at eight, fold four times, bake at 240 degrees.\n"
        "- Ines does not eat fennel.\n- The good olive oil is from Kalamata.\n"
    ),
    "memory/home/bicycle.md": (
        "# Bicycle\n\n- Chain changed on 3 November at 14,200 km.\n- Tyres: 32 mm, 4.5 bar in front, 5 bar behind.\n"
    ),
    "memory/travel/lisbon.md": (
        "# Lisbon\n\n- Flight on 4 December at 07:15, seat 14C.\n"
        "- The flat is in Rua da Rosa 112; the key is at the café.\n- Tram 28 is full; walk.\n"
    ),
    "memory/travel/ferries.md": (
        "# Ferries\n\n- Piraeus to Naxos: five hours, leaves at 07:30.\n- Book the cabin in May.\n"
    ),
    "memory/reading/systems.md": (
        "# Systems to read about\n\n- Log-structured merge trees, and why compaction hurts.\n"
        "- How SQLite tests itself.\n- Vector quantization at one byte a number.\n"
    ),
    "memory/reading/novels.md": "# Novels\n\n- *The Maniac*, finished in October.\n- *Orbital*, on the table.\n",
}
DAYS: Final = {
    3: "- Harbour: load test with 400 users passed, p95 180 ms.\n- Ordered garlic for the garden.\n",
    2: "- Priya wants the status page on a domain of its own.\n- Wen found a lock in migration 0142; split in two.\n",
    1: "- Rehearsed the restore of the backup: 11 minutes.\n- Invoices went out.\n",
    0: "- Stand-up: launch stays on the 24th.\n- Ask Tomás about the mail quota.\n",
}
TALK: Final = (
    ("user", "What is still open for the launch of Harbour?"),
    (
        "assistant",
        (
            "Two things are open in [harbour.md](memory/work/harbour.md):\n\n"
            "1. the status page on its own domain\n2. the rehearsal of the rollback\n\n"
            "The launch is on **24 November** at ten; Priya leads it."
        ),
    ),
    ("user", "Good. From now on I work from Porto on Fridays."),
    ("assistant", "Noted: Fridays in Porto."),
)


def make_home(home: Path) -> None:
    """Write it all, on the days on which it would have been written."""
    clock = FakeClock(NOW - 13 * _DAY)
    with Memory.open(home, origin=Origin.USER, clock=clock) as memory:
        memory.notes.write("MEMORY.md", MEMORY)
        for number, (path, text) in enumerate(NOTES.items()):
            clock.advance(_DAY * 0.8 if number % 2 else 900)
            memory.notes.write(path, text)
        for text in ("Ines lives in Lyon.", "Ines prefers tea to coffee.", "The release train is called Kestrel."):
            memory.facts.store(text)
        clock.wall = NOW - 3 * _DAY
        memory.facts.store("Ines lives in Porto now.")
    for back, text in DAYS.items():
        clock.wall = NOW - back * _DAY - 3_600
        day = datetime.fromtimestamp(clock.now(), UTC).date().isoformat()
        with Memory.open(home, origin=Origin.AGENT, clock=clock) as memory:
            memory.notes.write(f"memory/{day}.md", f"# {day}\n\n{text}")
    clock.wall = NOW - 2_400
    with Memory.open(home, origin=Origin.AGENT, clock=clock) as memory:
        said = memory.notes.read("memory/people.md")
        memory.notes.write(said.path, said.text + "- **Noor** answers for support until the launch.\n")
        memory.tools(client="claude-code").call(
            "memory_save", {"content": "Ines is in Porto on Fridays.", "file": "MEMORY.md"}
        )
        memory.tools(client="claude-code").call(
            "memory_save", {"content": "Harbour 2 launches on 24 November at ten.", "file": "MEMORY.md"}
        )
        with memory.session("planning") as session:
            for role, text in TALK:
                session.append(role, text)
    _dream(home, clock)
    with Memory.open(home, "coder", origin=Origin.AGENT, clock=clock) as memory:
        memory.notes.write("memory/style.md", "# Style\n\n- Tabs in Go, four spaces in Python.\n")
    with Memory.open(home, clock=clock) as memory:
        memory.sync()


def _dream(home: Path, clock: FakeClock) -> None:
    """Ask for the same things on some days, and sleep over it."""
    gates = {f"dreaming.deep.{name}": 2 for name in ("min_recall_count", "min_unique_queries", "min_days")}
    with Memory.open(home, settings={**gates, "dreaming.deep.min_score": 0.2}, clock=clock) as memory:
        for back in (3, 2, 1):
            clock.wall = NOW - back * _DAY
            for question in ("when are refunds above 500 approved", "who approves refunds", "refunds Tomás"):
                memory.search(question)
        clock.wall = NOW - 6 * 3_600
        memory.dreams.run()
