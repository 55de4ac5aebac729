"""Files that people write for an evaluation by hand: read whole, or refused with what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.errors import BadArgument, NotFound, StorageFailed, TooLarge
from holdfast.evaluation.jsonl import text_of


def test_a_file_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "set.jsonl").write_text('{"query": "où?"}\n', encoding="utf-8")
    assert text_of(str(tmp_path / "set.jsonl"), "set", "set") == '{"query": "où?"}\n'


def test_what_is_wrong_with_a_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"o\xf9?")
    with (tmp_path / "large").open("wb") as file:
        file.truncate(20_000_001)
    with pytest.raises(NotFound, match=r"There is no file .*none'\. Make one\."):
        text_of(str(tmp_path / "none"), "set", "set", missing="Make one.")
    with pytest.raises(BadArgument, match="is not UTF-8"):
        text_of(str(tmp_path / "latin"), "set", "set")
    with pytest.raises(StorageFailed, match="directory"):
        text_of(str(tmp_path), "set", "set")
    with pytest.raises(TooLarge):
        text_of(str(tmp_path / "large"), "set", "set")
