"""A GGUF file as an embedder, through llama.cpp as xllamacpp packs it (`pip install 'holdfast[gguf]'`).

xllamacpp comes as a wheel for every Python; the other binding compiles for many minutes. It is llama.cpp's server
inside this process: calls go to it directly, but it also opens a port on loopback and offers no way not to. That door
is locked with a key that is made anew each time and told to nobody.
"""

from __future__ import annotations

import base64
import os
import re
import secrets
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from holdfast.embeddings.embedder import Embedded, Purpose, SpaceKey
from holdfast.embeddings.local.cores import available
from holdfast.embeddings.local.fingerprint import fingerprint
from holdfast.embeddings.local.gguf_header import GgufHeader, GgufPooling, read_header
from holdfast.embeddings.local.model_prompts import add_prompt, known_prompts
from holdfast.embeddings.local.optional_packages import package
from holdfast.errors import ProviderFailed, ProviderMissing, ProviderRefused

__all__ = ["GgufEmbedder"]

_LONGEST = 2048  # its buffers grow with the length, and a chunk has some 400 tokens
_CUTS = 40  # each makes a text shorter by a tenth at least, and mostly by half
_REMEDY = "Choose another file in memory.local.model_path; until then search goes on without it."
_TOO_LONG = re.compile(r"\((\d+) tokens\) is (too large|larger)")


class GgufEmbedder:
    """Embeds with a GGUF model; the file is loaded when the first text comes.

    `dimensions` keeps the first numbers of a vector, for models that were trained to be cut so.
    """

    def __init__(self, path: Path | str, *, dimensions: int | None = None, threads: int | None = None) -> None:
        self._path = Path(path)
        self._header = header = read_header(self._path)
        if header.pooling is GgufPooling.RANK:
            raise ProviderRefused("local", f"{self._path.name} is a reranker, which gives no vectors", _REMEDY)
        if dimensions is not None and not 0 < dimensions <= header.dimensions:
            why = f"{header.name} has {header.dimensions} dimensions, which can't become {dimensions}"
            raise ProviderRefused("local", why, "Set memory.dimensions to fewer, or leave it out.")
        self._prompts = known_prompts(header.name, self._path.name, header.architecture)
        self._length = min(header.context, _LONGEST)
        self._threads = threads or available()
        self._loaded: _Loaded | None = None
        self._lock = threading.Lock()
        recipe = (_pooling(header), self._prompts, self._length)
        try:
            mark = fingerprint([self._path], recipe)
        except OSError as error:
            raise ProviderMissing("local", f"{self._path.name} can't be read ({error.strerror})", _REMEDY) from error
        self.space = SpaceKey("local", f"{self._path.name}#{mark}", "", dimensions or header.dimensions)

    def embed(self, texts: Sequence[str], purpose: Purpose) -> Embedded:
        """Return one vector for each text, None for one that is empty; what is longer than the model reads is cut."""
        inputs = [add_prompt(text, self._prompts.of(purpose), self._length) for text in texts]
        vectors = [None if text is None else self._vector(self._whole(text)) for text in inputs]
        return Embedded(self.space, vectors)

    def _whole(self, text: str) -> bytes:
        # One at a time: the server does no more, and says nothing of threads. Between two texts a query may pass.
        with self._lock:
            if self._loaded is None:
                self._loaded = _Loaded(self._path, self._header, self._length, self._threads)
            return self._loaded.embed(text)

    def _vector(self, whole: bytes) -> Sequence[float]:
        import numpy as np

        row = np.frombuffer(whole, "<f4")
        if len(row) != self._header.dimensions:
            why = f"{self._path.name} gave {len(row)} numbers, and its header says {self._header.dimensions}"
            raise ProviderFailed("local", why, _REMEDY)
        if len(row) == self.space.dimensions:
            return cast("Sequence[float]", row)
        row = row[: self.space.dimensions]
        norm = np.float32(np.linalg.norm(row))
        return cast("Sequence[float]", row / norm if norm else row)


def _pooling(header: GgufHeader) -> GgufPooling:
    """Return the header's, or the mean where it says none: a chat model's last token knows most of the word to come."""
    return header.pooling or GgufPooling.MEAN


def _llama() -> Any:
    """Return the package, whose threads sleep while they wait for each other.

    By default they spin: two of them on two cores with one other busy process fell to a quarter of the speed of one
    thread. Its OpenMP reads the wish once, when it is loaded; children of this process need not see it.
    """
    wish = "OMP_WAIT_POLICY"
    if wish in os.environ:
        return package("xllamacpp", "gguf")
    os.environ[wish] = "passive"
    try:
        return package("xllamacpp", "gguf")
    finally:
        os.environ.pop(wish, None)


class _Loaded:
    """The model in memory."""

    def __init__(self, path: Path, header: GgufHeader, length: int, threads: int) -> None:
        self._length = length
        llama = _llama()
        pooling = llama.llama_pooling_type(_pooling(header).value)
        self._name = path.name
        params = llama.CommonParams()
        params.model.path = str(path)
        params.embedding = True
        params.pooling_type = pooling
        # A text is embedded in one piece, so the batch must hold the whole context.
        params.n_ctx = params.n_batch = params.n_ubatch = length
        params.n_parallel = 1
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
        params.warmup = False
        params.verbosity = -1
        params.cache_ram_mib = 0
        # Nobody but this process may ask, whatever web page finds the port (P10).
        params.api_keys = [secrets.token_hex(32)]
        params.cors_origins = "http://nobody.invalid"
        params.ui = False
        params.n_threads_http = 1
        try:
            self._server = llama.Server(params)
        except RuntimeError as error:
            why = f"{path.name} can't be loaded: llama.cpp does not know this kind of model, or the file is damaged"
            raise ProviderFailed("local", why, _REMEDY) from error

    def embed(self, text: str) -> bytes:
        """Return the vector of one text as little-endian float32, at unit length."""
        for _ in range(_CUTS):
            answer = self._ask(text)
            failure = answer.get("error")
            if failure is None:
                return base64.b64decode(answer["data"][0]["embedding"])
            message = str(failure.get("message", failure))
            too_long = _TOO_LONG.search(message)
            if not too_long:
                raise ProviderFailed("local", f"{self._name} could not embed a text ({message[:200]})", _REMEDY)
            text = self._cut(text, int(too_long[1]))
        raise ProviderFailed("local", f"{self._name} could not embed a text, however short", _REMEDY)

    def _ask(self, text: str) -> dict[str, Any]:
        try:
            answer = self._server.handle_embeddings({"input": [text], "encoding_format": "base64"})
        except Exception as error:  # whatever the native code raises
            raise ProviderFailed("local", f"{self._name} could not embed a text ({error})", _REMEDY) from error
        if not isinstance(answer, dict):
            raise ProviderFailed("local", f"{self._name} gave an answer of an unknown form", _REMEDY)
        return answer

    def _cut(self, text: str, tokens: int) -> str:
        """Return the beginning of a text that had too many tokens.

        By half while it is far too long: what stands at its end may take many more tokens than what is kept.
        """
        share = max(0.5, 0.97 * self._length / tokens)
        return text[: max(1, int(len(text) * min(0.9, share)))]
