"""Take what was forgotten from the index too, and from what SQLite leaves of it in its files."""

from __future__ import annotations

import os
from collections.abc import Iterable

from holdfast.context.context import Context
from holdfast.context.index_repair import heal_once
from holdfast.index.sqlite.quarantine import drop_moved

__all__ = ["forget_transcripts", "renew_index", "scrub_index"]

_EMBED = 64


def renew_index(ctx: Context) -> None:
    """Clear the index of what another server has removed for good; nothing says which words that were."""
    if os.path.exists(ctx.index_path):
        known = {path for edition, _ in ctx.database.editions() for path in edition.known()}
        heal_once(ctx, lambda: forget_transcripts(ctx, [path for path in known if path.startswith("sessions/")]))
        scrub_index(ctx)
    drop_moved(ctx.index_path)


def forget_transcripts(ctx: Context, files: Iterable[str]) -> None:
    """Take changed transcripts out of the index: it would not see that a line in the middle is another."""
    wanted = set(files)
    if not wanted or not os.path.exists(ctx.index_path):
        return
    from holdfast.transcripts.transcript_rows import drop_rows

    for edition, _ in ctx.database.editions():
        drop_rows(edition, sorted(wanted & edition.known().keys()))


def scrub_index(ctx: Context) -> None:
    """Bring the index up to date with the notes, and leave no byte of what is gone from it."""
    if not os.path.exists(ctx.index_path):
        return
    if ctx.searches_sessions:
        ctx.session_index.wait()  # its thread may be writing what it read before
    from holdfast.dreaming.dream_counts import forget_counts

    ctx.sync(embed_limit=_EMBED)
    heal_once(ctx, lambda: ctx.index.on_disk().scrub())
    forget_counts(ctx)
    ctx.session_index.catch_up()
