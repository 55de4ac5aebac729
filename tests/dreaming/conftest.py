"""A memory of the owner's, on a clock that the tests move."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from dreaming.asking import DAY, NOW

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.guard.origin import Origin


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(NOW - 2 * DAY)


@pytest.fixture
def memory(home: Path, clock: FakeClock) -> Iterator[Memory]:
    with Memory.open(home, origin=Origin.USER, clock=clock) as opened:
        yield opened
