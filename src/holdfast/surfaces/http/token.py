"""The token of an installation: made once, kept in the home for its owner only."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from holdfast.errors import BadArgument, NoteChangedOutside
from holdfast.notes.private_file import read_private
from holdfast.settings.home_path import home_of

if TYPE_CHECKING:
    from holdfast.notes.file_workspace import FileWorkspace

__all__ = ["FILE", "VARIABLE", "checked_token", "token_of"]

FILE: Final = "state/token"
VARIABLE: Final = "HOLDFAST_TOKEN"
_BYTES: Final = 32  # of randomness, 43 characters
_SHAPE: Final = re.compile(r"[A-Za-z0-9._~+/=-]{24,512}", re.ASCII)  # what RFC 6750 lets stand in a header
_MOST: Final = 4096


def token_of(home: str | None, *, make: bool = True) -> str | None:
    """The token: what the environment says, else what the home has; one is made where there is none and `make` says so.

    A text that can't be a token is refused without being shown.
    """
    given = os.environ.get(VARIABLE)
    if given is not None:
        return checked_token(given, VARIABLE)
    place = home_of(home)
    private = read_private(place, FILE, _MOST)
    if private is not None:
        return checked_token(private.decode("utf-8", "replace"), FILE)
    import secrets

    from holdfast.notes.file_workspace import FileWorkspace

    with FileWorkspace.open(place) as workspace:
        held = workspace.read_file(FILE, _MOST)
        if held is None and make:
            with suppress(NoteChangedOutside):  # another process was first: that one's token is the one
                workspace.replace_file(FILE, f"{secrets.token_urlsafe(_BYTES)}\n".encode(), expected_hash="")
            held = workspace.read_file(FILE, _MOST)
        if held is not None:
            _tighten(workspace)
    if held is None:
        return None
    return checked_token(held.decode("utf-8", "replace"), FILE)


def _tighten(workspace: FileWorkspace) -> None:
    """Make the file its owner's alone, if it is not, and say so."""
    import logging

    from holdfast.notes.permissions import restrict_to_owner

    log = logging.getLogger("holdfast.http")
    try:
        mode = restrict_to_owner(workspace.home_fd, FILE)
    except OSError as error:
        log.warning("%s may be read by others, and could not be made 0600 (%s).", FILE, error.strerror)
        return
    if mode:
        why = "others on this machine could read it. It is its owner's alone now"
        log.warning("%s had mode %04o: %s; for a new token, remove it and start the server again.", FILE, mode, why)


def checked_token(text: str, where: str) -> str:
    """A token without the white space around it; BadArgument, which does not show it, for what can't be one."""
    token = text.strip() if isinstance(text, str) else ""
    if not _SHAPE.fullmatch(token):
        why = "it must have 24 to 512 letters, digits or any of - . _ ~ + / ="
        raise BadArgument(where, f"{why}; remove it, and a new one is made" if where == FILE else why)
    return token
