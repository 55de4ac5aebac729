"""What dreaming reads: the daily notes and conversations of some days, and lines by the hash of their words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Final, NamedTuple
from zlib import crc32

from holdfast.dreaming.claim import Claim, claims_in, key_of
from holdfast.dreaming.claim_origins import Origins
from holdfast.dreaming.signals import is_source
from holdfast.errors import BadText, NoteNotFound, TooLarge, UnsafeFile
from holdfast.facts.capture.chat_sentences import sentences
from holdfast.facts.capture.own_words import own_lines
from holdfast.guard.origin import Origin
from holdfast.guard.text_rules import decode
from holdfast.index.sqlite.signal_table import Signals
from holdfast.llm.chat_model import Role
from holdfast.markdown.fact_row import category_of
from holdfast.sessions.sanitizer import words_of
from holdfast.sessions.session_key import Kind
from holdfast.sessions.transcript import Transcript
from holdfast.sessions.transcript_entry import Entry
from holdfast.tools.facts_book import fact_note_paths
from holdfast.tools.rooms import Rooms
from holdfast.tools.session_list import session_list

__all__ = ["Reading", "daily_claims", "said_claims", "state_of", "text_of"]

_SESSIONS: Final = 40
_BYTES: Final = 256 * 1024  # of the end of a transcript
_SHORTEST: Final = 12
_MOST_NOTES: Final = 500  # that one run reads for lines by their hashes
_IMPORTS: Final = "memory/imports"
_UNREADABLE: Final = (NoteNotFound, BadText, TooLarge, UnsafeFile)


class Standing(NamedTuple):
    """A line that stands in a note now, and who brought it there."""

    claim: Claim
    origin: Origin | None


class Reading:
    """Reads each note once for a run."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._notes: dict[str, dict[str, Claim]] = {}
        self._origins = Origins(rooms.workspace)

    def standing(self, key: str, paths: Sequence[str], day: date) -> Standing | None:
        """The line with this hash, as one of these notes has it now; one that is gone, struck or over is none."""
        found: list[Standing] = []
        for path in paths:
            claim = self._claims(path).get(key) if is_source(path) else None
            if claim is None or (claim.mark is not None and (claim.mark.valid_until or day) < day):
                continue
            found.append(Standing(claim, self._origin(claim)))
        own = (one for one in found if one.origin in (Origin.USER, Origin.OUTSIDE, Origin.AUTO_CAPTURE))
        return next(own, found[0] if found else None)

    def _origin(self, claim: Claim) -> Origin | None:
        if category_of(claim.path) is not None:
            return (claim.mark.origin if claim.mark is not None else None) or Origin.OUTSIDE
        # Whatever the journal has lost: what lies here was brought from elsewhere.
        return Origin.IMPORT if claim.path.startswith(_IMPORTS) else self._origins.of(claim.path, claim.key)

    def _claims(self, path: str) -> dict[str, Claim]:
        if path not in self._notes:
            text = text_of(self._rooms, path) if len(self._notes) < _MOST_NOTES else None
            claims = claims_in(text, path, _day_of(path)) if text is not None else []
            self._notes[path] = {claim.key: claim for claim in reversed(claims)}
        return self._notes[path]


def daily_claims(rooms: Rooms, today: date, days: int) -> Iterator[Claim]:
    """What the daily notes of the last days say, today's first."""
    for back in range(days + 1):
        day = today - timedelta(days=back)
        path = f"memory/{day.isoformat()}.md"
        text = text_of(rooms, path)
        if text is not None:
            yield from claims_in(text, path, day)


def said_claims(rooms: Rooms, today: date, days: int) -> Iterator[Claim]:
    """What the user said in direct conversations of the last days, sentence by sentence; no questions."""
    for path, number, day, message in _said(rooms, today - timedelta(days=days)):
        for line in own_lines(message)[0]:
            for one in sentences(line.text):
                if not one.asked and not one.quoted and len(one.text) >= _SHORTEST:
                    yield Claim(key_of(one.text), one.text, path, number, None, day)


def state_of(rooms: Rooms, signals: Signals, today: date) -> frozenset[str]:
    """A checksum of each thing that a run would look at: where the last one saw them all, there is nothing new."""
    settings = rooms.settings
    days = max(settings.dreaming_light.lookback_days, settings.dreaming_rem.lookback_days)
    daily = (f"memory/{(today - timedelta(days=back)).isoformat()}.md" for back in range(days + 1))
    notes = ((path, text_of(rooms, path)) for path in (*daily, *fact_note_paths(rooms)))
    said = ((one.key, one.bytes) for one in session_list(rooms)[:_SESSIONS])
    seen = (("answers", *signals.extent()), *(one for one in notes if one[1] is not None), *said)
    return frozenset(f"{crc32(repr(one).encode()):08x}" for one in seen)


def _said(rooms: Rooms, since: date) -> Iterator[tuple[str, int, date, str]]:
    """Messages of the user since a day: the transcript, the line counted from where it was read, the day, the words."""
    floor = datetime.combine(since, datetime.min.time()).timestamp()
    listed = [one for one in session_list(rooms) if one.kind is Kind.DIRECT and not one.excluded and one.last >= floor]
    for session in listed[:_SESSIONS]:
        transcript = Transcript(rooms.workspace, session.key)
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


def text_of(rooms: Rooms, path: str) -> str | None:
    """What a note says now; None where it can't be read."""
    try:
        return decode(rooms.workspace.read(path).data)
    except _UNREADABLE:
        return None


def _day_of(path: str) -> date | None:
    from holdfast.search.note_dates import note_date

    return note_date(path)
