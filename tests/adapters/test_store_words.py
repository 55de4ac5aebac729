"""Words of a store's items: what a question finds where there are no vectors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("langgraph.store.base")

from hypothesis import given
from hypothesis import strategies as st
from langgraph.store.base import PutOp

from holdfast import Memory
from holdfast.search.query import plain_question
from holdfast.surfaces.adapters.langgraph_store import HoldfastStore
from holdfast.surfaces.adapters.store_words import ItemWords, scores_by_words

TEXTS = {
    "tea": "Anna drinks green tea in the morning.",
    "car": "The garage repaired the gearbox of the follow-up car.",
    "茶": "安娜早上喝绿茶。",
    "hub": "The code lies on GitHub, ticket INC-43948-QJV.",
}


@pytest.fixture
def store(home: Path) -> Iterator[HoldfastStore]:
    """A store without vectors."""
    with Memory.open(home, settings={"memory.disable_rag": True}) as memory:
        made = HoldfastStore(memory)
        made.batch([PutOp(("n",), key, {"text": text}) for key, text in TEXTS.items()])
        yield made


def first(store: HoldfastStore, query: str) -> str:
    found = store.search(("n",), query=query)
    assert found[0].score
    return found[0].key


@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("what does Anna drink?", "tea"),
        ("follow up", "car"),
        ("a followup of the car", "car"),
        ("绿茶", "茶"),
        ("绿", "茶"),
        ("inc-43948-qjv", "hub"),
        ("github", "hub"),
        ("the gearbocks", "car"),  # no item holds it: the whole search knows what was meant
    ],
)
def test_a_question_finds_an_item_by_its_words(store: HoldfastStore, query: str, key: str) -> None:
    assert first(store, query) == key


def test_what_is_put_edited_or_taken_away_is_found_as_it_is_now(store: HoldfastStore, home: Path) -> None:
    store.put(("n",), "tea", {"text": "Anna drinks cocoa."})
    assert first(store, "who drinks cocoa?") == "tea"
    assert not any(item.score for item in store.search(("n",), query="green morning"))
    note = home / "memory" / "store@n+@1.md"
    note.write_text(note.read_text().replace("cocoa", "buttermilk"))
    assert first(store, "buttermilk") == "tea"
    store.delete(("n",), "tea")
    assert not any(item.score for item in store.search(("n",), query="Anna buttermilk"))


def test_items_below_a_namespace_are_found_and_those_beside_it_are_not(store: HoldfastStore) -> None:
    store.put(("n", "deep"), "k", {"text": "Anna keeps bees."})
    store.put(("nn",), "k", {"text": "Berta keeps bees."})
    found = store.search(("n",), query="bees")
    assert [item.value["text"] for item in found if item.score] == ["Anna keeps bees."]


words = st.sampled_from("tea milk bread lake bird nest".split())


@given(items=st.lists(st.lists(words, max_size=6), max_size=6), asked=st.lists(words, min_size=1, max_size=4))
def test_scores_lie_between_0_and_1_and_only_what_holds_a_word_has_one(
    items: list[list[str]], asked: list[str]
) -> None:
    page = ItemWords("", [], [], {})
    for number, inside in enumerate(items):
        page.names.append((("n",), str(number)))
        page.lengths.append(len(inside))
        for word in set(inside):
            page.places.setdefault(word, []).append((number, inside.count(word)))
    scores = scores_by_words(plain_question(" ".join(asked)).words, [page])
    assert all(0 < score <= 1 for score in scores.values())
    assert {int(key) for _, key in scores} == {n for n, inside in enumerate(items) if set(inside) & set(asked)}
