"""Text → words, for the index and for the query alike: what one side writes, the other must find.

Plain words are folded and stemmed lightly. An identifier (`INC-43948-QJV`, `v3.76.30-rc7`, `snake_case`,
`camelCase`, an address, a path) is kept whole and also split. Scripts written without spaces become overlapping
pairs, and the last character stands alone, so that every character starts some word and one character can be
looked for by its prefix. An emoji is a word.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from holdfast.index.stemmer import stem
from holdfast.pattern import compile_late

__all__ = ["ANALYSER", "SHARED_ANALYSER", "Analyser", "is_spaceless"]

# Part of the index's identity: raise it whenever the words that come out change.
ANALYSER = 4

# Marks that \w leaves out although words are made with them: accents, Hebrew and Arabic points, Indic and
# South-East Asian vowel signs. Without them a Hindi or Thai word falls apart into consonants.
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983"
    "\u09bc-\u09cd\u0a01-\u0a03\u0a3c-\u0a4d\u0a81-\u0a83\u0abc-\u0acd\u0b01-\u0b03\u0b3c-\u0b4d\u0bbe-\u0bcd"
    "\u0c00-\u0c04\u0c3e-\u0c4d\u0c81-\u0c83\u0cbc-\u0ccd\u0d00-\u0d03\u0d3b-\u0d4d\u0dca-\u0ddf\u0e31\u0e34-\u0e3a"
    "\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd\u102b-\u103e\u17b4-\u17d3\u200c\u200d"
)
# A flag is made of two letters of its own; signs that only colour or join pictures are left out.
_PICTURES = "\u231a-\u23ff\u2600-\u27bf\u2b05-\u2b55\U0001f004-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001faff"
_WORD = compile_late(
    r"[a-zA-Z]{1,8}(?:\+\+|#)(?![\w#+])"  # C++ and C# are other languages than C
    rf"|[\w{_MARKS}]+(?:[-.:/@+#'’&]{{1,3}}[\w{_MARKS}]+)*"
    rf"|[\U0001f1e6-\U0001f1ff]{{2}}|[{_PICTURES}]"
)
_SPACELESS = (
    "\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_EDGES = "_-.:/@+#'’&"
_JOINTS = str.maketrans(dict.fromkeys("-.:/@+#&_", " "))
_HUMPS = compile_late(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_POSSESSIVE = compile_late(r"['’][sS]\b")
# English takes these together: don't, we're. Elsewhere an apostrophe parts an article or an ending from its word:
# l'eau, dell'arte, Ankara'da.
_CONTRACTED = compile_late(r"['’](?=(?:t|re|ve|ll|d|m)\b)", re.IGNORECASE)
_APOSTROPHES = str.maketrans("'’", "  ")
_ASIDE = str.maketrans(dict.fromkeys("\u00ad\u200c\u200d"))  # soft hyphen and joiners: they shape, and say nothing
_DIGITS = str.maketrans({chr(zero + n): str(n) for zero in (0x660, 0x6F0, 0x966, 0x9E6) for n in range(10)})

_MAX_WORD = 80  # longer runs are data (base64, keys, minified code): their pieces are kept, cut to this
_MAX_PIECES = 64
_MAX_REMEMBERED = 16_384  # and as many older ones, some 5 MB in all: a server meets new words as long as it runs
_MANY_REMEMBERED = 131_072  # while many notes are read: then they are forgotten
_PUNCTUATION = ".,;:!?()[]{}<>\"'`*|=~"


@cache
def _spaceless() -> re.Pattern[str]:
    """Return a pattern that is compiled when a word first needs it.

    Such large classes cost milliseconds, which most commands can save.
    """
    return re.compile(f"([{_SPACELESS}]+)")


def is_spaceless(text: str) -> bool:
    """Say whether a word starts in a script that is written without spaces between words."""
    return not text.isascii() and _spaceless().match(text) is not None


class Analyser:
    """Turns text into index words; remembers the words it has seen of late, because text repeats itself."""

    def __init__(self) -> None:
        self._seen = _Seen()
        self._limit = _MAX_REMEMBERED

    def index(self, text: str) -> str:
        """Return the words of a text, separated by spaces, in order."""
        # No word holds white space, so the text is first cut there, which is many times quicker than the pattern,
        # and the pattern only sees each piece once.
        seen = self._seen
        if seen.count() > self._limit:
            seen = self._seen = _Seen(seen)
        return " ".join(map(seen.__getitem__, text.split()))

    def remembered(self) -> int:
        """Return how many words it knows without looking at them."""
        older = self._seen.older
        return self._seen.count() + (0 if older is None else older.count())

    def remember_many(self) -> None:
        """Remember more words until `forget`: reading many notes pays that back."""
        self._limit = _MANY_REMEMBERED

    def forget(self) -> None:
        """Give back the memory that the words take; they are learnt again when needed."""
        self._limit = _MAX_REMEMBERED
        self._seen = _Seen()

    def query(self, text: str) -> list[tuple[str, list[str]]]:
        """Return each word of a question as it was typed, with the index words it stands for."""
        return [(raw, words.split(" ")) for raw in _WORD.findall(text) if (words := _analyse(raw))]


class _Seen(dict[str, str]):
    """Maps what stands between two spaces to its index words; what it does not hold it takes from an `older` one."""

    def __init__(self, older: _Seen | None = None) -> None:
        super().__init__()
        self.words: dict[str, str] = {}  # parts of what stands between two spaces
        self.older = older
        if older is not None:
            older.older = None  # what was not met for so long is forgotten

    def count(self) -> int:
        return len(self) + len(self.words)

    def __missing__(self, piece: str) -> str:
        older = self.older  # another thread may let go of it
        words = None if older is None else older.get(piece)
        if words is None:
            words = self._learn(piece)
        self[piece] = words
        return words

    def _learn(self, piece: str) -> str:
        bare = piece.strip(_PUNCTUATION)
        if not (bare.isascii() and bare.isalnum()):
            return " ".join(map(self._word, _WORD.findall(piece)))
        if bare == piece:
            return _analyse(bare)
        return self[bare]

    def _word(self, raw: str) -> str:
        words = self.words.get(raw)
        if words is None:
            older = self.older
            words = None if older is None else older.words.get(raw)
            if words is None:
                words = _analyse(raw)
            self.words[raw] = words
        return words


SHARED_ANALYSER = Analyser()
"""The analyser that all readers in a process share: several would learn the same words and hold each as often."""


def _analyse(raw: str) -> str:
    if raw.isascii():
        low = raw.lower()
        if raw == low or raw.isupper() or raw.istitle():
            if low.isalpha():
                return stem(low)[:_MAX_WORD]
            if low.isalnum():
                return low[:_MAX_WORD]
            raw = low
        if raw[-1] in "+#":
            return f"{low} {low.rstrip('+#')}"
    else:
        raw = unicodedata.normalize("NFKC", raw).translate(_ASIDE).translate(_DIGITS)
    private = raw.startswith("_")
    raw = raw.strip(_EDGES)
    parted = "'" in raw or "’" in raw
    if parted:
        raw = _CONTRACTED.sub("", _POSSESSIVE.sub("", raw)).translate(_APOSTROPHES)
    pieces = raw.translate(_JOINTS).split()
    if parted and len(pieces) > 1:
        pieces = [piece for piece in pieces if len(piece) > 1] or pieces
    if not pieces:
        return ""
    words: list[str] = []
    if (parted or len(pieces) > 1) and len(raw) <= _MAX_WORD:
        words.append(_fold(raw.replace(" ", "") if parted else raw))
    elif private and len(raw) < _MAX_WORD:
        words.append("_" + _fold(raw))  # `_tries` is a name; "try" is what its stem finds
    for piece in pieces[:_MAX_PIECES]:
        if piece.isascii() and (piece.islower() or piece.isdigit()):
            words.append((stem(piece) if piece.isalpha() else piece)[:_MAX_WORD])
        else:
            words.extend(_piece(piece))
    return " ".join(filter(None, dict.fromkeys(words)))  # a lone accent folds to nothing


def _piece(piece: str) -> list[str]:
    if not piece.isascii() and _spaceless().search(piece):
        runs = _spaceless().split(piece)  # the odd ones are in such a script
        return [
            word for i, run in enumerate(runs) if run for word in (_pairs(run) if i % 2 else [_fold(run)[:_MAX_WORD]])
        ]
    folded = _fold(piece)
    if folded.isascii() and folded.isalpha():
        whole = stem(folded)
    else:
        whole = folded
    if piece.isascii():
        if not (piece.islower() or piece.isupper() or piece.istitle()):
            humps = [stem(hump.lower()) for hump in _HUMPS.findall(piece) if len(hump) > 1]
            if len(humps) > 1:
                return [whole[:_MAX_WORD], *humps[:_MAX_PIECES]]
    elif _is_toned(piece):
        return [unicodedata.normalize("NFC", piece.casefold())[:_MAX_WORD], whole[:_MAX_WORD]]
    return [whole[:_MAX_WORD]]


def _fold(word: str) -> str:
    if word.isascii():
        return word.lower()
    from holdfast.index.word_fold import fold  # its tables take half a millisecond, which most questions can save

    return fold(word)


def _is_toned(word: str) -> bool:
    """Say whether a word has letters of Vietnamese, where a mark makes another word.

    Most people type them, some don't.
    """
    return any("\u1ea0" <= letter <= "\u1ef9" or letter in "ơưđƠƯĐ" for letter in word)


def _pairs(run: str) -> list[str]:
    """Return overlapping pairs, and the last character alone."""
    return [run[i : i + 2] for i in range(len(run))]
