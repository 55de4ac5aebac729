"""The words of a question → what whole notes score: BM25 over notes instead of chunks."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from holdfast.index.sqlite.expression import quoted, weight_of
from holdfast.index.sqlite.lexicon import Lexicon
from holdfast.index.sqlite.passage_rows import PassageRows
from holdfast.index.sqlite.row_lengths import BY_LENGTH
from holdfast.index.store_contract import NoteShare, Within, Word

__all__ = ["SATURATED", "NoteScores"]

SATURATED = 2.2  # FTS5's k1 + 1: what a word gives when it stands in a chunk often enough
_COMMON = 1_000  # chunks
_MOST_NOTES = 200  # whose share is worked out


class NoteScores:
    """Scores the notes of one edition."""

    def __init__(self, passages: PassageRows, lexicon: Lexicon) -> None:
        self._passages = passages
        self._lexicon = lexicon

    def share(self, words: Sequence[Word], within: Within | None = None) -> NoteShare:
        """Return what each note scores, and what one could at the most, counted by the chunks that hold each word.

        A word that very many chunks hold tells little of a note, and would cost the most: it is left out. How rare a
        word is goes by all notes; but only those that lie `within` as a whole score, so that no note from elsewhere
        takes the place of one that may be given.
        """
        notes = self._lexicon.notes()
        named: Collection[int] = frozenset()
        if within is not None:
            named = frozenset(within.notes)
        found: list[tuple[float, Mapping[int, int]]] = []
        held: dict[str, int] = {}
        total = 0.0
        for word in words:
            if word.light or self._lexicon.tokenizer != "holdfast":
                continue
            count = self._lexicon.count(word)
            if not count:
                total += math.log(notes + 1.0) * SATURATED * weight_of(word)
                continue
            if count > _COMMON:
                held[word.text] = min(count, notes)
                continue
            times_in = self._passages.notes_matching(quoted(word.text, prefix=word.prefix))
            held[word.text] = len(times_in)
            rarity = max(0.0, math.log((notes - len(times_in) + 0.5) / (len(times_in) + 0.5))) * weight_of(word)
            total += rarity * SATURATED
            if within is not None:
                times_in = {note: times for note, times in times_in.items() if (note in named) is not within.all_but}
            found.append((rarity, times_in))
        return NoteShare(self._scores(found, notes), total, notes, held)

    def _scores(self, found: Sequence[tuple[float, Mapping[int, int]]], notes: int) -> dict[int, float]:
        """Return what the most telling notes score, given each word's rarity and how many chunks of a note hold it."""
        best = _most_telling(found)
        usual = self._lexicon.total() / max(notes, 1)
        slacks = {
            note: (SATURATED - 1.0) * (1.0 - BY_LENGTH + BY_LENGTH * length / usual)
            for note, length in zip(best, self._passages.lengths(best), strict=True)
        }
        scores = dict.fromkeys(best, 0.0)
        # It goes word by word: every search scores hundreds of notes, and most of them hold one of the words.
        for rarity, times_in in found:
            most = rarity * SATURATED
            for note, times in times_in.items():
                if note in scores:
                    scores[note] += most * times / (times + slacks[note])
        return scores


def _most_telling(found: Sequence[tuple[float, Mapping[int, int]]]) -> list[int]:
    """Return the notes whose words are the rarest together, as many as are worth a score."""
    every = set().union(*(times_in for _, times_in in found))
    if len(every) <= _MOST_NOTES:
        return sorted(every)
    rarities = dict.fromkeys(every, 0.0)
    for rarity, times_in in found:
        for note in times_in:
            rarities[note] += rarity
    return [note for _, note in sorted([(-rarity, note) for note, rarity in rarities.items()])[:_MOST_NOTES]]
