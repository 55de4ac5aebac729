"""A new model that comes with Holdfast is another space: the one before it answers until the new one is full (P8)."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import done
from provider_faults import status
from provider_server import ProviderServer
from providers.scenes import notes, opened, stored

from holdfast import Memory
from holdfast.context.index_update import IndexUpdate
from holdfast.embeddings.static import static_embedder
from holdfast.embeddings.static.static_embedder import CURRENT, STATIC_1, StaticEmbedder, StaticModel
from holdfast.search.hit import Results

pytestmark = pytest.mark.promise("P8")

_QUIET = {"memory.sync.on_search": False, "memory.sync.on_session_start": False}


@pytest.fixture
def before(monkeypatch: pytest.MonkeyPatch) -> StaticModel:
    """A model that came with Holdfast before the current one."""
    model = StaticModel("holdfast-static-0", STATIC_1.parts)
    monkeypatch.setattr(static_embedder, "MODELS", (model, *static_embedder.MODELS))
    return model


def _said(found: Results) -> tuple[str, str | None, str | None]:
    return found.mode.value, found.provider, found.model


def _fill(home: Path, model: StaticModel) -> None:
    """Make notes, and fill the index of their home with a model."""
    notes(home, 30)
    with Memory.open(home, embedder=StaticEmbedder(model)) as memory:
        assert memory.sync().pending == 0


def test_model_before_answers_until_the_new_space_is_full(home: Path, before: StaticModel) -> None:
    _fill(home, before)
    with Memory.open(home, settings=_QUIET) as memory:
        found = memory.search("number7")
        assert _said(found) == ("hybrid", "local", before.name)
        assert found.results[0].path == "memory/heron7.md"
        assert "vectors of local cover 0 of 30 texts so far" in found.because
        assert found.because.endswith(f"local / {before.name} answers meanwhile")
        assert f"local / {before.name} answers until the space of local is filled" in memory.status().because
        IndexUpdate(memory.ctx).embed_pending(memory.ctx.database, 10)
        assert _said(memory.search("number7")) == ("hybrid", "local", before.name)
        assert memory.sync().pending == 0
        full = memory.search("number7")
        assert (_said(full), full.because) == (("hybrid", "local", CURRENT.name), "")
        assert {one.space for one in stored(memory)} == {before.space, CURRENT.space}
        assert memory.status().because == ""


def test_search_fills_the_new_space_by_itself(home: Path, before: StaticModel) -> None:
    _fill(home, before)
    with Memory.open(home) as memory:
        found = memory.search("number7")
        assert (_said(found), found.because) == (("hybrid", "local", CURRENT.name), "")


def test_space_of_the_model_before_can_be_dropped_when_it_is_not_needed_any_more(
    home: Path, before: StaticModel
) -> None:
    _fill(home, before)
    done("index")
    assert [one["current"] for one in done("spaces", "list", "--json").json["spaces"]] == [False, True]
    assert done("spaces", "drop", "1", "--yes", "--json").json["dropped"]["vectors"] == 30
    with Memory.open(home) as memory:
        assert _said(memory.search("number7")) == ("hybrid", "local", CURRENT.name)


def test_model_that_nobody_knows_any_more_is_not_asked(home: Path) -> None:
    _fill(home, StaticModel("holdfast-static-0", STATIC_1.parts))
    with Memory.open(home, settings=_QUIET) as memory:
        assert _said(memory.search("number7")) == ("keyword", None, None)


def test_model_before_also_answers_for_a_provider_that_fails(
    home: Path, before: StaticModel, provider: ProviderServer
) -> None:
    _fill(home, before)
    provider.script(*[status(401)] * 9)
    with opened(home, provider, fallback="local", sync__on_search=False, sync__on_session_start=False) as memory:
        assert _said(memory.search("number7")) == ("hybrid", "local", before.name)
