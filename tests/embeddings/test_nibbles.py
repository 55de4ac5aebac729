"""Two numbers a byte: what is packed comes back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.embeddings.static.nibbles import LARGEST, NibbleTable, pack_nibbles


@st.composite
def tables(draw: st.DrawFn) -> np.ndarray:
    columns = draw(st.integers(1, 9))
    row = st.lists(st.integers(-LARGEST, LARGEST), min_size=columns, max_size=columns)
    return np.array(draw(st.lists(row, min_size=1, max_size=9)), np.int8)


@given(tables(), st.data())
def test_rows_come_back_as_they_were_packed(table: np.ndarray, data: st.DataObject) -> None:
    packed = pack_nibbles(table)
    assert packed.shape == (len(table), -(-table.shape[1] // 2))
    unpacked = NibbleTable(packed, table.shape[1])
    assert (len(unpacked), unpacked.shape) == (len(table), table.shape)
    assert unpacked[:].dtype == np.int8
    assert (unpacked[:] == table).all()
    rows = data.draw(st.lists(st.integers(0, len(table) - 1), max_size=12))
    asked = np.array(rows, np.int64)
    assert (unpacked[asked] == table[asked]).all()


def test_rows_of_zeros_are_bytes_of_zeros() -> None:
    assert not pack_nibbles(np.zeros((3, 255), np.int8)).any()


@pytest.mark.parametrize("number", [-8, 8, 127, -128])
def test_number_that_does_not_fit_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match="between"):
        pack_nibbles(np.array([[0, number]], np.int8))
