"""`holdfast index`"""

from __future__ import annotations

import argparse
import gc
from typing import TYPE_CHECKING

from holdfast.plural import count_of
from holdfast.surfaces.cli.command_memory import open_memory, tell_of_damage
from holdfast.surfaces.cli.console import Console
from holdfast.surfaces.cli.operation_arguments import add_option, call_operation

if TYPE_CHECKING:
    from holdfast.index.sync import Synced

EXAMPLES = """\
  holdfast index
  holdfast index --force
  holdfast index --yes --batch
"""
# Rows by the ten thousand wait to be written and hold no cycles: to look through them again and again for some is a
# twentieth of the work.
_OBJECTS_A_COLLECTION = 500_000


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: how thoroughly."""
    add_option(parser, "sync_index", "force")
    add_option(parser, "sync_index", "approved", "--yes")
    add_option(parser, "sync_index", "batch", note=" (otherwise by memory.remote.batch)")


def run(args: argparse.Namespace, console: Console) -> int:
    """Sync with a progress bar, and report what was skipped."""
    thresholds = gc.get_threshold()
    gc.set_threshold(_OBJECTS_A_COLLECTION, *thresholds[1:])
    try:
        with open_memory(args) as memory:
            done = call_operation(memory.sync, args, progress=console.progress)
            tell_of_damage(memory, console)
    finally:
        gc.set_threshold(*thresholds)
    if console.as_json:
        console.json(as_json(done))
    else:
        report(done, console)
    return 0


def as_json(done: Synced) -> dict[str, object]:
    """A sync in the shape that every surface shows."""
    shown = {name: getattr(done, name) for name in done.fields}
    shown["skipped"] = [{"path": path, "why": why} for path, why in done.skipped]
    return shown | {"because": _because(done)}


def _because(done: Synced) -> str:
    """Return why no more was embedded, and to the owner, who types this, what sends the rest."""
    if done.held_back:
        return f"{done.because}; `holdfast index --yes` sends them"
    return done.because


def report(done: Synced, console: Console) -> None:
    """A sync for a person to read."""
    counts = (
        (done.added, "added"),
        (done.changed, "changed"),
        (done.removed, "removed"),
        (done.unchanged, "unchanged"),
    )
    console.line(", ".join(f"{count:,} {what}" for count, what in counts) + f" in {done.took_ms / 1000:.2f} s")
    if done.messages:
        console.line(f"{count_of(done.messages, 'line')} of transcripts indexed")
    if done.images or done.images_pending:
        console.line(f"{count_of(done.images, 'image')} read, {done.images_pending:,} waiting")
    if done.embedded or done.pending:
        console.line(f"{done.embedded:,} embedded, {done.pending:,} pending")
    if done.because:
        console.note(_because(done))
    console.skipped_files(done.skipped, console.command("index", "--json"))
