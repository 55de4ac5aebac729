"""The beginning of a GGUF file → what an embedder must know of the model, without loading it.

Layout, little-endian: "GGUF", a uint32 version, uint64 counts of tensors and of keys; then for each key a string
(uint64 length, UTF-8), a uint32 type and the value. An array is a uint32 type, a uint64 count and its elements.
The file was written by others: every length is checked against what is left of a bounded beginning, before it is used.
"""

from __future__ import annotations

import struct
from enum import IntEnum
from pathlib import Path
from typing import BinaryIO

from holdfast.errors import ProviderFailed, ProviderMissing
from holdfast.named_tuple import NamedTuple

__all__ = ["GgufHeader", "GgufPooling", "read_header"]

# The keys of a model with a vocabulary of 262,144 take some 8 MB.
_LIMIT = 32 << 20
_BLOCK = 1 << 18
_KEYS = 4096
_KEY_LENGTH = 1024
_TEXT_LENGTH = 1 << 16
_STRING, _ARRAY = 8, 9
# The sizes of the other types: 8-, 16- and 32-bit numbers, float, bool, then those of 64 bits.
_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_REMEDY = "Choose another file in memory.local.model_path; until then search goes on without it."


class GgufPooling(IntEnum):
    """The way in which the vectors of the tokens become one, as the format numbers it."""

    NONE = 0
    MEAN = 1
    CLS = 2
    LAST = 3
    RANK = 4


class GgufHeader(NamedTuple):
    """The header of a file: its word on its model."""

    architecture: str
    name: str
    dimensions: int
    context: int
    pooling: GgufPooling | None  # None: it says nothing, as those of chat models do


class _Damaged(ValueError):
    """A flaw of the file."""


class _Beginning:
    """The first bytes of a file, read as far as they are asked for, and never beyond the limit."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._held = b""
        self._at = 0

    def take(self, length: int) -> bytes:
        """Return the next bytes."""
        self.skip(length)
        return self._held[self._at - length : self._at]

    def skip(self, length: int) -> None:
        """Go on by so many bytes."""
        end = self._at + length
        if end > _LIMIT:
            raise _Damaged("its keys are longer than those of any model")
        while end > len(self._held):
            more = self._file.read(max(_BLOCK, end - len(self._held)))
            if not more:
                raise _Damaged("it ends in the middle of its keys")
            self._held += more
        self._at = end

    def number(self, form: str) -> int | float:
        """Return a number of this kind."""
        found: int | float
        (found,) = struct.unpack("<" + form, self.take(struct.calcsize("<" + form)))
        return found

    def count(self, form: str) -> int:
        """Return a number that counts something."""
        return int(self.number(form))

    def text(self, limit: int) -> str:
        """Return a string; one that is longer than the limit is refused."""
        length = self.count("Q")
        if length > limit:
            raise _Damaged("a text in it is longer than it may be")
        return self.take(length).decode("utf-8", "replace")

    def skip_strings(self, count: int) -> None:
        """Go on by so many strings; there are hundreds of thousands of them in a vocabulary."""
        length_of = struct.Struct("<Q").unpack
        for _ in range(count):
            self.skip(length_of(self.take(8))[0])


def read_header(path: Path) -> GgufHeader:
    """Read a file's keys; raises `ProviderMissing` where it is not there, `ProviderFailed` where it is not a model."""
    try:
        with path.open("rb") as file:
            return _header(_Beginning(file), path.name)
    except OSError as error:
        raise ProviderMissing("local", f"{path.name} can't be read ({error.strerror})", _REMEDY) from error
    except _Damaged as error:
        raise ProviderFailed("local", f"{path.name} is not a whole GGUF file: {error}", _REMEDY) from error


def _header(beginning: _Beginning, file_name: str) -> GgufHeader:
    if beginning.take(4) != b"GGUF":
        raise _Damaged("it does not begin as one does")
    version = beginning.count("I")
    if version not in (2, 3):  # the first version had other lengths; a big-endian file shows as a huge number
        raise _Damaged(f"its version is {version}, and only 2 and 3 are known")
    beginning.skip(8)
    keys = beginning.count("Q")
    if keys > _KEYS:
        raise _Damaged(f"it announces {keys:,} keys")
    found: dict[str, str | int | float] = {}
    for _ in range(keys):
        name = beginning.text(_KEY_LENGTH)
        value = _value(beginning, beginning.count("I"))
        if value is not None and not name.startswith("tokenizer."):
            found[name] = value
        if _all_there(found):
            break  # what follows is the vocabulary, which takes longer to pass over than all before it
    return _check_header(found, file_name)


def _value(beginning: _Beginning, kind: int) -> str | int | float | None:
    """Return the next value; None for an array, which is only passed over."""
    if kind == _STRING:
        length = beginning.count("Q")
        if length > _TEXT_LENGTH:  # a chat template may be long, and is not for us
            beginning.skip(length)
            return None
        return beginning.take(length).decode("utf-8", "replace")
    if kind in _NUMBERS:
        return beginning.number(_NUMBERS[kind])
    if kind != _ARRAY:
        raise _Damaged(f"a key has the unknown type {kind}")
    inner, count = beginning.count("I"), beginning.count("Q")
    if inner == _STRING:
        beginning.skip_strings(count)
    elif inner in _NUMBERS:
        beginning.skip(count * struct.calcsize("<" + _NUMBERS[inner]))
    else:
        raise _Damaged(f"a list has elements of the unknown type {inner}")
    return None


def _all_there(found: dict[str, str | int | float]) -> bool:
    kind = found.get("general.architecture")
    wanted = (f"{kind}.embedding_length", f"{kind}.context_length", f"{kind}.pooling_type", "general.name")
    return all(name in found for name in wanted)


def _check_header(found: dict[str, str | int | float], file_name: str) -> GgufHeader:
    kind = found.get("general.architecture")
    if not isinstance(kind, str) or not kind or len(kind) > 64:
        raise _Damaged("it does not say what kind of model it is")
    dimensions = _between(found.get(f"{kind}.embedding_length"), 1, 65_536, "the length of its vectors")
    context = _between(found.get(f"{kind}.context_length"), 8, 1 << 31, "the length of its context")
    # Some models end in a layer that makes their vectors shorter or longer than they are inside.
    if f"{kind}.embedding_length_out" in found:
        dimensions = _between(found[f"{kind}.embedding_length_out"], 1, 65_536, "the length of its vectors")
    pooling = found.get(f"{kind}.pooling_type")
    if pooling is not None and pooling not in set(GgufPooling):
        raise _Damaged(f"its pooling {pooling!r} is not known")
    name = found.get("general.name")
    if isinstance(name, str) and name.strip() and name.isprintable():
        shown = name.strip()[:100]
    else:
        shown = file_name
    return GgufHeader(kind, shown, dimensions, context, None if pooling is None else GgufPooling(int(pooling)))


def _between(value: object, least: int, most: int, what: str) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
        return value
    raise _Damaged(f"it does not say {what}" if value is None else f"{what} can't be {value!r}")
