"""Run the frameworks' own tests against Holdfast's classes: `python tests/upstream/run.py FOLDER`.

Downloads the source packages of the versions that are installed here into the folder, and runs the tests that come with
them, with `stand_ins.py` in the place of their own classes. Nothing of theirs is kept in this repository.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from importlib.metadata import version
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
SUITES = {
    "langgraph-checkpoint": ("tests/test_store.py",),
    "langgraph-checkpoint-sqlite": ("tests/test_store.py", "tests/test_async_store.py", "tests/test_ttl.py"),
    "openai-agents": ("tests/memory/test_session.py", "tests/memory/test_session_limit.py"),
}


def unpacked(package: str, folder: Path) -> Path:
    """The source package of the installed version, downloaded and unpacked where it is not there yet."""
    name = f"{package.replace('-', '_')}-{version(package)}"
    if not (folder / name).exists():
        wanted = f"{package}=={version(package)}"
        download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", package]
        subprocess.run([*download, "--dest", str(folder), wanted], check=True)
        with tarfile.open(folder / f"{name}.tar.gz") as archive:
            archive.extractall(folder, filter="data")
    return folder / name


def main(folder: Path) -> int:
    """Run each suite in its own folder, as its authors do; the status of the first that fails."""
    folder.mkdir(parents=True, exist_ok=True)
    status = 0
    for package, files in SUITES.items():
        sys.stdout.write(f"== {package} {version(package)}\n")
        sys.stdout.flush()
        options = [
            "-p",
            "upstream.stand_ins",
            "-q",
            "-o",
            "addopts=",
            "-p",
            "no:cacheprovider",
            "-W",
            "ignore",
            "--tb=short",
        ]
        ran = subprocess.run(
            [sys.executable, "-m", "pytest", *options, *files],
            cwd=unpacked(package, folder),
            env={**os.environ, "PYTHONPATH": str(TESTS)},
            check=False,
        )
        status = status or ran.returncode
    return status


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
