"""Files of other programs are known for what they are, and read for what was remembered."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from counts import counted
from facts.exchange.exports_of_others import CLAUDE_CODE, chatgpt, claude, mem0, written, zipped
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.errors import BadArgument, HoldfastError
from holdfast.exchange.bundle import open_bundle
from holdfast.exchange.findings import Findings, Source
from holdfast.exchange.format_detection import read_bundle, source_of
from holdfast.markdown.fact_row import Category


def read(place: Path, expected: Source) -> Findings:
    with open_bundle(str(place)) as bundle:
        assert source_of(bundle) is expected
        return read_bundle(bundle, expected)


def test_chatgpt_tells_saved_memories_instructions_and_what_the_user_said(tmp_path: Path) -> None:
    found = read(zipped(tmp_path / "export.zip", {"conversations.json": chatgpt(), "user.json": {}}), Source.CHATGPT)
    assert [fact.text for fact in found.facts] == ["User is allergic to peanuts.", "I am allergic to peanuts"]
    assert {fact.observed for fact in found.facts} == {date(2024, 4, 24)}
    (note,) = found.notes
    assert note.text == "## About the user\n\nI am a nurse.\n\n## How to answer\n\nBe brief."


def test_a_file_of_chatgpts_memories_counts_before_what_conversations_tell(tmp_path: Path) -> None:
    memories = [
        {"content": "User loves dogs.", "enabled": True, "created_at": "2024-04-26T10:00:00Z"},
        {"content": "User loves cats.", "enabled": False},
    ]
    found = read(
        zipped(tmp_path / "export.zip", {"conversations-000.json": chatgpt(), "memory.json": memories}), Source.CHATGPT
    )
    assert [fact.text for fact in found.facts] == ["User loves dogs.", "I am allergic to peanuts"]
    assert (found.facts[0].category, found.facts[0].observed) == (Category.PREFERENCE, date(2024, 4, 26))


def test_claude_tells_what_it_remembers_as_notes_and_what_the_user_said_as_facts(tmp_path: Path) -> None:
    found = read(zipped(tmp_path / "data.zip", claude()), Source.CLAUDE)
    assert [(fact.text, fact.observed) for fact in found.facts] == [
        ("I prefer green tea over coffee", date(2025, 3, 1))
    ]
    assert [(note.name, note.text.splitlines()[-1]) for note in found.notes] == [
        ("memory", "Ada leads the Orion project."),
        ("project Garden", "The garden needs a new fence."),
    ]


def test_a_memory_of_claude_may_stand_in_a_folder_of_its_own(tmp_path: Path) -> None:
    files = {
        "memories/acct.json": {
            "conversations_memory": "Likes maps.",
            "memory_files": [{"path": "a.md", "content": "b"}],
        }
    }
    found = read(written(tmp_path / "data", files), Source.CLAUDE)
    assert [(note.name, note.text) for note in found.notes] == [("memory", "Likes maps."), ("a", "b")]


@pytest.mark.parametrize("shape", ["answer", "list", "lines"])
def test_mem0_tells_its_memories_in_every_shape(tmp_path: Path, shape: str) -> None:
    rows = mem0()["results"]
    place = tmp_path / ("memories.jsonl" if shape == "lines" else "dump.json")
    told = {"answer": json.dumps(mem0()), "list": json.dumps(rows), "lines": "\n".join(map(json.dumps, rows))}
    place.write_text(told[shape])
    found = read(place, Source.MEM0)
    assert [(one.text, one.category, one.importance, one.observed) for one in found.facts] == [
        ("Prefers morning meetings", Category.PREFERENCE, 0.9, date(2025, 7, 1)),
        ("Works at TechCorp as a senior engineer", Category.FACT, None, date(2025, 7, 2)),
    ]
    assert [left.why for left in found.left_out] == ["it has no text"]


def test_an_openclaw_workspace_gives_its_memory_and_keeps_its_instructions(tmp_path: Path) -> None:
    files = {
        "openclaw.json": {},
        "workspace/MEMORY.md": "# Long term\n",
        "workspace/memory/2026-03-18.md": "- Saw the dentist\n",
        "workspace/memory/projects/orion.md": "Orion\n",
        "workspace/SOUL.md": "You are Friday.\n",
        "workspace/skills/x/SKILL.md": "a skill\n",
        "workspace-ops/MEMORY.md": "Ops\n",
        "agents/main/sessions/a.jsonl": "{}\n",
    }
    found = read(written(tmp_path / "claw", files), Source.OPENCLAW)
    assert [note.name for note in found.notes] == ["memory", "2026-03-18", "projects orion.md"[:-3], "ops memory"]
    assert [left.where for left in found.left_out] == ["workspace/SOUL.md"]


def test_a_moltis_folder_gives_the_memory_of_each_agent(tmp_path: Path) -> None:
    files = {
        "moltis.toml": "",
        "MEMORY.md": "Main\n",
        "USER.md": "Ada\n",
        "memory/sessions/session-2026-05-01-abcd1234.md": "said\n",
        "agents/ops/MEMORY.md": "Ops\n",
    }
    found = read(written(tmp_path / "moltis", files), Source.MOLTIS)
    assert [note.name for note in found.notes] == [
        "memory",
        "user",
        "ops memory",
        "sessions session-2026-05-01-abcd1234",
    ]


@pytest.mark.parametrize("above", ["", "memory/", "projects/-home-ada-orion/memory/"])
def test_the_memory_of_claude_code_is_read_from_wherever_it_is_named(tmp_path: Path, above: str) -> None:
    files = {f"{above}MEMORY.md": "- [Role](user_role.md)\n", f"{above}user_role.md": CLAUDE_CODE}
    if above.startswith("projects"):
        files["projects/-home-ada-orion/session.jsonl"] = "{}"
    place = tmp_path / ".claude"
    if not above.startswith("projects"):
        place = place / "projects" / "-home-ada-orion"
    found = read(written(place, files), Source.CLAUDE_CODE)
    project = "-home-ada-orion " if above.startswith("projects") else ""
    assert [note.name for note in found.notes] == [f"{project}MEMORY", f"{project}user_role"]


def test_what_nobody_knows_is_refused_with_the_names_one_could_give(tmp_path: Path) -> None:
    place = tmp_path / "some.json"
    place.write_text('{"a": 1}')
    with open_bundle(str(place)) as bundle, pytest.raises(BadArgument, match="claude-code, chatgpt"):
        source_of(bundle)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                "mapping current_node message author role content parts content_type chat_messages sender text memory "
                "results metadata categories created_at parent recipient conversations_memory project_memories "
                "payload".split()
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)


@pytest.mark.row("imports", files=counted(15, 600), crashed=0)
@pytest.mark.parametrize("source", [Source.CHATGPT, Source.CLAUDE, Source.MEM0])
@settings(max_examples=counted(7, 600), deadline=None)
@given(value=JSON)
def test_no_json_makes_a_reader_fail_in_another_way_than_by_refusing(
    tmp_path_factory: pytest.TempPathFactory, source: Source, value: object
) -> None:
    place = tmp_path_factory.mktemp("json") / "conversations.json"
    place.write_text(json.dumps([value] if source is not Source.MEM0 else value))
    with open_bundle(str(place)) as bundle:
        try:
            found = read_bundle(bundle, source)
        except HoldfastError:
            return
    assert all(
        isinstance(text, str) for text in [*(one.text for one in found.facts), *(one.text for one in found.notes)]
    )
