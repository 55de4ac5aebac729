"""Who looks at a search beside the one that makes vectors: chosen by settings, and named by status and doctor."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from cross_encoder import cross_encoder

from holdfast import Memory
from holdfast.guard.origin import Origin
from holdfast.llm.scripted_model import ScriptedModel
from holdfast.operations.diagnosis import doctor
from holdfast.search.rerank_llm import LlmReranker
from holdfast.search.rerank_onnx import ChosenReranker
from holdfast.settings.installation import install_advice
from holdfast.settings.loader import load
from holdfast.surfaces.cli.commands.status import status_rows

CLOUD: dict[str, object] = {"llm.provider": "openai", "llm.api_key": "sk-not-real"}


def opened(home: Path, **settings: object) -> Memory:
    for name, text in (("a", "The key lies in the car"), ("b", "The key lies under the mat")):
        (home / "memory").mkdir(parents=True, exist_ok=True)
        (home / f"memory/{name}.md").write_text(f"{text}\n", encoding="utf-8")
    memory = Memory.open(home, settings=settings)
    memory.sync()
    return memory


def test_a_cross_encoder_of_the_owners_reads_the_hits_again(home: Path, tmp_path: Path) -> None:
    for sign in (1, -1):
        root = cross_encoder(tmp_path / f"reader{sign}", weights=(0, 0, 0, 0, -4 * sign, 4 * sign))
        with opened(home, **{"memory.search.rerank.model": str(root)}) as memory:
            found = memory.search("key")
            assert [hit.path for hit in found.results] == ["memory/a.md", "memory/b.md"][::sign]
            assert all("judged" in hit.explain for hit in found.results)
            assert "rerank" not in found.because
            shown = dict(status_rows(memory.status()))
            assert shown["rerank"] == f"the cross-encoder reader{sign}"
            assert "nothing" in shown["sends"]
            assert memory.ctx.for_origin(Origin.AGENT).reranker is memory.ctx.reranker  # loaded once for all


@pytest.mark.promise("P7")
def test_a_directory_that_is_not_there_keeps_the_first_order_and_says_so(home: Path) -> None:
    with opened(home) as memory:
        plain = memory.search("key")
    with opened(home, **{"memory.search.rerank.model": "~/no/such/reader"}) as memory:
        found = memory.search("key")
        assert found.results == plain.results
        assert "the hits were not reranked: " in found.because
        assert "there is no ONNX model in 'reader'" in found.because
        assert "Mend memory.search.rerank.model. The hits keep their first order." in found.because
        assert "no ONNX model" in dict(status_rows(memory.status()))["rerank"]


@pytest.mark.promise("P7")
def test_a_package_that_is_missing_keeps_the_first_order_and_names_itself(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = cross_encoder(tmp_path / "reader")
    with opened(home, **{"memory.search.rerank.model": str(root)}) as memory:
        monkeypatch.setitem(sys.modules, "onnxruntime", None)
        found = memory.search("key")
        assert "the package onnxruntime" in found.because
        assert install_advice("onnx") in found.because and "keep their first order" in found.because
        assert len(found.results) == 2


def test_the_language_model_reads_before_the_cross_encoder_and_nobody_without_rag(home: Path, tmp_path: Path) -> None:
    both: dict[str, object] = {"memory.llm_reranking": True, "memory.search.rerank.model": str(tmp_path)}
    with opened(home, **both, **CLOUD) as memory:
        assert isinstance(memory.ctx.reranker, LlmReranker)
        shown = memory.status().to_json()
        assert shown["reranker"] == "the language model openai / gpt-5-mini"
        assert shown["sends_to"] == "openai's own address"
    with opened(home, **both) as memory:
        assert isinstance(memory.ctx.reranker, ChosenReranker)
    with opened(home, **both, **CLOUD, **{"memory.disable_rag": True}) as memory:
        assert memory.ctx.reranker is None
        assert memory.status().reranker == "nobody: memory.disable_rag is on"
        assert memory.status().sends_to is None


def test_nobody_is_named_where_nobody_is_wanted(home: Path) -> None:
    with opened(home, **CLOUD) as memory:
        shown = memory.status().to_json()
        assert (shown["reranker"], shown["expander"], shown["sends_to"]) == (None, None, None)
        assert memory.ctx.reranker is None and memory.ctx.expander is None


@pytest.mark.parametrize(
    ("settings", "sent"),
    [
        ({"llm.provider": "anthropic"}, "anthropic's own address"),
        ({"llm.provider": "custom", "llm.base_url": "https://models.example.com/v1"}, "https://models.example.com/v1"),
        ({"llm.provider": "custom", "llm.base_url": "http://127.0.0.1:8080/v1"}, None),
        ({"llm.provider": "ollama", "llm.model": "qwen3"}, None),
    ],
)
def test_status_tells_where_questions_go_for_other_words(
    home: Path, settings: dict[str, Any], sent: str | None
) -> None:
    with opened(home, **{"memory.search.expand": True}, **settings) as memory:
        status = memory.status()
        assert status.expander.startswith("the language model ")
        assert status.sends_to == sent


def test_doctor_tells_what_is_well_and_what_is_not(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(home).close()
    assert not {"reranker", "expander"} & {check.name for check in doctor(str(home), "main")}
    monkeypatch.setenv("HOLDFAST_MEMORY_SEARCH_RERANK_MODEL", "/no/such/reader")
    monkeypatch.setenv("HOLDFAST_LLM_TASKS", "expand")
    checks = {check.name: check for check in doctor(str(home), "main")}
    assert not checks["reranker"].ok and "no ONNX model" in checks["reranker"].detail
    assert not checks["expander"].ok and "no language model is configured" in checks["expander"].detail
    assert checks["reranker"].remedy
    monkeypatch.setenv("HOLDFAST_LLM_PROVIDER", "ollama")
    checks = {check.name: check for check in doctor(str(home), "main")}
    assert checks["expander"].ok


def test_one_expander_serves_every_caller_of_a_memory(home: Path) -> None:
    with opened(home, **{"memory.search.expand": True}) as memory:
        memory.ctx.chat_model = ScriptedModel()
        assert memory.ctx.expander is not None
        assert memory.ctx.for_origin(Origin.AGENT).expander is memory.ctx.expander


def test_both_settings_are_off_by_default(home: Path) -> None:
    settings = load(str(home), environ={}).settings
    assert settings.search.expand is False and settings.rerank.model is None
