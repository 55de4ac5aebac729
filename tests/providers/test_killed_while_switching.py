"""A switch of spaces is killed again and again: every text keeps its way to a vector, and little is paid for twice."""

from __future__ import annotations

import json
import os
import random
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import provider_openai
import pytest
from counts import counted
from faults.children import children
from provider_exchange import Ask, Reply
from provider_server import ProviderServer
from providers.scenes import asking, first, notes, stored, wrong

from holdfast import Memory

pytestmark = [pytest.mark.fault, pytest.mark.promise("P6"), pytest.mark.promise("P8")]

_TEXTS = 300
_CONCURRENCY = 2
_QUESTION = "where does it nest?"


class DeadlyServer(ProviderServer):
    """Kills whoever asks, when its Nth answer is ready and paid for but not yet on its way."""

    def __init__(self) -> None:
        super().__init__()
        self.victim = 0
        self.left = 0
        self.counting = threading.Lock()
        self.add([("POST", r"/v1/embeddings", self.answer)])

    def answer(self, ask: Ask) -> Reply:
        """An answer, or the end of the one who waits for it."""
        reply = provider_openai.embeddings(ask)
        with self.counting:
            self.left -= 1
            if self.left == 0 and self.victim:
                os.kill(self.victim, signal.SIGKILL)
        return reply


@pytest.fixture
def deadly() -> Iterator[DeadlyServer]:
    with DeadlyServer() as server:
        yield server


def test_a_switch_that_is_killed_at_any_point_is_finished_by_the_next(home: Path, deadly: DeadlyServer) -> None:
    texts = set(notes(home, _TEXTS))
    chance = random.Random(12)
    kills, spaces = counted(5, 100), set()
    quiet = {"sync__on_search": False, "sync__on_session_start": False}
    limits = {"remote__concurrency": _CONCURRENCY, "remote__batch__enabled": False, **quiet}
    with Memory.open(home, settings=asking(deadly, **limits)) as memory:
        assert memory.sync().pending == 0
        spaces.add(first(memory).space())
    for number in range(kills):
        settings = asking(deadly, dimensions=9 + number // 2, **limits)
        point = ("before commit", "after commit", "answer")[number % 3]
        # A new space takes five batches, and each point is passed as often; what a kill leaves takes one at the least.
        after = 1 if number % 2 else chance.randint(1, 5)
        with children("../providers/_child_switches.py", [[home, json.dumps(settings), point, after]]) as (child,):
            deadly.victim, deadly.left = child._process.pid, after if point == "answer" else -1
            child.go()
            assert child.killed_itself(), f"{point} was not reached {after} times"
            deadly.victim = 0
        with Memory.open(home, settings=settings) as memory:
            assert memory.ctx.database.check() == []
            new = memory.ctx.database.vectors(first(memory).space())
            have = {one.text for one in stored(memory) if one.space == new.space}
            waiting = {text for _, text in new.pending(10 * _TEXTS)}
            assert have | waiting == texts and not have & waiting, "a text is lost, or would be paid for again"
            assert wrong(memory) == []
            found = memory.search(_QUESTION)
            assert found.mode == "hybrid" and len(found.results) == 6, "the old space answers until the new one is full"
            spaces.add(new.space)
            if number % 2:
                assert (memory.sync().pending, wrong(memory)) == (0, [])
                full = memory.search(_QUESTION)
                assert (full.provider, full.because) == ("openai", "")
                assert new.coverage() == (_TEXTS, _TEXTS)
    with Memory.open(home, settings=settings) as memory:
        assert memory.sync().pending == 0
        assert len(stored(memory)) == len(spaces) * _TEXTS
    paid = sum(count for text, count in deadly.paid.items() if text in texts)
    assert len(spaces) * _TEXTS <= paid <= len(spaces) * _TEXTS + kills * 64 * _CONCURRENCY
