"""A sentence that is remembered stands in one place: as a fact, or in the note that somebody saved it to.

Capture notes what the user says, and a model saves what it was asked to remember: the same sentence would be found
twice. Who saves to MEMORY.md, and the owner wherever they save, says where it shall stand: a fact that was captured of
it goes. What an agent writes elsewhere does not repeat a fact. And what a note says already is not captured.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from itertools import takewhile
from typing import Final

from holdfast.checkpoints.group import Step
from holdfast.context.context import Context
from holdfast.errors import BadText, HoldfastError
from holdfast.facts.capture.day_stamp import stamp_day
from holdfast.facts.fact import Fact
from holdfast.facts.facts_book import PROMPT, facts_now, read_notes, today
from holdfast.facts.ledger import remove_bullet
from holdfast.guard.origin import Origin
from holdfast.guard.paths import EXPORTS, INBOX, NotePath, readable_path
from holdfast.guard.text_rules import decode
from holdfast.markdown.fact_row import Category, category_of, note_patterns
from holdfast.markdown.statements import blocks_in, strict_sentences

__all__ = ["captured_twins", "find_saying", "find_saying_since", "indexed_change", "known_lines", "removal_steps"]

_LOOKED_AT: Final = 5  # hits: a note that says exactly this comes first
_NOT_SAVED: Final = (EXPORTS, "memory/imports/", "memory/dreams/", INBOX)
"""What was said, what others wrote and what only waits: there, nobody has saved anything yet."""
_UNDER_WAY: Final = 8  # changes that other processes have written and not indexed yet; more than there are writers
_BULLETS: Final = "-*+ \t"


def find_saying(ctx: Context, text: str) -> str:
    """Return the note, other than those of facts, in which somebody saved this sentence; "" where there is none."""
    from holdfast.context.note_search import search_by_words

    prompt = read_notes(ctx, (PROMPT,))[0][PROMPT]
    if prompt is not None and _says(decode(prompt), text):
        return PROMPT
    try:
        found = search_by_words(ctx, text, _LOOKED_AT, note_patterns(*Category)).results
        hits = [hit for hit in found if not hit.media]
    except HoldfastError:  # an index that can't be used now: the worst is a sentence that stands twice
        return ""
    for hit in hits:
        if _is_saved(hit.path) and _says(hit.snippet, text):
            return hit.path
    return ""


def indexed_change(ctx: Context) -> int:
    """Return the number of a change that every search knows by now; those after it may still be indexed."""
    from holdfast.checkpoints.change_history import history

    return next((change.seq for change in history(ctx.workspace, limit=1)), 0) - _UNDER_WAY


def find_saying_since(ctx: Context, text: str, seen: int) -> str:
    """Return the same of notes that were changed after the change of this number: a search may not know them yet."""
    from holdfast.checkpoints.change_history import changes
    from holdfast.checkpoints.checkpoint_store import open_for_reading

    with open_for_reading(ctx.workspace) as store:
        if store is None:
            return ""
        with closing(changes(store)) as newest_first:
            since = list(takewhile(lambda change: change.seq > seen, newest_first))
    for path in dict.fromkeys(change.path for change in since):
        is_prompt = readable_path(path).is_prompt_memory
        if is_prompt or _is_saved(path):
            with suppress(HoldfastError):  # removed again, or nothing that can be read
                if _says(decode(ctx.workspace.read(path).data), text):
                    return path
    return ""


def _is_saved(path: str) -> bool:
    """Say whether what stands in a note is there because somebody saved it."""
    return path.startswith("memory/") and not path.startswith(_NOT_SAVED) and category_of(path) is None


def captured_twins(ctx: Context, path: NotePath, text: str) -> list[Fact]:
    """Return the captured facts that a text for this note says too, and that go when it is saved."""
    if category_of(path.text) is not None or not (path.is_prompt_memory or ctx.workspace.gate.is_owner):
        return []
    facts = [
        fact
        for fact in facts_now(ctx)
        if fact.origin is Origin.AUTO_CAPTURE
        and fact.live(today(ctx))
        and ctx.workspace.gate.allows(NotePath(fact.path))
    ]
    if facts:
        return _same_facts((stamp_day(sentence, today(ctx)) for sentence in _sentences(text)), facts)
    return []


def removal_steps(ctx: Context, facts: Sequence[Fact]) -> list[Step]:
    """Return what takes these facts out of their notes as they are now."""
    from hashlib import sha256

    notes = read_notes(ctx)[0]
    steps: list[Step] = []
    for path in dict.fromkeys(fact.path for fact in facts):
        data = notes.get(path)
        if data is None:
            continue
        left = data
        for fact in sorted((fact for fact in facts if fact.path == path), key=lambda fact: -fact.line):
            left = remove_bullet(left, path, fact.line)
        steps.append(Step(path, left if left.strip() else None, sha256(data).hexdigest()))
    return steps


def known_lines(ctx: Context, path: NotePath, text: str) -> dict[int, Fact]:
    """Return the lines of an agent's text for a note, counted from 0, that only say what a fact says."""
    if ctx.workspace.gate.is_owner or path.is_prompt_memory or category_of(path.text) is not None:
        return {}
    day = today(ctx)
    facts = [fact for fact in facts_now(ctx) if fact.live(day)]
    if not facts:
        return {}
    from holdfast.facts.duplicates import same_among

    lines = text.split("\n")
    found: dict[int, Fact] = {}
    for number, line in enumerate(lines):
        goes_on = number + 1 < len(lines) and lines[number + 1][:1] in (" ", "\t")
        words = line.strip().lstrip(_BULLETS).strip()
        if words and not goes_on and (same := same_among(stamp_day(words, day), facts)) is not None:
            found[number] = same
    return found


def _says(text: str, wanted: str) -> bool:
    return bool(_same_facts([wanted], [_as_fact(sentence) for sentence in _sentences(text)]))


def _same_facts(sentences: Iterable[str], facts: Sequence[Fact]) -> list[Fact]:
    from holdfast.facts.duplicates import same_among  # a tenth of a save's time, and most homes have nothing to compare

    found = [same for sentence in sentences if (same := same_among(sentence, facts)) is not None]
    return list(dict.fromkeys(found))


def _as_fact(sentence: str) -> Fact:
    return Fact("", sentence, Category.OTHER)


def _sentences(text: str) -> list[str]:
    try:
        blocks = blocks_in(text)
    except BadText:
        return []
    return [sentence for block in blocks for sentence in strict_sentences(block.text) if sentence.strip()]
