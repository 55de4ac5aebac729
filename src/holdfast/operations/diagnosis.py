"""doctor: every check that can say something is wrong, with the way to mend it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from glob import escape, glob

from holdfast.clock import SystemClock
from holdfast.context.context import Context
from holdfast.context.search_models import expander_of, reranker_of
from holdfast.embeddings.embedder import Purpose
from holdfast.errors import BadSetting, HoldfastError, ProviderFailed
from holdfast.guard.origin import Origin
from holdfast.guard.paths import agent_id
from holdfast.guard.text_rules import admit, decode
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.notes.note import SkippedFile
from holdfast.notes.walk import NO_NOTES
from holdfast.operations.check_result import Check
from holdfast.operations.equipment_check import check_backend, check_images, check_sandbox
from holdfast.plural import FEW, count_of, name_few
from holdfast.settings.loader import FILE_NAME, check_agent_file, load, settings_file
from holdfast.settings.settings import Settings

__all__ = ["Check", "doctor"]

_DISK, _DISK_FIRST = "disk", "see to the disk first, and delete nothing"
_LATE_DAYS = 7
_LEAST_ROOM = 1 << 20  # bytes: a save takes a few pages of journal, checkpoint and index
# What a killed process leaves behind; no note and no checkpoint is the worse for it.
_HARMLESS = ("unreferenced", "torn")


def _provider(ctx: Context) -> Iterator[Check]:
    """Say whether text can be turned into vectors now."""
    if ctx.chain is None:
        yield Check("provider", ok=True, detail="none: keywords only")
        return
    for link in ctx.chain.links:
        try:
            # As for a text that is kept: the embedded model's file is then checked whole.
            link.ask(["ping"], Purpose.DOCUMENT)
        except ProviderFailed as failure:
            yield Check("provider", ok=False, detail=f"{link.name}: {failure.why}", remedy=failure.advice)
            continue
        name = f"{link.name} / {link.space().model}"
        if link is ctx.chain.links[0] and link.embedded and ctx.settings.local.model_path:
            remedy = "mend or unset memory.local.model_path"
            yield Check("provider", ok=True, warn=True, detail=f"{name}, because {link.why}", remedy=remedy)
        else:
            yield Check("provider", ok=True, detail=name)


def _aids(ctx: Context) -> Iterator[Check]:
    """The models that look at a search beside that one, where the owner wants any."""
    for name, aid in (("reranker", reranker_of(ctx)), ("expander", expander_of(ctx))):
        if aid.who:
            if aid.lacks:
                remedy = "mend that, or unset what asks for it"
            else:
                remedy = ""
            yield Check(name, ok=not aid.lacks, detail=aid.shown, remedy=remedy)


def _language_model(ctx: Context) -> Iterator[Check]:
    """Say whether the server of `[llm]` answers, and with what window; nothing but the model's name is sent to it."""
    from holdfast.llm.server_report import ModelServer
    from holdfast.operations.context_window import window_of

    model = ctx.chat_model
    if not isinstance(model, ModelServer):
        return
    name = f"{model.provider} / {model.model}"
    try:
        report = model.report()
    except ProviderFailed as failure:
        yield Check("language model", ok=False, detail=f"{name}: {failure.why}", remedy=failure.advice)
        return
    window = window_of(ctx, model)
    if ctx.settings.compaction.context_window is not None:
        source = "compaction.context_window"
    elif window == report.window:
        source = "as its server says"
    else:
        source = "assumed; compaction.context_window sets it"
    yield Check("language model", ok=True, detail=f"{model.provider} / {report.model}, {window:,} tokens ({source})")


def doctor(home: str, agent: str) -> list[Check]:
    """Run every check; one that fails does not keep the others from running."""
    settings, first = _settings(home, agent)
    checks = [first]
    try:
        workspace = FileWorkspace.open(home, agent, extra_paths=settings.memory.extra_paths)
    except HoldfastError as wrong:
        try:
            workspace = FileWorkspace.open(home, agent)
        except HoldfastError as error:
            return [*checks, Check("home", ok=False, detail=str(error), remedy="choose another home with --home")]
        checks.append(Check("extra paths", ok=False, detail=str(wrong), remedy="mend memory.extra_paths"))
    ctx = Context(settings, workspace, SystemClock(), Origin.USER)
    try:
        for name, look, remedy in _LOOKS:
            is_stuck = any(check.name == _DISK for check in checks)  # then nothing is damaged that could be deleted
            checks += _run_look(name, look, _DISK_FIRST if is_stuck else remedy, ctx)
    finally:
        ctx.close()
    return checks


def _run_look(name: str, look: Callable[[Context], Iterator[Check]], remedy: str, ctx: Context) -> list[Check]:
    """Return what one look found; an error on the way is one more finding, and takes none of the others with it."""
    checks: list[Check] = []
    try:
        checks.extend(look(ctx))
    except HoldfastError as error:
        checks.append(Check(name, ok=False, detail=str(error), remedy=remedy))
    except OSError as error:
        checks.append(Check(name, ok=False, detail=error.strerror or str(error), remedy=remedy))
    return checks


def _settings(home: str, agent: str) -> tuple[Settings, Check]:
    try:
        loaded = load(home, agent_id(agent))
    except HoldfastError as error:
        return Settings(), Check("settings", ok=False, detail=str(error), remedy=_mend_settings(error))
    detail = f"{len(loaded.given)} changed from the default"
    remedy = ""
    if loaded.hints:
        detail = f"{detail}; {' '.join(loaded.hints)}"
        remedy = "`holdfast config unset` takes an old key out of the file"
    return loaded.settings, Check("settings", ok=True, detail=detail, remedy=remedy)


def _mend_settings(error: HoldfastError, whose: str = "") -> str:
    """Return what to do about settings that can't be used: a command cannot mend a file that is not TOML."""
    file, line, key = getattr(error, "file", None), getattr(error, "line", None), getattr(error, "key", None)
    if file is None or os.path.basename(file) != FILE_NAME:
        return f"change or unset {file or 'what gives it'}"
    at = f"line {line} of {file}" if line else file
    if isinstance(error, BadSetting):
        return f"edit {at}, or `holdfast{whose} config unset {key}` for its default"
    if key is not None:
        return f"edit {at}: correct or remove {key}"
    if whose:
        instead = "the home's settings"
    else:
        instead = "the defaults"
    return f"edit {at}, or move the file away: without it {instead} hold"


def _agents_settings(ctx: Context) -> Iterator[Check]:
    """Say whether the settings of the other agents can be used."""
    home = ctx.workspace.home
    try:
        names = sorted(os.listdir(os.path.join(home, "agents")))
    except FileNotFoundError:
        return
    usable: list[str] = []
    for name in names:
        if name == ctx.workspace.agent or not os.path.lexists(settings_file(home, name)):
            continue
        try:
            check_agent_file(home, agent_id(name))
        except HoldfastError as error:
            yield Check(
                "agents' settings", ok=False, detail=str(error), remedy=_mend_settings(error, f" --agent {name}")
            )
        else:
            usable.append(name)
    if usable:
        yield Check("agents' settings", ok=True, detail=f"usable: {name_few(usable)}")


def _home(ctx: Context) -> Iterator[Check]:
    home = ctx.workspace.home
    if os.stat(home).st_mode & 0o022:
        yield Check("home", ok=False, detail=f"others may write to {home}", remedy="chmod go-w the home")
    else:
        yield Check("home", ok=True, detail=home)
    yield from _disk(os.statvfs(home))


def _disk(status: os.statvfs_result) -> Iterator[Check]:
    """Say so where nothing can be written: searches go on, and each save would fail with a reason of its own."""
    left = status.f_bavail * status.f_frsize
    if status.f_flag & os.ST_RDONLY:
        yield Check(_DISK, ok=False, detail="the home lies on a read-only disk", remedy="make it writable to save")
    elif left < _LEAST_ROOM:
        yield Check(_DISK, ok=False, detail=f"{left:,} bytes are left for the home", remedy="make room to save")


def _skipped(left_out: Sequence[SkippedFile]) -> Check:
    """Return the check of files that are left out: a warning where one of them was meant as a note."""
    remedies: list[str] = []
    lost = any(note.why not in NO_NOTES for note in left_out)
    if lost:
        remedies.append("no search finds them")
    if len(left_out) > FEW:
        remedies.append("`holdfast status --json` lists them all")
    named = name_few([f"{note.path}: {note.why}" for note in left_out])
    return Check("skipped", ok=True, warn=lost, detail=named, remedy="; ".join(remedies))


def _notes(ctx: Context) -> Iterator[Check]:
    walk = ctx.workspace.walk()
    yield Check("notes", ok=True, detail=f"{len(walk.found):,} found")
    wrong = [f"{note.path}: {note.why}" for note in walk.skipped if note.path in ctx.workspace.extras]
    if wrong:
        yield Check("extra paths", ok=False, detail=name_few(wrong), remedy="mend memory.extra_paths")
    left_out = [note for note in walk.skipped if note.path not in ctx.workspace.extras]
    if left_out:
        yield _skipped(left_out)
    unreadable: list[str] = []
    odd: list[str] = []
    with ctx.workspace.reader() as read:
        for note in walk.found:
            try:
                text = decode(read(note).data)
            except HoldfastError as error:
                unreadable.append(f"{note.path}: {error}")
                continue
            try:
                admit(text, note.path)
            except HoldfastError as error:
                odd.append(str(error))
    if unreadable:
        yield Check(
            "unreadable notes", ok=False, detail=name_few(unreadable), remedy="save them as UTF-8, or move them away"
        )
    if odd:
        yield Check("hidden characters", ok=False, detail=name_few(odd), remedy="open the note and remove them")


def _index(ctx: Context) -> Iterator[Check]:
    from holdfast.index.sqlite.side_files import check_side_files

    if not os.path.exists(ctx.index_path):
        yield Check("index", ok=True, detail="none yet", remedy="`holdfast index` builds it")
        return
    database = ctx.index.on_disk()
    problems = database.check()
    if database.set_aside:
        aside = database.set_aside
        yield Check("index", ok=False, detail=f"it was damaged; set aside as {aside}", remedy="`holdfast index`")
    else:
        if problems:
            remedy = "`holdfast index --force` builds it anew"
        else:
            remedy = ""
        yield Check("index", ok=not problems, detail=name_few(problems) or "whole", remedy=remedy)
        if not problems:
            problems = check_side_files(database.connection)
        else:
            problems = []
        if problems:
            yield Check("beside the index", ok=False, detail=name_few(problems), remedy="delete them; nothing is lost")


def _damaged_copies(ctx: Context) -> Iterator[Check]:
    place, name = os.path.split(ctx.index_path)
    if not os.path.isdir(place):
        return
    copies = sorted(
        copy
        for copy in os.listdir(place)
        if copy.startswith(f"{name}.damaged-") and not copy.endswith(("-wal", "-shm"))  # those belong to a copy
    )
    if copies:
        shown = name_few([os.path.join(place, copy) for copy in copies])
        yield Check("damaged indexes", ok=True, detail=shown, remedy="delete them; nothing needs them")


def _session_state(ctx: Context) -> Iterator[Check]:
    """Return what sessions keep for themselves; where it was damaged, somebody should know what was lost with it."""
    from holdfast.transcripts.state_file import NAME

    path = f"{ctx.workspace.state}/{NAME}"
    aside = f"{path}.damaged"
    if os.path.exists(path):
        problems = ctx.state_store.check()
        if problems:
            remedy = (
                "keep a copy and delete the file; transcripts, and who is excluded or forgotten, are kept elsewhere"
            )
            yield Check("session state", ok=False, detail=name_few(problems), remedy=remedy)
            return
    if os.path.lexists(aside):
        copies = [aside, *sorted(glob(f"{escape(aside)}-[0-9]*"))]
    else:
        copies = []
    copies = [copy for copy in copies if not copy.endswith(("-wal", "-shm"))]
    if copies:
        detail = f"it was damaged and begun anew; what sessions had kept in it is set aside as {name_few(copies)}"
        remedy = "delete that file if you need nothing of it; transcripts and forgotten sessions are not affected"
        yield Check("session state", ok=False, detail=detail, remedy=remedy)
    elif os.path.exists(path):
        yield Check("session state", ok=True, detail="whole")


def _extension(ctx: Context) -> Iterator[Check]:
    """sqlite-vec, where the owner asked for it."""
    from holdfast.index.sqlite.extension_path import extension_path_for

    vector = ctx.settings.vector
    if extension_path_for(vector) is None or not os.path.exists(ctx.index_path):
        return
    spaces = [ctx.database.vectors(space) for space in ctx.database.spaces()]
    because = next((space.because for space in spaces if space.because), "")
    if vector.extension_path is None:
        remedy = (
            "pip install sqlite-vec (in a checkout: pip install '.[sqlite-vec]'), or unset memory.store.vector.enabled"
        )
    else:
        remedy = "mend memory.store.vector.extension_path, or unset it"
    if spaces:
        well = "loads"
    else:
        well = "not needed yet: there are no vectors"
    yield Check("sqlite-vec", ok=not because, detail=because or well, remedy=remedy if because else "")


def _checkpoints(ctx: Context) -> Iterator[Check]:
    from holdfast.checkpoints.integrity import verify

    all_problems = verify(ctx.workspace)
    problems = [f"{problem.subject}: {problem.why}" for problem in all_problems if problem.kind not in _HARMLESS]
    if problems:
        remedy = "the notes are not affected; `holdfast history` shows what can still be restored"
        yield Check("checkpoints", ok=False, detail=name_few(problems), remedy=remedy)
        return
    spare = sum(problem.kind == "unreferenced" for problem in all_problems)
    seen = ["whole"]
    if spare:
        seen.append(f"{count_of(spare, 'stored text')} that no change needs")
    if any(problem.kind == "torn" for problem in all_problems):
        seen.append("the last line of the journal was cut off, and the next change mends it")
    yield Check("checkpoints", ok=True, detail="; ".join(seen))


def _hooks(ctx: Context) -> Iterator[Check]:
    """Return what the hooks of coding agents wrote down.

    Records that are not understood, and prompts without an answer.
    """
    from holdfast.operations.hook_log import NOT_UNDERSTOOD, last_records, prompts_given_up

    home = ctx.workspace.home
    for line in last_records(home):
        if NOT_UNDERSTOOD in line.text:
            remedy = "a newer Holdfast may read it; until then what it can't read of this client's talks is not kept"
            yield Check("hooks", ok=False, detail=f"{line.at}: {line.text}", remedy=remedy)
        elif line.kept:
            yield Check("hooks", ok=True, detail=f"{line.client}: last kept at {line.at}")
        else:
            remedy = "what was said in that session since it was last kept is not here; state/hooks.log has the rest"
            yield Check("hooks", ok=False, detail=f"{line.client}, {line.at}: {line.text}", remedy=remedy)
    late = prompts_given_up(home, _LATE_DAYS, ctx.clock.now())
    if late:
        counted = ", ".join(f"{client} {count:,}" for client, count in sorted(late.items()))
        detail = f"prompts of the last {_LATE_DAYS} days for which there was no time to recall anything: {counted}"
        yield Check(
            "recall in time", ok=True, detail=detail, remedy="`holdfast serve` has everything open, and is asked first"
        )


_LOOKS: tuple[tuple[str, Callable[[Context], Iterator[Check]], str], ...] = (
    ("provider", _provider, "install Holdfast again, or set memory.disable_rag"),
    ("qmd", check_backend, "mend [memory.qmd], or set memory.backend to builtin"),
    ("images", check_images, "mend [memory.multimodal], or set memory.multimodal.enabled to false"),
    ("sandbox", check_sandbox, "install bubblewrap 0.8 or newer, or set sandbox.enabled to false"),
    ("reranker", _aids, "unset memory.search.rerank.model and memory.llm_reranking"),
    ("language model", _language_model, "mend [llm], or set llm.provider to none"),
    ("agents' settings", _agents_settings, "see that the home can be read"),
    ("home", _home, "choose another home with --home"),
    ("notes", _notes, "see that the home can be read"),
    ("index", _index, "delete the file; nothing is lost"),
    ("damaged indexes", _damaged_copies, "see that the home can be read"),
    ("session state", _session_state, "delete state/sessions.sqlite; transcripts are not affected"),
    ("sqlite-vec", _extension, "delete the index; nothing is lost"),
    ("hooks", _hooks, "see that state/hooks.log can be read"),
    ("checkpoints", _checkpoints, "the notes are not affected; move aside what stands in the way"),
)
