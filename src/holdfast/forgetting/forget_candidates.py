"""Find the claims that somebody may want forgotten, each with the reason why it can't be removed, if any.

Found by search for words of the owner's own, or by exact text in every note. Each claim is cut from the note as it is
on disk now, never from the index: what is removed must be what stands there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from holdfast.context.context import Context
from holdfast.context.save_target import may_write, named_note
from holdfast.context.session_visibility import can_read
from holdfast.errors import BadPath, BadText, NoteNotFound, StorageFailed, TooLarge, UnsafeFile
from holdfast.forgetting.forget_plan import LONGEST
from holdfast.forgetting.note_claims import Claim, bare, claims_in
from holdfast.guard.paths import EXPORTS
from holdfast.guard.text_rules import decode
from holdfast.index.store_contract import StoredChunk
from holdfast.markdown.lines import split_lines
from holdfast.named_tuple import NamedTuple
from holdfast.notes.note import Note
from holdfast.pattern import compile_late

__all__ = ["Offer", "by_request", "by_text", "request_subject", "why_not_changed", "words_in"]

_MOST = 40  # claims that are shown to a model or a person: more is no choice any more
_BESIDE = 24  # hits that are asked for at least, because those in transcripts are no notes
_ORDER = compile_late(
    r"\s*(?:please\s+)?(?:forget|delete|remove|erase)\s+(?:(?:everything|anything|all)\s+)?"
    r"(?:that|about|the\s+fact\s+that)?\s*",
    re.IGNORECASE,
)
_STALE = "the note has changed since it was searched; ask again"
_UNREADABLE = (NoteNotFound, BadText, BadPath, TooLarge, UnsafeFile, StorageFailed)


class Offer(NamedTuple):
    """A claim of a note as it was read; `fault` says why it can't be removed as it is."""

    note: Note
    claim: Claim
    fault: str = ""

    @property
    def path(self) -> str:
        """The note's path."""
        return self.note.path


def by_request(ctx: Context, request: str, limit: int) -> list[Offer]:
    """The claims in the first `limit` chunks that a search finds, those with most words of the request first."""
    from holdfast.context.note_search import search_unnoticed

    results = search_unnoticed(ctx, request_subject(request), max(_BESIDE, 2 * limit))
    # Nothing can be taken out of an image; `forget_everywhere` names those that show it.
    hits = [hit for hit in results.results if hit.source != "sessions" and not hit.media][:limit]
    offers: list[Offer] = []
    with ctx.database.connection.reading():
        edition = ctx.database.serving()
        chunks = [edition.chunk_at(hit.chunk_id) if edition is not None else None for hit in hits]
        hashes = {
            chunk.path: state.hash
            for chunk in chunks
            if edition is not None and chunk is not None and (state := edition.state(chunk.path)) is not None
        }
    for path in dict.fromkeys(chunk.path for chunk in chunks if chunk is not None):
        of_note = [chunk for chunk in chunks if chunk is not None and chunk.path == path]
        offers += _within(ctx, path, of_note, stale_unless=hashes.get(path, ""))
    asked = words_in(request_subject(request))
    unique = {
        (offer.path, offer.claim.start, offer.claim.end): offer for offer in offers if len(offer.claim.text) <= LONGEST
    }
    ranked = sorted(unique.values(), key=lambda offer: -len(asked & words_in(offer.claim.text)))
    return ranked[:_MOST]


def by_text(ctx: Context, text: str) -> list[Offer]:
    """Every place in the notes where exactly this text stands."""
    wanted = "\n".join(split_lines(text))
    places: list[Offer] = []
    for note, flat in _notes(ctx):
        if wanted.strip() not in flat:
            continue
        claims = claims_in(flat)
        places += [_offer(ctx, note, flat, claim) for claim in _at(flat, claims, wanted)]
    return places


def request_subject(request: str) -> str:
    """The request without the order in front of it: a note that says "forget" is not what is looked for."""
    order = _ORDER.match(request)
    return (request[order.end() :] if order else "").strip() or request


def words_in(text: str) -> frozenset[str]:
    """The telling words of a text, as search knows them."""
    from holdfast.search.query import question_of

    clipped = re.sub(r'["“„«「『*-]', " ", text[: 4 * LONGEST])
    if clipped.strip():
        return frozenset(word.text for word in question_of(clipped).words)
    return frozenset()


def _within(ctx: Context, path: str, chunks: Sequence[StoredChunk], *, stale_unless: str) -> Iterator[Offer]:
    """The claims of a note that lie in some of its chunks, or reach into them."""
    try:
        note = ctx.workspace.read(path)
        flat = "\n".join(split_lines(decode(note.data)))
    except _UNREADABLE:
        return  # deleted or damaged since
    if note.hash != stale_unless:
        stale = _STALE
    else:
        stale = ""
    spans = [_span(flat, chunk) for chunk in chunks]
    for claim in claims_in(flat):
        if any(claim.start < end and claim.end > start for start, end in spans):
            offer = _offer(ctx, note, flat, claim)
            yield offer._replace(fault=stale or offer.fault)


def _span(flat: str, chunk: StoredChunk) -> tuple[int, int]:
    lines = flat.split("\n")
    start = sum(len(line) + 1 for line in lines[: chunk.start_line - 1])
    end = start + sum(len(line) + 1 for line in lines[chunk.start_line - 1 : chunk.end_line])
    if chunk.start_line == chunk.end_line and chunk.text in flat[start:end]:  # it may be a piece of one long line
        start += flat[start:end].index(chunk.text)
        end = start + len(chunk.text)
    return start, end


def _offer(ctx: Context, note: Note, flat: str, claim: Claim) -> Offer:
    fault = why_not_changed(ctx, note.path)
    if not fault and flat.count(claim.cut) > 1:
        if ctx.workspace.gate.is_owner:
            remedy = "; `holdfast delete` removes one or all of them"
        else:
            remedy = ""
        fault = f"the same text stands more than once in {note.path}{remedy}"
    return Offer(note, claim, fault)


def why_not_changed(ctx: Context, path: str) -> str:
    """Return why the caller can't change a note; "" where they can."""
    if path.startswith("/"):
        return "it lies outside the home, where nothing is written; edit the file itself"
    try:
        allowed = may_write(ctx, named_note(ctx, path))
    except BadPath:
        exported = path.startswith(EXPORTS)
        if exported:
            what = "the export of a conversation"
        else:
            what = "a folder of the owner's below memory/"
        return f"it stands in {what}, which only the owner changes"
    if not allowed:
        return f'memory.agent_write_mode = "{ctx.workspace.gate.mode}" does not allow changes of {path}'
    return ""


def _notes(ctx: Context) -> Iterator[tuple[Note, str]]:
    """Every note that can be read, with its text; line ends are line feeds."""
    with ctx.workspace.reader() as read:
        for listed in ctx.workspace.walk().found:
            if not can_read(ctx, listed.path):
                continue
            try:
                note = read(listed)
                yield note, "\n".join(split_lines(decode(note.data)))
            except _UNREADABLE:
                continue


def _at(flat: str, claims: list[Claim], wanted: str) -> Iterator[Claim]:
    """The claims that say exactly this, or the bare text where it is a part of one or more than one."""
    stripped = wanted.strip()
    exact = wanted if wanted in flat else stripped
    at = flat.find(stripped)
    for _ in range(_MOST):
        if at < 0:
            break
        end = at + len(stripped)
        around = [
            claim
            for claim in claims
            if claim.start <= at and end <= claim.end and stripped in (claim.text, bare(claim.text))
        ]
        if around:
            yield min(around, key=lambda claim: claim.end - claim.start)
        else:
            left = at - (len(exact) - len(exact.lstrip()))
            yield Claim(at, end, stripped, exact, left, flat.count("\n", 0, at) + 1)
        at = flat.find(stripped, end)
