"""T19, first half: no regular expression of the package takes more than time in proportion to its text (P13).

Growth is compared, never seconds: what a pattern takes for a text, beside four times as much of it, and beside what a
plain pattern takes on this machine, in this run.
"""

from __future__ import annotations

import random
import re
import time
from collections import deque
from collections.abc import Mapping
from typing import Any, Final

import pytest
from counts import counted
from faults.pattern_inventory import ListedPattern, list_patterns
from faults.pumps import Pump, generic_pumps, pumps_for
from garbage import garbage_kept
from tally import Count

pytestmark = [pytest.mark.fault, pytest.mark.promise("P13")]

_SIZES: Final = (12, 20, 40, 120)  # on the way up: what doubles with each character must not be let run on
_SIZE: Final = 1_500
_TIMES: Final = 4
_MOST_BOUNDED: Final = 3
_LOOKS: Final = 3
_MOST_GROWTH: Final = 8.0  # four for what is linear, sixteen for what is quadratic
_WORDS: Final = re.compile(r"\w+|\W")
_PLAIN_TEXT: Final = "word " * 6_000  # to part it into words is the work that passes without a second look

# Patterns that are only ever tried on a text of bounded length, where the bound is, and how long that text is. They may
# be quadratic in it: the whole is linear, and cheap, as long as one text of that length is.
_BOUNDED: Final[Mapping[str, int]] = {
    "holdfast.facts.subject:_forms": 400,  # facts/subject.py, _LONGEST
    "holdfast.facts.subject:_both_ways": 400,
    "holdfast.facts.capture.memory_requests:69": 320,  # facts/capture/chat_sentences.py, LONGEST
    "holdfast.facts.capture.clauses:_patterns": 320,
    "holdfast.facts.question:_patterns": 200,  # facts/question.py, _LONGEST
}


@pytest.mark.row("T19")
@pytest.mark.row("patterns")
def test_no_pattern_of_the_package_takes_more_than_linear_time(tally: Count) -> None:
    with garbage_kept():  # all syntax trees of the package, and some hundred thousand texts
        listed = list_patterns()
        pumped = [(one, [*pumps_for(one.pattern)]) for one in listed]
    assert len(listed) > 800
    unit = _unit()
    chance = random.Random(19)
    slow: list[str] = []
    for one, pumps in pumped:
        chance.shuffle(pumps)
        others = generic_pumps()
        chance.shuffle(others)
        for pump in (*pumps[: counted(2, 200)], *others[: counted(1, 200)]):
            fault = _fault(one, pump, unit)
            if fault:
                slow.append(f"{one.where} {str(one.pattern.pattern)[:60]!r}: {fault} on {str(pump)[:120]}")
                break
    assert not slow, "\n".join(slow)
    tally(patterns=len(listed), slow=0)


def _fault(listed: ListedPattern, pump: Pump, unit: float) -> str:
    """Return in what way a pattern is too slow for a pump; empty where it is not."""
    bound = _BOUNDED.get(listed.where)
    top = bound or _SIZE
    most = _MOST_BOUNDED * unit if bound else unit
    for size in (*_SIZES, top):
        cost = _cost(listed, pump.text(size))
        if cost > most and min(_cost(listed, pump.text(size)) for _ in range(3)) > most:
            break
    else:
        return ""
    if bound or size < top:
        return f"{size} characters cost more than to part {len(_PLAIN_TEXT)} into words"
    # What is linear may look slow once, where others keep the processor's caches busy; what is quadratic always does.
    for _ in range(_LOOKS):
        small = min(_cost(listed, pump.text(_SIZE)) for _ in range(5))
        growth = min(_cost(listed, pump.text(_TIMES * _SIZE)) for _ in range(3)) / small
        if growth <= _MOST_GROWTH:
            break
    return f"{_TIMES} times the text cost {growth:.1f} times as much" if growth > _MOST_GROWTH else ""


def _cost(listed: ListedPattern, text: str) -> float:
    """Return the processor time of the uses that are made of a pattern."""
    given: Any = text.encode("utf-8", "surrogatepass") if isinstance(listed.pattern.pattern, bytes) else text
    begun = time.thread_time()
    if "match" in listed.uses:
        listed.pattern.match(given)
    if "fullmatch" in listed.uses:
        listed.pattern.fullmatch(given)
    if listed.uses - {"match", "fullmatch"}:
        deque(listed.pattern.finditer(given), maxlen=0)
    return time.thread_time() - begun


def _unit() -> float:
    costs = []
    for _ in range(7):
        begun = time.thread_time()
        _WORDS.findall(_PLAIN_TEXT)
        costs.append(time.thread_time() - begun)
    return min(costs)
