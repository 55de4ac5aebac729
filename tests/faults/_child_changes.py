"""Changes notes until it is killed: says what it is about to do, does it, and acknowledges it durably."""

from __future__ import annotations

import json
import os
import random
import sys

from faults.children import wait_for_go

from holdfast import Memory
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.guard.origin import Origin

PATHS = ("MEMORY.md", "memory/diary.md", "memory/plans.md")


def main(home: str, log_path: str, seed: str, with_embedder: str) -> None:
    """Loop; only a signal ends it."""
    chance = random.Random(seed)
    log = os.open(log_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    embedder = FakeEmbedder() if with_embedder == "yes" else None
    with Memory.open(home, origin=Origin.USER, embedder=embedder) as memory:
        texts = {path: _read(home, path) for path in PATHS}
        past: list[tuple[str, str, str | None]] = []
        wait_for_go()
        number = 0
        while True:
            number += 1
            path = chance.choice(PATHS)
            before = texts[path]
            lines = (before or "").splitlines()
            kind = chance.choice(("save", "save", "save", "replace", "delete", "restore"))
            if kind == "delete" and lines:
                line = chance.choice(lines)
                after: str | None = "".join(f"{other}\n" for other in lines if other != line)
                after = after or None
            elif kind == "restore" and past:
                checkpoint, path, after = chance.choice(past)
                before = texts[path]
            else:
                line = f"- the token t{seed}x{number}z stands here {'for long ' * chance.randrange(60)}"
                kind = "replace" if kind == "replace" else "save"
                after = f"{line}\n" if kind == "replace" else f"{before or ''}{line}\n"
            _tell(log, {"intent": number, "path": path, "before": before, "after": after})
            if kind == "delete":
                made = memory.delete(path, text=f"{line}\n", all_matches=True).checkpoint_id
            elif kind == "restore":
                made = memory.restore(checkpoint).checkpoint_id
            else:
                made = memory.save(line, file=path, append=kind == "save").checkpoint_id
            _tell(log, {"ack": number, "checkpoint": made})
            os.fsync(log)
            if number == 1:
                os.write(1, b"first\n")
            past.append((made, path, before))
            texts[path] = after


def _read(home: str, path: str) -> str | None:
    try:
        with open(os.path.join(home, path), encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return None


def _tell(log: int, what: dict[str, object]) -> None:
    os.write(log, json.dumps(what).encode("utf-8") + b"\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
