"""The user's profile: `[user]` in holdfast.toml, with USER.md laid over it; who may write which, and when."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, ClassVar

from holdfast.context.memory_backend import MemoryPart
from holdfast.errors import BadArgument, BadText, HoldfastError
from holdfast.guard.operation import declare
from holdfast.guard.origin import Origin
from holdfast.guard.paths import NotePath
from holdfast.guard.signature import OneOf
from holdfast.guard.text_rules import decode
from holdfast.markdown.user_markdown import (
    FIELDS,
    Profile,
    check_field,
    fields_in,
    moment_in,
    overlay_profile,
    with_field,
)
from holdfast.notes.profile_file import MAX_PROFILE_BYTES, PROFILE, read_profile
from holdfast.settings.loader import load, settings_file
from holdfast.settings.memory_settings import ProfileWriteMode
from holdfast.value import Shown

if TYPE_CHECKING:
    from holdfast.checkpoints.change import Change
    from holdfast.context.context import Context

__all__ = ["ProfileSaved", "UserProfile", "user_now", "user_profile"]


class ProfileSaved(Shown):
    """The profile as it is now, what was written, and the checkpoint of USER.md; `because` says why not more."""

    profile: Profile
    settings_file: str = ""
    checkpoint_id: str = ""
    because: str = ""

    renamed: ClassVar = {"profile": "user", "settings_file": "settings"}
    or_null = ("settings_file", "checkpoint_id")

    def without_paths(self) -> ProfileSaved:
        """Return the same for a caller on another machine: nothing in it is a path of this one."""
        return self.replace(settings_file=os.path.basename(self.settings_file))


def user_profile(ctx: Context) -> Profile:
    """Return who the user is. A USER.md that can't be read counts as none: a turn must not fail for it."""
    try:
        text = _text(read_profile(ctx.workspace))
    except HoldfastError:
        text = None
    return overlay_profile(ctx.settings.user, text)


def user_now(ctx: Context) -> datetime:
    """The time where the user is; its date is the date of today's daily note."""
    return moment_in(user_profile(ctx).timezone, ctx.clock.now())


class UserProfile(MemoryPart):
    """The profile of the home's user: what is known, what they say, and what is noted silently."""

    prefix = "profile."

    @declare(reads=True)
    def read(self) -> Profile:
        """Return the user's profile: what is known now."""
        return user_profile(self.ctx)

    @declare(for_owner=True)
    def save(
        self,
        field: Annotated[str, "name, timezone or location.", OneOf(FIELDS)],
        value: Annotated[str, "One line of plain text."],
    ) -> ProfileSaved:
        """Save what the user said: to [user] in holdfast.toml, and to USER.md as the write mode allows."""
        return _save(self.ctx, field, value)

    @declare(for_owner=True)
    def observed(
        self,
        *,
        timezone: Annotated[str | None, "The time zone that a browser or a channel tells."] = None,
        location: Annotated[str | None, "Where the user seems to be."] = None,
    ) -> ProfileSaved:
        """Note silently where the user seems to be, as a browser or a channel tells it; never over what they said."""
        return _observe(self.ctx, {"timezone": timezone, "location": location})

    @declare(for_owner=True)
    def undo(self, *, force: Annotated[bool, "Also where what it made was edited since."] = False) -> ProfileSaved:
        """Take back the last change, in USER.md and in [user] of holdfast.toml; what was edited beside it stays.

        With `force` also where what it made was edited since; the next undo takes that back.
        """
        from holdfast.checkpoints.profile_change import undo_profile

        ctx = self.ctx
        changes = undo_profile(ctx.workspace, origin=ctx.origin, clock=ctx.clock, force=force)
        settings = [change for change in changes if change.path != PROFILE]
        if settings:
            ctx.settings = ctx.settings.replace(user=load(ctx.workspace.home).settings.user)
        if settings:
            file = settings_file(ctx.workspace.home)
        else:
            file = ""
        shown = next((change for change in changes if change.path == PROFILE), changes[0])
        return ProfileSaved(self.read(), file, checkpoint_id=shown.id)


def _save(ctx: Context, field: str, value: str) -> ProfileSaved:
    from holdfast.checkpoints.profile_change import UserSetting, change_profile

    text = check_field(field, value)
    ctx.workspace.gate.require(NotePath(PROFILE))  # also where nothing is to change
    edit = None
    if ctx.settings.memory.user_profile_write_mode is not ProfileWriteMode.OFF:
        edit = _field_edit({field: text}, observed=False)
    made = change_profile(
        ctx.workspace, edit, ctx.authorship("user_profile", f"{field} was saved"), setting=UserSetting(field, text)
    )
    ctx.settings = ctx.settings.replace(user=ctx.settings.user.replace(**{field: text}))
    now, because = user_profile(ctx), ""
    if edit is None:
        because = f'memory.user_profile_write_mode = "off": {PROFILE} was not written'
        if getattr(now, field) != text:
            because += f", and says {getattr(now, field)!r}; edit it by hand"
    elif made.refused is not None:
        because = f"{PROFILE} was not written: {getattr(made.refused, 'why', None) or made.refused}"
    return ProfileSaved(now, settings_file(ctx.workspace.home), _id_of(made.change), because)


def _observe(ctx: Context, given: dict[str, str | None]) -> ProfileSaved:
    mode = ctx.settings.memory.user_profile_write_mode
    if mode is not ProfileWriteMode.EXPLICIT_AND_AUTO:
        because = f'memory.user_profile_write_mode = "{mode}": nothing is noted silently'
        return ProfileSaved(user_profile(ctx), because=because)
    seen = {name: check_field(name, value) for name, value in given.items() if value is not None}
    if not seen:
        raise BadArgument("timezone", f"give one of {', '.join(given)}")
    kept = [name for name in seen if getattr(ctx.settings.user, name)]
    wanted = {name: value for name, value in seen.items() if name not in kept}
    checkpoint = ""
    if wanted:
        from holdfast.checkpoints.profile_change import change_profile

        edit = _field_edit(wanted, observed=True)
        authorship = ctx.authorship("user_profile", "observed")._replace(origin=Origin.AUTO_CAPTURE)
        made = change_profile(ctx.workspace, edit, authorship)
        checkpoint = _id_of(made.change)
    profile = user_profile(ctx)
    kept += [name for name, value in wanted.items() if getattr(profile, name) != value]
    if kept:
        because = f"{' and '.join(kept)} stays as the user set it"
    else:
        because = ""
    return ProfileSaved(profile, checkpoint_id=checkpoint, because=because)


def _field_edit(values: dict[str, str], *, observed: bool) -> Callable[[bytes | None], bytes]:
    """Return what sets fields in USER.md; what was observed gives way to a line that somebody wrote."""

    def edit(old: bytes | None) -> bytes:
        text = None if old is None else decode(old)
        if old is not None and old.startswith(b"\xef\xbb\xbf"):
            bom = b"\xef\xbb\xbf"
        else:
            bom = b""
        for field, value in values.items():
            line = None
            if text:
                line = fields_in(text)[0].get(field)
            if line is not None and line.value == value and (observed or not line.observed):
                continue
            if observed and line is not None and line.value and not line.observed:
                continue
            text = with_field(text, field, value, observed=observed)
        return bom + (text or "").encode("utf-8")

    return edit


def _id_of(change: Change | None) -> str:
    if change is None:
        return ""
    return change.id


def _text(data: bytes | None) -> str | None:
    if data is None:
        return None
    try:
        return decode(data)
    except BadText:
        return data[:MAX_PROFILE_BYTES].decode("utf-8", "replace")
