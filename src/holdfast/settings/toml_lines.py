"""TOML text in; the line on which each key and table first stands out: `tomllib` does not keep it."""

from __future__ import annotations

import re
import tomllib

__all__ = ["Place", "lines_of_keys"]

Place = tuple[str, ...]

_TOKEN = re.compile(
    r'''
      (?P<block>"""(?:[^\\]|\\.)*?"""(?:"{0,2})|\'\'\'.*?\'\'\'(?:\'{0,2}))   # can end with quotes of its own
    | (?P<quoted>"(?:[^"\\\n]|\\.)*"|'[^'\n]*')
    | (?P<comment>\#[^\n]*)
    | (?P<newline>\n)
    | (?P<mark>[\[\]{}=,.])
    | (?P<bare>[^\s\[\]{}=,."'\#]+)
    ''',
    re.VERBOSE | re.DOTALL,
)


class _Scan:
    """The place of a walk over the tokens: the table, the open brackets, and the key that is being read."""

    def __init__(self) -> None:
        self.found: dict[Place, int] = {}
        self.table: Place = ()
        self.open: list[tuple[str, Place]] = []
        self.name: list[str] = []
        self.path: Place = ()
        self.in_key = True
        self.in_header = False

    def word(self, token: str, *, quoted: bool) -> None:
        """A bare or quoted word: part of a key, or of a value that does not matter here."""
        if self.in_key:
            self.name.append(tomllib.loads(f"k = {token}")["k"] if quoted else token)

    def mark(self, sign: str, line: int) -> None:
        """A bracket, a comma, a dot or an equals sign."""
        if self.in_header:
            if sign == "]" and self.name:
                self.table = self._record((), line)
        elif self.in_key and sign == "[":
            self.in_header = True
        elif self.in_key and sign == "=":
            self.path = self._record(self.open[-1][1] if self.open else self.table, line)
            self.in_key = False
        elif sign in "[{":
            self.open.append((sign, self.path))
            self.in_key = sign == "{"
        elif sign in "]}" and self.open:
            self.path = self.open.pop()[1]
            self.in_key = False
        elif sign == "," and self.open:
            self.in_key = self.open[-1][0] == "{"
            self.name.clear()

    def newline(self) -> None:
        """The end of a line: of a value too, unless a bracket is open."""
        if not self.open:
            self.in_key, self.in_header = True, False
            self.name.clear()

    def _record(self, prefix: Place, line: int) -> Place:
        path = (*prefix, *self.name)
        self.name.clear()
        for end in range(len(prefix) + 1, len(path) + 1):
            self.found.setdefault(path[:end], line)
        return path


def lines_of_keys(text: str) -> dict[Place, int]:
    """The first line (from 1) of each key and table of a text that `tomllib` has accepted.

    In a list of tables all entries count as the same place: the first one's line is given.
    """
    scan, line = _Scan(), 1
    for match in _TOKEN.finditer(text):
        token = match.group()
        match match.lastgroup:
            case "newline":
                line += 1
                scan.newline()
            case "block":
                line += token.count("\n")
            case "bare" | "quoted":
                scan.word(token, quoted=match.lastgroup == "quoted")
            case "mark":
                scan.mark(token, line)
    return scan.found
