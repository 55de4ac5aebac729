"""Recall before a turn: the user's message → what to look for; hits → the fenced block that goes into the prompt. Pure.

A recalled text was written by whoever could write a note. It goes in as data: in a fence with a name of this turn,
every line behind a bar, with its place, its origin and its age.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from holdfast.guard.fence import bar_lines, fence
from holdfast.index.analyzer import is_spaceless
from holdfast.markdown.speakers import Voice
from holdfast.named_tuple import NamedTuple
from holdfast.plural import count_of
from holdfast.recall.addressee import asks_assistant
from holdfast.recall.repetition import Statements, repeats_question, says_little, statements_of, telling_forms
from holdfast.recall.trivial_message import is_name, topic_words
from holdfast.search.hit import WAITS, Hit
from holdfast.search.query import MAX_QUERY_BYTES
from holdfast.search.query_cleanup import asked_of
from holdfast.settings.session_settings import RecallCitations
from holdfast.transcripts.sanitizer import without_recalled
from holdfast.value import Value

__all__ = ["HEADING", "About", "Recalled", "age_of", "choose_hits", "query_of", "render_hits"]

HEADING = "## Memory Search Results"
_LEAD = "Found in the notes for the user's last message. It may be out of date, or have nothing to do with it."

FOLLOWING = 0.5
"""The share of a likely hit's score that is enough for others. Chosen on realmem, reported on LoCoMo."""
FOLLOWING_CONFIDENCE = 0.1

ASSISTANT = 0.9
"""What an assistant's words weigh beside the user's, when both speak of the same."""

_MOST_WORDS = 0.6  # of the telling words: two of three, for a home of a few notes, where no word is rare
_STEM = 4  # letters; an ending of three may differ
_SMALLEST = 60  # characters of a text that is worth showing
_FACT_PLACE = 0.5  # what a fact takes of a place: it is a line, where a passage is a paragraph
_DAY = 86_400.0


class Recalled(Value):
    """The hits recalled for a message, or why there are none; `text` is the block as it stands in the prompt."""

    query: str = ""
    hits: tuple[Hit, ...] = ()
    text: str = ""
    nonce: str = ""
    skipped: str = ""

    def to_json(self) -> dict[str, object]:
        """The shape that every surface shows."""
        return {
            "query": self.query,
            "skipped": self.skipped,
            "hits": [hit.to_json() for hit in self.hits],
            "text": self.text,
        }


class About(NamedTuple):
    """Says what is known of a hit besides its words."""

    origin: str = ""
    age: str = ""
    date: str = ""
    """The day that its session or note is of."""


def query_of(message: str) -> str:
    """Return what is to be looked for.

    The message without what was recalled for it before and what stands around it.
    """
    plain = without_recalled(message).strip()
    encoded = asked_of(plain).text.encode("utf-8", "ignore")[:MAX_QUERY_BYTES]
    return encoded.decode("utf-8", "ignore").strip()


def choose_hits(
    hits: Sequence[Hit],
    query: str,
    *,
    shown: Collection[str] = (),
    own: str = "",
    most: int | None = None,
) -> list[Hit]:
    """The hits worth showing, best first: likely to answer, said once, and not in the prompt already.

    `shown` are the texts that the prompt holds; `own` is the transcript of the session itself. With `most`, it is that
    many passages at the most, two facts counting as one passage, and among them one for each telling word that any of
    the hits holds.
    """
    asked = topic_words(query)
    known = Statements(shown)
    others = [hit for hit in hits if not own or hit.path != own]
    likely = [hit for hit in others if _is_likely(hit) or _speaks_of(hit, asked)]
    kept: list[Hit] = []
    for hit in _best_first(others, query):
        statements = statements_of(hit.snippet)
        if not statements:
            continue
        if hit not in likely and not _follows(hit, likely):
            continue
        if hit.fact is not None and hit.fact.superseded:
            continue  # what took its place is the answer
        if len(statements) == 1 and repeats_question(hit.snippet, query):
            continue  # nobody is helped by having asked the same before
        if _says_nothing(hit) or any(_is_piece(hit, other) for other in kept):
            continue
        if known.hold(statements):
            continue
        known.add(statements)
        kept.append(hit)
    if most is None:
        return kept
    return _cover_words(kept, asked, most)


def _is_likely(hit: Hit) -> bool:
    """Say whether a hit is above the home's null, and by more than chance is where all that is near is far."""
    return hit.likely and (not hit.is_faint or "of_time" in hit.explain)


def _follows(hit: Hit, likely: Sequence[Hit]) -> bool:
    """Say whether a hit stands nearly as well as one that is likely: an answer may lie in several places."""
    return any(
        hit.score >= FOLLOWING * best.score and hit.confidence >= FOLLOWING_CONFIDENCE * best.confidence
        for best in likely[:1]
    )


def _says_nothing(hit: Hit) -> bool:
    """Say whether a hit is a turn that says nothing without the one before it.

    A user's single word may be all there is.
    """
    return hit.voice != Voice.UNKNOWN and says_little(hit.snippet, 2 if hit.voice == Voice.ASSISTANT else 1)


def _is_piece(hit: Hit, other: Hit) -> bool:
    """Say whether two hits stand on the same lines of a talk: a long turn is found in pieces."""
    if hit.voice == Voice.UNKNOWN or (hit.path, hit.voice) != (other.path, other.voice):
        return False
    return hit.start_line <= other.end_line and other.start_line <= hit.end_line


def _best_first(hits: Sequence[Hit], query: str) -> list[Hit]:
    """The hits in their order, the user's words a little before an assistant's unless those are asked for.

    Last come earlier copies of the question, and what stands so far up only because such a copy heads its session.
    """
    score = 1.0
    if asks_assistant(query):
        assistant = 1.0
    else:
        assistant = ASSISTANT
    weighed: list[tuple[bool, float, Hit]] = []
    for hit in hits:
        score = min(score, hit.score)  # whoever put a hit before others had more than its score to go by
        weight = score * (assistant if hit.voice == Voice.ASSISTANT else 1.0)
        weighed.append((repeats_question(hit.snippet, query) or _is_beside_copy(hit, query), -weight, hit))
    return [hit for _, _, hit in sorted(weighed, key=lambda entry: entry[:2])]


def _is_beside_copy(hit: Hit, query: str) -> bool:
    """Say whether a hit is a turn without a word of the question, in a session that began with it."""
    if hit.voice == Voice.UNKNOWN or not any(repeats_question(heading, query) for heading in hit.headings):
        return False
    return not telling_forms(query) & telling_forms(hit.snippet)


def _cover_words(hits: Sequence[Hit], asked: Sequence[str], most: int) -> list[Hit]:
    """Return the first `most` hits; the last places go to hits with a word of the question that no earlier one has."""
    first = _fill_places(hits, most)
    rest = hits[len(first) :]
    if not rest or most < 2:
        return first
    lacking = [word for word in dict.fromkeys(asked) if not any(_mentions(hit, word) for hit in first)]
    brought: list[Hit] = []
    for word in lacking:
        if not any(_mentions(hit, word) for hit in brought):
            brought += [hit for hit in rest if _mentions(hit, word)][:1]
    brought = brought[: most // 2]
    return [*first[: len(first) - len(brought)], *brought]


def _fill_places(hits: Sequence[Hit], most: int) -> list[Hit]:
    """Return the first hits that `most` places hold; two facts share one."""
    taken, fitted = 0.0, []
    for hit in hits:
        taken += 1.0 if hit.fact is None else _FACT_PLACE
        if taken > most:
            break
        fitted.append(hit)
    return fitted


def _mentions(hit: Hit, word: str) -> bool:
    return _holds(hit.snippet.lower(), word, whole=is_name(word))


def render_hits(
    hits: Sequence[Hit],
    nonce: str,
    *,
    citations: RecallCitations,
    characters: int,
    about: Callable[[Hit], About],
) -> tuple[str, tuple[Hit, ...]]:
    """The block, and the hits that found room in it; empty where none did."""
    parts: list[str] = []
    fitted: list[Hit] = []
    room = characters - len(HEADING) - len(_LEAD) - 3
    for hit in hits:
        known = about(hit)
        frame: dict[str, str | int] = {
            "id": len(parts) + 1,
            "origin": known.origin,
            "date": known.date,
            "age": known.age,
        }
        if hit.waits:
            frame["state"] = WAITS
        if hit.fact is not None:
            frame["category"] = hit.fact.category.value
            frame["observed"] = hit.fact.observed.isoformat() if hit.fact.observed is not None else ""
        source = f"[Source: {_inert(hit.path)}#{hit.start_line}] score={hit.score:.2f}\n"
        if citations is RecallCitations.FULL:
            first = source
        else:
            first = ""
        left = room - len(fence(first, nonce, frame)) - 1
        body = _fit_text(bar_lines(hit.snippet.strip("\n"), nonce), left)
        if body is None:
            break
        parts.append(fence(first + body, nonce, frame))
        room -= len(parts[-1]) + 1
        fitted.append(hit)
    if not parts:
        return "", ()
    return "\n".join((HEADING, "", _LEAD, *parts)), tuple(fitted)


def age_of(seconds: float) -> str:
    """Return how long ago something was, in words that need no clock to read."""
    days = int(seconds // _DAY)
    if days < 0:
        return ""
    if days < 1:
        return "today"
    for size, name in ((365, "year"), (30, "month"), (7, "week"), (1, "day")):
        if days >= (2 * size if size > 1 else 1):
            return count_of(days // size, name)
    return ""


def _speaks_of(hit: Hit, asked: Sequence[str]) -> bool:
    """Say whether a hit holds a name that was asked for, or most of the words: a model has no sense of either."""
    text = "\n".join((hit.path, *hit.headings, hit.snippet)).lower()
    # A name is held as a whole: id77 is not id770. So is a word that is all that was asked: Ada is no adapter.
    alone = len(asked) == 1
    held = [word for word in asked if _holds(text, word, whole=alone or is_name(word))]
    if alone or any(map(is_name, held)):
        return bool(held)
    return len(held) > 1 and len(held) >= _MOST_WORDS * len(asked)


def _holds(text: str, word: str, *, whole: bool) -> bool:
    if whole and not any(map(is_spaceless, word)):
        return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None
    return word[: max(_STEM, len(word) - 3)] in text


def _fit_text(body: str, room: int) -> str | None:
    """A barred text that fits: whole, or cut at its end with a sign; None where hardly anything would."""
    if len(body) <= room:
        return body
    if room < _SMALLEST:
        return None
    beginning = body[: room - 1]
    escape = beginning.rfind("&", len(beginning) - 5)
    if escape >= 0 and ";" not in beginning[escape:]:
        beginning = beginning[:escape]
    beginning = beginning.rstrip()
    line = beginning.rpartition("\n")[2]
    if line == "|":  # nothing of this line is left
        beginning = beginning[:-1].rstrip()
    return beginning + "…" if beginning else None


def _inert(path: str) -> str:
    """A path as text in a fence; names of files may hold signs of their own."""
    return bar_lines(path.replace("\n", " "))[2:].replace("\n", " ").replace("]", "%5D")
