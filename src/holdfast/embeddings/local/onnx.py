"""An ONNX model directory as an embedder, through onnxruntime and tokenizers (`pip install 'holdfast[onnx]'`).

One text at a time: on a CPU that is as fast as a batch and takes a quarter of the memory, and the numbers of a
quantised graph depend on everything that is in the batch with a text.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from holdfast.embeddings.embedder import Embedded, Purpose, SpaceKey
from holdfast.embeddings.local.cores import available
from holdfast.embeddings.local.fingerprint import fingerprint
from holdfast.embeddings.local.model_prompts import add_prompt
from holdfast.embeddings.local.onnx_directory import OnnxDirectory, Pooling, read_directory
from holdfast.embeddings.local.optional_packages import package
from holdfast.errors import ProviderFailed, ProviderMissing, ProviderRefused

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["OnnxEmbedder"]

_INPUTS = ("input_ids", "attention_mask", "token_type_ids", "position_ids")
_REMEDY = "Choose another model in memory.local.model_path; until then search goes on without it."


class OnnxEmbedder:
    """Embeds with the model of a directory; it is loaded when the first text comes.

    `dimensions` keeps the first numbers of a vector, for models that were trained to be cut so.
    """

    def __init__(self, directory: Path | str, *, dimensions: int | None = None, threads: int | None = None) -> None:
        self._directory = read_directory(Path(directory))
        self._wanted = dimensions
        self._threads = threads or available()
        self._loaded: _Loaded | None = None
        self._space: SpaceKey | None = None
        self._lock = threading.Lock()

    @property
    def space(self) -> SpaceKey:
        """The directory's name with a fingerprint of the weights, the tokenizer and the way they are used."""
        if self._space is None:
            found = self._directory
            full = found.dimensions or self._model().dimensions  # a directory without config.json: the graph knows
            if self._wanted is not None and not 0 < self._wanted <= full:
                why = f"{found.name} has {full} dimensions, which can't become {self._wanted}"
                raise ProviderRefused("local", why, "Set memory.dimensions to fewer, or leave it out.")
            recipe = (found.pooling, found.prompts, found.max_length)
            try:
                mark = fingerprint(found.files, recipe)
            except OSError as error:
                raise ProviderMissing("local", f"{found.name} can't be read ({error.strerror})", _REMEDY) from error
            self._space = SpaceKey("local", f"{found.name}#{mark}", "", self._wanted or full)
        return self._space

    def embed(self, texts: Sequence[str], purpose: Purpose) -> Embedded:
        """Return one vector for each text, None for one that is empty; what is longer than the model reads is cut."""
        space, found = self.space, self._directory
        inputs = [add_prompt(text, found.prompts.of(purpose), found.max_length) for text in texts]
        model = self._model()
        vectors = [None if text is None else model.vector(text, space.dimensions) for text in inputs]
        return Embedded(space, vectors)

    def _model(self) -> _Loaded:
        with self._lock:
            if self._loaded is None:
                self._loaded = _Loaded(self._directory, self._threads)
            return self._loaded


class _Loaded:
    """The session and the tokenizer, ready; both may be used by many threads at once."""

    def __init__(self, directory: OnnxDirectory, threads: int) -> None:
        onnxruntime = package("onnxruntime", "onnx")
        tokenizers = package("tokenizers", "onnx")
        self._name = directory.name
        self._pooling = directory.pooling
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # Waiting threads sleep: spinning gains a little on an idle machine, and loses a third beside a busy process.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            providers = ["CPUExecutionProvider"]
            self._session = onnxruntime.InferenceSession(str(directory.graph), options, providers=providers)
            self._tokenizer = tokenizers.Tokenizer.from_file(str(directory.tokenizer))
            self._tokenizer.no_padding()
            self._tokenizer.enable_truncation(directory.max_length)
        except Exception as error:  # both raise whatever their native code gives them
            raise self._failed(f"{directory.name} can't be loaded ({_first_line(error)})") from error
        self._inputs = {entry.name: entry for entry in self._session.get_inputs()}
        unknown = sorted(self._inputs.keys() - set(_INPUTS))
        if unknown or "input_ids" not in self._inputs:
            raise self._failed(f"{directory.name} is no embedding model: it takes {', '.join(unknown) or 'no tokens'}")
        self._output, self._pools = self._choose_output(directory)
        self.dimensions = self._width(directory)

    def vector(self, text: str, dimensions: int) -> Sequence[float] | None:
        """Return the vector of one text, at unit length; None where the tokenizer finds nothing in it."""
        import numpy as np

        pooled = self._run_and_pool(text)
        if pooled is None:
            return None
        row = pooled[:dimensions].astype(np.float32)
        norm = float(np.linalg.norm(row.astype(np.float64)))
        # What is not finite or has no length is refused where all vectors are checked.
        return cast("Sequence[float]", row / np.float32(norm) if norm and np.isfinite(norm) else row)

    def _run_and_pool(self, text: str) -> NDArray[np.float32] | None:
        try:
            encoded = self._tokenizer.encode(text)
            if not encoded.ids:
                return None
            output = self._session.run([self._output], self._feed(encoded.ids, encoded.type_ids))[0]
        except Exception as error:
            raise self._failed(f"{self._name} could not embed a text ({_first_line(error)})") from error
        row: NDArray[np.float32] = output[0]
        if self._pools:
            return _pool(row[: len(encoded.ids)], self._pooling)
        return row

    def _feed(self, ids: list[int], types: list[int]) -> dict[str, NDArray[Any]]:
        """Return the inputs that the graph takes, padded only where its shape is fixed."""
        import numpy as np

        fixed = self._inputs["input_ids"].shape[-1]
        if isinstance(fixed, int):
            length = fixed
        else:
            length = len(ids)
        values = {
            "input_ids": ids,
            "attention_mask": [1] * len(ids),
            "token_type_ids": types,
            "position_ids": range(len(ids)),
        }
        feed: dict[str, NDArray[Any]] = {}
        for name, entry in self._inputs.items():
            row = np.zeros((1, length), np.int32 if "int32" in entry.type else np.int64)
            given = list(values[name])[:length]
            row[0, : len(given)] = given
            feed[name] = row
        return feed

    def _choose_output(self, directory: OnnxDirectory) -> tuple[str, bool]:
        """Return the output to take, and whether it is still to be pooled."""
        ranks = {entry.name: len(entry.shape or ()) for entry in self._session.get_outputs()}
        if ranks.get("sentence_embedding") == 2:
            return "sentence_embedding", False
        per_token = [name for name, rank in ranks.items() if rank == 3]
        if directory.dense and per_token:
            raise self._failed(f"{directory.name} has layers behind the pooling that its graph lacks")
        for name in ("last_hidden_state", "token_embeddings", *per_token):
            if name in per_token:
                return name, True
        whole = [name for name, rank in ranks.items() if rank == 2]
        if not whole:
            raise self._failed(f"{directory.name} is no embedding model: its graph gives {', '.join(ranks)}")
        return whole[0], False

    def _width(self, directory: OnnxDirectory) -> int:
        """Return the numbers in a vector, by the graph's own word or by a try; what the directory says must agree."""
        shape = next(entry.shape for entry in self._session.get_outputs() if entry.name == self._output)
        width = shape[-1]
        if not isinstance(width, int):
            vector = self._run_and_pool("one")
            width = 0
            if vector is not None:
                width = len(vector)
        if directory.dimensions not in (None, width):
            raise self._failed(f"{directory.name} says {directory.dimensions} dimensions, and its graph gives {width}")
        return width

    def _failed(self, why: str) -> ProviderFailed:
        return ProviderFailed("local", why, _REMEDY)


def _pool(tokens: NDArray[np.float32], pooling: Pooling) -> NDArray[np.float32]:
    """Make one vector from those of the tokens; none of them is padding."""
    vector: NDArray[np.float32]
    match pooling:
        case Pooling.CLS:
            vector = tokens[0]
        case Pooling.LAST:
            vector = tokens[-1]
        case Pooling.MAX:
            vector = tokens.max(0)
        case Pooling.MEAN:
            vector = tokens.mean(0)
    return vector


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]
