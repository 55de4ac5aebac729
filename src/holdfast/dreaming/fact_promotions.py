"""Take what dreaming put into MEMORY.md out again, when the note or fact behind it is forgotten.

Only dreaming's own lines: one that a person wrote or edited stays, and is named.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from holdfast.context.context import Context
from holdfast.context.save_target import require_writable
from holdfast.dreaming.claim import claims_in
from holdfast.dreaming.memory_lines import lines_in, with_changes
from holdfast.errors import BadText, WriteModeRefused
from holdfast.facts.facts_book import PROMPT, today
from holdfast.guard.paths import writable_path
from holdfast.markdown.claim_key import key_of
from holdfast.named_tuple import NamedTuple

__all__ = ["Copies", "copied_lines", "without_copies"]


class Copies(NamedTuple):
    """MEMORY.md without them, the words of those that went, and what to say of it."""

    data: bytes | None
    gone: tuple[str, ...] = ()
    because: str = ""


def _keys_of(words: Iterable[str]) -> frozenset[str]:
    """The names under which dreaming knows what some bullets say."""
    keys: set[str] = set()
    for text in words:
        keys |= {key_of(text), key_of(text.partition("\n")[0])}
        keys |= {claim.key for claim in claims_in(f"- {text}", PROMPT)}
    return frozenset(keys)


def copied_lines(data: bytes, words: Iterable[str]) -> frozenset[int]:
    """The lines of MEMORY.md, counted from 1, that dreaming made of some bullets."""
    keys = _keys_of(words)
    return frozenset(line.claim.line for line in lines_in(data) if line.own and line.claim.key in keys)


def without_copies(ctx: Context, data: bytes | None, words: Iterable[str], ids: Collection[str] = ()) -> Copies:
    """MEMORY.md without what dreaming copied there, where the caller may change it."""
    keys = _keys_of(words)
    lines = [line for line in lines_in(data) if line.claim.key in keys or (line.own and line.id in ids)]
    own = [line for line in lines if line.own]
    others = ", ".join(f"{PROMPT}#{line.claim.line}" for line in lines if not line.own)
    if others:
        because = f"{others} says so too, in a line that is not Holdfast's own"
    else:
        because = ""
    if not own:
        return Copies(data, because=because)
    try:
        require_writable(ctx, writable_path(PROMPT))
        new = with_changes(data, today(ctx), removed={line.id for line in own})
    except (WriteModeRefused, BadText) as error:
        return Copies(data, because=f"its copy stays: {str(error).rstrip('.')}")
    also = f"its copy in {PROMPT} is gone as well"
    return Copies(new, tuple(line.claim.text for line in own), "; ".join(filter(None, (also, because))))
