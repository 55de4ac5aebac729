"""Texts of memory → the blocks of a system prompt, in order and each within its budget. Pure.

What changes with every turn stands last, so that a provider can cache what comes before. MEMORY.md goes in as its
owner wrote it, but for lines that pose as ours, between two lines whose name depends on its text; daily notes are
barred, because more hands write there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdfast.guard.fence import bar_lines, bound_nonce, fence, strip_invisible
from holdfast.markdown.budget import Cut, head, notice, tail, tokens_of
from holdfast.recall.recall import Recalled
from holdfast.sessions.prompt_escape import escape_prompt_markers
from holdfast.value import Shown, Value

__all__ = ["Block", "Piece", "Prompt", "block_of", "file_block", "piece_of", "prompt_of"]

READ_CAP = 2 * 1024 * 1024
"""Bytes of one file that are read at the most."""

_GAP = "\n\n"
_SMALLEST = 40  # characters of a file; with less room only the notice stands there
_TRIES = 24


class Piece(Shown):
    """Says what was read of one file: its text as it may be shown, and how much of it is missing already.

    `newest` says that the end was kept and the beginning cut; `unseen` counts characters that nobody would see.
    """

    source: str
    text: str
    left: int = 0
    line: int = 1
    newest: bool = False
    unseen: int = 0

    @classmethod
    def from_json(cls, held: object) -> Piece | None:
        """The piece that was stored; None for what is none."""
        if not isinstance(held, Mapping):
            return None
        source, text = held.get("source"), held.get("text")
        if not isinstance(source, str) or not isinstance(text, str):
            return None
        left, line, unseen = (_count(held.get(name)) for name in ("left", "line", "unseen"))
        return cls(source, text, left, max(1, line), held.get("newest") is True, unseen)


class Block(Shown):
    """One part of the prompt; `text` has its heading, and `source` names the file, where it is one."""

    name: str
    heading: str
    text: str
    characters: int
    tokens: int
    truncated: bool = False
    source: str = ""


class Prompt(Value):
    """Says what a model is told of the memory; `because` says what is missing and why."""

    blocks: tuple[Block, ...] = ()
    text: str = ""
    recalled: Recalled | None = None
    because: str = ""
    mode: str = ""

    @property
    def tokens(self) -> int:
        """About how many tokens it costs."""
        return sum(block.tokens for block in self.blocks)

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        return {
            "text": self.text,
            "characters": len(self.text),
            "tokens": self.tokens,
            "mode": self.mode,
            "because": self.because,
            "blocks": [block.to_json() for block in self.blocks],
            "recalled": None if self.recalled is None else self.recalled.to_json(),
        }


def piece_of(source: str, data: bytes, size: int, characters: int, *, newest: bool = False) -> Piece:
    """Return what was read of a file, as it may be shown.

    So many characters at the most, from its beginning or its end.
    """
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    if len(data) < size:  # the cut may have gone through a character
        if newest:
            text = text.lstrip("\ufffd")
        else:
            text = text.rstrip("\ufffd")
    plain = strip_invisible(text)
    unseen = len(text) - text.count("\r\n") - len(plain)
    if newest:
        cut = tail(plain, characters)
    else:
        cut = head(plain, characters)
    return Piece(source, cut.text, cut.left + size - len(data), cut.line, newest, unseen)


def file_block(
    name: str, heading: str, piece: Piece, room: int, *, secret: str, verbatim: bool, tools: bool
) -> Block | None:
    """The block of one file in so many characters; None where there is no room for a word."""
    if not piece.text.strip() and not piece.left:
        return None
    if verbatim:
        tag = "long-term-memory"
    else:
        tag = "memory"
    frame = len(heading) + 1 + len(fence("", "0" * 12, {"path": piece.source}, name=tag))

    def framed(body: str) -> str:
        return fence(body, bound_nonce(body, secret), {"path": piece.source}, name=tag)

    body = _body(piece.text, verbatim=verbatim)
    if piece.left == 0 and frame + len(body) <= room:
        return block_of(name, heading, framed(body), source=piece.source)
    whole = len(piece.text) + piece.left
    left_over = room - frame - len(_notice(piece, whole, whole, tools=tools)) - 1
    cut = _fit_piece(piece, left_over, verbatim=verbatim)
    left = piece.left + cut.left
    if not cut.left or piece.newest:
        line = piece.line
    else:
        line = cut.line
    notice = _notice(piece, left, line, tools=tools)
    if len(cut.text) < _SMALLEST:
        notice = _notice(piece, whole, 1, tools=tools)
        fits = len(heading) + 1 + len(notice) <= room
        if not fits:
            return None
        return block_of(name, heading, notice, source=piece.source, truncated=True)
    shown = framed(_body(cut.text, verbatim=verbatim))
    if piece.newest:
        inside = (notice, shown)
    else:
        inside = (shown, notice)
    return block_of(name, heading, "\n".join(inside), source=piece.source, truncated=True)


def block_of(name: str, heading: str, body: str, *, source: str = "", truncated: bool = False) -> Block:
    """A block with its cost."""
    if body.startswith(heading):
        text = body
    else:
        text = f"{heading}\n{body}"
    return Block(name, heading, text, len(text), tokens_of(text), truncated, source)


def prompt_of(blocks: list[Block], recalled: Recalled | None, because: list[str], mode: str) -> Prompt:
    """The blocks as one text."""
    reasons = "; ".join(dict.fromkeys(filter(None, because)))
    return Prompt(tuple(blocks), _GAP.join(block.text for block in blocks), recalled, reasons, mode)


def _fit_piece(piece: Piece, room: int, *, verbatim: bool) -> Cut:
    """As much as fits once it is rendered: bars and escapes take room of their own."""
    wanted = room
    for _ in range(_TRIES):
        if wanted <= 0:
            break
        if piece.newest:
            cut = tail(piece.text, wanted)
        else:
            cut = head(piece.text, wanted)
        size = len(_body(cut.text, verbatim=verbatim))
        if size <= room:
            return cut
        wanted = min(wanted - 1, wanted * room // size)
    return Cut("", len(piece.text))


def _body(text: str, *, verbatim: bool) -> str:
    text = text.removesuffix("\n")  # the fence ends the line
    if verbatim:
        return escape_prompt_markers(text)
    return bar_lines(text)


def _notice(piece: Piece, left: int, line: int, *, tools: bool) -> str:
    start = 1 if piece.newest else line
    if tools:
        how = f'Read on with memory_get path="{piece.source}" from={start}.'
    else:
        how = ""
    return notice(piece.source, left, read_on=how, first=piece.newest)


def _count(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    return 0
