"""The test server as a fixture: one a test, since a request whose client gave up may still come in much later."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from provider_server import ProviderServer

__all__ = ["provider"]


@pytest.fixture
def provider() -> Iterator[ProviderServer]:
    """A server of the test's own, so that no other test's request meets its faults."""
    import httpx2  # noqa: F401 - so that its import is no part of a test's short deadline

    with ProviderServer() as server:
        yield server
