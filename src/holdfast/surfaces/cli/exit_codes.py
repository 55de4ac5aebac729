"""The exit status of every kind of failure; scripts rely on it, so numbers are never reused."""

from __future__ import annotations

from holdfast import errors

__all__ = ["EXITS", "INTERRUPTED", "MISUSED", "TERMINATED", "exit_status"]

INTERRUPTED = 130
TERMINATED = 143
MISUSED = 2

# The first class that fits decides, so subclasses stand before what they derive from.
EXITS: tuple[tuple[type[errors.HoldfastError], int], ...] = (
    (errors.NotConfirmed, 16),
    (errors.Refused, 2),
    (errors.NotFound, 3),
    (errors.SettingsError, 4),
    (errors.NoteChangedOutside, 5),
    (errors.NotPermitted, 6),
    (errors.UnsafeFile, 7),
    (errors.StorageFailed, 8),
    (errors.Busy, 9),
    (errors.CheckpointDamaged, 10),
    (errors.IndexDamaged, 11),
    (errors.ExtraMissing, 15),
    (errors.ProviderFailed, 12),
    (errors.MemoryClosed, 13),
    (errors.ServerUnreachable, 14),
    (errors.SandboxFailed, 17),
    (errors.DatabaseAway, 18),
    (errors.DatabaseUnfit, 19),
    (errors.TooManyRequests, 20),
    (errors.HoldfastError, 1),
)


def exit_status(error: errors.HoldfastError) -> int:
    """The number a process ends with when this error ends it."""
    return next(status for kind, status in EXITS if isinstance(error, kind))
