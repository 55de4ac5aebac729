"""Whether tenants in PostgreSQL find what a home in files finds: `python bench/same_hits.py --data DIR SET …`.

Each set of `holdfast eval` becomes a home; the home is imported into a tenant; both are asked the same questions, and
what they answer is compared as JSON, all but the time it took. Says how many answers differ.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from holdfast import Memory
from holdfast.evaluation.fixed_clock import FixedClock
from holdfast.evaluation.set_list import load_set
from holdfast.evaluation.sets import Collection

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))


def answer_of(memory: Memory, question: str) -> dict[str, Any]:
    """What a search gives, every score and reason included, without what it took."""
    shown: dict[str, Any] = memory.search(question).to_json(explain=True)
    shown.pop("took_ms")
    return shown


def difference(mine: dict[str, Any], theirs: dict[str, Any]) -> str:
    """Which parts of two answers are not the same as JSON; "" where all are."""
    if json.dumps(mine, sort_keys=True) == json.dumps(theirs, sort_keys=True):
        return ""
    parts = [name for name in mine if name != "results" and mine[name] != theirs.get(name)]
    for place, (one, other) in enumerate(zip(mine["results"], theirs["results"], strict=False)):
        parts += [f"hit {place} {name}: {one[name]} {other.get(name)}" for name in one if one[name] != other.get(name)]
    return "; ".join(parts)[:400]


def write_home(home: Path, collection: Collection) -> None:
    """Put the notes of a collection into a home; their files are as old as one another."""
    for path, text in collection.notes.items():
        file = home / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        os.utime(file, (1_700_000_000, 1_700_000_000))


def main() -> int:
    """Compare."""
    from engines.postgres_server import LOGIN, TEMPLATE, own_server

    from holdfast.postgres.home_transfer import import_home
    from holdfast.postgres.postgres_pool import PostgresPool

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", metavar="SET", nargs="+")
    parser.add_argument("--data", required=True, help="the directory of the sets, as `holdfast eval run` takes it")
    parser.add_argument("--questions", type=int, default=100, help="of each collection")
    parser.add_argument("--collections", type=int, default=2, help="of each set")
    args = parser.parse_args()
    different, clock = 0, FixedClock(time.time())  # how old a note is counts: both must be asked at the same moment
    with (
        own_server() as server,
        PostgresPool.open(server.address(TEMPLATE)) as admin,
        PostgresPool.open(server.address(TEMPLATE, LOGIN)) as pool,
        tempfile.TemporaryDirectory(prefix="holdfast-hits-") as folder,
    ):
        for name in args.sets:
            for number, collection in enumerate(load_set(name, args.data).collections[: args.collections]):
                tenant = f"{name}-{number}".lower().replace("_", "-")
                home = Path(folder) / tenant
                write_home(home, collection)
                import_home(admin, str(home), tenant)
                asked = [question.text for question in collection.questions]
                asked = random.Random(7).sample(asked, min(args.questions, len(asked)))
                with (
                    Memory.open(home, clock=clock) as files,
                    Memory.open_team(pool, tenant, cache=Path(folder) / "cache", clock=clock, copies=True) as rows,
                ):
                    files.sync()
                    rows.sync()
                    found = {text: difference(answer_of(files, text), answer_of(rows, text)) for text in asked}
                wrong = {text: parts for text, parts in found.items() if parts}
                different += len(wrong)
                print(
                    f"{tenant}: {len(collection.notes)} notes, {len(asked)} questions, {len(wrong)} differ", flush=True
                )
                for text, parts in wrong.items():
                    print(f"  {text[:100]}: {parts}")
    return 1 if different else 0


if __name__ == "__main__":
    raise SystemExit(main())
