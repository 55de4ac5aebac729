"""store: keep one fact about the user, the project or a person; a second saying of it strengthens the first."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from datetime import date
from typing import Annotated, Any

from holdfast.context.context import Context
from holdfast.errors import BadArgument, FactNotFound, TooLarge
from holdfast.facts.capacity import Use, least_valuable
from holdfast.facts.fact import KEPT, LONGEST, Draft, Fact
from holdfast.facts.fact_archive import move_facts
from holdfast.facts.fact_candidates import Candidates, candidates_for, meaning_of
from holdfast.facts.fact_insert import Comparison, InsertResult, Notes, Outcome, add_fact, all_facts
from holdfast.facts.fact_notes import Overlay
from holdfast.facts.facts_book import Steps, today, write_notes
from holdfast.facts.ids import new_id
from holdfast.facts.ledger import plain
from holdfast.guard.argument_types import check_choice, check_number, display_value
from holdfast.guard.signature import OneOf
from holdfast.guard.text_rules import MAX_NOTE_BYTES, admit, without_secrets
from holdfast.markdown.fact_row import Category, strike
from holdfast.operations.fact_judgement import judgement_of
from holdfast.value import Value

__all__ = ["StoredFact", "capture_fact", "day_of", "store", "store_fact", "uses_of"]


class StoredFact(Value):
    """Says what came of it, where the fact is, whose place it took, and the checkpoints that undo it."""

    outcome: Outcome
    id: str
    path: str
    text: str
    category: Category
    replaced: tuple[str, ...] = ()
    rule: str = ""
    archived: int = 0
    """How many others made room."""
    checkpoint_ids: tuple[str, ...] = ()
    because: str = ""
    asks: tuple[str, ...] = ()
    """The facts that this one may replace, if the owner says so."""

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        shown: dict[str, Any] = {
            "id": self.id or None,
            "outcome": self.outcome.value,
            "text": self.text,
            "category": self.category.value,
            "path": self.path,
            "checkpointId": self.checkpoint_ids[0] if self.checkpoint_ids else None,
            "checkpointIds": list(self.checkpoint_ids),
        }
        if self.replaced:
            shown |= {"superseded": list(self.replaced), "rule": self.rule}
        if self.asks:
            shown["asks"] = list(self.asks)
        if self.archived:
            shown["archived"] = self.archived
        if self.because:
            return shown | {"because": self.because}
        return shown


def store(
    ctx: Context,
    text: Annotated[str, "One fact in one sentence, in the words a person would write: 'I prefer green tea'."],
    *,
    category: Annotated[str | None, "preference, fact, decision, entity or other (the default).", OneOf(KEPT)] = None,
    importance: Annotated[float | None, "How much it matters, 0 to 1 (usually .5)."] = None,
    valid_from: Annotated[str | None, "The day from which it holds: 2026-03-05."] = None,
    valid_until: Annotated[str | None, "The last day on which it holds."] = None,
) -> StoredFact:
    """Remember one fact. What is known already is strengthened; a fact that it contradicts is kept as superseded."""
    draft = Draft(
        text,
        _category(category),
        importance,
        day_of("valid_from", valid_from),
        day_of("valid_until", valid_until),
        _session(ctx),
    )
    return store_fact(ctx, draft)


def store_fact(ctx: Context, draft: Draft, *, tool: str = "store") -> StoredFact:
    """Store a draft with the caller's origin; what it is a duplicate of is decided under the lock."""
    stored = _store(ctx, draft, tool)
    assert stored is not None
    return stored


def capture_fact(ctx: Context, draft: Draft, *, tool: str, day: date | None = None) -> StoredFact | None:
    """The same for what nobody asked to store; None where a note says it already and no fact changes by it.

    `day` is that of the message: what its words call "yesterday" gets its date.
    """
    from holdfast.facts.capture.day_stamp import stamp_day
    from holdfast.facts.fact_twins import find_saying, find_saying_since, indexed_change

    seen, text = indexed_change(ctx), draft.text
    found = find_saying(ctx, text)  # not under the lock: it may take a while

    def is_said() -> bool:
        return bool(found or find_saying_since(ctx, text, seen))

    return _store(ctx, draft.replace(text=stamp_day(text, day or today(ctx))), tool, is_said)


def _store(ctx: Context, draft: Draft, tool: str, is_said: Callable[[], bool] = lambda: False) -> StoredFact | None:
    draft = _check_draft(ctx, draft)
    settings = ctx.settings.facts
    day = today(ctx)
    meaning = meaning_of(ctx, draft.text)
    done: InsertResult | None = None
    gone: list[Fact] = []

    def decide(notes: Notes) -> Steps:
        nonlocal done, gone
        known = candidates_for(ctx, draft.text, meaning, notes)
        done = _add_draft(ctx, notes, draft, day, known)
        if done.outcome is Outcome.STORED and is_said():  # under the lock: somebody may be saving it just now
            done = None
            return []
        gone, steps = [], list(done.changes.items())
        more = done.brought_back or done.outcome is not Outcome.REINFORCED
        if settings.archive and more and (known is None or known.many >= settings.max):
            gone, moves = _make_room(ctx, Overlay(notes, done.changes), done.id, day)
            steps += moves.items()
        return steps

    changes, late = write_notes(ctx, decide, tool=tool, reason=f"store {draft.category.value}", whole=False)
    if done is None:
        return None
    return StoredFact(
        done.outcome,
        done.id,
        done.path,
        draft.text,
        draft.category,
        done.replaced,
        done.rule,
        len(gone),
        tuple(change.id for change in changes),
        "; ".join(filter(None, (done.remark, late))),
        done.asks,
    )


def _add_draft(ctx: Context, notes: Notes, draft: Draft, day: date, known: Candidates | None) -> InsertResult:
    """Return the notes with the draft in them, as the facts that the index knows decide.

    All facts of the notes decide where it can't tell, or has told of a fact what is not in its note.
    """
    threshold = ctx.settings.facts.duplicate_similarity
    if known is None:
        comparison = Comparison(threshold=threshold, judgement=judgement_of(ctx, None))
    else:
        comparison = Comparison(known.similar, threshold, known.facts, judgement_of(ctx, known.similar))
        with suppress(FactNotFound):
            return add_fact(
                notes, draft, ctx.origin, day, comparison, make_id=lambda taken: _unused_id(taken, known.is_taken)
            )
    return add_fact(notes, draft, ctx.origin, day, comparison._replace(known=None))


def _unused_id(taken: Collection[str], is_taken: Callable[[str], bool]) -> str:
    while is_taken(fact_id := new_id(taken)):
        continue
    return fact_id


def _make_room(ctx: Context, notes: Notes, new: str, day: date) -> tuple[list[Fact], dict[str, bytes | None]]:
    """The facts that go to the archive for a new one, and the notes without them; none where the archive is full."""
    facts = [fact for fact in all_facts(notes) if fact.id != new]
    if sum(not fact.archived for fact in facts) < ctx.settings.facts.max:
        return [], {}
    gone = least_valuable(facts, ctx.settings.facts.max - 1, day, uses_of(ctx, facts))
    moves = move_facts(notes, gone, to_archive=True, day=day)
    full = any(data is not None and len(data) > MAX_NOTE_BYTES for data in moves.values())
    return ([], {}) if full else (gone, moves)


def day_of(name: str, text: str | None) -> date | None:
    """The day that a caller wrote as 2026-03-05."""
    if text is None:
        return None
    try:
        return date.fromisoformat(text.strip())
    except ValueError as error:
        raise BadArgument(name, f"{display_value(text)} is not a date; write 2026-03-05") from error


def uses_of(ctx: Context, facts: Sequence[Fact]) -> Use:
    """Say how often each of these facts was read, and how many days ago last."""
    from holdfast.markdown.chunk_ids import text_hash

    lines = {fact: f"- {fact.whole or fact.text}" for fact in facts}
    keys = {fact: text_hash(strike(line) if fact.struck else line) for fact, line in lines.items()}
    counts = ctx.usage.of(list(keys.values()))
    now = ctx.clock.now()

    def use(fact: Fact) -> tuple[float, float]:
        times, last = counts.get(keys.get(fact, ""), (0, now))
        return float(times), max(0.0, (now - last) / 86_400)

    return use


def _check_draft(ctx: Context, draft: Draft) -> Draft:
    if not isinstance(draft.text, str) or not draft.text.strip():
        raise BadArgument("text", "it is empty; say what to remember")
    text = plain(without_secrets(admit(draft.text, "text"), ctx.settings.memory.secrets))
    if not any(map(str.isalnum, text)):  # signs alone, as in "!!!"
        raise BadArgument("text", "it says nothing; say what to remember")
    if len(text) > LONGEST:
        raise TooLarge("fact", len(text), LONGEST)
    check_number("importance", draft.importance)
    if draft.valid_from is not None and draft.valid_until is not None and draft.valid_from > draft.valid_until:
        raise BadArgument("valid_from", f"{draft.valid_from} is after {draft.valid_until}")
    return draft.replace(text=text)


def _session(ctx: Context) -> str:
    if ctx.session is None:
        return ""
    from holdfast.transcripts.session_key import session_mark

    return session_mark(ctx.workspace.agent, ctx.session.key)


def _category(asked: str | None) -> Category:
    if asked is None:
        return Category.OTHER
    check_choice("category", asked, KEPT)
    return Category(asked)
