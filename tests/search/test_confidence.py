from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.search.confidence import evidence

SHARE = st.floats(0.0, 1.0)


@given(SHARE, SHARE, SHARE, st.booleans())
def test_confidence_is_a_probability_and_grows_with_the_evidence(
    held: float, cosine: float, background: float, by_vectors: bool
) -> None:
    less = evidence({"bm25": held, "cosine": cosine / 2}, 1.0, background, by_vectors=by_vectors)
    more = evidence({"bm25": held, "cosine": cosine}, 1.0, background, by_vectors=by_vectors)
    assert 0.0 < less <= more < 1.0


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
def test_a_question_that_nothing_has_to_do_with_gets_the_nearest_with_little_confidence(
    home: Path, question: str
) -> None:
    with Memory.open(home) as memory:
        memory.sync()
        found = memory.search(question).results
        sure = memory.search("which pepper did I repot?").results
        assert found and sure
        assert max(hit.confidence for hit in found) < sure[0].confidence / 2


def test_a_question_about_the_notes_is_answered_with_more_confidence_than_one_beside_them(home: Path) -> None:
    with Memory.open(home) as memory:
        memory.sync()
        asked = memory.search("when did I prune the lavender?").results
        beside = memory.search("how damp was the weather on the boat trip?").results
        assert asked
        assert asked[0].confidence > max((hit.confidence for hit in beside), default=0.0)
        assert all("confidence" in hit.to_json() for hit in asked)
