"""A word → the form in which its spellings meet: case, accents, points, and the endings its script puts on.

The script decides the rules, since nothing says the language. Arabic, Devanagari, Cyrillic and Greek have a list of
endings each; what is left of a word must be long enough to mean something. There is no table of exceptions: note and
question are cut alike, and that is all that counts. Latin words only lose their accents, since the script does not tell
the language; `stem` then takes care of English.
"""

from __future__ import annotations

import re
import unicodedata

__all__ = ["fold"]

# Letters without a decomposition that people type as the plain one.
_LATIN_FORMS = str.maketrans({"ı": "i", "đ": "d", "ł": "l", "ø": "o", "ħ": "h", "ŧ": "t"})
# Points and the tatweel are decoration; the forms of alef, yeh, kaf and the last heh are written one for the other.
_ARABIC_FORMS = str.maketrans(
    {
        **dict.fromkeys(map(chr, (0x640, 0x670, *range(0x610, 0x61B), *range(0x64B, 0x660), *range(0x6D6, 0x6EE)))),
        **dict.fromkeys("أإآٱ", "ا"),
        **dict.fromkeys("ىیېئ", "ي"),
        **dict.fromkeys("ةہ", "ه"),
        "ک": "ك",
        "ؤ": "و",
    }
)
_ARABIC_ARTICLES = ("وال", "بال", "كال", "فال", "ولل", "ال", "لل")
# The nukta, the two signs of a nasal and the length of i and u differ from writer to writer.
_DEVANAGARI_FORMS = str.maketrans({"\u093c": None, "ँ": "ं", "ी": "ि", "ू": "ु", "ई": "इ", "ऊ": "उ"})
_NASAL = re.compile("[ङञणनम]्(?=[क-ह])")


def _by_length(endings: str) -> dict[int, frozenset[str]]:
    """Return the endings of each length, the longest first."""
    found = endings.split()
    return {
        size: frozenset(ending for ending in found if len(ending) == size)
        for size in range(max(map(len, found)), 0, -1)
    }


_ARABIC = _by_length("ها ان ات ون ين يه ه ي")
_DEVANAGARI = _by_length(
    "ाएंगि ाएंगे ाऊंगि ाऊंगा ाएगि ाएगा ाओगि ाओगे एंगि ेंगि एंगे ेंगे ुंगि ुंगा ातिं नाओं नाएं ताओं ताएं ियां ियों "
    "ाकर ाइए ाइं ाया ेगि ेगा ोगि ोगे ाने ाना ाते ाति ाता तिं ाओं ाएं ुओं ुएं ुआं "
    "कर ाओ िए ाइ ाए ने नि ना ते िं ति ता ां ों ें ो े ु ि ा"
)
# Cases, adjectives and some verbs of Russian and Ukrainian. The short ends of verbs and the articles of Bulgarian are
# the ends of too many other words.
_CYRILLIC = _by_length(
    "остями остях остям остью остей ость ости иями ться "
    "ями ами иях ией иям ием ого его ому ему ыми ими ить ать ять еть ете ишь ешь ует уют ают яют ает яет "
    "ала ало али ила или ило ела ели ело тся лся лась лось лись "
    "ях ах ям ам ом ем ов ев ів їв ей ой ий ый ій ая яя ое ее ые ие ых их ую юю ою ею ия ию ии ье ью ья ьи "
    "ть ът а я о е и ы у ю ь й і ї є"
)
_GREEK = _by_length(
    "ματων ματοσ οντασ ματα ουμε ονται ουνε ηκαν ησαν εται ουσ εισ εωσ ηκε ησε ουν ιων ιου ιοσ ιεσ "
    "οσ ου ον οι ων ασ εσ ησ ει αν εν α η ο ι ε υ"
)


def fold(word: str) -> str:
    """Lower case, without decoration and, outside the Latin script, without its ending."""
    if word.isascii():
        return word.lower()
    word = word.casefold()
    first = word[0]
    if first < "\u0370":
        return _plain(word).translate(_LATIN_FORMS)
    if first < "\u0400" or "\u1f00" <= first < "\u2000":
        return _without(_plain(word), _GREEK, 3)
    if first < "\u0530":
        # Not all marks: й and ї are letters of their own.
        return _without(word.replace("ё", "е").replace("\u0301", ""), _CYRILLIC, 3)
    if "\u0590" <= first < "\u0600":
        return "".join(letter for letter in word if not "\u0591" <= letter <= "\u05c7")
    if "\u0600" <= first < "\u0700":
        return _arabic(word.translate(_ARABIC_FORMS))
    if "\u0900" <= first < "\u0980":
        return _without(_NASAL.sub("ं", word.translate(_DEVANAGARI_FORMS)), _DEVANAGARI, 2)
    return word


def _plain(word: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFD", word) if not "\u0300" <= letter <= "\u036f")


def _without(word: str, endings: dict[int, frozenset[str]], least: int) -> str:
    for size, those in endings.items():
        if len(word) - size >= least and word[-size:] in those:
            return word[:-size]
    return word


def _arabic(word: str) -> str:
    """Return an Arabic word without "and", the article and one ending."""
    if len(word) > 3 and word[0] == "و":
        word = word[1:]
    for article in _ARABIC_ARTICLES:
        if word.startswith(article) and len(word) - len(article) >= 2:
            word = word[len(article) :]
            break
    return _without(word, _ARABIC, 3 if len(word) > 4 else 2)
