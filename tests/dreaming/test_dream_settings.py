"""Each setting of dreaming, turned; the store of its counts; and what a run may take."""

from __future__ import annotations

import json
import shutil
import tracemalloc
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.dreaming.deep_phase import failed_gate, score_line
from holdfast.dreaming.dream_counts import signals_of
from holdfast.dreaming.memory_lines import own_lines
from holdfast.dreaming.signals import Recall
from holdfast.errors import ProviderFailed
from holdfast.guard.origin import Origin
from holdfast.index.sqlite.signal_table import LineAnswer, LineSighting, Signals, Verdict
from holdfast.llm.scripted_model import ScriptedModel
from holdfast.settings.dreaming_settings import DeepSettings, DreamWeights

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC).timestamp()
DAY = 86_400.0
TODAY = date(2026, 11, 15)
LINES = ("I drink green tea in the morning", "The Helios launch is on 3 March", "My bicycle has the red tyres of Anna")


def opened(home: Path, **settings: Any) -> Memory:
    dotted = {name.replace("__", "."): value for name, value in settings.items()}
    return Memory.open(home, origin=Origin.USER, clock=FakeClock(NOW), settings=dotted)


def asked_often(memory: Memory, *texts: str, path: str = "memory/2026-11-13.md", score: float = 0.9) -> None:
    """Count the lines as if they had been asked for by five questions on each of four days."""
    from holdfast.markdown.claim_key import key_of

    memory.save("".join(f"- {text}\n" for text in texts), file=path)
    rows = [
        LineAnswer(key_of(text), f"q{q}", f"2026-11-{12 + d}", path, score, NOW - (3 - d) * DAY)
        for text in texts
        for q in range(5)
        for d in range(4)
    ]
    signals_of(memory.ctx).record(rows)


def promoted(memory: Memory) -> list[str]:
    return [one.text for one in memory.dreams.run(["deep"]).of("promoted")]


def test_the_score_is_the_sum_of_its_weighted_parts() -> None:
    recall = Recall("c", ("p",), 10, 5, ("2026-11-08", "2026-11-10", "2026-11-12", "2026-11-15"), 1.0, NOW)
    recall = recall._replace(
        light=LineSighting("c", "light", 1.0, NOW), rem=LineSighting("c", "rem", 1.0, NOW - 14 * DAY)
    )
    text = "one telling sentence about seven rather different words"
    parts = score_line(recall, text, NOW, DeepSettings(), DreamWeights()).parts
    assert (parts["relevance"], parts["frequency"], parts["diversity"], parts["recency"]) == (0.3, 0.24, 0.15, 0.15)
    assert (parts["concepts"], parts["light"], parts["rem"]) == (0.06, 0.06, 0.045)
    assert abs(parts["consolidation"] - 0.1 * (0.55 * 0.8614 + 0.45)) < 0.001
    halved = score_line(recall._replace(last=NOW - 14 * DAY), text, NOW, DeepSettings(), DreamWeights()).parts
    assert halved["recency"] == 0.075
    for name in DreamWeights.fields:
        without = score_line(recall, text, NOW, DeepSettings(), DreamWeights(**{name: 0.0}))
        assert without.parts[name] == 0.0
    one_day = recall._replace(days=("2026-11-15",))
    assert score_line(one_day, text, NOW, DeepSettings(), DreamWeights()).parts["consolidation"] == 0.02


def test_the_gates_are_those_of_the_settings() -> None:
    recall = Recall("c", ("p",), 3, 3, ("2026-11-14", "2026-11-15"), 1.0, NOW)
    score = score_line(recall, "some words", NOW, DeepSettings(), DreamWeights())
    open_door = DeepSettings(min_score=0.0)
    assert failed_gate(recall, score, NOW, open_door) == ""
    for gate in ({"min_recall_count": 4}, {"min_unique_queries": 4}, {"min_days": 3}, {"min_score": 1.0}):
        assert failed_gate(recall, score, NOW, open_door.replace(**gate))
    assert failed_gate(recall, score, NOW + 31 * DAY, open_door)


@pytest.mark.parametrize(
    "setting",
    [
        {"dreaming__deep__min_score": 1.0},
        {"dreaming__deep__min_recall_count": 21},
        {"dreaming__deep__min_unique_queries": 6},
        {"dreaming__deep__min_days": 5},
        {"dreaming__deep__memory_share": 0.0},
        {"dreaming__weights__relevance": 0.0, "dreaming__weights__frequency": 0.0},
        {"dreaming__weights__diversity": 0.0, "dreaming__weights__recency": 0.0},
        {"memory__prompt__max_chars_per_file": 200},
    ],
)
def test_a_setting_keeps_a_line_out(home: Path, setting: dict[str, Any]) -> None:
    with opened(home, **setting) as memory:
        asked_often(memory, LINES[0])
        assert promoted(memory) == []
    with opened(home) as memory:
        assert promoted(memory) == [LINES[0]]


def test_so_many_lines_go_in_a_day_however_often_it_runs(home: Path) -> None:
    with opened(home, dreaming__deep__limit=2) as memory:
        asked_often(memory, *LINES)
        assert len(promoted(memory)) == 2
        assert promoted(memory) == []
        assert isinstance(memory.ctx.clock, FakeClock)
        memory.ctx.clock.advance(DAY)
        assert len(promoted(memory)) == 1


def test_a_long_line_and_one_asked_for_long_ago_are_left_out(home: Path) -> None:
    long = "I drink green tea " + "and more green tea " * 20
    with opened(home, dreaming__deep__max_snippet_tokens=20) as memory:
        asked_often(memory, long.strip())
        assert [one.because for one in memory.dreams.run(["deep"]).of("refused")] == ["it is longer than 20 tokens"]
    with opened(home, dreaming__deep__max_age_days=1, dreaming__deep__half_life_days=1) as memory:
        asked_often(memory, LINES[1])
        assert isinstance(memory.ctx.clock, FakeClock)
        memory.ctx.clock.advance(2 * DAY)
        assert not memory.dreams.run(["deep"]).candidates


def test_lines_that_nobody_asks_for_any_more_make_room_but_not_too_many(home: Path) -> None:
    with opened(home, memory__prompt__max_chars_per_file=600, dreaming__deep__memory_share=1.0) as memory:
        asked_often(memory, *LINES, path="memory/2026-09-01.md")
        first = memory.dreams.run(["deep"])
        assert len(first.of("promoted")) == 3
        assert isinstance(memory.ctx.clock, FakeClock)
        memory.ctx.clock.advance(40 * DAY)
        signals = signals_of(memory.ctx)
        from holdfast.markdown.claim_key import key_of

        fresh = ["The dentist is Doctor Moreau in the Rue Lafayette", "The car is parked at the station of Grenoble"]
        memory.save("".join(f"- {text}\n" for text in fresh), file="memory/2026-12-24.md")
        now = memory.ctx.clock.now()
        signals.record(
            [
                LineAnswer(key_of(t), f"q{q}", f"2026-12-{20 + d}", "memory/2026-12-24.md", 0.9, now - d)
                for t in fresh
                for q in range(5)
                for d in range(4)
            ]
        )
        done = memory.dreams.run(["deep"])
        assert len(done.of("promoted")) == 1 and len(done.retired) == 1 and len(done.of("no room")) == 1
        data = (home / "MEMORY.md").read_bytes()
        assert len(data.decode()) <= 600 and len(own_lines(data)) == 3
        assert not memory.dreams.run(["deep"]).of("promoted")
        memory.dreams.roll_back(done.run)
        assert len(own_lines((home / "MEMORY.md").read_bytes())) == 3


def test_nothing_is_counted_where_dreaming_is_off(home: Path) -> None:
    for enabled in (False, True):
        with opened(home, dreaming__enabled=enabled) as memory:
            memory.save(f"- {LINES[0]}\n", file="memory/2026-11-13.md")
            assert memory.search("green tea in the morning").results
            assert bool(signals_of(memory.ctx).asked(0.0, 1)) is enabled


def test_light_and_rem_keep_to_their_settings(home: Path) -> None:
    (home / "memory").mkdir(parents=True)
    for back in range(6):
        day = TODAY - timedelta(days=back)
        words = (
            "Bought tea leaves",
            "Called the plumber",
            "Rain all evening",
            "Anna sent papers",
            "Read a novel",
            "Chess",
        )
        (home / f"memory/{day}.md").write_text(
            f"- The left knee hurts after running\n- {words[back]} on the {back}th\n"
        )
    cases: list[tuple[dict[str, Any], int, int]] = [
        ({}, 4, 1),
        ({"dreaming__light__lookback_days": 5}, 7, 1),
        ({"dreaming__light__limit": 2}, 2, 1),
        ({"dreaming__rem__lookback_days": 2, "dreaming__rem__min_strength": 1.0}, 4, 1),
        ({"dreaming__rem__limit": 1}, 4, 1),
    ]
    for settings, gathered, found in cases:
        with opened(home, **settings) as memory:
            done = memory.dreams.run(["light", "rem"], dry_run=True)
            assert (done.gathered, len(done.patterns)) == (gathered, found), settings
    with opened(home, dreaming__light__dedupe_similarity=0.5, dreaming__rem__min_strength=0.0) as memory:
        looser = memory.dreams.run(["light", "rem"], dry_run=True)
        assert looser.gathered <= 4 and len(looser.patterns) >= 1


def test_a_model_that_is_asked_decides_and_one_that_fails_leaves_it_to_the_rules(home: Path) -> None:
    with opened(home) as memory:
        asked_often(memory, "I drink green tea every morning")
        assert promoted(memory)
    merge = json.dumps({"decisions": [{"candidate": 1, "action": "merge", "prior": 1}]})
    for model, outcome in (
        (ScriptedModel(merge), "merged"),
        (ScriptedModel(ProviderFailed("scripted", "it is down")), "promoted"),
        (ScriptedModel("no idea"), "promoted"),
    ):
        with opened(home) as memory:
            memory.ctx.__dict__["chat_model"] = model
            asked_often(memory, "I drink green tea", path="memory/2026-11-14.md")
            done = memory.dreams.run(["deep"], dry_run=True)
            assert [one.outcome for one in done.candidates] == [outcome]
            assert len(model.requests) <= 1
    for setting in (
        {"dreaming__llm": False},
        {"dreaming__max_tokens": 500, "memory__prompt__max_chars_per_file": 20000},
    ):
        with opened(home, **setting) as memory:
            more = "".join(f"- entry {number} of a rather long list of things\n" for number in range(100))
            (home / "MEMORY.md").write_text((home / "MEMORY.md").read_text() + more)
            model = ScriptedModel(merge)
            memory.ctx.__dict__["chat_model"] = model
            memory.dreams.run(["deep"], dry_run=True)
            assert model.requests == []


def test_a_run_ends_when_its_time_is_over(home: Path) -> None:
    class Hurried(FakeClock):
        def monotonic(self) -> float:
            self.steady += 40.0
            return self.steady

    settings = {"dreaming.max_seconds": 30}
    with Memory.open(home, origin=Origin.USER, clock=Hurried(NOW), settings=settings) as memory:
        asked_often(memory, LINES[0])
        done = memory.dreams.run()
        assert "no time for all in 30 seconds" in done.because and not done.of("promoted")


def test_the_counts_are_bounded_and_a_damaged_file_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "x.signals"
    signals = Signals(str(path))
    for batch in range(60):
        signals.record(
            [LineAnswer(f"c{batch}-{n}", "q", "2026-11-15", "p", 0.5, batch * 1000 + n) for n in range(1000)]
        )
    assert len(signals.asked(0.0, 1)) <= 2000
    assert path.stat().st_size < 16 * 1024 * 1024
    path.write_bytes(b"no database at all" * 100)
    assert signals.asked(0.0, 1) == [] and signals.verdicts() == {}
    signals.decide([Verdict("c", "promoted")])
    signals.decide([Verdict("c", "promoted")])
    assert set(signals.verdicts()) == {"c"}
    assert Signals(str(tmp_path / "no" / "such")).seen(["c"]) == {}


@pytest.mark.fault
@pytest.mark.promise("P2")
def test_counts_that_a_process_was_killed_while_writing_are_read_as_they_were_before(tmp_path: Path) -> None:
    path, left = tmp_path / "x.signals", tmp_path / "left.signals"
    Signals(str(path)).record([LineAnswer("c", "q", "2026-11-15", "p", 0.5, 1.0)])
    with closing(apsw.Connection(str(path))) as raw:
        raw.execute("BEGIN; DELETE FROM answers")
        raw.cache_flush()
        for ending in ("", "-journal"):
            shutil.copy(f"{path}{ending}", f"{left}{ending}")
    assert [asked.claim for asked in Signals(str(left)).asked(0.0, 1)] == ["c"]


def test_the_log_of_counts_that_were_damaged_goes_with_them(tmp_path: Path) -> None:
    path = tmp_path / "x.signals"
    path.write_bytes(b"no database at all" * 100)
    Path(f"{path}-journal").write_bytes(b"")
    Signals(str(path)).decide([Verdict("c", "promoted")])
    assert list(tmp_path.iterdir()) == []


def test_a_thousand_daily_notes_take_bounded_work_and_a_second_run_changes_nothing(home: Path) -> None:
    (home / "memory").mkdir(parents=True)
    for back in range(1000):
        day = TODAY - timedelta(days=back)
        lines = "".join(
            f"- Line {n} of day {back} about topic {(back * 7 + n) % 97} and {n * back}\n" for n in range(20)
        )
        (home / f"memory/{day}.md").write_text(f"# {day}\n\n{lines}")
    with opened(home, memory__sync__on_search=False) as memory:
        asked_often(memory, LINES[0], path="memory/topics.md")
        tracemalloc.start()
        first = memory.dreams.run()
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert first.changed and peak < 64 * 1024 * 1024
        before = {path: path.read_bytes() for path in home.rglob("*.md")}
        assert not memory.dreams.run().changed
        assert {path: path.read_bytes() for path in home.rglob("*.md")} == before
