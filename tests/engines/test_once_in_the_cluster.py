"""What is to be done once is done by one server: the silent turn of a session, and a dream that somebody asks for."""

from __future__ import annotations

import pytest
from engines.engine import Engine
from sessions.turns import talk, wrote

from holdfast.clock import FakeClock
from holdfast.dreaming.dream_idle import IdleDreamer
from holdfast.dreaming.dream_run import dream
from holdfast.errors import Busy, NotPermitted
from holdfast.guard.origin import Origin
from holdfast.llm.chat_model import Request
from holdfast.llm.scripted_model import ScriptedModel


def test_of_two_servers_one_takes_the_silent_turn_and_the_other_none_after_it(engine: Engine) -> None:
    with (
        engine.memory() as one,
        engine.memory(server="second") as two,
        one.session("talk") as here,
        two.session("talk") as there,
    ):
        talk(here)
        elsewhere = ScriptedModel(always=wrote("- from the second server"))
        meanwhile: list[bool] = []

        def ask_the_other(_: Request) -> str:
            meanwhile.append(there.before_compaction(elsewhere, force=True).ran)
            return "NO_REPLY"

        assert here.before_compaction(ScriptedModel(ask_the_other), force=True).ran
        assert meanwhile == [False]
        assert not there.before_compaction(elsewhere, force=True).ran
        assert elsewhere.requests == []


def test_a_silent_turn_whose_server_died_is_taken_over_by_another(engine: Engine) -> None:
    class Killed(BaseException):
        pass

    def die(_: Request) -> str:
        raise Killed

    with engine.memory() as one, one.session("talk") as session:
        talk(session)
        with pytest.raises(Killed):
            session.before_compaction(ScriptedModel(die), force=True)
    with engine.memory(server="second") as two, two.session("talk") as session:
        assert session.before_compaction(ScriptedModel(always="NO_REPLY"), force=True).ran


def test_while_one_server_dreams_for_an_agent_another_does_not(engine: Engine) -> None:
    with (
        engine.memory(origin=Origin.USER) as one,
        engine.memory(server="second", origin=Origin.USER) as two,
        one.ctx.workspace.job_lock("dream"),
    ):
        with pytest.raises(Busy):
            dream(two.ctx)
        dream(two.ctx, dry_run=True)  # a look changes nothing
    with engine.memory(server="second", origin=Origin.USER) as two:
        dream(two.ctx)


def test_what_the_owner_rejected_on_one_server_is_rejected_on_all(engine: Engine) -> None:
    with (
        engine.memory(origin=Origin.USER) as owner,
        engine.memory(server="second", origin=Origin.AGENT) as agent,
    ):
        assert agent.save("The boat is called Alma", file="MEMORY.md").because
        (entry,) = owner.inbox.list()
        owner.inbox.reject(entry.id)
        with pytest.raises(NotPermitted, match="rejected this before"):
            agent.save("The boat is called Alma", file="MEMORY.md")
        assert agent.inbox.list() == []
        owner.save("The boat is blue", file="memory/boat.md")
        owner.forget(text="The boat is blue", everywhere=True, confirmed=True)  # clears counts of what is gone


def test_a_server_does_not_dream_again_of_what_another_has_dreamt_of(engine: Engine) -> None:
    clock = FakeClock(1_800_000_000.0)
    with (
        engine.memory(origin=Origin.USER, clock=clock) as one,
        engine.memory(server="second", origin=Origin.USER, clock=clock) as two,
    ):
        one.save("The boat is blue", file="memory/boat.md")
        assert IdleDreamer(one.ctx).tick(clock.now(), 0.0) is not None
        assert IdleDreamer(two.ctx).tick(clock.now(), 0.0) is None
