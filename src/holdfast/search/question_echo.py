"""A question that was asked before does not stand before its answer.

A transcript holds the questions too, and no passage shares more words with a question than the same question does. What
answers it is what follows it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from holdfast.index.analyzer import SHARED_ANALYSER
from holdfast.index.store_contract import StoredChunk
from holdfast.search.candidate import Candidate
from holdfast.search.inquiry import Candidates, Inquiry
from holdfast.search.note_groups import lower_to_previous

__all__ = ["TURN_GAP", "answer_first", "is_echo", "is_question"]

_SIGNS = ("?", "？", "؟", "՞", "⸮")  # what questions end with
_GREEK_SIGNS = (";", "\u037e")  # and what they end with in Greek alone: the sign is typed as a semicolon
_REPEATED = 0.75  # of the words that were asked for, in a passage that is the same question
_MORE = 2.0  # as many words as were asked for, in one that is nothing else
TURN_GAP = 2
"""Lines from the end of a turn to the next one: there may be an empty one between them."""
_CLOSING = " \t\n\"'”’»*_`)]"


def answer_first(inquiry: Inquiry, found: Candidates) -> Candidates:
    """Return the candidates, where each that only asks the question stands behind the passage that follows it."""
    asked = _forms(inquiry.question.text)
    if not asked:
        return found
    ranked = list(found.ranked)
    moved = False
    for candidate in found.ranked:
        chunk = found.chunks[candidate.fused.row]
        if not is_echo(chunk, asked):
            continue
        answer = _candidate_after(chunk, ranked, found.chunks)
        place = ranked.index(candidate)
        if answer is not None and (at := ranked.index(answer)) > place:
            gain = candidate.score - answer.score
            later = {**answer.later, "answer": answer.later.get("answer", 0.0) + gain}
            del ranked[at]
            ranked.insert(place, Candidate(candidate.score, answer.fused, later))
            moved = True
    if not moved:
        return found
    return found._replace(ranked=lower_to_previous(ranked))


def is_question(text: str) -> bool:
    """Say whether a text ends with a question."""
    ending = text.rstrip(_CLOSING)
    if ending.endswith(_GREEK_SIGNS):
        return any("\u0370" <= character <= "\u03ff" for character in ending[:-1])
    return ending.endswith(_SIGNS)


def is_echo(chunk: StoredChunk, asked: Collection[str]) -> bool:
    """Say whether a passage asks with (nearly) these words, and says nothing else."""
    if not is_question(chunk.text):
        return False
    held = _forms(_without_speaker(chunk))
    return len(held & set(asked)) >= _REPEATED * len(asked) and len(held) <= _MORE * len(asked)


def _candidate_after(
    chunk: StoredChunk, ranked: Sequence[Candidate], chunks: Mapping[int, StoredChunk]
) -> Candidate | None:
    """Return the candidate that comes next in the note, unless it asks something back."""
    following = [
        candidate
        for candidate in ranked
        if chunks[candidate.fused.row].path == chunk.path
        and 0 < chunks[candidate.fused.row].start_line - chunk.end_line <= TURN_GAP
    ]
    reply = min(following, key=lambda candidate: chunks[candidate.fused.row].start_line, default=None)
    if reply is None or is_question(chunks[reply.fused.row].text):
        return None
    return reply


def _without_speaker(chunk: StoredChunk) -> str:
    """Return what is said, without the name of who says it."""
    _, sign, speech = chunk.text.partition(":")
    if chunk.voice and sign:
        return speech
    return chunk.text


def _forms(text: str) -> frozenset[str]:
    return frozenset(SHARED_ANALYSER.index(text).split())
