"""Every key of `holdfast.toml`, by its path: what loading, checking, docs, `config` and the environment go by."""

from __future__ import annotations

from typing import Final

from holdfast.errors import UnknownSetting
from holdfast.settings.declaration import SECTION_KEYS, Key
from holdfast.settings.settings import DEFAULTS, Settings

__all__ = ["BY_PATH", "KEYS", "TABLES", "find_key"]


def _keys() -> tuple[Key, ...]:
    keys: list[Key] = []
    for room in Settings.fields:
        for key in SECTION_KEYS[type(getattr(DEFAULTS, room))]:
            key.room = room
            keys.append(key)
    return tuple(keys)


def _tables() -> frozenset[str]:
    tables: set[str] = set()
    for key in KEYS:
        table = key.table
        while table:
            tables.add(table)
            table = table.rpartition(".")[0]
    return frozenset(tables)


KEYS: Final = _keys()
BY_PATH: Final = {key.path: key for key in KEYS}
TABLES: Final = _tables()
"""Every table that a key stands in, and the tables around those."""


def find_key(path: str, file: str | None = None, line: int | None = None) -> Key:
    """Return the key at this path, or raise UnknownSetting with the nearest name."""
    key = BY_PATH.get(path)
    if key is not None:
        return key
    if path in TABLES:
        raise UnknownSetting(path, None, file, line, tuple(name for name in BY_PATH if name.startswith(f"{path}.")))
    from holdfast.settings.near_names import nearest_path, printable

    raise UnknownSetting(printable(path), nearest_path(path), file, line)
