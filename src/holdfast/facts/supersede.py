"""Find which facts a new one takes the place of: those about the same subject and attribute that can't hold beside it.

The sentence forms of `subject` decide where they know both sentences; elsewhere a learnt judgement does where it is
sure (`relation`), and what is only likely is asked. What comes from an import or another program's
tool never takes the place of what the user said, wrote or confirmed: a poisoned text could rewrite the user otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import date, timedelta
from typing import Final, TypeAlias

from holdfast.facts.capture.day_stamp import is_of_another_day
from holdfast.facts.duplicates import longest_word
from holdfast.facts.fact import Draft, Fact, State
from holdfast.facts.relation import RULE, Likely, is_of_somebody_else
from holdfast.facts.subject import claim_of, plainly
from holdfast.guard.origin import Origin
from holdfast.markdown.fact_mark import Mark
from holdfast.named_tuple import NamedTuple

__all__ = [
    "Judgement",
    "LearntRivals",
    "Relation",
    "Replacement",
    "dated",
    "ended_by",
    "ending_mark",
    "judged",
    "kept_of",
    "later_than",
    "may_replace",
    "owned_by_saying",
    "replaced_by",
    "restored_mark",
    "superseded_mark",
]

_UNTIL: Final = "was_until="
_FROM_ELSEWHERE: Final = frozenset({Origin.IMPORT, Origin.MCP_TOOL})
_TO_HOLD: Final = frozenset({State.LIVE, State.UPCOMING})
_OWN_WORDS: Final = frozenset({Origin.USER, Origin.AUTO_CAPTURE})


class Replacement(NamedTuple):
    """A fact whose place is taken, and the rule that decided so."""

    fact: Fact
    rule: str


Relation: TypeAlias = Callable[[str, Sequence[Fact]], Sequence[Likely]]
"""What a new sentence is to each of some facts."""


class Judgement(NamedTuple):
    """Holds what judges where no sentence form does, and from which share on it replaces or asks."""

    relation: Relation
    replace_from: float
    ask_from: float


class LearntRivals(NamedTuple):
    """The facts whose place a new one takes by what was learnt, and those of which the owner is to be asked."""

    sure: Sequence[Replacement] = ()
    asked: Sequence[Fact] = ()


_ONE_WORD: Final = 0.1  # that a share must be higher where two sentences differ in a word
_MOST_AT_ONCE: Final = 2  # facts of one form, or more, stand beside each other already: they are a list


def may_replace(origin: Origin, old: Origin) -> bool:
    """Say whether words of one origin may take the place of, or strengthen, words of another."""
    return origin not in _FROM_ELSEWHERE or old in _FROM_ELSEWHERE


def owned_by_saying(old: Origin, origin: Origin) -> bool:
    """Say whether a fact from elsewhere becomes the user's, because the user says it too.

    A model that says it may only repeat what it read there.
    """
    return old in _FROM_ELSEWHERE and origin in _OWN_WORDS


def dated(draft: Draft, day: date) -> Draft:
    """Return the same with the first day that its words name, as in "since 2020", where it was given none."""
    claim = claim_of(draft.text)
    if draft.valid_from is not None or claim is None or claim.began is None or claim.began.last >= day:
        return draft  # of the year that is not over, nobody said which part
    return draft.replace(valid_from=claim.began.first)


def replaced_by(draft: Draft, origin: Origin, facts: Iterable[Fact], day: date) -> list[Replacement]:
    """Return the live facts that a new one contradicts.

    None for what is over, is still to come, or is of an earlier time.
    """
    if (draft.valid_from or day) > day:
        return []
    begins = _at_the_latest(draft, day)
    return [
        rival
        for rival in _rivals(draft, facts, day)
        # What was learnt of a later time than this one stays.
        if rival.fact.live(day) and may_replace(origin, rival.fact.origin) and not _is_later(rival.fact, begins)
    ]


def ended_by(draft: Draft, origin: Origin, facts: Iterable[Fact], day: date) -> list[Replacement]:
    """Return the facts that hold until a new one begins, which is still to come."""
    begins = draft.valid_from or day
    if begins <= day:
        return []
    return [
        rival
        for rival in _rivals(draft, facts, day)
        if rival.fact.state(day) in _TO_HOLD and may_replace(origin, rival.fact.origin) and rival.fact.held_on(begins)
    ]


def later_than(draft: Draft, origin: Origin, facts: Iterable[Fact], day: date) -> Replacement | None:
    """Return the next fact that takes the place of a new one, as it is of a later time.

    It may be in force by now, or still to come.
    """
    begins = _at_the_latest(draft, day)
    found = [
        rival
        for rival in _rivals(draft, facts, day)
        if rival.fact.state(day) in _TO_HOLD
        and rival.fact.id
        and _is_later(rival.fact, begins)
        and may_replace(rival.fact.origin, origin)
    ]
    return min(found, key=lambda rival: _since(rival.fact) or day, default=None)


def judged(draft: Draft, origin: Origin, facts: Iterable[Fact], day: date, by: Judgement) -> LearntRivals:
    """Return what a new fact takes the place of by what was learnt.

    Nothing of what the sentence forms know of both sides.
    """
    if (draft.valid_from or day) > day or (draft.valid_until is not None and draft.valid_until < day):
        return LearntRivals()
    claim, begins = claim_of(draft.text), _at_the_latest(draft, day)
    rivals = [
        fact
        for fact in facts
        if fact.live(day)
        and not fact.archived
        and may_replace(origin, fact.origin)
        and not _is_later(fact, begins)
        and not is_of_somebody_else(draft.text, fact.text)
        and not is_of_another_day(draft.text, fact.text)
        and (claim is None or (older := claim_of(fact.text)) is None or older.about != claim.about)
    ]
    likely = sorted(zip(by.relation(draft.text, rivals), rivals, strict=True), key=lambda pair: -pair[0].replaces)
    if sum(share.replaces >= by.ask_from for share, _ in likely) > _MOST_AT_ONCE:
        return LearntRivals()
    sure = [fact for share, fact in likely if _is_sure(share.replaces, draft.text, fact.text, by.replace_from)]
    if sure and _is_one_of_a_list(draft.text, rivals):
        sure = []
    asked = [fact for share, fact in likely if share.replaces >= by.ask_from and fact not in sure and fact.id]
    return LearntRivals([Replacement(fact, RULE) for fact in sure], asked)


def _is_one_of_a_list(new: str, rivals: Sequence[Fact]) -> bool:
    """Say whether several known facts have the form of the new one: "The saw of bench 3 is new", of each bench."""
    from holdfast.facts.relation_features import are_of_one_form

    return sum(are_of_one_form(fact.text, new) for fact in rivals) > _MOST_AT_ONCE


def _is_sure(share: float, new: str, old: str, replace_from: float) -> bool:
    """Say whether one replaces the other; where nothing but a word tells them apart, a higher share is wanted.

    They may be the first two of a list ("Plum number 2 is ripe"): of such pairs that people wrote, most stay beside.
    What only says less than the old one does is never sure to replace it.
    """
    from holdfast.facts.relation_features import differ_in_a_word, says_less

    if share < replace_from or says_less(old, new):
        return False
    return share >= replace_from + _ONE_WORD or not differ_in_a_word(old, new)


def _at_the_latest(draft: Draft, day: date) -> date:
    """Return the last day on which it can have begun.

    What began in 2019 may be later than what was said in June of that.
    """
    claim = claim_of(draft.text)
    if claim is not None and claim.began is not None and draft.valid_from in (None, claim.began.first):
        return min(claim.began.last, day)
    return draft.valid_from or day


def _rivals(draft: Draft, facts: Iterable[Fact], day: date) -> list[Replacement]:
    """Return the facts that say something else about the same thing; none where the new one is over."""
    claim = claim_of(draft.text)
    if claim is None or (draft.valid_until is not None and draft.valid_until < day):
        return []
    # Two sentences about what someone does or does not do both name the thing itself.
    named = ""
    if claim.value in ("yes", "no"):
        named = longest_word(claim)
    found: list[Replacement] = []
    for fact in facts:
        older = None
        if not fact.struck and not fact.archived and named in plainly(fact.text):
            older = claim_of(fact.text)
        if older is not None and older.about == claim.about and not claim.agrees(older):
            found.append(Replacement(fact, f"subject:{claim.subject}/{claim.attribute}"))
    return found


def _is_later(fact: Fact, begins: date) -> bool:
    since = _since(fact)
    return since is not None and since > begins


def _since(fact: Fact) -> date | None:
    """Return since when a fact holds, as far as its mark or its words tell."""
    claim = claim_of(fact.text)
    if fact.valid_from is None and claim is not None and claim.began is not None:
        return claim.began.first
    return fact.since


def superseded_mark(old: Mark | None, by: str, until: date, rule: str, own_id: str) -> Mark:
    """Return the mark of a fact whose place another takes from a day on.

    A hand-made fact gets an id to be linked by.
    """
    mark = old or Mark()
    # It still held when it was said: what takes its place began at some later time of the year that its words name.
    known = mark.valid_from or mark.observed or until
    return _ending(mark, max(until, known), rule, own_id).replace(superseded_by=by)


def ending_mark(old: Mark | None, begins: date, rule: str, own_id: str) -> Mark:
    """Return the mark of a fact that holds until the day before another one begins."""
    return _ending(old or Mark(), begins - timedelta(1), rule, own_id)


def _ending(mark: Mark, until: date, rule: str, own_id: str) -> Mark:
    rest = tuple(word for word in mark.rest if not word.startswith(_UNTIL))
    if mark.valid_until is not None:
        rest = (*rest, f"{_UNTIL}{mark.valid_until.isoformat()}")
        until = min(until, mark.valid_until)
    return mark.replace(id=mark.id or own_id, valid_until=until, rule=rule, rest=rest)


def restored_mark(old: Mark) -> Mark:
    """Return the mark of a fact that has its place back, valid until when it was to be before it lost it."""
    until: date | None = None
    for word in old.rest:
        if word.startswith(_UNTIL):
            with suppress(ValueError):
                until = date.fromisoformat(word.removeprefix(_UNTIL))
    rest = tuple(word for word in old.rest if not word.startswith(_UNTIL))
    return old.replace(superseded_by="", valid_until=until, rule="", rest=rest)


def kept_of(mark: Mark) -> Mark | None:
    """Return the mark that a fact keeps once it has its place back; None where that is nothing but an id.

    A person typed that line, and it had no mark before another fact took its place.
    """
    if mark == Mark(mark.id):
        return None
    return mark
