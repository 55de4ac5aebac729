"""Two who forget something for good at the same moment: an undo steps back over neither."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from pathlib import Path

from at_once import at_once

from holdfast.checkpoints.change import Authorship
from holdfast.checkpoints.change_history import history
from holdfast.checkpoints.erasure_mark import erased_up_to, mark_erasure
from holdfast.checkpoints.note_change import change_note
from holdfast.clock import SystemClock
from holdfast.guard.origin import Origin
from holdfast.guard.paths import writable_path
from holdfast.notes.file_workspace import FileWorkspace


def changed_and_marked(workspace: FileWorkspace, text: str) -> None:
    path = writable_path(f"memory/{text}.md")
    change_note(workspace, path, lambda _: text.encode(), Authorship(Origin.USER, "test", SystemClock()))
    mark_erasure(workspace)


def test_of_two_who_forget_at_once_the_later_mark_stays(home: Path) -> None:
    with ExitStack() as held:
        first, second = (held.enter_context(FileWorkspace.open(home)) for _ in range(2))
        for number in range(60):
            works = zip((first, second), "ab", strict=True)
            at_once(*(partial(changed_and_marked, place, f"{name}{number}") for place, name in works))
            assert erased_up_to(first) == history(first, limit=1)[0].seq, number
