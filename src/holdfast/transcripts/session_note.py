"""A conversation → a note of it: a heading a day, a bullet a turn, and a stamp by which we know it again.

The stamp tells which conversation it is of, without telling the session's key, and what the body's bytes were: a note
that its owner has edited since is the owner's, and is neither replaced nor cleared away.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta, tzinfo
from hashlib import sha256
from unicodedata import normalize

from holdfast.guard.paths import EXPORTS
from holdfast.guard.text_rules import admit
from holdfast.llm.chat_model import Role
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late
from holdfast.plural import agree, count_of
from holdfast.transcripts.sanitizer import make_inert, one_line, shorten
from holdfast.value import Shown

__all__ = [
    "STAMP_BYTES",
    "Exported",
    "RenderedNote",
    "Stamp",
    "Turn",
    "day_of",
    "expired_exports",
    "is_whole",
    "moment_of",
    "name_of",
    "render",
    "restamp",
    "session_hash",
    "slug_words",
    "stamp_as",
    "stamp_of",
]


STAMP_BYTES = 256
"""A stamp is never longer."""

_MOST_OF_A_TURN = 8_000  # characters; a longer message is a document that somebody pasted
_MOST_BYTES = 1_000_000  # of a note, which may have four times as many
_FROM_THE_START = 8  # turns that stay when a conversation is too long; what it was about is said there
_TITLE = 80
_SLUG = 48
_AT_ONCE = 10
_STAMP = compile_late(
    r"---\nexported-by: holdfast\nsession: (?P<session>[0-9a-f]{16})\nconversation: (?P<conversation>[0-9a-f]{16})\n"
    r"last: (?P<last>\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}\.\d{3}Z)?)\n"
    r"turns: (?P<turns>\d{1,9})\nbody: (?P<body>[0-9a-f]{16})\n---\n",
    re.ASCII,
)
_MARK = compile_late(r"\[redacted: [^\]]{0,60}\]")
_WORDS = compile_late(r"[a-z0-9]+")


class Exported(Shown):
    """Says what became of an export: the note, the checkpoint that undoes it, and exports that made room.

    Where its own conversation was the oldest, the note is among those itself (`is_kept`). `replaced` says that there
    was one of this conversation before; where that had the same bytes, nothing was written and `checkpoint_id` is
    empty.
    """

    path: str
    checkpoint_id: str
    turns: int
    replaced: bool = False
    removed: tuple[str, ...] = ()
    because: str = ""

    @property
    def is_kept(self) -> bool:
        """True if the note is there, and was not too old itself."""
        return self.path not in self.removed

    sparse = ("because",)
    or_null = ("checkpoint_id",)


class Turn(NamedTuple):
    """A turn: what somebody said, when (seconds since 1970); its text has been through `sanitise`."""

    at: float
    role: Role
    text: str


class Stamp(NamedTuple):
    """The stamp of an export: what it says of itself; `intact` is False once somebody has edited it."""

    session: str
    conversation: str
    last: datetime
    turns: int
    intact: bool


class RenderedNote(NamedTuple):
    """A conversation as a note, with what its name is made of."""

    data: bytes
    first: date
    slug: str
    conversation: str
    turns: int


def session_hash(agent: str, key: str, began: str = "") -> str:
    """A name for a session that does not tell its key; with the id of its first entry, for one conversation of it."""
    return sha256("\0".join((agent, key, began)).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def render(
    turns: Sequence[Turn], *, agent: str, key: str, began: str, zone: tzinfo | None = None
) -> RenderedNote | None:
    """The note of a conversation; None where no user said anything. The same turns give the same bytes."""
    opening = next((turn.text for turn in turns if turn.role is Role.USER), None)
    if opening is None:
        return None
    first, last = day_of(turns[0].at, zone), max(moment_of(turn.at, UTC) for turn in turns)
    title = make_inert(one_line(opening, _TITLE)) or "A conversation"
    body = admit("\n".join([f"# {title}", "", *_within(_turn_lines(turns, zone)), ""]), "export")
    conversation = session_hash(agent, key, began)
    stamp = (
        f"---\nexported-by: holdfast\nsession: {session_hash(agent, key)}\nconversation: {conversation}\n"
        f"last: {last:%Y-%m-%dT%H:%M:%S}.{last.microsecond // 1000:03}Z\n"
        f"turns: {len(turns)}\nbody: {_hash(body)}\n---\n"
    )
    slug = _slug(_MARK.sub(" ", opening)) or _slug(key) or "session"
    return RenderedNote((stamp + body).encode("utf-8"), first, slug, conversation, len(turns))


def name_of(first: date, slug: str, number: int = 1) -> str:
    """The path of an export; several of a day that begin alike are numbered."""
    return f"{EXPORTS}{first}-{slug}{'' if number == 1 else f'-{number}'}.md"


def slug_words(text: str) -> list[str]:
    """The words of a text as names of files have them: without accents, small, and in plain letters."""
    plain = normalize("NFKD", text).encode("ascii", "ignore").decode("ascii").lower().replace("'", "")
    return _WORDS.findall(plain)


def is_whole(turns: Sequence[Turn]) -> bool:
    """Say whether the note of these turns has all of what was said: none of them shortened or left out."""
    shown = _turn_lines(turns, UTC)
    return len(_within(shown)) == len(shown) and all(len(turn.text) <= _MOST_OF_A_TURN for turn in turns)


def stamp_of(data: bytes) -> Stamp | None:
    """The stamp of a note, or None where it is none that we exported."""
    try:
        text = data.decode("utf-8")
        match = _STAMP.match(text)
        if match is None:
            return None
        last = datetime.fromisoformat(match["last"])
        if last.tzinfo is None:  # by a former version, which told the day: at noon it is that day almost everywhere
            last = last.replace(hour=12, tzinfo=UTC)
    except ValueError:
        return None
    intact = _hash(text[match.end() :]) == match["body"]
    return Stamp(match["session"], match["conversation"], last, int(match["turns"]), intact)


def restamp(data: bytes) -> bytes:
    """An export whose body we changed ourselves, with a stamp that fits it again; any other note as it is."""
    text = data.decode("utf-8", "surrogateescape")
    match = _STAMP.match(text)
    if match is None:
        return data
    start, end = match.span("body")
    return (text[:start] + _hash(text[match.end() :]) + text[end:]).encode("utf-8", "surrogateescape")


def stamp_as(data: bytes, session: str, conversation: str) -> bytes:
    """An export with the stamp of another session, whose key it has now; any other note as it is."""
    text = data.decode("utf-8", "surrogateescape")
    match = _STAMP.match(text)
    if match is None:
        return data
    stamp = match[0].replace(f"session: {match['session']}", f"session: {session}")
    stamp = stamp.replace(f"conversation: {match['conversation']}", f"conversation: {conversation}")
    return (stamp + text[match.end() :]).encode("utf-8", "surrogateescape")


def expired_exports(stamps: Mapping[str, Stamp], *, now: datetime, days: int | None, count: int | None) -> list[str]:
    """The exports that are too old or too many, by what was said in them last; None is no limit.

    The oldest come first. One that was edited is not ours to remove or to count.
    """
    ours = sorted((stamp.last, path) for path, stamp in stamps.items() if stamp.intact)
    first_day = None
    if days is not None:
        first_day = now.date() - timedelta(days=days)
    old = sum(first_day is not None and last.astimezone(now.tzinfo).date() < first_day for last, _ in ours)
    many = 0 if count is None else len(ours) - count
    # A clock that jumped ten years ahead must not clear the folder before anybody notices.
    return [path for _, path in ours[: max(min(old, _AT_ONCE), many, 0)]]


def day_of(at: float, zone: tzinfo | None) -> date:
    """The day of a moment where the user is; a time that no calendar has counts as the first day there is."""
    return moment_of(at, zone).date()


def moment_of(at: float, zone: tzinfo | None) -> datetime:
    """A moment where the user is; a time that no calendar has counts as the beginning of ours."""
    try:
        return datetime.fromtimestamp(at, UTC).astimezone(zone)
    except (OverflowError, OSError, ValueError):
        return datetime.fromtimestamp(0, UTC)


def _turn_lines(turns: Sequence[Turn], zone: tzinfo | None) -> list[str]:
    """The lines of each turn, with a heading before the first of a day."""
    shown: list[str] = []
    day = None
    for turn in turns:
        moment = moment_of(turn.at, zone)
        above = ""
        if moment.date() != day:
            day = moment.date()
            above = f"{'' if not shown else chr(10)}## {day}\n\n"
        shown.append(f"{above}- **{turn.role.value}** ({moment:%H:%M}): {_indent_bullet(turn.text)}")
    return shown


def _indent_bullet(text: str) -> str:
    """A text as the inside of a bullet: below its first line everything is indented, and no line is structure."""
    lines: list[str] = []
    for line in shorten(text, _MOST_OF_A_TURN).split("\n"):
        safe = make_inert(line)
        if safe or (lines and lines[-1]):
            lines.append(f"  {safe}" if lines and safe else safe)
    return "\n".join(lines)


def _within(turns: list[str]) -> list[str]:
    """The turns that a note has room for: the first few, and from there the last ones."""
    sizes = [len(turn.encode("utf-8")) + 1 for turn in turns]
    if sum(sizes) <= _MOST_BYTES:
        return turns
    room = _MOST_BYTES - sum(sizes[:_FROM_THE_START])
    start = len(turns)
    while start > _FROM_THE_START and sizes[start - 1] <= room:
        start -= 1
        room -= sizes[start]
    left = start - _FROM_THE_START
    return [
        *turns[:_FROM_THE_START],
        f"\n({count_of(left, 'turn')} {agree(left, 'is', 'are')} left out here.)\n",
        *turns[start:],
    ]


def _slug(text: str) -> str:
    """A few words of a text as every file system can store them."""
    words = slug_words(text[:400])
    slug = ""
    for word in words:
        longer = f"{slug}-{word}" if slug else word
        if len(longer) > _SLUG:
            break
        slug = longer
    return slug or next((word[:_SLUG] for word in words), "")


def _hash(body: str) -> str:
    return sha256(body.encode("utf-8", "surrogatepass")).hexdigest()[:16]
