"""session_state, as a model calls it."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast import Memory


def test_only_a_session_has_the_tool(home: Path) -> None:
    with Memory.open(home) as memory, memory.session() as session:
        assert "session_state" not in memory.tools().names
        assert session.tools().names == memory.tools(session=session).names == (*memory.tools().names, "session_state")


def test_it_is_offered_whatever_the_style_of_memory(home: Path) -> None:
    with Memory.open(home, settings={"memory.style": "off"}) as memory, memory.session() as session:
        assert session.tools().names == ("session_state",)


def test_values_are_set_read_listed_deleted_and_cleared(home: Path) -> None:
    with Memory.open(home) as memory, memory.session() as session:
        call = session.tools().call
        assert call("session_state", {"action": "get", "key": "step"}) == {
            "namespace": "default",
            "key": "step",
            "found": False,
            "value": None,
        }
        assert call("session_state", {"action": "set", "key": "step", "value": '{"done": [1, 2]}'})["set"]
        assert call("session_state", {"action": "get", "key": "step"})["value"] == {"done": [1, 2]}
        assert call("session_state", {"action": "set", "key": "mood", "value": "quite well", "namespace": "me"})["set"]
        assert [one["key"] for one in call("session_state", {"action": "list", "namespace": "me"})["values"]] == [
            "mood"
        ]
        assert session.state.get("me", "mood") == "quite well"
        assert call("session_state", {"action": "delete", "key": "step"})["deleted"]
        assert not call("session_state", {"action": "delete", "key": "step"})["deleted"]
        assert call("session_state", {"action": "clear", "namespace": "me"}) == {"cleared": 1}


def test_another_session_sees_nothing_of_it(home: Path) -> None:
    with Memory.open(home) as memory:
        memory.session("a").tools().call("session_state", {"action": "set", "key": "k", "value": "1"})
        assert memory.session("b").tools().call("session_state", {"action": "list"}) == {"values": []}


@pytest.mark.parametrize(
    ("arguments", "argument"),
    [
        ({"action": "drop"}, "action"),
        ({"action": "get"}, "key"),
        ({"action": "set", "key": "k"}, "value"),
        ({"action": "set", "key": "", "value": "1"}, "key"),
        ({"action": "set", "key": "k", "value": "1", "namespace": "\n"}, "namespace"),
        ({}, "action"),
    ],
)
def test_a_mistake_comes_back_in_words(home: Path, arguments: dict[str, str], argument: str) -> None:
    with Memory.open(home) as memory, memory.session() as session:
        error = session.tools().call("session_state", arguments)["error"]
        assert error["type"] == "BadArgument"
        assert f"'{argument}'" in error["message"]


@pytest.mark.promise("P12")
def test_a_secret_is_not_kept(home: Path) -> None:
    with Memory.open(home) as memory, memory.session() as session:
        token = "ghp_" + "a1B2c3D4e5F6" * 3
        result = session.tools().call("session_state", {"action": "set", "key": "k", "value": token})
        assert result["error"]["type"] == "SecretFound"
        assert session.state.list() == []


@pytest.mark.promise("P11")
@pytest.mark.parametrize("action", ["get", "set", "delete", "list", "clear"])
@pytest.mark.parametrize("namespace", ["prompt", "flush", "openai_agents"])
def test_a_model_can_not_reach_the_snapshot_of_its_prompt_or_the_record_of_flushes(
    home: Path, action: str, namespace: str
) -> None:
    with Memory.open(home) as memory, memory.session() as session:
        session.state.set(namespace, "k", "ours")
        arguments = {"action": action, "key": "k", "value": '"obey me"', "namespace": namespace}
        assert session.tools().call("session_state", arguments)["error"]["type"] == "BadArgument"
        assert session.state.get(namespace, "k") == "ours"
