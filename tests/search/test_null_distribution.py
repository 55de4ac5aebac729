from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from commandline import holdfast

from holdfast import Memory
from holdfast.index.sqlite.null_reaches import KEYWORDS_ONLY, Reach
from holdfast.search.evidence import SCALE
from holdfast.search.null_distribution import Null, measure_null, null_of, null_questions
from holdfast.search.query import question_of
from holdfast.search.script import null_languages


def stored(memory: Memory, *, by_vectors: bool = False) -> dict[str, Reach]:
    """What is stored of the null, for keywords alone or in the first space."""
    database = memory.ctx.database
    edition = database.serving()
    assert edition is not None
    space = database.vectors(database.spaces()[0]).number if by_vectors else KEYWORDS_ONLY
    return dict(database.null_reaches.of(edition.number, space, SCALE))


def write_days(home: Path, first: int, last: int) -> None:
    (home / "memory").mkdir(exist_ok=True)
    for number in range(first, last):
        text = f"# Garden day {number}\n\nToday I watered bed {number}; the soil of row {number % 7} was damp.\n"
        (home / f"memory/day{number}.md").write_text(text, encoding="utf-8")


def test_there_are_some_hundred_questions_each_once_and_the_first_few_of_several_languages() -> None:
    questions = null_questions()
    assert 200 <= len(questions) <= 450
    assert len({question.text for question in questions}) == len(questions)
    assert len({question.language for question in questions[:20]}) >= 5


WRITINGS = "Встреча ждёт الموعد การประชุม 会议 打ち合わせは 회의가\n"


def test_a_sync_that_was_asked_for_asks_them_all_and_one_that_indexes_nothing_asks_none(tmp_path: Path) -> None:
    write_days(tmp_path, 0, 80)
    (tmp_path / "memory" / "writings.md").write_text(WRITINGS, encoding="utf-8")
    with Memory.open(tmp_path) as memory:
        memory.sync()
        for by_vectors in (False, True):
            assert len(stored(memory, by_vectors=by_vectors)) == len(null_questions())
        chain = memory.ctx.chain
        assert chain is not None
        assert measure_null(memory.ctx.database, chain.links, memory.ctx.look_closer, None, None) == 0


def test_a_home_of_few_passages_is_asked_few(tmp_path: Path) -> None:
    with Memory.open(tmp_path) as memory:
        counts = []
        for notes in (5, 12, 80):
            write_days(tmp_path, 0, notes)
            memory.sync()
            counts.append(len(stored(memory)))
    assert counts[0] < counts[1] < counts[2] <= len(null_questions())
    assert counts[0] <= 30


def test_of_a_writing_that_no_note_has_few_questions_are_asked(tmp_path: Path) -> None:
    write_days(tmp_path, 0, 80)
    (tmp_path / "memory" / "russian.md").write_text("Встреча переносится на вторник.\n", encoding="utf-8")
    with Memory.open(tmp_path) as memory:
        memory.sync()
        asked = Counter(question.language for question in null_questions() if question.text in stored(memory))
    every = Counter(question.language for question in null_questions())
    assert {language for language in every if asked[language] == every[language]} >= {"en", "de", "tr", "ru"}
    assert all(0 < asked[language] <= 8 for language in ("ar", "th", "zh", "ja", "ko"))


def test_they_are_asked_again_once_a_fifth_of_the_passages_has_changed(tmp_path: Path) -> None:
    write_days(tmp_path, 0, 80)
    with Memory.open(tmp_path) as memory:
        memory.sync()
        first = stored(memory)
        write_days(tmp_path, 80, 88)
        memory.sync()
        assert stored(memory) == first
        write_days(tmp_path, 88, 120)
        memory.sync()
        assert {reach.passages for reach in stored(memory).values()} != {reach.passages for reach in first.values()}


def test_an_index_that_is_built_anew_has_a_null_of_its_own(tmp_path: Path) -> None:
    write_days(tmp_path, 0, 30)
    with Memory.open(tmp_path) as memory:
        memory.sync()
        first = stored(memory)
        memory.sync(force=True)
        assert stored(memory) == first
        rows = memory.ctx.database.connection.all("SELECT DISTINCT edition FROM null_reaches")
        assert len(rows) == 1


def test_a_tiny_home_is_asked_nothing_by_a_save_a_search_or_a_sync(tmp_path: Path) -> None:
    write_days(tmp_path, 0, 3)
    with Memory.open(tmp_path) as memory:
        memory.sync()
        memory.save("The kettle is blue.", file="memory/kettle.md")
        memory.search("Which kettle is blue?")
        assert not stored(memory)


def test_saves_and_searches_ask_a_few_at_a_time(tmp_path: Path) -> None:
    write_days(tmp_path, 0, 4)
    with Memory.open(tmp_path) as memory:
        counts = []
        for number in range(3):
            memory.save(f"The kettle number {number} is blue.", file=f"memory/kettle{number}.md")
            memory.search("Which kettle is blue?")
            counts.append(len(stored(memory)))
        assert 0 < counts[0] <= counts[1] <= counts[2] < 60


def test_a_home_in_another_language_is_held_to_what_questions_in_that_language_reach(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    for number in range(80):
        text = f"# Tag {number}\n\nIm Keller liegt der Schlüssel {number}, und auf dem Balkon stehen Blumen.\n"
        (tmp_path / f"memory/tag{number}.md").write_text(text, encoding="utf-8")
    with Memory.open(tmp_path) as memory:
        memory.sync()
        edition = memory.ctx.database.serving()
        assert edition is not None
        question = question_of("Wo liegt der Schlüssel?").replace(foreign=True)
        null = null_of(memory.ctx.database, edition, None).of_languages(null_languages(question))
        german = [question.text for question in null_questions() if question.language == "de"]
        reached = stored(memory)
        alone = Null(by_vectors=False, passages=null.passages, reaches={"de": [reached[text] for text in german]})
        assert null.levels(looked=True) == alone.levels(looked=True)


def test_the_command_line_says_that_nothing_seems_to_answer_and_shows_the_nearest(tmp_path: Path) -> None:
    write_days(tmp_path, 0, 30)
    holdfast("index", "--home", str(tmp_path))
    shown = holdfast("search", "quarterly revenue forecast of the shipyard", "--home", str(tmp_path)).out
    assert shown.startswith("nothing here seems to answer this; the nearest:\n")
    assert "memory/day" in shown
    silent = holdfast("search", "quarterly revenue", "--min-confidence", "0.99", "--home", str(tmp_path)).out
    assert silent == ""
    answered = holdfast("search", "which bed did I water on garden day 12?", "--home", str(tmp_path)).out
    assert "nothing here" not in answered


@pytest.mark.parametrize("notes", [1, 3])
def test_a_handful_of_notes_answers_what_it_holds(tmp_path: Path, notes: int) -> None:
    write_days(tmp_path, 0, notes)
    with Memory.open(tmp_path) as memory:
        memory.sync()
        assert memory.search("which bed did I water?").likely
        assert not memory.search("quarterly revenue forecast of the shipyard").likely


HANDFUL = (
    "We booked the hotel Astoria for the trip to Vienna in May.",
    "The launch moved to 3 March.",
    "My cat is called Pixel.",
    "I am allergic to hazelnuts.",
)


@pytest.mark.parametrize("synced", [True, False])
def test_in_a_handful_of_notes_a_paraphrase_is_likely_and_what_has_nothing_to_do_with_them_is_not(
    tmp_path: Path, synced: bool
) -> None:
    (tmp_path / "memory").mkdir()
    for number, text in enumerate(HANDFUL):
        (tmp_path / f"memory/n{number}.md").write_text(f"{text}\n", encoding="utf-8")
    with Memory.open(tmp_path) as memory:
        if synced:
            memory.sync()
        for query, path in (("accommodation for our journey", "memory/n0.md"), ("what can I not eat?", "memory/n3.md")):
            hit = memory.search(query).results[0]
            assert (hit.path, hit.likely) == (path, True), query
        for query in ("what is the capital of Mongolia?", "how tall is the tower of Pisa?"):
            assert not memory.search(query).results[0].likely, query


THAI = ("กำหนดส่งรายงานคือวันศุกร์หน้า", "แมวของเราชื่อมะลิและชอบนอนบนโซฟา", "รถไฟไปเชียงใหม่ออกตอนหกโมงเย็น")
FOREIGN_TO_THEM = (
    "ใครเป็นผู้ประพันธ์เพลงชาติของประเทศโปแลนด์ในศตวรรษที่สิบแปด",
    "จำนวนประชากรของเมืองลียงเมื่อสิ้นสุดสงครามคือเท่าใด",
    "องค์กรใดเป็นผู้รับผิดชอบการเจรจาสนธิสัญญาด้านการค้า",
    "นักวิทยาศาสตร์คนใดค้นพบออกซิเจนเป็นคนแรก",
    "เหตุใดธารน้ำแข็งจึงเปลี่ยนรูปร่างของหุบเขา",
    "ทีมใดชนะการแข่งขันชิงแชมป์ในปีที่สนามกีฬาเปิดใช้งาน",
)


def test_a_question_is_held_to_what_questions_in_its_own_writing_reach(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    for number in range(60):
        text = f"{THAI[number % 3]} ห้องที่ {number} มีโต๊ะและเก้าอี้\n"
        (tmp_path / f"memory/n{number}.md").write_text(text, encoding="utf-8")
    with Memory.open(tmp_path) as memory:
        memory.sync()
        assert memory.search("แมวของเราชื่ออะไร").likely
        assert sum(memory.search(text).likely for text in FOREIGN_TO_THEM) <= 2
