"""Build what would be released, twice, and try it as somebody would who has nothing but the wheel: `make dist`.

Leaves the source archive, the wheel, their digests and a list of what is inside (CycloneDX) in `dist/`.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
EXTRAS = "sqlite-vec server anthropic openai-agents langgraph pydantic-ai".split()
# What a package must not hold: tests, data sets, environments, what a build leaves.
NOT_INSIDE = ("tests/", "/.venv", "__pycache__", "node_modules", ".npz.tmp", "training/.work")
STORY = """
from holdfast import Memory, Origin
with Memory.open(origin=Origin.USER) as memory:
    memory.save("The heron nests at kilometre 12.", file="memory/birds.md")
    found = memory.search("where is the nest of the heron?")
    assert found.results[0].path == "memory/birds.md", found
"""


def run(*command: str | Path, cwd: Path = ROOT, env: dict[str, str] | None = None) -> str:
    """Run a command and return what it printed; a failure ends the check with its words."""
    ran = subprocess.run([str(part) for part in command], cwd=cwd, env=env, capture_output=True, text=True, check=False)
    if ran.returncode:
        sys.exit(f"{' '.join(map(str, command))} ended with {ran.returncode}:\n{ran.stdout}{ran.stderr}")
    return ran.stdout


def build(into: Path) -> list[Path]:
    """Build the source archive, and the wheel from it, dated by the last commit."""
    moment = run("git", "log", "-1", "--format=%ct").strip()
    run(sys.executable, "-m", "build", "--outdir", into, env={**os.environ, "SOURCE_DATE_EPOCH": moment})
    return sorted(into.iterdir())


def digest(path: Path) -> str:
    """Return a file's SHA-256."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def names_inside(path: Path) -> list[str]:
    """Return the names of the files in an archive."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            return wheel.namelist()
    with tarfile.open(path) as archive:
        return archive.getnames()


def differing_from_repository(archive: Path) -> list[str]:
    """Return what the source archive lacks of the repository's files, or has beside them: its Makefile names them."""
    held = {name.partition("/")[2] for name in names_inside(archive)}
    tracked = set(run("git", "ls-files").splitlines())
    return sorted(tracked - held) + [name for name in sorted(held - tracked) if name and name != "PKG-INFO"]


def python_in(directory: Path) -> Path:
    """Make an empty environment and return its Python."""
    venv.create(directory, with_pip=True)
    return directory / "bin" / "python"


def try_wheel(wheel: Path, place: Path) -> None:
    """Install the wheel where nothing else is, run the tour and a story on it, and list what came along."""
    python = python_in(place / "bare")
    run(python, "-m", "pip", "install", "--quiet", wheel)
    bare = {"PATH": f"{python.parent}:/usr/bin:/bin", "HOME": str(place), "HOLDFAST_HOME": str(place / "home")}
    run("sh", ROOT / "examples" / "tour.sh", python.parent / "holdfast", cwd=place, env=bare)
    run(python, "-W", "error", "-c", STORY, cwd=place, env=bare)
    parts = run(sys.executable, "-m", "cyclonedx_py", "environment", python, "--output-reproducible")
    (DIST / "sbom.cdx.json").write_text(parts, encoding="utf-8")
    # That each extra can be resolved beside the rest, without fetching what is large.
    for extra in EXTRAS:
        run(python, "-m", "pip", "install", "--quiet", "--dry-run", f"{wheel}[{extra}]")


def main() -> None:
    """Build twice, compare, look inside, try."""
    shutil.rmtree(DIST, ignore_errors=True)
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        built, again = build(DIST), build(place / "again")
        differing = [one.name for one, other in zip(built, again, strict=True) if digest(one) != digest(other)]
        if differing:
            sys.exit(f"A second build gives other bytes: {', '.join(differing)}")
        for path in built:
            strange = [name for name in names_inside(path) for part in NOT_INSIDE if part in f"/{name}"]
            if path.suffix == ".whl" and strange:
                sys.exit(f"{path.name} holds {strange[:5]}")
            if path.suffix != ".whl" and (differing := differing_from_repository(path)):
                sys.exit(f"{path.name} and the repository differ in {differing[:5]}")
        run(sys.executable, "-m", "twine", "check", "--strict", *built)
        try_wheel(next(path for path in built if path.suffix == ".whl"), place)
    lines = [f"{digest(path)}  {path.name}\n" for path in sorted(DIST.iterdir())]
    (DIST / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")
    sys.stdout.writelines([*lines, "Built twice alike, checked, installed in an empty environment, and tried.\n"])


if __name__ == "__main__":
    main()
