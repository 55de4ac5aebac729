"""Who speaks in a note, and where: labels that come again, roles, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.markdown.lines import split_lines
from holdfast.markdown.speakers import Voice, turns, voice_of

NAMES = st.sampled_from(["Ann", "Bo", "Dr. Li", "José", "王芳", "Mary Ann", "user", "assistant"])
SAID = st.sampled_from(["yes", "in May, I think: the 3rd", "no {idea}", "see https://example.org/a", "**really**"])
SHAPES = ["**{}**: {}", "**{}:** {}", "__{}__: {}", "- **{}**: {}", "> **{}**: {}", "- **{}** (12:01): {}"]


def spoken(text: str) -> dict[int, Voice]:
    lines = split_lines(text)
    return dict(turns(lines, 0, len(lines)))


@given(st.lists(st.tuples(NAMES, SAID), min_size=5, max_size=12), st.sampled_from(SHAPES))
def test_every_line_that_somebody_begins_is_a_turn_of_theirs(said: list[tuple[str, str]], shape: str) -> None:
    names = {name.lower() for name, _ in said}
    found = spoken("\n".join(shape.format(*one) for one in said))
    if len(names) > 1 and (len(names) < len(said) or names & {"user", "assistant"}):
        assert found == {at: voice_of(name) for at, (name, _) in enumerate(said)}


@given(st.text(max_size=300))
def test_any_text_has_turns_only_at_its_own_lines_with_text(text: str) -> None:
    lines = split_lines(text)
    for at, voice in spoken(text).items():
        assert lines[at].strip() and voice is not Voice.UNKNOWN


@pytest.mark.parametrize("role", ["assistant", "Assistant", "AI", "ChatGPT", "Claude", "system", "tool"])
def test_what_a_program_says_is_an_assistants(role: str) -> None:
    assert spoken(f"User: hi\n{role}: hello") == {0: Voice.PERSON, 1: Voice.ASSISTANT}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Ann: hello",
        "Ann: hello\nBo: hello",  # nobody speaks twice, and neither says what they are
        "  Ann: a\n  Bo: b\n  Ann: c",  # indented: the lines of something else
        "Dear all,\nPlease note: we close at 5.\nPlease note: we open at 9.\n",
        "http://a.example\nhttp://b.example\nhttp://a.example",
        "10:42 up\n10:43 down\n10:42 up",
    ],
)
def test_what_nobody_says_has_no_turns(text: str) -> None:
    assert spoken(text) == {}


def test_among_much_else_a_few_labels_are_no_conversation() -> None:
    assert spoken("\n\n".join(["Ann: a", "Bo: b", "Ann: c", *(f"Paragraph {n}." for n in range(20))])) == {}
