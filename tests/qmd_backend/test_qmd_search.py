"""memory.backend = "qmd": who answers, with which lines, and nothing that the session may not see."""

from __future__ import annotations

from pathlib import Path

import pytest
from qmd_backend.program import Qmd, stands_in

from holdfast import Memory
from holdfast.errors import BadPath


def fill(memory: Memory) -> None:
    memory.save(
        "# Decisions\n\nChose PostgreSQL over MySQL: row-level security decided it.\n", file="memory/decisions.md"
    )
    memory.save("The walrus sleeps in the harbour.\n", file="memory/animals.md")
    memory.save("The owner keeps a walrus diary.\n")


def test_qmd_answers_and_the_result_says_so(qmd: Qmd) -> None:
    with qmd.open(memory__citations="on") as memory:
        fill(memory)
        found = memory.search("PostgreSQL security")
    [hit] = found.results
    assert found.backend == "qmd" and found.to_json()["backend"] == "qmd"
    assert (hit.path, hit.start_line) == ("memory/decisions.md", 3)
    assert "row-level security decided it" in hit.snippet
    assert hit.citation == "Source: memory/decisions.md#3"
    assert hit.likely and hit.chunk_id


def test_the_builtin_search_answers_by_default_and_says_so() -> None:
    with Memory.open() as memory:
        fill(memory)
        assert memory.search("walrus").backend == "builtin"
        assert (memory.status().backend, memory.status().wanted, memory.status().qmd) == ("builtin", "builtin", None)


def test_a_hit_can_be_read_whole_by_its_chunk_id(qmd: Qmd) -> None:
    with qmd.open() as memory:
        fill(memory)
        [hit] = memory.search("PostgreSQL").results
        assert "Chose PostgreSQL" in memory.get(chunk_id=hit.chunk_id).text


def test_without_models_its_keywords_answer_and_the_result_says_that(qmd: Qmd) -> None:
    with qmd.open() as memory:
        fill(memory)
        found = memory.search("walrus harbour")
    assert (found.backend, found.mode.value) == ("qmd", "keyword")
    assert "no models" in found.because


@stands_in
def test_with_models_it_is_asked_by_query_and_an_empty_answer_is_an_answer(qmd: Qmd) -> None:
    qmd.has_models()
    with qmd.open() as memory:
        fill(memory)
        found = memory.search("which walrus?")
        nothing = memory.search("xylophone")
    assert (found.backend, found.mode.value, found.because) == ("qmd", "hybrid", "")
    assert (nothing.backend, nothing.results) == ("qmd", ())
    assert qmd.verbs() == ["update", "query", "query"]


def test_an_empty_keyword_answer_is_left_to_the_builtin_search(qmd: Qmd) -> None:
    with qmd.open() as memory:
        fill(memory)
        found = memory.search("which database did we choose, and why?")
    assert found.backend == "builtin" and found.results
    assert "QMD did not answer: it has no models" in found.because


def test_a_question_is_never_an_option_or_a_query_document(qmd: Qmd) -> None:
    with qmd.open() as memory:
        fill(memory)
        for question in ("--index=/tmp/other walrus", "lex: walrus\nvec: harbour", "-c nope walrus", "walrus \0"):
            assert memory.search(question).results, question
    assert not (Path("/tmp") / "other").exists()


def test_a_filter_is_left_to_the_builtin_search(qmd: Qmd) -> None:
    with qmd.open() as memory:
        fill(memory)
        for filters in ({"path": "memory/animals.md"}, {"min_score": 0.1}, {"since": "10d"}, {"min_confidence": 0.1}):
            found = memory.search("walrus", **filters)
            assert found.backend == "builtin" and found.because.startswith("QMD did not answer: it"), filters


def test_a_group_that_its_scope_keeps_out_is_answered_by_the_builtin_search(qmd: Qmd) -> None:
    rules = [{"action": "allow", "match": {}}]
    with qmd.open(memory__scope__rules=rules) as memory:
        fill(memory)
        with memory.session("g", kind="group") as session:
            found = session.tools().call("memory_search", {"query": "walrus"})
    assert found["backend"] == "builtin" and "memory.qmd.scope keeps it from this group session" in found["because"]


def test_a_group_that_it_answers_sees_no_private_note(qmd: Qmd) -> None:
    rules = [{"action": "allow", "match": {}}]
    with qmd.open(memory__scope__rules=rules, memory__qmd__scope__rules=rules) as memory:
        fill(memory)
        with memory.session("g", kind="group") as session:
            found = session.tools().call("memory_search", {"query": "walrus"})
        alone = memory.search("walrus")
    assert found["backend"] == "qmd" and [hit["path"] for hit in found["results"]] == ["memory/animals.md"]
    assert {hit.path for hit in alone.results} == {"memory/animals.md", "MEMORY.md"}


def test_a_session_that_may_see_nothing_asks_nobody(qmd: Qmd) -> None:
    with qmd.open() as memory:
        fill(memory)
        with memory.session("g", kind="group") as session:
            found = session.tools().call("memory_search", {"query": "walrus"})
    assert found["results"] == [] and qmd.verbs() == []


@stands_in
def test_nothing_that_it_names_outside_the_notes_is_read(qmd: Qmd, home: Path) -> None:
    with qmd.open() as memory:
        fill(memory)
        memory.search("walrus")
        (home / "memory" / "link.md").symlink_to("/etc/passwd")
        (home / "holdfast.toml").write_text("[user]\nname = 'Ada'\n", encoding="utf-8")
        qmd.fails("search:elsewhere")
        found = memory.search("walrus")
    assert (found.backend, found.results) == ("qmd", ())


def test_limits_cut_how_many_hits_and_how_long_they_are(qmd: Qmd) -> None:
    with qmd.open(memory__qmd__max_results=3, memory__qmd__limits__max_snippet_chars=80) as memory:
        for number in range(6):
            memory.save(f"Walrus {number}. " + "It swims far. " * 20 + "\n", file=f"memory/w{number}.md")
        found = memory.search("walrus")
    assert found.backend == "qmd" and len(found.results) == 3
    assert all(len(hit.snippet) <= 80 for hit in found.results)
    with qmd.open(memory__qmd__limits__max_injected_chars=500) as memory:
        assert len(memory.search("walrus").results) == 1


def test_a_place_that_only_qmd_knows_is_found_and_read_by_its_name(qmd: Qmd, tmp_path: Path) -> None:
    docs = tmp_path / "papers"
    (docs / "deep").mkdir(parents=True)
    (docs / "deep" / "one two.md").write_text("# Paper\n\nThe narwhal paper.\n", encoding="utf-8")
    (docs / "other.txt").write_text("narwhal", encoding="utf-8")
    (docs / "secret.md").symlink_to("/etc/passwd")
    places = [{"name": "docs", "path": str(docs), "pattern": "**/*.md"}]
    with qmd.open(memory__qmd__paths=places) as memory:
        memory.save("Nothing of the kind.\n", file="memory/n.md")
        [hit] = memory.search("narwhal").results
        whole = memory.get(path=hit.path)
        part = memory.get(chunk_id=hit.chunk_id)
        with pytest.raises(BadPath):
            memory.get(path="qmd/docs/../../etc/passwd")
        with pytest.raises(BadPath):
            memory.get(path="qmd/nope/a.md")
        assert memory.get(path="qmd/docs/gone.md").status == "not_found"
    assert (hit.path, hit.start_line, hit.source) == ("qmd/docs/deep/one two.md", 3, "extra")
    assert "The narwhal paper." in whole.text and "The narwhal paper." in part.text


def test_without_default_memory_only_the_named_places_are_its_own(qmd: Qmd, tmp_path: Path) -> None:
    file = tmp_path / "lone.md"
    file.write_text("The narwhal file.\n", encoding="utf-8")
    settings = {"memory__qmd__paths": [str(file)], "memory__qmd__include_default_memory": False}
    with qmd.open(**settings) as memory:
        memory.save("The narwhal note.\n", file="memory/n.md")
        found = memory.search("narwhal")
    assert found.backend == "qmd" and [hit.path for hit in found.results] == ["qmd/path-1/lone.md"]


def test_extra_paths_are_among_its_notes(qmd: Qmd, tmp_path: Path) -> None:
    extra = tmp_path / "team"
    extra.mkdir()
    (extra / "plan.md").write_text("The narwhal plan.\n", encoding="utf-8")
    with qmd.open(memory__extra_paths=[str(extra)]) as memory:
        memory.save("Something else.\n", file="memory/n.md")
        found = memory.search("narwhal")
    assert found.backend == "qmd" and [hit.path for hit in found.results] == [str(extra / "plan.md")]


def test_what_was_said_in_open_sessions_is_found_where_that_is_wanted_and_in_direct_sessions_only(qmd: Qmd) -> None:
    allow = [{"action": "allow", "match": {}}]
    settings = {
        "memory__qmd__sessions__enabled": True,
        "memory__scope__rules": allow,
        "memory__qmd__scope__rules": allow,
    }
    with qmd.open(**settings) as memory:
        memory.save("Something else.\n", file="memory/n.md")
        with memory.session("one") as session:
            session.append("user", "The narwhal code is 4711.")
        found = memory.search("narwhal")
        with memory.session("g", kind="group") as group:
            hidden = group.tools().call("memory_search", {"query": "narwhal"})
            refused = group.tools().call("memory_get", {"path": found.results[0].path})
    assert found.backend == "qmd" and found.results[0].path.startswith("qmd/sessions/")
    assert found.results[0].source == "sessions" and "4711" in found.results[0].snippet
    assert not any("4711" in hit["snippet"] for hit in hidden["results"])
    assert "direct sessions" in refused["error"]["message"]
    with qmd.open() as memory:
        assert not any("narwhal" in hit.snippet for hit in memory.search("narwhal").results)


def test_agents_have_an_index_each_and_see_nothing_of_one_another(qmd: Qmd, home: Path) -> None:
    for agent, word in (("main", "walrus"), ("scout", "narwhal")):
        with Memory.open(agent=agent, settings=qmd.settings()) as memory:
            memory.save(f"The {word} note of {agent}.\n", file="memory/n.md")
            assert [hit.snippet for hit in memory.search("note").results] == [f"The {word} note of {agent}."]
    held = {path.name for path in (home / "state" / "qmd").iterdir()}
    assert held == {"main", "scout"}


def test_an_agent_may_have_another_back_end_than_the_home(qmd: Qmd, home: Path) -> None:
    home.mkdir(parents=True)
    (home / "holdfast.toml").write_text(f"[memory.qmd]\ncommand = '{qmd.command}'\n", encoding="utf-8")
    own = home / "agents" / "scout" / "holdfast.toml"
    own.parent.mkdir(parents=True)
    own.write_text("[memory]\nbackend = 'qmd'\n", encoding="utf-8")
    backends = {}
    for agent in ("main", "scout"):
        with Memory.open(home, agent) as memory:
            memory.save("The walrus note.\n", file="memory/n.md")
            backends[agent] = memory.search("walrus").backend
    assert backends == {"main": "builtin", "scout": "qmd"}


def test_what_embeds_for_the_builtin_search_is_kept_while_qmd_answers(qmd: Qmd, home: Path) -> None:
    settings = {"memory.provider": "local", "memory.local.model": "holdfast-static-1"}
    with Memory.open(settings={**qmd.settings(), **settings}) as memory:
        fill(memory)
        assert memory.search("walrus").backend == "qmd"
        space = next(one for one in memory.status().spaces if one["current"])
    assert space["model"] == "holdfast-static-1" and space["embedded"] == space["texts"]
