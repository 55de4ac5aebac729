"""Two who do something to one session at the same moment: it comes out as if one had come after the other."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest
from at_once import at_once

from holdfast import Memory
from holdfast.approval.typed_prompts import note_prompt
from holdfast.errors import BadArgument
from holdfast.llm.chat_model import Role
from holdfast.llm.scripted_model import ScriptedModel
from holdfast.sessions.conversation import Session
from holdfast.sessions.session_compact import before_compaction
from holdfast.sessions.session_follow import RecordMessage, follow

ROUNDS = 24
SETTINGS: dict[str, object] = {"user.timezone": "UTC", "memory.disable_rag": True}


def pair(home: Path, held: ExitStack) -> tuple[Memory, Memory]:
    first, second = (held.enter_context(Memory.open(home, settings=SETTINGS)) for _ in range(2))
    return first, second


def files_with(home: Path, word: str) -> list[str]:
    every = (path for path in home.rglob("*") if path.is_file())
    return [path.relative_to(home).as_posix() for path in every if word.encode() in path.read_bytes()]


@pytest.mark.parametrize("gone", ["forget", "delete"])
def test_a_session_that_is_exported_while_it_is_removed_leaves_no_export(home: Path, gone: str) -> None:
    with ExitStack() as held:
        exporter, owner = pair(home, held)
        for number in range(ROUNDS):
            key = f"talk-{number}"
            exporter.session(key).append("user", f"The zeppelin {number} lands at dawn.")

            session = owner.session(key)
            remove = session.forget if gone == "forget" else partial(session.delete, everywhere=True)
            at_once(exporter.session(key).export, remove)
        assert not list((home / "memory").rglob("*zeppelin*"))
        if gone == "forget":
            assert files_with(home, "zeppelin") == []


def test_what_is_handed_over_while_its_session_is_forgotten_is_not_kept(home: Path) -> None:
    said = [RecordMessage(Role.USER, f"Line {number} about the zeppelin.", id=str(number)) for number in range(12)]
    with ExitStack() as held:
        hook, owner = pair(home, held)
        for number in range(ROUNDS):
            session, forgotten = hook.session(f"client:{number:08}"), owner.session(f"client:{number:08}")
            follow(session, said[:1])
            at_once(partial(follow, session, said), forgotten.forget)
            assert forgotten.messages() == [], number
        assert files_with(home, "zeppelin") == []


def note_often(session: Session) -> None:
    for _ in range(40):
        note_prompt(session, "The zeppelin lands at dawn.")


def test_a_prompt_that_is_noted_while_its_session_is_forgotten_is_not_kept(home: Path) -> None:
    with ExitStack() as held:
        hook, owner = pair(home, held)
        for number in range(ROUNDS):
            session, forgotten = hook.session(f"client:{number:08}"), owner.session(f"client:{number:08}")
            session.append("user", "Hello.")
            at_once(partial(note_often, session), forgotten.forget)
            assert owner.ctx.state_store.list("main", forgotten.key) == [], number


def test_a_session_that_two_reset_at_once_is_brought_back_whole_or_not_at_all(home: Path) -> None:
    with ExitStack() as held:
        first, second = pair(home, held)
        for number in range(ROUNDS):
            key = f"talk-{number}"
            session = first.session(key)
            session.append("user", "Remember the ferry.")
            session.state.set("steps", "done", 3)
            at_once(session.reset, second.session(key).reset)
            try:
                session.undo_reset()
            except BadArgument:
                continue
            said = [message.text for message in session.messages()]
            assert (said, session.state.get("steps", "done")) == (["Remember the ferry."], 3), number


def test_of_two_who_begin_a_session_as_another_kind_one_is_refused(home: Path) -> None:
    for number in range(4):
        with ExitStack() as held:
            first, second = pair(home, held)
            key = f"talk-{number}"
            private, group = first.session(key, kind="direct"), second.session(key, kind="group")
            outcomes = at_once(
                partial(private.append, "user", "My code is 4711."),
                partial(group.append, "user", "Hello, everybody."),
            )
            assert [isinstance(outcome, BadArgument) for outcome in outcomes].count(True) == 1
            kind = "group" if isinstance(outcomes[0], BadArgument) else "direct"
            assert first.session(key).kind == second.session(key).kind == kind
            assert len(first.session(key).messages()) == 1


def test_who_named_no_kind_goes_on_in_the_session_as_another_process_began_it(home: Path) -> None:
    with ExitStack() as held:
        first, second = pair(home, held)
        session = first.session("talk")
        second.session("talk", kind="group", channel="mail").append("user", "Hello, everybody.")
        session.append("user", "Me, too.")
        assert (session.kind, first.session("talk").kind, second.session("talk").kind) == ("group",) * 3
        assert len(session.messages()) == 2


@pytest.mark.parametrize("keep", [(200, 200), (200, 600)])
def test_of_two_who_shorten_a_conversation_at_once_none_leaves_out_what_the_other_keeps(
    home: Path, keep: tuple[int, int]
) -> None:
    with ExitStack() as held:
        first, second = pair(home, held)
        for number in range(ROUNDS):
            sessions = [memory.session(f"talk-{number}") for memory in (first, second)]
            for at in range(20):
                sessions[0].append("user" if at % 2 == 0 else "assistant", f"message {at} " + "word " * 40)
            last = sessions[0].messages()[-1]
            at_once(
                partial(sessions[0].compact, keep_tokens=keep[0]),
                partial(sessions[1].compact, keep_tokens=keep[1]),
            )
            assert last in sessions[0].context(), number
            if keep[0] == keep[1]:
                assert sessions[0].transcript.cycle == 1, number


def test_what_an_agent_shortens_itself_stays_whoever_shortens_it_as_well(home: Path) -> None:
    with ExitStack() as held:
        first, second = pair(home, held)
        for number in range(2 * ROUNDS):
            sessions = [memory.session(f"talk-{number}") for memory in (first, second)]
            said = [sessions[0].append("user", f"message {at}") for at in range(12)]
            at_once(
                partial(sessions[0].compacted, summary="one"),
                partial(sessions[1].compacted, kept_from=said[3].id, summary="two"),
            )
            assert said[-1] in sessions[0].context(), number


def test_a_silent_turn_does_not_take_the_place_of_the_next_one_where_the_conversation_was_shortened(home: Path) -> None:
    model = ScriptedModel()
    with ExitStack() as held:
        first, second = pair(home, held)
        session, other = first.session("talk"), second.session("talk")
        session.append("user", "The zeppelin lands at dawn.")
        session.append("user", "And it leaves at dusk.")
        cycle, leaving = session.transcript.cycle, session.context()[:1]
        other.compacted(summary="A talk about a zeppelin.")
        flushed = before_compaction(session, model, force=True, leaving=leaving, cycle=cycle)
        assert (flushed.ran, model.requests) == (False, [])
        assert session.state.get("flush", "cycle") is None, "what is said from now on has a turn of its own"
