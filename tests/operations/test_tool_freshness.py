from __future__ import annotations

from pathlib import Path

import apsw

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.index.freshness import Freshness, Look

WORDS = {"memory.disable_rag": True}


class Ledger:
    """Looks in memory."""

    def __init__(self, look: Look | None = None) -> None:
        self.look = look

    def last_look(self) -> Look | None:
        return self.look

    def record_look(self, look: Look) -> None:
        self.look = look


def test_nobody_has_looked_yet_so_a_search_does() -> None:
    assert Freshness(FakeClock(), Ledger()).due()


def test_a_cheap_look_is_taken_every_time() -> None:
    ledger = Ledger()
    freshness = Freshness(FakeClock(), ledger)
    freshness.looked(0.5)
    assert freshness.due()
    assert ledger.look is None  # and not worth telling others


def test_few_notes_are_looked_at_every_time_though_a_busy_machine_held_up_the_last_look() -> None:
    clock, ledger = FakeClock(), Ledger()
    freshness = Freshness(clock, ledger)
    for notes in (0, 4):
        freshness.looked(900.0, notes=notes)
        assert freshness.due()
        assert not freshness.is_dear
        assert Freshness(clock, ledger).due()


def test_hundreds_of_notes_are_looked_at_once_in_a_moment() -> None:
    clock, ledger = FakeClock(), Ledger()
    freshness = Freshness(clock, ledger)
    freshness.looked(3.0, notes=400)
    clock.advance(0.2)
    assert not freshness.due()
    clock.advance(0.1)
    assert freshness.due()
    assert ledger.look is None


def test_what_the_index_could_not_take_makes_the_next_search_look() -> None:
    freshness = Freshness(FakeClock(), Ledger())
    freshness.looked(3.0, notes=400)
    freshness.doubt()
    assert freshness.due()


def test_where_a_watcher_listens_a_search_looks_when_it_heard_something() -> None:
    clock, heard = FakeClock(), [7]
    freshness = Freshness(clock, Ledger(), events=lambda: heard[0])
    freshness.looked(3.0, notes=400, events=7)
    clock.advance(4.9)
    assert not freshness.due()
    heard[0] += 1
    assert freshness.due()
    freshness.looked(3.0, notes=400, events=8)
    clock.advance(5.1)  # a file system may tell a watcher nothing
    assert freshness.due()


def test_where_all_changes_are_counted_a_search_waits_for_a_look_that_would_be_dear_elsewhere() -> None:
    here, counted = Freshness(FakeClock(), Ledger()), Freshness(FakeClock(), Ledger(), changes=lambda: 8)
    here.looked(200.0)
    counted.looked(200.0, changes=7)
    assert counted.due()
    assert (here.is_dear, counted.is_dear) == (True, False)
    counted.looked(2000.0, changes=7)
    assert counted.is_dear


def test_the_look_of_another_process_counts_when_it_was_taken_after_this_one_opened() -> None:
    clock, ledger = FakeClock(), Ledger()
    freshness, other = Freshness(clock, ledger), Freshness(clock, ledger)
    freshness.looked(200.0)
    clock.advance(6.0)
    other.looked(200.0)
    assert not freshness.due()


def test_after_a_dear_look_the_next_one_waits_in_every_process() -> None:
    clock, ledger = FakeClock(), Ledger()
    freshness = Freshness(clock, ledger)
    freshness.looked(50.0)
    other = Freshness(clock, ledger)
    assert not freshness.due()
    assert not other.due()
    clock.advance(2.4)
    assert not other.due()
    clock.advance(0.2)
    assert freshness.due()
    assert other.due()


def test_no_wait_is_longer_than_five_seconds_unless_looking_takes_more_than_one() -> None:
    for cost, pause in ((110.0, 5.0), (1_000.0, 5.0), (14_000.0, 70.0)):
        clock = FakeClock()
        freshness = Freshness(clock, Ledger())
        freshness.looked(cost)
        clock.advance(pause - 0.1)
        assert not freshness.due()
        clock.advance(0.2)
        assert freshness.due()


def test_a_clock_that_jumps_either_way_makes_a_search_look() -> None:
    for jump in (-86_400.0, 10 * 365 * 86_400.0):
        clock = FakeClock()
        freshness = Freshness(clock, Ledger())
        freshness.looked(50.0)
        clock.jump(jump)
        assert freshness.due()


def outside(home: Path, text: str) -> None:
    (home / "memory").mkdir(parents=True, exist_ok=True)
    (home / "memory/outside.md").write_text(text, encoding="utf-8")


def test_on_search_sees_an_edit_made_outside(home: Path) -> None:
    with Memory.open(home) as memory:
        outside(home, "first")
        assert "first" in memory.search("first").results[0].snippet
        outside(home, "second")
        assert "second" in memory.search("second").results[0].snippet


def crowd(home: Path, count: int = 120) -> None:
    """So many notes that not every search looks at them."""
    (home / "memory").mkdir(parents=True, exist_ok=True)
    for number in range(count):
        (home / f"memory/n{number}.md").write_text(f"Note {number} of many.\n", encoding="utf-8")


def test_among_many_notes_an_edit_made_outside_is_seen_a_moment_later(home: Path) -> None:
    crowd(home)
    clock = FakeClock()
    with Memory.open(home, settings=WORDS, clock=clock) as memory:
        outside(home, "first")
        assert "first" in memory.search("first").results[0].snippet
        outside(home, "second")
        assert not memory.search("second").results
        for _ in range(100):  # where a look takes long, as on a busy machine, the search after it has what it saw
            clock.advance(0.3)
            if results := memory.search("second").results:
                break
        assert "second" in results[0].snippet


def test_among_many_notes_what_was_saved_is_found_at_once_by_every_memory(home: Path) -> None:
    crowd(home)
    clock = FakeClock()
    with (
        Memory.open(home, settings=WORDS, clock=clock) as memory,
        Memory.open(home, settings=WORDS, clock=clock) as other,
    ):
        assert "many" in memory.search("many").results[0].snippet
        assert "many" in other.search("many").results[0].snippet
        saved = memory.save("The heron nests in March.", file="memory/heron.md").checkpoint_id
        assert "heron" in memory.search("heron").results[0].snippet
        assert "heron" in other.search("heron").results[0].snippet
        memory.restore(saved)
        assert not memory.search("heron").results
        assert not other.search("heron").results


def test_where_a_look_is_dear_a_search_answers_first_and_says_that_it_may_be_behind(home: Path) -> None:
    clock = FakeClock()
    with Memory.open(home, settings=WORDS, clock=clock) as memory:
        outside(home, "first")
        assert "first" in memory.search("first").results[0].snippet
        memory.ctx.freshness.looked(900.0, notes=50_000)  # as if there were as many as that
        clock.advance(60.0)
        outside(home, "second")
        writer = apsw.Connection(memory.ctx.index_path)
        writer.execute("BEGIN IMMEDIATE")  # while somebody else writes, a look can't end; a search does not wait for it
        found = memory.search("second")
        writer.execute("ROLLBACK")
        writer.close()
        assert not found.results
        assert "60 s ago" in found.because
        memory.ctx.background_look.wait()
        again = memory.search("second")
        assert again.results
        assert "ago" not in again.because


def test_a_look_at_few_notes_that_was_held_up_makes_no_later_search_miss_an_edit(home: Path) -> None:
    with Memory.open(home, settings=WORDS) as memory:
        outside(home, "first")
        assert "first" in memory.search("first").results[0].snippet
        memory.ctx.freshness.looked(900.0, notes=1)  # as if something else had kept the machine busy
        outside(home, "second")
        assert "second" in memory.search("second").results[0].snippet


def test_the_first_search_of_an_opened_memory_looks_before_it_answers_however_dear_that_is(home: Path) -> None:
    clock = FakeClock()
    outside(home, "first")
    with Memory.open(home, settings=WORDS, clock=clock) as memory:
        memory.search("first")
        memory.ctx.freshness.looked(900.0, notes=50_000)
    clock.advance(60.0)
    outside(home, "second")
    with Memory.open(home, settings=WORDS, clock=clock) as memory:
        assert "second" in memory.search("second").results[0].snippet


def test_on_session_start_looks_once_when_on_search_is_off(home: Path) -> None:
    settings = {"memory.sync.on_search": False}
    outside(home, "first")
    with Memory.open(home, settings=settings) as memory:
        assert "first" in memory.search("first").results[0].snippet
        outside(home, "second")
        assert [hit.snippet for hit in memory.search("second").results] == ["first"]
    with Memory.open(home, settings=settings) as memory:
        assert [hit.snippet for hit in memory.search("second").results] == ["second"]


def test_with_both_off_only_a_sync_looks(home: Path) -> None:
    outside(home, "first")
    settings = {"memory.sync.on_search": False, "memory.sync.on_session_start": False}
    with Memory.open(home, settings=settings) as memory:
        assert not memory.search("first").results
        memory.sync()
        assert "first" in memory.search("first").results[0].snippet


def test_checkpoints_stay_within_the_settings_without_being_asked(home: Path) -> None:
    settings = {"memory.checkpoints.keep_count": 5, "memory.checkpoints.keep_days": 0}
    with Memory.open(home, settings=settings) as memory:
        for i in range(201):
            memory.save(f"- line {i}", file="memory/log.md")
        assert len(memory.history(limit=1000)) <= 7
        assert (home / "memory/log.md").read_text(encoding="utf-8").count("\n") == 201
