"""The text of `holdfast.toml` in; the text with one key set or removed out. Comments stay; writes no file."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import TYPE_CHECKING, Any

from holdfast.errors import HoldfastError, HomeSetting, UnreadableSettings
from holdfast.settings.keys import CONSTANTS, find_key
from holdfast.settings.loader import FILE_NAME, FileText, load_text
from holdfast.settings.settings_reference import literal, toml_value
from holdfast.settings.value_check import parse

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

__all__ = ["parse_value", "set_value", "unset_value"]

_MARK = "\ufeff"


def parse_value(key: str, text: str) -> object:
    """The value that the text means for this key: `"6"` is 6 for a number, `a:b` two entries for a list."""
    return parse(find_key(key), text)


def set_value(text: str, key: str, value: str, *, file: str = FILE_NAME, over: FileText | None = None) -> str:
    """The text with the key set; if the key, the value or the resulting file is no good, an error.

    With `over` it is the text of an agent's file, which lies over that one.
    """
    wanted = parse_value(key, value)
    if over is not None and find_key(key).of_home:
        raise HomeSetting(key, file, over.file)
    if wanted is None:
        return unset_value(text, key, file=file, over=over)
    mark, document = _document(text, file)
    try:
        _place_value(document, key, _inline(toml_value(wanted)))
    except (ValueError, LookupError, TypeError) as error:  # tomlkit's word for "not in this place"
        load_text(text, file, over)  # knows the line, if a value stands where a table belongs
        raise UnreadableSettings(file, f"'{key}' can't be added to it, edit it by hand ({error})", remedy="") from None
    return _with_line_ends_of(text, mark + _same_but(text, document, key, wanted, file, over))


def unset_value(
    text: str, key: str, *, file: str = FILE_NAME, over: FileText | None = None, with_table: bool = False
) -> str:
    """The text without the key, so that its default holds; a misspelt key in the file can be removed too.

    It goes `with_table` where the key was the only thing in it, as an undo wants it that had set the key.
    """
    mark, document = _document(text, file)
    *tables, name = key.split(".")
    places: list[Any] = [document]
    for table in tables:
        if isinstance(places[-1], MutableMapping):
            places.append(places[-1].get(table))
        else:
            places.append(None)
    if not isinstance(places[-1], MutableMapping) or name not in places[-1]:
        if key not in CONSTANTS:
            find_key(key)
        return text
    del places[-1][name]
    for outer, table, place in zip(places[-2::-1], tables[::-1], places[:0:-1], strict=True):
        if not with_table or not _is_bare(place):
            break
        del outer[table]
    after = mark + _same_but(text, document, key, None, file, over)
    if with_table and after.endswith("\n\n") and not text.endswith(("\n\n", "\r\n\r\n")):
        after = after.rstrip("\n") + "\n"  # the blank line before the table was the table's
    return _with_line_ends_of(text, after)


def _is_bare(table: Any) -> bool:
    """Say whether a table has neither a key nor a comment."""
    from tomlkit.items import Table

    return isinstance(table, Table) and not table.as_string().strip() and not table.trivia.comment


def _document(text: str, file: str) -> tuple[str, TOMLDocument]:
    import tomlkit

    from holdfast.settings.document import read_tables

    mark = _MARK if text.startswith(_MARK) else ""
    plain = text.removeprefix(_MARK)
    read_tables(plain, file)  # for its error, which has the line
    try:
        return mark, tomlkit.parse(plain.replace("\r\n", "\n") if _has_windows_lines(plain) else plain)
    except (ValueError, RecursionError) as error:  # what only tomlkit minds, such as very deep nesting
        raise UnreadableSettings(file, f"it can't be changed here, edit it by hand ({error})", remedy="") from None


def _place_value(document: TOMLDocument, key: str, value: object) -> None:
    import tomlkit
    from tomlkit.items import InlineTable, Table

    *tables, name = key.split(".")
    place: Any = document
    for depth, table in enumerate(tables, start=1):
        if table not in place:
            if isinstance(place, InlineTable):
                place[table] = tomlkit.inline_table()
            else:  # a table that only holds tables needs no header of its own
                place[table] = tomlkit.table(is_super_table=depth < len(tables))
        place = place[table]
        if not isinstance(place, MutableMapping):
            raise TypeError(f"[{'.'.join(tables[:depth])}] is not a table")
    if isinstance(place, Table) and place.is_super_table():
        # It gets a header now, for which tomlkit would repeat the comment of the first table inside.
        place.trivia.comment_ws = place.trivia.comment = ""
    place[name] = value


def _same_but(before: str, document: TOMLDocument, key: str, wanted: object, file: str, over: FileText | None) -> str:
    """The document as text, once it is certain that only this key has changed and that it loads."""
    import tomlkit

    from holdfast.settings.document import read_tables

    after = tomlkit.dumps(document)
    place = tuple(key.split("."))
    leaves = _leaves(read_tables(before.removeprefix(_MARK), file))
    expected = {path: value for path, value in leaves.items() if path[: len(place)] != place}
    if wanted is not None:
        expected[place] = toml_value(wanted)
    if _leaves(read_tables(after, file)) != expected:
        raise UnreadableSettings(file, f"'{key}' can't be changed without changing more, edit it by hand", remedy="")
    # Removing one of two mistakes leaves the other: that is a step forward, not a reason to refuse.
    if wanted is not None or _loads(before, over):
        load_text(after, file, over)
    return after


def _with_line_ends_of(before: str, after: str) -> str:
    """The text with Windows' line ends where the one before has them: tomlkit ends the lines it adds otherwise."""
    if _has_windows_lines(before):
        return after.replace("\n", "\r\n")
    return after


def _has_windows_lines(text: str) -> bool:
    """Say whether every line ends as Windows ends it; a mixed file is left as it is."""
    return "\n" in text and text.count("\n") == text.count("\r\n")


def _loads(text: str, over: FileText | None) -> bool:
    try:
        load_text(text, over=over)
    except HoldfastError:
        return False
    return True


def _leaves(table: dict[str, Any], place: tuple[str, ...] = ()) -> dict[tuple[str, ...], object]:
    """Every value by its path; empty tables do not count."""
    leaves: dict[tuple[str, ...], object] = {}
    for name, value in table.items():
        here = (*place, name)
        if isinstance(value, dict):
            leaves.update(_leaves(value, here))
        else:
            leaves[here] = value
    return leaves


def _inline(value: Any) -> Any:
    """A list of tables on one line: as `[[…]]` it would have to stand behind every other key of its table."""
    if not (isinstance(value, list) and value and isinstance(value[0], dict)):
        return value
    import tomlkit

    return tomlkit.value(literal(value))
