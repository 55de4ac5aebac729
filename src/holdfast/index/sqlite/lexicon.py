"""Tell what an edition knows of words: how many chunks hold one, which words are near one, and how to ask for them.

With a tokenizer of FTS5's own there is nothing to know: it gets the words as they were typed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from functools import cached_property

from holdfast.index.sqlite.connection import Connection
from holdfast.index.sqlite.expression import MatchExpression, WordCount, expression, quoted
from holdfast.index.store_contract import Identity, Word
from holdfast.index.typos import beginning, can_slip, guesses, near

__all__ = ["Lexicon", "rarity_of"]

_RARE = 2  # chunks; a word in more of them is no slip
_MOST_SLIPS = 4  # words of one question that are looked at for slips: each costs half a millisecond, once
_MOST_TERMS = 2_000  # looked at for one word
_LAST = "\U0010ffff"
_MOST_TYPED = 32
_MOST_THREES = 200
_LEAST_RARITY = 0.1  # where hardly a chunk is in the language, its words still tell which


def rarity_of(count: int, chunks: int) -> float:
    """Return the weight of a word that `count` of the chunks hold; one that none holds is the rarest possible."""
    if not count:
        return math.log(chunks + 1.0)
    count = min(count, chunks)
    return max(0.0, math.log((chunks - count + 0.5) / (count + 0.5)))


class Lexicon:
    """Answers from the vocabulary of FTS5, and remembers the answers while nothing changes."""

    def __init__(self, connection: Connection, number: int) -> None:
        self._connection = connection
        self._number = number
        self._rows: dict[tuple[str, bool], int] = {}
        self._near: dict[str, list[str]] = {}
        self._total = 0
        self._notes: int | None = None
        self._of: tuple[int, int] | None = None

    def total(self) -> int:
        """Return how many chunks there are, or were when the last one came."""
        version = self._connection.version()
        if version != self._of:
            self._rows, self._near, self._notes, self._of = {}, {}, None, version
            self._total = self._connection.one(f"SELECT max(id) FROM e{self._number}_chunks") or 0
        return self._total

    def notes(self) -> int:
        """Return how many notes there are."""
        self.total()
        if self._notes is None:
            self._notes = int(self._connection.one(f"SELECT count(*) FROM e{self._number}_notes"))
        return self._notes

    def has_terms(self, first: str, after: str) -> bool:
        """Say whether some chunk holds a term from `first` on and before `after`, by their code points."""
        vocabulary = f"e{self._number}_vocabulary"
        query = f"SELECT 1 FROM {vocabulary} WHERE term >= ? AND term < ? LIMIT 1"
        return bool(self._connection.all(query, (first, after)))

    def most_held(self, first: str, after: str) -> int:
        """Return how many chunks hold the commonest term from `first` on and before `after`."""
        self.total()
        key = (f"{first}{after}", True)
        if key not in self._rows:
            query = f"SELECT ifnull(max(doc), 0) FROM e{self._number}_vocabulary WHERE term >= ? AND term < ?"
            self._rows[key] = int(self._connection.one(query, (first, after)))
        return self._rows[key]

    @cached_property
    def tokenizer(self) -> str:
        """Return what cuts the words of this edition."""
        text = self._connection.one("SELECT identity FROM editions WHERE id = ?", (self._number,))
        if text:
            return Identity(*json.loads(text)).tokenizer
        return Identity(0, 0, 0).tokenizer

    def asked(self, words: Sequence[Word]) -> MatchExpression | None:
        """Return what to ask FTS5 for; None where nothing can be found."""
        if self.tokenizer != "holdfast":
            match = self._expression_as_typed(words)
            if not match:
                return None
            return MatchExpression(match)
        total = self.total()
        counted = [WordCount(word, self.count(word)) for word in (*words, *self._stand_ins(words))]
        return expression(counted, total)

    def _stand_ins(self, words: Sequence[Word]) -> list[Word]:
        """Return the parts of those words that no chunk holds whole."""
        known = {word.text for word in words}
        parts = (part for word in words if word.parts and not self.count(word) for part in word.parts)
        return [Word(part) for part in dict.fromkeys(parts) if part not in known]

    def any_of(self, words: Sequence[Word]) -> str:
        """Return an expression for what holds one of the words, whole; "" for no words."""
        if self.tokenizer != "holdfast":
            return self._expression_as_typed(words)
        return " OR ".join(quoted(word.text, prefix=word.prefix) for word in words)

    def _expression_as_typed(self, words: Sequence[Word]) -> str:
        """Return an expression of what was typed, for a tokenizer of FTS5's own."""
        # What was typed once stands in several words that the analyser has made of it, the heavy one first.
        typed: dict[str, Word] = {}
        for word in words:
            typed.setdefault(word.typed or word.text, word)
        parts: list[str] = []
        for text, word in list(typed.items())[:_MOST_TYPED]:
            if self.tokenizer == "trigram":
                if len(text) < 3:
                    terms = self._threes(text)
                else:
                    terms = [quoted(text)]
            else:
                terms = [quoted(text, prefix=word.prefix)]
            parts += terms * (2 if word.heavy else 1)
        return " OR ".join(parts)

    def with_near(self, words: Sequence[Word]) -> list[Word]:
        """Return the words, and light ones beside those that hardly any chunk holds."""
        if self.tokenizer != "holdfast":
            return list(words)
        self.total()
        known = {word.text for word in words}
        found: dict[str, Word] = {}
        looked = 0
        for word in words:
            if word.heavy or word.prefix or not can_slip(word.text) or self.count(word) > _RARE:
                continue
            looked += 1
            if looked > _MOST_SLIPS:
                break
            for text in self._near_of(word.text):
                if text not in known:
                    found[text] = Word(text, light=True)
        return [*words, *found.values()]

    def _threes(self, text: str) -> list[str]:
        """Return trigrams that begin with a text of one or two letters, which no trigram query can ask for."""
        low = text.lower()
        terms = self._connection.all(
            f"SELECT term FROM e{self._number}_vocabulary WHERE term >= ? AND term < ? LIMIT {_MOST_THREES}",
            (low, low + _LAST),
        )
        return [quoted(term) for (term,) in terms]

    def _near_of(self, text: str) -> list[str]:
        known = self._near.get(text)
        if known is None:
            head = beginning(text)
            terms = self._connection.all(
                f"SELECT term, doc FROM e{self._number}_vocabulary WHERE term >= ? AND term < ? LIMIT {_MOST_TERMS}",
                (head, head + _LAST),
            )
            terms += self._connection.all(
                f"SELECT v.term, v.doc FROM json_each(?) j CROSS JOIN e{self._number}_vocabulary v ON v.term = j.value",
                (json.dumps(guesses(text)),),
            )
            known = self._near[text] = near(text, terms)
        return known

    def learn(self, words: Iterable[Word]) -> None:
        """Count many words in one query, before each of them is asked for."""
        self.total()
        asked = (text for word in words if not word.prefix for text in word.text.split(" "))
        new = [text for text in dict.fromkeys(asked) if (text, False) not in self._rows]
        if not new:
            return
        held = self._connection.all(
            f"SELECT v.term, v.doc FROM json_each(?) j CROSS JOIN e{self._number}_vocabulary v ON v.term = j.value",
            (json.dumps(new),),
        )
        self._rows |= dict.fromkeys(((text, False) for text in new), 0)
        self._rows |= {(term, False): doc for term, doc in held}

    def count(self, word: Word) -> int:
        """Return how many chunks hold a word, or did when `total` was asked.

        For several words in a row, it counts the chunks that hold the rarest of them.
        """
        key = word.text, word.prefix
        rows = self._rows.get(key)
        if rows is None:
            *before, last = word.text.split(" ")
            where, values = ("term >= ? AND term < ?", (last, last + _LAST)) if word.prefix else ("term = ?", (last,))
            rows = int(
                self._connection.one(
                    f"SELECT ifnull(sum(doc), 0) FROM e{self._number}_vocabulary WHERE {where}", values
                )
            )
            for part in before:
                rows = min(rows, self.count(Word(part)))
            self._rows[key] = rows
        return rows

    def rarity_share(self, words: Sequence[Word], own: int) -> float:
        """Return how rare words are among the `own` chunks in their language, as a share of how rare among all.

        1 where most chunks are, or where it is not known how many.
        """
        chunks = self.total()
        if not own or 2 * own >= chunks:
            return 1.0
        rare = sum(rarity_of(self.count(word), chunks) for word in words)
        rare_of_own = sum(rarity_of(self.count(word), own) for word in words)
        if not rare:
            return 1.0
        return max(rare_of_own / rare, _LEAST_RARITY)
