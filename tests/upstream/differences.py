"""What differs from the frameworks' own classes, by the tests of theirs that show it.

`make docs` makes docs/frameworks/upstream-tests.md of this.
"""

from __future__ import annotations

import sys
from typing import NamedTuple


class Difference(NamedTuple):
    """A reason why tests of theirs fail with our class; `sometimes` where not all of their cases do."""

    reason: str
    tests: tuple[str, ...]
    sometimes: bool = False


LANGGRAPH = (
    Difference(
        "Every text of an item is found by a question, not only the fields that `index` names; those are what stands "
        "as prose in the note. A score says how well an item answers beside the others, and is no cosine of "
        "LangGraph's embeddings: Holdfast searches with its own. `index=False` keeps an item from being found, as "
        "there.",
        (
            "test_store.py::test_embed_with_path",
            "test_async_store.py::test_embed_with_path",
        ),
    ),
    Difference(
        "The same where a put names its fields. In one of their cases our scores happen to order as theirs do.",
        ("test_store.py::test_embed_with_path_operation_config",),
        sometimes=True,
    ),
    Difference(
        "The scores of SqliteStore are compared with cosines that the test works out by itself.",
        ("test_store.py::test_scores",),
        sometimes=True,
    ),
    Difference(
        "There is no `index_config`: how notes are searched is set in holdfast.toml.",
        ("test_store.py::test_vector_store_initialization", "test_async_store.py::test_vector_store_initialization"),
    ),
    Difference(
        "The name of a field in a filter may be anything. It never becomes part of SQL, so an odd one is no error; it "
        "fits nothing.",
        ("test_store.py::test_sql_injection_vulnerability",),
    ),
    Difference(
        "The synchronous methods may be called while an event loop runs; they take its time until they are done.",
        ("test_async_store.py::test_no_running_loop",),
    ),
    Difference(
        "No thread sweeps expired items: they are never given, and are removed when a search meets them or "
        "`sweep_ttl()` is called.",
        ("test_ttl.py::test_ttl_sweeper", "test_ttl.py::test_async_ttl_sweeper"),
    ),
    Difference(
        "An item that is read lives its whole time from then on unless `refresh_on_read` is false, as LangGraph's base "
        "class has it; SqliteStore does so only where it is said to be true.",
        ("test_ttl.py::test_ttl_override_default",),
    ),
    Difference(
        "Tests with times to live of a second or two say little on a busy machine: a put is on disk and in the index "
        "before it returns.",
        (
            "test_ttl.py::test_ttl_refresh",
            "test_ttl.py::test_async_ttl_refresh",
            "test_ttl.py::test_search_with_ttl",
            "test_ttl.py::test_async_search_with_ttl",
            "test_ttl.py::test_async_asearch_refresh_ttl",
        ),
        sometimes=True,
    ),
    Difference(
        "There are no migrations of a database: an item is a note.", ("test_store.py::test_nonnull_migrations",)
    ),
)

OPENAI_AGENTS = (
    Difference(
        "A session holds no connections and no locks of SQLite that could be looked at, left open or retired.",
        (
            "test_session.py::test_sqlite_session_close_closes_worker_thread_connections",
            "test_session.py::test_sqlite_session_reaps_connections_from_exited_worker_threads",
            "test_session.py::test_sqlite_session_closes_retired_connections_before_the_next_allocation",
            "test_session.py::test_sqlite_session_keeps_connections_of_live_worker_threads",
            "test_session.py::test_sqlite_session_file_lock_is_shared_across_instances",
            "test_session.py::test_sqlite_session_failed_clear_session_rolls_back",
            "test_session.py::test_sqlite_session_failed_pop_item_releases_write_lock",
            "test_session.py::test_sqlite_session_rollback_failure_evicts_connection",
            "test_session.py::test_sqlite_session_close_retries_quarantined_connection",
            "test_session.py::test_sqlite_session_post_commit_cancellation_propagates_after_known_outcome",
        ),
    ),
    Difference(
        "There are no rows in which broken JSON could be put to see it skipped.",
        (
            "test_session.py::test_sqlite_session_pop_item_skips_corrupt_most_recent",
            "test_session.py::test_sqlite_session_pop_item_returns_none_after_dropping_only_corrupt_rows",
            "test_session.py::test_sqlite_session_get_items_limit_skips_corrupt_newest_rows",
            "test_session.py::test_sqlite_session_get_items_session_settings_limit_skips_corrupt_rows",
        ),
    ),
    Difference(
        "A session is not closed: the memory is, by whoever opened it, and then every call says `MemoryClosed`.",
        ("test_session.py::test_sqlite_session_closed_rejects_empty_add_items",),
    ),
    Difference(
        "An item that is no JSON is refused with `BadArgument`, a `ValueError` of Holdfast's tree, not with TypeError; "
        "nothing of the call is kept then.",
        ("test_session.py::test_sqlite_session_failed_add_items_releases_write_lock",),
    ),
)

DIFFERENCES = {test: known for known in (*LANGGRAPH, *OPENAI_AGENTS) for test in known.tests}


def page() -> str:
    """The page that lists them."""
    lines = [
        "# Held against the frameworks' own tests",
        "",
        "`make test-upstream` downloads the source packages of `langgraph-checkpoint`, `langgraph-checkpoint-sqlite`",
        "and `openai-agents`, and runs the tests of stores and sessions that come with them, with Holdfast's classes",
        "in the place of theirs. All of them pass but those below. Each is expected to fail: one that passes one day",
        "ends the run, so that this list stays true. It is made of `tests/upstream/differences.py`.",
    ]
    for heading, known in (("LangGraph's store", LANGGRAPH), ("The session of the OpenAI Agents SDK", OPENAI_AGENTS)):
        lines += ["", f"## {heading}", ""]
        for difference in known:
            lines.append(f"- {difference.reason}")
            lines += [f"  - `{test}`" for test in difference.tests]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(page())
