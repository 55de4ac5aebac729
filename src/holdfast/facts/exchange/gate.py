"""What another program kept → what may be kept here: nothing that gives orders to a model, no secret, no hidden text.

A note is looked at block by block, so that one bad line costs its block and not the note. What a reader can't see goes
in any case: comments of HTML show to a model and to nobody else, and a mark in one would say by itself whose words a
fact is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from holdfast.errors import BadText
from holdfast.facts.capture.refusing import holds_secret, orders_a_model
from holdfast.facts.fact import LONGEST
from holdfast.facts.ledger import plain
from holdfast.guard.secrets import names, redact
from holdfast.guard.text import admit
from holdfast.settings.values import Secrets

__all__ = ["Admitted", "admit_fact", "admit_note"]

_STARTS: Final = re.compile(r"(?:[-*+]|[0-9]{1,9}[.)])[ \t]|#{1,6}[ \t]")
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
# Who speaks in a transcript; `system:` is not among them, because only a forgery says that.
_SPEAKER: Final = re.compile(r"^([ \t]*(?:[-*+>][ \t]+)?)(?:user|human|assistant|ai|tool)[ \t]?:", re.IGNORECASE | re.M)


class Admitted(NamedTuple):
    """A text as it may be kept, "" where nothing is left of it; and why parts of it are not, with their lines."""

    text: str
    refused: tuple[tuple[int, str], ...] = ()


def admit_fact(text: str, rule: Secrets) -> Admitted:
    """One sentence, in one line and without a mark; refused whole."""
    flat = plain(_uncommented(text))
    if not any(map(str.isalnum, flat)):
        return Admitted("", ((1, "it says nothing"),))
    if rule is Secrets.REDACT:
        flat = redact(flat)
    if why := _fault(flat, rule):
        return Admitted("", ((1, why),))
    if len(flat) > LONGEST:
        return Admitted("", ((1, f"it has more than {LONGEST:,} characters, and is no single fact"),))
    return Admitted(flat)


def admit_note(text: str, rule: Secrets) -> Admitted:
    """A whole note, without the blocks that must not be kept."""
    flat = _uncommented(text.replace("\ufeff", "").replace("\r\n", "\n").replace("\r", "\n"))
    if rule is Secrets.REDACT:
        flat = redact(flat)
    refused: list[tuple[int, str]] = []
    if _fault(flat, rule):
        kept: list[str] = []
        for line, block in _blocks(flat):
            why = _fault(block, rule)
            if why:
                refused.append((line, why))
            else:
                kept.append(block)
        flat = "\n".join(kept)
        # What was put together of blocks that are harmless one by one.
        if flat.strip() and (why := _fault(flat, rule)):
            return Admitted("", (*refused, (1, why)))
    flat = "\n".join(line.rstrip() for line in flat.split("\n")).strip("\n")
    return Admitted(f"{flat}\n" if flat.strip() else "", tuple(refused))


def _uncommented(text: str) -> str:
    """The text without comments, its lines where they were; one that nobody closed stays, and is refused."""
    told: list[str] = []
    at = 0
    while (begin := text.find("<!--", at)) >= 0 and (end := text.find("-->", begin)) >= 0:
        told += (text[at:begin], "\n" * text.count("\n", begin, end))
        at = end + 3
    return "".join((*told, text[at:]))


def _fault(text: str, rule: Secrets) -> str:
    try:
        admit(text)
    except BadText as error:
        return error.why
    if orders_a_model(_SPEAKER.sub(r"\1", text)):
        return "it reads like orders to a model"
    if rule is not Secrets.ALLOW and _secret(text, rule):
        kinds = names(text)
        return f"it holds a secret ({', '.join(kinds)})" if kinds else "it holds a secret"
    return ""


def _secret(text: str, rule: Secrets) -> bool:
    """Whether a secret is left; after redaction its trace is none."""
    return bool(names(text)) if rule is Secrets.REDACT else holds_secret(text)


def _blocks(text: str) -> Iterator[tuple[int, str]]:
    """The parts of a note that stand for themselves, with the line of each: paragraphs, bullets, headings, code."""
    block: list[str] = []
    begin, fence = 1, ""
    for number, line in enumerate(text.split("\n"), 1):
        found = _FENCE.match(line)
        if fence:
            block.append(line)
            if found and found[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
            continue
        after_blank = bool(block) and not block[-1].strip() and bool(line.strip())
        if block and (after_blank or found or _STARTS.match(line)):
            yield begin, "\n".join(block)
            block, begin = [], number
        block.append(line)
        fence = found[1] if found else ""
    if block:
        yield begin, "\n".join(block)
