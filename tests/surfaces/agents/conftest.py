"""A person of one's own: settings of coding agents are written below their home, never below that of who tests."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def person(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's home, in which Holdfast's home is where it is by default."""
    place = tmp_path / "person"
    place.mkdir()
    monkeypatch.setenv("HOME", str(place))
    for name in (
        *("HOLDFAST_HOME", "HOLDFAST_AGENT", "HOLDFAST_TOKEN"),
        *("XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR", "OPENCLAW_CONFIG_PATH"),
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(place)
    return place
