"""QMD for tests: a stand-in that can fail in each way, or with `QMD_PROGRAM` the real program."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from holdfast import Memory
from holdfast.guard.origin import Origin

REAL = os.environ.get("QMD_PROGRAM", "")
STAND_IN = Path(__file__).parent / "stand_in.py"
MODELS = (
    "hf_ggml-org_embeddinggemma-300M-Q8_0.gguf",
    "hf_ggml-org_qwen3-reranker-0.6b-q8_0.gguf",
    "hf_tobil_qmd-query-expansion-1.7B-q4_k_m.gguf",
)

stands_in = pytest.mark.skipif(bool(REAL), reason="what only a stand-in does on demand")


class Qmd(NamedTuple):
    """The program, and the directory it takes for its user's home."""

    command: str
    home: Path

    def settings(self, **more: Any) -> dict[str, Any]:
        """Settings that make it the back end; it follows changes only when it is told to."""
        quick = {"memory.qmd.update.debounce_ms": 3_600_000, "memory.qmd.update.interval": 0}
        patient = {"memory.qmd.timeout_ms": 120_000}  # a busy machine takes its time to start a program
        named = {name.replace("__", "."): value for name, value in more.items()}
        return {"memory.backend": "qmd", "memory.qmd.command": self.command, **quick, **patient, **named}

    def open(self, **more: Any) -> Memory:
        return Memory.open(settings=self.settings(**more), origin=Origin.USER)

    def fails(self, how: str) -> None:
        """From now on; `verb:kind` for one command alone, "" for none."""
        file = self.home / "qmd-fault"
        if how:
            file.write_text(how, encoding="utf-8")
        else:
            file.unlink()

    def calls(self) -> list[dict[str, Any]]:
        file = self.home / "qmd-calls"
        return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []

    def verbs(self) -> list[str]:
        return [call["arguments"][0] for call in self.calls()]

    def has_models(self) -> None:
        folder = self.home / ".cache" / "qmd" / "models"
        folder.mkdir(parents=True)
        for name in MODELS:
            (folder / name).touch()
