"""A word that the notes (almost) never use → the words of theirs that it may stand for.

Near is what a slip of the finger makes of a word (one letter more, less, other, or two that changed places; two such
slips in a long word), and what only ends otherwise, which helps in all the languages that we have no endings of.
Nothing here knows the index: who does asks it for `beginning` and `guesses`, and lets `near` judge what it finds.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["beginning", "can_slip", "guesses", "near"]

_SHORTEST = 5  # in shorter words a letter is too much of the word: "code" is not "mode"
_LONG = 8
_MOST = 4  # near words of one word; more dilute the question
_SURE = 4  # letters at the beginning of all the words that `beginning` asks for
_SAME = 0.7  # of a word must be its beginning for another to be a form of it
_OTHER_END = 3  # letters at the end that may differ then

_ALPHABETS = (
    ("a", "z", "abcdefghijklmnopqrstuvwxyz"),
    ("α", "ω", "αβγδεζηθικλμνξοπρστυφχψω"),
    ("а", "ґ", "абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґ"),
    ("ء", "ي", "ءابتثجحخدذرزسشصضطظعغفقكلمنهوي"),
)


def can_slip(word: str) -> bool:
    """Say whether a word is long enough, and a word: an id or a number that is one letter off is another one."""
    return len(word) >= _SHORTEST and word.isalpha() and word[0] < "\u2e80"


def beginning(word: str) -> str:
    """Return what most of the near words begin with."""
    return word[:_SURE]


def guesses(word: str) -> list[str]:
    """Return the words with one slip within their beginning, whether they exist or not."""
    letters = next((alphabet for first, last, alphabet in _ALPHABETS if first <= word[0] <= last), "")
    spellings: list[str] = []
    for at in range(_SURE):
        before, here, after = word[:at], word[at], word[at + 1 :]
        spellings.append(before + after)
        spellings.append(before + after[:1] + here + after[1:])
        spellings += [before + letter + after for letter in letters]
        spellings += [before + letter + here + after for letter in letters]
    return [guess for guess in dict.fromkeys(spellings) if guess != word]


def near(word: str, terms: Iterable[tuple[str, int]]) -> list[str]:
    """Return the nearest of some words of the index, each with the number of chunks that hold it; nearest first."""
    found: list[tuple[int, int, str]] = []
    for term, count in terms:
        if term != word and term.isalpha():
            distance = _distance(word, term)
            if distance is not None:
                found.append((distance, -count, term))
    return list(dict.fromkeys(term for _, _, term in sorted(found)))[:_MOST]


def _distance(word: str, term: str) -> int | None:
    """Return how far apart two words are, by slips or by their ends; None for too far."""
    shorter = min(len(word), len(term))
    same = 0
    while same < shorter and word[same] == term[same]:
        same += 1
    left, right = word[same:], term[same:]
    if len(word) >= _LONG:
        slips = 2
    else:
        slips = 1
    if abs(len(left) - len(right)) <= slips:
        by_slips = _slips(left, right, slips)
    else:
        by_slips = slips + 1
    if by_slips <= slips:
        return by_slips
    if max(len(left), len(right)) <= _OTHER_END and same >= max(_SURE, _SAME * len(word)):
        return len(left) + len(right)
    return None


def _slips(left: str, right: str, most: int) -> int:
    """Return Damerau's distance (letters that change places count once) of what differs.

    A distance above `most` is not counted out.
    """
    while left and right and left[-1] == right[-1]:
        left, right = left[:-1], right[:-1]
    if max(len(left), len(right)) > (2 if most == 1 else _LONG):  # the slips may stand apart; that far, they hardly do
        return most + 1
    before: list[int] = []
    above = list(range(len(right) + 1))
    for i, letter in enumerate(left, 1):
        row = [i]
        for j, typed in enumerate(right, 1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (letter != typed))
            if i > 1 and j > 1 and letter == right[j - 2] and left[i - 2] == typed:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, above = above, row
    return above[-1]
