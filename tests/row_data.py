"""Sets in the common format, small enough to read here."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Mapping
from pathlib import Path

REPLY = "An answer about something else.\n\n## Heading\n\n- " + "It goes on and on about gardens. " * 30
_SAID = (
    ("a:0", "Ana", 0, "user", "2026-01-05", "I adopted a dog."),
    ("a:1", "Ana", 0, "assistant", "2026-01-05", REPLY),
    ("b:0", "Ana", 1, "user", "2026-01-05", "The dog is called Rex."),
    ("c:0", "Ana", 2, "user", "2026-02-01", "What is my dog called?"),
    ("d:0", "Ben", 0, "user", "2026-01-07", "I moved\nto Lisbon."),
)
TALK: list[dict[str, object]] = [
    {"id": name, "space": space, "session": name[0], "ord": place, "role": role, "date": day, "text": text}
    for name, space, place, role, day, text in _SAID
]
ASKED: list[dict[str, object]] = [
    {"id": "q1", "space": "Ana", "query": "What is my dog called?", "gold": ["b:0"], "gold_sessions": ["b"],
     "before": 2, "turn": 0, "context": [], "date": "2026-02-01", "kind": "names"},
    {"id": "q2", "space": "Ana", "query": "And which animal is that?", "gold": ["a:0", "b:0"], "before": 2, "turn": 2,
     "context": ["What is my dog called?", "Rex."], "date": "2026-02-01", "kind": "pets"},
    {"id": "q3", "space": "Ben", "query": "When did I move to Lisbon?", "gold": ["d:0"], "before": 1, "turn": 0,
     "kind": "places"},
    {"id": "q4", "space": "Ben", "query": "Whose row is not there?", "gold": ["z:9"], "kind": "places"},
    {"id": "q5", "space": "Ben", "query": " ", "gold": ["d:0"], "kind": "places"},
]  # fmt: skip
FACTS: list[dict[str, object]] = [
    {"id": f"f{number}", "ord": number, "role": "fact", "text": text}
    for number, text in enumerate(["The chair of the club is Ida.", *(f"Filler number {n}." for n in range(11))])
] + [{"id": "f12", "ord": 12, "role": "fact", "text": "The chair of the club is Olof."}]
UPDATES: list[dict[str, object]] = [
    {"id": "u", "query": "Who is the chair of the club?", "gold": ["f12"], "stale": ["f0"], "kind": "updated"}
]


def put_set(
    folder: Path, rows: Iterable[Mapping[str, object]], queries: Iterable[Mapping[str, object]], *, packed: bool = True
) -> Path:
    """Write a set into a folder."""
    folder.mkdir(parents=True)
    for name, lines in (("corpus.jsonl", rows), ("queries.jsonl", queries)):
        data = "".join(json.dumps(line) + "\n" for line in lines).encode()
        (folder / (f"{name}.xz" if packed else name)).write_bytes(lzma.compress(data) if packed else data)
    return folder
