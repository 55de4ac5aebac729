"""The HTTP status of every kind of failure; clients rely on the pair of status and type, so a row is never changed."""

from __future__ import annotations

from typing import Any, Final

from holdfast import errors

__all__ = ["SOON", "STATUSES", "error_body", "retry_headers", "status_of", "status_of_name"]

# The first class that fits decides, so subclasses stand before what they derive from.
STATUSES: tuple[tuple[type[errors.HoldfastError], int], ...] = (
    (errors.TooLarge, 413),
    (errors.TwinPath, 409),
    (errors.KeyUsed, 409),
    (errors.BadText, 422),
    (errors.Refused, 400),
    (errors.NotFound, 404),
    (errors.NoModel, 409),
    (errors.UnreadableSettings, 409),
    (errors.SettingsError, 422),
    (errors.NoteChangedOutside, 409),
    (errors.NotPermitted, 403),
    (errors.UnsafeFile, 409),
    (errors.StorageFailed, 507),
    (errors.Busy, 503),
    (errors.CheckpointDamaged, 410),
    (errors.IndexDamaged, 500),
    (errors.TokensSpent, 429),
    (errors.ExtraMissing, 503),
    (errors.ProviderMissing, 503),
    (errors.ProviderFailed, 502),
    (errors.MemoryClosed, 503),
    (errors.SandboxFailed, 500),
    (errors.ServerUnreachable, 502),
    (errors.DatabaseAway, 503),
    (errors.DatabaseUnfit, 503),
    (errors.TooManyRequests, 429),
    (errors.HoldfastError, 500),
)


SOON: Final = (("Retry-After", "1"),)
"""The header for whoever may ask again in a moment."""


def status_of(error: errors.HoldfastError, *, conditional: bool = False) -> int:
    """The status for an error; `conditional`: the request said which version of the note it expects."""
    if conditional and isinstance(error, errors.NoteChangedOutside):
        return 412
    return next(status for kind, status in STATUSES if isinstance(error, kind))


def retry_headers(error: errors.HoldfastError) -> tuple[tuple[str, str], ...]:
    """The header that says when to ask again, where that may help."""
    if isinstance(error, errors.Busy):
        return SOON
    if isinstance(error, errors.DatabaseAway | errors.TooManyRequests):
        return (("Retry-After", str(error.retry_seconds)),)
    return ()


def status_of_name(name: str) -> int:
    """The same by the name of a class, as a tool's answer has it; an unknown one is our own fault."""
    kind = getattr(errors, name, None)
    if not isinstance(kind, type) or not issubclass(kind, errors.HoldfastError):
        return 500
    return next(status for known, status in STATUSES if issubclass(kind, known))


def error_body(kind: str, message: str) -> dict[str, Any]:
    """An error in the shape that every surface shows."""
    return {"error": {"type": kind, "message": message}}
