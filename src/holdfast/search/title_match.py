"""Decide whether a question names a note or a heading: by path, file name, title or heading. Such a hit ranks first.

Letter case and punctuation do not count. What ranks first must be sure: a title that is a common word counts only when
nothing else was asked, and a title inside a longer question only in quotes or when it is long enough to be no chance.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from unicodedata import normalize

from holdfast.index.store_contract import StoredChunk
from holdfast.pattern import compile_late
from holdfast.search.small_words import SMALL_WORDS

__all__ = ["TitleMatcher", "exact"]

_MOST_CHARACTERS = 2_000
_LONG = 3  # words; a name of so many, two of them telling, does not stand in a question by chance
_QUOTED = compile_late(r"[\"“”„«»`‘]([^\"“”„«»`‘’\n]{1,200})[\"“”„«»`’]|「([^」\n]{1,200})」|『([^』\n]{1,200})』")
_HEADING = compile_late(r"#{1,6}[ \t]+([^\n]{1,300}?)[ \t#]*")
_HEADINGS = compile_late(r"\n(#{1,6}[ \t]+([^\s#]*)[^\n]*)")
_PATHS = compile_late(r"[^\s\"'“”`<>|]{1,300}")
# What people write before or after the name of what they want to see.
_LEADS = frozenset(
    "a about an bring can find for from give go i in is look me my note notes of on open our please print pull read "
    "search see show tell the to up us was we what whats where which you file document doc page section heading "
    "zeige zeig öffne lies die der das notiz datei ouvre montre la le note fichier abre muestra el nota archivo".split()
)
# Headings and titles that half of all notes have: they name nothing.
_COMMON = frozenset(
    "about actions agenda background changelog conclusion context daily decision decisions details faq goals history "
    "home ideas index info inbox intro introduction journal links list log memory misc next note notes overview plan "
    "plans project projects question questions readme reference references resources results review section session "
    "sessions setup status steps summary task tasks test tests title todo todos topic topics update updates usage user "
    "weekly work".split()
)
_SAYS_NOTHING = _LEADS | _COMMON | SMALL_WORDS


def exact(question: str, path: str, title: str = "", headings: Sequence[str] = ()) -> float:
    """Return 1 if the question names the note or the heading, else 0. For many notes, ask one `TitleMatcher`."""
    return TitleMatcher(question).score(path, title, headings)


class TitleMatcher:
    """A question, ready to be compared with many notes."""

    def __init__(self, question: str) -> None:
        question = question.strip()[:_MOST_CHARACTERS]
        self._words = _words(question)
        self._bare = _without_leads(self._words)
        self._quoted = frozenset(
            words for match in _QUOTED.finditer(question) if (words := _words(next(filter(None, match.groups()), "")))
        )
        found = (path.strip(".,;:!?()[]{}*") for path in _PATHS.findall(question))
        self.paths = tuple(dict.fromkeys(path for path in found if "/" in path or _extension(path)))
        """What looks like a path or a file name in the question: the store can be asked for these."""
        self._paths = frozenset(_fold(path) for path in self.paths)
        self._held = frozenset(self._words)
        self._known_places: dict[tuple[str, str, Sequence[str]], bool] = {}

    def score(self, path: str, title: str = "", headings: Sequence[str] = ()) -> float:
        """Return 1 if the question names this note, or one of the headings that a chunk stands under; else 0."""
        if not self._paths and self._held.isdisjoint(_first_words(path, title, tuple(headings))):
            return 0.0  # as almost always, and before anything is taken apart
        return float(self._names_file(path) or any(map(self._names, (title, *headings))))

    def calls(self, chunk: StoredChunk) -> bool:
        """Say whether the question names the chunk's note, a heading that it stands under, or one that stands in it."""
        place = chunk.path, chunk.title, chunk.headings
        named = self._known_places.get(place)
        if named is None:
            named = self._known_places[place] = self.score(*place) > 0.0
        return named or self._names_within(chunk.text)

    def calls_note(self, chunk: StoredChunk) -> bool:
        """Say whether the question names the chunk's note itself, by its path or its title."""
        return self._names_file(chunk.path) or self._names(chunk.title)

    def _names_within(self, text: str) -> bool:
        if "#" not in text:
            return False
        # Nothing is taken apart that begins with another word: chunks of two dozen headings are read by the dozen.
        for line, first in _HEADINGS.findall(f"\n{text}"):
            if first.lower() not in self._held and first.isalnum() and first.isascii():
                continue
            heading = _HEADING.fullmatch(line)
            if heading is not None and self._names(heading[1]):
                return True
        return False

    def _names_file(self, path: str) -> bool:
        if self._paths and self._names_path(_fold(path)):
            return True
        stem = _stem(path)
        # A stem with a number in it was made to be a name: it counts also inside a question.
        return self._names(stem, sure=True) and (re.search(r"\d", stem) is not None or self._names(stem))

    def _names_path(self, path: str) -> bool:
        bare = path.removesuffix(".md")
        for asked in self._paths:
            wanted = asked.removesuffix(".md")
            if bare == wanted or (bare.endswith("/" + wanted) and (_extension(asked) or wanted.count("/") > 0)):
                return True
        return False

    def _names(self, name: str, *, sure: bool = False) -> bool:
        words = _words(name)
        if not words or words[0] not in self._held or words[-1] not in self._held:
            return False
        if words in self._quoted and (len(words) > 1 or words[0] not in _COMMON):
            return True
        if words == self._words:
            return len(words) > 1 or words[0] not in _COMMON
        telling = sum(len(word) > 1 and word not in _SAYS_NOTHING for word in words)
        if not telling:
            return False
        if words == self._bare:
            return True
        long = len(words) >= _LONG and telling >= 2
        return ((sure and len(words) > 1) or long) and _holds(self._words, words)


def _holds(words: tuple[str, ...], name: tuple[str, ...]) -> bool:
    """Say whether the words of a name stand in a question, one after the other."""
    return f" {' '.join(name)} " in f" {' '.join(words)} "


def _without_leads(words: tuple[str, ...]) -> tuple[str, ...]:
    start, end = 0, len(words)
    while start < end and words[start] in _LEADS:
        start += 1
    while end > start and words[end - 1] in _LEADS:
        end -= 1
    return words[start:end]


@lru_cache(maxsize=1024)  # questions among them, which are long and new
def _words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[^\W_]+", _fold(text[:_MOST_CHARACTERS])))


@lru_cache(maxsize=4096)
def _first_words(path: str, title: str, headings: tuple[str, ...]) -> frozenset[str]:
    """Return the words that the names of a place begin with: who names it says one of them."""
    return frozenset(chain.from_iterable(map(_first_word, (_stem(path), title, *headings))))


def _first_word(name: str) -> Sequence[str]:
    first = name.partition(" ")[0]
    if first.isalnum() and first.isascii():
        return (first.lower(),)
    return _words(name)[:1]


def _fold(text: str) -> str:
    if text.isascii():
        return text.lower()
    return normalize("NFKC", normalize("NFKC", text).casefold())


def _extension(name: str) -> bool:
    return _fold(name).endswith(".md")


@lru_cache(maxsize=4096)
def _stem(path: str) -> str:
    name = path.rpartition("/")[2]
    if not _extension(name):
        return name
    return name[:-3]
