"""A light English stemmer: plural, past and continuous forms meet, and nothing else is cut off.

These are the inflection steps of M. F. Porter's algorithm of 1980 (1a, 1b and 5a). The derivational steps are
left out on purpose: they make "general" and "generate" one word, which costs more than it finds. Verbs and nouns that
change inside have a table, without those whose forms are words of their own ("found", "left", "saw").
"""

from __future__ import annotations

from functools import lru_cache

__all__ = ["stem"]

_VOWELS = "aeiou"
_FAMILIES = (
    "become became; begin began begun; bend bent; bite bitten; bleed bled; blow blew blown; break broke broken; "
    "breed bred; bring brought; build built; buy bought; catch caught; child children; choose chose chosen; cling "
    "clung; come came; creep crept; criterion criteria; deal dealt; dig dug; do did done; draw drew drawn; dream "
    "dreamt; drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen; feed fed; feel felt; fight "
    "fought; flee fled; fly flew flown; foot feet; forget forgot forgotten; forgive forgave forgiven; freeze "
    "froze frozen; get got gotten; give gave given; go went gone; goose geese; grow grew grown; hang hung; hear "
    "heard; hide hid hidden; hold held; keep kept; kneel knelt; knife knives; know knew known; lead led; learn "
    "learnt; lend lent; lose lost; make made; man men; meet met; mistake mistook mistaken; mouse mice; overcome "
    "overcame; pay paid; phenomenon phenomena; ride rode ridden; rise risen; run ran; say said; see seen; seek "
    "sought; sell sold; send sent; sew sewn; shake shook shaken; shelf shelves; shoot shot; show shown; shrink "
    "shrank shrunk; sing sang sung; sink sank sunk; sit sat; sleep slept; slide slid; speak spoke spoken; spend "
    "spent; stand stood; steal stole stolen; stick stuck; strike struck; swear swore sworn; sweep swept; swim "
    "swam swum; swing swung; take took taken; teach taught; tear tore torn; tell told; think thought; throw threw "
    "thrown; tooth teeth; understand understood; wake woke woken; wear wore worn; weave wove woven; weep wept; "
    "wife wives; win won; withdraw withdrew withdrawn; wolf wolves; woman women; write wrote written"
)
_IRREGULAR = {form: first for first, *forms in map(str.split, _FAMILIES.split(";")) for form in forms}


def _consonant(word: str, i: int) -> bool:
    letter = word[i]
    if letter in _VOWELS:
        return False
    return letter != "y" or i == 0 or not _consonant(word, i - 1)


def _measure(word: str) -> int:
    """Return how many vowel-consonant sequences the word has."""
    count, after_vowel = 0, False
    for i in range(len(word)):
        if not _consonant(word, i):
            after_vowel = True
        elif after_vowel:
            count += 1
            after_vowel = False
    return count


def _short_end(word: str) -> bool:
    """Say whether it ends in consonant, vowel, consonant (not w, x, y): such a stem wants its e back."""
    end = len(word) - 1
    return (
        end >= 2
        and _consonant(word, end)
        and not _consonant(word, end - 1)
        and _consonant(word, end - 2)
        and word[end] not in "wxy"
    )


def _has_vowel(word: str) -> bool:
    return any(not _consonant(word, i) for i in range(len(word)))


@lru_cache(maxsize=32_768)
def stem(word: str) -> str:
    """Return the stem of a lower-case ASCII word; short words and words in doubt stay whole."""
    word = _IRREGULAR.get(word, word)
    if len(word) <= 3 or len(word) > 40 or word[-1] not in "sdge":
        return word
    word = _plural(word)
    word = _past_and_continuous(word)
    if word.endswith("e") and len(word) > 3:
        rest = word[:-1]
        measure = _measure(rest)
        if measure > 1 or (measure == 1 and not _short_end(rest)):
            word = rest
    return word


def _plural(word: str) -> str:
    if not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("ies"):
        return word[:-3] + ("y" if len(word) > 4 else "ie")
    return word[:-1]


def _past_and_continuous(word: str) -> str:
    if word.endswith("ied"):
        return word[:-3] + ("y" if len(word) > 4 else "ie")
    if word.endswith("eed"):
        if _measure(word[:-3]) <= 0:
            return word
        return word[:-1]
    for ending in ("ed", "ing"):
        if word.endswith(ending):
            rest = word[: -len(ending)]
            if len(rest) > 2 and _has_vowel(rest):
                return _mend(rest)
            return word
    return word


def _mend(rest: str) -> str:
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if rest[-1] == rest[-2] and _consonant(rest, len(rest) - 1) and rest[-1] not in "lsz":
        return rest[:-1]
    if _measure(rest) == 1 and _short_end(rest):
        return rest + "e"
    return rest
