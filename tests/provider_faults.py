"""Everything that a provider has been seen to do wrong, as values that a test puts on the server's script."""

from __future__ import annotations

from typing import NamedTuple

__all__ = [
    "BOMB",
    "BROKEN_MODEL",
    "DRIP",
    "EMPTY",
    "HANG",
    "HEADER_DRIP",
    "HTML",
    "HUGE",
    "INFINITY",
    "NAN",
    "REDIRECT",
    "RESET",
    "SWAPPED",
    "TRUNCATED",
    "WRONG_COUNT",
    "WRONG_DIMENSIONS",
    "WRONG_SHAPE",
    "ZERO",
    "Fault",
    "status",
]


class Fault(NamedTuple):
    """One misbehaviour; `status` above 0 answers with an error in the API's own shape."""

    name: str
    status: int = 0
    headers: tuple[tuple[str, str], ...] = ()
    message: str = "the fixture was told to fail"

    def __str__(self) -> str:
        return self.name


def status(code: int, message: str = "the fixture was told to fail", **headers: str) -> Fault:
    """An error answer; `Retry_After="3"` becomes the header `Retry-After: 3`."""
    pairs = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    shown = "".join(f" {name}={value}" for name, value in pairs)
    return Fault(f"{code}{shown}", code, pairs, message)


# the wire
HANG = Fault("hang")  # takes the request and says nothing until the server is reset or closed
DRIP = Fault("drip")  # a byte of the body every few milliseconds
HEADER_DRIP = Fault("header drip")
RESET = Fault("reset")  # half of the body, then a TCP reset
REDIRECT = Fault("redirect")
# the body
TRUNCATED = Fault("truncated")  # half of the JSON, with a Content-Length that agrees
HTML = Fault("html")
EMPTY = Fault("empty")
HUGE = Fault("huge")  # 100 MB
BOMB = Fault("bomb")  # 100 MB packed into 100 KB by gzip
# the vectors
WRONG_COUNT = Fault("wrong count")
WRONG_DIMENSIONS = Fault("wrong dimensions")
WRONG_SHAPE = Fault("wrong shape")  # a vector that is words
NAN = Fault("nan")
INFINITY = Fault("infinity")
ZERO = Fault("zero")
SWAPPED = Fault("swapped")  # OpenAI: the rows in another order, with true indices
BROKEN_MODEL = Fault("model change")  # the answer names another model
