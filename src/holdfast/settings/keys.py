"""Every key of `holdfast.toml`, by its path: what loading, checking, docs, `config` and the environment go by."""

from __future__ import annotations

from typing import Final

from holdfast.errors import UnknownSetting
from holdfast.settings.declaration import SECTION_KEYS, Key
from holdfast.settings.settings import DEFAULTS, Settings

__all__ = ["BY_PATH", "CONSTANTS", "KEYS", "TABLES", "find_key", "is_table", "retired_advice"]


def _declared() -> tuple[Key, ...]:
    keys: list[Key] = []
    for room in Settings.fields:
        for key in SECTION_KEYS[type(getattr(DEFAULTS, room))]:
            key.room = room
            keys.append(key)
    return tuple(keys)


def _tables_of(keys: tuple[Key, ...]) -> frozenset[str]:
    """Every table that a key stands in, and the tables around those."""
    tables: set[str] = set()
    for key in keys:
        table = key.table
        while table:
            tables.add(table)
            table = table.rpartition(".")[0]
    return frozenset(tables)


_DECLARED: Final = _declared()
KEYS: Final = tuple(key for key in _DECLARED if not key.fixed)
BY_PATH: Final = {key.path: key for key in KEYS}
CONSTANTS: Final = {key.path: key for key in _DECLARED if key.fixed}
"""What only a program may change, by the paths that they had as keys: an old file may still name them."""
TABLES: Final = _tables_of(KEYS)
_OLD_TABLES: Final = _tables_of(_DECLARED)


def is_table(path: str) -> bool:
    """Return whether a file may have such a table; it may be empty."""
    return path in _OLD_TABLES


def find_key(path: str, file: str | None = None, line: int | None = None) -> Key:
    """Return the key at this path, or raise UnknownSetting with what replaced it or the nearest name."""
    key = BY_PATH.get(path)
    if key is not None:
        return key
    if path in CONSTANTS:
        raise UnknownSetting(path, file=file, line=line, advice=retired_advice(CONSTANTS[path]))
    if path in TABLES:
        raise UnknownSetting(path, None, file, line, tuple(name for name in BY_PATH if name.startswith(f"{path}.")))
    from holdfast.settings.near_names import nearest_path, printable

    raise UnknownSetting(printable(path), nearest_path(path, [*BY_PATH, *sorted(TABLES)]), file, line)


def retired_advice(key: Key) -> str:
    """Return what became of a key that an earlier version had."""
    if key.advice:
        return key.advice
    if key.default is None:
        return "It is chosen by itself now."
    if isinstance(key.default, bool):
        shown = str(key.default).lower()
    else:
        shown = f"{key.default:,}"
    return f"It is fixed at {shown} now."
