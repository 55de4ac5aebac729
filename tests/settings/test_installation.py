"""How an extra is installed depends on how Holdfast was."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ASK = "from holdfast.settings.installation import install_advice; print(install_advice('server'))"


@pytest.mark.parametrize(
    ("source", "advice"),
    [
        (None, "`pip install 'holdfast[server]'`"),
        (
            {"url": "file:///home/me/my%20code", "dir_info": {"editable": True}},
            "`pip install -e '.[server]'` in /home/me/my code",
        ),
        ({"url": "file:///srv/holdfast", "dir_info": {}}, "`pip install '.[server]'` in /srv/holdfast"),
        (
            {"url": "https://host/holdfast.whl", "archive_info": {}},
            "`pip install 'holdfast[server] @ https://host/holdfast.whl'`",
        ),
    ],
)
def test_an_extra_is_installed_the_way_holdfast_was(
    tmp_path: Path, source: dict[str, object] | None, advice: str
) -> None:
    info = tmp_path / "holdfast-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: holdfast\nVersion: 0.1.0\n")
    if source is not None:
        (info / "direct_url.json").write_text(json.dumps(source))
    # What stands first on the path is what importlib.metadata finds, as it finds the installed one otherwise.
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {ASK}"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert ran.stdout.strip() == advice
