"""A message of several sentences → the words of it that tell which note it is about.

"Hi. I'm ready to go on with the plan. What's the next step for the visa?" is no question about a line: most of it is
how its author opens every conversation. Each of these words stands in few passages, so BM25 takes it for rare, and
finds the openings of other conversations; but it stands in one passage of very many notes, and tells none of them
apart.
"""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.index.analyzer import is_spaceless
from holdfast.index.store_contract import NoteShare, Word
from holdfast.pattern import compile_late
from holdfast.search.query import Question

__all__ = ["is_message", "telling_words"]

# Chosen on realmem, where every share from a third to a tenth finds more sessions than all words do (any@5 .764 to .775
# instead of .742, counted outside the index), and on tau2-banking, which has .15 against it: a bank's manual holds its
# own words in as many notes. prefeval-memory and madial-en were in view and hardly change.
_SHARE = 0.25  # of the notes: what as many hold is small talk
_FEWEST = 10  # notes: what fewer hold tells one from the others, however few there are
_STOP = compile_late(r"[.!?…][\"'”’»)]*\s+\S|[。！？]\s*\S")
_WORDS = 2  # of a sentence that says anything: "Hi." does not


def is_message(question: Question) -> bool:
    """Say whether somebody says something in several sentences, and so does not only ask.

    Never where a phrase is asked for or excluded.
    """
    if question.phrases or question.without or not _STOP.search(question.text):
        return False
    # Not above: few questions have two sentences, and the patterns of that module take a while.
    from holdfast.markdown.sentences import sentences

    spans = sentences(question.text)
    return sum(_says_something(question.text[start:end]) for start, end in spans) > 1


def _says_something(sentence: str) -> bool:
    return len(sentence.split()) >= _WORDS or sum(map(is_spaceless, sentence)) >= _WORDS


def telling_words(words: Sequence[Word], notes: NoteShare) -> tuple[Word, ...]:
    """Return the words that fewer than so many of the notes hold, and every id; all where none would be left."""
    common = max(_FEWEST, _SHARE * notes.notes)
    kept = tuple(word for word in words if word.heavy or notes.held.get(word.text, 0) < common)
    return kept or tuple(words)
