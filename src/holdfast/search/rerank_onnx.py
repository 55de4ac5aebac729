"""A cross-encoder as the closer reader: an ONNX model of the owner's that reads question and text together.

It is laid out as the embedding models are (`pip install 'holdfast[onnx]'`): a graph for the classification of
sequences, and its tokenizer. With one label the score is its sigmoid, with two the share of the second.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdfast.embeddings.local.cores import available
from holdfast.embeddings.local.onnx_directory import OnnxDirectory, read_directory
from holdfast.embeddings.local.optional_packages import package
from holdfast.errors import BadAnswer, ProviderFailed, ProviderMissing
from holdfast.search.rerank import KEPT

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["ChosenReranker", "OnnxReranker"]

_INPUTS = ("input_ids", "attention_mask", "token_type_ids", "position_ids")
_REMEDY = f"Choose another model. {KEPT}"
_PACKAGES = ("onnxruntime", "tokenizers")
_CHARACTERS_A_TOKEN = 8  # more than a token has in any script; what is longer is cut before it is tokenized


class ChosenReranker:
    """The model that `memory.search.rerank.model` names, made when it is first asked.

    What keeps it from being made is a failure like any other: the hits keep their first order, and the result says why.
    """

    def __init__(self, directory: str, *, threads: int | None = None) -> None:
        self._place = Path(directory).expanduser()
        self._threads = threads
        self._made: OnnxReranker | None = None
        self._lock = threading.Lock()

    @property
    def model(self) -> str:
        """The name of the directory."""
        return self._place.name

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return a score for each text; raise `ProviderFailed` where the model can't be had, or can't answer."""
        return self._reader().score(question, texts)

    def lacks(self) -> str:
        """Return why the model can't be had.

        It is empty where its files and packages are there. Nothing is loaded for that.
        """
        try:
            self._reader()
            for name in _PACKAGES:
                if find_spec(name) is None:
                    from holdfast.settings.installation import install_advice

                    return f"the package {name} is not installed; {install_advice('onnx')}"
        except ProviderFailed as failure:
            return failure.why
        return ""

    def _reader(self) -> OnnxReranker:
        with self._lock:
            if self._made is None:
                try:
                    self._made = OnnxReranker(self._place, threads=self._threads)
                except ProviderFailed as failure:  # its advice is for who wants vectors
                    raise ProviderMissing("local", failure.why, f"Mend memory.search.rerank.model. {KEPT}") from None
            return self._made


class OnnxReranker:
    """Scores with the model of a directory; it is loaded when the first text comes, and threads may share it."""

    def __init__(self, directory: Path | str, *, threads: int | None = None) -> None:
        self._directory = read_directory(Path(directory))
        self._threads = threads or available()
        self._loaded: _CrossEncoder | None = None
        self._lock = threading.Lock()

    @property
    def model(self) -> str:
        """The name of the directory."""
        return self._directory.name

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return a score for each text; where question and text together are too long, the longer is cut."""
        if not texts:
            return []
        with self._lock:
            model = self._loaded = self._loaded or _CrossEncoder(self._directory, self._threads)
        longest = self._directory.max_length * _CHARACTERS_A_TOKEN
        return [model.score(_plain(question[:longest]), _plain(text[:longest])) for text in texts]


class _CrossEncoder:
    """The session and the tokenizer, ready; one pair at a time, as the embedder does, and for the same reasons."""

    def __init__(self, directory: OnnxDirectory, threads: int) -> None:
        try:
            onnxruntime, tokenizers = (package(name, "onnx") for name in _PACKAGES)
        except ProviderMissing as missing:  # its advice is for who wants vectors
            from holdfast.settings.installation import install_advice

            raise ProviderMissing("local", missing.why, f"To have it, {install_advice('onnx')}. {KEPT}") from None
        self._name = directory.name
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        options.log_severity_level = 3
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            self._session = onnxruntime.InferenceSession(
                str(directory.graph), options, providers=["CPUExecutionProvider"]
            )
            self._tokenizer = tokenizers.Tokenizer.from_file(str(directory.tokenizer))
            self._tokenizer.no_padding()
            self._tokenizer.enable_truncation(directory.max_length, strategy="longest_first")
        except Exception as error:  # both raise whatever their native code gives them
            raise self._failed(f"{directory.name} can't be loaded ({_first_line(error)})") from error
        self._inputs = {entry.name: entry for entry in self._session.get_inputs()}
        unknown = sorted(self._inputs.keys() - set(_INPUTS))
        outputs = [entry for entry in self._session.get_outputs() if entry.name == "logits"]
        outputs = outputs or self._session.get_outputs()[:1]
        ranks = [len(entry.shape or ()) for entry in outputs]
        if unknown or "input_ids" not in self._inputs or ranks not in ([1], [2]):
            raise self._failed(f"{directory.name} is no cross-encoder: it takes {', '.join(self._inputs)}")
        self._output = outputs[0].name

    def score(self, question: str, text: str) -> float:
        """Return the score of one pair."""
        try:
            encoded = self._tokenizer.encode(question, text)
            if not encoded.ids:
                return 0.0
            found = self._session.run([self._output], self._feed(encoded))[0].reshape(-1)
        except Exception as error:
            raise self._failed(f"{self._name} could not read a text ({_first_line(error)})") from error
        if found.size not in (1, 2):
            raise self._failed(f"{self._name} is no cross-encoder: it has {found.size} labels, not one or two")
        if found.size == 1:
            logit = float(found[0])
        else:
            logit = float(found[1]) - float(found[0])
        if not math.isfinite(logit):
            raise BadAnswer("local", f"{self._name} gave a score that is no number", _REMEDY)
        if logit >= 0:
            return 1.0 / (1.0 + math.exp(-logit))
        odds = math.exp(max(logit, -700.0))
        return odds / (1.0 + odds)

    def _feed(self, encoded: Any) -> dict[str, NDArray[Any]]:
        import numpy as np

        fixed = self._inputs["input_ids"].shape[-1]
        if isinstance(fixed, int):
            length = fixed
        else:
            length = len(encoded.ids)
        rows = (encoded.ids, encoded.attention_mask, encoded.type_ids, range(len(encoded.ids)))
        feed: dict[str, NDArray[Any]] = {}
        for name, values in zip(_INPUTS, rows, strict=True):
            if name in self._inputs:
                given = np.asarray(list(values)[:length], np.int64)
                if "int32" in self._inputs[name].type:
                    given = given.astype(np.int32)
                feed[name] = np.pad(given, (0, length - len(given)))[None, :]
        return feed

    def _failed(self, reason: str) -> ProviderFailed:
        return ProviderFailed("local", reason, _REMEDY)


def _plain(text: str) -> str:
    """Replace half characters: the tokenizer takes none."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]
