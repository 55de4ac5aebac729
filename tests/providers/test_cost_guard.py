"""Before much text goes to another machine somebody is asked; the test server plays that machine behind a proxy."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import done, holdfast
from provider_server import ProviderServer
from providers.scenes import AFAR, asking, notes, opened, stored, texts_sent, wrong


@pytest.fixture
def commands(afar: ProviderServer, monkeypatch: pytest.MonkeyPatch) -> ProviderServer:
    """The same settings for commands, which need a yes for more than 2,000 texts."""
    for name, value in asking(afar, base_url=AFAR, fallback="none", remote__batch__enabled=False).items():
        monkeypatch.setenv("HOLDFAST_" + name.upper().replace(".", "_"), str(value))
    return afar


def test_more_texts_than_allowed_are_not_sent_and_it_says_how_many_and_to_whom(
    home: Path, afar: ProviderServer
) -> None:
    notes(home, 4)
    with opened(home, afar, base_url=AFAR, remote__ask_above=3) as memory:
        synced = memory.sync()
        assert (synced.embedded, synced.pending) == (0, 4)
        assert (synced.held_back, "4 texts would be sent to openai") == (4, synced.because.partition(f" ({AFAR})")[0])
        assert "more than 3" in synced.because and "the owner's to allow" in synced.because
        assert "--yes" not in synced.because and "holdfast" not in synced.because, "agents read it"
        assert afar.requests == []
        assert memory.status().sends_to == AFAR
        agreed = memory.sync(approved=True)
        assert (agreed.embedded, agreed.pending, agreed.because, wrong(memory)) == (4, 0, "", [])
        assert agreed.held_back == 0
        assert memory.search("heron").provider == "openai"


def test_as_many_as_allowed_are_sent_without_a_word(home: Path, afar: ProviderServer) -> None:
    notes(home, 3)
    with opened(home, afar, base_url=AFAR, remote__ask_above=3) as memory:
        assert (memory.sync().embedded, memory.sync().because) == (3, "")


def test_searches_and_saves_send_no_more_than_the_guard_allows(home: Path, afar: ProviderServer) -> None:
    notes(home, 10)
    with opened(home, afar, base_url=AFAR, remote__ask_above=3) as memory:
        memory.sync()
        for number in range(5):
            memory.save(f"A wryneck called w{number}x.", file=f"memory/w{number}.md")
            found = memory.search(f"w{number}x")
            assert (found.mode, found.results[0].path) == ("keyword", f"memory/w{number}.md")
            assert "cover 0 of" in found.because
        assert (afar.requests, stored(memory)) == ([], [])
        memory.sync(approved=True)
        paid = afar.texts_paid
        assert paid == 15
        memory.save("One more wryneck.", file="memory/one.md")
        assert afar.texts_paid == paid + 1, "a note or two go without asking"
        notes(home, 4, "stork")
        before = len(texts_sent(afar))
        found = memory.search("stork number3")
        assert (found.provider, found.results[0].path) == ("openai", "memory/stork3.md")
        assert "cover 16 of 20 texts" in found.because
        assert texts_sent(afar)[before:] == ["stork number3"], "the question alone"


def test_nothing_goes_without_a_yes_where_the_guard_is_zero(home: Path, afar: ProviderServer) -> None:
    with opened(home, afar, base_url=AFAR, remote__ask_above=0) as memory:
        memory.save("A wryneck.")
        assert memory.search("wryneck").mode == "keyword"
        assert "1 text would be sent" in memory.sync().because
        assert afar.requests == []


def test_what_stays_on_this_machine_is_not_asked_about(home: Path, provider: ProviderServer) -> None:
    notes(home, 4)
    with opened(home, provider, remote__ask_above=0) as memory:
        assert (memory.sync().embedded, memory.status().sends_to) == (4, None)


def test_the_command_index_asks_for_a_yes_in_words_and_in_json(home: Path, commands: ProviderServer) -> None:
    notes(home, 2001)
    asked = done("index")
    assert "0 embedded, 2,001 pending" in asked.out
    assert "2,001 texts would be sent to openai" in asked.err and "--yes" in asked.err
    shown = done("index", "--json").json
    assert (shown["embedded"], shown["pending"]) == (0, 2001)
    assert "--yes" in shown["because"]
    assert commands.requests == []
    assert f"text to {AFAR}" in done("status").out
    agreed = done("index", "--yes", "--json").json
    assert (agreed["embedded"], agreed["pending"], agreed["because"]) == (2001, 0, "")
    assert list(commands.paid.values()) == [1] * 2001
    assert holdfast("index").err == ""


def test_a_new_space_is_asked_about_again(home: Path, afar: ProviderServer) -> None:
    notes(home, 4)
    with opened(home, afar, base_url=AFAR, remote__ask_above=3) as memory:
        memory.sync(approved=True)
    with opened(home, afar, base_url=AFAR, remote__ask_above=3, dimensions=16) as memory:
        assert "4 texts would be sent to openai" in memory.sync().because
        memory.search("heron")
        assert afar.texts_paid <= 5
