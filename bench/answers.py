"""Whether two versions find the same: `python bench/answers.py keep FILE --data DIR SET …`, then `… compare FILE …`.

`keep`, run by the Python of the one version, writes what each set's questions are answered with, every score and reason
included; `compare`, run by that of the other, asks the same of homes that it makes anew, and says how many differ.
Numbers may differ by 1e-9: whoever makes search quicker must not change what it finds.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from same_hits import write_home

from holdfast import Memory
from holdfast.evaluation.fixed_clock import FixedClock
from holdfast.evaluation.set_list import load_set

_NOW = 1_794_940_000.0  # how old a note is counts: both are asked at the same moment
_WAYS: tuple[dict[str, Any], ...] = ({}, {"max_results": 30}, {"by_passage": True, "max_results": 10})


def _answers(sets: list[str], data: str, questions: int, collections: int) -> Iterator[tuple[str, Any]]:
    """Each question as it was asked, and what it was answered with."""
    for name in sets:
        for number, collection in enumerate(load_set(name, data).collections[:collections]):
            asked = [question.text for question in collection.questions]
            asked = random.Random(7).sample(asked, min(questions, len(asked)))
            with tempfile.TemporaryDirectory(prefix="holdfast-answers-") as folder:
                write_home(Path(folder), collection)
                with Memory.open(folder, clock=FixedClock(_NOW)) as memory:
                    memory.sync()
                    for text in asked:
                        for way in _WAYS:
                            shown = memory.search(text, **way).to_json(explain=True)
                            shown.pop("took_ms")
                            yield f"{name} {number} {json.dumps(way)} {text}", json.loads(json.dumps(shown))


def _same(one: Any, other: Any) -> bool:
    """Say whether two answers are the same, but for the last digits of their numbers."""
    if isinstance(one, float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=0.0, abs_tol=1e-9)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


def main() -> int:
    """Keep or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", choices=("keep", "compare"))
    parser.add_argument("file", type=Path)
    parser.add_argument("sets", metavar="SET", nargs="+")
    parser.add_argument("--data", required=True, help="the directory of the sets, as `holdfast eval run` takes it")
    parser.add_argument("--questions", type=int, default=100, help="of each collection")
    parser.add_argument("--collections", type=int, default=2, help="of each set")
    args = parser.parse_args()
    found = dict(_answers(args.sets, args.data, args.questions, args.collections))
    if args.work == "keep":
        args.file.write_text(json.dumps(found), encoding="utf-8")
        return 0
    kept = json.loads(args.file.read_text(encoding="utf-8"))
    wrong = [asked for asked in found if asked not in kept or not _same(found[asked], kept[asked])]
    print(f"{len(found)} answers, {len(wrong)} differ")
    for asked in wrong[:20]:
        print(f"  {asked[:160]}")
    return int(bool(wrong) or found.keys() != kept.keys())


if __name__ == "__main__":
    sys.exit(main())
