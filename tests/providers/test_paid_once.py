"""Nothing unchanged is embedded twice, wherever its text goes; the server counts what is paid for."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import done
from provider_server import ProviderServer
from providers.scenes import asking, notes, opened, stored, wrong

from holdfast import Memory


def _once(provider: ProviderServer) -> bool:
    return set(provider.paid.values()) == {1}


def test_a_note_that_moves_is_not_embedded_again(home: Path, provider: ProviderServer) -> None:
    notes(home, 5)
    with opened(home, provider) as memory:
        memory.sync()
        (home / "memory" / "heron1.md").rename(home / "memory" / "elsewhere.md")
        memory.sync()
        (home / "memory" / "elsewhere.md").rename(home / "MEMORY.md")
        assert (memory.sync().pending, provider.texts_paid, _once(provider)) == (0, 5, True)
        assert len(stored(memory)) == 5


def test_an_undo_and_a_restore_cost_nothing(home: Path, provider: ProviderServer) -> None:
    with opened(home, provider) as memory:
        memory.save("A heron in the alder.", file="memory/a.md")
        memory.save("A stork in the birch.", file="memory/a.md", append=False)
        gone = memory.delete("memory/a.md", delete_file=True).checkpoint_id
        memory.restore(gone)
        memory.undo()
        memory.undo()
        memory.undo("memory/a.md")
        memory.sync()
        assert (provider.texts_paid, _once(provider), wrong(memory)) == (2, True, [])


def test_a_rebuild_of_the_index_costs_nothing(home: Path, provider: ProviderServer) -> None:
    notes(home, 5)
    with opened(home, provider) as memory:
        memory.sync()
        for _ in range(3):
            assert memory.sync(force=True).pending == 0
        assert (provider.texts_paid, len(stored(memory)), wrong(memory)) == (5, 5, [])
        assert memory.status().spaces[0]["cache"] == {"hits": 15, "misses": 5, "evictions": 0}


def test_the_same_text_in_two_notes_is_one_text(home: Path, provider: ProviderServer) -> None:
    (text, *_) = notes(home, 3)
    (home / "memory" / "copy.md").write_text(f"{text}\n", encoding="utf-8")
    with opened(home, provider) as memory:
        assert (memory.sync().embedded, provider.texts_paid) == (3, 3)
        assert {hit.path for hit in memory.search("number0").results} >= {"memory/copy.md", "memory/heron0.md"}


def test_a_second_agent_with_the_same_texts_takes_the_vectors_of_the_first(
    home: Path, provider: ProviderServer
) -> None:
    texts = notes(home, 5)
    with opened(home, provider) as memory:
        memory.sync()
    notes(home / "agents" / "other", 5)
    with Memory.open(home, agent="other", settings=asking(provider)) as other:
        other.save("A wryneck that only the other saw.", file="memory/wryneck.md")
        assert (other.sync().pending, len(stored(other)), wrong(other)) == (0, 6, [])
        found = other.search("wryneck")
        assert (found.mode, found.provider) == ("hybrid", "openai")
    assert {text: provider.paid[text] for text in texts} == dict.fromkeys(texts, 1)


def test_a_second_agent_of_another_space_pays_for_itself(home: Path, provider: ProviderServer) -> None:
    (text,) = notes(home, 1)
    with opened(home, provider) as memory:
        memory.sync()
    with Memory.open(home, agent="other", settings=asking(provider, dimensions=16)) as other:
        other.save(text, file="memory/same.md")
        assert {one.space.dimensions for one in stored(other)} == {16}
        assert wrong(other) == []
    assert provider.paid[text] == 2


def test_a_large_import_of_a_second_agent_takes_the_vectors_of_the_first(home: Path, provider: ProviderServer) -> None:
    texts = notes(home, 1_001)  # from a thousand notes on, embedding runs beside reading
    with opened(home, provider, remote__batch__enabled=False) as memory:
        assert memory.sync().pending == 0
    assert provider.texts_paid == 1_001
    notes(home / "agents" / "other", 1_001)
    with Memory.open(home, agent="other", settings=asking(provider, remote__batch__enabled=False)) as other:
        assert (other.sync().pending, len(stored(other))) == (0, 1_001)
    assert [text for text in texts if provider.paid[text] != 1] == []


def test_an_index_that_was_deleted_is_filled_from_the_other_agents_and_from_nowhere_else(
    home: Path, provider: ProviderServer
) -> None:
    texts = notes(home, 3)
    with opened(home, provider) as memory:
        memory.sync()
    with Memory.open(home, agent="other", settings=asking(provider)) as other:
        other.save(texts[0], file="memory/same.md")
    for file in (home / "state").glob("main.sqlite*"):
        file.unlink()
    with opened(home, provider) as memory:
        assert (memory.sync().pending, wrong(memory)) == (0, [])
    assert provider.paid[texts[0]] == 1, "the other agent has it"
    assert provider.paid[texts[1]] == 2, "nobody has it any more"


@pytest.mark.parametrize("damage", ["not a database", ""])
def test_a_neighbour_that_can_not_be_read_is_passed_over(damage: str, home: Path, provider: ProviderServer) -> None:
    notes(home, 2)
    (home / "state").mkdir()
    (home / "state" / "broken.sqlite").write_text(damage, encoding="utf-8")
    with opened(home, provider) as memory:
        assert (memory.sync().pending, provider.texts_paid) == (0, 2)


def test_commands_one_after_the_other_pay_once(
    home: Path, provider: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in asking(provider, fallback="none").items():
        monkeypatch.setenv("HOLDFAST_" + name.upper().replace(".", "_"), str(value))
    texts = notes(home, 3)
    for command in (("index",), ("search", "heron"), ("index", "--force"), ("index",)):
        done(*command)
    assert {text: provider.paid[text] for text in texts} == dict.fromkeys(texts, 1)


def test_a_text_that_is_evicted_from_the_cache_and_comes_back_is_paid_again(
    home: Path, provider: ProviderServer
) -> None:
    with opened(home, provider, cache__max_entries=1) as memory:
        for text in ("A heron.", "A stork.", "A crane.", "A stork.", "A heron."):
            memory.save(text, file="memory/a.md", append=False)
        assert dict(provider.paid) == {"A heron.": 2, "A stork.": 1, "A crane.": 1}
        assert memory.status().spaces[0]["cache"]["evictions"] > 0
