"""What a person or an agent typed → the words to look for.

The question is not a conjunction: any of its words may be the one that stands in the note, and BM25 weighs
them by how rare they are. Words that every sentence has are left out, unless the question has no others.
"""

from __future__ import annotations

from holdfast.errors import BadArgument, TooLarge
from holdfast.index.store import Word
from holdfast.index.words import Analyser, is_spaceless

__all__ = ["MAX_QUERY_BYTES", "words_of"]

MAX_QUERY_BYTES = 8 * 1024
_MAX_WORDS = 1024  # a question of MAX_QUERY_BYTES has hardly more; the index then takes the rarest

# Small words of English questions. Other languages do without a list: the index leaves out what is too common.
_SMALL = frozenset(
    "a about after again all also am an and any are aren't as at be because been before being between both but by "
    "can can't could couldn't did didn't do does doesn't doing don't down during each else ever few for from further "
    "get gets got had hadn't has hasn't have haven't having he her here hers herself him himself his how i i'd i'll "
    "i'm i've if in into is isn't it it's its itself just let's like me more most much my myself no nor not now of "
    "off on once only or other our ours ourselves out over own please same she should shouldn't so some such tell "
    "than that that's the their theirs them themselves then there there's these they they're this those through to "
    "too under until up us very was wasn't we we're were weren't what what's when where which while who whom whose "
    "why will with won't would wouldn't you you're your yours yourself yourselves".split()
)
_ANALYSER = Analyser()


def _is_id(raw: str) -> bool:
    """Whether a word was made to name one thing: `INC-43948-QJV`, a commit, a version, an address, `snake_case`.

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
    return digits >= 3 or (digits > 0 and len(raw) >= 10)


def words_of(question: str) -> list[Word]:
    """The words to look for, in the order they were typed; each once."""
    if not question.strip():
        raise BadArgument("query", "it is empty; say what you are looking for")
    size = len(question.encode("utf-8", "surrogatepass"))
    if size > MAX_QUERY_BYTES:
        raise TooLarge("query", size, MAX_QUERY_BYTES)
    typed = _ANALYSER.query(question)
    telling = [pair for pair in typed if pair[0].lower().replace("’", "'") not in _SMALL]
    words: dict[str, Word] = {}
    for raw, forms in (telling or typed)[:_MAX_WORDS]:
        for place, form in enumerate(forms):
            # An identifier typed whole is what the question is about; its pieces only help along.
            heavy = place == 0 and _is_id(raw)
            prefix = len(form) == 1 and is_spaceless(form)
            if prefix and len(forms) > 1:
                continue  # the lone last character of a run that its pairs already cover
            words.setdefault(form, Word(form, prefix=prefix, heavy=heavy))
    return list(words.values())
