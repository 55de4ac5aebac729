"""Find every note, and say of each file that was left out why.

The walk holds directories open and asks each entry for its own stat, symlinks not followed: nothing outside the
roots is touched, whatever is swapped meanwhile.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Sequence
from stat import S_ISLNK, S_ISREG

from holdfast.errors import StorageFailed, UnsafeFile
from holdfast.guard.media import AUDIO, IMAGES, is_image
from holdfast.guard.paths import PLAIN_NAME, conflict_fault, name_fault
from holdfast.guard.text_rules import MAX_NOTE_BYTES
from holdfast.notes.atomic_write import TEMP_ENDING
from holdfast.notes.disk import Disk
from holdfast.notes.layout import MAIN, extra_name_fault, prompt_memory, root_parts
from holdfast.notes.note import NoteFile, SkippedFile, Walk, as_note_file, note_file
from holdfast.notes.safe_open import DIRECTORY, close_quietly, directory, kind_fault, retry

__all__ = ["NO_NOTES", "walk"]

# Deep enough for any person's folders; keeps open directories far below the system's limit.
_MAX_DEPTH = 32
# With one more segment of at most 200 bytes a path stays within the 1,000 that may be read.
_MAX_PREFIX_BYTES = 750
# The homes of sandboxes lie there, and what is in them is no memory; nor are the index and the checkpoints.
LINK = "it is a symbolic link"
HIDDEN = "it is hidden: its name starts with a dot"
NO_NOTES = frozenset((LINK, HIDDEN))
"""Why files are left out that nobody misses."""
_NO_MEMORY = "it is the state of this home, which is no memory"
_MEDIA = IMAGES + AUDIO
_FOLLOWED_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


def walk(disk: Disk, home: int, home_path: str, agent: str, extras: Sequence[str], *, media: bool = False) -> Walk:
    """Find every note of an agent and of the extra paths, in the order of the paths; and with `media` the images."""
    walker = _Walker(disk, posixpath.join(home_path, "state"), _MEDIA if media else ())
    root = posixpath.join(home_path, *root_parts(agent))
    walker.directories.append(root)
    walker.add_prompt_memory(home, home_path, agent)
    walker.walk_memory(home, agent, root)
    if extras:
        # An extra path may lie over memory/ or over another one; each note is found once.
        known = {posixpath.join(root, file.path) for file in walker.found}
        for extra in extras:
            before = len(walker.found)
            walker.walk_extra(extra)
            fresh = [file for file in walker.found[before:] if file.path not in known]
            walker.found[before:] = fresh
            known.update(file.path for file in fresh)
        inside = {posixpath.join(root, file.path) for file in walker.media if file.source == "memory"}
        walker.media = [file for file in walker.media if file.path not in inside]
    walker.found.sort()
    skipped = sorted(set(walker.skipped))
    directories = sorted(set(walker.directories))
    return Walk(walker.found, skipped, directories, tuple(sorted(set(walker.media))), tuple(walker.temps))


class _Walker:
    def __init__(self, disk: Disk, state: str, endings: tuple[str, ...] = ()) -> None:
        self.disk = disk
        self.state = state
        self.endings = endings
        self.media: list[NoteFile] = []
        self.found: list[NoteFile] = []
        self.skipped: list[SkippedFile] = []
        self.directories: list[str] = []
        self.temps: list[str] = []

    def skip(self, path: str, reason: str) -> None:
        # A name that is not UTF-8 has to be shown somehow; its odd bytes become \xNN.
        self.skipped.append(SkippedFile(os.fsencode(path).decode("utf-8", "backslashreplace"), reason))

    def add_prompt_memory(self, home: int, home_path: str, agent: str) -> None:
        """Add MEMORY.md, and skip what its rules leave out."""
        root = root_parts(agent)
        try:
            spot = prompt_memory(self.disk, home, agent)
            self._add_own_file(home, spot.parts, spot.name)
            with directory(self.disk, home, root, spot.path) as fd:
                names = retry(self.disk.names, fd)
        except FileNotFoundError:
            return
        except OSError as error:
            self.skip("MEMORY.md", f"it can't be read ({error.strerror})")
            return
        except (UnsafeFile, StorageFailed) as error:
            self.skip("MEMORY.md", error.why)
            return
        if spot.parts != root:
            self.directories.append(posixpath.join(home_path, *spot.parts))
            if "MEMORY.md" in names:
                self.skip(posixpath.join(home_path, "MEMORY.md"), f"agents/{MAIN}/MEMORY.md is used instead")
        if "memory.md" in names and spot.name != "memory.md":
            self.skip("memory.md", "MEMORY.md is used instead")

    def _add_own_file(self, home: int, parts: tuple[str, ...], name: str) -> None:
        with directory(self.disk, home, parts, name) as fd:
            status = retry(self.disk.lstat, name, dir_fd=fd)
        self._add_or_skip(name, "memory", status)

    def _add_or_skip(self, path: str, source: str, status: os.stat_result) -> None:
        fault = kind_fault(status)
        if fault is None and status.st_size > MAX_NOTE_BYTES:
            fault = f"it has {status.st_size:,} bytes; the limit is {MAX_NOTE_BYTES:,}"
        if fault is not None:
            self.skip(path, fault)
            return
        self.found.append(note_file(path, status, source))

    def walk_memory(self, home: int, agent: str, root: str) -> None:
        """Walk everything in memory/."""
        try:
            with directory(self.disk, home, (*root_parts(agent), "memory"), "memory") as fd:
                self._walk_directory(fd, "memory", posixpath.join(root, "memory"), "memory", 0)
        except FileNotFoundError:
            return
        except (UnsafeFile, StorageFailed) as error:
            self.skip("memory", error.why)
        except OSError as error:  # only where the system has to look at each entry to know its kind
            self.skip("memory", f"it can't be listed ({error.strerror})")

    def walk_extra(self, path: str) -> None:
        """Walk one extra path: a directory with all below it, or a single file."""
        if path == self.state or path.startswith(f"{self.state}/"):
            self.skip(path, _NO_MEMORY)
            return
        above, _, name = path.rpartition("/")
        try:
            # The owner named this path, so links above its last segment are theirs; the last one is not followed.
            parent = retry(self.disk.open, above or "/", _FOLLOWED_DIRECTORY)
            try:
                status = retry(self.disk.lstat, name, dir_fd=parent)
                if S_ISLNK(status.st_mode):
                    self.skip(path, LINK)
                    return
                if name.endswith(".md") and S_ISREG(status.st_mode):
                    self.directories.append(above or "/")
                    self._add_or_skip(path, "extra", status)
                    return
                fd = retry(self.disk.open, name, DIRECTORY, dir_fd=parent)
            finally:
                close_quietly(self.disk, parent)
            try:
                self._walk_directory(fd, path, path, "extra", 0)
            finally:
                close_quietly(self.disk, fd)
        except FileNotFoundError:
            self.skip(path, "there is nothing at this extra path")
        except OSError as error:
            self.skip(path, f"it is not a directory or a '.md' file ({error.strerror})")

    def _walk_directory(self, fd: int, prefix: str, full: str, source: str, depth: int) -> None:
        """Walk one directory and everything below it; `full` is its absolute path."""
        try:
            entries = retry(self.disk.scandir, fd)
        except OSError as error:
            self.skip(prefix, f"it can't be listed ({error.strerror})")
            return
        self.directories.append(full)
        strict = source == "memory"
        # Ten thousand files in a look: what nearly all of them need is done without a call of Python.
        add_file, is_plain, children = self.found.append, PLAIN_NAME.fullmatch, []
        start = f"{prefix}/"
        for entry in entries:
            name = entry.name
            if not name.endswith(".md"):
                if entry.is_symlink():
                    self._skip_unless_hidden(name, start + name, LINK)
                elif entry.is_dir(follow_symlinks=False):
                    children.append(name)
                elif strict and name.endswith(TEMP_ENDING):
                    self.temps.append(start + name)
                elif self.endings and name.lower().endswith(self.endings):
                    self._medium(entry, start + name, source)
                elif name.lower().endswith((".md", ".markdown")):
                    self._skip_unless_hidden(name, start + name, "its name does not end in '.md'")
                continue
            if not is_plain(name):
                fault = name_fault(name)
                if fault is not None:
                    fault = _skip_reason(name, fault, strict=strict)
                if fault is not None:
                    self.skip(start + name, fault)
                    continue
            try:
                status = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue  # removed since it was listed
            except OSError as error:
                self.skip(start + name, f"it can't be read ({error.strerror})")
                continue
            size = status.st_size
            if S_ISREG(status.st_mode) and status.st_nlink == 1 and size <= MAX_NOTE_BYTES:
                add_file(
                    as_note_file((start + name, source, size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino))
                )
            elif entry.is_dir(follow_symlinks=False):
                children.append(name)
            else:
                self._add_or_skip(start + name, source, status)
        for name in children:
            self._walk_child(fd, name, start + name, f"{full}/{name}", source, depth + 1)

    def _medium(self, entry: os.DirEntry[str], path: str, source: str) -> None:
        """An image, by the rules of a note; its size is judged by who reads it."""
        try:
            fault = _skip_reason(entry.name, "", strict=False)
            status = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            return  # removed since it was listed
        except OSError as error:
            self.skip(path, f"it can't be read ({error.strerror})")
            return
        if not is_image(path):
            fault = "recordings are not supported: nothing here turns speech into text"
        fault = fault or kind_fault(status)
        if fault is None:
            self.media.append(note_file(path, status, source))
        elif not entry.name.startswith("."):
            self.skip(path, fault)

    def _skip_unless_hidden(self, name: str, path: str, reason: str) -> None:
        if not name.startswith("."):
            self.skip(path, reason)

    def _walk_child(self, fd: int, name: str, prefix: str, full: str, source: str, depth: int) -> None:
        if name.startswith("."):
            return
        fault = name_fault(name)
        if fault is not None:
            fault = _skip_reason(name, fault, strict=source == "memory")
        if full == self.state:
            fault = _NO_MEMORY
        elif depth > _MAX_DEPTH:
            fault = f"it is nested deeper than {_MAX_DEPTH} directories"
        elif source == "memory" and fault is None and len(prefix.encode()) > _MAX_PREFIX_BYTES:
            fault = "its path is too long"
        if fault is not None:
            self.skip(prefix, fault)
            return
        try:
            child = retry(self.disk.open, name, DIRECTORY, dir_fd=fd)
        except FileNotFoundError:
            return  # removed since it was listed
        except OSError as error:
            self.skip(prefix, f"it can't be opened ({error.strerror})")
            return
        try:
            self._walk_directory(child, prefix, full, source, depth)
        finally:
            close_quietly(self.disk, child)


def _skip_reason(name: str, fault: str, *, strict: bool) -> str | None:
    """Return the reason for the report, or None to take the file.

    In an extra path most names are the owner's own business.
    """
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return "its name is not UTF-8"
    if name.startswith("."):
        return HIDDEN
    if strict:
        return fault
    return conflict_fault(name) or extra_name_fault(name)
