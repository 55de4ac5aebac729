from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from counts import by_turns, counted
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.errors import BadArgument, TooLarge
from holdfast.index.store_contract import Word
from holdfast.search.hit import CONTRIBUTIONS
from holdfast.search.query import words_of
from holdfast.search.snippet import snippet_of

QUERIES = ("harbour invoice", "TCK-1007-ZZ", "what happened with the telescope on day 12?")
TOPICS = ("harbour", "invoice", "telescope", "orchard", "compiler", "marathon", "violin", "glacier")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sixty notes, searched by many tests and changed by none; every fifth is a conversation."""
    rng = random.Random(7)
    home = tmp_path_factory.mktemp("library")
    (home / "memory").mkdir()
    for i in range(60):
        topic = TOPICS[i % len(TOPICS)]
        lines = [f"# {topic.title()} log {i}", ""]
        lines += [f"- {rng.choice(TOPICS)} {rng.choice(TOPICS)} item {rng.randrange(9)} of day {i}" for _ in range(40)]
        lines.insert(20, f"- the ticket is TCK-{1000 + i}-ZZ and the build v1.{i}.7-rc2")
        if i % 5 == 0:
            lines = [line.replace("- ", f"**{'Ann' if at % 2 else 'Bob'}**: ", 1) for at, line in enumerate(lines)]
        (home / f"memory/note-{i:02}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return home


@pytest.fixture(scope="module")
def memory(library: Path) -> Iterator[Memory]:
    with Memory.open(library, embedder=FakeEmbedder(), settings={"memory.citations": "on"}) as opened:
        opened.sync()
        yield opened


@pytest.fixture(scope="module")
def keywords(library: Path, memory: Memory) -> Iterator[Memory]:
    """The same notes as they are searched by default: without an embedder."""
    with Memory.open(library, settings={"memory.citations": "on"}) as opened:
        yield opened


def places(memory: Memory, query: str, count: int, by_passage: bool) -> list[tuple[str, int, str]]:
    found = memory.search(query, max_results=count, by_passage=by_passage).results
    return [(hit.path, hit.start_line, hit.chunk_id) for hit in found]


@pytest.mark.parametrize("by_passage", [False, True])
@pytest.mark.parametrize("query", QUERIES)
def test_the_first_hits_stay_the_first_when_more_are_asked_for(memory: Memory, query: str, by_passage: bool) -> None:
    every = places(memory, query, 100, by_passage)
    turn = 2 * QUERIES.index(query) + by_passage
    for count in by_turns((*range(1, 30), *range(44, 100, 3)), turn, 12):
        assert places(memory, query, count, by_passage) == every[:count]


def test_a_hundred_hits_can_be_had_where_there_are_as_many(memory: Memory) -> None:
    hits = memory.search(" ".join(TOPICS), max_results=100, by_passage=True).results
    assert len({hit.chunk_id for hit in hits}) == len(hits) == min(100, memory.status().chunks)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert all(len(hit.ranges) == 1 for hit in hits)


def test_the_passages_of_a_note_are_one_hit_that_names_the_lines_of_each(memory: Memory) -> None:
    for query in (" ".join(TOPICS), "harbour invoice", "violin of day 6"):
        hits = memory.search(query, max_results=20).results
        assert len({hit.path for hit in hits}) == len(hits)
        alone = memory.search(query, max_results=20, by_passage=True).results
        for hit in hits:
            own = [one for one in alone if one.path == hit.path]
            assert own[:1] == [] or own[0].chunk_id == hit.chunk_id
            first, last = hit.ranges[0]
            assert first <= hit.start_line <= hit.end_line <= last
            assert len(set(hit.ranges)) == len(hit.ranges)


def test_only_a_hit_of_several_passages_shows_their_ranges(memory: Memory) -> None:
    for by_passage in (False, True):
        for hit in memory.search("harbour invoice", max_results=20, by_passage=by_passage).results:
            shown = hit.to_json().get("ranges")
            assert shown == ([list(lines) for lines in hit.ranges] if len(hit.ranges) > 1 else None)


@settings(max_examples=counted(5, 240), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from([*TOPICS, "day", "TCK-1003-ZZ", "v1.5.7-rc2", "item"]), min_size=1, max_size=6))
def test_any_question_has_one_order_and_sound_scores(memory: Memory, words: list[str]) -> None:
    query = " ".join(words)
    first, second = memory.search(query, max_results=50), memory.search(query, max_results=50)
    assert [hit.chunk_id for hit in first.results] == [hit.chunk_id for hit in second.results]
    keys = [(-hit.score, hit.path) for hit in first.results]
    assert keys == sorted(keys)
    for hit in first.results:
        assert 0.0 <= hit.score <= 1.0
        assert len(hit.snippet) <= 700
        parts = hit.explain
        assert hit.score == pytest.approx(sum(parts.get(name, 0.0) for name in CONTRIBUTIONS))
        assert hit.start_line <= hit.end_line


@settings(max_examples=counted(7, 600), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(min_size=1, max_size=80))
def test_no_text_is_query_syntax(memory: Memory, query: str) -> None:
    if query.strip():
        memory.search(query)


@pytest.mark.parametrize(
    "query", ['"', "a AND", "NEAR(x y)", "* OR *", "body:x", "-x", "(", "x'); DROP TABLE notes; --"]
)
def test_fts_syntax_is_only_text(memory: Memory, query: str) -> None:
    memory.search(query)


def test_an_id_is_found_alone_and_inside_a_question(keywords: Memory) -> None:
    for i in range(0, 60, 7):
        for query in (f"TCK-{1000 + i}-ZZ", f"what did we agree about ticket TCK-{1000 + i}-ZZ?", f"v1.{i}.7-rc2"):
            best = keywords.search(query, max_results=1).results[0]
            assert best.path == f"memory/note-{i:02}.md", query


def test_the_snippet_shows_the_cited_lines(keywords: Memory) -> None:
    for i in range(0, 60, 5):
        hit = keywords.search(f"TCK-{1000 + i}-ZZ", max_results=1).results[0]
        lines = (Path(keywords.home) / hit.path).read_text(encoding="utf-8").split("\n")
        assert "\n".join(lines[hit.start_line - 1 : hit.end_line]) in hit.snippet
        assert f"TCK-{1000 + i}-ZZ" in lines[hit.start_line - 1]
        assert all(line in lines for line in hit.snippet.split("\n") if line != "…")
        assert hit.citation == f"Source: {hit.path}#{hit.start_line}"


@pytest.mark.parametrize(
    ("mode", "notes", "cited"),
    [("auto", 1, False), ("auto", 2, True), ("on", 1, True), ("off", 2, False)],
)
def test_citations_follow_the_setting(home: Path, mode: str, notes: int, cited: bool) -> None:
    with Memory.open(home, settings={"memory.citations": mode}) as memory:
        for i in range(notes):
            memory.save(f"apple number {i}", file=f"memory/n{i}.md")
        hits = memory.search("apple").results
        assert len(hits) == notes
        assert all((hit.citation is not None) is cited for hit in hits)


@pytest.mark.parametrize("by_passage", [False, True])
def test_min_score_leaves_out_what_scores_below(memory: Memory, by_passage: bool) -> None:
    everything = memory.search("harbour day", max_results=50, by_passage=by_passage).results
    middle = everything[len(everything) // 2].score
    kept = memory.search("harbour day", max_results=50, min_score=middle, by_passage=by_passage).results
    above = [hit for hit in everything if hit.score >= middle]
    # Of a hit of several passages, those that score below are left out as well.
    assert all(set(few.ranges) <= set(all_of.ranges) for few, all_of in zip(kept, above, strict=True))
    assert [hit.replace(ranges=()) for hit in kept] == [hit.replace(ranges=()) for hit in above]
    assert not by_passage or list(kept) == above


@pytest.mark.parametrize("query", ["", "   ", "\n"])
def test_an_empty_question_is_refused(memory: Memory, query: str) -> None:
    with pytest.raises(BadArgument, match="empty"):
        memory.search(query)


def test_an_endless_question_is_refused_and_a_long_one_answered(memory: Memory) -> None:
    with pytest.raises(TooLarge, match="query"):
        memory.search("word " * 9000)
    assert memory.search("harbour " + "and then the orchard " * 60).results


@pytest.mark.parametrize(
    ("name", "value"), [("max_results", 0), ("max_results", 101), ("min_score", -0.1), ("min_score", 1.5)]
)
def test_numbers_out_of_range_are_refused(memory: Memory, name: str, value: float) -> None:
    with pytest.raises(BadArgument, match=name):
        memory.search("harbour", **{name: value})  # type: ignore[arg-type]


def test_a_question_without_an_answer_gets_the_nearest_note_for_what_it_is_worth(home: Path) -> None:
    with Memory.open(home) as memory:
        assert memory.search("anything").results == ()
        memory.save("unrelated")
        (nearest,) = memory.search("xyzzy").results
        (right,) = memory.search("unrelated").results
        assert nearest.snippet == "- unrelated" and nearest.text_score is None
        assert nearest.score < right.score and nearest.confidence < right.confidence


def test_small_words_count_only_when_there_are_no_others() -> None:
    assert [word.text for word in words_of("what is the plan for the harbour?")] == ["plan", "harbour"]
    assert [word.text for word in words_of("who are you?")] == ["who", "are", "you"]


def test_one_character_of_a_script_without_spaces_is_looked_for_by_its_beginning() -> None:
    assert words_of("深") == [Word("深", prefix=True)]
    assert [word.text for word in words_of("深色")] == ["深色"]


@pytest.mark.parametrize("query", ["深色", "模式", "深", "式", "色模式", "東京", "데이터베이스"])
def test_words_of_one_or_two_characters_are_found(home: Path, query: str) -> None:
    with Memory.open(home) as memory:
        memory.save("用户喜欢深色模式。", file="memory/a.md")
        memory.save("東京へ行きました。", file="memory/b.md")
        memory.save("데이터베이스를 바꿨다", file="memory/c.md")
        memory.save("nothing of the kind", file="memory/d.md")
        assert query[:1] in memory.search(query).results[0].snippet


def test_inflection_and_accents_do_not_hide_an_answer(home: Path) -> None:
    with Memory.open(home) as memory:
        memory.save("We decided to move the café to Tuesdays.")
        for query in ("deciding", "decides", "cafe", "CAFÉ", "tuesday"):
            assert memory.search(query).results[0].text_score is not None, query


@given(st.lists(st.text(alphabet="ab cd", max_size=60), min_size=1, max_size=40), st.integers(80, 700))
def test_a_snippet_is_whole_lines_or_part_of_one(lines: list[str], size: int) -> None:
    text = "\n".join(lines)
    snippet = snippet_of(text, [Word("ab"), Word("cd")], size)
    assert len(snippet.text) <= size
    shown = "\n".join(text.split("\n")[snippet.first : snippet.last + 1])
    assert snippet.text == shown or snippet.text in shown


def test_a_snippet_of_one_long_line_holds_the_word() -> None:
    line = "filler " * 500 + "needle " + "filler " * 500
    snippet = snippet_of(line, [Word("needle")], 200)
    assert "needle" in snippet.text
    assert len(snippet.text) <= 200


def test_a_snippet_of_one_long_line_is_the_part_with_most_of_the_words() -> None:
    english = "filler " * 100 + "boiler " + "filler " * 300 + "the boiler was serviced by Vaillant " + "filler " * 300
    chinese = (
        "我们讨论了锅炉。" * 3 + "后来大家一起去吃饭了。" * 80 + "锅炉由冯先生维修。" + "后来大家一起去吃饭了。" * 80
    )
    assert "Vaillant" in snippet_of(english, words_of("who serviced the boiler?"), 200).text
    assert "冯先生" in snippet_of(chinese, words_of("锅炉维修"), 200).text


def test_an_id_that_stands_in_the_notes_is_looked_up_without_asking_a_provider(home: Path) -> None:
    embedder = FakeEmbedder()
    with Memory.open(home, embedder=embedder) as memory:
        memory.save("The lease broke with ERR_LEASE_7949 after the move.", file="memory/incidents.md")
        memory.sync()
        embedder.calls = 0
        known = memory.search("ERR_LEASE_7949")
        assert known.results[0].path == "memory/incidents.md"
        assert (known.mode, known.because, embedder.calls) == (
            "keyword",
            "the question is an id that stands in the notes",
            0,
        )
        assert memory.search("which lease broke with ERR_LEASE_7949?").mode == "hybrid"
        assert memory.search("ERR_LEASE_7950").mode == "hybrid"  # one that does not stand there may be mistyped


def test_a_snippet_shows_the_line_of_the_name_that_was_asked_for_among_many_like_it(home: Path) -> None:
    lines = [f"- Zephyr{number} is kept in room {number % 7} of the east wing" for number in range(100, 140)]
    with Memory.open(home, settings={"memory.search.snippet_chars": 120}) as memory:
        memory.save("# Instruments\n\n" + "\n".join(lines), file="memory/instruments.md")
        for number in (103, 119, 138):
            assert f"Zephyr{number} " in memory.search(f"where is Zephyr{number}?").results[0].snippet


def test_the_first_search_of_a_home_that_was_never_indexed_goes_by_meaning(home: Path) -> None:
    (home / "memory").mkdir(parents=True)
    for number in range(300):
        (home / f"memory/n{number}.md").write_text(f"The boat number {number} lies in the harbour.\n", encoding="utf-8")
    with Memory.open(home) as memory:
        found = memory.search("ship")
        assert found.mode == "hybrid" and not found.because


def test_an_id_that_a_note_holds_is_looked_for_among_all_those_of_a_log(home: Path) -> None:
    log = "\n".join(f"2026-11-{day:02} 0xc000{day:06} /src/auth/store.go:{day}18 refused" for day in range(1, 20))
    with Memory.open(home, settings={"memory.disable_rag": True}) as memory:
        memory.save("The token store was full: E_STORE_5031, now with an expiry.", file="memory/incidents.md")
        memory.save("Lunch is at noon, and nobody refused.", file="memory/lunch.md")
        for prompt in (
            f"E_STORE_5031 at auth\n{log}\n\nWhat did we do?",
            f"{log}\nE_STORE_5031\n{log}\n\nWhat was it?",
        ):
            assert memory.search(prompt).results[0].path == "memory/incidents.md"
