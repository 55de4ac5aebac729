"""status: what there is, what answers a search, and why."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

from holdfast.context.context import Context
from holdfast.context.image_index import count_images
from holdfast.context.index_repair import heal_once
from holdfast.context.search_models import expander_of, model_address, reranker_of
from holdfast.embeddings.embedder import Purpose, SpaceKey
from holdfast.embeddings.provider_link import Link
from holdfast.errors import HoldfastError, NoteNotFound, ProviderFailed
from holdfast.guard.media import is_image
from holdfast.guard.text_rules import decode
from holdfast.images.image_counts import ImageCounts
from holdfast.index.store_contract import Coverage, NoteState
from holdfast.named_tuple import NamedTuple
from holdfast.notes.note import SkippedFile, Walk
from holdfast.operations.inbox_entries import waiting_count
from holdfast.plural import count_of
from holdfast.settings.loader import settings_file
from holdfast.value import Value

if TYPE_CHECKING:
    from holdfast.index.sqlite.database import Database

__all__ = ["Status", "status"]

_ENOUGH = 100  # notes that were read and are not indexed: so far behind, nobody asks which others can't be read


class Status(Value):
    """The state of one agent's memory; `problems` is filled by a deep look."""

    home: str
    agent: str
    settings_file: str | None
    notes: int
    notes_on_disk: int
    by_source: dict[str, int]
    skipped: tuple[tuple[str, str], ...]
    chunks: int
    index_path: str
    index_bytes: int
    up_to_date: bool
    mode: str
    because: str
    provider: str | None
    model: str | None
    provider_because: str
    sends_to: str | None
    engine: str | None
    providers: tuple[dict[str, Any], ...] = ()
    possible: tuple[dict[str, str], ...] = ()
    spaces: tuple[dict[str, Any], ...] = ()
    reranker: str = ""
    expander: str = ""
    sessions: Mapping[str, Any] = MappingProxyType({})
    images: ImageCounts | None = None
    """How many images were read, how many wait for it and which can't be, where images are read."""
    waiting: int = 0
    """Lines that an agent wants in MEMORY.md, and that wait for the owner."""
    backend: str = "builtin"
    """Who would answer a search now."""
    wanted: str = "builtin"
    """Whom the owner wants to answer: `memory.backend`."""
    qmd: Mapping[str, Any] | None = None
    """How the back end QMD stands, where it is wanted."""
    problems: tuple[str, ...] | None = None
    agent_settings_file: str | None = None
    """The agent's own settings file, where it has one."""
    settings_because: str = ""
    """Why a server goes on with earlier settings than those of the file, where it does."""

    def without_paths(self) -> Status:
        """Return the same for a caller on another machine: nothing in it is a path of this one."""
        return self.replace(home="", index_path="", settings_file=None, agent_settings_file=None)

    def to_json(self) -> dict[str, Any]:
        """The shape that every surface shows."""
        shown: dict[str, Any] = {
            "home": self.home,
            "agent": self.agent,
            "settings_file": self.settings_file,
            "agent_settings_file": self.agent_settings_file,
            "notes": self.notes,
            "notes_on_disk": self.notes_on_disk,
            "by_source": self.by_source,
            "skipped": [{"path": path, "why": reason} for path, reason in self.skipped],
            "chunks": self.chunks,
            "index": {"path": self.index_path, "bytes": self.index_bytes, "up_to_date": self.up_to_date},
            "backend": self.backend,
            "wanted": self.wanted,
            "qmd": None if self.qmd is None else dict(self.qmd),
            "mode": self.mode,
            "because": self.because,
            "provider": self.provider,
            "model": self.model,
            "provider_because": self.provider_because,
            "sends_to": self.sends_to,
            "providers": list(self.providers),
            "possible": list(self.possible),
            "engine": self.engine,
            "spaces": list(self.spaces),
            "reranker": self.reranker or None,
            "expander": self.expander or None,
            "sessions": dict(self.sessions),
            "waiting": self.waiting,
        }
        if self.images is not None:
            shown["images"] = self.images.to_json()
        if self.settings_because:
            shown["settings_because"] = self.settings_because
        if self.problems is not None:
            shown["problems"] = list(self.problems)
        return shown


def status(ctx: Context, *, deep: Annotated[bool, "Also test index, checkpoints and provider."] = False) -> Status:
    """Look at notes and index without changing either; a deep look also tests them and the providers."""
    return heal_once(ctx, lambda: _status(ctx, deep=deep))


def _status(ctx: Context, *, deep: bool) -> Status:
    walk = ctx.workspace.walk()
    database = None
    if os.path.exists(ctx.index_path):
        database = ctx.database
    indexed = _indexed(ctx, walk, database)
    providers = tuple(_providers(ctx, deep))  # first: after a deep look it is known who answers
    mode, because = _mode(ctx, indexed.spaces)
    backend, qmd = "builtin", None
    if ctx.qmd is not None:
        qmd = ctx.qmd.status(database)
        backend = qmd["backend"]
    problems = None
    if deep:
        problems = tuple(_problems(ctx, providers))
    return Status(
        home=ctx.workspace.home,
        agent=ctx.workspace.agent,
        settings_file=_existing(settings_file(ctx.workspace.home)),
        agent_settings_file=_existing(settings_file(ctx.workspace.home, ctx.workspace.agent)),
        notes_on_disk=len(walk.found),
        skipped=tuple((note.path, note.why) for note in sorted((*walk.skipped, *indexed.unreadable))),
        index_path=ctx.index_path,
        up_to_date=not indexed.is_behind,
        mode=mode,
        because=because,
        sends_to=", ".join(filter(None, (*_away(ctx), model_address(ctx)))) or None,
        engine=indexed.engine,
        providers=providers,
        possible=_possible(ctx),
        spaces=indexed.spaces,
        reranker=reranker_of(ctx).shown,
        expander=expander_of(ctx).shown,
        sessions=_sessions(ctx),
        images=count_images(ctx, database, walk.media),
        waiting=waiting_count(ctx),
        backend=backend,
        wanted=ctx.settings.memory.backend.value,
        qmd=qmd,
        problems=problems,
        **indexed.counts,
        **_first_provider(ctx),
    )


class _IndexState(NamedTuple):
    """The state of the index, beside the notes; taken before a deep look, which may find the file damaged."""

    spaces: tuple[dict[str, Any], ...]
    engine: str | None
    unreadable: Sequence[SkippedFile]
    is_behind: bool
    counts: dict[str, Any]


def _indexed(ctx: Context, walk: Walk, database: Database | None) -> _IndexState:
    spaces: tuple[dict[str, Any], ...] = ()
    engine = None
    if database is not None:
        spaces, engine = _spaces(ctx)
    rows = _known_rows(database)
    if rows is None:
        return _IndexState(spaces, engine, (), bool(walk.found), _index_counts(database, 0))
    notes = {path: state for path, state in rows.items() if not is_image(path)}
    unreadable, is_behind = _index_lag(ctx, walk, notes)
    return _IndexState(spaces, engine, unreadable, is_behind, _index_counts(database, len(rows) - len(notes)))


def _existing(file: str) -> str | None:
    if os.path.exists(file):
        return file
    return None


def _known_rows(database: Database | None) -> dict[str, NoteState] | None:
    """Return what the index knows of notes and images; None where it has no edition that answers."""
    if database is None:
        return None
    edition = database.serving()
    if edition is None:
        return None
    return {path: state for path, state in edition.known().items() if not _of_a_session(path)}


def _index_counts(database: Database | None, images: int) -> dict[str, Any]:
    """Return how much the index holds; images and transcripts have rows there, and are no notes."""
    if database is None:
        return {"notes": 0, "by_source": {}, "chunks": 0, "index_bytes": 0}
    counts = database.counts()
    return {
        "notes": counts.notes - counts.by_source.get("sessions", 0) - images,
        "by_source": counts.by_source,
        "chunks": counts.chunks,
        "index_bytes": counts.bytes,
    }


def _first_provider(ctx: Context) -> dict[str, Any]:
    """Return who embeds, with which model and why."""
    if ctx.chain is None:
        return {"provider": None, "model": None, "provider_because": ""}
    first = ctx.chain.first
    space = first.known_space()
    return {"provider": first.name, "model": space and space.model, "provider_because": first.why}


def _index_lag(ctx: Context, walk: Walk, known: Mapping[str, NoteState]) -> tuple[list[SkippedFile], bool]:
    """The notes that can't be read, and whether the index is behind those that can."""
    unreadable: list[SkippedFile] = []
    behind = 0
    with ctx.workspace.reader() as read:
        for note in walk.found:
            state = known.get(note.path)
            if state is not None and (state.mtime_ns, state.size) == (note.mtime_ns, note.size):
                continue
            try:
                decode(read(note).data)
            except NoteNotFound:
                continue  # removed since the walk
            except HoldfastError as error:
                unreadable.append(SkippedFile(note.path, getattr(error, "why", None) or str(error)))
                continue
            behind += 1
            if behind == _ENOUGH:
                break
    left = {note.path for note in walk.found}.difference(note.path for note in unreadable)
    return unreadable, behind > 0 or not known.keys() <= left


def _of_a_session(path: str) -> bool:
    """Say whether these are the rows of a transcript, which is no note."""
    return path.startswith("sessions/")


def _sessions(ctx: Context) -> dict[str, Any]:
    """The transcripts there are, and how far they can be found."""
    progress = ctx.session_index.progress()
    return {"searched": ctx.searches_sessions, **progress._asdict(), "because": ctx.session_index.because}


def _away(ctx: Context) -> list[str]:
    return [_endpoint(link) for link in _links(ctx) if link.away]


def _links(ctx: Context) -> Sequence[Link]:
    if ctx.chain is None:
        return ()
    return ctx.chain.links


def _endpoint(link: Link) -> str:
    try:
        identity: tuple[str, str, str] = getattr(link.embedder(), "identity", ("", "", ""))
        return identity[2]
    except ProviderFailed:
        return ""


def _providers(ctx: Context, deep: bool) -> Iterator[dict[str, Any]]:
    """Each provider of the chain: who, why, whether it can be had, and after a deep look whether it answers."""
    for link in _links(ctx):
        space, failure = link.known_space(), _failure(link)
        shown: dict[str, Any] = {
            "provider": link.name,
            "model": space and space.model,
            "endpoint": _endpoint(link),
            "remote": link.away,
            "because": link.why,
            "failure": failure,
        }
        if deep:
            try:
                link.ask(["ping"], Purpose.QUERY)
            except ProviderFailed as error:
                shown["failure"] = error.why
            shown["answers"] = not shown["failure"]
        yield shown


def _failure(link: Link) -> str:
    try:
        lacks: str = getattr(link.embedder(), "lacks", "")
    except ProviderFailed as failure:
        return failure.why
    return link.trouble or lacks


def _possible(ctx: Context) -> tuple[dict[str, str], ...]:
    """Return what else could be used; not asked where the owner wants no vectors, or brought an embedder."""
    if ctx.chain is None or ctx.brought:
        return ()
    from holdfast.embeddings.provider_discovery import possible

    memory = ctx.settings.memory
    settled = [f"memory.{name}" for name in ("base_url", "model", "api_key", "dimensions") if getattr(memory, name)]
    return tuple(provider._asdict() for provider in possible(ctx.chain.first.name, settled=settled))


def _spaces(ctx: Context) -> tuple[tuple[dict[str, Any], ...], str | None]:
    shown: list[dict[str, Any]] = []
    engine = None
    current = None
    if ctx.chain:
        current = ctx.chain.first.known_space()
    for key in ctx.database.spaces():
        vectors = ctx.database.vectors(key)
        texts, embedded = vectors.coverage()
        shown.append(
            {
                **key._asdict(),
                "texts": texts,
                "embedded": embedded,
                "vectors": vectors.count(),
                "current": key == current,
                "cache": vectors.traffic(),
                "in_batch_jobs": ctx.database.waiting(key),
            }
        )
        if key == current and embedded:
            engine = vectors.engine
            shown[-1]["because"] = vectors.because
    return tuple(shown), engine


def _mode(ctx: Context, spaces: tuple[dict[str, Any], ...]) -> tuple[str, str]:
    if ctx.settings.memory.disable_rag:
        return "keyword", "memory.disable_rag is on"
    if ctx.chain is None:
        return "keyword", "no embedding provider is configured"
    first = ctx.chain.first
    by_key = {SpaceKey(*(space[name] for name in SpaceKey._fields)): space for space in spaces}
    able: list[tuple[Link, dict[str, Any]]] = []
    for link in ctx.chain.links:
        # In the order that a search asks them: each provider, and what it had before where it is not full.
        key = link.known_space()
        own = None
        if key is not None:
            own = by_key.get(key)
        asked: list[tuple[Link, dict[str, Any]]] = []
        if own is not None:
            asked.append((link, own))
        if (own is None or _share(own) < 1.0) and (link is first or link.embedded):
            before = ((link.older(key), by_key[key]) for key in reversed(by_key))
            asked += [(older, space) for older, space in before if older is not None]
        able += [(link, space) for link, space in asked if _is_of_use(space) and not _failure(link)]
    if not able:
        return "keyword", _failure(first) or "nothing has been embedded yet; `holdfast index` does it"
    link, space = max(able, key=lambda entry: _share(entry[1]))
    mode, because = "hybrid", ""
    if not ctx.settings.search.hybrid:
        mode, because = "vector", "memory.search.hybrid is off"
    if link is not first:
        own = next((space for space in spaces if space["current"]), None)
        full = own is not None and own["embedded"] == own["texts"]
        if full:
            until = f"while {first.name} fails"
        else:
            until = f"until the space of {first.name} is filled"
        because = f"{space['provider']} / {space['model']} answers {until}"
    elif space["embedded"] < space["texts"]:
        because = (
            f"{space['embedded']:,} of {count_of(space['texts'], 'text')} embedded; `holdfast index` does the rest"
        )
    return mode, because


def _is_of_use(space: dict[str, Any]) -> bool:
    """Say whether a space covers enough of the notes to answer; search goes by the same rule."""
    return _share(space) >= 0.5


def _share(space: dict[str, Any]) -> float:
    return Coverage(space["texts"], space["embedded"]).share


def _problems(ctx: Context, providers: tuple[dict[str, Any], ...]) -> list[str]:
    from holdfast.checkpoints.integrity import verify

    problems: list[str] = []
    if os.path.exists(ctx.index_path):
        if ctx.database.set_aside:
            problems.append(f"the index was damaged and has been set aside as {ctx.database.set_aside}")
        if ctx.index.trouble is not None:
            problems.append(f"index: {ctx.index.trouble}")
        problems.extend(f"index: {problem}" for problem in ctx.database.check())
    problems.extend(f"checkpoints: {problem.subject}: {problem.why}" for problem in verify(ctx.workspace))
    problems.extend(
        f"the embedding provider '{provider['provider']}' failed: {provider['failure']}"
        for provider in providers[:1]
        if provider["failure"]
    )
    return problems
