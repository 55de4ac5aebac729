"""LangGraph's store on notes: graphs run with it, and what it keeps is readable, found, filtered and expires."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypedDict

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.errors import BadArgument, SecretFound, TooLarge
from holdfast.surfaces.adapters.langgraph_store import HoldfastStore
from holdfast.surfaces.adapters.store_notes import StoredItem, note_of, path_of, prefix_of, read_note

MOMENT = datetime(2026, 11, 15, 12, tzinfo=UTC)


class Talk(TypedDict):
    said: str
    known: list[str]


def remember(state: Talk, runtime: Runtime[None]) -> dict[str, Any]:
    assert runtime.store is not None
    runtime.store.put(("users", "anna"), "tea", {"text": state["said"], "kind": "preference"})
    return {}


def recall(state: Talk, runtime: Runtime[None]) -> dict[str, Any]:
    assert runtime.store is not None
    found = runtime.store.search(("users",), query="what does she drink?", filter={"kind": "preference"})
    return {"known": [item.value["text"] for item in found]}


async def aremember(state: Talk, runtime: Runtime[None]) -> dict[str, Any]:
    assert runtime.store is not None
    await runtime.store.aput(("users", "anna"), "tea", {"text": state["said"], "kind": "preference"})
    return {}


async def arecall(state: Talk, runtime: Runtime[None]) -> dict[str, Any]:
    assert runtime.store is not None
    found = await runtime.store.asearch(("users",), query="what does she drink?")
    return {"known": [item.value["text"] for item in found]}


@pytest.fixture
def store(memory: Memory) -> HoldfastStore:
    return HoldfastStore(memory)


def keys(found: list[Any]) -> list[str]:
    return [item.key for item in found]


def test_a_graph_remembers_and_recalls_through_the_store(memory: Memory, home: Path, store: HoldfastStore) -> None:
    graph = StateGraph(Talk)
    graph.add_node("remember", remember)
    graph.add_node("recall", recall)
    graph.add_edge(START, "remember")
    graph.add_edge("remember", "recall")
    graph.add_edge("recall", END)
    ended = graph.compile(store=store).invoke({"said": "Anna drinks tea without milk.", "known": []})
    assert ended["known"] == ["Anna drinks tea without milk."]
    assert [hit.path for hit in memory.search("tea milk").results] == ["memory/store@users+anna+@1.md"]
    note = (home / "memory" / "store@users+anna+@1.md").read_text()
    assert "## tea\n\nAnna drinks tea without milk.\n\n```json\n" in note
    assert '"kind": "preference"' in note
    assert [change.origin for change in memory.history()] == ["agent"]


def test_an_async_graph_does_the_same(store: HoldfastStore) -> None:
    graph = StateGraph(Talk)
    graph.add_node("remember", aremember)
    graph.add_node("recall", arecall)
    graph.add_edge(START, "remember")
    graph.add_edge("remember", "recall")
    graph.add_edge("recall", END)
    compiled = graph.compile(store=store)

    async def run() -> Any:
        return await compiled.ainvoke({"said": "Anna drinks tea without milk.", "known": []})

    assert anyio.run(run)["known"] == ["Anna drinks tea without milk."]


def test_a_batch_answers_as_the_store_in_memory_does(store: HoldfastStore) -> None:
    other = InMemoryStore()
    first: list[Op] = [
        PutOp(("docs",), "a", {"text": "alpha", "n": 1, "tags": ["x"]}),
        PutOp(("docs",), "b", {"text": "beta", "n": 2.5, "inner": {"deep": True}}),
        PutOp(("docs", "old"), "c", {"text": "gamma", "n": 3}),
        PutOp(("docs",), "a", {"text": "alpha again", "n": 1, "tags": ["x"]}),
        PutOp(("other",), "d", {"n": 9}),
        GetOp(("docs",), "a"),
    ]
    second: list[Op] = [
        GetOp(("docs",), "a"),
        GetOp(("docs",), "none"),
        SearchOp(("docs",), {"n": {"$gte": 1, "$lt": 3}}),
        SearchOp(("docs",), {"tags": ["x"]}),
        SearchOp(("docs",), {"inner": {"deep": True}}),
        SearchOp(("docs",), {"n": {"$ne": 1}}),
        SearchOp(("docs",), {"text": {"$eq": "gamma"}}),
        SearchOp((), None, 2, 1),
        ListNamespacesOp(),
        ListNamespacesOp((MatchCondition("prefix", ("docs",)),), 1),
        ListNamespacesOp((MatchCondition("suffix", ("*", "old")),)),
        ListNamespacesOp(None, None, 1, 1),
        PutOp(("docs",), "b", None),
    ]
    third: list[Op] = [GetOp(("docs",), "b"), ListNamespacesOp((MatchCondition("prefix", ("docs",)),))]

    def plain(results: list[Any]) -> list[Any]:
        told: list[Any] = []
        for result in results:
            if isinstance(result, list) and result and not isinstance(result[0], tuple):
                told.append(sorted((item.namespace, item.key, str(item.value)) for item in result))
            else:
                told.append(result if result is None or isinstance(result, list) else (result.key, result.value))
        return told

    for ops in (first, second, third):
        ours, theirs = plain(store.batch(ops)), plain(other.batch(ops))
        page = next((at for at, op in enumerate(ops) if isinstance(op, SearchOp) and op.limit == 2), None)
        if page is not None:  # the order of a search without a question is each store's own
            assert len(ours.pop(page)) == len(theirs.pop(page)) == 2
        assert ours == theirs


def test_a_question_ranks_and_what_is_not_indexed_has_no_score(store: HoldfastStore) -> None:
    store.put(("n",), "tea", {"text": "Anna drinks green tea in the morning."})
    store.put(("n",), "car", {"text": "The garage repaired the gearbox."})
    store.put(("n",), "hidden", {"text": "Nobody may find this green tea."}, index=False)
    found = store.search(("n",), query="green tea")
    assert keys(found)[0] == "tea"
    assert found[0].score is not None
    assert {item.key: item.score for item in found}["hidden"] is None
    assert keys(store.search(("n",), query="green tea", limit=1)) == ["tea"]
    assert len(store.search(("n",), query="green tea", limit=5, offset=1)) == 2
    assert keys(store.search(("n",), query="tea", filter={"text": "The garage repaired the gearbox."})) == ["car"]
    assert store.get(("n",), "hidden") is not None


def test_items_that_a_question_may_not_find_take_no_place_of_those_that_it_finds(store: HoldfastStore) -> None:
    hidden: list[Op] = [
        PutOp(("n",), f"h{number}", {"text": f"green tea {number}"}, index=False) for number in range(30)
    ]
    store.batch([*hidden, PutOp(("n",), "tea", {"text": "In the morning Anna drinks tea, and talks of her garden."})])
    (found,) = store.search(("n",), query="green tea", limit=1)
    assert found.key == "tea" and found.score is not None and found.score > 0


def test_a_batch_is_one_change_that_one_undo_takes_back(memory: Memory, store: HoldfastStore) -> None:
    store.put(("n",), "k1", {"text": "old"})
    puts: list[Op] = [PutOp(("n",), f"k{number}", {"text": f"item {number}"}) for number in range(12)]
    store.batch([*puts, PutOp(("n",), "k0", None), PutOp(("n",), "never", None)])
    assert sorted(keys(store.search(("n",), limit=50))) == sorted(f"k{number}" for number in range(1, 12))
    assert len(memory.history()) == 2
    memory.undo()
    assert [(item.key, item.value["text"]) for item in store.search(("n",))] == [("k1", "old")]


def test_a_batch_with_one_item_that_can_t_be_kept_keeps_none(memory: Memory, store: HoldfastStore) -> None:
    for bad in ({"v": object()}, {"note": "key AKIAIOSFODNN7EXAMPLA"}, {"text": "x" * 60_000}):
        with pytest.raises((BadArgument, SecretFound, TooLarge)):
            store.batch([PutOp(("n",), "a", {"v": 1}), PutOp(("n",), "bad", bad), PutOp(("n",), "b", {"v": 2})])
    assert store.search(("n",)) == []
    assert memory.history() == []


def test_a_filter_reaches_inside_by_a_dotted_name(store: HoldfastStore) -> None:
    store.put(("n",), "deep", {"user": {"access-level": "admin", "address": {"zip": 8001}}})
    store.put(("n",), "flat", {"user.name": "Ada"})
    store.put(("n",), "odd", {"user": "nobody"})
    assert keys(store.search(("n",), filter={"user.access-level": "admin"})) == ["deep"]
    assert keys(store.search(("n",), filter={"user.address.zip": {"$gte": 8000}})) == ["deep"]
    assert keys(store.search(("n",), filter={"user.name": "Ada"})) == ["flat"]
    assert store.search(("n",), filter={"user.address.zip.more": 1}) == []


def test_scores_fall_from_the_first_result_to_the_last(store: HoldfastStore) -> None:
    words = ("green tea in the morning", "green tea", "tea with milk", "a gearbox", "green paint", "morning run")
    store.batch([PutOp(("n",), f"k{number}", {"text": text}) for number, text in enumerate(words)])
    found = store.search(("n",), query="green tea in the morning")
    scores = [item.score for item in found if item.score is not None]
    assert len(scores) == len(words)
    assert scores == sorted(scores, reverse=True) and scores[0] > scores[-1] >= 0


def test_what_the_owner_edits_is_what_the_store_gives(home: Path, store: HoldfastStore) -> None:
    store.put(("users",), "anna", {"content": "Anna lives in Lima.", "age": 41})
    note = home / "memory" / "store@users+@1.md"
    note.write_text(note.read_text().replace("Lima", "Quito").replace("41", "42"))
    item = store.get(("users",), "anna")
    assert item is not None
    assert item.value == {"content": "Anna lives in Quito.", "age": 42}
    (seen,) = store.search(("users",), query="where does Anna live")
    assert seen.value["content"] == "Anna lives in Quito."
    note.write_text("The owner wrote something else altogether.\n")
    assert store.get(("users",), "anna") is None
    assert store.search(("users",)) == []


def test_an_item_lives_as_long_as_it_is_read_and_no_longer(memory: Memory, home: Path) -> None:
    clock = FakeClock()
    store = HoldfastStore(memory, ttl={"default_ttl": 10, "refresh_on_read": True}, clock=clock)
    store.put(("t",), "read", {"text": "one"})
    store.put(("t",), "left", {"text": "two"})
    store.put(("t",), "kept", {"text": "three"}, ttl=None)
    clock.advance(6 * 60)
    assert store.get(("t",), "read") is not None
    assert store.get(("t",), "left", refresh_ttl=False) is not None
    clock.advance(6 * 60)
    assert store.get(("t",), "left") is None
    assert "left" not in (home / "memory" / "store@t+@1.md").read_text()
    assert sorted(keys(store.search(("t",)))) == ["kept", "read"]
    clock.advance(11 * 60)
    assert store.list_namespaces() == [("t",)]
    assert keys(store.search(("t",))) == ["kept"]
    memory.undo()  # what expired is a change like any other
    assert "## read" in (home / "memory" / "store@t+@1.md").read_text()


def test_created_stays_and_updated_moves(memory: Memory) -> None:
    clock = FakeClock()
    store = HoldfastStore(memory, clock=clock)
    store.put(("t",), "k", {"v": 1})
    clock.advance(60)
    store.put(("t",), "k", {"v": 2})
    item = store.get(("t",), "k")
    assert item is not None
    assert (item.updated_at - item.created_at).total_seconds() == 60


def test_two_stores_in_two_memories_see_each_other(memory: Memory, home: Path, store: HoldfastStore) -> None:
    with Memory.open(home) as second:
        HoldfastStore(second).put(("n",), "k", {"text": "from elsewhere"})
        assert keys(store.search(("n",), query="elsewhere")) == ["k"]
        HoldfastStore(second).put(("n",), "k", {"text": "changed since"})
        item = store.get(("n",), "k")
    assert item is not None
    assert item.value == {"text": "changed since"}


def test_among_hundreds_of_items_what_another_memory_put_is_seen_at_once_and_an_edit_a_moment_later(home: Path) -> None:
    clock, words = FakeClock(), {"memory.disable_rag": True}
    with (
        Memory.open(home, settings=words, clock=clock) as memory,
        Memory.open(home, settings=words, clock=clock) as other,
    ):
        store, second = HoldfastStore(memory), HoldfastStore(other)
        store.batch([PutOp(("birds",), f"b{number}", {"n": number}) for number in range(120)])
        assert len(store.search(("birds",), limit=200)) == len(second.search(("birds",), limit=200)) == 120
        store.put(("birds",), "heron", {"n": 500})
        assert [item.key for item in second.search(("birds",), filter={"n": 500})] == ["heron"]
        assert [item.key for item in store.search(("birds",), filter={"n": 500})] == ["heron"]
        second.delete(("birds",), "heron")
        assert store.search(("birds",), filter={"n": 500}) == []
        note = home / "memory" / "store@birds+@1.md"
        note.write_text(note.read_text(encoding="utf-8").replace('"n": 7', '"n": 77777'), encoding="utf-8")
        clock.advance(0.3)
        assert [item.key for item in store.search(("birds",), filter={"n": 77777})] == ["b7"]


def test_a_list_of_hundreds_of_notes_walks_once_in_a_moment(home: Path) -> None:
    clock = FakeClock()
    with Memory.open(home, settings={"memory.disable_rag": True}, clock=clock) as memory:
        memory.notes.write_all({f"memory/bird{number}.md": f"Bird {number}." for number in range(120)})
        assert len(memory.notes.list("memory/bird")) == 120
        (home / "memory" / "bird0.md").unlink()
        assert len(memory.notes.list("memory/bird")) == 120
        clock.advance(0.3)
        assert len(memory.notes.list("memory/bird")) == 119


def test_many_async_calls_at_once_lose_nothing(store: HoldfastStore) -> None:
    async def run() -> None:
        async with anyio.create_task_group() as group:
            for number in range(20):
                group.start_soon(store.aput, ("many",), f"k{number}", {"n": number})

    anyio.run(run)
    assert sorted(item.value["n"] for item in store.search(("many",), limit=50)) == list(range(20))


def test_what_a_store_can_t_keep_is_refused_in_words(memory: Memory, store: HoldfastStore) -> None:
    with pytest.raises(InvalidNamespaceError):
        store.batch([PutOp(("a.b",), "k", {"v": 1})])
    with pytest.raises(BadArgument, match="not JSON"):
        store.put(("a",), "k", {"v": object()})
    with pytest.raises(BadArgument, match="not JSON"):
        store.put(("a",), "k", {"v": float("nan")})
    with pytest.raises(SecretFound):
        store.put(("a",), "k", {"note": "key AKIAIOSFODNN7EXAMPLA"})
    with pytest.raises(TooLarge):
        store.put(("a",), "k", {"text": "x" * 60_000})
    with pytest.raises(ValueError, match="Unsupported operator"):
        store.put(("a",), "ok", {"v": 1})
        store.search(("a",), filter={"v": {"$like": 1}})
    assert [change.path for change in memory.history()] == ["memory/store@a+@1.md"]


def test_where_secrets_are_redacted_the_value_is_still_json(home: Path) -> None:
    with Memory.open(home, settings={"memory.secrets": "redact"}) as memory:
        store = HoldfastStore(memory)
        store.put(("a",), "k", {"password": "hunter22", "note": "AKIAIOSFODNN7EXAMPLA", "n": [1, {"token": "x" * 40}]})
        item = store.get(("a",), "k")
    assert item is not None
    assert "hunter22" not in str(item.value)
    assert "AKIAIOSFODNN7EXAMPLA" not in str(item.value)
    assert item.value["n"][0] == 1


LABELS = st.text(min_size=1, max_size=60).filter(lambda text: "." not in text)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(
    value=st.dictionaries(st.text() | st.sampled_from(["text", "content"]), JSON, max_size=4),
    namespace=st.lists(LABELS, max_size=3),
    key=LABELS,
    field=st.sampled_from([None, "text", "content", ""]),
)
def test_any_value_comes_back_from_its_note_as_it_was(
    value: dict[str, Any], namespace: list[str], key: str, field: str | None
) -> None:
    item = StoredItem(tuple(namespace), key, value, MOMENT, MOMENT, None, True, field)
    read = read_note(note_of(item))
    assert read is not None
    assert (read.namespace, read.key, read.value) == (tuple(namespace), key, value)


@given(text=st.text() | st.text(st.sampled_from('-\n:`json{}" a')))
def test_any_text_is_an_item_or_none(text: str) -> None:
    read_note(text)
    read_note(f"```json\n{text}\n```\n")
    read_note(f'```json\n{{"item": {text}, "value": {{}}}}\n```\n')


@given(namespace=st.lists(LABELS, max_size=4), key=LABELS)
def test_every_item_has_a_path_of_its_own_below_that_of_its_namespace(namespace: list[str], key: str) -> None:
    from holdfast.guard.paths import writable_path

    path = path_of(namespace, key)
    writable_path(path)
    assert path == path.lower()
    for depth in range(len(namespace) + 1):
        assert path.startswith(prefix_of(namespace[:depth]))
    assert path != path_of([*namespace, "x"], key)
    assert path != path_of(namespace, key + "x")
