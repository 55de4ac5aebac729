"""The line locator agrees with the text it was given, whatever TOML's ways of writing a key."""

from __future__ import annotations

import json
import tomllib

from hypothesis import given
from hypothesis import strategies as st

from holdfast.settings.toml_lines import lines_of_keys


def test_headers_dotted_quoted_and_inline_keys_are_found() -> None:
    text = (
        "a.'b c'.\"d\\u0065\" = 1  # [x]\n"
        "[ t . u ]\n"
        "k = { x = [1, { y = 2 }], z.w = '}' }\n"
        "m = [\n  'a = 1', # ]\n  2,\n]\n"
        'n = """\n[no]\nno = 1 \\""" \n"""""\n'
        "o = '''\n[no]'''''\n"
        "[[list]]\np = 1979-05-27 07:32:00.5\n[[list]]\np = 1.5e3\n"
        'q = "# no" # yes\n'
    )
    tomllib.loads(text)
    assert lines_of_keys(text) == {
        ("a",): 1,
        ("a", "b c"): 1,
        ("a", "b c", "de"): 1,
        ("t",): 2,
        ("t", "u"): 2,
        ("t", "u", "k"): 3,
        ("t", "u", "k", "x"): 3,
        ("t", "u", "k", "x", "y"): 3,
        ("t", "u", "k", "z"): 3,
        ("t", "u", "k", "z", "w"): 3,
        ("t", "u", "m"): 4,
        ("t", "u", "n"): 8,
        ("t", "u", "o"): 12,
        ("list",): 14,
        ("list", "p"): 15,
        ("list", "q"): 18,
    }


# Short alphabets make collisions of quotes, brackets and hashes likely.
WORDS = st.text(alphabet="ab_-.#=[]{}'\" \\é", min_size=0, max_size=6)
BARE = st.text(alphabet="abc019_-", min_size=1, max_size=5)


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


@st.composite
def names(draw: st.DrawFn) -> tuple[str, str]:
    """A key as it means and as it is written."""
    if draw(st.booleans()):
        bare = draw(BARE)
        return bare, draw(st.sampled_from([bare, f"'{bare}'", quoted(bare)]))
    word = draw(WORDS)
    return word, quoted(word)


@st.composite
def values(draw: st.DrawFn, *, inline: bool = False) -> str:
    """A value as it is written, with as much as possible that looks like something else."""
    word = draw(WORDS)
    plain = word.replace("'", "")
    scalars = ["1", "-2.5e3", "true", "1979-05-27T07:32:00Z", quoted(word), f"'{plain}'"]
    lists = [f"[{quoted(word)}, 1, [ '{plain}' ], {{ k = {quoted(word)} }}]", "[]"]
    blocks = [
        f'"""\n{quoted(word)[1:-1]}\n[x]\ny = 1\n"""',
        f"'''{plain}\n\n# z\n'''",
        f"[ # {plain}\n 1,\n\n '{plain}' ]",
    ]
    return draw(st.sampled_from(scalars + lists + ([] if inline else blocks)))


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, dict[tuple[str, ...], int]]:
    """A TOML text, and the line of each key that it sets."""
    lines: list[str] = []
    expected: dict[tuple[str, ...], int] = {}
    tables = draw(st.lists(names(), max_size=3, unique_by=lambda name: name[0]))
    for header in [None, *tables]:
        prefix: tuple[str, ...] = ()
        if header is not None:
            prefix = ("table", header[0])
            lines.append(f"[ table . {header[1]} ] # [no]\n")
            expected[prefix] = sum(line.count("\n") for line in lines)
        for meaning, written in draw(st.lists(names(), max_size=4, unique_by=lambda name: name[0])):
            if header is None and meaning == "table":
                continue
            lines.append(draw(st.sampled_from(["", "\n", "# k = 1 [x]\n", "  "])))
            at = sum(line.count("\n") for line in lines) + 1
            shape = draw(st.sampled_from(["plain", "dotted", "inline"]))
            if shape == "plain":
                lines.append(f"{written} = {draw(values())} # x = {{\n")
                expected[*prefix, meaning] = at
            elif shape == "dotted":
                lines.append(f"{written}. sub = {draw(values())}\n")
                expected[*prefix, meaning, "sub"] = at
            else:
                inside = f"{{ one = {draw(values(inline=True))}, two.three = {{ four = 4 }} }}"
                lines.append(f"{written} = {inside}\n")
                expected[*prefix, meaning, "one"] = at
                expected[*prefix, meaning, "two", "three", "four"] = at
    return "".join(lines), expected


@given(documents())
def test_each_key_is_found_on_the_line_it_was_written_on(document: tuple[str, dict[tuple[str, ...], int]]) -> None:
    text, expected = document
    tomllib.loads(text)
    found = lines_of_keys(text)
    assert {place: found.get(place) for place in expected} == expected


@given(documents())
def test_windows_line_ends_change_no_line(document: tuple[str, dict[tuple[str, ...], int]]) -> None:
    text, expected = document
    found = lines_of_keys(text.replace("\n", "\r\n"))
    assert {place: found.get(place) for place in expected} == expected


@given(st.text(max_size=300))
def test_any_text_is_walked_without_an_error_once_tomllib_accepts_it(text: str) -> None:
    try:
        tomllib.loads(text)
    except ValueError:
        return
    lines_of_keys(text)
