"""The notes of LangGraph's store: many items each, whole after any edit, and never lost between two writers."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from langgraph.store.base import PutOp

from holdfast import Memory
from holdfast.markdown.note_kinds import holds_items
from holdfast.surfaces.adapters.langgraph_store import HoldfastStore
from holdfast.surfaces.adapters.store_notes import StoredItem, note_of, page_stem, path_of, prefix_of
from holdfast.surfaces.adapters.store_pages import Page, items_at, read_page, rewrite

MOMENT = datetime(2026, 11, 15, 12, tzinfo=UTC)
WORDS = {"memory.disable_rag": True}
SPACE = ("birds",)
LABELS = st.text(min_size=1, max_size=60).filter(lambda text: "." not in text)
TEXTS = st.text() | st.text(st.sampled_from('-\n:`json{}"# a'))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
VALUES = st.dictionaries(TEXTS | st.sampled_from(["text", "content"]), JSON, max_size=4)
KEYS = LABELS | st.sampled_from(["a", "b", "a ", "## a", "```json"])


def read(pages: Mapping[str, str], namespace: tuple[str, ...]) -> dict[str, Mapping[str, Any]]:
    found = [read_page(path, "", text) for path, text in pages.items()]
    assert all(page.namespace == namespace for page in found)
    return {key: placed.item.value for page in found for key, placed in page.items.items()}


def put(pages: dict[str, str], namespace: tuple[str, ...], key: str, value: Mapping[str, Any] | None) -> list[Page]:
    held = [read_page(path, "", text) for path, text in sorted(pages.items())]
    after = None if value is None else StoredItem(namespace, key, value, MOMENT, MOMENT)
    made = rewrite(namespace, held, {key: lambda before: after if before is not after else before})
    for path, text in made.texts.items():
        if text is None:
            del pages[path]
        else:
            pages[path] = text
    return [page for page in made.pages if page.path in pages]


@given(
    namespace=st.lists(LABELS, max_size=3).map(tuple),
    puts=st.lists(st.tuples(KEYS, st.none() | VALUES), max_size=12),
)
def test_a_store_of_pages_is_a_dictionary(
    namespace: tuple[str, ...], puts: list[tuple[str, dict[str, Any] | None]]
) -> None:
    pages: dict[str, str] = {}
    expected: dict[str, dict[str, Any]] = {}
    for key, value in puts:
        made = put(pages, namespace, key, value)
        if value is None:
            expected.pop(key, None)
        else:
            expected[key] = value
        assert read(pages, namespace) == expected
        for page in made:  # what is remembered of a write is what a reader reads
            again = read_page(page.path, page.hash, page.text)
            assert [(each.start, each.end) for each in page.sections] == [(e.start, e.end) for e in again.sections]
            assert {key: each.item.value for key, each in page.items.items()} == {
                key: each.item.value for key, each in again.items.items()
            }
            lines = [page.text.count("\n", 0, each.start) + 2 for each in page.sections]
            assert items_at(page, lines) == [each.item for each in page.sections]


@given(namespace=st.lists(LABELS, max_size=4), key=LABELS)
def test_the_pages_of_a_namespace_have_paths_of_their_own(namespace: list[str], key: str) -> None:
    from holdfast.guard.paths import writable_path

    path = f"{page_stem(namespace)}1.md"
    writable_path(path)
    assert holds_items(path) and not holds_items(path_of(namespace, key))
    for depth in range(len(namespace) + 1):
        assert path.startswith(prefix_of(namespace[:depth]))
    assert page_stem([*namespace, "x"]) != page_stem(namespace)
    assert path_of(namespace, key) != path


@given(text=st.text() | st.text(st.sampled_from('-\n:`json{}" a')))
def test_any_text_is_a_page_with_items_or_without(text: str) -> None:
    head = '# n\n\n```json\n{"namespace": ["n"]}\n```\n'
    for whole in (text, head + text, f'{head}```json\n{{"item": {text}}}\n```\n'):
        read_page("memory/store@n+@1.md", "", whole)


def test_items_of_an_earlier_version_are_found_and_move_when_they_are_put(memory: Memory, home: Path) -> None:
    for key, text in (("heron", "The heron nests in March."), ("owl", "The owl hunts at night.")):
        item = StoredItem(SPACE, key, {"text": text}, MOMENT, MOMENT)
        memory.notes.write(path_of(SPACE, key), note_of(item))
    store = HoldfastStore(memory)
    (best, _) = store.search(SPACE, query="Who hunts at night?")
    assert best.key == "owl"
    store.put(SPACE, "owl", {"text": "The owl hunts at dusk."})
    assert not (home / path_of(SPACE, "owl")).exists()
    assert (home / path_of(SPACE, "heron")).exists()
    owl, heron = store.get(SPACE, "owl"), store.get(SPACE, "heron")
    assert owl is not None and owl.value == {"text": "The owl hunts at dusk."} and owl.created_at == MOMENT
    assert heron is not None and heron.value == {"text": "The heron nests in March."}
    store.delete(SPACE, "heron")
    assert [item.key for item in store.search(SPACE)] == ["owl"]
    memory.undo()
    memory.undo()
    owl = store.get(SPACE, "owl")
    assert owl is not None and owl.value == {"text": "The owl hunts at night."}
    assert len(store.search(SPACE)) == 2


def test_what_the_owner_writes_between_items_stays(memory: Memory, home: Path) -> None:
    store = HoldfastStore(memory)
    store.put(SPACE, "heron", {"text": "The heron nests in March."})
    store.put(SPACE, "owl", {"text": "The owl hunts at night."})
    note = home / "memory" / "store@birds+@1.md"
    note.write_text(note.read_text().replace("\n## owl", "\nSeen from the bridge.\n\n## owl") + "\nTo do: swifts.\n")
    store.put(SPACE, "owl", {"text": "The owl hunts at dusk."})
    store.delete(SPACE, "heron")
    store.put(SPACE, "swift", {"text": "The swift is back."})
    text = note.read_text()
    assert "Seen from the bridge." in text and "To do: swifts." in text
    assert {item.key: item.value["text"] for item in store.search(SPACE)} == {
        "owl": "The owl hunts at dusk.",
        "swift": "The swift is back.",
    }
    note.write_text(text.replace('"namespace"', '"nobody"'))
    assert store.search(SPACE) == []
    store.put(SPACE, "swift", {"text": "The swift nests."})
    assert [item.value["text"] for item in store.search(SPACE)] == ["The swift nests."]
    assert "To do: swifts." in note.read_text()


def test_a_full_note_is_closed_and_each_item_is_still_one(memory: Memory) -> None:
    store = HoldfastStore(memory)
    store.batch([PutOp(SPACE, f"b{number}", {"text": f"Bird {number}. " * 20}) for number in range(60)])
    pages = memory.notes.list("memory/store@birds+@")
    assert len(pages) > 2 and max(page.bytes for page in pages) < 10_000
    store.put(SPACE, "b0", {"text": "This bird outgrew its note. " * 1000})
    store.put(SPACE, "b59", {"text": "This one did not."})
    found = {item.key: item.value["text"] for item in store.search(SPACE, limit=100)}
    assert len(found) == 60
    assert found["b0"] == "This bird outgrew its note. " * 1000 and found["b59"] == "This one did not."
    store.batch([PutOp(SPACE, key, None) for key in found])
    assert memory.notes.list("memory/store@") == []


def test_two_writers_of_one_note_lose_nothing(home: Path) -> None:
    def write(name: str) -> None:
        with Memory.open(home, settings=WORDS) as memory:
            store = HoldfastStore(memory)
            for number in range(12):
                store.put(SPACE, f"{name}{number}", {"by": name, "n": number})
                store.put(SPACE, "both", {"by": name, "n": number})

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(write, ("a", "b")))
    with Memory.open(home, settings=WORDS) as memory:
        found = {item.key: item.value for item in HoldfastStore(memory).search(SPACE, limit=100)}
        assert found.pop("both")["n"] == 11
        assert found == {f"{name}{number}": {"by": name, "n": number} for name in "ab" for number in range(12)}
        assert len(memory.history(limit=200)) == 48


def test_an_earlier_put_is_undone_beside_later_ones_of_the_same_note(memory: Memory) -> None:
    store = HoldfastStore(memory)
    store.put(SPACE, "heron", {"text": "The heron nests in March."})
    store.put(SPACE, "owl", {"text": "The owl hunts at night."})
    owl = memory.history()[0]
    store.put(SPACE, "swift", {"text": "The swift is back."})
    memory.undo(checkpoint_ids=[owl.id], keep_later=True)
    assert {item.key: item.value["text"] for item in store.search(SPACE)} == {
        "heron": "The heron nests in March.",
        "swift": "The swift is back.",
    }


def test_what_a_caller_changes_in_an_answer_does_not_change_the_store(memory: Memory) -> None:
    store = HoldfastStore(memory)
    store.put(SPACE, "heron", {"seen": [{"in": "March"}]})
    for _ in range(2):
        item = store.get(SPACE, "heron")
        (found,) = store.search(SPACE)
        assert item is not None and item.value == found.value == {"seen": [{"in": "March"}]}
        item.value["seen"][0]["in"] = found.value["seen"][0]["in"] = "never"
