"""doctor's looks at what Holdfast uses and does not bring: QMD, what reads images, and the sandbox's bubblewrap."""

from __future__ import annotations

import os
from collections.abc import Iterator

from holdfast.context.context import Context
from holdfast.errors import ProviderFailed, ProviderMissing, SandboxFailed
from holdfast.operations.check_result import Check
from holdfast.plural import count_of, name_few

__all__ = ["check_backend", "check_images", "check_sandbox"]


def check_backend(ctx: Context) -> Iterator[Check]:
    """The back end QMD, where the owner chose it: whether it runs, has its models, and knows the notes."""
    if ctx.qmd is None:
        return
    try:
        version = ctx.qmd.sidecar.check()
    except ProviderFailed as failure:
        yield Check("qmd", ok=False, detail=failure.why, remedy=failure.advice)
        return
    yield Check("qmd", ok=True, detail=version)
    shown = ctx.qmd.status(ctx.database if os.path.exists(ctx.index_path) else None)
    missing: list[str] = shown["missing_models"]
    if missing:
        detail = f"missing: {name_few(missing)}; keyword search serves"
    else:
        detail = "all here"
    if missing:
        remedy = "`qmd pull` downloads them; until then `qmd search` answers, by words alone"
    else:
        remedy = ""
    yield Check("qmd models", ok=True, detail=detail, remedy=remedy, warn=bool(missing))
    lost: list[str] = shown["missing_paths"]
    if lost:
        remedy = "make them, or mend memory.qmd.paths"
        yield Check("qmd paths", ok=True, detail=f"not there: {name_few(lost)}", remedy=remedy, warn=True)
    because: str = shown["update_failure"] or shown["because"]
    if because:
        remedy = "the next search, or `holdfast serve`, lets it look at the notes"
    else:
        remedy = ""
    yield Check("qmd index", ok=not because, detail=because or "up to date", remedy=remedy)


def check_images(ctx: Context) -> Iterator[Check]:
    """Check what reads images, where they are to be read.

    Whether it is installed and works, and what it could not read.
    """
    from holdfast.context.image_index import count_images
    from holdfast.images.recognition import choose_reader, try_reader

    if not ctx.settings.multimodal.images:
        return
    try:
        reader = choose_reader(ctx.settings.multimodal.ocr)
    except ProviderMissing as missing:
        yield Check("image reader", ok=False, detail=missing.why, remedy=missing.advice)
        return
    flaw = try_reader(reader)
    if flaw:
        remedy = "install it again, or choose another with memory.multimodal.ocr"
    else:
        remedy = ""
    yield Check("image reader", ok=not flaw, detail=f"{reader}: {flaw}" if flaw else reader, remedy=remedy)
    database = None
    if os.path.exists(ctx.index_path):
        database = ctx.database
    counts = count_images(ctx, database, ctx.workspace.walk().media)
    if counts is None:
        return
    if counts.pending:
        waiting = f", {counts.pending:,} waiting"
    else:
        waiting = ""
    detail = f"{counts.read:,} read{waiting}"
    if counts.unreadable:
        wrong = name_few([f"{image.path}: {image.why}" for image in counts.unreadable])
        detail += f"; {count_of(len(counts.unreadable), 'image')} could not be read: {wrong}"
    if counts.unreadable:
        remedy = "save them anew as PNG or JPEG, or move them away"
    else:
        remedy = ""
    if counts.pending and not remedy:
        remedy = "`holdfast index` reads them"
    yield Check("images", ok=True, detail=detail, remedy=remedy, warn=bool(counts.unreadable))


def check_sandbox(ctx: Context) -> Iterator[Check]:
    """Bubblewrap and the kernel's user namespaces: something is wrong only where commands are to run in a sandbox."""
    from holdfast.sandbox.bubblewrap import try_bwrap

    wanted = ctx.settings.sandbox.enabled
    try:
        version = try_bwrap()
    except SandboxFailed as failure:
        if wanted or failure.installed:
            yield Check("sandbox", ok=not wanted, detail=failure.why, remedy=failure.advice, warn=not wanted)
        else:
            yield Check("sandbox", ok=True, detail=f"{failure.why}; only `holdfast sandbox run` needs it")
        return
    yield Check("sandbox", ok=True, detail=f"{version} starts, and the kernel lets it make user namespaces")
