from __future__ import annotations

import base64
import json
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.remote.redaction import Scrubber, without_secrets

KEYS = st.text(
    st.characters(min_codepoint=33, max_codepoint=126), min_size=9, max_size=60
)  # longer than what stands in its place


@pytest.mark.promise("P12")
@given(KEYS, st.text(max_size=40), st.text(max_size=40), st.sampled_from([str, json.dumps, quote, str.upper]))
def test_a_key_is_gone_in_whatever_form_it_comes_back(key: str, before: str, after: str, form: object) -> None:
    assert callable(form)
    said = Scrubber({"Authorization": f"Bearer {key}"}).clean(f"{before}{form(key)}{after}", limit=10_000)
    assert key not in said
    assert key not in said.replace("\\\\", "\\").replace('\\"', '"')


def test_the_beginning_of_a_key_is_hidden_too() -> None:
    scrubber = Scrubber({"Authorization": "Bearer sk-abcdefghijklmnop"})
    assert scrubber.clean("wrong key: sk-abcdefgh***") == "wrong key: [hidden]"
    assert scrubber.clean("Bearer is the scheme, nothing more") == "Bearer is the scheme, nothing more"


def test_a_key_that_a_line_break_cut_in_two_is_hidden() -> None:
    assert "secret" not in Scrubber({"X-Key": "top secret word"}).clean("it was top\r\nsecret\nword")


def test_secrets_of_the_address_are_hidden() -> None:
    scrubber = Scrubber({}, "https://me:hunter%402@host/v1?key=abcd-efgh&api-version=2024-10-21")
    said = scrubber.clean("hunter@2 hunter%402 abcd-efgh " + base64.b64encode(b"me:hunter@2").decode())
    assert said == "[hidden] [hidden] [hidden] [hidden]"


def test_a_message_is_one_line_without_control_characters_and_not_too_long() -> None:
    said = Scrubber({}).clean("\x1b[31mred\x1b[0m\n\n" + "x" * 500)
    assert said.startswith("[31mred [0m xxx")
    assert len(said) == 200


def test_an_address_is_shown_without_user_and_query() -> None:
    assert without_secrets("https://me:word@host:8443/v1/embeddings?key=1#x") == "https://host:8443/v1/embeddings"
    assert without_secrets("http://[::1]:1/x") == "http://[::1]:1/x"
    assert without_secrets("http://[") == "an address that can't be read"


def test_plain_headers_are_no_secrets() -> None:
    assert Scrubber({"Content-Type": "application/json"}).clean("send application/json") == "send application/json"
    assert "json" not in repr(Scrubber({"Authorization": "json"}))
