"""The keys of `holdfast.toml` by their paths."""

from __future__ import annotations

from typing import Final

from holdfast.errors import UnknownSetting
from holdfast.settings.keys import KEYS
from holdfast.settings.setting_key import DEFAULTS, Key, Kind

__all__ = ["BY_PATH", "DEFAULTS", "KEYS", "TABLES", "Key", "Kind", "find_key"]

BY_PATH: Final = {key.path: key for key in KEYS}

TABLES: Final = frozenset(
    key.table[:end] for key in KEYS for end in (*(at for at, c in enumerate(key.table) if c == "."), len(key.table))
)
"""Every table that a key stands in, and the tables around those."""


def find_key(path: str, file: str | None = None, line: int | None = None) -> Key:
    """The key at this path; an unknown one is an error that names the nearest."""
    key = BY_PATH.get(path)
    if key is None:
        from holdfast.settings.near_names import nearest_path, printable

        if path in TABLES:
            raise UnknownSetting(path, None, file, line, tuple(one for one in BY_PATH if one.startswith(f"{path}.")))
        raise UnknownSetting(printable(path), nearest_path(path), file, line)
    return key
