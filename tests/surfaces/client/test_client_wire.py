"""Values over the wire: what comes out is what went in, and nothing but values can come out."""

from __future__ import annotations

import json
import math
import ssl
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.checkpoints.change import Change
from holdfast.guard.origin import Origin
from holdfast.markdown.fact_row import Category
from holdfast.search.hit import Hit, Mode, Results
from holdfast.surfaces.client.transport import Link
from holdfast.surfaces.client.wire_values import Unreadable, from_wire, to_wire

plain = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters())  # half a character too
)
leaves = (
    plain
    | st.binary()
    | st.dates()
    | st.datetimes(timezones=st.just(timezone(timedelta(hours=2))))
    | st.sampled_from([*Mode, *Origin, *Category])
    | st.frozensets(st.text(max_size=5))
)
values = st.recursive(
    leaves,
    lambda inside: (
        st.lists(inside, max_size=4)
        | st.lists(inside, max_size=4).map(tuple)
        | st.dictionaries(st.text(max_size=5), inside, max_size=4)
    ),
    max_leaves=20,
)


@given(values)
def test_every_value_comes_back_as_it_was(value: Any) -> None:
    back = from_wire(json.loads(json.dumps(to_wire(value), allow_nan=False)))
    assert back == value and type(back) is type(value)


def test_what_is_no_number_comes_back_as_none() -> None:
    back = from_wire(json.loads(json.dumps(to_wire([float("nan")]), allow_nan=False)))
    assert math.isnan(back[0])


def test_json_of_any_depth_comes_back_as_it_was_and_what_is_none_is_not_sent_so_deep() -> None:
    value: Any = {}
    for _ in range(199):
        value = {"a": value}
    for one in (value, [value], [[[value]]]):
        assert from_wire(json.loads(json.dumps(to_wire(one)))) == one
    value = [b"bytes"]
    for _ in range(199):
        value = [value]
    with pytest.raises(TypeError, match="nested as deep as that can't be sent, unless it is plain JSON"):
        to_wire(value)


def test_results_and_changes_come_back_equal() -> None:
    hit = Hit(
        "c", "memory/a.md", 1, 2, 0.5, None, 0.25, "text", "Source: memory/a.md#1", "memory", ("H",), {"text": 0.5}
    )
    found = Results("q", Mode.HYBRID, "", (hit,), "local", "m", 1.5, window="w")
    change = Change("i", 1, "memory/a.md", None, "h", "user", "save", "", 1.0)
    for value in (found, change, [change], date(2026, 1, 2), datetime(2026, 1, 2, 3, 4, tzinfo=UTC)):
        assert from_wire(json.loads(json.dumps(to_wire(value)))) == value


def test_a_field_that_this_side_does_not_know_is_left_out() -> None:
    sent = to_wire(Change("i", 1, "memory/a.md", None, "h", "user", "save", "", 1.0))
    sent["with"]["from_the_future"] = 7
    assert from_wire(sent).id == "i"


@pytest.mark.parametrize(
    "sent",
    [
        {"$": "os:system", "with": {}},
        {"$": "builtins:eval", "is": "1"},
        {"$": "notes.workspace:Workspace", "with": {}},
        {"$": "context.context:Rooms", "with": {}},
        {"$": "index.sqlite.database:Database", "with": {"path": "x"}},
        {"$": "search.hit:__builtins__", "is": 1},
        {"$": "search..hit:Hit", "with": {}},
        {"$": "search.hit:Hit"},
        {"$": "search.hit:Hit", "with": {"path": "x"}},
        {"$": "search.hit:Mode", "is": "nothing"},
        {"$": ["tuple"], "is": []},
        {"is": 1},
        {"$": "bytes", "is": 3},
        {"$": "date", "is": "yesterday"},
        {"$": "mapping", "is": [1]},
    ],
)
def test_what_is_no_value_is_not_made(sent: Any) -> None:
    with pytest.raises(Unreadable):
        from_wire(sent)


def test_what_is_no_value_is_not_sent() -> None:
    with pytest.raises(TypeError, match="can't be sent"):
        to_wire(object())


def test_only_the_classes_that_are_named_are_made() -> None:
    sent = to_wire(Mode.HYBRID)
    assert from_wire(sent, only={"search.hit:Mode"}) is Mode.HYBRID
    with pytest.raises(Unreadable):
        from_wire(sent, only={"llm.chat_model:Role"})


def test_only_for_https_are_the_systems_certificates_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading them takes some 20 ms, longer than the call."""
    read: list[str] = []

    def context(*_: Any, **__: Any) -> ssl.SSLContext:
        read.append("read")
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)

    monkeypatch.setenv("SSL_CERT_FILE", "certificates.pem")  # so that it is this function that reads them
    monkeypatch.setattr(ssl, "create_default_context", context)
    Link("http://127.0.0.1:9", "token", None, 1.0).close()
    assert not read
    Link("https://127.0.0.1:9", "token", None, 1.0).close()
    assert read
