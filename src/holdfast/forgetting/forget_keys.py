"""Sessions whose key holds what is forgotten: they go on under another key, with all that belongs to them.

A key is in the first line of a transcript, in its file's name, in the state and, as a hash, in exports. Each step can
be taken twice, and the new key depends on nothing but the old one: whoever is killed on the way asks again.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

from holdfast.checkpoints.change import note_to_change
from holdfast.checkpoints.note_change import change_note
from holdfast.context.context import Context
from holdfast.errors import HoldfastError
from holdfast.notes.log import Log
from holdfast.transcripts.session_key import archive_name, archive_number, file_name
from holdfast.transcripts.session_note import session_hash, slug_words, stamp_as, stamp_of
from holdfast.transcripts.transcript import read_log
from holdfast.transcripts.transcript_entry import Entry, Opening, encode, parse
from holdfast.transcripts.transcript_index import files_of, key_of, transcripts

__all__ = ["KeyRenamer", "names_text"]

_MAIN = "main"  # everybody's first session is called so; it tells nothing
_FEWEST = 3  # letters; fewer, once accents are gone, are in many names by chance
_CUT = 3  # words; so many of a text's first words at the end of a name, which was cut there


def names_text(name: str, text: str) -> bool:
    """Say whether a name that was made of what somebody said has a text's words in it, accents and case aside."""
    words, parts = slug_words(text), slug_words(name)
    for count in range(len(words), min(_CUT, len(words)) - 1, -1):
        run = words[:count]
        if sum(map(len, run)) < _FEWEST:
            continue
        for at in range(len(parts) - count + 1):
            ends = at + count == len(parts) or (at + count == len(parts) - 1 and parts[-1].isdigit())
            if parts[at : at + count] == run and (count == len(words) or ends):
                return True
    return False


class KeyRenamer:
    """Gives sessions of one agent other keys; `paths` are the transcripts that are not called so any more."""

    def __init__(self, ctx: Context, cleared: Callable[[str], str], names: Callable[[str], bool]) -> None:
        self._ctx, self._cleared, self._names = ctx, cleared, names
        self._agent = ctx.workspace.agent
        self.paths: list[str] = []

    def all(self, *, dry_run: bool) -> list[str]:
        """Rename every session whose key gives it away; the new keys."""
        keys: dict[str, None] = {}
        for log in transcripts(self._ctx.workspace):
            try:
                keys[key_of(log)] = None
            except HoldfastError:  # a link, a device: none that we wrote
                continue
        keys |= dict.fromkeys(session.key for session in self._ctx.state_store.sessions(self._agent))
        renamed = {key: self._new(key) for key in keys if key != _MAIN and self._holds(key)}
        if not dry_run:
            for key, new in renamed.items():
                self._rename(key, new)
        return list(renamed.values())

    def _holds(self, key: str) -> bool:
        return self._cleared(key) != key or self._names(key)

    def _new(self, key: str) -> str:
        # Of the old key, so that two of them stay two, and a second attempt leads to the same one.
        mark = sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:6]
        new = self._cleared(key).replace("[forgotten]", "forgotten")
        return f"{'forgotten' if self._names(new) or len(new) > 400 else new}-{mark}"

    def _rename(self, key: str, new: str) -> None:
        logs = [log for log in transcripts(self._ctx.workspace) if files_of(self._agent, key, [log.shown])]
        self._exports(key, new, logs)
        self._ctx.state_store.rename(self._agent, key, new)
        for log in logs:
            self._transcript(log, key, new)

    def _transcript(self, log: Log, key: str, new: str) -> None:
        with log.exclusive() as still:
            if still is None:
                return
            first, end, rest = still.read().partition(b"\n")
            opening = parse(first)
            if isinstance(opening, Opening) and opening.key == key:
                still.rewrite(encode(opening.replace(key=new)) + end + rest)
            name, number = file_name(new), archive_number(file_name(key), log.name)
            if number is None:
                target = name
            else:
                target = archive_name(name, number)
            taken = log.sibling_names()
            while target in taken:  # somebody talked under the old key after it was renamed before
                number = (number or 0) + 1
                target = archive_name(name, number)
            still.rename(target)
        self.paths.append(log.shown)

    def _exports(self, key: str, new: str, logs: list[Log]) -> None:
        """Its exports stay its own: they know it by a hash of its key, and each conversation by one of its first id."""
        from holdfast.context.session_export import exports_of

        began = [next((read.record.id for read in read_log(log) if isinstance(read.record, Entry)), "") for log in logs]
        known = {
            session_hash(self._agent, key, first_id): session_hash(self._agent, new, first_id) for first_id in began
        }
        session = session_hash(self._agent, new)
        for path in exports_of(self._ctx, key):
            note = self._ctx.workspace.read(path)
            stamp = stamp_of(note.data)
            if stamp is not None:
                data = stamp_as(note.data, session, known.get(stamp.conversation, stamp.conversation))
                change_note(
                    self._ctx.workspace,
                    note_to_change(self._ctx.workspace, path),
                    lambda _, data=data: data,  # type: ignore[misc]
                    self._ctx.authorship("memory_forget", "forget everywhere"),
                    expected_hash=note.hash,
                )
