"""What the index holds of facts: written with their note, the same after any edit as after a rebuild."""

from __future__ import annotations

import json
import shutil
from datetime import date
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.guard.origin import Origin
from holdfast.markdown.fact_row import Category, Fact

KEYWORDS = {"memory.disable_rag": True}


def put(home: Path, name: str, *lines: str) -> None:
    file = home / "memory" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def facts_of(memory: Memory) -> list[tuple[str, int, str, Fact | None]]:
    edition = memory.ctx.database.serving()
    assert edition is not None
    chunks = edition.chunks(row.chunk for row in edition.facts.in_notes())
    return sorted((one.path, one.start_line, one.text, one.fact) for one in chunks.values())


def rows_in_the_table(memory: Memory) -> int:
    edition = memory.ctx.database.serving()
    assert edition is not None
    return int(memory.ctx.database.connection.one(f"SELECT count(*) FROM e{edition.number}_facts"))


def test_a_fact_is_stored_with_all_that_its_mark_says(home: Path) -> None:
    put(
        home,
        "decisions.md",
        "- We use PostgreSQL <!-- fact id=a importance=.9 origin=agent observed=2026-03-05 from=2026-01-01 "
        "until=2026-12-31 reinforced=2 last=2026-04-01 superseded_by=b -->",
    )
    with Memory.open(home, settings=KEYWORDS) as memory:
        memory.sync()
        days = date(2026, 3, 5), date(2026, 1, 1), date(2026, 12, 31), date(2026, 4, 1)
        told = Fact(Category.DECISION, Origin.AGENT, 0.9, *days, False, "a", "b")
        assert facts_of(memory) == [("memory/decisions.md", 1, "- We use PostgreSQL", told)]
        (hit,) = memory.search("PostgreSQL").results
        assert hit.snippet == "- We use PostgreSQL"
        assert memory.search("superseded_by").results == ()
        got = memory.get(chunk_id=hit.chunk_id)
        assert (got.text, got.from_line, got.lines) == ("- We use PostgreSQL", 1, 1)


def test_a_mark_that_changes_alone_is_followed_and_costs_no_embedding(home: Path) -> None:
    put(home, "facts.md", "- The sky is blue <!-- fact id=a importance=.2 -->")
    embedder = FakeEmbedder()
    with Memory.open(home, embedder=embedder) as memory:
        memory.sync()
        before = embedder.texts
        put(home, "facts.md", "", "- The sky is blue <!-- fact id=a importance=.7 -->")
        memory.sync()
        assert embedder.texts == before
        ((_, line, _, fact),) = facts_of(memory)
        assert line == 2
        assert fact is not None
        assert fact.importance == 0.7


def test_a_note_that_goes_takes_its_facts_along(home: Path) -> None:
    put(home, "facts.md", "- one", "- two")
    put(home, "other.md", "- three")
    with Memory.open(home, settings=KEYWORDS) as memory:
        memory.sync()
        assert rows_in_the_table(memory) == 3
        (home / "memory/facts.md").rename(home / "memory/named.md")
        memory.sync()
        assert rows_in_the_table(memory) == 1
        assert [path for path, *_ in facts_of(memory)] == ["memory/other.md"]


def test_an_index_of_an_older_version_answers_and_is_built_anew_beside(home: Path) -> None:
    put(home, "facts.md", "- The harbour is deep <!-- fact id=a importance=.9 -->")
    with Memory.open(home, settings=KEYWORDS) as memory:
        memory.sync()
        database = memory.ctx.database
        edition = database.serving()
        assert edition is not None
        with database.connection.writing() as raw:  # what the version before had
            raw.execute(f"DROP TABLE e{edition.number}_facts")
            identity = json.loads(raw.execute("SELECT identity FROM editions").get)
            raw.execute("UPDATE editions SET identity = ?", (json.dumps(identity[:4]),))
    with Memory.open(home, settings={**KEYWORDS, "memory.sync.on_search": False}) as memory:
        database = memory.ctx.database
        old = database.serving()
        assert old is not None
        chunk = old.chunk_at(path="memory/facts.md", line=1)
        assert chunk is not None
        assert chunk.fact is None
        assert old.facts.matching() == []
        memory.sync()
        new = database.serving()
        assert new is not None
        assert new.number != old.number
        assert memory.search("harbour", min_importance=0.8).results[0].path == "memory/facts.md"


_LINE = st.sampled_from(
    [
        *(
            "- tea",
            "- tea <!-- fact id=a -->",
            "- tea <!-- fact id=a importance=.9 -->",
            "- ~~tea~~ <!-- fact id=a -->",
        ),
        *("- coffee <!-- fact origin=user -->", "words", "# Heading", "", "  nested", "<!-- fact id=z -->"),
    ]
)
_NOTES = st.dictionaries(st.sampled_from(["facts.md", "other.md", "named.md"]), st.lists(_LINE, max_size=6), max_size=3)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(_NOTES, min_size=2, max_size=4))
def test_after_any_edits_the_index_holds_what_a_rebuild_would(
    tmp_path: Path, states: list[dict[str, list[str]]]
) -> None:
    home, scratch = tmp_path / "edited", tmp_path / "fresh"
    for place in (home, scratch):
        shutil.rmtree(place, ignore_errors=True)
    with Memory.open(home, settings=KEYWORDS) as memory:
        for notes in states:
            shutil.rmtree(home / "memory", ignore_errors=True)
            for name, lines in notes.items():
                put(home, name, *lines)
            memory.sync()
        edited, count = facts_of(memory), rows_in_the_table(memory)
    for name, lines in states[-1].items():
        put(scratch, name, *lines)
    with Memory.open(scratch, settings=KEYWORDS) as memory:
        memory.sync()
        assert facts_of(memory) == edited
        assert rows_in_the_table(memory) == count == sum(fact is not None for *_, fact in edited)
