"""Sessions under fire: killed while appending, many processes on one transcript and one counter (P2, P3)."""

from __future__ import annotations

import random
import threading
from pathlib import Path

import pytest
from counts import counted
from faults.children import children

from holdfast import Memory

pytestmark = [pytest.mark.fault, pytest.mark.promise("P2"), pytest.mark.promise("P3")]


def said(memory: Memory) -> list[str]:
    return [entry.text.partition(" ")[0] for entry in memory.session("shared").messages()]


def test_killed_while_appending_loses_no_acknowledged_message_and_breaks_no_later_one(
    home: Path, tmp_path: Path
) -> None:
    chance = random.Random(71)
    kept: list[str] = []
    for number in range(counted(20, 200)):
        log = tmp_path / f"log{number}"
        with children("_child_says.py", [[home, number, 100_000, log]]) as (child,):
            child.go()
            assert child.line() == "first"
            assert child.kill_after(chance.uniform(0.001, 0.100)), "the child ended by itself"
        acknowledged = log.read_text(encoding="utf-8").splitlines()
        with Memory.open(home) as memory:
            found = said(memory)
            assert found[: len(kept)] == kept, "what was there before is not there any more"
            mine = found[len(kept) :]
            assert mine[: len(acknowledged)] == acknowledged
            assert len(mine) <= len(acknowledged) + 1, "at most the one message that was under way"
            kept = found


def test_processes_that_append_to_one_transcript_lose_and_mix_nothing(home: Path, tmp_path: Path) -> None:
    each, processes = counted(40, 400), 6
    with children("_child_says.py", [[home, who, each, tmp_path / f"log{who}"] for who in range(processes)]) as running:
        for child in running:
            child.go()
        for child in running:
            assert child.line() == "first"
        assert all(child.answer()["done"] for child in running)
    with Memory.open(home) as memory:
        session = memory.session("shared")
        found = said(memory)
        for who in range(processes):
            assert [word for word in found if word.startswith(f"w{who}n")] == [f"w{who}n{n}" for n in range(each)]
        assert len(found) == len({entry.id for entry in session.messages()}) == each * processes
        assert session.transcript.unread == 0
        first, *rest = session.transcript.lines()
        assert first.record == session.transcript.opening
        assert all(read.record != first.record for read in rest), "two first lines"


def test_processes_killed_while_others_append_cost_the_others_nothing(home: Path, tmp_path: Path) -> None:
    chance = random.Random(72)
    for number in range(counted(4, 40)):
        logs = [tmp_path / f"log{number}-{who}" for who in range(3)]
        whos = [f"{number}x{who}" for who in range(3)]
        arguments = [
            [home, who, 100_000 if at else 60, log] for at, (who, log) in enumerate(zip(whos, logs, strict=True))
        ]
        with children("_child_says.py", arguments) as running:
            for child in running:
                child.go()
                assert child.line() == "first"
            for child in running[1:]:
                assert child.kill_after(chance.uniform(0.001, 0.050))
            assert running[0].answer()["done"]
        with Memory.open(home) as memory:
            found = set(said(memory))
            for log in logs:
                assert set(log.read_text(encoding="utf-8").splitlines()) <= found


def test_of_many_processes_that_claim_a_number_exactly_one_gets_it(home: Path) -> None:
    each, processes = counted(25, 250), 6
    with children("_child_claims.py", [[home, each] for _ in range(processes)]) as running:
        for child in running:
            child.go()
        won = [number for child in running for number in child.answer()]
    assert sorted(won) == list(range(1, each * processes + 1))
    with Memory.open(home) as memory:
        assert memory.session("shared").state.get("race", "counter") == each * processes


def test_a_claim_that_was_acknowledged_survives_a_kill(home: Path) -> None:
    chance = random.Random(73)
    last = 0
    for _ in range(counted(8, 80)):
        with children("_child_claims.py", [[home, 1_000_000]]) as (child,):
            child.go()
            told = [int(child.line()) for _ in range(chance.randrange(1, 6))]
            assert child.kill_after(chance.uniform(0.0, 0.010))
        assert told == list(range(last + 1, last + 1 + len(told)))
        with Memory.open(home) as memory:
            last = memory.session("shared").state.get("race", "counter")
            assert last >= told[-1]


def test_threads_that_share_a_session_lose_no_message(home: Path) -> None:
    with Memory.open(home) as memory, memory.session("shared") as session:

        def talk(who: int) -> None:
            for number in range(20):
                session.append("user", f"w{who}n{number}")
                session.state.set("last", str(who), number)
                session.context()

        threads = [threading.Thread(target=talk, args=(who,)) for who in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(said(memory)) == sorted(f"w{who}n{number}" for who in range(5) for number in range(20))
        assert {one.value for one in session.state.list("last")} == {19}
        assert len(session.context()) == 100


def test_two_that_find_the_state_damaged_at_once_begin_one_new_file(home: Path) -> None:
    with Memory.open(home) as memory:
        memory.session("shared").state.set("race", "counter", 7)
    (home / "state" / "sessions.sqlite").write_bytes(b"no database at all " * 400)
    with children("_child_claims.py", [[home, 10] for _ in range(4)]) as running:
        for child in running:
            child.go()
        won = [number for child in running for number in child.answer()]
    assert sorted(won) == list(range(1, 41))
