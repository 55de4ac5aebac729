"""What several fault tests begin with."""

from __future__ import annotations

import pytest
from faults.whole_home import Whole, make_whole


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """A home in which every operation has something to do."""
    return make_whole(tmp_path_factory.mktemp("whole") / "home")
