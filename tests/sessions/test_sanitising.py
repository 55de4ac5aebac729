"""T15 and T18 for what leaves a transcript: nobody's words become structure, and no known secret goes along."""

from __future__ import annotations

import re

import pytest
from guard.secret_corpus import Maker, look_alikes, positives
from hypothesis import given
from hypothesis import strategies as st
from sessions.forged import FORGED

from holdfast.guard.text_rules import admit
from holdfast.llm.chat_model import Role
from holdfast.transcripts.sanitizer import HIDDEN, make_inert, without_recalled, words_of

SEED = 20261115
UNSEEN = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")


def test_only_what_users_and_assistants_said_is_kept() -> None:
    assert words_of(Role.USER, " When is it? \n") == "When is it?"
    assert words_of(Role.ASSISTANT, "On Monday.") == "On Monday."
    assert words_of(Role.SYSTEM, "You are an agent.") == ""
    assert words_of(Role.TOOL, "{'rows': 12}") == ""


@pytest.mark.parametrize("tag", sorted(HIDDEN))
def test_hidden_turns_are_left_out(tag: str) -> None:
    assert words_of(Role.USER, "Save what matters.", (tag,)) == ""
    assert words_of(Role.USER, "Save what matters.", ("other",)) != ""


def test_an_answer_that_is_none_is_left_out() -> None:
    assert words_of(Role.ASSISTANT, "NO_REPLY\n") == ""
    assert words_of(Role.ASSISTANT, "The word NO_REPLY means silence.") != ""


def test_recalled_blocks_are_cut_out() -> None:
    block = '<memory-0123456789ab path="MEMORY.md#3" origin="user">\n| the launch is on Monday\n</memory-0123456789ab>'
    assert without_recalled(f"So: {block} and so on") == "So:  and so on"
    assert words_of(Role.USER, f"{block}\n{block}\nWhen?") == "When?"


def test_a_recalled_block_that_is_not_closed_goes_on_to_the_end() -> None:
    assert words_of(Role.USER, "Hello <memory-0123456789ab>\n| the launch") == "Hello"
    assert words_of(Role.USER, "Hello <memory-aa>\n| x\n</memory-bb> more") == "Hello"


def test_what_hides_a_fence_or_a_secret_is_taken_out_first() -> None:
    assert words_of(Role.USER, "a <mem\x00ory-ab>hidden</memory-ab> b") == "a  b"
    token = "gh" + "p_" + Maker(SEED).draw("abcdefghijkABCDEFGHIJK0123456789", 36)
    assert words_of(Role.USER, "\x1b".join((token[:9], token[9:]))) == "[redacted: GitHub token]"


@pytest.mark.row("T18")
@pytest.mark.row("secrets")
@pytest.mark.promise("P12")
def test_no_known_kind_of_secret_is_kept() -> None:
    missed = []
    for positive in positives(SEED):
        left = UNSEEN.sub("", words_of(Role.USER, positive.text))
        if positive.secret in left or any(part in left for part in re.findall(r"\w{12,}", positive.secret)):
            missed.append((positive.kind, positive.form))
    assert missed == []


@pytest.mark.promise("P12")
@pytest.mark.parametrize("joint", ["\n", " \n  ", "\n> ", "\r\n", "\n\t"])
def test_a_token_that_is_broken_over_lines_is_not_kept(joint: str) -> None:
    maker = Maker(SEED)
    missed = []
    for positive in positives(SEED):
        if positive.form != "bare" or " " in positive.secret or "\n" in positive.secret or len(positive.secret) < 24:
            continue
        token = positive.secret
        cut = maker.rng.randrange(6, len(token) - 6)
        left = words_of(Role.USER, positive.text.replace(token, joint.join((token[:cut], token[cut:]))))
        if "[redacted: " not in left or token[cut:] in left:
            missed.append((positive.kind, cut, left))
    assert missed == []


def test_a_sentence_after_a_token_stays() -> None:
    token = "gh" + "p_" + Maker(SEED).draw("abcdefghijkABCDEFGHIJK0123456789", 36)
    assert words_of(Role.USER, f"Use {token}\nThen restart it.") == "Use [redacted: GitHub token]\nThen restart it."


def test_what_only_looks_like_a_secret_stays() -> None:
    changed = [
        text for text in look_alikes(SEED) if "[redacted" in words_of(Role.USER, text) and "[redacted" not in text
    ]
    assert len(changed) <= len(look_alikes(SEED)) // 50


@pytest.mark.promise("P11")
def test_no_line_is_structure_afterwards() -> None:
    for line in (line for text in FORGED for line in words_of(Role.USER, text).split("\n")):
        safe = make_inert(line)
        bare = safe.strip()
        assert not re.match(r"#{1,6}(\s|$)|```|~~~|={1,}$|-{2,}$|([-*_]\s*){3,}$", bare)
        assert not re.match(r"([-*+]|\d+[.)])?\s*\*\*(user|assistant|system|tool)", bare, re.IGNORECASE)
        assert not re.search(r"<!|-->|<\?|</?memory", safe, re.IGNORECASE)
        assert admit(safe) == safe


@given(st.text(alphabet="#-=*_`~<>!/memoryusr \t\n\r\x00\x1b\u2028\u202e0a1b:(){}[]", max_size=200))
def test_whatever_is_said_can_be_kept(text: str) -> None:
    words = words_of(Role.USER, text)
    assert admit(words) == words
    assert words_of(Role.USER, words) == words
    for line in words.split("\n"):
        assert not re.match(r"\s*(#{1,6}(\s|$)|```|~~~)", make_inert(line))


@pytest.mark.promise("P13")
@pytest.mark.parametrize(
    "pump", ["a \n", " ", "<memory-a ", "<memory-a>", "ghp_aB3\n", "`", "- - ", "\ufe0f\x00", "**user"]
)
def test_no_text_makes_it_slow(pump: str) -> None:
    text = pump * (400_000 // len(pump))  # the whole suite has a time limit for each test
    for line in words_of(Role.USER, text).split("\n"):
        make_inert(line)
