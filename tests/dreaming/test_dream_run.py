"""Dreaming over real rooms: what is asked for again and again goes into MEMORY.md, and nothing else does."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest
from dreaming.asking import NOTE, QUESTIONS, TEA, asked_for, everything, prompt

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.dreaming.dream_counts import signals_of
from holdfast.dreaming.memory_lines import lines_in, own_lines
from holdfast.errors import BadArgument, Busy, WriteModeRefused
from holdfast.guard.origin import Origin
from holdfast.index.sqlite.signal_table import LineSighting


def test_what_is_asked_for_on_several_days_goes_into_memory_with_its_source(
    memory: Memory, home: Path, clock: FakeClock
) -> None:
    memory.save("# About me\n\nI am Ada.\n")
    memory.save(f"# Friday\n\n- {TEA}\n- Bought new tyres for the bicycle\n", file=NOTE)
    asked_for(memory, clock)
    done = memory.dreams.run()
    (promoted,) = done.of("promoted")
    assert (promoted.text, promoted.place, promoted.origin) == (TEA, f"{NOTE}#3", Origin.USER)
    assert promoted.score is not None
    assert abs(sum(promoted.score.parts.values()) - promoted.score.total) < 0.001
    text = prompt(home)
    assert text.startswith("# About me\n\nI am Ada.\n\n## Consolidated Memory (2026-11-15)\n\n- " + TEA + " <!-- fact ")
    assert f"source={NOTE}#3" in text and "origin=user" in text and text.endswith("-->\n")
    report = (home / done.report).read_text()
    assert f"{NOTE}#3" in report and f"--rollback {done.run}" in report
    assert "tea" not in report  # it names places: what is forgotten in a note is not left behind in a report
    assert {change.reason for change in memory.history(limit=2)} == {f"dream {done.run}"}


def test_a_second_run_with_nothing_new_changes_nothing(memory: Memory, home: Path, clock: FakeClock) -> None:
    memory.save(f"- {TEA}\n- Met Anna about the budget\n", file=NOTE)
    asked_for(memory, clock)
    assert memory.dreams.run().changed
    before, changes = everything(home), len(memory.history(limit=1000))
    again = memory.dreams.run()
    assert not again.changed and not again.report and not again.checkpoint_ids
    clock.advance(3600)
    assert not memory.dreams.run().changed
    assert everything(home) == before and len(memory.history(limit=1000)) == changes


def test_a_dry_run_tells_the_same_and_leaves_everything_as_it_was(memory: Memory, home: Path, clock: FakeClock) -> None:
    memory.save(f"- {TEA}\n", file=NOTE)
    asked_for(memory, clock)
    before = everything(home)
    dry = memory.dreams.run(dry_run=True)
    assert dry.dry_run and [one.text for one in dry.of("promoted")] == [TEA]
    assert everything(home) == before
    real = memory.dreams.run()
    assert [one.text for one in real.of("promoted")] == [TEA]
    assert [one.score for one in real.of("promoted")] == [one.score for one in dry.of("promoted")]


def test_counts_outlive_a_disk_that_takes_no_more_of_them(memory: Memory, home: Path, clock: FakeClock) -> None:
    memory.save(f"- {TEA}\n", file=NOTE)
    asked_for(memory, clock)
    signals = signals_of(memory.ctx)
    asked = signals.asked(0.0, 1)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))  # no file may grow
    try:
        signals.note([LineSighting(asked[0].claim, "light", 1.0, clock.now())])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert signals.asked(0.0, 1) == asked


@pytest.mark.parametrize(
    ("questions", "days", "why"),
    [
        (QUESTIONS, 1, "on 1 day,"),
        (QUESTIONS[:2], 3, "different questions"),
        (QUESTIONS[:1], 2, "times"),
    ],
)
def test_what_was_not_asked_for_often_enough_stays_where_it_is(
    memory: Memory, home: Path, clock: FakeClock, questions: tuple[str, ...], days: int, why: str
) -> None:
    memory.save(f"- {TEA}\n", file=NOTE)
    asked_for(memory, clock, questions, days)
    (below,) = memory.dreams.run(["deep"]).of("below")
    assert why in below.because
    assert prompt(home) == ""


def test_the_same_question_in_other_small_words_counts_once_a_day(memory: Memory, clock: FakeClock) -> None:
    memory.save(f"- {TEA}\n", file=NOTE)
    asked_for(memory, clock, ("green tea?", "the green tea", "is it green tea", "tea, green"), days=2)
    (below,) = memory.dreams.run(["deep"], dry_run=True).of("below")
    assert below.recall is not None and (below.recall.times, below.recall.queries) == (2, 1)


def test_a_line_that_was_deleted_or_struck_since_is_not_promoted(memory: Memory, home: Path, clock: FakeClock) -> None:
    memory.save(f"- {TEA}\n- Another line\n", file=NOTE)
    asked_for(memory, clock)
    (home / NOTE).write_text(f"- ~~{TEA}~~\n- Another line\n")
    assert not memory.dreams.run(["deep"]).candidates
    (home / NOTE).write_text("- Another line\n")
    assert not memory.dreams.run(["deep"]).candidates


def test_what_a_person_deletes_from_memory_or_edits_there_stays_so(
    memory: Memory, home: Path, clock: FakeClock
) -> None:
    memory.save(f"- {TEA}\n", file=NOTE)
    asked_for(memory, clock)
    memory.dreams.run()
    edited = prompt(home).replace("green tea", "jasmine tea")
    (home / "MEMORY.md").write_text(edited)
    assert own_lines(edited.encode()) == [] and len(lines_in(edited.encode())) == 1
    asked_for(memory, clock, days=2)
    memory.dreams.run()
    assert prompt(home) == edited
    (home / "MEMORY.md").write_text("# Mine\n")
    asked_for(memory, clock, days=2)
    memory.dreams.run()
    assert prompt(home) == "# Mine\n"


def test_what_memory_says_already_is_not_said_twice(memory: Memory, home: Path, clock: FakeClock) -> None:
    memory.save(f"* {TEA.upper()}!\n")
    memory.save(f"- {TEA}\n", file=NOTE)
    before = prompt(home)
    asked_for(memory, clock)
    assert [one.text for one in memory.dreams.run().of("merged")] == [TEA]
    assert prompt(home) == before


def test_light_and_rem_find_what_is_new_and_what_comes_back(memory: Memory, home: Path) -> None:
    (home / "memory").mkdir(exist_ok=True)
    for day, words, other in (
        ("11", "hurts after", "Bought tyres"),
        ("12", "hurts again after", "Called Anna"),
        ("13", "hurt a lot after", "Rain"),
    ):
        (home / f"memory/2026-11-{day}.md").write_text(f"- The left knee {words} running\n- {other} on that day\n")
    memory.session("main").append("user", "My left knee hurts after running in the park.")
    done = memory.dreams.run()
    assert done.new == done.gathered > 0
    (pattern,) = done.patterns
    assert pattern.days == 3 and "knee" in pattern.text and done.new_patterns == 1
    assert prompt(home) == ""
    again = memory.dreams.run(["light", "rem"])
    assert (again.new, again.new_patterns, len(again.patterns)) == (0, 0, 1)


def test_only_one_run_goes_on_at_a_time_and_writers_need_not_wait(memory: Memory) -> None:
    with memory.ctx.workspace.job_lock("dream"):
        with pytest.raises(Busy):
            memory.dreams.run()
        assert memory.dreams.run(dry_run=True).dry_run
        memory.save("written meanwhile")


def test_reports_are_not_found_unless_they_are_asked_for(memory: Memory, clock: FakeClock) -> None:
    memory.save(f"- {TEA}\n", file=NOTE)
    asked_for(memory, clock)
    done = memory.dreams.run()
    assert all(hit.path != done.report for hit in memory.search("dreams light new candidates rollback run").results)
    found = memory.search("dreams light new candidates rollback run", path="memory/dreams").results
    assert {hit.path for hit in found} == {done.report}


def test_a_report_is_kept_from_groups_and_from_what_agents_write(memory: Memory, clock: FakeClock) -> None:
    memory.save(f"- {TEA}\n", file=NOTE)
    asked_for(memory, clock)
    done = memory.dreams.run()
    group = memory.session("club", kind="group").tools(Origin.AGENT)
    assert "error" in group.call("memory_get", {"path": done.report})
    assert memory.tools().call("memory_save", {"content": "x", "file": done.report})["error"]["type"] == "BadPath"


def test_where_nothing_may_be_written_nothing_is(home: Path, clock: FakeClock) -> None:
    off = Memory.open(home, settings={"memory.agent_write_mode": "off"}, clock=clock)
    with off as memory, pytest.raises(WriteModeRefused):
        memory.dreams.run()
    with Memory.open(home, settings={"memory.agent_write_mode": "search-only"}, clock=clock) as memory:
        assert "agent_write_mode" in memory.dreams.run().because
        with pytest.raises(BadArgument):
            memory.dreams.run(["sleepwalking"])
    assert prompt(home) == ""
