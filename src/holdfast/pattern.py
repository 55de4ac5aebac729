"""Regular expressions that are compiled when they are first used.

Compiling was a tenth of a cold search and more of a hook, and half of what was compiled was not used.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

__all__ = ["compile_late"]

if TYPE_CHECKING:
    from re import compile as compile_late
else:
    _KEPT = "match fullmatch search findall finditer split sub subn scanner flags groups groupindex".split()

    class LatePattern:
        """Stands for a `re.Pattern`, and has its methods."""

        def __init__(self, pattern: str | bytes, flags: int = 0) -> None:
            self.pattern = pattern
            self._given = flags

        def __getattr__(self, name: str) -> Any:
            """Compile it, and keep what it has, so that it is found without coming here again."""
            if name not in _KEPT:
                raise AttributeError(name)
            compiled = re.compile(self.pattern, self._given)
            self.__dict__.update((kept, getattr(compiled, kept)) for kept in _KEPT)
            return self.__dict__[name]

    compile_late = LatePattern
