"""`holdfast status`"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from holdfast.plural import agree, clause, count_of
from holdfast.surfaces.cli.command_memory import open_memory, tell_of_damage
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.operation_arguments import add_option

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from holdfast.images.image_counts import ImageCounts
    from holdfast.operations.memory_status import Status

EXAMPLES = """\
  holdfast status
  holdfast status --deep --json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: how closely to look."""
    add_option(parser, "status", "deep")


def run(args: argparse.Namespace, console: Console) -> int:
    """A short report."""
    with open_memory(args) as memory:
        status = memory.status(deep=args.deep)
        tell_of_damage(memory, console)
    if console.as_json:
        console.json(status.to_json())
        return 0
    for name, value in status_rows(status):
        console.styled(f"{console.paint(f'{name:<9}', 'dim')} {console.paint(value)}")
    if status.images:
        unread = status.images.unreadable
    else:
        unread = ()
    left_out = [*status.skipped, *(tuple(image) for image in unread)]
    console.skipped_files(left_out, console.command("status", "--json"))
    for problem in status.problems or ():
        console.note(f"problem: {problem}")
    if status.problems == ():
        console.line("no problems found")
    return 0


def status_rows(status: Status) -> list[tuple[str, str]]:
    """The report as people read it: a name and what there is to say of it."""
    if status.up_to_date:
        fresh = "up to date"
    else:
        fresh = "behind; `holdfast index` brings it up to date"
    skipped = clause(", {:,} skipped", len(status.skipped))
    rows = [
        ("home", status.home),
        ("agent", status.agent),
        ("settings", status.settings_file or "defaults (no holdfast.toml)"),
        *_agent_settings(status),
        ("notes", f"{status.notes_on_disk:,} on disk, {status.notes:,} indexed ({fresh}){skipped}"),
        *_sessions(status.sessions),
        *_images(status.images),
        *_waiting(status.waiting),
        ("chunks", f"{status.chunks:,}"),
        ("index", f"{status.index_path} ({status.index_bytes / 1e6:.1f} MB)"),
        *_backend(status),
        ("search", f"{status.mode}{clause(': {}', status.because)}"),
        *_providers(status),
    ]
    models = (("engine", status.engine), ("rerank", status.reranker), ("expand", status.expander))
    rows.extend((name, model) for name, model in models if model)
    rows.extend(("space", _space(space)) for space in status.spaces)
    return rows


def _agent_settings(status: Status) -> list[tuple[str, str]]:
    if not status.agent_settings_file:
        return []
    return [("", f"and for this agent {status.agent_settings_file}")]


def _providers(status: Status) -> list[tuple[str, str]]:
    """Return who embeds, whether they answer, what leaves this machine, and who could be asked instead."""
    rows: list[tuple[str, str]] = []
    if status.provider:
        named = f"{status.provider}{clause(' / {}', status.model)}"
        rows.append(("provider", f"{named}, because {status.provider_because}"))
    for provider in status.providers:
        if provider["failure"]:
            rows.append(("", f"{provider['provider']} fails: {provider['failure']}"))
        elif "answers" in provider:
            rows.append(("", f"{provider['provider']} answers"))
    rows.append(("sends", clause("text to {}", status.sends_to) or "nothing: no text leaves this machine"))
    rows.extend(
        ("or use", f"{provider['provider']} ({provider['why']}): {provider['command']}") for provider in status.possible
    )
    return rows


def _space(space: Mapping[str, Any]) -> str:
    """Return how much of the notes a space covers, and how well its cache serves."""
    cache = space["cache"]
    covers = f"{space['embedded']:,} of {count_of(space['texts'], 'text')}"
    because = clause(" ({})", space.get("because"))
    in_jobs = clause(", {:,} in a batch job", space["in_batch_jobs"])
    asked = f"{count_of(cache['hits'], 'hit')}, {count_of(cache['misses'], 'miss', 'misses')}"
    return (
        f"{space['provider']}/{space['model']}: {covers}{because}{in_jobs}; "
        f"cache: {asked}, {cache['evictions']:,} evicted"
    )


def _images(found: ImageCounts | None) -> list[tuple[str, str]]:
    if found is None:
        return []
    summary = f"{found.read:,} read"
    if found.unreadable:
        summary += f", {len(found.unreadable):,} could not be"
    if found.because:
        return [("images", f"{summary}, {found.pending:,} waiting: {found.because}")]
    return [("images", summary + clause("; {:,} waiting: `holdfast index` reads them", found.pending))]


def _backend(status: Status) -> list[tuple[str, str]]:
    """Return who answers, where another than Holdfast itself is wanted."""
    if status.qmd is None:
        return []
    because = status.qmd["because"]
    rows = [("backend", status.backend)]
    if because:
        rows = [("backend", f"{status.backend}, not {status.wanted}: {because}")]
    lost = status.qmd["missing_paths"]
    if lost:
        return [*rows, ("", f"not there: {', '.join(lost)} (memory.qmd.paths)")]
    return rows


def _waiting(lines: int) -> list[tuple[str, str]]:
    if not lines:
        return []
    wait = f"{count_of(lines, 'line')} {agree(lines, 'waits', 'wait')}"
    return [("waiting", f"{wait} to go into MEMORY.md; `holdfast inbox` shows them")]


def _sessions(found: Mapping[str, Any]) -> list[tuple[str, str]]:
    """One line about transcripts, where there are any."""
    if not found["transcripts"]:
        return []
    summary = count_of(found["transcripts"], "transcript")
    if not found["searched"]:
        return [("sessions", f"{summary}, not searched (memory.sources)")]
    summary += f", {found['indexed']:,} indexed"
    if found["excluded"]:
        summary += f", {found['excluded']:,} excluded"
    if found["pending_bytes"]:
        summary += f", {found['pending_bytes'] / 1e3:,.1f} KB to come; `holdfast index` does it now"
    return [("sessions", summary + clause(" ({})", found["because"]))]
