"""Texts of another program → those that may be kept here: no orders to a model, no secret, no hidden text.

A note is looked at block by block, so that one bad line costs its block and not the note. A comment of HTML shows to a
model and to few others, and a mark in one would say by itself whose words a fact is: one that is no mark, gives no
orders and ends in its line stays, any other goes, and is told. What is in code stays as it is, but for marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from holdfast.errors import BadText
from holdfast.exchange.html_comments import CLOSE, OPEN, Part, PartKind, cut_comments, parts_of
from holdfast.facts.capture.capture_refusal import holds_secret, orders_a_model
from holdfast.facts.fact import LONGEST
from holdfast.facts.ledger import plain
from holdfast.guard.secrets import redact, secret_kinds
from holdfast.guard.text_rules import admit
from holdfast.markdown.fact_mark import has_mark
from holdfast.markdown.list_item import ITEM_SIGN
from holdfast.named_tuple import NamedTuple
from holdfast.settings.memory_settings import Secrets

__all__ = ["Admitted", "admit_fact", "admit_note"]

_STARTS: Final = re.compile(rf"{ITEM_SIGN}[ \t]|#{{1,6}}[ \t]")
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
# Who speaks in a transcript; `system:` is not among them, because only a forgery says that.
_SPEAKER: Final = re.compile(r"^([ \t]*(?:[-*+>][ \t]+)?)(?:user|human|assistant|ai|tool)[ \t]?:", re.IGNORECASE | re.M)

_OWN_MARKS: Final = ("waits", "observed")  # beside those of facts: markdown/inbox_mark.py, markdown/user_markdown.py
_NEAR: Final = 4  # blocks before one that it is read with
_PASSES: Final = 8  # one for a text that has nothing to refuse, two for most others


class Admitted(NamedTuple):
    """A text as it may be kept, "" where nothing is left of it; and why parts of it are not, with their lines."""

    text: str
    refused: tuple[tuple[int, str], ...] = ()


def admit_fact(text: str, rule: Secrets) -> Admitted:
    """One sentence, in one line and without a mark; refused whole."""
    flat = plain(cut_comments(text))
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
    """A whole note, without the blocks and the comments that must not be kept."""
    flat = text.replace("\ufeff", "").replace("\r\n", "\n").replace("\r", "\n")
    if rule is Secrets.REDACT:
        flat = redact(flat)
    refused: list[tuple[int, str]] = []
    # What goes may have held a sign of code apart from its other half: what is left is looked at anew.
    for _ in range(_PASSES):
        before = flat
        flat, why = _admit_once(flat, rule)
        refused += why
        if flat == before and not why:
            return Admitted(flat, tuple(refused))
    return Admitted("", (*refused, (1, "its code and comments can't be told apart")))


def _admit_once(text: str, rule: Secrets) -> tuple[str, list[tuple[int, str]]]:
    whole, refused = _look_at_comments(text, rule)
    if whole.fault(rule):
        kept: list[_Views] = []
        lines: list[int] = []
        shown, bare = whole.shown.split("\n"), whole.bare.split("\n")
        for line, block in _blocks(whole.text):
            place = slice(line - 1, line + block.count("\n"))
            views = _Views(block, "\n".join(shown[place]), "\n".join(bare[place]))
            if why := views.fault(rule):
                refused.append((line, why))
            else:
                kept.append(views)
                lines.append(line)
        whole = _Views.joined(kept, "\n")
        if whole.fault(rule):
            near, why_near = _refuse_together(list(zip(lines, kept, strict=True)), rule)
            whole, refused = _Views.joined(near, "\n"), [*refused, *why_near]
    # What is put together of blocks that stand far apart.
    if whole.text.strip() and (why := whole.fault(rule)):
        return "", [*refused, (1, why)]
    flat = "\n".join(line.rstrip() for line in whole.text.split("\n")).strip("\n")
    return (f"{flat}\n" if flat.strip() else ""), sorted(refused)


def _refuse_together(blocks: Sequence[tuple[int, _Views]], rule: Secrets) -> tuple[list[_Views], list[tuple[int, str]]]:
    """Refuse each block that is harmless by itself and not behind those before it, so that the others can stay."""
    kept: list[_Views] = []
    refused: list[tuple[int, str]] = []
    for line, views in blocks:
        if why := _Views.joined([*kept[-_NEAR:], views], "\n").fault(rule):
            refused.append((line, f"with what stands before it, {why}"))
        else:
            kept.append(views)
    return kept, refused


class _Views(NamedTuple):
    """A text, what it says with the words of its comments, and without them; all have the same lines."""

    text: str
    shown: str
    bare: str

    @classmethod
    def joined(cls, parts: Sequence[_Views], between: str) -> _Views:
        """All parts as one."""
        if parts:
            return cls(*(between.join(texts) for texts in zip(*parts, strict=True)))
        return cls("", "", "")

    def fault(self, rule: Secrets) -> str:
        """Return the reason why it must not be kept; "" where it may."""
        return _fault(self.shown, rule) or (_fault(self.bare, rule) if self.bare != self.shown else "")


def _look_at_comments(text: str, rule: Secrets) -> tuple[_Views, list[tuple[int, str]]]:
    """The text with the comments that may stay, and why others may not."""
    views: list[_Views] = []
    refused: list[tuple[int, str]] = []
    line = 1
    for part in _parts(text):
        if part.kind is PartKind.COMMENT:
            why = _comment_fault(part.text, rule)
        else:
            why = ""
        if why:
            refused.append((line, f"a comment of HTML was taken out: {why}"))
            gap = "\n" * part.text.count("\n")
            views.append(_Views(gap, gap, gap))
        elif part.kind is PartKind.PLAIN:
            views.append(_Views(part.text, part.text, part.text))
        else:
            views.append(
                _Views(part.text, _without_comment_signs(part.text), _without_comment_signs(cut_comments(part.text)))
            )
        line += part.text.count("\n")
    whole = _Views.joined(views, "")
    if has_mark(whole.text):  # one that is half in code
        cut = cut_comments(text)
        return _Views(cut, cut, cut), [(1, "all comments of HTML were taken out: some of them, with code, make a mark")]
    return whole, refused


def _parts(text: str) -> Iterator[Part]:
    """The parts of a text; a mark counts in code as well, and is a comment there."""
    for part in parts_of(text):
        if part.kind is not PartKind.CODE or not has_mark(part.text):
            yield part
            continue
        at = 0
        while (begin := part.text.find(OPEN, at)) >= 0 and (end := part.text.find(CLOSE, begin)) >= 0:
            end += len(CLOSE)
            yield Part(PartKind.CODE, part.text[at:begin])
            comment = part.text[begin:end]
            yield Part(PartKind.COMMENT if has_mark(comment) else PartKind.CODE, comment)
            at = end
        yield Part(PartKind.CODE, part.text[at:])


def _comment_fault(comment: str, rule: Secrets) -> str:
    body = comment[len(OPEN) : -len(CLOSE)]
    if has_mark(comment) or body.split()[:1] in ([name] for name in _OWN_MARKS):
        return "it is a mark, which only Holdfast writes"
    if "\n" in body or OPEN in body:
        if "\n" in body:
            return "it is hidden text of several lines"
        return "it opens another"
    return _fault(body, rule)


def _without_comment_signs(text: str) -> str:
    """The words of comments without the signs around them, which alone would pass for a part of a prompt."""
    return text.replace(OPEN, " ").replace(CLOSE, " ")


def _fault(text: str, rule: Secrets) -> str:
    try:
        admit(text)
    except BadText as error:
        return error.why
    if orders_a_model(_SPEAKER.sub(r"\1", text)):
        return "it reads like orders to a model"
    if rule is not Secrets.ALLOW and _secret(text, rule):
        kinds = secret_kinds(text)
        if not kinds:
            return "it holds a secret"
        return f"it holds a secret ({', '.join(kinds)})"
    return ""


def _secret(text: str, rule: Secrets) -> bool:
    """Say whether a secret is left; the trace of a redaction is not one."""
    if rule is Secrets.REDACT:
        return bool(secret_kinds(text))
    return holds_secret(text)


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
