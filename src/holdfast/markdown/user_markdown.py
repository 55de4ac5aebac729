"""USER.md: the lines about the user that Holdfast keeps, read from and put into a file that belongs to its owner. Pure.

A field stands in a list item, `- Timezone: Europe/Berlin`, or in the front matter, `timezone: Europe/Berlin`. Every
other line is the owner's and stays as it is. What was only observed carries a mark, `<!-- observed -->`, and gives way
to what somebody says.
"""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo

from holdfast.errors import BadArgument, BadText
from holdfast.guard.argument_types import check_choice
from holdfast.guard.fence import strip_invisible
from holdfast.guard.secrets import find_secrets
from holdfast.guard.text_rules import admit
from holdfast.markdown.front_matter import front_end
from holdfast.markdown.lines import split_lines
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late
from holdfast.settings.session_settings import UserSettings
from holdfast.value import Value

__all__ = ["FIELDS", "Line", "Profile", "check_field", "fields_in", "moment_in", "overlay_profile", "with_field"]

FIELDS = ("name", "timezone", "location")
"""The fields of the profile; `holdfast.toml` has the same in [user]."""

_LABELS = {"name": "Name", "timezone": "Timezone", "location": "Location"}
_WORDS = {
    **{name: name for name in FIELDS},
    "time zone": "timezone",
    "time-zone": "timezone",
    "time_zone": "timezone",
    "tz": "timezone",
}
_MAX_VALUE_CHARACTERS = 200  # characters of a value
_MAX_OTHER_LINES = 12  # lines that the owner added
_ITEM = compile_late(
    r"(?P<before>\s{0,3}[-*+]\s+(?:\*\*)?(?P<key>[^\W\d_][\w -]{0,40}?)(?:\*\*)?\s*:(?:\*\*)?)\s*(?P<value>.*)"
)
_FRONT = compile_late(r"(?P<before>(?P<key>[A-Za-z][\w -]{0,40}?)\s*:)\s*(?P<value>.*)")
_OBSERVED = compile_late(r"<!--\s*+observed\b[^>]{0,200}-->\s*+$")
_COMMENT = compile_late(r"<!--.*?(?:-->|$)")
_MARKUP = compile_late(r"[<>`\[\]{}|\\\n\r]")
_OBSERVED_MARK = " <!-- observed -->"
_NEW = "# User\n\n"
_WITH_ENDS = compile_late(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


class Line(NamedTuple):
    """One field as it stands in the file: which line (from 0), its value, and whether it was only observed."""

    at: int
    before: str
    value: str
    observed: bool
    in_front: bool


class Profile(Value):
    """The user's name, time zone and location; empty where nothing is known.

    `more` are further lines of USER.md, as label and value.
    """

    name: str = ""
    timezone: str = ""
    location: str = ""
    more: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """The lines for a prompt."""
        known = [(label, getattr(self, name)) for name, label in _LABELS.items()]
        return "\n".join(f"- {label}: {value}" for label, value in (*known, *self.more) if value)

    def to_json(self) -> dict[str, object]:
        """The shape that every surface shows."""
        return {**{name: getattr(self, name) or None for name in FIELDS}, "more": dict(self.more)}


def check_field(field: str, value: str) -> str:
    """The value that may be stored, or BadArgument: one short line without markup, and a time zone that exists."""
    check_choice("field", field, FIELDS)
    try:
        text = admit(value, field).strip()
    except BadText as error:
        raise BadArgument(field, error.why) from error
    if not text:
        raise BadArgument(field, "it is empty")
    if len(text) > _MAX_VALUE_CHARACTERS:
        raise BadArgument(field, f"it has more than {_MAX_VALUE_CHARACTERS} characters")
    markup = _MARKUP.search(text)
    if markup is not None or text[0] in "#-*+=":
        raise BadArgument(field, f"it must be one line of plain text, without {(markup[0] if markup else text[0])!r}")
    if find_secrets(text):
        raise BadArgument(field, "it looks like a password or a key")
    if field == "timezone" and _zone(text) is None:
        raise BadArgument(field, f"{text!r} is no time zone; write one such as Europe/Berlin")
    return text


def fields_in(text: str) -> tuple[dict[str, Line], tuple[tuple[str, str], ...]]:
    """The fields of USER.md, and its other labelled lines. A value that can't be counts as none."""
    fields: dict[str, Line] = {}
    more: list[tuple[str, str]] = []
    lines = split_lines(text)
    front = front_end(lines)
    for at, line in enumerate(lines):
        in_front = 0 < at < front - 1
        match = (_FRONT if in_front else _ITEM).fullmatch(line[:2000])
        if match is None:
            continue
        field = _WORDS.get(match["key"].strip().lower())
        value = _plain(match["value"])
        if field is None:
            if value and not in_front and len(more) < _MAX_OTHER_LINES:
                more.append((match["key"].strip(), value))
            continue
        if field == "timezone" and value and _zone(value) is None:
            value = ""
        if field not in fields or (value and not fields[field].value):
            observed = _OBSERVED.search(match["value"]) is not None
            fields[field] = Line(at, match["before"], value, observed, in_front)
    return fields, tuple(more)


def overlay_profile(settings: UserSettings, text: str | None) -> Profile:
    """The profile of holdfast.toml, with USER.md laid over it where there is one."""
    fields, more = fields_in(text) if text else ({}, ())
    values = {name: fields[name].value if name in fields else _plain(getattr(settings, name) or "") for name in FIELDS}
    return Profile(**values, more=more)


def with_field(text: str | None, field: str, value: str, *, observed: bool = False) -> str:
    """USER.md with one field set; nothing else in it changes."""
    mark = _OBSERVED_MARK if observed else ""
    entry = f"- {_LABELS[field]}: {value}{mark}"
    if text is None or not text.strip("\ufeff \t\r\n"):
        return f"{text or ''}{_NEW}{entry}\n"
    if text.startswith("\ufeff"):
        bom = "\ufeff"
    else:
        bom = ""
    lines = _WITH_ENDS.findall(text.removeprefix("\ufeff"))
    eol = "\r\n" if "\r\n" in text else "\n"
    found, _ = fields_in(text)
    line = found.get(field)
    if line is not None:
        needs_quotes = ":" in value or "#" in value
        written = f'"{value}"' if needs_quotes else value
        if not line.in_front:
            written = value + mark
        lines[line.at] = f"{line.before} {written}{_end(lines[line.at])}"
        return bom + "".join(lines)
    after = max((field_line.at for field_line in found.values() if not field_line.in_front), default=len(lines) - 1)
    if not _end(lines[after]):
        lines[after] += eol
    lines.insert(after + 1, entry + eol)
    return bom + "".join(lines)


def moment_in(timezone: str, now: float) -> datetime:
    """The time of the clock where the user is: in their zone if it is known, else in the machine's."""
    zone = _zone(timezone) if timezone else None
    try:
        moment = datetime.fromtimestamp(now, UTC)
        return moment.astimezone(zone)  # None: the machine's own
    except (OverflowError, ValueError, OSError):  # a clock beyond the calendar
        return datetime(1970, 1, 1, tzinfo=UTC)


def _end(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]


def _plain(value: str) -> str:
    """A value as one short line of plain text, whatever somebody wrote."""
    text = _MARKUP.sub("", _COMMENT.sub("", strip_invisible(value[:2000])))
    text = " ".join(text.split()).strip("*_\"' ")
    return text[:_MAX_VALUE_CHARACTERS].rstrip()


def _zone(name: str) -> tzinfo | None:
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):  # no such zone, or a name that is a path
        return None
