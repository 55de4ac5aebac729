"""A model that nobody knows is asked once how long its vectors are; afterwards another length is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commandline import process
from provider_server import ProviderServer
from providers.scenes import asking, notes, opened, stored, texts_sent, wrong

_UNKNOWN = {"provider": "custom", "model": "tiny", "dimensions": None}


def test_one_word_is_sent_to_learn_the_length_and_never_again(home: Path, provider: ProviderServer) -> None:
    notes(home, 3)
    for _ in range(3):
        with opened(home, provider, **_UNKNOWN) as memory:
            assert memory.sync().pending == 0
            memory.search("number1")
            assert memory.status().spaces[0]["dimensions"] == 8
            assert wrong(memory) == []
    assert texts_sent(provider).count("ping") == 1
    assert provider.texts_paid == 1 + 3 + 3


def test_processes_one_after_the_other_send_it_once(home: Path, provider: ProviderServer) -> None:
    notes(home, 3)
    env = {
        "HOLDFAST_" + name.upper().replace(".", "_"): str(value)
        for name, value in asking(provider, fallback="none", **_UNKNOWN).items()
        if value is not None
    }
    for command in (("status",), ("index",), ("search", "number1"), ("status", "--json"), ("index", "--force")):
        ran = process(*command, env=env)
        assert ran.returncode == 0, ran.stderr
    assert texts_sent(provider).count("ping") == 1
    assert set(texts_sent(provider)) == {"ping", "number1", *(one for one in provider.paid if one.startswith("The"))}


def test_status_and_spaces_ask_nobody(home: Path, provider: ProviderServer) -> None:
    notes(home, 1)
    with opened(home, provider, **_UNKNOWN) as memory:
        shown = memory.status()
        assert (shown.provider, shown.model, shown.mode) == ("custom", None, "keyword")
        assert shown.providers[0]["endpoint"] == f"{provider.url}/v1"
        assert memory.spaces() == []
    assert provider.requests == []


@pytest.mark.promise("P8")
def test_a_provider_that_gives_another_length_later_is_refused_with_a_clear_message(
    home: Path, provider: ProviderServer
) -> None:
    notes(home, 3)
    with opened(home, provider, **_UNKNOWN) as memory:
        memory.sync()
    provider.models["tiny"] = 16
    with opened(home, provider, **_UNKNOWN) as memory:
        notes(home, 1, "stork")
        synced = memory.sync()
        assert (synced.embedded, synced.pending) == (0, 1)
        assert "16 numbers, not 8" in synced.because and "holdfast spaces drop" in synced.because
        found = memory.search("number1")
        assert (found.mode, found.provider) == ("keyword", None)
        assert "16 numbers, not 8" in found.because
        assert {one.space.dimensions for one in stored(memory)} == {8}
        assert wrong(memory) == []
        assert "16 numbers, not 8" in json.dumps(memory.status().to_json())


def test_after_the_old_space_is_dropped_the_new_length_is_learnt(home: Path, provider: ProviderServer) -> None:
    notes(home, 3)
    with opened(home, provider, **_UNKNOWN) as memory:
        memory.sync()
    provider.models["tiny"] = 16
    with opened(home, provider, **_UNKNOWN) as memory:
        memory.drop_space("custom/tiny")
    with opened(home, provider, **_UNKNOWN) as memory:
        assert (memory.sync().pending, wrong(memory)) == (0, [])
        assert {one.space.dimensions for one in stored(memory)} == {16}
        assert memory.search("number1").provider == "custom"


@pytest.mark.promise("P8")
def test_dimensions_that_the_provider_does_not_keep_to_are_refused(home: Path, provider: ProviderServer) -> None:
    notes(home, 2)
    with opened(home, provider, provider="custom", model="tiny", dimensions=32) as memory:
        synced = memory.sync()
        assert (synced.embedded, stored(memory)) == (0, [])
        assert "8 numbers, not 32" in synced.because and "memory.dimensions" in synced.because
