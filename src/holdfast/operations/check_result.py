"""One check of doctor: what was looked at, whether it is well, what was seen, and what to do."""

from __future__ import annotations

from holdfast.named_tuple import NamedTuple

__all__ = ["Check"]


class Check(NamedTuple):
    """`warn` is for what works and could be better: nothing needs mending."""

    name: str
    ok: bool
    detail: str = ""
    remedy: str = ""
    warn: bool = False
