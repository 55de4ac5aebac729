"""A message → the lines in it that its sender has just said: no code, quotations, logs, letters, tables or documents.

Nobody marks what they paste, so this goes by shape, and drops too much rather than too little: a fact that was missed
can be told again, and one that was taken from somebody else's letter is believed for years.
"""

from __future__ import annotations

import re

from holdfast.facts.capture.vetoes import vetoed
from holdfast.guard.fence import strip_invisible
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

__all__ = ["OwnLine", "looks_pasted", "own_lines"]

_LOOKED_AT = 16_000  # characters; what is longer was not typed
_MOST_TYPED = 2_500  # characters that somebody says at once; beyond, it is a document
_MOST_LINES = 30

_BLOCK = compile_late(r"<([A-Za-z][\w.-]{0,64})(?=[\s>])[^<>]{0,500}>")
_CODE = compile_late(r"[ \t]*(`{3,}|~{3,})")
_INDENTED = compile_late(r"(?: {4,}+|\t)(?![ \t]*(?:[-*+•]|\d{1,3}[.)]) )\S")
_FOREIGN = compile_late(
    r"\s*(?:[>|]|<[^\W\d][\w .-]{0,30}> \S|\$ |>>> |\.\.\. |@@ |diff --git|(?:\+\+\+|---) \S|[+-]\S|#!|//|/\*|"
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:|\[?\d\d:\d\d(?::\d\d)?[\] ]|(?:INFO|ERROR|WARN(?:ING)?|DEBUG|TRACE|FATAL)\b|"
    r"at \S{1,200}\(|File \"|Traceback |[\w.-]{1,40}@[\w.-]{1,60}:\S{0,60}[$#] |\w[\w.]{0,60}(?:Error|Exception): )"
)
_PASTED = compile_late(r"\s*(?:<[^<>]{1,30}> |\[?\d{1,2}:\d\d|[-_*=]{3,}\s*$)")
_HEADER = compile_late(
    r"(?:subject|from|to|cc|date|sent|betreff|von|an|gesendet|objet|de|à|envoyé|asunto|para|enviado|assunto): ?\S",
    re.IGNORECASE,
)
_SALUTATION = compile_late(
    r"(?:dear|hi|hello|sehr geehrte[rs]?|liebe[rs]?|hallo|ch(?:er|ère)s?|bonjour|madame|monsieur|estimad[oa]s?|"
    r"querid[oa]s?|hola|prezad[oa]s?|car[oa]s?|olá)\b[^.!?\n]{0,60}[,:]?$",
    re.IGNORECASE,
)
_SIGNED = compile_late(
    r"(?:best|kind|warm)? ?regards|yours (?:sincerely|faithfully|truly)|sincerely|mit freundlichen grüßen|"
    r"viele grüße|liebe grüße|cordialement|bien à (?:toi|vous)|un saludo|saludos|atentamente|atenciosamente|"
    r"cumprimentos|abraços?",
    re.IGNORECASE,
)
_DASHED = compile_late(r"[—–―]|--")
_SPEAKER = compile_late(r"\**[A-ZÀ-Þ][\w.' -]{0,30}?\**(?: \([^)]{0,30}\))?: \S")
_HEADING = compile_late(r"#{1,6} \S")
_PROMPT = compile_late(
    r"\s*(?:\$ [a-z./~_]|% [a-z./~_]|[❯➜]\s{1,4}\S|>>> |[a-z]\w{1,20}(?:=[#>]|>) \S|In \[\d{1,4}\]: |"
    r"~(?:/\S{0,60})? [$%#] \S|"
    r"[\w.-]{1,40}@[\w.-]{1,60}(?::\S{0,60} ?| \S{1,60} )[$#%] |\[\w{1,40}@[\w.-]{1,60} [^\]]{1,60}\][$#] |"
    r"(?:PS )?[A-Z]:\\[^>]{0,80}> ?\S)"
)
_ITEM = compile_late(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\] )?")


class OwnLine(NamedTuple):
    """A line that somebody said; `led_by` is the line with a colon at its end that led it in."""

    text: str
    led_by: str = ""
    apart: bool = False
    """Whether a blank line stands before it, or it is the first."""
    item: bool = False
    """Whether it is an item of a list."""
    plain: bool = True
    """Whether it stands at the left margin, and is nothing to tick off."""


def own_lines(message: str) -> tuple[list[OwnLine], bool]:
    """The lines of a message that are its sender's own, and whether it is so long that only plain requests count."""
    long = len(message) > _LOOKED_AT
    text = _without_blocks(strip_invisible(message[:_LOOKED_AT]))
    if vetoed("off_the_record", text):
        return [], long
    lines = text.split("\n")
    speakers = sum(1 for line in lines if _SPEAKER.match(line))
    own: list[OwnLine] = []
    lead, listed, gap = "", False, True
    for line in _without_commands(_without_code(lines)):
        bare = line.strip()
        if not bare:
            gap = True
            continue
        if _HEADER.match(bare) or _HEADING.match(bare) or (own and _SALUTATION.match(bare)):
            break  # a letter or a document, to its end
        if (_SIGNED.match(bare) and len(bare) < 60) or (_DASHED.match(bare) and vetoed("credited", bare)):
            return [], long
        if vetoed("credited", bare):
            continue
        if _FOREIGN.match(line) or _INDENTED.match(line) or (speakers > 1 and _SPEAKER.match(line)):
            continue
        item = _ITEM.match(line)
        if lead and listed and item is None:
            lead = ""  # the list is over
        listed = item is not None
        own.append(
            OwnLine(
                line[item.end() :].strip() if item else bare,
                lead,
                gap,
                item is not None,
                not line[:1].isspace() and "[" not in (item[0] if item else ""),
            )
        )
        gap = False
        if bare.endswith(":"):
            lead, listed = bare, False
    typed = sum(len(line.text) for line in own)
    return own, long or typed > _MOST_TYPED or len(own) > _MOST_LINES


def looks_pasted(message: str) -> bool:
    """Say whether any line of a message is of a shape that nobody types: a log, a chat, a diff, a quotation, a rule."""
    return any(_FOREIGN.match(line) or _PASTED.match(line) for line in message.split("\n"))


def _without_blocks(text: str) -> str:
    """The text without `<name> … </name>`: what recall, editors and tools put around a message."""
    kept: list[str] = []
    at = 0
    missing: set[str] = set()
    while block := _BLOCK.search(text, at):
        close = f"</{block[1]}>"
        end = -1 if close in missing else text.find(close, block.end())
        kept.append(text[at : block.start()])
        if end >= 0:
            at = end + len(close)
        elif block[1].startswith("memory-"):
            return "".join(kept)  # cut off: it goes on to the end
        else:
            missing.add(close)
            # "<Bob> I live in Oslo" is a line of a chat.
            kept.append(block[0] if block[0].endswith(f"{block[1]}>") and _begins(text, block.start()) else " ")
            at = block.end()
    return "".join([*kept, text[at:]])


def _begins(text: str, at: int) -> bool:
    return at == 0 or text[at - 1] == "\n"


def _without_code(lines: list[str]) -> list[str]:
    """The lines outside fences of code; one that is not closed goes on to the end."""
    kept: list[str] = []
    fence = ""
    for line in lines:
        found = _CODE.match(line)
        if fence:
            if found and found[1].startswith(fence):
                fence = ""
            continue
        if found:
            fence = found[1]
            continue
        kept.append(line)
    return kept


def _without_commands(lines: list[str]) -> list[str]:
    """The lines without commands of a shell and what they printed, which ends at a blank line or the last command."""
    prompts = [number for number, line in enumerate(lines) if _PROMPT.match(line)]
    if not prompts:
        return lines
    end = next((number for number in range(prompts[-1], len(lines)) if not lines[number].strip()), len(lines))
    return [*lines[: prompts[0]], *lines[end:]]
