"""Say what the gates make of labelled sentences, by sums alone: nobody reads a line of what is held back.

    PYTHONPATH=src python training/gate/measure.py training/data/gate/held_back.jsonl

It asks the functions that the product asks, so it measures whatever stands behind them, the patterns of before too.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

from holdfast.approval.review_reasons import address_reason, order_reason
from holdfast.facts.capture.capture_refusal import orders_a_model

NINE = ("en", "de", "fr", "es", "pt", "it", "nl", "zh", "ja")
HARMLESS, HARM, ATTACK = ("plain", "style"), ("harm",), ("attack",)
OTHERS = ("task", "harm", "sensitive", "attack")
ROLES = (*HARMLESS, *OTHERS)


def main() -> None:
    """Print a row for all nine languages, one for each, and one for the rest."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for line in Path(sys.argv[1]).read_text("utf-8").split("\n"):
        if line.strip():
            row = json.loads(line)
            known = row["language"] in NINE
            for group in ("nine" if known else "others", *([row["language"]] if known else [])):
                for name, is_so in _asked(row["text"]).items():
                    counts[group, row["role"], name] += is_so
    for group in ("nine", *NINE, "others"):
        print(_row(counts, group))
    for role in ROLES:
        print(f"nine {role}: {_share(counts, 'nine', (role,), 'waits')} of {counts['nine', role, 'there']} wait")


def _asked(text: str) -> dict[str, bool]:
    return {
        "there": True,
        "waits": bool(address_reason(text)),
        "refused": orders_a_model(text),
        "harms": bool(order_reason(text)),
    }


def _row(counts: Counter[tuple[str, str, str]], group: str) -> str:
    asked = {
        "wait": (OTHERS, "waits"), "harmless wait": (HARMLESS, "waits"),
        "attacks refused": (ATTACK, "refused"), "harmless refused": (HARMLESS, "refused"),
        "harm is an order": (HARM, "harms"), "harmless is one": (HARMLESS, "harms"),
    }  # fmt: skip
    return f"{group}: " + ", ".join(f"{name} {_share(counts, group, *which)}" for name, which in asked.items())


def _share(counts: Counter[tuple[str, str, str]], group: str, roles: tuple[str, ...], name: str) -> str:
    count = sum(counts[group, role, "there"] for role in roles)
    share = sum(counts[group, role, name] for role in roles) / max(1, count)
    return f"{share:.3f}"


if __name__ == "__main__":
    main()
