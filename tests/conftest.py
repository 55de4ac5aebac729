"""Every test gets a home of its own: none can touch the person's."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh home, also for code that looks it up in the environment."""
    place = tmp_path / "home"
    monkeypatch.setenv("HOLDFAST_HOME", str(place))
    monkeypatch.setenv("HOME", str(tmp_path))
    return place
