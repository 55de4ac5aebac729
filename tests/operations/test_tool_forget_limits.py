"""memory_forget: exact text, and what may be forgotten by whom."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from operations.test_tool_forget import NOTE, REQUEST, choosing, opened, text_of

from holdfast import Memory
from holdfast.errors import BadArgument, NotPermitted, WriteModeRefused
from holdfast.guard.origin import Origin


def test_exact_text_goes_with_its_bullet_where_it_is_unique(home: Path) -> None:
    with opened(home) as memory:
        assert memory.forget(text="Prefers dark mode").forgotten[0].text == "- Prefers dark mode"
        assert memory.forget(text="Has a cat called Miso.").forgotten
        assert memory.forget(text="rocket is").forgotten[0].text == "rocket is"
        assert memory.forget(text="not there").because == "no note holds exactly this text"
    assert text_of(home) == (
        "# Me\n\n- Lives in Lima.\n- Editors\n  - Vim at home\n  - Emacs at work\n\n"
        "The launch is on 3 March. The  blue.\n"
    )


def test_exact_text_that_stands_in_two_notes_is_shown_and_kept(home: Path) -> None:
    with opened(home) as memory:
        memory.save("So she prefers: Prefers dark mode", file="memory/b.md")
        done = memory.forget(text="Prefers dark mode")
        assert done.needs_confirmation
        assert [one.path for one in done.candidates] == ["memory/b.md", "memory/me.md"]
    assert text_of(home) == NOTE


def test_the_write_mode_decides_what_may_be_forgotten(home: Path) -> None:
    with opened(home):
        pass
    with opened(home, choosing("- Prefers dark mode"), settings={"memory.agent_write_mode": "prompt-only"}) as memory:
        done = memory.forget(REQUEST)
        assert done.needs_confirmation
        assert "prompt-only" in done.because
    with opened(home, settings={"memory.agent_write_mode": "off"}) as memory:
        assert memory.tools().call("memory_forget", {"request": "x"})["error"]["type"] == "WriteModeRefused"
        with pytest.raises(WriteModeRefused):
            memory.forget(text="Prefers dark mode")
    assert text_of(home) == NOTE


def test_what_no_tool_may_write_is_shown_with_the_reason(home: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/x.md").write_text("- Walrus one\n", encoding="utf-8")
    (home / "memory/deep").mkdir(parents=True)
    (home / "memory/deep/x.md").write_text("- Walrus two\n", encoding="utf-8")
    with opened(home, settings={"memory.extra_paths": [str(tmp_path / "outside")]}) as memory:
        assert "outside the home" in memory.forget(text="Walrus one").because
        assert "below memory/" in memory.forget(text="Walrus two").because


def test_a_fact_goes_with_the_mark_behind_it(home: Path) -> None:
    (home / "memory").mkdir(parents=True)
    note = home / "memory/preferences.md"
    note.write_text("- I prefer green tea <!-- fact id=k3x9 importance=.8 -->\n- I prefer Vim\n", encoding="utf-8")
    with Memory.open(home) as memory:
        memory.forget(text="I prefer green tea")
    assert note.read_text(encoding="utf-8") == "- I prefer Vim\n"


def test_a_session_forgets_only_what_it_may_see(home: Path) -> None:
    rules = [{"action": "allow", "match": {"kind": "group"}}]
    with Memory.open(home, origin=Origin.USER, settings={"memory.scope.rules": rules}) as memory:
        memory.save("- Prefers dark mode\n")
        group = memory.session("g", kind="group").tools()
        told = group.call("memory_forget", {"request": REQUEST, "text": "Prefers dark mode"})
        assert told["because"] == "no note holds exactly this text"
        assert group.call("memory_forget", {"request": REQUEST})["candidates"] == []
        closed = memory.session("c", kind="channel").tools()
        assert closed.call("memory_forget", {"request": REQUEST})["error"]["type"] == "NotPermitted"
    assert (home / "MEMORY.md").read_text(encoding="utf-8") == "- Prefers dark mode\n"


@pytest.mark.parametrize("limit", [0, 13, -1])
def test_a_limit_out_of_range_is_refused(home: Path, limit: int) -> None:
    with opened(home) as memory, pytest.raises(BadArgument, match="between 1 and 12"):
        memory.forget(REQUEST, limit=limit)


@pytest.mark.parametrize("given", [{}, {"request": "  "}, {"text": " \n"}])
def test_an_empty_request_is_refused(home: Path, given: dict[str, Any]) -> None:
    with opened(home) as memory, pytest.raises(BadArgument, match="empty"):
        memory.forget(**given)


def test_an_agent_can_not_forget_everywhere(home: Path) -> None:
    with opened(home, origin=Origin.AGENT) as memory, pytest.raises(NotPermitted, match="owner"):
        memory.forget(text="Prefers dark mode", everywhere=True)
    with opened(home) as memory:
        told = memory.tools().call("memory_forget", {"request": "x", "everywhere": True})
        assert told["error"]["type"] == "BadArgument"


@pytest.mark.promise("P15")
def test_forgotten_text_is_gone_from_note_index_vectors_and_counts_and_stays_in_checkpoints(home: Path) -> None:
    with opened(home) as memory:
        memory.save("- The zyzzyva password hint is quokka\n", file="memory/b.md")
        hit = memory.search("zyzzyva").results[0]
        assert memory.get(chunk_id=hit.chunk_id).status == "ok"
        memory.forget(text="The zyzzyva password hint is quokka")
        assert all("zyzzyva" not in hit.snippet for hit in memory.search("zyzzyva", min_score=0.0).results)
    holding = {
        file.relative_to(home).parts[:2]
        for file in home.rglob("*")
        if file.is_file() and any(word in file.read_bytes().lower() for word in (b"zyzzyva", b"quokka"))
    }
    assert holding == {("state", "checkpoints")}
