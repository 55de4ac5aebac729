"""Turn what a person or an agent typed into the words to look for.

The question is not a conjunction: any of its words may be the one that stands in the note, and BM25 weighs
them by how rare they are. Words that every sentence has are left out, unless the question has no others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import islice

from holdfast.errors import BadArgument, TooLarge
from holdfast.index.analyzer import Analyser, is_spaceless
from holdfast.index.store_contract import Word
from holdfast.search.small_words import SMALL_WORDS
from holdfast.value import Value

__all__ = ["MAX_QUERY_BYTES", "Question", "plain_question", "question_of", "words_of"]

MAX_QUERY_BYTES = 32 * 1024
_MAX_WORDS = 1024  # the index takes the rarest
_MAX_NAMES = 64  # ids taken from what stands around the question: of a log, most stand in no note
_SHORT = 200  # characters; what has no more holds nothing but the question
_SIGNS = ('"', "“", "„", "«", "「", "『", "*", " -")

_FLAG = r"(?<![\w-])--([a-zA-Z][\w-]+)"
_ANALYSER = Analyser()


class Question(Value):
    """Holds a question: its text without what stood around it, the words to look for, and those that must not be there.

    `phrases` are among the words, too; where the question was nothing but phrases, `strict` asks for chunks that hold
    them all, if there are any.
    """

    text: str
    words: tuple[Word, ...]
    phrases: tuple[Word, ...] = ()
    without: tuple[Word, ...] = ()
    strict: bool = False
    foreign: bool = False
    """Whether it is known to be in another language than English."""
    at_home: bool = False
    """Whether that is the language of most passages."""
    own_passages: int = 0
    """How many passages are in its language, by the words that are common in that; 0 where that is not known."""
    around: tuple[Word, ...] = ()
    """Those of the words that are ids in what stood around it, in their order."""

    @property
    def ids(self) -> tuple[Word, ...]:
        """The ids that the question is, where it is nothing else: there is no meaning in them to compare."""
        found = tuple(word for word in self.words if word.heavy)
        typed = {word.typed for word in found}
        alone = not self.phrases and all(word.heavy or (word.typed and word.typed in typed) for word in self.words)
        if alone:
            return found
        return ()


def question_of(typed: str) -> Question:
    """Understand what was typed; an empty or an endless question is refused."""
    if not typed.strip():
        raise BadArgument("query", "it is empty; say what you are looking for, or since when")
    size = len(typed.encode("utf-8", "surrogatepass"))
    if size > MAX_QUERY_BYTES:
        raise TooLarge("query", size, MAX_QUERY_BYTES)
    asked, names, repeated = _split_page(typed)
    subject = "".join(f" {word.typed}" for word in repeated)
    words: dict[tuple[str, bool], Word] = {}
    # Both rooms are only entered where there is something for them: their patterns take a millisecond each.
    if not _has_signs(asked):
        for word in (*_single_words(asked), *names, *repeated):
            words.setdefault((word.text, word.prefix), word)
        return Question(text=asked + subject, words=tuple(words.values()), around=names)
    from holdfast.search.syntax import parts_of

    parts = parts_of(asked)
    phrases = tuple(filter(None, map(_phrase, parts.phrases)))
    beginnings = [_beginning(text) for text in parts.beginnings]
    for word in (*phrases, *beginnings, *_single_words(parts.text), *names, *repeated):
        words.setdefault((word.text, word.prefix), word)
    return Question(
        text=(parts.text.strip() or asked) + subject,
        words=tuple(words.values()),
        phrases=phrases,
        without=tuple(filter(None, map(_phrase, parts.without))),
        strict=parts.only_phrases,
        around=names,
    )


def _split_page(typed: str) -> tuple[str, tuple[Word, ...], tuple[Word, ...]]:
    """Return what is asked, the ids in what stands around it, and the words that say what that is about."""
    if len(typed) <= _SHORT:
        return typed, (), ()
    from holdfast.search.query_cleanup import asked_of

    asked, rest, sure = asked_of(typed)
    names = tuple(_names(rest))
    if sure or not rest:
        return asked, names, ()
    # It may well be a prompt that every question is handed over with: it must not say more than the question does.
    repeated = tuple(islice(_repeated_words(rest), len({word.text for word in _single_words(asked)})))
    return asked, names, repeated


def _has_signs(asked: str) -> bool:
    """Say whether a question may hold phrases, unwanted words or beginnings; in a long one those signs are prose."""
    if len(asked) > _SHORT:
        return False
    return asked.startswith("-") or any(sign in asked for sign in _SIGNS)


def plain_question(text: str) -> Question:
    """Return a text as a question for any of its words: nothing in it is a sign, and no id decides alone."""
    words: dict[str, Word] = {}
    for word in _single_words(text):
        words.setdefault(word.text, word._replace(heavy=False))
    return Question(text=text, words=tuple(words.values()))


def words_of(question: str) -> list[Word]:
    """Return the words to look for, in the order they were typed; each once."""
    return list(question_of(question).words)


def _single_words(text: str) -> Iterable[Word]:
    """Return the words of a text, each for itself."""
    typed = _ANALYSER.query(text)
    flags: set[str] = set()
    if "--" in text:
        flags.update(re.findall(_FLAG, text))
    telling = [pair for pair in typed if pair[0].lower().replace("’", "'") not in SMALL_WORDS]
    for raw, forms in (telling or typed)[:_MAX_WORDS]:
        named = _is_id(raw) or raw in flags
        as_typed = ""
        if forms != [raw]:
            as_typed = raw
        whole, *pieces = forms
        if named:
            # An identifier typed whole is what the question is about; its pieces only help along.
            yield Word(whole, heavy=True, typed=as_typed)
            yield from (Word(piece, typed=as_typed) for piece in pieces)
        elif any(map(is_spaceless, forms)):
            for form in forms:
                # One character is asked for by its prefix, unless it is the last of a run that its pairs cover.
                alone = len(form) == 1 and is_spaceless(form)
                if not alone or len(forms) == 1:
                    yield Word(form, prefix=alone, typed=as_typed)
        elif raw.isalnum() or raw[-1] in "+#":
            # GitHub is not a hub, and C++ is not C. In Vietnamese, a word without its marks is many others.
            yield Word(whole, parts=tuple(pieces), typed=as_typed)
        elif pieces:
            # What a hyphen joins is as often written apart.
            yield from (Word(piece, typed=as_typed) for piece in pieces)
            yield Word(" ".join(pieces) if len(pieces) > 1 else whole, light=True, typed=as_typed)
        else:
            yield Word(whole, typed=as_typed)


def _phrase(text: str) -> Word | None:
    """Return words in a row, as they stand in the index."""
    typed = _ANALYSER.query(text)
    forms = [form for _, forms in typed for form in forms]
    if not forms:
        return None
    open_end = len(forms[-1]) == 1 and is_spaceless(forms[-1])
    if open_end and len(typed[-1][1]) > 1:
        forms.pop()  # in a longer run, this character would begin a pair
        open_end = False
    return Word(" ".join(forms), prefix=open_end, heavy=True, typed=" ".join(raw for raw, _ in typed))


def _beginning(text: str) -> Word:
    forms = [form for _, forms in _ANALYSER.query(text) for form in forms]
    if forms:
        whole = forms[0]
    else:
        whole = text.lower()
    return Word(whole if len(whole) >= len(text) else text.lower(), prefix=True, typed=text)


def _names(rest: str) -> Iterable[Word]:
    """Return the ids in what stands around a question.

    They may well be what it is about, but not more than the question.
    """
    if not rest:
        return
    # Two thousand words are not worth analysing for a few names, and no name is made of letters alone.
    few = " ".join(piece for piece in rest.split() if not piece.strip(",.;:!?()").isalpha())
    names = dict.fromkeys(forms[0] for raw, forms in _ANALYSER.query(few) if _is_id(raw))
    yield from (Word(name, light=True, typed=name) for name in list(names)[-_MAX_NAMES:])


def _repeated_words(rest: str) -> Iterable[Word]:
    """Return the words that what stands around a question says again and again, the most frequent first.

    The text is about these words; they are light, because nobody asks for them. Light words from the second time on
    were the best choice on tau2-banking, whose questions are pages.
    """
    forms: dict[str, str] = {}
    times: Counter[str] = Counter()
    for word in _single_words(rest):
        if not (word.heavy or word.light):
            forms.setdefault(word.text, word.typed or word.text)
            times[word.text] += 1
    for text, count in times.most_common():
        if count > 1:
            yield Word(text, light=True, typed=forms[text])


def _is_id(raw: str) -> bool:
    """Say whether a word was made to name one thing: `INC-43948-QJV`, a commit, a version, a file, `snake_case`.

    A hyphen alone does not make an id ("well-known"), nor does a digit or two ("IL-6", "0.05", "and/or"): those are
    words of a language.
    """
    inside = raw[1:-1]
    joints = sum(map(inside.count, "./:"))
    digits = sum(character.isdigit() for character in raw)
    if not any(character.isalpha() for character in raw):
        return digits >= 5 or joints >= 2
    if "_" in inside or "@" in inside or joints >= 2 or (joints and digits):
        return True
    name, _, ending = raw.partition(".")
    if len(name) > 1 and len(ending) > 1 and raw.isascii() and "/" not in raw:
        return True
    return digits >= 3 or (digits > 0 and len(raw) >= 10)
