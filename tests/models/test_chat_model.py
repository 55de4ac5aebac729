"""`holdfast chat` with a real model that nobody scripted: SmolLM2 with 135 million parameters, served by llama.cpp."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commandline import process

from holdfast import Memory, Origin


@pytest.fixture(scope="module")
def served(smollm: Path) -> Iterator[dict[str, str]]:
    """The environment in which that model is the one that `[llm]` names."""
    llama: Any = pytest.importorskip("xllamacpp")
    params = llama.CommonParams()
    params.model.path = str(smollm)
    params.n_ctx = 8192
    params.n_parallel = 1
    params.n_predict = 60  # a long answer of this model says no more than a short one
    params.sampling.temp = 0.0
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1  # two of them spin on a busy machine
    params.warmup = False
    params.verbosity = -1
    params.cache_ram_mib = 0
    params.api_keys = [key := secrets.token_hex(16)]
    params.ui = False
    server = llama.Server(params)
    yield {
        "HOLDFAST_LLM_PROVIDER": "custom",
        "HOLDFAST_LLM_MODEL": "smollm2",
        "HOLDFAST_LLM_BASE_URL": f"{server.listening_address}/v1",
        "HOLDFAST_LLM_API_KEY": key,
        "HOLDFAST_LLM_TIMEOUT_SECONDS": "600",
        "HOLDFAST_MEMORY_RECALL_DEADLINE_MS": "60000",
    }
    del server


def once(message: str, env: dict[str, str]) -> dict[str, Any]:
    ran = process("chat", "--once", message, "--json", env=env, timeout=900)
    assert ran.returncode == 0, ran.stderr.decode()
    answer: dict[str, Any] = json.loads(ran.stdout)
    return answer


@pytest.mark.parametrize("style", ["prompt-only", "hybrid"])
def test_a_real_model_answers_and_what_it_says_is_kept(home: Path, served: dict[str, str], style: str) -> None:
    """Without memory tools, and with all of them: the schemas and the calls go through the model's own template."""
    env = {**served, "HOLDFAST_MEMORY_STYLE": style}
    with Memory.open(origin=Origin.USER) as memory:
        memory.save("The user's cat is called Miso.")
        memory.save("The launch of Kestrel is on 3 March.", file="memory/launch.md")
    answer = once("What is my cat called?", env)
    assert answer["stop"] in ("end", "length", "tools") and answer["output_tokens"] > 0
    assert answer["input_tokens"] > 100  # it was shown the memory
    assert answer["text"] or answer["events"]
    again = once("When is the launch of Kestrel?", env)
    assert [hit["path"] for hit in again["recalled"]] == (["memory/launch.md"] if style == "hybrid" else [])
    assert again["input_tokens"] > answer["input_tokens"]  # and what was said before
    with Memory.open() as memory, memory.session("chat") as session:
        said = session.messages()
    assert [entry.text for entry in said if entry.role == "user"] == [
        "What is my cat called?",
        "When is the launch of Kestrel?",
    ]
    assert any(entry.role == "assistant" for entry in said)
