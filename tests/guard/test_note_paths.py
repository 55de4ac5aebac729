from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.errors import BadAgent, BadPath
from holdfast.guard.origin import Origin
from holdfast.guard.paths import NotePath, agent_id, conflict_fault, name_fault, readable_path, twin_key, writable_path

WRITABLE = [
    "MEMORY.md",
    "memory.md",
    "memory/a.md",
    "memory/2026-11-15.md",
    "memory/v1.2.md",
    "memory/Ünïcode.md",
    "memory/日本語.md",
    "memory/c++(notes)[1],x=y@z&'q'!$.md",
    "memory/confidential.md",
    "memory/console.md",
    "memory/" + "n" * 197 + ".md",
    "memory/🦀.md",
]
WHY = {
    "": "empty",
    "/etc/passwd": "absolute",
    "//server/share/a.md": "absolute",
    "/memory/a.md": "absolute",
    "C:\\a.md": "backslash",
    "C:/a.md": "drive letter",
    "\\\\server\\share\\a.md": "backslash",
    "memory\\a.md": "backslash",
    "memory/../a.md": "'..' segment",
    "../memory/a.md": "'..' segment",
    "memory/./a.md": "'.' segment",
    "memory//a.md": "empty segment",
    "memory/": "empty segment",
    "memory/a\0.md": "control character",
    "memory/a\x1b.md": "control character",
    "memory/a\n.md": "white space",
    "memory/%2e%2e/a.md": "'%'",
    "memory/100%.md": "'%'",
    "~/a.md": "'~'",
    "memory/a.md~": "'~'",
    "https://x.example/a.md": "URL",
    "file:a.md": "URL",
    "memory/a.md:stream": "':'",
    "memory/a b.md": "white space",
    " memory/a.md": "white space",
    "memory/a.md ": "white space",
    "memory/a\u00a0b.md": "white space",
    "memory/a\u3000b.md": "white space",
    "memory/a.txt": "'.md'",
    "memory/a.MD": "'.md'",
    "memory/a.md.": "dot",
    "memory/a..md": "dot",
    "memory/.md": "dot",
    "memory/.a.md": "dot",
    "memory": "'.md'",
    "a.md": "memory/",
    "Memory/a.md": "memory/",
    "USER.md": "memory/",
    "memory.md/a.md": "memory/",
    "state/a.md": "memory/",
    "memory/CON.md": "device",
    "memory/nul.md": "device",
    "memory/com1.x.md": "device",
    "memory/LPT¹.md": "device",
    "memory/conout$.md": "device",
    "memory/u\u0308.md": "NFC",
    "memory/a\u200bb.md": "invisible",
    "memory/a\u200db.md": "invisible",
    "memory/a\u202eb.md": "invisible",
    "memory/a\ufe0fb.md": "invisible",
    "memory/\u3164.md": "invisible",
    "memory/a\ud800.md": "surrogate",
    "memory/a\uffff.md": "noncharacter",
    "memory/\uff0e\uff0e.md": "look-alike",
    "memory/a\u2215b.md": "look-alike",
    "memory/a?.md": "Windows",
    "memory/" + "n" * 198 + ".md": "200 bytes",
    "memory/" + "é" * 99 + ".md": "200 bytes",
    "memory/" + "d/" * 600 + "a.md": "1,000 bytes",
    "memory/" + "日/" * 300 + "a.md": "1,000 bytes",
    "memory/a.sync-conflict-20260101-120000-ABC.md": "conflict",
    "memory/a(conflicted-copy).md": "",
    "memory/.#a.md": "conflict",
    "memory/#a.md#": "conflict",
    "memory/.a.md.0123456789abcdef.hf-tmp": "temporary",
}


# Names that people, editors and macOS give to files: we read them, and make none.
OWNERS_CHOICE = (
    "memory/a b.md",
    "memory/u\u0308.md",
    "memory/100%.md",
    "memory/%2e%2e/a.md",
    "memory/a?.md",
    "memory/a..md",
    "memory/CON.md",
    "memory/nul.md",
    "memory/com1.x.md",
    "memory/LPT¹.md",
    "memory/conout$.md",
)


@pytest.mark.parametrize("text", WRITABLE)
def test_plain_paths_may_be_read_and_written(text: str) -> None:
    assert writable_path(text) == readable_path(text) == NotePath(text)


@pytest.mark.parametrize("text", sorted(WHY))
def test_bad_paths_are_refused_with_a_precise_reason(text: str) -> None:
    if not WHY[text]:
        assert writable_path(text).text == text
        return
    with pytest.raises(BadPath) as caught:
        writable_path(text)
    assert WHY[text] in caught.value.why
    assert caught.value.path == text
    if text not in OWNERS_CHOICE:
        with pytest.raises(BadPath):
            readable_path(text)


@pytest.mark.parametrize("text", OWNERS_CHOICE)
def test_what_its_owner_named_may_be_read(text: str) -> None:
    assert readable_path(text).text == text


def test_nested_notes_may_be_read_but_not_written() -> None:
    assert readable_path("memory/sessions/2026/a.md").parts == ("memory", "sessions", "2026", "a.md")
    with pytest.raises(BadPath, match="below a directory"):
        writable_path("memory/sessions/a.md")


def test_conflicted_copies_are_known_by_name() -> None:
    for name in ("a (conflicted copy 2026).md", "a.sync-conflict-1.md", "a.md~", ".#a.md", "#a.md#"):
        assert conflict_fault(name)
    assert conflict_fault("a.md") is None
    assert name_fault("a b.md") is None
    assert name_fault(" a.md") is not None
    assert name_fault("plain-name_1.md") is None
    assert name_fault("é.md") is None


def test_a_note_path_knows_its_parts_and_orders_by_text() -> None:
    path = readable_path("memory/a/b.md")
    assert (path.name, path.is_prompt_memory, str(path)) == ("b.md", False, "memory/a/b.md")
    assert readable_path("MEMORY.md").is_prompt_memory
    assert readable_path("memory.md").is_prompt_memory
    assert readable_path("MEMORY.md").name == "MEMORY.md"
    assert sorted([readable_path("memory/b.md"), readable_path("memory/a.md")])[0].name == "a.md"
    with pytest.raises(AttributeError):
        path.text = "x"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("one", "other"), [("A.md", "a.md"), ("é.md", "e\u0301.md"), ("ﬁ.md", "fi.md"), ("STRASSE.md", "straße.md")]
)
def test_twins_have_one_key(one: str, other: str) -> None:
    assert twin_key(one) == twin_key(other)
    assert twin_key(one) != twin_key("b.md")


@pytest.mark.parametrize("text", ["main", "a", "0", "a_b-c", "x" * 64])
def test_good_agent_ids_pass(text: str) -> None:
    assert agent_id(text) == text


@pytest.mark.parametrize(
    "text", ["", "Main", "-a", "_a", "a/b", "..", "a.b", "é", "x" * 65, "con", "com1", "a\n", " a", "٣"]
)
def test_bad_agent_ids_are_refused(text: str) -> None:
    with pytest.raises(BadAgent) as caught:
        agent_id(text)
    assert caught.value.agent == text


@given(st.text(max_size=60))
def test_whatever_is_readable_stays_inside_and_is_canonical(text: str) -> None:
    for candidate in (text, f"memory/{text}.md"):
        try:
            path = readable_path(candidate)
        except BadPath:
            continue
        assert path.is_prompt_memory or path.parts[0] == "memory"
        assert path.text.endswith(".md")
        assert not {"", ".", ".."} & set(path.parts)
        assert "\\" not in path.text
        assert "\0" not in path.text


@given(st.text(max_size=40))
def test_whatever_is_writable_is_readable(text: str) -> None:
    for candidate in (text, f"memory/{text}.md"):
        try:
            path = writable_path(candidate)
        except BadPath:
            continue
        assert readable_path(candidate) == path
        assert len(path.parts) <= 2


@given(st.text(max_size=30))
def test_the_fast_answer_for_names_agrees_with_the_slow_one(name: str) -> None:
    def passes(candidate: str) -> bool:
        try:
            readable_path(candidate)
        except BadPath:
            return False
        return True

    if "/" not in name:
        assert (name_fault(f"{name}.md") is None) == passes(f"memory/{name}.md")


def test_origins_are_the_words_of_the_design() -> None:
    assert [str(origin) for origin in Origin] == [
        "user",
        "agent",
        "auto_capture",
        "import",
        "mcp_tool",
        "api",
        "outside",
    ]
