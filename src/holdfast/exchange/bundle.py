"""A folder, a zip or a single file of the user's choice → named files that can be read, within limits.

Nothing is ever unpacked to disk, so no name in an archive can lead anywhere; names that try are refused all the same,
because whoever made them meant harm. Links are not followed, and no file is read beyond what its reader asks for.
"""

from __future__ import annotations

import os
import re
import stat
import zipfile
import zlib
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self

from holdfast.errors import BadArgument, HoldfastError, NotFound, StorageFailed, TooLarge
from holdfast.exchange.findings import LeftOut
from holdfast.named_tuple import NamedTuple
from holdfast.notes.disk import Disk
from holdfast.notes.private_database import is_database
from holdfast.notes.safe_open import (
    DIRECTORY,
    close_quietly,
    directory,
    kind_fault,
    open_directory,
    read_whole,
    retry,
    storage_errors,
)

__all__ = ["MAX_JSON", "Bundle", "open_bundle"]

MAX_JSON: Final = 256 * 1024 * 1024
"""The most bytes of one file of conversations; ChatGPT cuts its own at some tens of megabytes."""

_MAX_FILES: Final = 50_000
_MAX_TOTAL: Final = 1024 * 1024 * 1024
_MAX_DEPTH: Final = 12
_MAX_RATIO: Final = 200  # text shrinks to a tenth, at most to a fiftieth; a bomb to a thousandth
_SMALL: Final = 1024 * 1024  # below this no ratio does harm
_READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_DRIVE: Final = re.compile(r"[A-Za-z]:")
_ZIPPED: Final = (b"PK\x03\x04", b"PK\x05\x06")
_JSON: Final = (".json", ".jsonl", ".ndjson")
_SKIPPED: Final = frozenset(("node_modules", "__pycache__", "__MACOSX"))

Read = Callable[[str, int, bool], bytes]
"""Reads a file by its name: at most so many bytes, or the first so many of it."""


class _Listed(NamedTuple):
    names: tuple[str, ...]
    left_out: tuple[LeftOut, ...]


class Bundle:
    """Files that belong together, by their names with `/` between folders. Close it, or use it in a `with`."""

    def __init__(
        self,
        shown: str,
        listed: _Listed,
        read: Read,
        close: Callable[[], None],
        *,
        single: bool,
        root: str | None = None,
    ) -> None:
        self.shown, self.single, self.root = shown, single, root
        self.names, self.left_out = listed
        self._read, self._close = read, close
        self._total = 0

    @property
    def title(self) -> str:
        """Return the name of the folder or archive, without its ending or leading dot."""
        name = os.path.basename(self.root or os.path.abspath(os.path.expanduser(self.shown)))
        return name.removesuffix(".zip").lstrip(".") or "notes"

    def read(self, name: str, most: int = MAX_JSON) -> bytes:
        """The whole of a file; TooLarge where it has more than `most` bytes."""
        data = self._read(name, most, False)
        if self.single or name.endswith(_JSON):  # a note in an archive stays byte for byte what it is
            data = _narrow(data)
        self._total += len(data)
        if self._total > _MAX_TOTAL:
            raise TooLarge(self.shown, self._total, _MAX_TOTAL)
        return data

    def head(self, name: str, most: int = 65_536) -> bytes:
        """The first bytes of a file."""
        return _narrow(self._read(name, most, True), cut=True)

    def close(self) -> None:
        """Let go of the files."""
        self._close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _narrow(data: bytes, *, cut: bool = False) -> bytes:
    """UTF-16 as UTF-8, where a byte order mark says that it is that; anything else stays as it is.

    Some editors on Windows save JSON so, and no UTF-8 begins with these two bytes.
    """
    if not data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return data
    try:
        return data.decode("utf-16", "ignore" if cut else "strict").encode("utf-8")
    except UnicodeError:
        return data


def open_bundle(path: str, disk: Disk | None = None) -> Bundle:
    """Open what the user named; what it links to is what they meant, but nothing inside it may be a link."""
    if not path.strip():
        raise BadArgument("file", "it is empty; name a file or a folder")
    disk = disk or Disk()
    place = os.path.realpath(os.path.expanduser(path))
    try:
        mode = os.stat(place).st_mode
    except FileNotFoundError:
        raise NotFound(f"There is no file or folder {path!r}. Check the name and try again.") from None
    except OSError as error:
        raise StorageFailed(path, "open", error.strerror or str(error)) from error
    if stat.S_ISDIR(mode):
        return _folder(disk, place, path)
    if not stat.S_ISREG(mode):
        raise BadArgument("file", f"{path!r} is neither a file nor a folder")
    _refuse_database(place, path)
    with storage_errors(path, "read"):
        is_zip = zipfile.is_zipfile(place)
        with open(place, "rb") as stream:
            began = stream.read(4)
    if not is_zip and (began in _ZIPPED or place.lower().endswith(".zip")):
        # Its list of files stands at the end, so one that was cut off has none.
        raise BadArgument("file", f"{path!r} is no whole zip: it is cut off or damaged; fetch it once more")
    if is_zip:
        return _archive(place, path)
    return _file(place, path)


def _refuse_database(name: str, shown: str) -> None:
    """Raise BadArgument for a database: it may be our own, which nobody but SQLite may open while it is in use."""
    if is_database(name):
        raise BadArgument(
            "file", f"{shown!r} is a database; give a folder of notes, an export, or a .json, .jsonl or .zip"
        )


class _Folder:
    """A folder that is open, with the files in it, and what is left out of them."""

    def __init__(self, disk: Disk, place: str, shown: str) -> None:
        self._disk, self._shown = disk, shown
        with storage_errors(shown, "open"):
            self._top = retry(disk.open, place, DIRECTORY)
        self.names: list[str] = []
        self.left: list[LeftOut] = []

    def look(self, parts: tuple[str, ...] = ()) -> None:
        """Note what is in it, or in a folder below it, and all that is below that."""
        below = self._list(parts)
        if len(self.names) > _MAX_FILES:
            reason = f"{self._shown!r} holds more than {_MAX_FILES:,} files; name the folder of the memory"
            raise BadArgument("file", reason)
        for name in below:
            if len(parts) < _MAX_DEPTH:
                self.look((*parts, name))
            else:
                self.left.append(LeftOut("/".join((*parts, name)), f"it lies more than {_MAX_DEPTH} folders deep"))

    def read(self, name: str, most: int, head: bool) -> bytes:
        """Return the bytes of a file, or with `head` the first of them."""
        *above, last = name.split("/")
        _refuse_database(last, name)
        try:
            with directory(self._disk, self._top, above, name) as fd:
                if head:
                    with storage_errors(name, "read"), os.fdopen(os.open(last, _READ, dir_fd=fd), "rb") as stream:
                        return stream.read(most)
                return read_whole(self._disk, fd, last, name, most).data
        except FileNotFoundError:
            raise NotFound(f"{name!r} is gone from {self._shown!r}.") from None

    def close(self) -> None:
        """Let go of the folder."""
        close_quietly(self._disk, self._top)

    def _list(self, parts: tuple[str, ...]) -> list[str]:
        """Note the files of one folder, and return the folders in it."""
        fd = self._top
        if parts:
            fd = open_directory(self._disk, self._top, parts, "/".join(parts))
        below: list[str] = []
        try:
            for name in sorted(retry(self._disk.names, fd)):
                whole = "/".join((*parts, name))
                if aside := _find_aside(whole):
                    self.left.append(aside)
                    continue
                status = retry(self._disk.lstat, name, dir_fd=fd)
                if stat.S_ISDIR(status.st_mode):
                    below.append(name)
                elif fault := kind_fault(status):
                    self.left.append(LeftOut(whole, fault))
                else:
                    self.names.append(whole)
        finally:
            if parts:
                close_quietly(self._disk, fd)
        return below


def _folder(disk: Disk, place: str, shown: str) -> Bundle:
    folder = _Folder(disk, place, shown)
    try:
        with storage_errors(shown, "read"):
            folder.look()
    except BaseException:
        folder.close()
        raise
    listed = _Listed(tuple(folder.names), tuple(folder.left))
    return Bundle(shown, listed, folder.read, folder.close, single=False, root=place)


def _file(place: str, shown: str) -> Bundle:
    name = os.path.basename(place)

    def read(_: str, most: int, head: bool) -> bytes:
        with storage_errors(shown, "read"), open(place, "rb") as stream:
            data = stream.read(most if head else most + 1)
        if len(data) > most:
            raise TooLarge(f"file {shown!r}", os.path.getsize(place), most)
        return data

    return Bundle(shown, _Listed((name,), ()), read, lambda: None, single=True)


def _archive(place: str, shown: str) -> Bundle:
    try:
        archive = zipfile.ZipFile(place)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise BadArgument("file", f"{shown!r} is no zip that can be read: {error}") from error
    try:
        members, left = _members(archive, shown)
    except BaseException:
        archive.close()
        raise

    def read(name: str, most: int, head: bool) -> bytes:
        member = members.get(name)
        if member is None:
            raise NotFound(f"There is no {name!r} in {shown!r}.")
        if not head and member.file_size > most:
            raise TooLarge(f"file {name!r}", member.file_size, most)
        if not head and member.file_size > _SMALL and member.file_size > _MAX_RATIO * member.compress_size:
            why = f"it would grow to {member.file_size:,} bytes from {member.compress_size:,}"
            raise _refusal(shown, name, why)
        try:
            with archive.open(member) as stream:
                data = stream.read(most if head else most + 1)
        except (zipfile.BadZipFile, OSError, EOFError, ValueError, NotImplementedError, zlib.error) as error:
            raise BadArgument("file", f"{name!r} in {shown!r} is damaged: {error}") from error
        if len(data) > most:  # the archive says less than it holds
            raise TooLarge(f"file {name!r}", len(data), most)
        return data

    return Bundle(shown, _Listed(tuple(members), tuple(left)), read, archive.close, single=False)


def _members(archive: zipfile.ZipFile, shown: str) -> tuple[dict[str, zipfile.ZipInfo], list[LeftOut]]:
    """The files of an archive; raises where a name leads out of it."""
    infos = archive.infolist()
    if len(infos) > _MAX_FILES:
        raise BadArgument("file", f"{shown!r} holds more than {_MAX_FILES:,} files")
    members: dict[str, zipfile.ZipInfo] = {}
    left: list[LeftOut] = []
    asides: dict[str, LeftOut] = {}
    for info in infos:
        name = info.orig_filename
        if fault := _name_fault(name):
            raise _refusal(shown, name, fault)
        if aside := _find_aside(name):
            asides[aside.where] = aside  # one entry for all that lies in a folder
            continue
        if info.is_dir():
            continue
        if stat.S_ISLNK(info.external_attr >> 16):
            left.append(LeftOut(name, "it is a symbolic link"))
        elif info.flag_bits & 0x1:
            left.append(LeftOut(name, "it is encrypted"))
        elif name in members:
            raise _refusal(shown, name, "it stands there twice")
        else:
            members[name] = info
    return members, [*asides.values(), *left]


def _refusal(shown: str, name: str, why: str) -> HoldfastError:
    return BadArgument("file", f"{shown!r} holds {name[:200]!r}, which is refused: {why}")


def _find_aside(name: str) -> LeftOut | None:
    """The first part of a name that is hidden or another program's own, with the reason; None where none is."""
    parts = name.split("/")
    for place, part in enumerate(parts, 1):
        if part.startswith(".") or part in _SKIPPED:
            if part.startswith("."):
                why = "it is hidden"
            else:
                why = "it holds no notes"
            return LeftOut("/".join(parts[:place]), why)
    return None


def _name_fault(name: str) -> str:
    if not name or name.startswith("/") or "\\" in name or "\0" in name or _DRIVE.match(name):
        return "the name does not stay in the archive"
    if ".." in name.split("/"):
        return "the name leads out of the archive"
    return ""
