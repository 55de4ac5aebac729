"""SentencePiece's character map: what each run of characters is normalised to (here: NFKC, and every space one space).

The map comes with a model, so a text is normalised alike by every Python; `unicodedata` changes with the version. It is
a double-array trie over UTF-8 bytes ("darts") and the replacements, each ended by a zero byte. The longest key that
fits is replaced; a character that begins no key stays.
"""

from __future__ import annotations

import re
import sys
from array import array
from collections.abc import Iterator

from holdfast.pattern import compile_late

__all__ = ["CharMap", "joining_characters"]

_MAX_REMEMBERED = 20_000  # characters, and clusters of a letter and its marks; all are forgotten when there are more
_MAX_CLUSTER = 16  # characters of a cluster that is remembered; no key has more than 4


_SURROGATE = compile_late("[\ud800-\udfff]")
_EMPTY = b"\4\0\0\0" + bytes(4)  # a root without children


class CharMap:
    """Normalises text by a character map; a character is looked up when it is first met."""

    def __init__(self, content: bytes | memoryview, joining: str) -> None:
        """`joining`: the characters that stand second or later in a key, as `joining_characters` finds them."""
        self._trie = _Trie(content)
        self._characters = _Characters(self._trie)
        self._clusters: dict[str, str] = {}
        self._cluster: re.Pattern[str] | None = None
        if joining:
            self._cluster = compile_late(f"(?s:.)[{re.escape(joining)}]+")

    def normalize(self, text: str) -> str:
        """Replace what the map replaces; the spaces are left as many as they come."""
        if self._cluster is not None and not text.isascii():
            # Only before a joining character can a key of more than one character begin.
            parts = self._cluster.split(text)
            if len(parts) > 1:
                clusters = map(self._normalize_cluster, self._cluster.findall(text))
                plain = (part.translate(self._characters) for part in parts)
                return next(plain) + "".join(cluster + part for cluster, part in zip(clusters, plain, strict=True))
        return text.translate(self._characters)

    def _normalize_cluster(self, cluster: str) -> str:
        normalized = self._clusters.get(cluster)
        if normalized is None:
            normalized = self._trie.replace(cluster)
            if len(cluster) <= _MAX_CLUSTER:
                if len(self._clusters) >= _MAX_REMEMBERED:
                    self._clusters.clear()
                self._clusters[cluster] = normalized
        return normalized


class _Characters(dict[int, str]):
    """For `str.translate`: what each character becomes when it stands alone."""

    def __init__(self, trie: _Trie) -> None:
        super().__init__()
        self._trie = trie

    def __missing__(self, code: int) -> str:
        if len(self) >= _MAX_REMEMBERED:
            self.clear()
        normalized = self[code] = self._trie.replace(chr(code))
        return normalized


class _Trie:
    """The double array: a unit has a label, the offset of its children, and whether a key ends here."""

    def __init__(self, content: bytes | memoryview) -> None:
        if not content:
            content = _EMPTY
        size = int.from_bytes(content[:4], "little")
        if size % 4 or size + 4 > len(content):
            raise ValueError("its character map is cut short")
        self._units = array("I", bytes(content[4 : 4 + size]))
        if sys.byteorder == "big":
            self._units.byteswap()
        self._replacements = bytes(content[4 + size :])

    def replace(self, text: str) -> str:
        """Return the text with the longest key at each place replaced."""
        # Half of a surrogate pair has no UTF-8; SentencePiece takes what is broken for U+FFFD.
        data = _SURROGATE.sub("\ufffd", text).encode("utf-8")
        normalized = bytearray()
        at = 0
        while at < len(data):
            length, value = self._longest(data, at)
            if length:
                normalized += self._replacements[value : self._replacements.index(0, value)]
            else:
                length = _character_length(data[at])
                normalized += data[at : at + length]
            at += length
        return normalized.decode("utf-8")

    def _longest(self, data: bytes, at: int) -> tuple[int, int]:
        """Return the length of the longest key at a place and where its replacement stands; 0 for no key."""
        units = self._units
        place = _offset(units[0])
        length = value = 0
        for number in range(at, len(data)):
            place ^= data[number]
            unit = units[place]
            if unit & 0x8000_00FF != data[number]:
                break
            place ^= _offset(unit)
            if unit & 0x100:
                length = number + 1 - at
                value = units[place] & 0x7FFF_FFFF
        return length, value

    def characters(self, base: int | None = None) -> Iterator[tuple[str, int]]:
        """Yield every character that a key can go on with at a place, first of all, and the place after it."""
        units = self._units
        stack = [(_offset(units[0]) if base is None else base, b"")]
        while stack:
            place, start = stack.pop()
            for label in range(0x80, 0xC0) if start else range(1, 0xF5):  # as UTF-8 goes on, and as it begins
                child = place ^ label
                if child < len(units) and units[child] & 0x8000_00FF == label:
                    key = start + bytes((label,))
                    after = child ^ _offset(units[child])
                    if len(key) < _character_length(key[0]):
                        stack.append((after, key))
                    else:
                        yield key.decode("utf-8"), after


def joining_characters(content: bytes) -> str:
    """Return every character that stands second or later in a key of a character map, sorted."""
    trie = _Trie(content)
    joining: set[str] = set()
    seen: set[int] = set()
    pending = [after for _, after in trie.characters()]
    while pending:
        place = pending.pop()
        if place not in seen:
            seen.add(place)  # a place is reached from many, for the trie shares what ends alike
            for character, after in trie.characters(place):
                joining.add(character)
                pending.append(after)
    return "".join(sorted(joining))


def _offset(unit: int) -> int:
    return (unit >> 10) << ((unit & 0x200) >> 6)


def _character_length(first: int) -> int:
    """Return how many bytes the UTF-8 character takes that begins with this one."""
    if first < 0x80:
        return 1
    if first < 0xE0:
        return 2
    if first < 0xF0:
        return 3
    return 4
