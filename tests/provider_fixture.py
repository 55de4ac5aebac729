"""The test server as a fixture: one for all tests of a process, as new for each of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from provider_server import ProviderServer

__all__ = ["provider", "running_provider"]


@pytest.fixture(scope="session")
def running_provider() -> Iterator[ProviderServer]:
    """The server itself; tests take `provider`."""
    import httpx2  # noqa: F401 - so that its import is no part of a test's short deadline

    with ProviderServer() as server:
        yield server


@pytest.fixture
def provider(running_provider: ProviderServer) -> Iterator[ProviderServer]:
    """A server without script or memory; what hangs is let go afterwards."""
    running_provider.reset()
    yield running_provider
    running_provider.reset()
