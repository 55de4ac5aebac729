"""doctor says whether a sandbox can be started here, and what to do where it can't."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import holdfast


def sandbox_check() -> dict[str, object]:
    """What doctor says of the sandbox."""
    return next(dict(one) for one in holdfast("doctor", "--json").json["checks"] if one["name"] == "sandbox")


def test_a_sandbox_that_starts_is_named_with_its_version(bwrap: str, home: Path) -> None:
    check = sandbox_check()
    assert check["ok"] and not check["warn"] and "bubblewrap 0." in str(check["detail"])


@pytest.mark.parametrize("enabled", ["true", "false"])
def test_without_bubblewrap_only_who_wants_a_sandbox_has_something_to_mend(
    home: Path, monkeypatch: pytest.MonkeyPatch, enabled: str
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("HOLDFAST_SANDBOX_ENABLED", enabled)
    check = sandbox_check()
    assert "not installed" in str(check["detail"]) and check["ok"] == (enabled == "false") and not check["warn"]
    assert bool(check["remedy"]) == (enabled == "true")


def test_a_bubblewrap_that_can_not_start_a_sandbox_says_why(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    check = sandbox_check()
    assert check["ok"] and check["warn"], "nobody wants one"
    assert "No permissions to create new namespace" in str(check["detail"]) and check["remedy"]
    monkeypatch.setenv("HOLDFAST_SANDBOX_ENABLED", "true")
    assert not sandbox_check()["ok"]
