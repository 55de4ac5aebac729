"""`holdfast doctor` tries the server of `[llm]`: whether it answers, with which model and window, or what to do."""

from __future__ import annotations

from pathlib import Path

import provider_chat_ollama
import provider_faults as faults
import pytest
from commandline import done, holdfast
from provider_chat_script import ChatScript
from provider_server import ProviderServer, closed_port


def model_check() -> dict[str, object]:
    (check,) = [one for one in holdfast("doctor", "--json").json["checks"] if one["name"] == "language model"]
    found: dict[str, object] = check
    return found


def test_doctor_says_which_model_answers_and_with_what_window(script: ChatScript, server: ProviderServer) -> None:
    script.server, script.window = "llamacpp", 8192
    done("save", "The Kestrel launches on 3 March.")
    server.requests.clear()
    assert model_check() == {
        "name": "language model",
        "ok": True,
        "detail": "custom / ../models/qwen3-4b.gguf, 8,192 tokens (as its server says)",
        "remedy": "",
        "warn": False,
    }
    # nothing that stands in memory goes along, and it takes no answer of the model
    assert {(seen.method, seen.body) for seen in server.requests} == {("GET", b"")}
    assert len(server.requests) == 2


def test_doctor_says_where_a_window_comes_from_that_no_server_told(script: ChatScript) -> None:
    assert "128,000 tokens (assumed; compaction.context_window sets it)" in str(model_check()["detail"])
    done("config", "set", "compaction.context_window", "6000")
    assert "6,000 tokens (compaction.context_window)" in str(model_check()["detail"])


def test_doctor_without_a_language_model_asks_nobody(server: ProviderServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDFAST_LLM_PROVIDER", "none")
    assert "language model" not in {one["name"] for one in holdfast("doctor", "--json").json["checks"]}
    assert server.requests == []


@pytest.mark.parametrize(
    ("fault", "why"), [(faults.status(401), "the key was not accepted"), (faults.HTML, "HTML page")], ids=str
)
def test_doctor_says_what_is_wrong_with_a_server_and_what_to_do(
    fault: faults.Fault, why: str, script: ChatScript, server: ProviderServer
) -> None:
    server.always(fault)
    check = model_check()
    assert not check["ok"] and why in str(check["detail"]) and check["remedy"]
    assert holdfast("doctor").status == 1
    assert server.key not in str(check) and "memory." not in f"{check['detail']}{check['remedy']}"


def test_doctor_says_that_nobody_listens(script: ChatScript, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDFAST_LLM_BASE_URL", f"http://127.0.0.1:{closed_port()}/v1")
    check = model_check()
    assert not check["ok"] and "no connection" in str(check["detail"])


def test_doctor_says_how_to_start_ollama_where_it_does_not_run(
    home: Path, script: ChatScript, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"http://127.0.0.1:{closed_port()}"
    for name, value in {"LLM_PROVIDER": "ollama", "LLM_MODEL": "qwen3", "LLM_BASE_URL": address}.items():
        monkeypatch.setenv(f"HOLDFAST_{name}", value)
    for name, value in {"PROVIDER": "ollama", "MODEL": "nomic-embed-text", "BASE_URL": address}.items():
        monkeypatch.setenv(f"HOLDFAST_MEMORY_{name}", value)
    bad = {one["name"]: one for one in holdfast("doctor", "--json").json["checks"] if not one["ok"]}
    for name in ("language model", "provider"):
        assert "no connection" in bad[name]["detail"]
        assert bad[name]["remedy"].startswith("Start Ollama (`ollama serve`)")


def test_doctor_says_how_to_get_a_model_that_ollama_has_not(
    home: Path, script: ChatScript, server: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.add(provider_chat_ollama.routes(script))
    for name, value in {"PROVIDER": "ollama", "MODEL": "nothing", "BASE_URL": server.url}.items():
        monkeypatch.setenv(f"HOLDFAST_LLM_{name}", value)
    assert "`ollama pull nothing` brings it" in str(model_check()["detail"])
    monkeypatch.setenv("HOLDFAST_LLM_MODEL", "qwen3")
    assert model_check()["detail"] == "ollama / qwen3, 32,768 tokens (as its server says)"
