"""forget: remove one fact, by its id or its exact words; and move facts to the archive, or back into force."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from holdfast.context.context import Context
from holdfast.errors import BadArgument
from holdfast.facts.duplicates import normalise
from holdfast.facts.fact import Fact, no_such_fact
from holdfast.facts.fact_archive import move_facts
from holdfast.facts.fact_insert import Notes, all_facts, undo_supersession, without_fact
from holdfast.facts.facts_book import PROMPT, Steps, today, write_notes
from holdfast.facts.ledger import plain
from holdfast.forgetting.memory_forget import scrub_index
from holdfast.value import Value

__all__ = ["ChangedFact", "archive_fact", "forget_fact", "restore_fact"]


class ChangedFact(Value):
    """The fact that a change was about, and the checkpoints that undo the change."""

    done: str
    """forgotten, archived or restored."""
    fact: Fact
    """As it is now; one that was forgotten, as it was."""
    shown: dict[str, Any]
    checkpoint_ids: tuple[str, ...] = ()
    because: str = ""

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        shape: dict[str, Any] = {
            self.done: True,
            "fact": self.shown,
            "checkpointId": self.checkpoint_ids[0] if self.checkpoint_ids else None,
            "checkpointIds": list(self.checkpoint_ids),
        }
        if self.because:
            return shape | {"because": self.because}
        return shape


def forget_fact(
    ctx: Context,
    id: Annotated[str | None, "The id of the fact, as recall and list show it."] = None,  # noqa: A002
    *,
    text: Annotated[str | None, "Or its exact words."] = None,
) -> ChangedFact:
    """Forget one fact: its bullet is removed, and its copy in MEMORY.md. checkpointIds bring it back."""
    from holdfast.dreaming.fact_promotions import without_copies

    because = ""

    def decide(notes: Notes, facts: list[Fact]) -> dict[str, bytes | None]:
        nonlocal because
        copies = without_copies(ctx, notes[PROMPT], [facts[0].text], {facts[0].id} - {""})
        because = copies.because
        gone: dict[str, bytes | None] = {}
        for fact in facts:  # they stand in different notes, so that one does not move the other
            gone |= without_fact({**notes, **gone}, fact, today(ctx))
        return gone | ({PROMPT: copies.data} if copies.gone else {})

    change = _change(ctx, id, text, "forgotten", decide, tool="forget")
    return change.replace(because="; ".join(filter(None, (because, change.because, scrub_index(ctx)))))


def archive_fact(ctx: Context, id: Annotated[str, "The fact's id."]) -> ChangedFact:  # noqa: A002 - as shown
    """Move a fact to memory/archive.md."""

    def decide(notes: Notes, facts: list[Fact]) -> dict[str, bytes | None]:
        if facts[0].archived:
            raise BadArgument("id", f"fact {id!r} is in the archive already")
        if len(facts) == 1:
            return move_facts(notes, facts, to_archive=True, day=today(ctx))
        return without_fact(notes, facts[0])

    return _change(ctx, id, None, "archived", decide, tool="facts_archive")


def restore_fact(ctx: Context, id: Annotated[str, "The fact's id."]) -> ChangedFact:  # noqa: A002 - as shown
    """Bring a fact back from the archive; or put one in force again that another one had taken the place of."""

    def decide(notes: Notes, facts: list[Fact]) -> dict[str, bytes | None]:
        if len(facts) > 1:
            return without_fact(notes, facts[1])
        if not facts[0].archived:
            return undo_supersession(notes, facts[0])
        return move_facts(notes, facts, to_archive=False, day=today(ctx))

    return _change(ctx, id, None, "restored", decide, tool="facts_restore")


def _change(
    ctx: Context,
    fact_id: str | None,
    text: str | None,
    done: str,
    change: Callable[[Notes, list[Fact]], dict[str, bytes | None]],
    *,
    tool: str,
) -> ChangedFact:
    if (fact_id is None) == (text is None) or not (fact_id or text or "").strip():
        raise BadArgument("id", "give the id of a fact, or its exact words as text")
    meant: list[Fact] = []

    def decide(notes: Notes) -> Steps:
        nonlocal meant
        meant = _find_facts(all_facts(notes), fact_id, text)
        changes = change(notes, meant)
        if meant[0].id:
            left = [fact for fact in all_facts({**notes, **changes}) if fact.id == meant[0].id]
            meant = left[:1] or meant
        return list(changes.items())

    checkpoints, late = write_notes(ctx, decide, tool=tool, reason=done)
    return ChangedFact(
        done, meant[0], meant[0].to_json(today(ctx)), tuple(checkpoint.id for checkpoint in checkpoints), late
    )


def _find_facts(facts: list[Fact], fact_id: str | None, text: str | None) -> list[Fact]:
    """The one fact of this id or these words; where there are several, nobody can tell which is meant.

    A fact that stands in its note and in the archive as well is one: somebody edited the archive just when a process
    that was moving it there died. Then both are given, the one in its note first.
    """
    if fact_id is not None:
        matches = [fact for fact in facts if fact.id == fact_id.strip()]
    else:
        wanted = {normalise(text or ""), normalise(plain(text or ""))}
        matches = [fact for fact in facts if normalise(fact.text) in wanted]
    if not matches:
        raise no_such_fact((fact_id or text or "").strip())
    if len(matches) > 1 and not _twins(matches):
        places = ", ".join(f"{fact.path}#{fact.line}" + (f" (id {fact.id})" if fact.id else "") for fact in matches[:6])
        name = "id" if fact_id is not None else "text"
        raise BadArgument(
            name, f"{len(matches)} facts have it: {places}; give an id that only one has, or edit the note"
        )
    return matches


def _twins(facts: list[Fact]) -> bool:
    first, other, *more = facts
    alike = first.id == other.id != "" and first.text == other.text and first.category is other.category
    return alike and not more and not first.archived and other.archived
