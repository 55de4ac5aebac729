"""The scanner against markdown-it, a full CommonMark parser.

The generated documents keep to what both read alike by design. Left out are headings and fences inside block quotes and
deeper lists (text to us), underlines inside a list item, HTML blocks, link definitions and fences in a list item at odd
columns.
"""

from __future__ import annotations

from itertools import pairwise

import pytest
from counts import counted
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from holdfast.markdown.lines import split_lines
from holdfast.markdown.outline import Fence, scan

_WORDS = st.lists(
    st.sampled_from(["alpha", "beta", "x1", "a#b", "1.5", "C#", "#tag", "e-mail", "5"]), min_size=1, max_size=4
).map(" ".join)
_PAD = st.sampled_from(["", "", "", " ", "   "])
_ATX = st.builds(
    lambda pad, level, gap, words, close: f"{pad}{'#' * level}{gap}{words}{close}",
    _PAD,
    st.integers(1, 7),
    st.sampled_from([" ", "  ", "\t"]),
    _WORDS,
    st.sampled_from(["", " #", " ###", "  ## ", "#", " \\"]),
)
_UNDERLINE = st.builds(
    lambda pad, sign, tail: pad + sign + tail,
    st.sampled_from(["", " "]),
    st.sampled_from(["=", "===", "---", "-", "--"]),
    st.sampled_from(["", "  "]),
)
_FENCE = st.builds(
    lambda pad, mark, info, inner, close: "\n".join([pad + mark + info, *inner, pad + close]),
    _PAD,
    st.sampled_from(["```", "~~~", "````"]),
    st.sampled_from(["", "py", " sh x"]),
    st.lists(
        st.sampled_from(["# not a heading", "", "code", "~~", "``", "    ```", "===", "- x", "```", "~~~ x"]),
        max_size=4,
    ),
    st.sampled_from(["```", "~~~", "````", "~~~~~  ", "``` x", ""]),
)
_ITEM = st.builds(
    lambda mark, words, more: "\n".join([f"{mark} {words}", *more]),
    st.sampled_from(["-", "*", "+", "1.", "2)"]),
    _WORDS,
    st.lists(st.sampled_from(["   continued", "lazy line", "   - nested", ""]), max_size=2),
)
_BLOCK = st.one_of(
    _ATX,
    _FENCE,
    _ITEM,
    _UNDERLINE,
    st.builds(str.__add__, _PAD, _WORDS),
    st.builds(str.__add__, st.just("> "), _WORDS),
    st.sampled_from(
        ["", "", "", "   ", "***", "- - -", "    indented", "\tcode", "#", "##", "* * * x", "+", "10000000000. x"]
    ),
)
_DOCUMENT = st.lists(_BLOCK, max_size=14).map("\n".join)


def _ours(text: str) -> list[tuple[int, int, int, str]]:
    return [(h.start, h.end, h.level, " ".join(h.title.split())) for h in scan(split_lines(text), 0, [])]


def _theirs(text: str) -> list[tuple[int, int, int, str]]:
    tokens = MarkdownIt("commonmark").disable(["inline", "text_join"]).parse(text)
    found: list[tuple[int, int, int, str]] = []
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open" and opening.level == 0 and opening.map is not None:
            start, end = opening.map
            found.append((start, end, int(opening.tag[1]), " ".join(inline.content.split())))
    return found


@given(_DOCUMENT)
@settings(max_examples=counted(25, 2_400), deadline=None)
def test_headings_are_those_of_a_full_parser(text: str) -> None:
    assert _ours(text) == _theirs(text)


@pytest.mark.parametrize(
    "text",
    [
        "# One\n## Two ##\n### Three \\###\n#### Four #x\n####### seven\n#five\n#\n## \n",
        "Title\n=====\n\nSub title\nover two lines\n---\n\n---\n\n- item\n---\n> quote\n===\n",
        "para\n# interrupts\nmore\n    # not code, not a heading\n\n    # code\n",
        "```\n# a\n~~~\n# b\n````\n# yes\n~~~~ x ~ y\n# c\n~~~\n# d\n~~~~\n# e\n",
        "``` not`a fence\n# yes\n```\n# no\n",
        "1. one\n\n   ```sh\n   # no\n   ```\n\n2. two\n# yes\n- three\n\n      # code\n\nplain\n===\n",
        "- ```\n  # no\n# ends the item, and its fence\n",
        "para\n2. goes on\n===\n\npara\n1. a list\n===\n\n\tcode\n===\n",
        "a\n\n\n===\nb\n  ---  \n\t---\n",
        "* * *\n_ _ _\n- - -\nx\n***\n===\n",
        "-\n  inside\n===\n\n-\n\n  outside\n===\n",
    ],
)
def test_documents_written_by_hand_read_alike(text: str) -> None:
    assert _ours(text) == _theirs(text)


def test_headings_inside_items_and_quotes_are_text() -> None:
    assert _ours("- # in an item\n\n  # in it too\n> # in a quote\n\n# outside\n") == [(5, 6, 1, "outside")]


def test_fences_are_found_with_their_lines() -> None:
    fences: list[Fence] = []
    text = "```\na\n```\n- x\n  ~~~\n  b\n- y\n   ~~~~ info\n   c\n   ~~~\n   ~~~~~\n\n````\nopen\n```\n"
    list(scan(split_lines(text), 0, fences))
    assert fences == [(0, 3), (4, 6), (7, 11), (12, 16)]
