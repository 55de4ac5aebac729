"""The program that tests of the back end run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from qmd_backend.program import REAL, STAND_IN, Qmd


@pytest.fixture
def qmd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Qmd:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    if REAL:
        return Qmd(REAL, tmp_path)
    command = tmp_path / "bin" / "qmd"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S "{STAND_IN}" "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    return Qmd(str(command), tmp_path)
