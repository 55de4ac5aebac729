"""Judge what a new fact replaces: the model of `facts.relation` is asked of the few facts that are nearest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from holdfast.context.context import Context
from holdfast.errors import ProviderFailed
from holdfast.facts.duplicates import Similar
from holdfast.facts.fact import Fact
from holdfast.facts.relation import Likely
from holdfast.facts.supersede import Judgement

__all__ = ["judgement_of"]

_NEAREST: Final = 12  # facts that are judged: a millisecond each
_BESIDE: Final = Likely(0.0, 0.0, 1.0)


def judgement_of(ctx: Context, similar: Similar | None) -> Judgement | None:
    """The judgement that the settings want; None where they want none."""
    settings = ctx.settings.facts
    if min(settings.replace_from, settings.ask_from) >= 1.0:
        return None
    return Judgement(
        lambda text, facts: _likely(text, facts, similar), settings.replace_from, min(settings.ask_from, 1.0)
    )


def _likely(text: str, facts: Sequence[Fact], similar: Similar | None) -> list[Likely]:
    from holdfast.facts.relation import read_relation

    if not facts:
        return []
    nearest = sorted(facts, key=similar or _shared_words(text), reverse=True)[:_NEAREST]
    try:
        judged = read_relation().judge(text, [fact.text for fact in nearest])
    except ProviderFailed:
        judged = []  # the embedded model can't be read: whoever asks for vectors is told so
    verdicts = dict(zip([id(fact) for fact in nearest], judged, strict=False))
    return [verdicts.get(id(fact), _BESIDE) for fact in facts]


def _shared_words(text: str) -> Similar:
    """Return how many words a fact shares with a text, where no vectors tell which are near."""
    words = set(text.casefold().split())
    return lambda fact: float(len(words.intersection(fact.text.casefold().split())))
