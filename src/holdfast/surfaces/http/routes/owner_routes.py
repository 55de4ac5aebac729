"""The owner's side: settings, status, spaces of vectors, the user's profile, and dreaming."""

from __future__ import annotations

from typing import Annotated, Any

from holdfast.context.user_profile import ProfileSaved
from holdfast.dreaming.dream_undo import ask_again as wait_again
from holdfast.dreaming.report import FOLDER, Dream
from holdfast.errors import BadArgument
from holdfast.memory import Memory
from holdfast.operations.agents_list import agents_list
from holdfast.operations.diagnosis import doctor as run_doctor
from holdfast.operations.inbox_entries import Decided
from holdfast.operations.inbox_view import describe_entries
from holdfast.operations.memory_status import Status
from holdfast.operations.provider_test import ProviderTested, provider_test
from holdfast.operations.settings_catalogue import RECIPES, settings_catalogue
from holdfast.operations.settings_list import change_settings, settings_list
from holdfast.settings.keys import find_key
from holdfast.settings.loader import settings_file
from holdfast.surfaces.http.credentials import Visitor
from holdfast.surfaces.http.role_access import require_settings
from holdfast.surfaces.http.server_state import House, Named

EntryId = Annotated[str, "The id of an entry that waits."]


def settings(
    memory: Memory,
    house: House,
    named: Named,
    visitor: Visitor,
    changed: Annotated[bool, "Only those that differ from their defaults."] = False,
) -> dict[str, Any]:
    """Every setting of an agent, its value, and where that comes from; a secret is only "set" or "not set"."""
    found = [row for row in _in_force(memory, house) if not changed or row["source"] != "default"]
    trouble = house.desk.trouble_of(memory.agent)
    if visitor.tenant:
        file = ""
    else:
        file = settings_file(memory.home, named.agent)
    return {"settings": found, "file": file} | ({"because": trouble} if trouble else {})


def catalogue() -> dict[str, Any]:
    """Every setting there is: its kind, its bounds, what it is for, and who may change it."""
    return settings_catalogue()


def recipes() -> dict[str, Any]:
    """Combinations of settings that go by a name; `PATCH` with `dry_run` shows what one would change."""
    return {"recipes": list(RECIPES)}


def try_provider(
    memory: Memory,
    what: Annotated[str, "embedding or model."],
    changes: Annotated[dict[str, Any] | None, "Values that are not saved yet, by key; the others are as saved."] = None,
) -> ProviderTested:
    """Ask a provider once, with unsaved settings if need be; what goes wrong is told in `because`."""
    return provider_test(memory.ctx, what, changes or {})


def setting(
    memory: Memory, house: House, key: Annotated[str, "The setting, such as memory.citations."]
) -> dict[str, Any]:
    """One setting of an agent."""
    path = find_key(key).path
    return next(row for row in _in_force(memory, house) if row["key"] == path)


def patch_settings(
    memory: Memory,
    house: House,
    named: Named,
    visitor: Visitor,
    changes: Annotated[dict[str, Any], "Values by key, such as memory.citations; null takes one out of the file."],
    dry_run: Annotated[bool, "Write nothing; `diff` shows what would change in the file."] = False,
) -> dict[str, Any]:
    """Write settings to the home's holdfast.toml, or to that of the agent that is named; all or none.

    Comments stay, and the server follows the file at once.
    """
    require_settings(visitor.role, changes)
    of_agent = named.agent is not None
    made = change_settings(memory.ctx.workspace, changes, of_agent=of_agent, dry_run=dry_run)
    wanted = {find_key(key).path for key in changes}
    if not dry_run:
        house.settings_changed()
        if memory.agent != house.desk.agent:  # of the server's own agent the house tells by itself
            house.bus.tell("settings", memory.agent, {"keys": sorted(wanted)})
    rows = [row for row in _in_force(memory, house) if row["key"] in wanted]
    shown = {"path": "" if visitor.tenant else made.file, "diff": made.diff, "settings": rows}
    if dry_run:
        return shown
    return {**shown, "undo": house.earlier_settings.keep(named.agent, made.before)}


def undo_settings(
    memory: Memory,
    house: House,
    named: Named,
    visitor: Visitor,
    change: Annotated[str, "The `undo` of the answer to the change."],
) -> dict[str, Any]:
    """Put settings back as they were before a change, secrets as well; its own `undo` takes that back.

    Known until the server ends, for the last 32 changes.
    """
    return patch_settings(memory, house, named, visitor, {**house.earlier_settings.take(change, named.agent)})


def _in_force(memory: Memory, house: House) -> list[dict[str, Any]]:
    """All of them as they hold: a file that can't be used right now changes nothing."""
    return settings_list(house.desk.in_force(memory.agent))


def status(
    memory: Memory,
    house: House,
    visitor: Visitor,
    deep: Annotated[bool, "Also test index, checkpoints and provider."] = False,
) -> Status:
    """Return what there is, what answers a search, and why."""
    found = memory.status(deep=deep).replace(settings_because=house.desk.trouble_of(memory.agent))
    if visitor.tenant:
        return found.without_paths()
    return found


def doctor(memory: Memory) -> dict[str, Any]:
    """Every check of notes, index and checkpoints, with how to mend what is wrong."""
    checks = run_doctor(memory.home, memory.agent)
    return {"ok": all(check.ok for check in checks), "checks": [check._asdict() for check in checks]}


def save_profile(
    memory: Memory,
    house: House,
    visitor: Visitor,
    field: Annotated[str, "name, timezone or location."],
    value: Annotated[str, "One line of plain text."],
) -> ProfileSaved:
    """Save what the user said about themselves."""
    made = memory.profile.save(field, value)
    house.settings_changed()
    return made.without_paths() if visitor.tenant else made


def undo_profile(
    memory: Memory,
    house: House,
    visitor: Visitor,
    force: Annotated[bool, "Also where what it made was edited since."] = False,
) -> ProfileSaved:
    """Take back the last change, in USER.md and in [user] of holdfast.toml."""
    made = memory.profile.undo(force=force)
    house.settings_changed()
    return made.without_paths() if visitor.tenant else made


def dream(
    memory: Memory,
    house: House,
    phases: Annotated[list[str] | None, "Only these: light, rem, deep."] = None,
    dry_run: Annotated[bool, "Write nothing, and say what would happen and why."] = False,
) -> Dream:
    """Dream now, and wait for it; `POST /api/v1/jobs` does it in the background."""
    made = memory.dreams.run(phases, dry_run=dry_run)
    if not made.dry_run:
        house.bus.tell("dream", memory.agent, {"run": made.run, "report": made.report or None})
    return made


def dream_reports(
    memory: Memory,
    limit: Annotated[int, "How many, 1 to 1000."] = 30,
    offset: Annotated[int, "How many to skip, from the newest."] = 0,
) -> dict[str, Any]:
    """The reports of earlier runs, the newest day first; `GET /api/v1/notes/{path}` reads one."""
    if not 1 <= limit <= 1000 or offset < 0:
        raise BadArgument("limit", "it is not between 1 and 1000, or offset is less than 0")
    found = memory.notes.page(FOLDER, limit=1000)
    reports = [note.to_json() for note in reversed(found.notes)]
    return {"total": found.total, "offset": offset, "reports": reports[offset : offset + limit]}


def tell_inbox(_: Decided, house: House, memory: Memory) -> None:
    """Tell how much waits now, also where no note was changed."""
    house.tell_inbox(memory)


def inbox(memory: Memory) -> dict[str, Any]:
    """Return what waits to go into MEMORY.md."""
    return {"entries": describe_entries(memory.ctx, memory.inbox.list())}


def ask_again(memory: Memory, house: House, id_: EntryId) -> dict[str, Any]:
    """Let a proposal of dreaming wait again that was rejected; the rejection of any other entry has checkpoints."""
    made = wait_again(memory.ctx, id_)
    house.tell_inbox(memory)
    return made.to_json()


def agents(memory: Memory, house: House) -> dict[str, Any]:
    """The agents of this home, the server's own first."""
    default = house.desk.agent
    return {"default": default, "agents": [agent.to_json() for agent in agents_list(memory.ctx.workspace, default)]}
