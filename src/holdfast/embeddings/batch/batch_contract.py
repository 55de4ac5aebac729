"""The contract of a provider's batch service: a job is sent, looked at, collected and forgotten.

Creating a job is what costs, and a process may die right after it. So a job carries a name of ours, which was on
disk before it was sent, and can be found by that name again.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from holdfast.embeddings.embedder import SpaceKey
from holdfast.named_tuple import NamedTuple

__all__ = ["BatchState", "BatchStatus", "Batcher"]


class BatchState(StrEnum):
    """The state of a job; one that failed may still have finished a part of its rows."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class BatchStatus(NamedTuple):
    """The provider's word on a job; `because` is empty while there is nothing to complain of."""

    state: BatchState
    done: int
    total: int
    because: str = ""


class Batcher(Protocol):
    """A provider's batch service; every call raises `ProviderFailed` and nothing else when it can't."""

    @property
    def space(self) -> SpaceKey:
        """The space that its vectors belong to."""
        ...

    def submit(self, job: str, texts: Sequence[tuple[str, str]]) -> str:
        """Create a job named `job` for pairs of a row's id and its text; gives the provider's own id of it.

        `ProviderRefused` means that there is no such job now; after any other failure there may be one.
        """
        ...

    def find(self, job: str) -> str | None:
        """Return the provider's id of the job that was created under this name; None where there is none."""
        ...

    def look(self, remote: str) -> BatchStatus:
        """Return how a job stands; `ProviderRefused` also where the provider does not have it any more."""
        ...

    def collect(self, remote: str) -> dict[str, bytes]:
        """Return the packed vectors of a job that has ended, by row.

        A row that failed or can't be trusted is left out.
        """
        ...

    def forget(self, remote: str) -> None:
        """Remove what the provider keeps of a job: its texts and its vectors. Never raises `ProviderFailed`."""
        ...
