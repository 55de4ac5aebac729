"""Boosts decide between equals and never cost a needle: the bench's own, three years old, among all that is new."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from counts import counted

BENCH = Path(__file__).parents[2] / "bench"
NOTES = counted(100, 1_000)
EACH = NOTES * 3 // 100  # as many needles of a kind as the bench hides
EVERY = f"{{'token': {EACH}, 'question': {EACH}, 'topic': {EACH}}}; boosts: access, importance, project, recency"


@pytest.mark.fault
def test_no_needle_of_three_years_ago_is_lost_with_every_boost_on(tmp_path: Path) -> None:
    command = [sys.executable, str(BENCH / "aged.py"), str(NOTES)]
    environment = {**os.environ, "HOLDFAST_BENCH_DIR": str(tmp_path / "bench")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"{NOTES:,} notes, {how}: {EVERY}" for how in ("words alone", "with vectors")]
