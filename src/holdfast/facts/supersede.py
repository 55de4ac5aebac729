"""Which facts a new one takes the place of: those about the same subject and attribute that can't hold beside it.

Only what the sentence forms of `subject` know supersedes anything. What comes from an import or another program's
tool never takes the place of what the user said, wrote or confirmed: a poisoned text could rewrite the user otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from datetime import date
from typing import Final, NamedTuple

from holdfast.chunks.mark import Mark
from holdfast.facts.fact import Draft, Fact
from holdfast.facts.subject import claim_of
from holdfast.guard.origin import Origin

__all__ = ["Replaced", "may_replace", "replaced_by", "restored_mark", "superseded_mark"]

_UNTIL: Final = "was_until="
_FROM_ELSEWHERE: Final = frozenset({Origin.IMPORT, Origin.MCP_TOOL})


class Replaced(NamedTuple):
    """A fact whose place is taken, and the rule that decided so."""

    fact: Fact
    rule: str


def may_replace(origin: Origin, old: Origin) -> bool:
    """Whether words of one origin may take the place of, or strengthen, words of another."""
    return origin not in _FROM_ELSEWHERE or old in _FROM_ELSEWHERE


def replaced_by(draft: Draft, origin: Origin, facts: Iterable[Fact], day: date) -> list[Replaced]:
    """The live facts that a new one contradicts; none for what is over, is still to come, or is of an earlier time."""
    claim = claim_of(draft.text)
    if claim is None or (draft.valid_until is not None and draft.valid_until < day):
        return []
    begins = draft.valid_from or day
    if begins > day:
        return []
    found: list[Replaced] = []
    for fact in facts:
        if not fact.live(day) or not may_replace(origin, fact.origin):
            continue
        older = claim_of(fact.text)
        if older is None or older.about != claim.about or claim.agrees(older):
            continue
        if fact.since is not None and fact.since > begins:
            continue  # it was learnt of a later time than this one
        found.append(Replaced(fact, f"subject:{claim.subject}/{claim.attribute}"))
    return found


def superseded_mark(old: Mark | None, by: str, until: date, rule: str, own_id: str) -> Mark:
    """The mark of a fact whose place another takes from a day on; a hand-made fact gets an id to be linked by."""
    mark = old or Mark()
    ends = until if mark.valid_until is None else min(until, mark.valid_until)
    before = () if mark.valid_until is None else (f"{_UNTIL}{mark.valid_until.isoformat()}",)
    rest = (*(word for word in mark.rest if not word.startswith(_UNTIL)), *before)
    return mark.replace(id=mark.id or own_id, superseded_by=by, valid_until=ends, rule=rule, rest=rest)


def restored_mark(old: Mark) -> Mark:
    """The mark of a fact that has its place back, valid until when it was to be before it lost it."""
    until: date | None = None
    for word in old.rest:
        if word.startswith(_UNTIL):
            with suppress(ValueError):
                until = date.fromisoformat(word.removeprefix(_UNTIL))
    rest = tuple(word for word in old.rest if not word.startswith(_UNTIL))
    return old.replace(superseded_by="", valid_until=until, rule="", rest=rest)
