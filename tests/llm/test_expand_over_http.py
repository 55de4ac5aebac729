"""Other ways to ask, from a real model server through the settings of a memory."""

from __future__ import annotations

import json
from pathlib import Path

import provider_faults as faults
import pytest
from provider_chat_kinds import KINDS, ChatKind
from provider_chat_script import ChatScript
from provider_server import ProviderServer

from holdfast import Memory
from holdfast.search.hit import Results

QUESTION = "when does the doc visit?"


def asked(home: Path, kind: ChatKind, provider: ProviderServer, **more: object) -> Results:
    (home / "memory").mkdir(parents=True, exist_ok=True)
    (home / "memory/house.md").write_text("- The physician comes on Tuesdays.\n", encoding="utf-8")
    (home / "memory/food.md").write_text("- The baker comes for a visit at seven.\n", encoding="utf-8")
    settings: dict[str, object] = {
        "memory.disable_rag": True,
        "memory.search.expand": True,
        "llm.provider": kind.name,
        "llm.model": kind.model,
        "llm.base_url": provider.url,
        "llm.api_key": provider.key,
        **more,
    }
    with Memory.open(home, settings=settings) as memory:
        return memory.search(QUESTION)


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_every_provider_can_be_asked_for_other_words(
    home: Path, kind: ChatKind, provider: ProviderServer, script: ChatScript
) -> None:
    script.say(json.dumps({"variants": ["physician Tuesdays"], "answer": "On Tuesdays."}))
    found = asked(home, kind, provider)
    assert "memory/house.md" in [hit.path for hit in found.results]
    assert "the question was also asked in 1 other way" in found.because
    assert len(provider.asked(kind.path)) == 1


@pytest.mark.promise("P7")
@pytest.mark.parametrize("fault", [faults.status(401), faults.HTML, faults.RESET], ids=str)
def test_a_server_that_fails_does_not_fail_the_search(
    home: Path, provider: ProviderServer, script: ChatScript, fault: faults.Fault
) -> None:
    kind = KINDS[0]
    provider.always(fault, on=kind.path)
    found = asked(home, kind, provider, **{"llm.timeout_seconds": 1})
    assert [hit.path for hit in found.results] == ["memory/food.md"]
    assert "the question was not expanded: " in found.because
    assert provider.key not in found.because
