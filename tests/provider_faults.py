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
    "STREAM_CUT",
    "STREAM_DRIP",
    "STREAM_ENDS",
    "STREAM_ERROR",
    "STREAM_GARBAGE",
    "STREAM_SPLIT",
    "STREAM_STALL",
    "STREAM_UNCOUNTED",
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
# a stream; each happens after half of it
STREAM_CUT = Fault("stream cut")  # in the middle of an event, by a TCP reset
STREAM_ENDS = Fault("stream ends")  # as if it were complete, in the middle of an event
STREAM_ERROR = Fault("stream error")  # an event that tells of an error, in the API's shape, with the key in it
STREAM_GARBAGE = Fault("stream garbage")  # an event that is no JSON
STREAM_DRIP = Fault("stream drip")  # then a comment or an empty line every few milliseconds, for ever
STREAM_STALL = Fault("stream stall")  # then nothing, until the test sets `server.release`; then the rest
STREAM_SPLIT = Fault("stream split")  # no fault of the provider's: every byte by itself, so that characters are cut
STREAM_UNCOUNTED = Fault("stream uncounted")  # no usage anywhere
# the vectors
WRONG_COUNT = Fault("wrong count")
WRONG_DIMENSIONS = Fault("wrong dimensions")
WRONG_SHAPE = Fault("wrong shape")  # a vector that is words
NAN = Fault("nan")
INFINITY = Fault("infinity")
ZERO = Fault("zero")
SWAPPED = Fault("swapped")  # OpenAI: the rows in another order, with true indices
BROKEN_MODEL = Fault("model change")  # the answer names another model
