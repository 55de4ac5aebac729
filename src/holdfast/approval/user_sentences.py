"""The sentences that the user typed, in this session or an earlier one, each as a key.

Only direct sessions count: in a group others type too. What was typed in another program counts as soon as its hook has
noted it (`approval/typed_prompts.py`). A message counts by its own lines: what it quotes, pastes as
code or forwards as a letter was not typed, and a document of many lines was not either (`facts/capture/own_words.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from holdfast.approval.typed_prompts import prompts_in
from holdfast.context.context import Context
from holdfast.context.session_list import Listed, session_list
from holdfast.facts.capture.own_words import OwnLine, looks_pasted, own_lines
from holdfast.guard.origin import Origin
from holdfast.llm.chat_model import Role
from holdfast.markdown.request_words import REQUESTS, asks
from holdfast.markdown.statements import ends_strictly, fold, has_quotation, sentence_key, strict_sentences
from holdfast.notes.log import Log
from holdfast.transcripts.sanitizer import words_of
from holdfast.transcripts.session_key import Kind
from holdfast.transcripts.transcript import Transcript, read_log
from holdfast.transcripts.transcript_entry import Entry

__all__ = ["typed_keys"]

_MAX_BYTES: Final = 32_000_000  # of transcripts, the newest first; they are read in about a second


def typed_keys(ctx: Context, wanted: Collection[str]) -> frozenset[str]:
    """Return those of these sentences, given by their `sentence_key`, that the user typed as a whole."""
    missing = {key for key in wanted if key.strip("? ")}
    keys: set[str] = set()
    for message in _messages(ctx):
        if not missing:
            break
        folded = fold(message)
        # Most messages lack the longest word of each sentence: they need no closer look.
        if any(max(key.rstrip("?").split(), key=len) in folded for key in missing):
            typed = missing & _keys_in(message)
            keys |= typed
            missing -= typed
    return frozenset(keys)


def _keys_in(message: str) -> set[str]:
    """The paragraphs, items and sentences of one message as keys, with and without a request to remember before them.

    Where there are quotation marks, it counts as a whole only: nobody knows whose words a part of it is.
    """
    lines, is_document = own_lines(message)
    if is_document or looks_pasted(message):
        return set()
    paragraphs = _paragraphs(lines)
    if has_quotation(message):
        if len(paragraphs) == 1:
            texts = paragraphs
        else:
            texts = []
    else:
        texts = [*paragraphs]
        for paragraph in paragraphs:
            texts += (*strict_sentences(paragraph), *strict_sentences(paragraph, behind_names=True))
    keys = {sentence_key(text) for text in texts}
    requested = {key[len(request) :].lstrip(": ") for key in keys for request in REQUESTS if asks(key, request)}
    return keys | requested


def _paragraphs(lines: list[OwnLine]) -> list[str]:
    """The lines as they were typed, those that go on with each other as one.

    An item of a list counts where nothing but a request to remember leads the list in, and nothing is nested in it:
    "Which of these is false?" before it would be lost.
    """
    paragraphs: list[str] = []
    has_text = False
    for number, line in enumerate(lines):
        request = f"{sentence_key(line.text).rstrip(':')} " in REQUESTS
        if line.item:
            nests = number + 1 < len(lines) and lines[number + 1].item and not lines[number + 1].plain
            if line.plain and not nests and not has_text:
                paragraphs.append(line.text)
            continue
        if line.led_by and f"{sentence_key(line.led_by).rstrip(':')} " not in REQUESTS:
            has_text = True
            continue
        has_text = has_text or not request
        # A paragraph that does not end beyond doubt may go on in the next one.
        if line.apart and (not paragraphs or ends_strictly(paragraphs[-1])):
            paragraphs.append(line.text)
        elif paragraphs:
            paragraphs[-1] += f" {line.text}"
        else:
            paragraphs.append(line.text)
    return paragraphs


def _messages(ctx: Context) -> Iterator[str]:
    """The user's messages in direct sessions, those of the sessions used last first."""
    left = _MAX_BYTES
    for session in session_list(ctx):
        own = ctx.session is not None and ctx.session.key == session.key
        if session.kind is not Kind.DIRECT or (session.excluded and not own):
            continue
        for prompt in prompts_in(ctx, session.key):
            yield words_of(Role.USER, prompt, indented=True)
        for log in _logs(ctx, session):
            status = log.status()
            left -= status.size if status is not None else 0
            if left < 0:
                return
            yield from _user_texts(log)


def _logs(ctx: Context, session: Listed) -> Iterator[Log]:
    """The transcript of a session, and those that were put aside when it began anew."""
    transcript = Transcript(ctx.workspace, session.key)
    yield transcript.log
    yield from reversed(transcript.archives())


def _user_texts(log: Log) -> Iterator[str]:
    for read in read_log(log):
        entry = read.record
        if not isinstance(entry, Entry) or entry.role is not Role.USER or entry.origin != Origin.USER.value:
            continue
        if words := words_of(entry.role, entry.text, entry.tags, indented=True):
            yield words
