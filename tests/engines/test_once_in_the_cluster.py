"""What is to be done once is done by one server: the silent turn of a session, and a dream that somebody asks for."""

from __future__ import annotations

import pytest
from engines.engine import Engine
from sessions.turns import talk, wrote

from holdfast.dreaming.dream_run import dream
from holdfast.errors import Busy
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
