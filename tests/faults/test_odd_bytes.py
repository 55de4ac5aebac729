"""T20: bytes, texts and questions that nobody should send (P13)."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from counts import counted
from faults.odd_bytes import FTS_SYNTAX, OddFile, odd_file
from faults.rebuilding import notes_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.errors import HoldfastError

pytestmark = [pytest.mark.fault, pytest.mark.promise("P13")]

_SURROGATES = ("\ud800", "\udfff x", "word \udc80 word", "memory/\ud800.md", "memory/\udcff.md:3", "\ud83d")


@pytest.mark.row("T20", files=counted(60, 5_000), changed=0, crashed=0)
def test_odd_files_are_found_at_their_true_lines_or_skipped_with_a_reason_and_never_changed(home: Path) -> None:
    chance = random.Random(20)
    files = {f"memory/odd{number}.md": odd_file(chance, number) for number in range(counted(60, 5_000))}
    (home / "memory").mkdir(parents=True)
    for path, odd in files.items():
        (home / path).write_bytes(odd.data)
    with Memory.open(home, settings={"memory.search.snippet_chars": 300}) as memory:
        skipped = dict(memory.sync().skipped)
        assert set(skipped) == {path for path, odd in files.items() if odd.line is None}
        assert all(skipped.values())
        for path, odd in files.items():
            if odd.line is None:
                _check_unreadable(memory, path, odd)
            else:
                _check_citation(memory, path, odd.token, odd.line)
        memory.sync(force=True)
    assert notes_of(home) == {path: odd.data for path, odd in files.items()}


def _check_unreadable(memory: Memory, path: str, odd: OddFile) -> None:
    assert path not in {hit.path for hit in memory.search(odd.token).results}
    with pytest.raises(HoldfastError):
        memory.get(path)
    assert memory.tools().call("memory_get", {"path": path})["error"]["type"] == "BadText"


def _check_citation(memory: Memory, path: str, token: str, line: int) -> None:
    hits = [hit for hit in memory.search(token, max_results=100, by_passage=True).results if hit.path == path]
    assert hits, f"{token} of {path} was not found"
    # Neighbouring chunks overlap, so several hits may hold the line; each that shows the token must cite it.
    showing = [hit for hit in hits if token in hit.snippet]
    assert showing
    for hit in showing:
        assert hit.start_line <= line <= hit.end_line, (path, hit, line)
        got = memory.get(path, from_line=hit.start_line, lines=hit.end_line - hit.start_line + 1)
        assert token in got.text, (path, hit)
        chunk = memory.get(chunk_id=hit.chunk_id)
        assert chunk.from_line <= line < chunk.from_line + chunk.lines and token in chunk.text


@pytest.fixture(scope="module")
def toolbox_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("toolbox")
    with Memory.open(home) as memory:
        memory.save("# Query\n\nThe token stands here. NEAR OR AND NOT title body.", file="memory/a.md")
        for number, text in enumerate(FTS_SYNTAX):
            memory.tools().call("memory_save", {"content": f"{text} plain{number}z", "file": f"memory/s{number}.md"})
    return home


@pytest.fixture
def memory(toolbox_home: Path) -> Iterator[Memory]:
    with Memory.open(toolbox_home, embedder=FakeEmbedder()) as opened:
        yield opened


@pytest.mark.row("T20")
def test_search_syntax_is_plain_text_in_questions_and_in_notes(memory: Memory) -> None:
    notes = notes_of(Path(memory.home))
    for number, text in enumerate(FTS_SYNTAX):
        for question in (text, f"{text} plain{number}z", f"plain{number}z {text}"):
            answer = memory.tools().call("memory_search", json.dumps({"query": question}))
            _json_again(answer)
            if "error" in answer:
                assert answer["error"]["type"] in ("BadArgument", "BadText", "TooLarge")
            elif "plain" in question and " -" not in f" {question}" and f"memory/s{number}.md" in notes:
                assert f"memory/s{number}.md" in {hit["path"] for hit in answer["results"]}, question
    assert notes_of(Path(memory.home)) == notes


def test_lone_surrogates_in_any_argument_of_any_tool_are_refused_or_harmless(memory: Memory) -> None:
    notes = notes_of(Path(memory.home))
    box = memory.tools()
    for schema in box.openai():
        parameters = schema["function"]["parameters"]
        strings = [name for name, kind in parameters["properties"].items() if kind["type"] == "string"]
        for name in strings:
            for bad in _SURROGATES:
                arguments = dict.fromkeys(parameters["required"], "memory/a.md") | {name: bad}
                # As a model sends it: JSON text in which half a character is an escape.
                _json_again(box.call(schema["function"]["name"], json.dumps(arguments)))
    assert notes_of(Path(memory.home)) == notes


@pytest.mark.parametrize("text", ["[" * 200_000, '{"query":' * 50_000, "{", "nul", '"x"', "[]", "\ud800", "9" * 5_000])
def test_arguments_that_are_no_object_are_refused(memory: Memory, text: str) -> None:
    assert memory.tools().call("memory_search", text)["error"]["type"] == "BadArgument"


@pytest.mark.row("T20", calls=counted(10, 3_000), crashed=0)
def test_any_call_gives_an_answer_or_a_typed_error(memory: Memory) -> None:
    box = memory.tools()
    texts = st.text(st.characters(), max_size=40) | st.sampled_from([*FTS_SYNTAX, *_SURROGATES, "memory/a.md"])
    values = texts | st.integers() | st.floats() | st.booleans() | st.none() | st.lists(st.integers(), max_size=2)

    @settings(
        max_examples=counted(10, 3_000),
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow],
        database=None,
    )
    @given(st.data())
    def calls(data: st.DataObject) -> None:
        schema = data.draw(st.sampled_from(box.openai()))["function"]
        if schema["name"] == "memory_save":
            return  # it may well succeed; the next test is about it
        names = [*schema["parameters"]["properties"], "unknown"]
        arguments = data.draw(st.dictionaries(st.sampled_from(names), values, max_size=5))
        _json_again(box.call(schema["name"], arguments))

    calls()


@pytest.mark.row("T20", calls=counted(6, 1_000), crashed=0)
def test_any_text_is_saved_exactly_or_refused_whole(memory: Memory) -> None:
    @settings(max_examples=counted(6, 1_000), deadline=None, derandomize=True, database=None)
    @given(st.text(st.characters(), min_size=1, max_size=60))
    def save(text: str) -> None:
        path = Path(memory.home) / "memory" / "any.md"
        path.unlink(missing_ok=True)
        answer = memory.tools().call("memory_save", {"content": text, "file": "memory/any.md", "append": False})
        _json_again(answer)
        if "error" in answer:
            assert not path.exists()
        else:
            lines = text.replace("\r\n", "\n")
            assert path.read_bytes().decode("utf-8") == (lines if lines.endswith("\n") else f"{lines}\n")

    save()


def _json_again(answer: dict[str, Any]) -> None:
    assert json.loads(json.dumps(answer, allow_nan=False)) == answer


@pytest.mark.parametrize(
    "arguments",
    [
        [b"search", b"\xff\xfe"],
        [b"search", b"\xe2\x80\xae OR ("],
        [b"save", b"\xff"],
        [b"save", b"x", b"--file", b"memory/\xff.md"],
        [b"get", b"memory/\xff.md"],
        [b"get", b"--chunk-id", b"\xff"],
        [b"get", b"--chunk-id", b"\xff.md:1"],
        [b"delete", b"memory/a.md", b"--text", b"\xff"],
        [b"history", b"\xff"],
        [b"restore", b"\xff"],
        [b"diff", b"\xff"],
        [b"config", b"get", b"\xff"],
        [b"config", b"set", b"memory.model", b"\xff"],
        [b"\xff"],
        [b"search", b"x", b"--agent", b"\xff"],
    ],
    ids=repr,
)
@pytest.mark.parametrize("as_json", [b"--json", b""], ids=["json", "text"])
def test_a_command_line_that_is_not_utf8_gets_an_answer_and_no_trace(
    home: Path, arguments: list[bytes], as_json: bytes
) -> None:
    code = b"from holdfast.surfaces.cli.main import run; run()"
    line = [os.fsencode(sys.executable), b"-c", code, *arguments, *([as_json] if as_json else [])]
    done = subprocess.run(line, capture_output=True, timeout=60, stdin=subprocess.DEVNULL)
    assert b"Traceback" not in done.stderr, done.stderr.decode("utf-8", "replace")
    assert done.returncode in range(13)
    done.stdout.decode("utf-8")
    if as_json and done.stdout:
        json.loads(done.stdout)
