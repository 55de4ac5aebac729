"""What a search leaves for dreaming: one short line without words, which costs it nothing and never fails it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import fork_server
import pytest
from commandline import SCRIPT, process
from dreaming.asking import DAY, NOTE, NOW, QUESTIONS, TEA, asked_for, prompt
from hypothesis import given
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.context.search_signals import answering_lines, telling_words
from holdfast.dreaming.dream_counts import fold_answers, signals_of
from holdfast.guard.origin import Origin
from holdfast.index.sqlite.read_counts import Usage, leave, spool_beside
from holdfast.index.sqlite.signal_table import LineAnswer
from holdfast.index.sqlite.spool import Spool
from holdfast.markdown.claim_key import key_of

LONG = (
    "The first sentence is about the garden and its many flowers. The second one tells of a long journey by train to "
    "Lisbon in the spring of that year! The third is about green tea, which is drunk before work. And the fourth one "
    "says that nothing else has happened for a very long time in this place.\n"
)
CHILD = """
import sys
from holdfast.index.sqlite.read_counts import leave
for n in range(200):
    leave(sys.argv[1], f"{sys.argv[2]} {n} " + "x" * 300)
"""


def spool(memory: Memory) -> Path:
    return Path(spool_beside(memory.ctx.index_path))


def asked(memory: Memory) -> list[LineAnswer]:
    return signals_of(memory.ctx).asked(0.0, 1)


def counted(memory: Memory) -> set[str]:
    return {row.claim for row in asked(memory)}


def test_a_search_leaves_one_line_without_a_word_of_the_question_or_the_answer(memory: Memory) -> None:
    memory.save(f"- {TEA}\n- Bought new tyres for the bicycle\n", file=NOTE)
    memory.search("Which TEA do I drink?")
    text = spool(memory).read_text()
    (line,) = filter(None, text.split("\n"))
    assert [path for path, _, _ in json.loads(line)[2]] == [NOTE]
    assert not any(word in text.lower() for word in ("tea", "drink", "green", "tyres", "which"))
    assert spool(memory).stat().st_mode & 0o777 == 0o600
    assert counted(memory) == {key_of(TEA)}
    assert not spool(memory).exists() and counted(memory) == {key_of(TEA)}


def test_the_same_question_on_a_day_is_one_and_its_best_score_counts(memory: Memory, clock: FakeClock) -> None:
    memory.save(f"- {TEA}\n", file=NOTE)
    for query in ("green tea?", "the green tea", "Tea, GREEN"):
        memory.search(query)
    clock.advance(DAY)
    memory.search("is it green tea")
    rows = asked(memory)
    assert len(rows) == 2 and len({row.query for row in rows}) == 1 and len({row.day for row in rows}) == 2


def test_a_line_counts_although_its_note_has_changed_around_it_since(memory: Memory, home: Path) -> None:
    memory.save(f"# Friday\n\n- {TEA}\n", file=NOTE)
    memory.search("green tea")
    (home / NOTE).write_text(f"# Another title\n\nA new first line.\n\n* something\n- {TEA}\n- a last line\n")
    assert counted(memory) == {key_of(TEA)}
    memory.search("green tea")
    (home / NOTE).write_text(f"- ~~{TEA}~~\n")
    clean = signals_of(memory.ctx)
    assert len(clean.asked(0.0, 1)) == 1  # the one from before: what is struck by now is not counted


@pytest.mark.parametrize(
    ("note", "question", "claim"),
    [
        (
            "- I drink tea\n  and only in the morning\n- Another line\n",
            "morning",
            "I drink tea and only in the morning",
        ),
        ("1. First the kettle boils\n2. Then the green tea\n", "green tea", "Then the green tea"),
        ("# Tea\n\n> tea, said somebody\n\nThe tea is\ngreen today.\n\nMore.\n", "tea", "The tea is green today."),
        ("Quite alone here.\n", "Quite alone", "Quite alone here."),
        (
            LONG,
            "green tea before work",
            "The third is about green tea, which is drunk before work.",
        ),
        ("```\ngreen tea = 1\n```\n\n- A cup of green tea\n- A cup of milk\n", "green tea", "A cup of green tea"),
        ("- Die Tür ist grün\n- Das Dach ist rot\n", "grüne Tür", "Die Tür ist grün"),
    ],
)
def test_the_line_that_has_the_words_of_the_question_is_counted(
    memory: Memory, note: str, question: str, claim: str
) -> None:
    memory.save(note, file=NOTE)
    assert memory.search(question).results
    assert counted(memory) == {key_of(claim)}


def test_a_stored_fact_is_counted_by_its_words_and_not_by_its_mark(memory: Memory) -> None:
    memory.facts.store("I live in Lisbon", category="fact")
    memory.facts.store("The dentist is Doctor Moreau", category="fact")
    memory.search("where do I live")
    assert counted(memory) == {key_of("I live in Lisbon")}


BLOCKS = st.sampled_from(
    ["- a bullet that says something", "* another bullet\n  that goes on here", "A paragraph of\ntwo lines in all.",
     "3) number three of the list", "# A heading with words", "> quoted words of others", "- ~~struck bullet~~",
     "```\ncode in a block\n```", "| a | table |", "- marked words here <!-- fact f123 -->"]
)  # fmt: skip


@given(st.lists(BLOCKS, min_size=1, max_size=8), st.sampled_from(["bullet", "words", "lines of that", "here"]))
def test_what_a_search_names_is_a_line_that_dreaming_knows(blocks: list[str], query: str) -> None:
    from holdfast.dreaming.dream_counts import _claims_by_name

    note = "\n\n".join(blocks) + "\n"
    known = _claims_by_name(note, NOTE)
    assert all(name in known for name in answering_lines(telling_words(query), note))


@given(st.lists(st.text(max_size=60), max_size=6))
def test_whatever_stands_in_the_file_is_read_or_passed_over(lines: list[str]) -> None:
    from holdfast.dreaming.dream_counts import _read

    for line in (*lines, '["a",1e400,[]]', '["a",1,[["p",NaN,[1]]]]', "[" * 100_000, '["a",1,[[1]]]', "{}", "[1,2]"):
        left = _read(line)
        assert left is None or (left.at >= 0 and all(0 <= score <= 1 for _, score, _ in left.answers))


def test_a_torn_line_costs_only_itself(memory: Memory) -> None:
    memory.save(f"- {TEA}\n", file=NOTE)
    memory.search("green tea")
    whole = spool(memory).read_bytes()
    spool(memory).write_bytes(whole[: len(whole) // 2])
    memory.search("tea in the morning")
    memory.search("before work")
    assert len(asked(memory)) == 2


def test_many_processes_leave_lines_at_once_and_none_is_torn(tmp_path: Path) -> None:
    path = str(tmp_path / "x.asked")
    children = [subprocess.Popen([*fork_server.command(CHILD), path, str(number)]) for number in range(4)]
    assert [child.wait(60) for child in children] == [0, 0, 0, 0]
    with Spool(path).taken() as lines:
        assert sorted(lines) == sorted(f"{one} {n} " + "x" * 300 for one in range(4) for n in range(200))
    assert os.listdir(tmp_path) == []


def test_the_file_is_bounded_and_the_newest_lines_are_kept(tmp_path: Path) -> None:
    path = str(tmp_path / "x.asked")
    for number in range(5_000):
        leave(path, f"{number} " + "x" * 1000)
    assert sum(one.stat().st_size for one in tmp_path.iterdir()) < 2.1 * 1024 * 1024
    with Spool(path).taken() as lines:
        assert lines[-1].startswith("4999 ") and len(lines) > 1000
    assert os.listdir(tmp_path) == []


def test_what_a_killed_process_had_taken_is_counted_by_the_next_one(memory: Memory) -> None:
    memory.save(f"- {TEA}\n", file=NOTE)
    memory.search("green tea")
    spool(memory).rename(f"{spool(memory)}.taken.1.2")
    assert counted(memory) == {key_of(TEA)}
    assert not list(spool(memory).parent.glob("*.asked*"))


@pytest.mark.parametrize("obstacle", ["directory", "link", "pipe"])
def test_a_search_answers_where_the_line_can_not_be_left(memory: Memory, tmp_path: Path, obstacle: str) -> None:
    memory.save(f"- {TEA}\n", file=NOTE)
    aim = tmp_path / "elsewhere"
    match obstacle:
        case "directory":
            spool(memory).mkdir()
        case "link":
            spool(memory).symlink_to(aim)
        case "pipe":
            os.mkfifo(spool(memory))
    assert memory.search("green tea").results
    assert not aim.exists()
    if obstacle == "directory":
        spool(memory).rmdir()
    else:
        spool(memory).unlink()
    assert memory.search("green tea").results and counted(memory) == {key_of(TEA)}


def test_a_search_answers_where_the_disk_is_full(home: Path) -> None:
    with Memory.open(home) as memory:
        memory.save(f"- {TEA}\n", file=NOTE)
        memory.search("green tea")
        left = spool(memory)
        left.write_bytes(b"x" * 65536)
    full = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536)); {SCRIPT}"
    ran = subprocess.run([sys.executable, "-c", full, "search", "green tea"], capture_output=True, timeout=60)
    assert ran.returncode == 0 and TEA.encode() in ran.stdout, ran.stderr
    assert left.stat().st_size == 65536


def test_a_search_loads_nothing_for_it(home: Path) -> None:
    with Memory.open(home) as memory:
        memory.save(f"- {TEA}\n- Another line\n", file=NOTE)
    script = "import sys; from holdfast.surfaces.cli.main import main; main(sys.argv[1:]); print(*sorted(sys.modules))"

    def loaded(enabled: str) -> list[bytes]:
        env = {**os.environ, "HOLDFAST_DREAMING_ENABLED": enabled}
        argv = [sys.executable, "-c", script, "search", "green tea in the morning"]
        ran = subprocess.run(argv, env=env, capture_output=True, check=True, timeout=60)
        return ran.stdout.splitlines()[-1].split()

    for _ in range(10):  # the first searches also do what is left to do of the index, and read a young note again
        before, with_dreaming, after = loaded("false"), loaded("true"), loaded("false")
        if before == after:
            break
    assert with_dreaming == before
    assert process("dream", "--json").returncode == 0


def test_forgetting_takes_along_what_searches_have_left(memory: Memory) -> None:
    memory.save(f"- {TEA}\n- The dentist is Doctor Moreau\n", file=NOTE)
    memory.search("green tea")
    memory.search("who is the dentist")
    memory.forget(text=f"- {TEA}")
    assert not list(spool(memory).parent.glob("*.asked*"))
    assert counted(memory) == {key_of("The dentist is Doctor Moreau")}


def test_what_was_rejected_stays_rejected_when_something_else_is_forgotten(
    memory: Memory, home: Path, clock: FakeClock
) -> None:
    memory.tools(Origin.IMPORT).call("memory_save", {"content": f"- {TEA}\n", "file": NOTE})
    asked_for(memory, clock)
    (waiting,) = memory.dreams.run().of("waiting")
    memory.inbox.reject(waiting.id)
    (home / NOTE).write_text(f"- {TEA}\n- The dentist is Doctor Moreau\n")
    memory.forget(text="- The dentist is Doctor Moreau")
    asked_for(memory, clock, QUESTIONS, days=3)
    assert not memory.dreams.run(["deep"]).candidates and prompt(home) == ""


def test_folding_twice_or_with_nothing_left_counts_nothing_more(memory: Memory) -> None:
    memory.save(f"- {TEA}\n", file=NOTE)
    memory.search("green tea")
    assert fold_answers(memory.ctx) == 1
    assert fold_answers(memory.ctx) == 0
    assert len(asked(memory)) == 1 and asked(memory)[0].last == int(NOW - 2 * DAY)


def test_the_counts_of_what_was_read_are_bounded_too(tmp_path: Path) -> None:
    uses = Usage(str(tmp_path / "x.usage"), most=50)
    for number in range(512):
        uses.record(f"hash{number}", float(number))
    uses.record("hash511", 600.0)
    kept = uses.of([f"hash{number}" for number in range(512)])
    assert len(kept) < 310 and kept["hash511"] == (2, 600.0) and "hash0" not in kept
