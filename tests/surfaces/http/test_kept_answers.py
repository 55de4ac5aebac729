"""Answers that are kept by a request's key: what happens while the first is at work, fails, dies, or is long ago."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.checkpoints.change_id import use_change_id
from holdfast.clock import FakeClock
from holdfast.errors import BadPath, Busy
from holdfast.surfaces.http.kept_answers import answer_once
from holdfast.surfaces.http.responses import Flow, PackedJson, Raw, Reply

KEY = "c0123456789ab"
NOON = 1_794_744_000.0


def ask(
    memory: Memory, work: Callable[[], Reply | Raw | PackedJson | Flow], key: str = KEY
) -> Reply | Raw | PackedJson | Flow:
    with use_change_id(key, "what is asked"):
        return answer_once(memory.ctx, None, work)


def test_the_same_request_is_refused_for_a_moment_while_the_first_is_at_work(tmp_path: Path) -> None:
    with Memory.open(tmp_path) as memory, Memory.open(tmp_path) as other:
        refused: list[bool] = []

        def work() -> Reply:
            with pytest.raises(Busy):
                ask(other, lambda: Reply({"n": 2}))
            refused.append(True)
            return Reply({"n": 1}, 201)

        assert ask(memory, work) == Reply({"n": 1}, 201)
        assert refused and ask(other, lambda: Reply({"n": 3})) == Reply({"n": 1}, 201)
        assert memory.sessions() == []  # what is kept there makes no session


def test_what_was_refused_may_be_asked_again(tmp_path: Path) -> None:
    def refuse() -> Reply:
        raise BadPath("x", "it is none")

    with Memory.open(tmp_path) as memory:
        with pytest.raises(BadPath):
            ask(memory, refuse)
        assert ask(memory, lambda: Reply({"n": 1})) == Reply({"n": 1})


def test_a_request_whose_server_died_is_taken_over_and_an_answer_is_kept_for_a_day(tmp_path: Path) -> None:
    clock = FakeClock(NOON)
    with Memory.open(tmp_path, clock=clock) as memory:
        begun = {"request": "what is asked", "began": NOON}  # as kill -9 leaves it
        memory.ctx.state_store.set("main", "answers", "answers", KEY, begun, NOON)
        with pytest.raises(Busy):
            ask(memory, lambda: Reply({"n": 1}))
        clock.advance(121)
        assert ask(memory, lambda: Reply({"n": 1})) == Reply({"n": 1})
        clock.advance(24 * 3600 + 1)
        ask(memory, lambda: Reply({"n": 2}), "cba9876543210")
        assert [kept.key for kept in memory.ctx.state_store.list("main", "answers", "answers")] == ["cba9876543210"]
