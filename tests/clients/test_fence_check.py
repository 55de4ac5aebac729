"""The check of the loops themselves: stored text that stands outside a fence is seen, wherever in a request it is."""

from __future__ import annotations

import html
import json

import pytest
from clients.endpoint import Received
from clients.talk import assert_only_fenced, fenced

STORED = "The harbour office code is heron-4471"
FENCED = f'Found:\n<memory-0a1b2c3d4e5f id=1 path="memory/office.md">\n| {STORED}\n</memory-0a1b2c3d4e5f>\nGo on.'


def request(text: str) -> Received:
    return Received("/v1/messages", {"messages": [{"role": "user", "content": [{"type": "text", "text": text}]}]})


@pytest.mark.parametrize(
    "text",
    [
        FENCED,
        html.escape(FENCED, quote=False),
        json.dumps({"output": FENCED}),
        "A tool answered:\n" + json.dumps({"output": FENCED}, indent=2),
    ],
    ids=["as it is", "as HTML", "as JSON", "as JSON in a text"],
)
def test_stored_text_in_a_fence_is_let_through_however_a_client_writes_it(text: str) -> None:
    assert_only_fenced(request(text), [STORED])
    assert STORED in fenced([request(text)])


@pytest.mark.parametrize(
    "text",
    [
        STORED,
        f"{FENCED}\n{STORED}",
        FENCED.replace("</memory-0a1b2c3d4e5f>", "</memory-5f4e3d2c1b0a>"),
        FENCED.replace("-0a1b2c3d4e5f", ""),
        json.dumps({"output": STORED}),
        html.escape(f"<hook_context>{STORED}</hook_context>"),
    ],
    ids=["bare", "after a fence", "an end of another name", "no name that is random", "as JSON", "in another's tag"],
)
def test_stored_text_outside_a_fence_is_seen(text: str) -> None:
    with pytest.raises(AssertionError, match="outside a fence"):
        assert_only_fenced(request(text), [STORED])
