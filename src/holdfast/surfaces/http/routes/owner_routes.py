"""The owner's side: settings as a server holds them, and what stands beside status, profile, dreams and the inbox.

The settings in force are the server's own: a file that can't be used right now changes nothing, and a change is known
to whoever asks next. So their routes are functions of the server.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from holdfast.context.user_profile import ProfileSaved
from holdfast.dreaming.report import Dream
from holdfast.memory import Memory
from holdfast.operations.agents_list import ListedAgent
from holdfast.operations.check_result import Check
from holdfast.operations.memory_status import Status
from holdfast.operations.setting_change import EditedText
from holdfast.operations.settings_list import change_settings, settings_list
from holdfast.settings.keys import find_key
from holdfast.settings.loader import settings_file
from holdfast.surfaces.http.credentials import Visitor
from holdfast.surfaces.http.role_access import require_settings
from holdfast.surfaces.http.server_state import NamedAgent, ServerState
from holdfast.value import json_value


def settings(
    memory: Memory,
    server: ServerState,
    named: NamedAgent,
    visitor: Visitor,
    changed: Annotated[bool, "Only those that differ from their defaults."] = False,
) -> dict[str, Any]:
    """Every setting of an agent, its value, and where that comes from; a secret is only "set" or "not set"."""
    found = [row for row in _in_force(memory, server) if not changed or row["source"] != "default"]
    trouble = server.memories.trouble_of(memory.agent)
    if visitor.tenant:
        file = ""
    else:
        file = settings_file(memory.home, named.agent)
    return {"settings": found, "file": file} | ({"because": trouble} if trouble else {})


def setting(
    memory: Memory, server: ServerState, key: Annotated[str, "The setting, such as memory.citations."]
) -> dict[str, Any]:
    """One setting of an agent."""
    path = find_key(key).path
    return next(row for row in _in_force(memory, server) if row["key"] == path)


def patch_settings(
    memory: Memory,
    server: ServerState,
    named: NamedAgent,
    visitor: Visitor,
    changes: Annotated[dict[str, Any], "Values by key, such as memory.citations; null takes one out of the file."],
    dry_run: Annotated[bool, "Write nothing; `diff` shows what would change in the file."] = False,
) -> dict[str, Any]:
    """Write settings to the home's holdfast.toml, or to that of the agent that is named; all or none.

    Comments stay, and the server follows the file at once.
    """
    return _change_settings(memory, server, named, visitor, changes, dry_run=dry_run)


def _change_settings(
    memory: Memory,
    server: ServerState,
    named: NamedAgent,
    visitor: Visitor,
    changes: Mapping[str, Any],
    *,
    dry_run: bool = False,
    undoes: EditedText | None = None,
) -> dict[str, Any]:
    require_settings(visitor.role, changes)
    of_agent = named.agent is not None
    made = change_settings(memory.ctx.workspace, changes, of_agent=of_agent, dry_run=dry_run, undoes=undoes)
    wanted = {find_key(key).path for key in changes}
    if not dry_run:
        server.settings_changed()
        if memory.agent != server.memories.agent:  # of the server's own agent the server tells by itself
            server.bus.tell("settings", memory.agent, {"keys": sorted(wanted)})
    rows = [row for row in _in_force(memory, server) if row["key"] in wanted]
    shown = {"path": "" if visitor.tenant else made.file, "diff": made.diff, "settings": rows}
    if dry_run:
        return shown
    return {**shown, "undo": server.earlier_settings.keep(named.agent, made)}


def undo_settings(
    memory: Memory,
    server: ServerState,
    named: NamedAgent,
    visitor: Visitor,
    change: Annotated[str, "The `undo` of the answer to the change."],
) -> dict[str, Any]:
    """Put settings back as they were before a change, secrets as well; its own `undo` takes that back.

    Known until the server ends, for the last 32 changes.
    """
    made = server.earlier_settings.take(change, named.agent)
    return _change_settings(memory, server, named, visitor, made.before, undoes=made.edited)


def _in_force(memory: Memory, server: ServerState) -> list[dict[str, Any]]:
    """All of them as they hold: a file that can't be used right now changes nothing."""
    return settings_list(server.memories.in_force(memory.agent))


def status_shown(status: Status, server: ServerState, memory: Memory, visitor: Visitor) -> Status:
    """Show the status with what is wrong with the settings files; a tenant is told no paths."""
    status = status.replace(settings_because=server.memories.trouble_of(memory.agent))
    return status.without_paths() if visitor.tenant else status


def doctor(run: Callable[..., list[Check]], memory: Memory) -> dict[str, Any]:
    """Run every check of notes, index and checkpoints, and say how to mend what is wrong."""
    checks = run(home=memory.home, agent=memory.agent)
    return {"ok": all(check.ok for check in checks), "checks": [check._asdict() for check in checks]}


def agents(run: Callable[..., list[ListedAgent]], memory: Memory, server: ServerState) -> dict[str, Any]:
    """List the agents of the home, the server's own first."""
    default = server.memories.agent
    return {"default": default, "agents": json_value(run(workspace=memory.ctx.workspace, default=default))}


def save_profile(run: Callable[..., ProfileSaved], server: ServerState, visitor: Visitor) -> ProfileSaved:
    """Save what the user said about themselves."""
    made = run()
    server.settings_changed()
    return made.without_paths() if visitor.tenant else made


def undo_profile(run: Callable[..., ProfileSaved], server: ServerState, visitor: Visitor) -> ProfileSaved:
    """Take back the last change, in USER.md and in [user] of holdfast.toml."""
    return save_profile(run, server, visitor)


def dream(run: Callable[..., Dream], server: ServerState, memory: Memory) -> Dream:
    """Dream now, and wait for it; `POST /api/v1/jobs` does it in the background."""
    made = run()
    if not made.dry_run:
        server.bus.tell("dream", memory.agent, {"run": made.run, "report": made.report or None})
    return made


def tell_inbox(_: Any, server: ServerState, memory: Memory) -> None:
    """Tell how much waits now, also where no note was changed."""
    server.tell_inbox(memory)
