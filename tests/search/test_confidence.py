from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.errors import BadArgument
from holdfast.index.sqlite.null_reaches import Reach
from holdfast.plural import agree, count_of
from holdfast.search.confidence import judge
from holdfast.search.evidence import Evidence, evidence_of
from holdfast.search.null_distribution import Null

SHARE = st.floats(0.0, 1.0)
SPREADS = st.floats(0.0, 20.0)
REACHES = st.lists(st.builds(Reach, SHARE, SHARE, st.integers(1, 1000)), max_size=40)
NULLS = st.builds(Null, by_vectors=st.booleans(), reaches=st.dictionaries(st.sampled_from(["en", "de", "th"]), REACHES))


@given(st.integers(0, 50), SHARE, SPREADS, SHARE, NULLS)
def test_confidence_is_a_probability_and_grows_with_each_part_of_the_evidence(
    words: int, held: float, above: float, met: float, null: Null
) -> None:
    most = judge(evidence_of(words, held, above, met), null)
    for less in (
        evidence_of(words, held / 2, above, met),
        evidence_of(words, held, above / 2, met),
        evidence_of(words, held, above, met / 2),
    ):
        judged = judge(less, null)
        assert 0.0 < judged.confidence <= most.confidence < 1.0
        assert most.likely or not judged.likely


@given(NULLS, st.booleans())
def test_what_is_likely_has_more_confidence_than_what_is_not(null: Null, looked: bool) -> None:
    found = [judge(Evidence(number / 20, looked), null) for number in range(60)]
    likely = [one.confidence for one in found if one.likely]
    unlikely = [one.confidence for one in found if not one.likely]
    assert not likely or not unlikely or min(likely) >= max(unlikely)


@given(st.builds(Reach, SHARE, SHARE, st.integers(1, 1000)), st.booleans(), st.booleans())
def test_the_first_question_that_is_asked_moves_no_level_far(reach: Reach, by_vectors: bool, looked: bool) -> None:
    before = Null(by_vectors=by_vectors).levels(looked=looked)
    after = Null(by_vectors=by_vectors, reaches={"en": [reach]}).levels(looked=looked)
    assert all(abs(one - other) <= 1 / 13 for one, other in zip(before, after, strict=True))


def test_a_home_without_a_null_is_judged_by_what_was_seen_elsewhere() -> None:
    assert judge(Evidence(3.0, True), Null(by_vectors=True)).likely
    assert not judge(Evidence(0.1, True), Null(by_vectors=True)).likely


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hundred notes about a garden, enough to know what has nothing to do with it."""
    place = tmp_path_factory.mktemp("garden")
    (place / "memory").mkdir()
    plants = "tomato basil rose fern lavender pepper carrot onion mint sage".split()
    works = "watered pruned sowed harvested repotted fertilised weeded mulched staked dried".split()
    for number in range(100):
        plant, work = plants[number % 10], works[number // 10]
        text = f"# Garden day {number}\n\nToday I {work} the {plant} in bed {number} and the soil was damp.\n"
        (place / f"memory/day{number}.md").write_text(text, encoding="utf-8")
    return place


@pytest.mark.parametrize("question", ["quarterly revenue forecast of the shipyard", "zxqv blorp fnord"])
def test_a_question_that_nothing_has_to_do_with_gets_the_nearest_marked_as_unlikely(home: Path, question: str) -> None:
    with Memory.open(home) as memory:
        memory.sync()
        found = memory.search(question)
        assert found.results and not found.likely
        assert not any(hit.likely for hit in found.results)
        assert found.to_json()["likely"] is False
        assert found.to_json()["results"][0]["likely"] is False


def test_a_question_about_the_notes_is_answered_with_more_confidence_than_one_beside_them(home: Path) -> None:
    with Memory.open(home) as memory:
        memory.sync()
        asked = memory.search("when did I prune the lavender?").results
        beside = memory.search("how damp was the weather on the boat trip?").results
        assert asked[0].likely
        assert asked[0].confidence > max((hit.confidence for hit in beside), default=0.0)
        assert all("confidence" in hit.to_json() for hit in asked)


def test_who_wants_silence_gets_it(home: Path) -> None:
    with Memory.open(home) as memory:
        memory.sync()
        question = "quarterly revenue forecast of the shipyard"
        most = memory.search(question).results[0].confidence
        assert memory.search(question, min_confidence=min(1.0, most + 0.01)).results == ()
        kept = memory.search(question, min_confidence=most).results
        assert kept and all(hit.confidence >= most for hit in kept)
        with pytest.raises(BadArgument, match="min_confidence"):
            memory.search(question, min_confidence=1.5)
    with Memory.open(home, settings={"memory.search.min_confidence": 1.0}) as memory:
        assert memory.search(question).results == ()


def test_a_note_called_by_its_name_is_likely(home: Path) -> None:
    with Memory.open(home) as memory:
        memory.sync()
        assert memory.search("Garden day 42").results[0].likely


def test_hits_that_are_left_out_as_too_unlikely_are_counted(home: Path) -> None:
    with Memory.open(home) as memory:
        memory.sync()
        every = memory.search("when did I prune the rose?", max_results=4).results
        least = every[0].confidence
        kept = sum(hit.confidence >= least for hit in every)
        some = memory.search("when did I prune the rose?", max_results=4, min_confidence=least)
        assert len(some.results) == kept < 4
        assert (
            some.because
            == f"{count_of(4 - kept, 'hit')} {agree(4 - kept, 'was', 'were')} left out as less likely than {least:g}"
        )
        none = memory.search("when did I prune the rose?", max_results=4, min_confidence=1.0)
        assert (none.results, none.because) == ((), "4 hits were left out as less likely than 1")
        assert memory.search("when did I prune the rose?", max_results=4, min_confidence=0.0).because == ""
