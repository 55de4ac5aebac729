"""Text that is to be added to a note of facts → the same without the bullets or sentences that say what is known.

A model saves in its own words what the rules have noted in the user's, or the other way round: it is one fact.
"""

from __future__ import annotations

from datetime import date

from holdfast.facts.duplicates import duplicate_of
from holdfast.facts.fact import Draft, Fact
from holdfast.facts.fact_insert import Notes, Saying, all_facts, reinforce_fact
from holdfast.facts.ledger import entries, remove_bullet
from holdfast.guard.origin import Origin
from holdfast.markdown.statements import Kind, blocks_in, strict_sentences
from holdfast.named_tuple import NamedTuple

__all__ = ["News", "news_in"]


class News(NamedTuple):
    """Holds what is left to add, the note that it is added to, and the facts that were known."""

    text: bytes
    note: bytes | None
    known: tuple[Fact, ...] = ()


def news_in(text: bytes, path: str, notes: Notes, origin: Origin, day: date) -> News:
    """Return what is new in a text; a known fact of the same note is marked as said once more.

    One in another note is left as it is: whoever saves names one note, and only that one changes.
    """
    known: list[Fact] = []
    after = dict(notes)

    def say_again(said: str, same: Fact) -> None:
        known.append(same)
        if same.path == path:
            after.update(reinforce_fact(after, same, Saying(Draft(said, same.category), origin, day)).changes)

    listed = entries(text, path)
    sentences = [] if listed else _plain_sentences(text)
    facts = [fact for fact in (duplicate_of(said, all_facts(notes), day) for said in sentences) if fact is not None]
    if sentences and len(facts) == len(sentences):  # some of them may say something else without the others
        for said, same in zip(reversed(sentences), reversed(facts), strict=True):
            say_again(said, same)
        text = b""
    for entry in reversed(listed):
        if entry.below:
            continue  # nested lines say more
        known_fact = duplicate_of(entry.fact.text, all_facts(after), day)
        if known_fact is not None:
            text = remove_bullet(text, path, entry.fact.line)
            say_again(entry.fact.text, known_fact)
    return News(text, after.get(path), tuple(reversed(known)))


def _plain_sentences(text: bytes) -> list[str]:
    """Return the sentences of a text that is nothing else, without a bullet."""
    blocks = blocks_in(text.decode("utf-8", "replace"))
    if any(block.kind is not Kind.TEXT for block in blocks):
        return []
    return [sentence for block in blocks for sentence in strict_sentences(block.text)]
