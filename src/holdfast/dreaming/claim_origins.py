"""The checkpoints of a note → who brought a line into it.

A note has many writers, so the last one says nothing about a line. Whoever made a change after which the line stood
there, and before which it did not, brought it; putting a note back brings nothing new. Where the checkpoints that would
tell are gone, the origin is not known.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from functools import cached_property
from typing import Final

from holdfast.checkpoints.change import Change
from holdfast.checkpoints.change_history import after_bytes, before_bytes, history
from holdfast.checkpoints.checkpoint_store import open_for_reading
from holdfast.dreaming.claim import claims_in
from holdfast.errors import HoldfastError
from holdfast.guard.origin import Origin, weakest_origin
from holdfast.guard.text_rules import decode
from holdfast.named_tuple import NamedTuple
from holdfast.notes.workspace import Workspace
from holdfast.pattern import compile_late

__all__ = ["Origins"]

_MOST: Final = 400  # changes of one note that are looked at
_SEQ: Final = compile_late(rb'"seq":([0-9]{1,18})')
_PUT_BACK: Final = frozenset(("checkpoint_restore", "undo"))


class _Numbers(NamedTuple):
    """The changes that the journal tells of, by their numbers: those in between were dropped, or their note purged."""

    dreamt: frozenset[int]
    newest: int


class Origins:
    """Looks up who brought lines into notes; the journal, and each note's checkpoints, are read once."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._changes: dict[str, list[Change]] = {}
        self._claims: dict[str, frozenset[str]] = {}

    def of(self, path: str, claim: str) -> Origin | None:
        """Return who brought a claim, by its key, into a note where it stands now; None where that can't be told."""
        if path not in self._changes:
            self._changes[path] = history(self._workspace, path=path, limit=_MOST)[::-1]
        changes = self._changes[path]
        if len(changes) == _MOST:
            return None
        try:
            return weakest_origin(set(self._claim_origins(changes, claim)))
        except HoldfastError:
            return None

    def _claim_origins(self, changes: list[Change], claim: str) -> Iterator[Origin | None]:
        stood, seq, digest = False, 0, None
        for change in changes:
            before = claim in self._claim_keys(change, change.before, before=True)
            if before and not stood and change.before != digest:
                yield self._outside(seq, change.seq)
            after = claim in self._claim_keys(change, change.after, before=False)
            if after and not before and change.tool not in _PUT_BACK:
                yield _writer(change)
            stood, seq, digest = after, change.seq, change.after
        if not stood:
            yield self._outside(seq, self._journal.newest + 1)

    def _outside(self, after: int, before: int) -> Origin | None:
        """An edit that Holdfast did not make, where it has still all changes that it made in that time."""
        dreamt = self._journal.dreamt
        if not all(number in dreamt for number in range(after + 1, before)):
            return None
        return Origin.OUTSIDE

    @cached_property
    def _journal(self) -> _Numbers:
        with open_for_reading(self._workspace) as store:
            if store is None:
                return _Numbers(frozenset(), 0)
            dreamt: set[int] = set()
            newest = 0
            with closing(store.journal.lines_backwards()) as lines:
                for line in lines:
                    match = _SEQ.search(line)
                    if match is not None:
                        newest = max(newest, int(match[1]))
                        if b'"purged"' not in line and b'"pruned"' not in line:
                            dreamt.add(int(match[1]))
            return _Numbers(frozenset(dreamt), newest)

    def _claim_keys(self, change: Change, digest: str | None, *, before: bool) -> frozenset[str]:
        if digest is None:
            return frozenset()
        if digest not in self._claims:
            data = (before_bytes if before else after_bytes)(self._workspace, change) or b""
            self._claims[digest] = frozenset(claim.key for claim in claims_in(decode(data), change.path))
        return self._claims[digest]


def _writer(change: Change) -> Origin | None:
    """Return who wrote a line of a note that holds no facts.

    What is captured into such a note are a model's words, at the end of a conversation or before its compaction: they
    may repeat a page that it read there, and are the user's no more than an agent's are.
    """
    if change.words_of not in list(Origin):
        return None
    if change.words_of == Origin.AUTO_CAPTURE:
        return Origin.AGENT
    return Origin(change.words_of)
