"""The third phase over an open memory: which lines go into MEMORY.md, which wait for the owner, and which do not.

Nothing is written here. The plan is made on the bytes of MEMORY.md that it names, and holds for no others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Final

from holdfast.approval.user_sentences import typed_keys
from holdfast.context.context import Context
from holdfast.dreaming.claim import Claim
from holdfast.dreaming.deep_phase import failed_gate, score_line
from holdfast.dreaming.dream_plan import PassedCandidate, PromotionPlan
from holdfast.dreaming.dream_sources import SourceReader
from holdfast.dreaming.gates import refusal, wait_reason
from holdfast.dreaming.memory_lines import Addition, Line, lines_in
from holdfast.dreaming.merge_decision import Action, Decision, by_model, by_rules, last_said_day, request_for
from holdfast.dreaming.report import Candidate
from holdfast.dreaming.signals import Recall, recalls_of
from holdfast.errors import ProviderFailed
from holdfast.index.sqlite.signal_table import LineSighting, Signals, Verdict
from holdfast.markdown.budget import tokens_of
from holdfast.markdown.fact_row import category_of
from holdfast.markdown.statements import sentence_key
from holdfast.named_tuple import NamedTuple

__all__ = ["Plan", "plan"]

_DAY: Final = 86_400.0
_MODEL_SECONDS: Final = 60.0
_SHOWN: Final = 50  # candidates that did not make it, where somebody wants to know why
_SPARE: Final = 5  # times as many as may go in a day are decided about
_MADE_HERE: Final = re.compile(r"d[0-9a-f]{7}")
_SETTLED: Final = frozenset(("promoted", "approved", "proposed", "declined", "refused", "replaced", "withdrawn"))


class Plan(NamedTuple):
    """The plan of deep sleep: what is to be done with MEMORY.md, and what became of each candidate."""

    candidates: tuple[Candidate, ...]
    added: tuple[Addition, ...] = ()
    renewed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    retired: tuple[str, ...] = ()
    because: str = ""

    @property
    def changes(self) -> bool:
        """True if MEMORY.md is to change."""
        return bool(self.added or self.renewed or self.removed or self.retired)


def plan(
    ctx: Context,
    signals: Signals,
    now_seen: Sequence[LineSighting],
    data: bytes | None,
    day: date,
    run: str,
    left: Callable[[], float],
) -> Plan:
    """Return what deep sleep makes of what was asked for; `left` says how many seconds there are.

    What the phases of this run came across counts, whether it could be written down or not.
    """
    deep, now = ctx.settings.dreaming_deep, ctx.clock.now()
    lines = lines_in(data)
    reading = SourceReader(ctx)
    rows = signals.asked(now - deep.max_age_days * _DAY, 1)
    held = signals.seen({row.claim for row in rows})
    recalls = recalls_of(rows, held | {(entry.claim, entry.phase): entry for entry in now_seen})
    verdicts = signals.verdicts()
    passed, others = _rank(ctx, recalls, verdicts, reading, day, left)
    passed, contradicted = _drop_contradictions([*_stale(ctx, lines, day), *passed[: _SPARE * deep.limit]])
    model, because = _ask_model(ctx, passed, lines, left)
    taking = PromotionPlan(ctx, data, day, run, lines, _removed_today(verdicts.values(), day))
    taking.drop(_forgotten_ids(ctx, lines))
    alive = {recall.claim for recall in recalls}
    for place, entry in enumerate(passed):
        taking.take(entry, model.get(place) or by_rules(entry.claim, lines), alive)
    candidates = [*taking.candidates, *contradicted, *others]
    seen = signals.seen([candidate.claim for candidate in candidates if candidate.outcome == "no room"])
    candidates = [candidate.replace(fresh=(candidate.claim, "no room") not in seen) for candidate in candidates]
    return Plan(
        tuple(candidates),
        tuple(taking.added),
        tuple(dict.fromkeys(taking.renewed)),
        tuple(taking.removed),
        tuple(taking.retired),
        because,
    )


def _rank(
    ctx: Context,
    recalls: Sequence[Recall],
    verdicts: Mapping[str, Verdict],
    reading: SourceReader,
    day: date,
    left: Callable[[], float],
) -> tuple[list[PassedCandidate], list[Candidate]]:
    """The candidates that pass the gates, best first; and the others, with the reason."""
    deep, weights, now = ctx.settings.dreaming_deep, ctx.settings.dreaming_weights, ctx.clock.now()

    def typed(text: str) -> bool:
        key = sentence_key(text)
        return key in typed_keys(ctx, [key])

    passed: list[PassedCandidate] = []
    others: list[Candidate] = []
    for recall in recalls:
        verdict = verdicts.get(recall.claim)
        if verdict is not None and (verdict.verdict in _SETTLED or recall.last <= verdict.at):
            continue
        enough = recall.times >= deep.min_recall_count and recall.queries >= deep.min_unique_queries
        if left() <= 0 or not (enough or len(others) < _SHOWN):
            continue
        standing = reading.standing(recall.claim, recall.paths, day)
        if standing is None:
            continue  # deleted, struck or changed since
        claim = standing.claim
        score = score_line(recall, claim.text, now, deep, weights)
        if claim.mark is not None and claim.mark.id:
            own_id = claim.mark.id
        else:
            own_id = f"d{recall.claim[:7]}"
        candidate = Candidate(
            own_id, claim.text, claim.place, "below", "", standing.origin, score, recall, claim=recall.claim
        )
        gate = failed_gate(recall, score, now, deep)
        if gate:
            others.append(candidate.replace(because=gate))
        elif reason := refusal(claim.text, deep.max_snippet_tokens):
            others.append(candidate.replace(outcome="refused", because=reason))
        elif reason := wait_reason(claim.text, standing.origin, lambda text=claim.text: typed(text)):  # type: ignore[misc]
            others.append(candidate.replace(outcome="waiting", because=reason))
        else:
            passed.append(PassedCandidate(candidate, claim))
    best = sorted(passed, key=lambda entry: (-_total(entry.candidate), entry.claim.key))
    rest = sorted(others, key=lambda candidate: (candidate.outcome == "below", -_total(candidate), candidate.claim))
    return best, rest


def _drop_contradictions(passed: Sequence[PassedCandidate]) -> tuple[list[PassedCandidate], list[Candidate]]:
    """Those that can stand beside each other: of two that contradict each other, the one that was said last."""
    kept: list[PassedCandidate] = []
    dropped: list[Candidate] = []
    # What was said last comes first, so that nothing older can take its place.
    ordered = sorted(
        passed, key=lambda entry: last_said_day(entry.claim.mark, entry.claim.day) or date.min, reverse=True
    )
    for entry in ordered:
        said_day = last_said_day(entry.claim.mark, entry.claim.day)
        others = [
            Line(other.claim._replace(day=last_said_day(other.claim.mark, other.claim.day)), own=True) for other in kept
        ]
        decision = by_rules(entry.claim._replace(day=said_day), others)
        if decision.prior is not None:
            where = decision.prior.claim.place
        else:
            where = ""
        if decision.action is Action.KEEP or entry.forced is not None:
            kept.append(entry)
        elif decision.action is Action.ASK:
            dropped.append(entry.candidate.replace(outcome="waiting", because=f"{where} contradicts it and is as new"))
        elif decision.action is Action.MERGE:
            dropped.append(entry.candidate.replace(outcome="merged", because=f"{where} says the same"))
        else:
            dropped.append(entry.candidate.replace(outcome="old", because=f"{where} is newer"))
    order = {id(entry): place for place, entry in enumerate(passed)}
    return sorted(kept, key=lambda entry: order[id(entry)]), dropped


def _stale(ctx: Context, lines: Sequence[Line], day: date) -> list[PassedCandidate]:
    """Facts that took the place of facts which MEMORY.md still tells: it must not say what no longer holds."""
    if not any(line.own for line in lines):
        return []
    from holdfast.facts.facts_book import facts_now

    facts = {fact.id: fact for fact in facts_now(ctx) if fact.id}
    agreeing: list[PassedCandidate] = []
    for line in lines:
        fact = facts.get(line.id) if line.own else None
        seen: set[str] = set()
        while fact is not None and fact.struck and fact.superseded_by not in seen:
            seen.add(fact.superseded_by)
            fact = facts.get(fact.superseded_by)
        if not seen or fact is None or not fact.live(day) or "\n" in fact.text:
            continue
        most = ctx.settings.dreaming_deep.max_snippet_tokens
        if refusal(fact.text, most) or wait_reason(fact.text, fact.origin, lambda: False):
            continue
        from holdfast.markdown.claim_key import key_of
        from holdfast.markdown.fact_mark import Mark

        mark = Mark(fact.id, fact.importance, fact.origin, fact.said_last, fact.valid_from)
        claim = Claim(key_of(fact.text), fact.text, fact.path, fact.line, mark)
        shown = Candidate(fact.id, fact.text, claim.place, "below", "", fact.origin, claim=claim.key)
        agreeing.append(PassedCandidate(shown, claim, line))
    return agreeing


def _forgotten_ids(ctx: Context, lines: Sequence[Line]) -> set[str]:
    """The lines that were facts which nobody has any more: who forgets a fact does not want it in every prompt."""
    fact_ids = {line.id for line in lines if line.own and line.id and category_of(line.source.rpartition("#")[0])}
    if not fact_ids:
        return set()
    from holdfast.facts.fact_insert import all_facts
    from holdfast.facts.facts_book import read_notes

    notes, damaged = read_notes(ctx)
    known = {fact.id for fact in all_facts(notes)}
    # Those that were typed by hand have an id of dreaming's own here, and none there.
    if damaged:
        return set()
    return {fact_id for fact_id in fact_ids - known if not _MADE_HERE.fullmatch(fact_id)}


def _ask_model(
    ctx: Context, passed: Sequence[PassedCandidate], lines: Sequence[Line], left: Callable[[], float]
) -> tuple[dict[int, Decision], str]:
    """Return what a model decides about those that no rule settles; nothing where there is none, or no time for it."""
    model = None
    if ctx.settings.dreaming.llm:
        model = ctx.chat_model
    open_ones = [
        place
        for place, entry in enumerate(passed)
        if entry.forced is None and by_rules(entry.claim, lines).action in (Action.KEEP, Action.SUPERSEDE)
    ][: ctx.settings.dreaming_deep.limit]
    if model is None or not open_ones or not lines:
        return {}, ""
    candidates = [passed[place].claim for place in open_ones]
    request = request_for(candidates, lines)
    most = ctx.settings.dreaming.max_tokens
    if sum(tokens_of(message.text) for message in request.messages) > most:
        return {}, f"the model was not asked: with MEMORY.md it would read more than {most:,} tokens; the rules decided"
    try:
        answer = model.chat(request, seconds=min(_MODEL_SECONDS, left()))
    except ProviderFailed as failure:
        return {}, f"the model could not decide ({failure.why}); the rules did"
    decided = by_model(answer.text, candidates, lines)
    return {open_ones[place]: decision for place, decision in decided.items()}, ""


def _removed_today(verdicts: Iterable[Verdict], day: date) -> int:
    """Return how many lines earlier runs of a day have taken out."""
    gone = [verdict.at for verdict in verdicts if verdict.verdict in ("retired", "replaced")]
    return sum(datetime.fromtimestamp(at, UTC).astimezone().date() == day for at in gone)


def _total(candidate: Candidate) -> float:
    if candidate.score is None:
        return 0.0
    return candidate.score.total
