"""docs/seeds.md: every row names tests that exist, or a reason; and what the seeds say of defaults holds."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.operations.settings_catalogue import RECIPES, settings_catalogue
from holdfast.settings.keys import BY_PATH, CONSTANTS
from holdfast.settings.session_settings import ScopeAction, ScopeRule, SessionKind
from holdfast.settings.settings import DEFAULTS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "seeds.md"
LEAST_REASON = 40  # characters of a reason that says something
NAMED = re.compile(r"`(test_\w+)`(?: \((sandbox|images)\))?")


def rows() -> list[list[str]]:
    """The cells of every row: its number, what the seed says, where it is, and what shows it."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    numbered = [line.strip("|") for line in lines if re.match(r"\| [A-E]\d+ ", line)]
    return [[cell.strip() for cell in line.split(" | ")] for line in numbered]


@cache
def known_tests() -> frozenset[str]:
    files = (path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    return frozenset(name for text in files for name in re.findall(r"^(?:async )?def (test_\w+)", text, re.MULTILINE))


def test_every_behaviour_of_the_five_documents_has_a_row_of_its_own() -> None:
    numbers = [row[0] for row in rows()]
    assert {len(row) for row in rows()} == {4}
    assert {number[0] for number in numbers} == set("ABCDE")
    for letter in "ABCDE":
        own = [int(number[1:]) for number in numbers if number[0] == letter]
        assert own == list(range(1, len(own) + 1)), letter
    assert len(numbers) >= 206
    assert len({(row[0][0], row[1]) for row in rows()}) == len(numbers), "a behaviour stands there twice"


def test_every_row_names_a_test_that_exists_or_a_reason() -> None:
    for number, _, here, proof in rows():
        named = NAMED.findall(proof)
        assert here, number
        assert named or proof.startswith("differs: "), f"{number} names neither a test nor a reason"
        # A part that is built elsewhere is held once it is here.
        here_now = [name for name, part in named if not part or (ROOT / "tests" / part).exists()]
        missing = [name for name in here_now if name not in known_tests()]
        assert not missing, f"{number} names {missing}"
        if proof.startswith("differs: "):
            assert len(NAMED.sub("", proof)) >= LEAST_REASON, f"{number} gives no reason"


def test_a_row_about_a_tool_names_one_that_is_offered(home: Path) -> None:
    with Memory.open(home) as memory:
        offered = {tool["name"] for tool in memory.tools().anthropic()}
    named = {number: here.strip("`") for number, seed, here, _ in rows() if seed.startswith("Tool ")}
    assert len(named) == 4
    assert set(named.values()) <= offered


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("memory.style", "hybrid"),
        ("memory.agent_write_mode", "hybrid"),
        ("memory.user_profile_write_mode", "explicit-and-auto"),
        ("memory.backend", "builtin"),
        ("memory.provider", "auto"),
        ("memory.disable_rag", False),
        ("memory.citations", "auto"),
        ("memory.llm_reranking", False),
        ("memory.session_export", "on-new-or-reset"),
        ("memory.sources", ("memory",)),
        ("memory.extra_paths", ()),
        ("chat.prompt_memory_mode", "live-reload"),
        ("memory.qmd.command", "qmd"),
        ("memory.qmd.max_results", 10),
        ("memory.qmd.timeout_ms", 30_000),
        ("memory.qmd.include_default_memory", True),
        ("memory.qmd.update.interval", 5),
        ("memory.qmd.update.debounce_ms", 15_000),
        ("memory.qmd.update.on_boot", True),
        ("memory.qmd.sessions.enabled", False),
        ("memory.qmd.limits.max_snippet_chars", 700),
        ("memory.qmd.scope.default", "deny"),
        ("memory.qmd.scope.rules", (ScopeRule(ScopeAction.ALLOW, SessionKind.DIRECT),)),
        ("compaction.reserve_tokens_floor", 20_000),
        ("compaction.memory_flush.enabled", True),
        ("compaction.memory_flush.soft_threshold_tokens", 4000),
        ("memory.remote.batch.enabled", True),
        ("memory.remote.batch.wait", True),
        ("memory.remote.batch.concurrency", 2),
        ("memory.search.candidate_multiplier", 4),
        ("memory.search.hybrid", True),
        ("memory.search.snippet_chars", 700),
        ("memory.chunking.tokens", 400),
        ("memory.chunking.overlap", 80),
        ("memory.cache.enabled", True),
        ("memory.cache.max_entries", 50_000),
        ("memory.sync.watch", True),
        ("memory.sync.watch_debounce_ms", 1500),
        ("memory.sync.on_session_start", True),
        ("memory.sync.on_search", True),
        ("memory.sync.sessions.delta_bytes", 100_000),
        ("memory.sync.sessions.delta_messages", 50),
        ("memory.recall.enabled", True),
        ("capture.enabled", True),
    ],
)
def test_a_default_is_what_the_seeds_say(key: str, value: object) -> None:
    found = BY_PATH.get(key) or CONSTANTS[key]
    assert getattr(getattr(DEFAULTS, found.room), found.field) == value


def test_memory_md_the_notes_in_folders_and_exports_are_searched(home: Path) -> None:
    for path in ("MEMORY.md", "memory/a.md", "memory/deep/b.md", "memory/sessions/2026-01-02-talk.md"):
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(f"# {path}\n\nThe walrus of {path}.\n", encoding="utf-8")
    with Memory.open() as memory:
        found = {hit.path for hit in memory.search("walrus").results}
    assert found == {"MEMORY.md", "memory/a.md", "memory/deep/b.md", "memory/sessions/2026-01-02-talk.md"}


def test_the_guide_sends_what_lasts_to_memory_md_and_the_days_context_to_its_note() -> None:
    with Memory.open() as memory:
        text = memory.session().prompt().text
    assert "what should last in MEMORY.md" in text and "what belongs to the day in memory/YYYY-MM-DD.md" in text


def test_facts_have_the_five_categories_of_the_seeds() -> None:
    with Memory.open() as memory:
        for category in ("preference", "fact", "decision", "entity", "other"):
            assert memory.facts.store(f"The {category} of the walrus is tea.", category=category).id
        assert {one.category for one in memory.facts.list().facts} == {
            *("preference", "fact", "decision", "entity", "other")
        }


def test_the_silent_turn_is_asked_for_what_the_seeds_name() -> None:
    prompt = DEFAULTS.memory_flush.prompt
    assert all(word in prompt for word in ("decisions", "preferences", "facts", "memory/YYYY-MM-DD.md", "NO_REPLY"))


def test_the_back_end_can_be_chosen_on_the_page_of_settings() -> None:
    [shown] = [key for key in settings_catalogue()["keys"] if key["key"] == "memory.backend"]
    assert (shown["kind"], shown["choices"], shown["by_hand"]) == ("choice", ["builtin", "qmd"], False)
    assert {"memory.backend": "qmd"} in [recipe["changes"] for recipe in RECIPES]
