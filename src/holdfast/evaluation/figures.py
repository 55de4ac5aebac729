"""The figures of many runs, kept in one file of JSON, from which the page is made.

A whole round takes hours and is run a set at a time: what is measured anew takes the place of what was measured of the
same set, shape, level and way before.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any

from holdfast.errors import BadArgument
from holdfast.evaluation.calibration import Band, Calibration
from holdfast.evaluation.eval_run import Outcome
from holdfast.evaluation.homes import put_file
from holdfast.evaluation.jsonl import text_of
from holdfast.evaluation.metrics import Scores
from holdfast.evaluation.sets import Level

__all__ = ["add_results", "read_results"]

_UNMEASURED = 0.0  # times are not kept: they would say something of a machine


def read_results(path: str) -> list[Outcome]:
    """Return the outcomes that a file holds, in its order."""
    try:
        return [_outcome(held) for held in json.loads(text_of(path, "results", "file of results"))["outcomes"]]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadArgument("results", f"{path!r} is no file of results ({error!r})") from None


def add_results(path: str, outcomes: Iterable[Outcome]) -> None:
    """Keep outcomes in a file, in the order of sets, shapes and levels; those it has of the same are replaced."""
    kept = {_key(outcome): outcome for outcome in (read_results(path) if os.path.exists(path) else [])}
    kept |= {_key(outcome): outcome for outcome in outcomes}
    lines = ",\n".join(json.dumps(_stored_fields(kept[key]), ensure_ascii=False) for key in sorted(kept))
    put_file(path, f'{{"outcomes": [\n{lines}\n]}}\n')


def _key(outcome: Outcome) -> tuple[str, str, str, str]:
    return outcome.set, outcome.shape, outcome.level.value, outcome.way


def _stored_fields(outcome: Outcome) -> dict[str, object]:
    return {name: value for name, value in outcome.to_json().items() if not name.endswith("_ms")}


def _outcome(held: Mapping[str, Any]) -> Outcome:
    calibrated = held.get("calibration")
    return Outcome(
        set=str(held["set"]),
        way=str(held["way"]),
        level=Level(held["level"]),
        overall=_scores(held["overall"]),
        categories={str(name): _scores(scores) for name, scores in held["categories"].items()},
        p50_ms=_UNMEASURED,
        p95_ms=_UNMEASURED,
        modes={str(mode): int(count) for mode, count in held["modes"].items()},
        misses=(),
        shape=str(held["shape"]),
        newer_first=held.get("newer_first"),
        calibration=None if calibrated is None else _calibration(calibrated),
    )


def _scores(held: Mapping[str, Any]) -> Scores:
    return Scores(int(held["questions"]), {name: float(value) for name, value in held.items() if name != "questions"})


def _calibration(held: Mapping[str, Any]) -> Calibration:
    return Calibration(
        unanswerable=int(held["unanswerable"]),
        unanswerable_marked=held["unanswerable_marked"],
        right_marked=held["right_marked"],
        bands=tuple(
            Band(int(band["questions"]), float(band["confidence"]), float(band["right"])) for band in held["bands"]
        ),
    )
