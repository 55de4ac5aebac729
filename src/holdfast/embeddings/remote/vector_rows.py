"""One vector as an API wrote it → numbers; whatever is not a list of plain numbers refuses the whole answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.errors import BadAnswer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["row_of", "rows_of"]

_MOST = 65536  # no model has as many dimensions; a longer list is a mistake or an attack


def rows_of(provider: str, found: Any) -> list[NDArray[np.float32]]:
    """Return a list of vectors."""
    if not isinstance(found, list):
        raise BadAnswer(provider, f"where a list of vectors should be, there is {_kind(found)}")
    return [row_of(provider, item) for item in found]


def row_of(provider: str, found: Any) -> NDArray[np.float32]:
    """Return one vector: a list of numbers, or the same packed as OpenAI packs it."""
    import numpy as np

    if isinstance(found, str):
        return _unpack_base64(provider, found)
    if not isinstance(found, list) or not 0 < len(found) <= _MOST:
        raise BadAnswer(provider, f"a vector is {_kind(found)}")
    if not set(map(type, found)) <= {int, float}:  # `true` and "1" would become numbers without a word
        odd = next(item for item in found if type(item) not in (int, float))
        raise BadAnswer(provider, f"a vector holds {_kind(odd)}, not only numbers")
    try:
        with np.errstate(over="ignore"):  # what does not fit becomes infinite, and is refused for that
            return np.array(found, dtype="<f4")
    except OverflowError:
        raise BadAnswer(provider, "a vector holds a number too long to be one") from None


def _unpack_base64(provider: str, found: str) -> NDArray[np.float32]:
    import base64

    import numpy as np

    try:
        raw = base64.b64decode(found, validate=True)
    except ValueError:
        raw = b""
    if not raw or len(raw) % 4 or len(raw) > 4 * _MOST:
        raise BadAnswer(provider, "a vector is a text that is not base64 of 32-bit numbers")
    return np.frombuffer(raw, dtype="<f4")


def _kind(found: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    shown = names.get(type(found), "a number")
    if not isinstance(found, list):
        return shown
    return f"{shown} of {len(found):,}"
