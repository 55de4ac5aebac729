"""What is refused to an agent or a program says whom to ask, and never the command that lifts it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commandline import done, holdfast

from holdfast import Memory, Origin
from holdfast.errors import HoldfastError

SECRET = "ghp_" + "a1B2" * 9
CALLS: dict[str, Callable[[Memory], Any]] = {
    "a save that the mode refuses": lambda memory: memory.save("x", file="memory/a.md"),
    "a secret": lambda memory: memory.save(f"The token is {SECRET}", file="memory/a.md"),
    "the inbox": lambda memory: memory.save("x", file="memory/inbox.md"),
    "what must wait": lambda memory: memory.tools().call("memory_save", {"content": "Nobody typed this."}),
    "an entry of the inbox": lambda memory: memory.inbox.approve("x"),
    "a step back": lambda memory: memory.undo("MEMORY.md"),
    "an origin": lambda memory: memory.undo_origin("user", since="10d"),
    "everywhere": lambda memory: memory.forget(text="Prefers dark mode", everywhere=True),
    "a folder": lambda memory: memory.forget(text="Deep down").to_json(),
    "twice the same": lambda memory: memory.forget(text="The same").to_json(),
    "dreams": lambda memory: memory.dreams.roll_back(),
}


@pytest.mark.parametrize("what", CALLS)
@pytest.mark.parametrize("mode", ["hybrid", "off"])
def test_no_refusal_hands_an_agent_the_command_that_lifts_it(home: Path, what: str, mode: str) -> None:
    done("save", "Prefers dark mode")
    done("save", "Deep down", "--file", "memory/a/b.md")
    done("save", "The same\n\nThe same", "--file", "memory/c.md")
    with Memory.open(settings={"memory.agent_write_mode": mode}, origin=Origin.AGENT) as memory:
        try:
            told = str(CALLS[what](memory))
        except HoldfastError as error:
            told = str(error)
    assert "config set" not in told and "holdfast" not in told.replace("`holdfast inbox` shows", ""), told


def test_the_owner_is_told_how_to_let_such_text_in(home: Path) -> None:
    assert "holdfast config set memory.secrets" in holdfast("save", f"The token is {SECRET}").err
