"""An `hf:` name → a file on this disk, downloaded once, whole, and checked.

What has come so far lies beside the target in a file named after the hub's ETag, so that bytes of two versions never
meet in one file. The target appears by a rename, after the size and the checksum are right and the bytes are on disk.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import quote

from holdfast.embeddings.local.hub import SCHEME, Absent, Hub, HubFile, Located, parse
from holdfast.errors import ModelNotDownloaded, ProviderFailed, ProviderMissing
from holdfast.progress import Progress

if TYPE_CHECKING:
    import httpx2

__all__ = ["resolve", "target"]

_BLOCK = 1 << 20
_SHA256 = re.compile(r"[0-9a-f]{64}")
_GIT_BLOB = re.compile(r"[0-9a-f]{40}")
_AROUND_A_GRAPH = (
    "tokenizer.json",
    "config.json",
    "modules.json",
    "1_Pooling/config.json",
    "config_sentence_transformers.json",
    "sentence_bert_config.json",
    "tokenizer_config.json",
)
_TRIES = 20  # a connection that breaks after some bytes is taken up again at once, this often in one call
_KEPT_FREE = 64 << 20  # the index needs room too
_AGAIN = "`holdfast index` goes on where it stopped; until then search goes on without it."


def resolve(
    model_path: str,
    cache: Path,
    *,
    download: bool,
    progress: Progress | None = None,
    environ: Mapping[str, str] | None = None,
) -> Path:
    """Return the file or directory that `model_path` names.

    It names a path, or an `hf:` name that is in the cache or is downloaded.

    Without `download` nothing leaves the machine, and a file that is not there is `ModelNotDownloaded`.
    """
    if not model_path.startswith(SCHEME):
        path = Path(model_path).expanduser()
        if not path.exists():
            remedy = "Mend memory.local.model_path; until then search goes on without it."
            raise ProviderMissing("local", f"there is no model at {model_path!r}", remedy)
        return path
    file = parse(model_path)
    path = target(file, cache)
    if path.is_file():
        return path
    if not download:
        raise ModelNotDownloaded("local", f"the model {file.shown} is not on this machine yet")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with _hold_lock(path, progress):
            if not path.is_file():  # another process may have finished it while we waited
                _download_all(file, cache, progress or _silent, os.environ if environ is None else environ)
    except OSError as error:
        raise _no_room(error, path) from error
    return path


def target(file: HubFile, cache: Path) -> Path:
    """Return where a file of the hub lies in the cache."""
    version = ""
    if file.revision != "main":
        version = f"@{quote(file.revision, safe='')}"
    return cache.joinpath(*(file.repository + version).split("/"), *file.path.split("/"))


def _silent(what: str, done: int, total: int) -> None:
    """Say nothing."""


@contextmanager
def _hold_lock(path: Path, progress: Progress | None) -> Iterator[None]:
    """Hold the lock of one target. flock ends with its process, so a kill leaves nothing to clear away."""
    fd = os.open(path.with_name(f".{path.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if progress:
                progress(f"{path.name} (another process is downloading it)", 0, 0)
            fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)


def _download_all(file: HubFile, cache: Path, progress: Progress, environ: Mapping[str, str]) -> None:
    """Download the file; before an ONNX graph what lies around it, so that the graph stands for a whole directory."""
    hub = Hub(environ)
    try:
        if file.path.endswith(".onnx"):
            graph = PurePosixPath(file.path)
            if graph.parent.name == "onnx":
                root = graph.parent.parent
            else:
                root = graph.parent
            for name in (*_AROUND_A_GRAPH, graph.relative_to(root).as_posix() + "_data"):
                beside = file._replace(path=(root / name).as_posix())
                if not target(beside, cache).is_file():
                    with suppress(Absent):  # each may be missing; what can't be done without is said when it is read
                        _download(hub, beside, target(beside, cache), progress)
        _download(hub, file, target(file, cache), progress)
    finally:
        hub.close()


def _download(hub: Hub, file: HubFile, path: Path, progress: Progress) -> None:
    restarted = False
    for _ in range(_TRIES):
        located = hub.locate(file)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        part = _part(path, located)
        started = 0
        if part.exists():
            started = part.stat().st_size
        if located.size > started:
            _check_room(path, located.size - started, file)
        try:
            size = _fetch(hub, file, located, part, progress)
        except ProviderFailed:
            held = 0
            if part.exists():
                held = part.stat().st_size
            # A server that gave no byte is down. One whose answer did not fit what we had may have all of it.
            if held == started or (held < started and restarted):
                raise
            restarted = restarted or held < started
            continue
        fault = _fault(part, located, size)
        if not fault:
            return _finish(part, path)
        part.unlink()  # what is wrong with it can't be mended by more bytes
        if restarted or not started:
            raise ProviderFailed("local", f"{file.shown} came damaged: {fault}; it was thrown away", _AGAIN)
        restarted = True
    raise ProviderFailed("local", f"the connection broke {_TRIES} times while {file.shown} was loading", _AGAIN)


def _part(path: Path, located: Located) -> Path:
    """Return the file of what has come of this version; those of other versions are removed."""
    version = hashlib.sha256(f"{located.etag} {located.size}".encode()).hexdigest()[:16]
    part = path.with_name(f".{path.name}.{version}.part")
    for leftover in path.parent.iterdir():
        if leftover.name.startswith(f".{path.name}.") and leftover.name.endswith(".part") and leftover != part:
            leftover.unlink()
    # A version without a name can't be told from the next one, so its pieces are never joined.
    if not located.etag and part.exists():
        part.unlink()
    return part


def _check_room(path: Path, needed: int, file: HubFile) -> None:
    free = shutil.disk_usage(path.parent).free
    if free < needed + _KEPT_FREE:
        raise ProviderMissing(
            "local",
            f"{file.shown} needs {_megabytes(needed)} more, and {_megabytes(free)} are free on the disk of the models",
            "Free some space, or choose a smaller model; until then search goes on without it.",
        )


def _fetch(hub: Hub, file: HubFile, located: Located, part: Path, progress: Progress) -> int:
    """Bring the part up to its full size; the size it must have."""
    fd = os.open(part, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_APPEND, 0o600)
    try:
        received = os.fstat(fd).st_size
        if received == located.size:
            return received
        if located.size >= 0 and received > located.size:
            received = 0
        with hub.fetch(file, located, received) as answer:
            received, size = _begin(answer, received, located.size)
            os.ftruncate(fd, max(received, 0))
            if received < 0:
                why = f"the hub answered {answer.status_code} with another range of {file.shown} than was asked for"
                raise ProviderFailed("local", why, _AGAIN)
            if size < 0:
                raise ProviderFailed("local", f"the hub does not say how large {file.shown} is", _AGAIN)
            name, reported = Path(file.path).name, received
            progress(name, received, size)
            for block in answer.iter_raw():  # as they come: gathered blocks would be lost with the connection
                received += len(block)
                if received > size:
                    os.ftruncate(fd, 0)
                    raise ProviderFailed("local", f"{file.shown} sends more than the {size:,} bytes it has", _AGAIN)
                _write(fd, block)
                if received - reported >= _BLOCK or received == size:
                    reported = received
                    progress(name, received, size)
        if received < size:
            raise ProviderFailed("local", f"{file.shown} broke off at {received:,} of {size:,} bytes", _AGAIN)
        os.fsync(fd)
        return size
    finally:
        os.close(fd)


def _begin(answer: httpx2.Response, held: int, size: int) -> tuple[int, int]:
    """Return where the answer's bytes begin (-1: not where we could use them), and how large the whole is."""
    if answer.status_code == 206:
        span = re.fullmatch(r"bytes (\d{1,18})-\d{1,18}/(\d{1,18})", answer.headers.get("Content-Range", ""))
        if span and int(span[1]) == held and size in (-1, int(span[2])):
            return held, int(span[2])
    elif answer.status_code == 200:
        length = answer.headers.get("Content-Length", "")
        if size >= 0:
            return 0, size
        return 0, int(length) if length.isdigit() and len(length) < 19 else -1
    return -1, size


def _write(fd: int, block: bytes) -> None:
    view = memoryview(block)
    while view:
        view = view[os.write(fd, view) :]


def _fault(part: Path, located: Located, size: int) -> str:
    """Return what is wrong with the bytes; "" when they are those that the hub has."""
    found = part.stat().st_size
    if found != size:
        return f"it has {found:,} bytes, not {size:,}"
    etag = located.etag.removeprefix("W/").strip('"').lower()
    if _SHA256.fullmatch(etag):
        if _digest(part, "sha256", b"") == etag:
            return ""
        return "its SHA-256 is not the one that the hub gives"
    if _GIT_BLOB.fullmatch(etag):
        found_id = _digest(part, "sha1", b"blob %d\0" % size)
        if found_id == etag:
            return ""
        return "its Git blob id is not the one that the hub gives"
    return ""


def _digest(part: Path, kind: str, first: bytes) -> str:
    # SHA-1 only as Git's name for a small file; what an attacker could forge there, he could put on the hub as well.
    digest = hashlib.new(kind, first, usedforsecurity=False)
    with part.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _finish(part: Path, path: Path) -> None:
    os.replace(part, path)
    directory = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def _no_room(error: OSError, path: Path) -> ProviderMissing:
    full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    why = "the disk of the models is full"
    if not full:
        why = f"{path.name} can't be written ({error.strerror or error})"
    return ProviderMissing(
        "local", why, "Make room there or choose another place for the models; what has come so far is kept."
    )


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"
