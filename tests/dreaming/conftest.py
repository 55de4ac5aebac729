"""Questions are counted here; by default they are not."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _counting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDFAST_DREAMING_ENABLED", "true")
