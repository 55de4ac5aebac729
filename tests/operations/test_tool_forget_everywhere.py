"""Forgetting for good (T22): afterwards no byte of the home tells of it."""

from __future__ import annotations

import json
import os
import random
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from unicodedata import normalize

import pytest
from counts import counted
from hypothesis import given
from hypothesis import strategies as st

from holdfast import Memory
from holdfast.embeddings.fake_embedder import FakeEmbedder
from holdfast.errors import BadArgument, ForgottenForGood
from holdfast.forgetting.text_variants import Trace
from holdfast.guard.origin import Origin
from holdfast.index.sqlite.job_rows import Jobs
from holdfast.llm.chat_model import ToolCall
from holdfast.llm.scripted_model import ScriptedModel

SECRET = "The quokka lives at Elm Street 55"


@pytest.fixture
def memory(home: Path) -> Iterator[Memory]:
    settings = {"memory.sources": ["memory", "sessions"], "chat.prompt_memory_mode": "frozen-at-session-start"}
    with Memory.open(home, settings=settings, embedder=FakeEmbedder(), origin=Origin.USER) as opened:
        yield opened


def ways(text: str) -> list[bytes]:
    """A text as files may hold it."""
    forms = [text, normalize("NFD", text), normalize("NFC", text)]
    forms += [json.dumps(form)[1:-1] for form in forms] + [json.dumps(json.dumps(form))[3:-3] for form in forms]
    return [form.encode() for form in dict.fromkeys(forms)]


def holding(home: Path, *texts: str) -> list[str]:
    wanted = [way for text in texts for way in ways(text)]
    found = []
    for file in sorted(home.rglob("*")):
        data = file.read_bytes() if file.is_file() else b""
        if any(way in data for way in wanted):
            found.append(str(file.relative_to(home)))
    return found


@pytest.mark.promise("P15")
def test_a_text_is_cleared_from_every_place_at_once_and_the_report_counts_them(home: Path, memory: Memory) -> None:
    memory.save(f"# Me\n\n- {SECRET}\n- Works at Acme\n")
    memory.save(f"Somebody said that {SECRET}, perhaps.\n", file="memory/b.md")
    memory.save("- later\n")
    session = memory.session("talk")
    session.prompt()  # the frozen snapshot holds MEMORY.md
    session.append("user", SECRET)
    call = ToolCall("1", "memory_save", {"content": f'He said "{SECRET}"\n'})
    session.append("assistant", f"Noted: {SECRET}.", tool_calls=[call])
    session.append("tool", json.dumps({"text": f"| {SECRET}"}), tool_call_id="1", tool_name="memory_save")
    session.state.set("plan", "next", {"why": SECRET})
    session.export()
    session.reset()
    session.append("user", f"Once more: {SECRET}")
    session.state.set("plan", "next", ["x", SECRET])
    session.prompt()
    memory.sync()
    memory.get(chunk_id=memory.search("quokka").results[0].chunk_id)
    before = memory.forget(text=SECRET, everywhere=True, dry_run=True)
    assert before.cleared is not None
    assert (before.forgotten, before.dry_run) == ((), True)
    assert memory.forget(text=SECRET, dry_run=True).needs_confirmation
    done = memory.forget(text=SECRET, everywhere=True)
    assert done.cleared == before.cleared.replace(dry_run=False)
    assert done.to_json()["everywhere"]["left"] == []
    counts = (done.cleared.notes, done.cleared.exports, done.cleared.transcripts, done.cleared.messages)
    assert counts == (2, 1, 2, 4)
    assert (
        done.cleared.state == 3
    )  # the plan, the snapshot of the prompt, and what an undo of the reset would bring back
    assert done.cleared.checkpoints == 4
    assert done.checkpoint_ids == ()
    assert holding(home, SECRET) == []
    assert not any("quokka" in str(file) for file in home.rglob("*"))  # exports are named after what was said
    assert (home / "MEMORY.md").read_text(encoding="utf-8") == "# Me\n\n- Works at Acme\n- later\n"
    assert (home / "memory/b.md").read_text(encoding="utf-8") == "Somebody said that , perhaps.\n"
    assert [one.text for one in session.messages()] == ["Once more: [forgotten]"]
    memory.ctx.session_index.wait()
    assert all("Elm" not in hit.snippet for hit in memory.search("quokka Elm Street", min_score=0.0).results)
    assert holding(home, SECRET) == []


@pytest.mark.row("T22", texts=counted(6, 200), found_again=0)
@pytest.mark.promise("P15")
@pytest.mark.fault
def test_no_byte_of_two_hundred_texts_is_found_again(home: Path, memory: Memory) -> None:
    chance = random.Random(22)
    letters = "abcdefghijklmnopqrstuvwxyzéüß漢字кл"
    session = memory.session("talk")

    def word() -> str:
        return "".join(chance.choice(letters) for _ in range(chance.randint(4, 9)))

    memory.save("".join(f"- keeps {word()} {word()}\n" for _ in range(30)), file="memory/keep.md")
    kept = (home / "memory/keep.md").read_bytes()
    for number in range(counted(6, 200)):
        odd = chance.choice(["", 'says "', "a/b ", "x\\y "])
        text = f"{word()} {odd}{word()} {word()} no{number}"
        note = f"memory/n{number % 7}.md"
        shape = [f"- {text}\n", f"Other things. {text}. More of it.\n", f"- a\n  - {text}\n", f"> {text}\n"]
        eol = chance.choice(["\n", "\r\n"])
        memory.save(chance.choice(shape).replace("\n", eol), file=note)
        session.append(chance.choice(["user", "assistant"]), f"I said {text} just now")
        session.state.set("any", f"k{number % 3}", {"said": text})
        memory.search(text[:40])
        if number % 3 == 0:
            memory.delete(note, text=text)  # only checkpoints, free pages and the log hold it
        if number % 5 == 0:
            memory.session(f"s{number}").append("user", text)
            memory.session(f"s{number}").export()
        if number % 4 == 0:
            space = memory.ctx.database.spaces()[0]
            Jobs(memory.ctx.database.connection, space).begin([f"{number:064x}"])
        done = memory.forget(text=text, everywhere=True)
        assert done.cleared is not None
        assert done.cleared.left == ()
        assert holding(home, text) == [], (number, text)
    assert (home / "memory/keep.md").read_bytes() == kept
    with closing(sqlite3.connect(f"file:{home}/state/main.sqlite?mode=ro", uri=True)) as raw:
        assert raw.execute("SELECT count(*) FROM job_rows").fetchone() == (0,)


def test_what_the_model_chose_is_cleared_everywhere_too(home: Path, memory: Memory) -> None:
    memory.save(f"- {SECRET}\n- Works at Acme\n")
    memory.session("talk").append("user", f"As you know, {SECRET}!")
    memory.ctx.chat_model = ScriptedModel('{"statements": [1]}', '{"statements": [1]}')
    preview = memory.forget("Forget where the quokka lives", everywhere=True, dry_run=True)
    assert preview.cleared is not None
    assert preview.cleared.places == 3
    assert holding(home, SECRET)
    done = memory.forget("Forget where the quokka lives", everywhere=True)
    assert [one.text for one in done.forgotten] == [f"- {SECRET}"]
    assert done.checkpoint_ids == ()
    assert holding(home, SECRET) == []


def test_a_doubt_clears_nothing_anywhere(home: Path, memory: Memory) -> None:
    memory.save(f"- {SECRET}\n- Works at Acme\n")
    memory.ctx.chat_model = ScriptedModel("no idea")
    done = memory.forget("Forget where the quokka lives", everywhere=True)
    assert done.needs_confirmation
    assert done.cleared is None
    assert "MEMORY.md" in holding(home, SECRET)


def test_it_can_be_asked_for_twice_and_after_the_note_is_clean(home: Path, memory: Memory) -> None:
    memory.save(f"- {SECRET}\n- x\n")
    memory.forget(text=SECRET)
    assert [Path(path).parts[:2] for path in holding(home, SECRET)] == [("state", "checkpoints")]
    memory.forget(text=SECRET, everywhere=True)
    assert holding(home, SECRET) == []
    again = memory.forget(text=SECRET, everywhere=True)
    assert again.cleared is not None
    assert again.cleared.places == 0


def test_checkpoints_that_do_not_hold_it_stay_and_can_be_restored(home: Path, memory: Memory) -> None:
    first = memory.save("- one\n").checkpoint_id
    second = memory.save("- two\n").checkpoint_id
    memory.save(f"- {SECRET}\n")
    memory.save("- three\n")
    memory.forget(text=SECRET, everywhere=True)
    assert [one.id for one in memory.history()] == [second, first]
    memory.restore(second)
    assert (home / "MEMORY.md").read_text(encoding="utf-8") == "- one\n"
    assert memory.status(deep=True).to_json()
    memory.undo()
    assert (home / "MEMORY.md").read_text(encoding="utf-8") == "- one\n- two\n- three\n"


def test_undo_has_nothing_to_bring_back(home: Path, memory: Memory) -> None:
    memory.save(f"- {SECRET}\n")
    memory.forget(text=SECRET, everywhere=True)
    assert memory.history() == []
    assert not (home / "MEMORY.md").exists()


def test_other_agents_and_files_that_are_not_ours_are_named_and_left_alone(home: Path, memory: Memory) -> None:
    with Memory.open(home, "bob", embedder=FakeEmbedder(), origin=Origin.USER) as other:
        other.save(f"- {SECRET}\n")
        other.session("talk").append("user", SECRET)
    (home / "holdfast.toml").write_text(f'# {SECRET}\n[user]\nname = "Ana"\n', encoding="utf-8")
    (home / "memory/deep").mkdir(parents=True)
    (home / "memory/deep/own.md").write_text(f"- {SECRET}\n- b\n", encoding="utf-8")
    done = memory.forget(text=SECRET, everywhere=True)
    assert done.cleared is not None
    assert {"agents/bob/MEMORY.md", "holdfast.toml", "sessions/bob/talk.jsonl"} < set(done.cleared.left)
    assert not [path for path in done.cleared.left if "bob" not in path and path != "holdfast.toml"]
    assert (home / "memory/deep/own.md").read_text(encoding="utf-8") == "- b\n"
    assert "some files still hold it" in done.because


def test_the_profile_and_a_damaged_index_are_cleared(home: Path, memory: Memory) -> None:
    memory.save("- x\n")
    memory.profile.save("location", "55 Elm Street, Zanzibar")
    (home / "USER.md").write_text("# User\n\n- location: 55 Elm Street, Zanzibar\n- tea\n", encoding="utf-8")
    (home / "state/main.sqlite.damaged-0123abcd").write_bytes(b"\0\0 55 Elm Street, Zanzibar \0")
    done = memory.forget(text="55 Elm Street, Zanzibar", everywhere=True)
    assert done.cleared is not None
    assert set(done.cleared.left) <= {"holdfast.toml"}
    assert "Elm" not in (home / "USER.md").read_text(encoding="utf-8")
    assert not (home / "state/main.sqlite.damaged-0123abcd").exists()


def test_a_transcript_keeps_its_lines_their_places_and_half_a_last_line(home: Path, memory: Memory) -> None:
    session = memory.session("talk")
    for text in ("before", f"{SECRET} and more", "after"):
        session.append("user", text)
    file = home / "sessions/main/talk.jsonl"
    with file.open("ab") as torn:
        torn.write(b'{"kind":"message","text":"' + SECRET.encode())
    before = file.read_bytes()
    memory.forget(text=SECRET, everywhere=True)
    after = file.read_bytes()
    assert [len(line) for line in after.split(b"\n")] == [len(line) for line in before.split(b"\n")]
    assert [one.text for one in session.messages()] == ["before", "[forgotten] and more", "after"]
    assert session.append("user", "goes on").text == "goes on"
    assert len(session.messages()) == 4
    assert file.stat().st_mode & 0o777 == 0o600


def test_an_export_that_was_cleared_still_counts_as_ours(home: Path, memory: Memory) -> None:
    session = memory.session("talk")
    session.append("user", "Hello there")
    session.append("assistant", SECRET)
    first = session.export()
    assert first is not None
    memory.forget(text=SECRET, everywhere=True)
    session.append("user", "and on")
    again = session.export()
    assert again is not None
    assert (again.path, again.replaced) == (first.path, True)


@pytest.mark.parametrize("text", ["a", "- ab", "...", "  \n"])
def test_a_text_too_short_to_be_meant_is_refused(memory: Memory, text: str) -> None:
    memory.save("- abacus\n")
    with pytest.raises(BadArgument):
        memory.forget(text=text, everywhere=True)


def test_a_word_that_only_contains_it_stays(home: Path, memory: Memory) -> None:
    memory.save("- Lives in Lima\n- Lives in Limassol\n")
    memory.forget(text="Lives in Lima", everywhere=True)
    assert (home / "MEMORY.md").read_text(encoding="utf-8") == "- Lives in Limassol\n"


def test_links_out_of_the_home_are_not_followed(home: Path, memory: Memory, tmp_path: Path) -> None:
    memory.save(f"- {SECRET}\n", file="memory/a.md")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.md").write_text(SECRET, encoding="utf-8")
    os.symlink(outside, home / "memory/link")
    os.symlink(outside / "x.md", home / "x.md")
    done = memory.forget(text=SECRET, everywhere=True)
    assert done.cleared is not None
    assert done.cleared.left == ()
    assert (outside / "x.md").read_text(encoding="utf-8") == SECRET


@given(st.text(alphabet='abé漢"\\/<&> \n😀Z5.', min_size=6, max_size=30))
def test_every_way_of_writing_a_text_is_found_and_replaced(text: str) -> None:
    text = " ".join(text.split(" "))
    try:
        trace = Trace(text)
    except BadArgument:
        return
    text = trace.text
    for data in [*ways(text), text.replace("\n", "\r\n").encode(), json.dumps({"a": f"\n{text}\n"}).encode()]:
        framed = b"\n" + data + b"\n"
        assert trace.holds(framed), data
        assert not trace.holds(trace.replaced(framed))


@pytest.mark.promise("P1")
def test_no_message_is_lost_that_is_added_while_the_transcript_is_cleared(home: Path, memory: Memory) -> None:
    session = memory.session("talk")
    session.append("user", SECRET)
    many = 40
    started = threading.Event()

    def talk() -> None:
        with Memory.open(home, embedder=FakeEmbedder()) as other:
            speaker = other.session("talk")
            for number in range(many):
                speaker.append("user", f"message {number}; {SECRET if number % 5 == 0 else 'nothing'}")
                started.set()

    thread = threading.Thread(target=talk)
    thread.start()
    started.wait(30)
    while thread.is_alive():
        memory.forget(text=SECRET, everywhere=True)
    thread.join()
    memory.forget(text=SECRET, everywhere=True)
    said = [one.text.partition(";")[0] for one in session.messages()[1:]]
    assert said == [f"message {number}" for number in range(many)]
    assert holding(home, SECRET) == []


def test_an_undo_after_forgetting_everywhere_says_that_this_can_not_be_undone(home: Path, memory: Memory) -> None:
    memory.save("- The launch is in May\n")
    memory.save(f"- {SECRET}\n")
    memory.forget(text=SECRET, everywhere=True)
    kept = (home / "MEMORY.md").read_bytes()
    with pytest.raises(ForgottenForGood, match="can't be undone"):
        memory.undo()
    assert (home / "MEMORY.md").read_bytes() == kept
    memory.save("- The office moved\n")
    memory.undo()  # what came later
    assert (home / "MEMORY.md").read_bytes() == kept
    with pytest.raises(ForgottenForGood):
        memory.undo()
    assert memory.undo(force=True).existed is False, "who insists goes back further"


@pytest.mark.parametrize("everywhere", [False, True])
def test_no_empty_heading_of_dreaming_stays_behind(home: Path, everywhere: bool) -> None:
    line = "I drink green tea every morning"
    home.mkdir(exist_ok=True)
    (home / "MEMORY.md").write_text(
        f"# Me\n\nAda.\n\n## Consolidated Memory (2026-11-15)\n\n- {line}\n\n## Mine\n\nx\n"
    )
    with Memory.open(home, origin=Origin.USER) as memory:
        memory.forget(text=line, everywhere=everywhere)
    assert (home / "MEMORY.md").read_text() == "# Me\n\nAda.\n\n## Mine\n\nx\n"
