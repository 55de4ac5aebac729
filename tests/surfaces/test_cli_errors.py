"""What goes wrong on the command line: one helpful line on stderr, a stable status, never a traceback."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from commandline import done, holdfast

from holdfast import errors
from holdfast.surfaces.cli.exit_codes import EXITS, INTERRUPTED, exit_status

CLASSES = [getattr(errors, name) for name in errors.__all__]
# Scripts rely on these: a number may be added, but none changed.
STATUS = {
    "Refused": 2,
    "NotFound": 3,
    "SettingsError": 4,
    "NoteChangedOutside": 5,
    "NotPermitted": 6,
    "UnsafeFile": 7,
    "StorageFailed": 8,
    "Busy": 9,
    "CheckpointDamaged": 10,
    "IndexDamaged": 11,
    "ProviderFailed": 12,
    "MemoryClosed": 13,
    "ServerUnreachable": 14,
    "SandboxFailed": 17,
    "ExtraMissing": 15,
    "NotConfirmed": 16,
    "DatabaseAway": 18,
    "DatabaseUnfit": 19,
    "TooManyRequests": 20,
    "HoldfastError": 1,
}


def test_the_exit_statuses_are_those_that_scripts_rely_on() -> None:
    assert {kind.__name__: status for kind, status in EXITS} == STATUS
    assert INTERRUPTED not in STATUS.values()


@pytest.mark.parametrize("kind", CLASSES, ids=errors.__all__)
def test_every_error_has_a_status_of_its_own_kind(kind: type[errors.HoldfastError]) -> None:
    error = kind.__new__(kind)
    expected = next(STATUS[one.__name__] for one in kind.__mro__ if one.__name__ in STATUS)
    assert exit_status(error) == expected
    assert (exit_status(error) == 1) == (kind is errors.HoldfastError)


def test_no_class_of_the_table_hides_a_later_one() -> None:
    kinds = [kind for kind, _ in EXITS]
    for number, kind in enumerate(kinds):
        assert not any(issubclass(later, kind) for later in kinds[number + 1 :]), kind


BAD: list[tuple[str, int]] = [
    ("bogus", 2),
    ("--bogus", 2),
    ("--json", 0),
    ("--home", 2),
    ("--agent", 2),
    ("--home= status", 2),
    ("--agent ../x status", 2),
    ("--agent Main status", 2),
    ("--agent x/y save a", 2),
    ("save", 2),
    ("save a b", 2),
    ("save --file", 2),
    ("save a --file ../x.md", 2),
    ("save a --file /etc/passwd", 2),
    ("save a --file memory/a.txt", 2),
    ("save a --fil memory/a.md", 2),
    ("search", 2),
    ("search x -n 0", 2),
    ("search x -n 101", 2),
    ("search x -n many", 2),
    ("search x -n 1.5", 2),
    ("search x --min-score 2", 2),
    ("search x --min-score nan", 2),
    ("search x y", 2),
    ("get", 2),
    ("get MEMORY.md --chunk-id x", 2),
    ("get MEMORY.md --from 0", 2),
    ("get MEMORY.md --lines 0", 2),
    ("get MEMORY.md --from x", 2),
    ("get /etc/passwd", 2),
    ("get memory/none.md", 3),
    ("get --chunk-id none", 3),
    ("delete", 2),
    ("delete MEMORY.md", 2),
    ("delete MEMORY.md --text", 2),
    ("delete MEMORY.md --text x --file-itself", 2),
    ("delete memory/none.md --text x", 3),
    ("delete MEMORY.md --text nope", 3),
    ("delete memory/sub/a.md --file-itself", 3),
    ("delete memory/sub/../a.md --file-itself", 2),
    ("history ../x.md", 2),
    ("history memory/none.md", 3),
    ("history -n 0", 2),
    ("history -n 99999", 2),
    ("diff nope", 3),
    ("restore", 2),
    ("restore nope", 3),
    ("undo memory/none.md", 3),
    ("undo ../x.md", 2),
    ("purge", 2),
    ("purge ../x.md --yes", 2),
    ("purge memory/none.md --yes", 3),
    ("index extra", 2),
    ("config", 2),
    ("config bogus", 2),
    ("config get", 2),
    ("config get memory.citation", 4),
    ("config set memory.citations", 2),
    ("config set memory.citations sometimes", 4),
    ("config set memory.search.max_results 0", 4),
    ("config set memory.search.max_results six", 4),
    ("config get memory", 4),
    ("config set memory stuff", 4),
    ("config unset memory.bogus", 4),
    ("completions", 2),
    ("completions tcsh", 2),
    ("status --home /dev/null/x", 4),
    ("init --home /proc/nowhere/x", 8),
    ("save x --home /proc/nowhere/x", 3),
]


@pytest.mark.parametrize(("line", "status"), BAD, ids=[line for line, _ in BAD])
def test_bad_input_gives_one_message_on_stderr_and_a_stable_status(home: Path, line: str, status: int) -> None:
    done("save", "there")
    ran = holdfast(*line.split(" "))
    assert ran.status == status, ran.err
    if status:
        assert ran.out == ""
        assert "Traceback" not in ran.err
        assert ran.err.startswith(("holdfast: ", "usage: "))
        assert ran.err.rstrip().endswith((".", "?")) or ran.err.startswith("usage: ")
    assert (home / "MEMORY.md").read_text(encoding="utf-8") == "there\n"


@pytest.mark.parametrize(("line", "status"), [(line, status) for line, status in BAD if status > 2])
def test_an_error_is_json_for_programs(line: str, status: int) -> None:
    done("save", "there")
    ran = holdfast("--json", *line.split(" "))
    assert ran.status == status
    if line.startswith("get "):
        assert ran.json["status"] == "not_found"
        return
    assert ran.out == ""
    error = json.loads(ran.err)["error"]
    assert error["type"] in errors.__all__
    assert error["message"]


def test_every_setting_that_is_wrong_names_file_line_and_the_nearest_key(home: Path) -> None:
    home.mkdir()
    (home / "holdfast.toml").write_text("[memory]\n\ncitatoins = 'on'\n", encoding="utf-8")
    ran = holdfast("search", "x")
    assert ran.status == 4
    assert "citations" in ran.err
    assert "holdfast.toml, line 3" in ran.err
    (home / "holdfast.toml").write_bytes(b"\xff\xfe[")
    assert holdfast("status").status == 4


@pytest.mark.parametrize("mode", ["off", "prompt-only", "search-only"])
def test_a_write_mode_never_stops_the_command_line(home: Path, mode: str) -> None:
    done("config", "set", "memory.agent_write_mode", mode)
    done("save", "the owner's own line")
    done("save", "and another", "--file", "memory/a.md")
    assert (home / "MEMORY.md").read_text(encoding="utf-8") == "the owner's own line\n"
    assert (home / "memory/a.md").read_text(encoding="utf-8") == "and another\n"
    done("undo")
    assert not (home / "memory/a.md").exists()


def test_an_unsafe_file_ends_with_seven(home: Path, tmp_path: Path) -> None:
    home.mkdir()
    (home / "MEMORY.md").symlink_to(tmp_path / "elsewhere.md")
    for argv in (["save", "x"], ["get", "MEMORY.md"]):
        assert holdfast(*argv).status == 7
    assert not (tmp_path / "elsewhere.md").exists()


def test_a_damaged_checkpoint_ends_with_ten(home: Path) -> None:
    done("save", "x")
    (thing,) = (home / "state/checkpoints/main/objects").rglob("*/*")
    done("save", "y")
    thing.unlink()
    assert holdfast("undo").status == 10
    assert (home / "MEMORY.md").read_text(encoding="utf-8") == "x\n\ny\n"


class Impatient(io.BytesIO):
    """Standard input at which somebody presses Ctrl-C."""

    def read(self, size: int | None = -1, /) -> bytes:
        """Nothing comes."""
        raise KeyboardInterrupt


def test_ctrl_c_ends_with_130_and_changes_nothing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Impatient(), encoding="utf-8"))
    ran = holdfast("save", "-")
    assert (ran.status, ran.out) == (130, "")
    assert ran.err.startswith("holdfast: stopped")
    assert not (home / "MEMORY.md").exists()
