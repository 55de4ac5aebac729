"""Read what dreaming goes by: the daily notes and conversations of some days, and lines by the hash of their words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Final
from zlib import crc32

from holdfast.context.context import Context
from holdfast.context.session_list import session_list
from holdfast.dreaming.claim import Claim, claims_in
from holdfast.dreaming.claim_origins import Origins
from holdfast.dreaming.signals import is_source
from holdfast.errors import BadText, NoteNotFound, TooLarge, UnsafeFile
from holdfast.facts.capture.chat_sentences import sentences
from holdfast.facts.capture.own_words import own_lines
from holdfast.facts.facts_book import fact_note_paths
from holdfast.guard.origin import Origin
from holdfast.guard.text_rules import decode
from holdfast.index.sqlite.signal_table import Signals
from holdfast.llm.chat_model import Role
from holdfast.markdown.claim_key import key_of
from holdfast.markdown.fact_row import category_of
from holdfast.named_tuple import NamedTuple
from holdfast.transcripts.sanitizer import words_of
from holdfast.transcripts.session_key import Kind
from holdfast.transcripts.transcript import Transcript
from holdfast.transcripts.transcript_entry import Entry

__all__ = ["SourceReader", "daily_claims", "spoken_claims", "state_of", "text_of"]

_SESSIONS: Final = 40
_BYTES: Final = 256 * 1024  # of the end of a transcript
_SHORTEST: Final = 12
_MOST_NOTES: Final = 500  # that one run reads for lines by their hashes
_IMPORTS: Final = "memory/imports"
_UNREADABLE: Final = (NoteNotFound, BadText, TooLarge, UnsafeFile)


class SourcedClaim(NamedTuple):
    """A line that stands in a note now, and who brought it there."""

    claim: Claim
    origin: Origin | None


class SourceReader:
    """Reads each note once for a run."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._notes: dict[str, dict[str, Claim]] = {}
        self._origins = Origins(ctx.workspace)

    def standing(self, key: str, paths: Sequence[str], day: date) -> SourcedClaim | None:
        """The line with this hash, as one of these notes has it now; one that is gone, struck or over is none."""
        places: list[SourcedClaim] = []
        for path in paths:
            claim = None
            if is_source(path):
                claim = self._claims(path).get(key)
            if claim is None or (claim.mark is not None and (claim.mark.valid_until or day) < day):
                continue
            places.append(SourcedClaim(claim, self._origin(claim)))
        own = (place for place in places if place.origin in (Origin.USER, Origin.OUTSIDE, Origin.AUTO_CAPTURE))
        return next(own, places[0] if places else None)

    def _origin(self, claim: Claim) -> Origin | None:
        if category_of(claim.path) is not None:
            return (claim.mark.origin if claim.mark is not None else None) or Origin.OUTSIDE
        # Whatever the journal has lost: what lies here was brought from elsewhere.
        if claim.path.startswith(_IMPORTS):
            return Origin.IMPORT
        return self._origins.of(claim.path, claim.key)

    def _claims(self, path: str) -> dict[str, Claim]:
        if path not in self._notes:
            text = None
            if len(self._notes) < _MOST_NOTES:
                text = text_of(self._ctx, path)
            if text is not None:
                claims = claims_in(text, path, _day_of(path))
            else:
                claims = []
            self._notes[path] = {claim.key: claim for claim in reversed(claims)}
        return self._notes[path]


def daily_claims(ctx: Context, today: date, days: int) -> Iterator[Claim]:
    """Return what the daily notes of the last days say, today's first."""
    for back in range(days + 1):
        day = today - timedelta(days=back)
        path = f"memory/{day.isoformat()}.md"
        text = text_of(ctx, path)
        if text is not None:
            yield from claims_in(text, path, day)


def spoken_claims(ctx: Context, today: date, days: int) -> Iterator[Claim]:
    """Return what the user said in direct conversations of the last days, sentence by sentence; no questions."""
    for path, number, day, message in _user_messages(ctx, today - timedelta(days=days)):
        for line in own_lines(message)[0]:
            for sentence in sentences(line.text):
                if not sentence.asked and not sentence.quoted and len(sentence.text) >= _SHORTEST:
                    yield Claim(key_of(sentence.text), sentence.text, path, number, None, day)


def state_of(ctx: Context, signals: Signals, today: date) -> frozenset[str]:
    """A checksum of each thing that a run would look at: where the last one saw them all, there is nothing new."""
    settings = ctx.settings
    days = max(settings.dreaming_light.lookback_days, settings.dreaming_rem.lookback_days)
    daily = (f"memory/{(today - timedelta(days=back)).isoformat()}.md" for back in range(days + 1))
    notes = ((path, text_of(ctx, path)) for path in (*daily, *fact_note_paths(ctx)))
    sessions = ((session.key, session.bytes) for session in session_list(ctx)[:_SESSIONS])
    seen = (("answers", *signals.extent()), *(note for note in notes if note[1] is not None), *sessions)
    return frozenset(f"{crc32(repr(part).encode()):08x}" for part in seen)


def _user_messages(ctx: Context, since: date) -> Iterator[tuple[str, int, date, str]]:
    """Messages of the user since a day: the transcript, the line counted from where it was read, the day, the words."""
    floor = datetime.combine(since, datetime.min.time()).timestamp()
    listed = [
        session
        for session in session_list(ctx)
        if session.kind is Kind.DIRECT and not session.excluded and session.last >= floor
    ]
    for session in listed[:_SESSIONS]:
        transcript = Transcript(ctx.workspace, session.key)
        start = max(0, transcript.bytes - _BYTES)
        for number, read in enumerate(transcript.lines(start), 1):
            entry = read.record
            if not isinstance(entry, Entry) or entry.role is not Role.USER or entry.origin != Origin.USER.value:
                continue
            if entry.at >= floor and (words := words_of(entry.role, entry.text, entry.tags, indented=True)):
                yield transcript.path, number, _local_day(entry.at), words


def _local_day(at: float) -> date:
    try:
        return datetime.fromtimestamp(at, UTC).astimezone().date()
    except (ValueError, OverflowError, OSError):
        return date.min


def text_of(ctx: Context, path: str) -> str | None:
    """Return what a note says now; None where it can't be read."""
    try:
        return decode(ctx.workspace.read(path).data)
    except _UNREADABLE:
        return None


def _day_of(path: str) -> date | None:
    from holdfast.search.note_dates import note_date

    return note_date(path)
