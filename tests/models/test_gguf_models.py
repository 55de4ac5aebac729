"""GGUF models with real weights, against BERT written out in numpy."""

from __future__ import annotations

import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from models.test_onnx_models import TEXTS
from numpy.typing import NDArray

from holdfast.embeddings.embedder import Purpose
from holdfast.embeddings.embedder_contract import check_embedder
from holdfast.embeddings.local.gguf import GgufEmbedder
from holdfast.errors import ProviderFailed


def vector(embedder: GgufEmbedder, text: str, purpose: Purpose = Purpose.DOCUMENT) -> NDArray[np.float32]:
    (row,) = embedder.embed([text], purpose).vectors
    return cast("NDArray[np.float32]", row)


def test_minilm_agrees_with_numpy(gguf_minilm: Path, reference: Callable[[str], NDArray[np.float64]]) -> None:
    embedder = GgufEmbedder(gguf_minilm, threads=1)
    for text in TEXTS:
        assert float(reference(text) @ vector(embedder, text)) >= 0.999, text


def test_the_contract_is_kept(gguf_minilm: Path) -> None:
    check_embedder(GgufEmbedder(gguf_minilm, threads=2))
    check_embedder(GgufEmbedder(gguf_minilm, threads=1, dimensions=128))


@pytest.mark.parametrize("tail", ["Cats and dogs. " * 1000, "猫が座った" * 2000])
def test_a_text_that_is_too_long_counts_with_its_beginning(gguf_minilm: Path, tail: str) -> None:
    embedder = GgufEmbedder(gguf_minilm, threads=1)
    beginning = "The station lies behind the river. " * 62  # 498 of 512 tokens
    assert float(vector(embedder, beginning + tail) @ vector(embedder, beginning)) > 0.97


def test_a_chat_model_embeds_by_the_mean_of_its_tokens(smollm: Path) -> None:
    embedder = GgufEmbedder(smollm, threads=1)
    assert embedder.space.dimensions == 576
    cat, again, invoice = (vector(embedder, text) for text in ("the cat sat", "the cat sat", "an invoice for March"))
    assert np.array_equal(cat, again) and not np.array_equal(cat, invoice)
    assert embedder.embed(["", " "], Purpose.QUERY).vectors == [None, None]


def test_many_threads_get_the_vectors_that_one_gets(gguf_minilm: Path) -> None:
    embedder = GgufEmbedder(gguf_minilm, threads=1)
    texts = [text[: 20 + number] for number in range(4) for text in TEXTS]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda text: vector(embedder, text).tobytes(), texts))
    assert together == [vector(embedder, text).tobytes() for text in texts]


def test_a_loaded_model_leaves_interrupts_and_output_alone(gguf_minilm: Path) -> None:
    code = (
        "import os, signal, sys\n"
        "from holdfast.embeddings.embedder import Purpose\n"
        "from holdfast.embeddings.local.gguf import GgufEmbedder\n"
        "embedder = GgufEmbedder(sys.argv[1], threads=1)\n"
        "embedder.embed(['a text'], Purpose.QUERY)\n"
        "try:\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    signal.pause()\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', 'OMP_WAIT_POLICY' in os.environ)\n"
    )
    command = [sys.executable, "-c", code, str(gguf_minilm)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert (done.stdout, done.stderr) == ("interrupted False\n", "")


def test_a_file_that_is_cut_off_is_refused(
    gguf_minilm: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    short = tmp_path / "short.gguf"
    short.write_bytes(gguf_minilm.read_bytes()[:20_000_000])
    embedder = GgufEmbedder(short)
    with pytest.raises(ProviderFailed, match=r"short\.gguf can't be loaded"):
        embedder.embed(["text"], Purpose.DOCUMENT)
    assert capfd.readouterr() == ("", "")


@pytest.mark.promise("P10")
def test_the_port_that_llama_cpp_opens_is_locked(gguf_minilm: Path) -> None:
    embedder = GgufEmbedder(gguf_minilm, threads=1)
    vector(embedder, "load it")
    loaded: Any = embedder._loaded
    address = loaded._server.listening_address
    assert address.startswith("http://127.0.0.1:")
    for path in ("/v1/embeddings", "/tokenize", "/props", "/v1/models", "/slots", "/metrics"):
        request = urllib.request.Request(address + path, headers={"Origin": "http://evil.example"})
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(request, timeout=10)
        assert caught.value.code in (401, 403, 404), path
        caught.value.close()
