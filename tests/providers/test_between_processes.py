"""What one process learnt of a provider, or is doing with it, another one knows (P8, and nobody pays twice)."""

from __future__ import annotations

from pathlib import Path

import pytest
from provider_faults import BROKEN_MODEL
from provider_server import ProviderServer
from providers.scenes import notes, opened

_QUIET = {"sync__on_search": False, "sync__on_session_start": False}


@pytest.mark.promise("P8")
def test_a_model_that_changed_its_name_since_another_process_asked_is_refused(
    home: Path, provider: ProviderServer
) -> None:
    notes(home, 3)
    with opened(home, provider) as memory:
        assert memory.sync().embedded == 3
    provider.always(BROKEN_MODEL)
    notes(home, 1, "stork")
    with opened(home, provider, **_QUIET) as memory:
        done = memory.sync()
        assert (done.embedded, done.pending) == (0, 1)
        assert "text-embedding-3-small-2" in done.because
        assert memory.ctx.database.connection.one("SELECT count(*) FROM vectors") == 3
        found = memory.search("heron number1")
        assert (found.mode, found.partial) == ("keyword", True)
    provider.reset()
    with opened(home, provider, **_QUIET) as memory:
        assert memory.sync().pending == 0
        assert memory.search("stork number0").mode == "hybrid"


def test_two_that_index_at_once_do_not_pay_for_the_same_texts(home: Path, provider: ProviderServer) -> None:
    texts = notes(home, 5)
    with opened(home, provider, **_QUIET) as one, opened(home, provider, **_QUIET) as other:
        with one.ctx.database.alone("sending") as ours:
            assert ours
            done = other.sync()
            assert (done.embedded, done.pending, done.because) == (0, 5, "another process is embedding")
            assert provider.texts_paid == 0
        assert other.sync().embedded == 5
        assert one.sync().embedded == 0
    assert {provider.paid[text] for text in texts} == {1}
