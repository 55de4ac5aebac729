"""The real process: what it imports, how it takes signals, closed pipes, full disks and small locales."""

from __future__ import annotations

import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest
from commandline import SCRIPT, done, fresh_process, process
from counts import by_turns

FRAMEWORKS = ["fastapi", "starlette", "uvicorn", "flask", "mcp", "httpx", "openai", "anthropic", "sqlite_vec"]
LOOK = "import json, sys; print(json.dumps(sorted(sys.modules)))"


def modules_after(code: str, *argv: str) -> set[str]:
    """The modules that are loaded after some code has run in a fresh interpreter."""
    program = f"import sys\n{code}\nimport json\nprint('\\n' + json.dumps(sorted(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", program, *argv], capture_output=True, timeout=60, check=True)
    return set(json.loads(ran.stdout.splitlines()[-1]))


def after_command(*argv: str) -> set[str]:
    code = "from holdfast.surfaces.cli.main import main\ntry:\n    main(sys.argv[1:])\nexcept SystemExit: pass"
    return modules_after(code, *argv)


def test_import_holdfast_loads_neither_numpy_nor_a_database_nor_a_framework() -> None:
    loaded = modules_after("import holdfast")
    assert not loaded & {"numpy", "apsw", "watchfiles", "tomlkit", "asyncio", *FRAMEWORKS}
    assert {name for name in loaded if name.startswith("holdfast")} == {"holdfast"}


def test_a_search_loads_neither_what_changes_notes_nor_what_reads_addresses(home: Path) -> None:
    (home / "memory").mkdir(parents=True)
    (home / "memory" / "tea.md").write_text("Green tea in the morning.\n", encoding="utf-8")
    after_command("search", "tea")  # the first one brings the index up to date
    loaded = after_command("search", "tea")
    assert {"numpy", "apsw"} <= loaded
    unused = {"pathlib", "ipaddress", "glob", "holdfast.checkpoints.change", "holdfast.markdown.sentences"}
    assert loaded & unused == set()


STOPPED = """
import sys


class Impatient:
    def find_spec(self, name, path=None, target=None):
        if name == "holdfast.surfaces.cli.parser":
            raise KeyboardInterrupt


sys.meta_path.insert(0, Impatient())
from holdfast.__main__ import run

run()
"""


def test_ctrl_c_while_the_command_line_is_loaded_ends_with_130_and_without_a_traceback() -> None:
    ran = subprocess.run([sys.executable, "-c", STOPPED, "status"], capture_output=True, timeout=60, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, b"", b"")


def test_the_library_loads_numpy_only_for_vectors() -> None:
    settings = "{'memory.disable_rag': True}"
    loaded = modules_after(
        f"from holdfast import Memory\nm = Memory.open(settings={settings})\nm.save('x')\nm.search('x')\nm.close()"
    )
    assert "apsw" in loaded
    assert not loaded & {"numpy", "watchfiles", *FRAMEWORKS}


@pytest.mark.parametrize("argv", [["--help"], ["--version"], ["search", "--help"], ["config", "get", "memory.style"]])
def test_help_loads_neither_numpy_nor_a_database(argv: list[str]) -> None:
    assert not after_command(*argv) & {"numpy", "apsw", "watchfiles", *FRAMEWORKS}


HEAVY = [
    "context",
    "memory",
    "index",
    "search",
    "facts",
    "sessions",
    "dreaming",
    "forgetting",
    "postgres",
    "evaluation",
]


def test_the_help_of_no_command_loads_what_its_operation_runs() -> None:
    loaded = modules_after("from holdfast.surfaces.cli.parser import full_parser\nfull_parser()")
    assert [name for name in loaded if re.match(rf"holdfast\.({'|'.join(HEAVY)})\b", name)] == []
    assert not loaded & {"numpy", "apsw", "asyncio", "inspect", *FRAMEWORKS}


@pytest.mark.parametrize("argv", [["save", "--help"], ["facts", "list", "--help"], ["forget", "--help"]])
def test_help_loads_two_dozen_modules_of_ours(argv: list[str]) -> None:
    assert len([name for name in after_command(*argv) if name.startswith("holdfast")]) <= 26


@pytest.mark.parametrize("argv", [["--help"], ["--version"], ["serch"]])
def test_what_is_about_no_command_loads_none(argv: list[str]) -> None:
    assert not {name for name in after_command(*argv) if name.startswith("holdfast.surfaces.cli.commands.")}


@pytest.mark.parametrize(
    "argv", [["status"], ["search", "x"], ["save", "y"], ["get", "MEMORY.md"], ["undo"], ["index"]]
)
def test_commands_without_vectors_load_no_numpy(monkeypatch: pytest.MonkeyPatch, argv: list[str]) -> None:
    monkeypatch.setenv("HOLDFAST_MEMORY_DISABLE_RAG", "true")
    done("save", "x")
    assert not after_command(*argv) & {"numpy", "watchfiles", "asyncio", *FRAMEWORKS}


def test_the_console_script_runs_and_ends_with_the_status(home: Path) -> None:
    script = shutil.which("holdfast", path=str(Path(sys.executable).parent))
    if script is None:
        pytest.skip("holdfast is not installed as a script here")
    ran = subprocess.run([script, "save", "from the shell"], capture_output=True, timeout=60, check=True)
    assert ran.stdout.startswith(b"Saved to MEMORY.md")
    ran = subprocess.run([script, "get", "memory/none.md"], capture_output=True, timeout=60, check=False)
    assert (ran.returncode, ran.stdout) == (3, b"")
    assert b"Traceback" not in ran.stderr


def test_the_package_itself_can_be_run(home: Path) -> None:
    start = [sys.executable, "-m", "holdfast"]
    ran = subprocess.run([*start, "save", "by module"], capture_output=True, timeout=60, check=True)
    assert ran.stdout.startswith(b"Saved to MEMORY.md")
    ran = subprocess.run([*start, "serch"], capture_output=True, timeout=60, check=False)
    assert (ran.returncode, ran.stderr.startswith(b"usage: holdfast [")) == (2, True)


def piped_into(command: str, *argv: str) -> tuple[int, bytes]:
    """The status and stderr of holdfast when its output goes into another command."""
    line = f'"$0" -c "$1" "${{@:2}}" | {command}; echo "${{PIPESTATUS[0]}}" >&2'
    ran = subprocess.run(
        ["bash", "-c", line, sys.executable, SCRIPT, *argv], capture_output=True, timeout=60, check=False
    )
    *said, status = ran.stderr.splitlines(keepends=True)
    return int(status), b"".join(said)


@pytest.mark.parametrize("reader", ["head -1", "true", "head -c 1"])
@pytest.mark.parametrize("argv", [["get", "MEMORY.md", "--lines", "5000"], ["--help"], ["config", "show"], ["history"]])
def test_a_reader_that_goes_away_is_no_error(home: Path, reader: str, argv: list[str]) -> None:
    done("save", "x" * 80 + "\n" + "y" * 80)
    status, said = piped_into(reader, *argv)
    assert status == 0
    assert b"Traceback" not in said
    assert b"Exception ignored" not in said


def test_a_pipe_that_closes_before_anything_is_written_is_no_error(home: Path) -> None:
    done("save", "x")
    for argv in (["get", "MEMORY.md"], ["--help"], ["search", "x", "--json"]):
        reader, writer = os.pipe()
        os.close(reader)
        ran = subprocess.run(
            [sys.executable, "-c", SCRIPT, *argv], stdout=writer, stderr=subprocess.PIPE, timeout=60, check=False
        )
        os.close(writer)
        assert ran.returncode == 0
        assert b"Traceback" not in ran.stderr
        assert b"Exception ignored" not in ran.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_under_the_output_is_said_and_ends_with_eight(home: Path) -> None:
    done("save", "x")
    with open("/dev/full", "wb") as full:
        ran = subprocess.run(
            [sys.executable, "-c", SCRIPT, "get", "MEMORY.md"],
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    assert ran.returncode == 8
    assert b"No space left" in ran.stderr
    assert b"Traceback" not in ran.stderr


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
@pytest.mark.parametrize(
    "command",
    [
        *("get MEMORY.md", "get memory/none.md", "status --json", "save - ", "index"),
        *("--help", "search --help", "--version", "nonsense"),
    ],
)
def test_closed_standard_streams_give_no_traceback(home: Path, closed: str, command: str) -> None:
    done("save", "x")
    line = f'"$0" -c "$1" {command} {closed}'
    ran = subprocess.run(["bash", "-c", line, sys.executable, SCRIPT], capture_output=True, timeout=60, check=False)
    assert b"Traceback" not in ran.stderr
    assert ran.returncode in (0, 2, 3)


@pytest.mark.fault
@pytest.mark.parametrize(
    ("turn", "env"),
    [
        (0, {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}),
        (1, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}),
        (2, {"PYTHONIOENCODING": "latin-1"}),
        (3, {"PYTHONIOENCODING": "cp1252:strict"}),
    ],
    ids=["ascii", "plain C", "latin-1", "cp1252"],
)
def test_a_small_locale_gives_no_traceback(home: Path, turn: int, env: dict[str, str]) -> None:
    done("save", "naïve 日本語 🦀 “quotes”", "--file", "memory/日記.md")
    commands = [
        "get memory/日記.md",
        "search 日本語",
        "search 日本語 --json",
        "search 日本語 --explain",
        "history",
        "diff",
    ]
    commands += ["status", "doctor", "config show", "--help", "index --force", "save 日本 --file memory/x.md"]
    commands += ["get memory/没有.md", "--json get memory/没有.md", "--agent é status", "completions fish"]
    for command in by_turns(commands, turn, 4):
        ran = fresh_process(*command.split(), env=env)
        assert b"Traceback" not in ran.stderr, (command, ran.stderr)
        # In "plain C" Python can't read the names of some notes, and the doctor says so.
        assert ran.returncode in (0, 2, 3) or command == "doctor", (command, ran.stderr)


def test_json_keeps_every_character_in_a_small_locale(home: Path) -> None:
    done("save", "日本語 🦀")
    ran = fresh_process("--json", "get", "MEMORY.md", env={"LC_ALL": "C", "PYTHONIOENCODING": "ascii"})
    assert json.loads(ran.stdout)["text"] == "日本語 🦀"


def test_bytes_that_are_no_text_are_refused_with_a_message(home: Path) -> None:
    for argv in (["save", os.fsdecode(b"caf\xe9")], ["--home", os.fsdecode(b"/tmp/\xff"), "status"]):
        ran = fresh_process(*argv)
        assert ran.returncode == 2
        assert ran.stderr.startswith(b"holdfast: ")
    for argv in (["search", os.fsdecode(b"caf\xe9")], ["--json", "search", os.fsdecode(b"caf\xe9")]):
        assert fresh_process(*argv).returncode == 0


def next_line(stream: IO[bytes], seconds: float = 60) -> bytes:
    """The next line, or a failure after so many seconds."""
    ready, _, _ = select.select([stream], [], [], seconds)
    assert ready, "nothing was printed in time"
    return stream.readline()


@pytest.mark.parametrize("as_json", [False, True])
def test_watch_reports_a_change_and_stops_at_ctrl_c(home: Path, as_json: bool) -> None:
    done("save", "x")
    argv = [sys.executable, "-u", "-c", SCRIPT, "watch", *(["--json"] if as_json else [])]
    env = {**os.environ, "HOLDFAST_MEMORY_SYNC_WATCH_DEBOUNCE_MS": "50"}
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, bufsize=0) as child:
        assert child.stdout
        assert child.stderr
        try:
            assert b"unchanged" in next_line(child.stdout)
            (home / "memory").mkdir()
            (home / "memory/new.md").write_text("a walrus\n", encoding="utf-8")
            line = next_line(child.stdout)
            assert (json.loads(line)["added"] == 1) if as_json else line.startswith(b"1 added")
            child.send_signal(signal.SIGINT)
            assert child.wait(timeout=60) in (0, 130)
            said = child.stderr.read()
            assert b"Traceback" not in said
            assert as_json or (b"Watching" in said and b"Stopped." in said)
        finally:
            child.kill()
    assert done("search", "walrus", "--json").json["results"]


def test_watch_that_could_never_wake_is_refused() -> None:
    ran = fresh_process("watch", env={"HOLDFAST_MEMORY_SYNC_WATCH": "false"})
    assert (ran.returncode, ran.stdout) == (2, b"")


@pytest.mark.parametrize("words", [("save", "-"), ("facts", "add", "-")])
@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"one\ncaf\xe9", b"it is not valid UTF-8 in line 2"),
        (b"\xff\xfeH\0i\0", b"it is not valid UTF-8 in line 1"),
        (b"x" * 200_000, b"has more than 51,200 bytes"),
    ],
    ids=["Latin-1", "UTF-16", "long"],
)
def test_what_can_not_be_read_from_a_pipe_is_named_for_what_it_is(
    home: Path, words: tuple[str, ...], data: bytes, said: bytes
) -> None:
    ran = process(*words, stdin=data)
    assert (ran.returncode, said in ran.stderr) == (2, True), ran.stderr
