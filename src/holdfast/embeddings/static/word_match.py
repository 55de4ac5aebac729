"""A closer look with the embedded model: how well each word of a question is met by some word of a text.

One vector for a whole text blurs what it says; its word pieces do not. For each piece of the question the nearest piece
of the text counts, weighed by how telling the piece is. Where both are English the pieces of the English table meet, in
any other case those of the table for many languages. It needs no model but the one that is here already, so it also
looks over the shoulder of a provider that knows the notes by other vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from struct import Struct
from typing import TYPE_CHECKING, Any, TypeAlias

from holdfast.embeddings.static.piece_arrays import LETTERS, Words
from holdfast.embeddings.static.token_tables import Part
from holdfast.named_tuple import NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Closer"]

Foreign: TypeAlias = Callable[[Any], Any]
"""How foreign lines are, 0 to 1, by what `Words` counts of them."""

_REMEMBERED = 2 * 1024 * 1024  # bytes of the texts' pieces, some 700 a text with its hash; and as much of older ones
_ENTRY = 180  # bytes that a hash, a text's pieces and their place take beside what they hold
_QUESTIONS_REMEMBERED = 256  # more than the null has, which every home is asked
_DEGREE = Struct("d")
_SMALL = 200_000  # multiplications that OpenBLAS still does in the calling thread


class _TextPieces(NamedTuple):
    """A text's distinct pieces, and how English it is: 0 where half of it is in another language."""

    pieces: NDArray[np.int32]
    degree: float


class Closer:
    """Scores texts for a question, 0 to 1; remembers the pieces of the texts it has seen."""

    def __init__(self, words: Words, parts: Sequence[Part], asked: Foreign, written: Foreign) -> None:
        """`asked`, `written`: how foreign questions, and lines of texts, are."""
        import numpy as np

        self._np: Any = np
        self._words = words
        self._parts = parts
        self._asked = asked
        self._written = written
        # As bytes: a server meets new texts all day long, and several small objects of each, scattered over its heap,
        # would keep a multiple of their size of it.
        self._seen: dict[str, bytes] = {}
        self._older: dict[str, bytes] = {}
        self._bytes = 0
        self._questions: dict[str, _TextPieces] = {}

    def scores(self, question: str, texts: Sequence[tuple[str, str]]) -> list[float] | None:
        """Return a score for each text, given with the hash that it is remembered by.

        It is None where the question says nothing.
        """
        np = self._np
        asked = self._question(question)
        if not len(asked.pieces):
            return None
        held = self._pieces_of(texts)
        every, places = np.unique(
            np.concatenate([*(text.pieces for text in held), asked.pieces[:0]]), return_inverse=True
        )
        lengths = [len(text.pieces) for text in held]
        found = np.zeros(len(texts))
        for number, shares in enumerate(self._shares(asked, held)):
            if shares.any():
                found += shares * self._part_scores(number, asked.pieces, every, places, lengths)
        return [float(score) for score in found]

    def _question(self, text: str) -> _TextPieces:
        """Return a question's pieces, remembered or cut now."""
        if text not in self._questions:
            if len(self._questions) >= _QUESTIONS_REMEMBERED:
                self._questions.clear()
            (self._questions[text],) = self._cut([text], self._asked)
        return self._questions[text]

    def _pieces_of(self, texts: Sequence[tuple[str, str]]) -> list[_TextPieces]:
        """Return the texts' pieces, remembered or cut now."""
        if self._bytes > _REMEMBERED:
            self._older, self._seen, self._bytes = self._seen, {}, 0
        seen, older = self._seen, self._older
        missing = dict(pair for pair in texts if pair[0] not in seen)
        packs = {key: packed for key in missing if (packed := older.pop(key, None)) is not None}
        unknown = [key for key in missing if key not in packs]
        for key, cut in zip(unknown, self._cut([missing[key] for key in unknown], self._written), strict=True):
            packs[key] = _DEGREE.pack(cut.degree) + cut.pieces.tobytes()
        seen.update(packs)
        self._bytes += sum(len(key) + len(packed) + _ENTRY for key, packed in packs.items())
        read, kind = self._np.frombuffer, self._np.int32
        held = [seen[key] for key, _ in texts]
        return [_TextPieces(read(packed, kind, offset=_DEGREE.size), _DEGREE.unpack_from(packed)[0]) for packed in held]

    def remembered(self) -> int:
        """Return how many texts it knows without cutting them."""
        return len(self._seen) + len(self._older)

    def _cut(self, texts: Sequence[str], foreign: Foreign) -> list[_TextPieces]:
        np = self._np
        if not texts:
            return []
        lines = [text.split("\n") for text in texts]
        found = self._words.of([line for own in lines for line in own])
        starts = np.cumsum([0, *(len(own) for own in lines)])
        # Every piece once for each text: a piece of text n is counted as n x rows + piece.
        rows = self._words.offsets[-1]
        owners = np.searchsorted(starts, found.texts, side="right") - 1
        keys = np.sort(owners * rows + found.pieces)
        keys = keys[np.diff(keys, prepend=-1) > 0]
        bounds = np.searchsorted(keys, np.arange(len(texts) + 1) * rows).tolist()
        pieces = (keys % rows).astype(np.int32)
        # The table for many languages knows English too: where half of a text is in another, it looks at all of it. A
        # tenth is names and code.
        letters = found.sizes[:, -1, LETTERS]
        abroad = np.add.reduceat(letters * foreign(found.sizes), starts[:-1])
        shares = abroad / np.maximum(np.add.reduceat(letters, starts[:-1]), 1)
        degrees = np.minimum(np.maximum(1.25 - 2.5 * shares, 0.0), 1.0).tolist()
        return [
            _TextPieces(pieces[first:last], degree)
            for (first, last), degree in zip(pairwise(bounds), degrees, strict=True)
        ]

    def _shares(self, asked: _TextPieces, held: Sequence[_TextPieces]) -> list[Any]:
        """Return what each part counts for in each text; one that has no piece of the question counts for nothing."""
        np = self._np
        if len(self._parts) == 1:
            return [np.ones(len(held))]
        first = self._words.offsets[1]
        if asked.pieces[0] >= first:
            english = np.zeros(len(held))
        elif asked.pieces[-1] < first:
            english = np.ones(len(held))
        else:
            # A text without an English piece can't be met by one.
            degrees = [text.degree if len(text.pieces) and text.pieces[0] < first else 0.0 for text in held]
            english = asked.degree * np.array(degrees)
        return [english, 1.0 - english]

    def _part_scores(
        self,
        number: int,
        asked: NDArray[np.int32],
        every: NDArray[np.int32],
        places: NDArray[np.int64],
        lengths: Sequence[int],
    ) -> Any:
        """Return the scores by the pieces of one part."""
        np = self._np
        offset, end = self._words.offsets[number : number + 2]
        asked = asked[(asked >= offset) & (asked < end)] - offset
        first, last = np.searchsorted(every, (offset, end))
        found = np.zeros(len(lengths))
        if last == first:
            return found
        question_rows, norms = self._rows(number, asked)
        weights = norms * self._parts[number].scales[asked]
        weights = (weights / weights.sum() / norms).astype(np.float32)
        text_rows, norms = self._rows(number, every[first:last] - offset)
        near = np.empty((len(asked), len(text_rows)), np.float32)
        # In small products: for a large one numpy starts threads, which here cost more than they save.
        step = max(1, _SMALL // (len(asked) * text_rows.shape[1]))
        for at in range(0, len(text_rows), step):
            near[:, at : at + step] = question_rows @ text_rows[at : at + step].T
        near /= norms
        inside = np.flatnonzero((places >= first) & (places < last))
        owners = np.repeat(np.arange(len(lengths)), lengths)[inside]
        starts = np.flatnonzero(np.diff(owners, prepend=-1))
        nearest = np.ascontiguousarray(np.maximum.reduceat(near[:, places[inside] - first], starts, axis=1).T)
        # A product for each text: one for all would be rounded by where a text stands among the others.
        for place, row in zip(owners[starts].tolist(), nearest, strict=True):
            found[place] = weights @ row
        return found

    def _rows(self, number: int, pieces: NDArray[np.int32]) -> tuple[Any, Any]:
        """Return the vectors of a part's pieces, and their lengths."""
        np = self._np
        rows = self._parts[number].table[pieces].astype(np.float32)
        return rows, np.maximum(np.sqrt(np.vecdot(rows, rows)), 1.0)
