"""Write to the terminal: text for people or JSON for programs, colour and progress only where they show.

Every text passes through here on its way to a person or a pipe. A note may carry escape sequences that would move the
cursor, retitle the window or hide text (T15, T17), so this is where they are shown; and where it is noticed that nobody
can read: stdout raises OutputLost then, while a stderr that takes nothing is let go.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any, TextIO

from holdfast.guard.invisibles import escape_invisibles, reveal

__all__ = ["Console", "OutputLost", "let_go"]

_SKIPPED_SHOWN = 10
_COLOURS = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36", "code": "40;97"}


class OutputLost(Exception):
    """A command's words could not be written to stdout; `cause` is what the system said."""

    def __init__(self, cause: OSError) -> None:
        super().__init__(str(cause))
        self.cause = cause


class Console:
    """Prints one command's result."""

    def __init__(self, *, as_json: bool = False, out: TextIO | None = None, err: TextIO | None = None) -> None:
        self.as_json = as_json
        self.place: tuple[str, ...] = ()  # the options that name the memory this command works on
        # Python has no stdout at all where the shell closed it (`>&-`).
        self._out = out or sys.stdout or io.StringIO()
        self._err = err or sys.stderr or io.StringIO()
        self._progress_shown = False
        self._begun: set[str] = set()  # works whose end is to be told
        self._piece = ""  # the last one: an emoji may come in two

    def command(self, *words: str) -> str:
        """Return a command to type next, for the same memory, as a shell takes it."""
        import shlex

        return shlex.join(("holdfast", *words, *self.place))

    def json(self, value: dict[str, Any]) -> None:
        """One JSON object."""
        self._clear_progress()
        indent = 2 if self._out.isatty() else None
        self._write_out(_json(value, self._out, indent=indent) + "\n")

    def line(self, text: str = "") -> None:
        """A line for a person."""
        self.styled(reveal(text))

    def note(self, text: str) -> None:
        """A remark beside the result, on stderr, so that a pipe gets the result alone."""
        self._clear_progress()
        self._write_err(_encodable(reveal(text), self._err) + "\n")

    def skipped_files(self, files: Sequence[tuple[str, ...]], lists_all: str) -> None:
        """Print the first files that were skipped, each on one line, and the command that lists them all."""
        for path, reason in files[:_SKIPPED_SHOWN]:
            # A line break in its name must not read like a line of ours.
            name = path.replace("\r", "\\r").replace("\n", "\\n")
            self.note(f"skipped {name}: {reason}")
        if len(files) > _SKIPPED_SHOWN:
            self.note(f"… and {len(files) - _SKIPPED_SHOWN:,} more; `{lists_all}` lists them all")

    def piece(self, text: str) -> None:
        """A part of a line for a person, shown at once."""
        self._clear_progress()
        self._write_out(_encodable(reveal(text, before=self._piece), self._out), flush=True)
        self._piece = text

    def aside(self, text: str) -> None:
        """A remark on what goes on, as `note`, dim where colours show."""
        self._clear_progress()
        self._write_out("", flush=True)  # it stands between what was said before and after it
        self._write_err(self._paint(_encodable(reveal(text), self._err), "dim", stream=self._err) + "\n")

    def ask(self, question: str) -> str:
        """Ask a person, and return the answer.

        The question goes to stderr, and an end of input (Ctrl-D) is an empty answer.
        """
        self._clear_progress()
        self._write_err(_encodable(reveal(question), self._err) + " ")
        if sys.stdin:
            answer = sys.stdin.readline()
        else:
            answer = ""
        if not answer.endswith("\n"):
            self._write_err("\n")
        return answer.strip()

    def error(self, kind: str, message: str) -> None:
        """Say why the command failed."""
        self._clear_progress()
        if self.as_json:
            self._write_err(_json({"error": {"type": kind, "message": message}}, self._err) + "\n")
        else:
            name = self._paint("holdfast:", "red", stream=self._err)
            self._write_err(f"{name} {_encodable(reveal(message), self._err)}\n")

    def paint(self, text: str, *styles: str) -> str:
        """The text in colour where colours show; it is made safe first, because `line` can't tell our codes apart."""
        return self._paint(reveal(text), *styles, stream=self._out)

    def marked(self, text: str, places: Iterable[tuple[int, int]]) -> None:
        """A line with some of it in bold where colours show; elsewhere the line as it is."""
        if not self._shows_colour(self._out):
            self.line(text)
            return
        shown, at = "", 0
        for start, end in places:
            shown += reveal(text[at:start]) + self.paint(text[start:end], "bold")
            at = end
        self.styled(shown + reveal(text[at:]))

    def styled(self, text: str) -> None:
        """A line that was put together with `paint`."""
        self._clear_progress()
        self._write_out(_encodable(text, self._out) + "\n")

    def table(self, heads: Sequence[str], rows: Sequence[Sequence[str]], *, yields: str = "") -> None:
        """Columns that fit the terminal: the last one gives way, and before it the one that `yields`, to 12 letters."""
        cells = [[reveal(cell) for cell in row] for row in rows]
        widths = [max(len(row[i]) for row in [list(heads), *cells]) for i in range(len(heads))]
        if yields and self._out.isatty():
            first = heads.index(yields)
            missing = sum(widths) + 2 * (len(widths) - 1) - self.width()
            widths[first] = min(widths[first], max(widths[first] - missing, 12))
            for row in cells:
                row[first] = _cut(row[first], widths[first])
        room = self.width() - sum(widths[:-1]) - 2 * (len(widths) - 1)
        self.styled(self.paint("  ".join(h.ljust(w) for h, w in zip(heads, widths, strict=True)).rstrip(), "dim"))
        for row in cells:
            if self._out.isatty() and room > 8:
                row[-1] = _cut(row[-1], room)
            self.line("  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip())

    @property
    def is_terminal(self) -> bool:
        """True if somebody looks at what is printed."""
        return self._out.isatty()

    def width(self) -> int:
        """Columns of the terminal, or eighty."""
        import shutil

        return shutil.get_terminal_size((80, 24)).columns

    def progress(self, what: str, done: int, total: int) -> None:
        """A bar on a terminal; elsewhere a line when a work begins, where it says so by 0 done, and one at its end."""
        if self.as_json:
            return
        if not self._err.isatty():
            if done == 0:
                self._begun.add(what)
                self.note(f"{what}: {total:,} to do")
            elif done == total and what in self._begun:
                self._begun.discard(what)
                self.note(f"{what}: done")
            return
        filled = 30 * done // max(total, 1)
        self._write_err(f"\r{what} {'█' * filled}{'░' * (30 - filled)} {done:,}/{total:,}\x1b[K")
        self._progress_shown = True

    def _clear_progress(self) -> None:
        if self._progress_shown:
            self._write_err("\r\x1b[K")  # before anything reaches stdout, which has a buffer of its own
            self._progress_shown = False

    def finish(self) -> None:
        """Leave the terminal as it was found."""
        self._clear_progress()
        self._write_out("", flush=True)

    def _write_out(self, text: str, *, flush: bool = False) -> None:
        try:
            if text:  # unbuffered, not even nothing can be written to a full disk
                self._out.write(text)
            if flush:
                self._out.flush()
        except OSError as error:
            raise OutputLost(error) from error

    def _write_err(self, text: str) -> None:
        """Write and flush; where nobody can be told, the command goes on and its status still says how it ended."""
        try:
            self._err.write(text)
            self._err.flush()
        except OSError:
            let_go(self._err)

    def _paint(self, text: str, *styles: str, stream: TextIO) -> str:
        if not styles or not self._shows_colour(stream):
            return text
        return f"\x1b[{';'.join(_COLOURS[style] for style in styles)}m{text}\x1b[0m"

    @staticmethod
    def _shows_colour(stream: TextIO) -> bool:
        return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def let_go(stream: TextIO) -> None:
    """Send what is left in a stream to nowhere, so that the interpreter does not stumble over it when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, stream.fileno())
    finally:
        os.close(nowhere)


def _cut(text: str, width: int) -> str:
    """As much of the text as fits, with a sign that there is more."""
    if len(text) > width:
        return text[: width - 1] + "…"
    return text


def _json(value: dict[str, Any], stream: TextIO, indent: int | None = None) -> str:
    """The value in what the stream can show; JSON has its own way to write a control character."""
    import json

    text = json.dumps(value, ensure_ascii=False, indent=indent)
    try:
        text.encode(getattr(stream, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, indent=indent)
    return escape_invisibles(text)


def _encodable(text: str, stream: TextIO) -> str:
    """The text in what the stream can show: a terminal in the C locale is no reason for a traceback."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
