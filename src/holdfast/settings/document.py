"""The text of `holdfast.toml` in; each key's value and line out. Imported only where there is a file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping

from holdfast.errors import BadSetting, UnreadableSettings
from holdfast.settings.declaration import Key, Kind
from holdfast.settings.keys import BY_PATH, CONSTANTS, find_key, is_table
from holdfast.settings.toml_lines import Place, lines_of_keys
from holdfast.settings.value_check import check_value, expected_value, kept_value, refusal

__all__ = ["read_tables", "values_in"]

# A key with thousands of dots costs the parser the square of their number.
_MOST_DOTS = 1000


def read_tables(text: str, file: str) -> dict[str, object]:
    """The text as nested tables, or UnreadableSettings with the line at which it stops being TOML."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.count(".") > _MOST_DOTS:
            raise UnreadableSettings(file, f"a line has more than {_MOST_DOTS:,} dots", number)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise UnreadableSettings(file, "its brackets are nested too deeply") from None
    except ValueError as error:  # TOMLDecodeError, and a number with too many digits
        why, line_of_error = _explained(str(error), text)
        raise UnreadableSettings(file, why, line_of_error) from None


def values_in(text: str, file: str) -> Iterator[tuple[Key, object, int | None]]:
    """Each key that the text sets, with its checked value and its line."""
    tables = read_tables(text, file)
    yield from _walk(tables, (), lines_of_keys(text), file)


def _walk(
    table: Mapping[str, object], place: Place, lines: Mapping[Place, int], file: str
) -> Iterator[tuple[Key, object, int | None]]:
    for name, value in table.items():
        here = (*place, name)
        # A quoted "a.b" is one name with a dot in it, which no key of ours is.
        if "." not in name:
            path = ".".join(here)
        else:
            path = ".".join((*place, f'"{name}"'))
        line = lines.get(here)
        key = BY_PATH.get(path) or CONSTANTS.get(path)
        if key is not None and key.fixed:
            yield key, kept_value(key, value), line
        elif key is not None:
            if isinstance(value, dict) and key.kind is not Kind.HEADERS:
                why = f"it must be {expected_value(key)}, not a table"
                raise refusal(key, value, why, file, line)
            yield key, check_value(key, value, file, line), line
        elif not is_table(path):
            find_key(path, file, line)  # raises, with the nearest name
        elif not isinstance(value, dict):
            shown = value if len(repr(value)) <= 80 else "…"
            raise BadSetting(path, shown, f"it must be a table: [{path}], with its keys below", file, line)
        else:
            yield from _walk(value, here, lines, file)


def _explained(message: str, text: str) -> tuple[str, int | None]:
    """The parser's message as a lower-case clause, and its line."""
    found = re.search(r"\(at line (\d+), column \d+\)", message)
    line = int(found[1]) if found else None
    if "end of document" in message:
        line = text.count("\n") + (not text.endswith("\n"))
    why = re.sub(r"(?<!\s)\s*+\(at [^()]*\)$", "", message).strip().rstrip(".")
    if "Cannot overwrite a value" in message or "Cannot declare" in message:
        why = "the same key or table is given twice"
    elif "Illegal character '\\n'" in message:
        why = "it is not valid TOML, a text is not closed by its quotation mark"
    elif "Exceeds the limit" in message:
        why = "a number has too many digits"
    else:
        why = f"it is not valid TOML, {why[:1].lower()}{why[1:200]}"
    return why, line
