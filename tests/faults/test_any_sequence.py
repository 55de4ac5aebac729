"""T6: no sequence of operations breaks a promise (P1 to P6, P15); the model is a dictionary of notes."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple

import hypothesis.strategies as st
import pytest
from counts import counted
from faults.rebuilding import index_rows, notes_of, of_a_rebuild, seen
from hypothesis import HealthCheck, settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.errors import BadArgument, CheckpointNotFound, NoteChangedOutside, NoteNotFound, TextNotFound
from holdfast.guard.origin import Origin
from holdfast.markdown.novelty import find_novelty

_BOM = b"\xef\xbb\xbf"
_PATHS = st.sampled_from(["MEMORY.md", "memory/a.md", "memory/b.md", "memory/c.md"])
_LINES = st.sampled_from(
    [
        "# A title",
        "## Birds",
        "- the heron waits",
        "- the heron waits",
        "- a stork, INC-4711-QJV",
        "a kestrel hovers over snake_case_k29",
        "",
        "```",
        "猫が座った",
        "Größe: 12 kg",
        "\tindented",
        "---",
        "the secret word is xyzzy",
    ]
)
_TEXTS = st.lists(_LINES, min_size=1, max_size=12).map("\n".join).filter(str.strip)
_ENDS = st.sampled_from(["\n", "\r\n", "\r"])
_SPOILT = st.sampled_from([b"", b"\n", b"\xff\xfe", b"NUL\0 here", _BOM, _BOM + b"- a marked plover\r\n", b"- no end"])
_OUTSIDE = st.one_of(_SPOILT, st.builds(lambda text, end: text.replace("\n", end).encode("utf-8"), _TEXTS, _ENDS))


class Step(NamedTuple):
    """One change as the model remembers it."""

    id: str
    path: str
    before: bytes | None
    after: bytes | None
    is_undo: bool = False


class Notes(RuleBasedStateMachine):
    """What Holdfast does to files, beside what it should do."""

    def __init__(self) -> None:
        super().__init__()
        self.place = Path(tempfile.mkdtemp(prefix="holdfast-"))
        self.home = self.place / "home"
        self.model: dict[str, bytes] = {}
        self.steps: list[Step] = []
        self.undone: set[str] = set()
        self.clock = FakeClock()
        self.embedder = FakeEmbedder()
        self.memory = Memory.open(self.home, origin=Origin.USER, clock=self.clock, embedder=self.embedder)

    def teardown(self) -> None:
        """Every change can still be restored exactly, newest first; then all is put away."""
        try:
            for step in reversed(self.steps):
                self.memory.restore(step.id)
                self.became(step.path, step.before)
                assert notes_of(self.home) == self.model
            self.memory.sync()
            self.equals_a_rebuild()
        finally:
            self.memory.close()
            shutil.rmtree(self.place)

    def made(self, checkpoint: str, path: str, after: bytes | None, *, is_undo: bool = False) -> None:
        """Write a change into the model."""
        self.steps.append(Step(checkpoint, path, self.model.get(path), after, is_undo))
        self.became(path, after)

    def became(self, path: str, data: bytes | None) -> None:
        """The note is now this."""
        if data is None:
            self.model.pop(path, None)
        else:
            self.model[path] = data

    # Changes through Holdfast

    @initialize(text=_TEXTS)
    def first(self, text: str) -> None:
        """Something to begin with."""
        self.save(text, "memory/a.md", append=True)

    @rule(text=_TEXTS, path=_PATHS, append=st.booleans())
    def save(self, text: str, path: str, append: bool) -> None:
        """Append to a note, or replace it."""
        old = self.model.get(path)
        if append and old is not None and not _is_text(old):
            with pytest.raises(BadArgument):
                self.memory.save(text, file=path, append=append)
            return
        checkpoint = self.memory.save(text, file=path, append=append).checkpoint_id
        # A sentence that the note has is not written again, nor is a note that says all of it already.
        new = find_novelty(old.decode("utf-8-sig", "replace"), text).text if old and append else text
        if not new.strip() or _saved(old, new, append=append) == old:
            assert checkpoint == ""
            return
        self.made(checkpoint, path, _saved(old, new, append=append))

    @rule(path=_PATHS, text=_LINES.filter(bool), every=st.booleans(), if_empty=st.booleans())
    def delete_text(self, path: str, text: str, every: bool, if_empty: bool) -> None:
        """Remove a line's text, wherever it stands."""
        old = self.model.get(path)
        if old is None or text.encode("utf-8") not in old:
            with pytest.raises((NoteNotFound, TextNotFound)):
                self.memory.delete(path, text=text, all_matches=every, delete_if_empty=if_empty)
            return
        checkpoint = self.memory.delete(path, text=text, all_matches=every, delete_if_empty=if_empty).checkpoint_id
        new = old.replace(text.encode("utf-8"), b"", -1 if every else 1)
        self.made(checkpoint, path, None if if_empty and not new.strip() else new)

    @rule(path=_PATHS)
    def delete_file(self, path: str) -> None:
        """Remove a note."""
        if path not in self.model:
            with pytest.raises(NoteNotFound):
                self.memory.delete(path, delete_file=True)
            return
        self.made(self.memory.delete(path, delete_file=True).checkpoint_id, path, None)

    @rule(data=st.data())
    def restore(self, data: st.DataObject) -> None:
        """Go back before any change that was ever made."""
        step = data.draw(st.sampled_from(self.steps))
        self.made(self.memory.restore(step.id).checkpoint_id, step.path, step.before)

    @rule(path=st.none() | _PATHS)
    def undo(self, path: str | None) -> None:
        """Take back the last change that stands."""
        for step in reversed(self.steps):
            stands = not step.is_undo and step.id not in self.undone and step.before != step.after
            if stands and path in (None, step.path):
                break
        else:
            with pytest.raises(CheckpointNotFound):
                self.memory.undo(path)
            return
        if self.model.get(step.path) != step.after:
            with pytest.raises(NoteChangedOutside):
                self.memory.undo(path)
            return
        done = self.memory.undo(path)
        assert done.path == step.path
        self.undone.add(step.id)
        self.made(done.checkpoint_id, step.path, step.before, is_undo=True)

    # What others do to the files

    @rule(path=_PATHS, data=_OUTSIDE, in_place=st.booleans())
    def edit_outside(self, path: str, data: bytes, in_place: bool) -> None:
        """An editor writes in place, or puts a new file there."""
        file = self.home / path
        file.parent.mkdir(exist_ok=True)
        if in_place:
            file.write_bytes(data)
        else:
            fresh = file.with_suffix(".new")
            fresh.write_bytes(data)
            fresh.replace(file)
        self.became(path, data)

    @precondition(lambda self: self.model)
    @rule(data=st.data(), target_path=_PATHS)
    def rename_outside(self, data: st.DataObject, target_path: str) -> None:
        """A person renames a note, maybe over another."""
        source = data.draw(st.sampled_from(sorted(self.model)))
        (self.home / target_path).parent.mkdir(exist_ok=True)
        (self.home / source).rename(self.home / target_path)
        self.became(target_path, self.model.pop(source))

    @precondition(lambda self: self.model)
    @rule(data=st.data())
    def delete_outside(self, data: st.DataObject) -> None:
        """A person removes a note."""
        path = data.draw(st.sampled_from(sorted(self.model)))
        (self.home / path).unlink()
        self.became(path, None)

    # The index

    @rule(force=st.booleans())
    def sync(self, force: bool) -> None:
        """Bring the index up to date, or build it anew."""
        done = self.memory.sync(force=force)
        assert {one.path for one in done.skipped} == {path for path, data in self.model.items() if not _is_text(data)}
        assert bool(done.because) == (self.embedder.down and done.pending > 0)
        if not self.embedder.down:
            assert done.pending == 0
        self.equals_a_rebuild()

    @rule(word=st.sampled_from(["heron", "stork", "xyzzy", "plover", "snake_case_k29", "INC-4711-QJV"]))
    def search(self, word: str) -> None:
        """A search, after a while, finds a word in exactly the notes that have it."""
        self.clock.advance(3_600.0)
        # Vectors also find what is only near, so the model speaks of what keywords find.
        up, self.embedder.down = self.embedder.down, True
        wanted = {path for path, data in self.model.items() if _is_text(data) and word.encode() in data}
        assert seen(self.memory, word) == wanted
        self.embedder.down = up

    @rule()
    def reopen(self) -> None:
        """Another process goes on."""
        self.memory.close()
        self.memory = Memory.open(self.home, origin=Origin.USER, clock=self.clock, embedder=self.embedder)

    @rule()
    def flip_the_embedder(self) -> None:
        """The provider goes down or comes back."""
        self.embedder.down = not self.embedder.down

    # What must hold

    @invariant()
    def notes_are_as_the_model_says(self) -> None:
        """Byte for byte, and nothing else lies about."""
        assert notes_of(self.home) == self.model
        assert list(self.home.rglob("*.hf-tmp")) == []

    @invariant()
    def history_is_as_the_model_says(self) -> None:
        """Every change, in order, and only those."""
        assert [change.id for change in self.memory.history(limit=1_000)] == [step.id for step in self.steps[::-1]]

    def equals_a_rebuild(self) -> None:
        """Also for words that are in no note any more; and no row holds text that no note has (P15)."""
        words = {"heron", "xyzzy", "plover", "title", "birds", "kestrel", "Größe", "猫が", "4711", "secret", "marked"}
        rows, found = index_rows(self.memory, words)
        assert (rows, found) == of_a_rebuild(self.memory, self.place / "rebuild", words)
        texts = b"".join(data for data in self.model.values() if _is_text(data))
        for edition in self.memory.ctx.database.connection.all("SELECT id FROM editions"):
            for (text,) in self.memory.ctx.database.connection.all(f"SELECT text FROM e{edition[0]}_chunks"):
                assert all(line.encode("utf-8") in texts for line in text.split("\n"))


def _saved(old: bytes | None, text: str, *, append: bool) -> bytes:
    """What a note is after a save: its mark and its line ends stay, and the new text ends its last line.

    It stands apart, as a block of its own, unless it goes on with a list.
    """
    end = b"\r\n" if old and b"\r\n" in old else b"\n"
    new = text.encode("utf-8")
    if not new.endswith(b"\n"):
        new += b"\n"
    new = new.replace(b"\n", end)
    if not old:
        return new
    if not append:
        return (_BOM if old.startswith(_BOM) else b"") + new
    if old.endswith(b"\r"):
        old += b"\n"
    elif old != _BOM and not old.endswith(b"\n"):
        old += end
    lists = (b"- ", b"* ", b"+ ")
    outer = [line for line in old.splitlines() if line.strip() and not line.startswith(b"\t")]
    goes_on = bool(outer) and outer[-1].startswith(lists) and new.startswith(lists)
    is_apart = old == _BOM or old.endswith((b"\n\n", b"\r\n\r\n"))
    gap = not goes_on and not is_apart and not new.startswith((b"\n", b"\r\n"))
    return old + (end if gap else b"") + new


def _is_text(data: bytes) -> bool:
    return b"\0" not in data and b"\xff" not in data


@pytest.mark.row("T6", sequences=counted(6, 300), steps=30 * counted(6, 300), wrong=0)
@pytest.mark.fault
@pytest.mark.promise("P1")
@pytest.mark.promise("P2")
@pytest.mark.promise("P3")
@pytest.mark.promise("P4")
@pytest.mark.promise("P5")
@pytest.mark.promise("P6")
@pytest.mark.promise("P15")
def test_no_sequence_of_operations_breaks_a_promise() -> None:
    run_state_machine_as_test(
        Notes,
        settings=settings(
            max_examples=counted(6, 300),
            stateful_step_count=30,
            deadline=None,
            derandomize=counted(1, 0) == 1,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
