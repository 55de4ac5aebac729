"""Another provider, model or length of vectors is another space: the old one answers until the new one is full (P8)."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import done, holdfast
from provider_faults import status
from provider_server import ProviderServer
from providers.scenes import MODEL, asking, first, notes, opened, stored, timed, wrong

from holdfast import Memory
from holdfast.embeddings.static.static_embedder import CURRENT
from holdfast.search.hit import Results

pytestmark = pytest.mark.promise("P8")

_SLOWLY = {"remote__concurrency": 1, "remote__batch__enabled": False}
_QUIET = {"sync__on_search": False, "sync__on_session_start": False}


def _breaks_after(provider: ProviderServer, batches: int) -> None:
    """The provider embeds so many batches of 64 texts and then fails, but goes on answering questions."""
    provider.script(*[None] * batches, *[status(401)] * 4)


def _said(found: Results) -> tuple[str, str | None, str | None]:
    return found.mode.value, found.provider, found.model


@pytest.mark.parametrize("batches", [0, 1, 2, 3])
def test_from_local_to_openai_the_embedded_model_answers_until_the_new_space_is_full(
    batches: int, home: Path, provider: ProviderServer
) -> None:
    notes(home, 200)
    with Memory.open(home) as memory:
        memory.sync()
        assert _said(memory.search("number7")) == ("hybrid", "local", CURRENT.name)
    _breaks_after(provider, batches)
    with opened(home, provider, fallback="local", **_SLOWLY, **_QUIET) as memory:
        clock = timed(memory)
        assert (memory.sync().pending, wrong(memory)) == (200 - 64 * batches, [])
        found = memory.search("number7")
        assert _said(found) == ("hybrid", "local", CURRENT.name)
        assert f"vectors of openai cover {64 * batches} of 200 texts so far (HTTP 401" in found.because
        assert found.because.endswith(f"local / {CURRENT.name} answers meanwhile")
        shown = memory.status()
        assert (shown.mode, shown.provider) == ("hybrid", "openai")
        assert f"local / {CURRENT.name} answers" in shown.because
        covered = {one["provider"]: (one["embedded"], one["texts"], one["current"]) for one in shown.spaces}
        assert covered == {"local": (200, 200, False), "openai": (64 * batches, 200, True)}
        provider.reset()
        clock.seconds += 61
        assert memory.sync().pending == 0
        full = memory.search("number7")
        assert (_said(full), full.because) == (("hybrid", "openai", MODEL), "")
        assert (memory.status().because, provider.texts_paid) == ("", 200 - 64 * batches + 1)


def test_a_full_space_of_blocks_answers_beside_a_full_space_of_many_more_passages(
    home: Path, provider: ProviderServer
) -> None:
    (home / "memory/sessions").mkdir(parents=True)
    turns = "".join(f"- **user** (12:{at:02}): number{at} stands beside the old quarry.\n" for at in range(60))
    (home / "memory/sessions/talk.md").write_text(f"# Talk\n\n## 2026-03-01\n\n{turns}", encoding="utf-8")
    with Memory.open(home) as memory:
        memory.sync()
    with opened(home, provider, fallback="local") as memory:
        assert memory.sync().pending == 0
        found = memory.search("number7")
        assert (_said(found), found.because) == (("hybrid", "openai", MODEL), "")
        shown = memory.status()
        assert (shown.provider, shown.because) == ("openai", "")
        covered = {one["provider"]: one["texts"] for one in shown.spaces}
        assert covered["openai"] < covered["local"]


@pytest.mark.parametrize("batches", [0, 1, 2, 3])
@pytest.mark.parametrize("new", [{"dimensions": 16}, {"model": "text-embedding-3-large"}], ids=str)
def test_a_new_model_or_length_is_another_space_and_the_old_one_answers_until_it_is_full(
    new: dict[str, object], batches: int, home: Path, provider: ProviderServer
) -> None:
    notes(home, 200)
    with opened(home, provider, **_SLOWLY) as memory:
        assert memory.sync().pending == 0
        before = [(hit.path, hit.vector_score) for hit in memory.search("number7").results]
        old = first(memory).space()
    provider.reset()
    _breaks_after(provider, batches)
    with opened(home, provider, **_SLOWLY, **_QUIET, **new) as memory:
        clock = timed(memory)
        assert memory.sync().pending == 200 - 64 * batches
        provider.reset()
        found = memory.search("number7")
        assert _said(found) == ("hybrid", "openai", old.model)
        assert [(hit.path, hit.vector_score) for hit in found.results] == before
        assert f"vectors of openai cover {64 * batches} of 200 texts so far" in found.because
        assert "answers meanwhile" in found.because
        (seen,) = provider.requests
        assert (seen.json["model"], seen.json.get("dimensions")) == (old.model, old.dimensions)
        assert "answers until the space of openai is filled" in memory.status().because
        clock.seconds += 61
        assert (memory.sync().pending, wrong(memory)) == (0, [])
        full = memory.search("number7")
        assert (_said(full), full.because) == (("hybrid", "openai", first(memory).space().model), "")
        assert sorted({one.space for one in stored(memory)}) == sorted([old, first(memory).space()])


def test_a_space_that_waits_for_a_yes_does_not_keep_the_old_one_from_answering(
    home: Path, afar: ProviderServer
) -> None:
    notes(home, 5)
    from providers.scenes import AFAR

    with opened(home, afar, base_url=AFAR) as memory:
        memory.sync()
    with opened(home, afar, base_url=AFAR, dimensions=16, remote__ask_above=2) as memory:
        assert "5 texts would be sent" in memory.sync().because
        found = memory.search("number3")
        assert _said(found) == ("hybrid", "openai", MODEL)
        assert "cover 0 of 5" in found.because


def test_a_model_that_does_not_exist_does_not_keep_the_old_one_from_answering(
    home: Path, provider: ProviderServer
) -> None:
    notes(home, 5)
    with opened(home, provider) as memory:
        memory.sync()
    with opened(home, provider, model="text-embedding-3-smal") as memory:
        for _ in range(6):
            found = memory.search("number3")
            assert _said(found) == ("hybrid", "openai", MODEL)
            assert "does not exist" in found.because


def test_another_endpoint_is_another_space_and_the_old_one_is_not_asked(home: Path, provider: ProviderServer) -> None:
    notes(home, 3)
    with opened(home, provider) as memory:
        memory.sync()
    provider.reset()
    with ProviderServer() as other, opened(home, other, **_QUIET) as memory:
        assert _said(memory.search("number1")) == ("keyword", None, None)
        memory.sync()
        assert memory.search("number1").provider == "openai"
        assert len(memory.spaces()) == 2
    assert provider.requests == [], "whoever is not configured any more is told nothing"


def test_there_and_back_again_costs_nothing_the_second_time(home: Path, provider: ProviderServer) -> None:
    notes(home, 20)
    settings: list[dict[str, object] | None] = [None, {}, {"dimensions": 16}, {"model": "text-embedding-3-large"}, {}]
    for turn in range(2):
        for given in settings:
            many = {"fallback": "local", **(given or {})}
            with Memory.open(home) if given is None else opened(home, provider, **many) as memory:
                memory.sync()
                link = first(memory)
                found = memory.search("number7")
                assert (found.mode, found.because) == ("hybrid", "")
                assert (found.provider, found.model) == (link.name, link.space().model)
                assert wrong(memory) == []
                rows = memory.ctx.database.connection.all(
                    "SELECT s.dimensions, length(v.vector) FROM vectors v JOIN spaces s ON s.id = v.space"
                )
                assert all(size == dimensions for dimensions, size in rows)
        assert provider.texts_paid - provider.paid["number7"] == 3 * 20, f"turn {turn}"


def test_spaces_list_shows_what_each_covers_and_drop_forgets_one(
    home: Path, provider: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes(home, 5)
    with Memory.open(home) as memory:
        memory.sync()
    for name, value in asking(provider, fallback="none").items():
        monkeypatch.setenv("HOLDFAST_" + name.upper().replace(".", "_"), str(value))
    done("index")
    shown = done("spaces", "list", "--json").json["spaces"]
    assert [(one["number"], one["provider"], one["embedded"], one["texts"], one["current"]) for one in shown] == [
        (1, "local", 5, 5, False),
        (2, "openai", 5, 5, True),
    ]
    table = done("spaces", "list").out
    assert "5 of 5 texts" in table and f"openai/{MODEL}" in table and "this machine" in table
    unsure = holdfast("spaces", "drop", "1")
    assert unsure.status == 2 and "say --yes to confirm" in unsure.err
    assert done("spaces", "drop", "1", "--yes", "--json").json["dropped"]["vectors"] == 5
    assert "Dropped 5 vectors" in done("spaces", "drop", f"openai/{MODEL}", "--yes").out
    assert done("spaces", "list", "--json").json["spaces"] == []
    assert "There are no vectors yet" in done("spaces", "list").out
    assert done("index", "--json").json["embedded"] == 5, "what was dropped is paid for again, and only then"


def test_a_space_dropped_under_an_open_memory_is_begun_anew_and_paid_for_once(
    home: Path, provider: ProviderServer
) -> None:
    notes(home, 5)
    with opened(home, provider) as memory, opened(home, provider) as other:
        memory.sync()
        assert other.search("number3").mode == "hybrid"
        memory.drop_space("1")
        provider.reset()
        for _ in range(3):
            found = other.search("number3")
            assert found.results[0].path == "memory/heron3.md"
            assert other.sync().pending == 0
        assert provider.texts_paid - provider.paid["number3"] == 5, "not again and again for nothing"
        assert (len(stored(other)), wrong(other)) == (5, [])
        assert other.search("number3").mode == memory.search("number3").mode == "hybrid"


def test_a_space_dropped_while_it_is_being_filled_leaves_no_stray_vectors(home: Path, provider: ProviderServer) -> None:
    notes(home, 200)
    with opened(home, provider, **_SLOWLY) as memory, opened(home, provider, **_SLOWLY) as other:
        memory.sync()
        dropped = False

        def drop(what: str, count: int, total: int) -> None:
            nonlocal dropped
            if what == "Embedding" and not dropped:
                dropped = True
                other.drop_space("1")

        notes(home, 200, "stork")
        memory.sync(progress=drop)
        assert dropped
        again = memory.sync()
        assert (again.pending, len(stored(memory)), wrong(memory)) == (0, 400, [])
        loose = "SELECT count(*) FROM vectors WHERE space NOT IN (SELECT id FROM spaces WHERE provider != '')"
        assert memory.ctx.database.connection.one(loose) == 0
