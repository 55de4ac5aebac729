"""`holdfast sandbox`: what a command has of the notes, what stays of its home, and what becomes of what it wrote."""

from __future__ import annotations

import json
import shlex
import signal
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from commandline import SCRIPT, done, fresh_process, holdfast
from sandbox.conftest import SECRET, Run

from holdfast import Memory, Origin
from holdfast.errors import BadArgument
from holdfast.llm.scripted_model import ScriptedModel
from holdfast.notes.file_workspace import FileWorkspace
from holdfast.sandbox.bubblewrap import SYSTEM
from holdfast.sandbox.mounts import mounts_of, refuse_shown_home
from holdfast.sandbox.seccomp_filter import seccomp_program
from holdfast.sessions.session_context import session_context
from holdfast.settings.sandbox_settings import HomePersistence, WorkspaceMount
from holdfast.surfaces.cli.cli_reference import reference_markdown

KNOWN = ("x86_64", "aarch64")


def test_a_command_reads_the_notes_and_cannot_change_them_by_default(sandboxed: Run, hiding: Path) -> None:
    ran = sandboxed("--", "sh", "-c", "cat MEMORY.md memory/plans.md; echo x > memory/new.md")
    assert "3 March" in ran.stdout and "Kestrel sails" in ran.stdout
    assert "Read-only file system" in ran.stderr and ran.returncode != 0
    assert not (hiding / "memory" / "new.md").exists()


def test_the_modes_of_the_workspace_are_what_they_say(sandboxed: Run, hiding: Path) -> None:
    script = "ls -A /workspace; pwd; echo $HOLDFAST_SANDBOX_WORKSPACE_MOUNT"
    assert sandboxed("--workspace", "none", "--", "sh", "-c", script).stdout.split() == ["/home/sandbox", "none"]
    assert sandboxed("--workspace", "ro", "--", "sh", "-c", script).stdout.split() == [
        *("MEMORY.md", "memory", "/workspace", "ro")
    ]
    ran = sandboxed(
        "--workspace", "rw", "--", "sh", "-c", "echo 'Ada sails.' > memory/new.md; echo '- Tea.' >> MEMORY.md"
    )
    assert ran.returncode == 0, ran.stderr
    assert (hiding / "memory" / "new.md").read_text() == "Ada sails.\n"
    assert (hiding / "MEMORY.md").read_text().endswith("- Tea.\n")


def test_ctrl_c_ends_the_command_and_promises_nothing(bwrap: str, hiding: Path) -> None:
    words = ("sandbox", "run", "--", "sh", "-c", "echo up; exec sleep 60")
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdout is not None and child.stderr is not None
        assert child.stdout.readline() == b"up\n"
        child.send_signal(signal.SIGINT)
        assert (child.wait(60), child.stderr.read()) == (130, b"")


def test_the_settings_choose_where_nothing_is_typed(sandboxed: Run, hiding: Path) -> None:
    (hiding / "holdfast.toml").write_text('[sandbox]\nworkspace_mount = "none"\nhome_persistence = "shared"\n')
    assert sandboxed("--", "sh", "-c", "ls -A /workspace; echo kept > ~/file").stdout == ""
    assert sandboxed("--", "cat", "/home/sandbox/file").stdout == "kept\n"


def test_what_stays_of_the_home_is_nothing_the_sessions_or_all(sandboxed: Run) -> None:
    count = ("--", "sh", "-c", "echo x >> ~/runs; wc -l < ~/runs")
    keys = ("work", "work", "play: Ünd/..")
    assert [sandboxed(*count).stdout.strip() for _ in keys] == ["1", "1", "1"]
    kept = [sandboxed("--home", "session", "--session", key, *count).stdout.strip() for key in keys]
    assert kept == ["1", "2", "1"]
    shared = [sandboxed("--home", "shared", *count).stdout.strip() for _ in keys]
    assert shared == ["1", "2", "3"]


def test_agents_have_homes_and_notes_of_their_own(sandboxed: Run) -> None:
    sandboxed("--home", "shared", "--", "sh", "-c", "echo mine > ~/file")
    ran = sandboxed("--agent", "other", "--home", "shared", "--", "sh", "-c", "cat ~/file; cat memory/own.md; ls -A")
    assert ran.stdout == f"{SECRET}memory\n", "its own note, and nothing of main's"


def test_the_status_and_the_streams_are_the_commands_own(sandboxed: Run) -> None:
    assert sandboxed("--", "sh", "-c", "exit 7").returncode == 7
    assert sandboxed("--", "sh", "-c", "kill -9 $$").returncode == 137
    assert sandboxed("--", "echo", "--json", "--home").stdout == "--json --home\n"
    assert sandboxed("--", "printf", "%s|", "a b", "$HOME", "").stdout == "a b|$HOME||"


def test_a_command_that_is_not_there_or_can_not_be_run_ends_as_in_a_shell(sandboxed: Run, hiding: Path) -> None:
    unknown = sandboxed("--", "nosuch", "word")
    assert unknown.returncode == 127 and "nosuch" in unknown.stderr
    assert sandboxed("--", "./memory/none.sh").returncode == 127
    assert sandboxed("--", "./memory/plans.md").returncode == 126
    assert sandboxed("--", "/usr").returncode == 126


def test_there_is_no_network_unless_it_is_asked_for(sandboxed: Run) -> None:
    cards = "tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '"
    assert sandboxed("--", "sh", "-c", cards).stdout.split() == ["lo"]
    outside = subprocess.run(["sh", "-c", cards], capture_output=True, text=True, check=True)
    assert sandboxed("--net", "--", "sh", "-c", cards).stdout == outside.stdout


def test_without_bubblewrap_nothing_runs(hiding: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    ran = holdfast("sandbox", "run", "--home", "shared", "--", "/bin/sh", "-c", f"touch {tmp_path}/ran")
    assert ran.status == 17 and "bubblewrap" in ran.err and "was not run" in ran.err
    assert not (tmp_path / "ran").exists() and not (hiding / "state" / "sandbox").exists()


def test_a_bubblewrap_that_cannot_do_all_of_it_runs_nothing(
    hiding: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "bwrap"  # as versions before 0.8 answer
    old.write_text("#!/bin/sh\necho 'bwrap: Unknown option --disable-userns' >&2\nexit 1\n")
    old.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    ran = holdfast("sandbox", "run", "--", "/bin/true")
    assert ran.status == 17 and "was not run" in ran.err and "0.8" in ran.err


def test_a_home_that_every_sandbox_would_show_is_refused() -> None:
    with pytest.raises(BadArgument, match="move it elsewhere"):
        refuse_shown_home("/usr/local/holdfast", SYSTEM)
    refuse_shown_home("/usrlocal", SYSTEM)


def test_a_session_home_needs_a_session(hiding: Path) -> None:
    ran = holdfast("sandbox", "args", "bwrap", "--home", "session")
    assert ran.status == 2 and "--session" in ran.err


@pytest.mark.parametrize("persistence", [(), ("--home", "off"), ("--home", "shared")])
def test_a_session_goes_with_a_home_of_sessions_alone(hiding: Path, persistence: tuple[str, ...]) -> None:
    ran = holdfast("sandbox", "args", "bwrap", *persistence, "--session", "work")
    assert ran.status == 2 and "--home session" in ran.err
    assert not (hiding / "state" / "sandbox").exists()


def test_the_reference_has_the_home_of_the_sandbox() -> None:
    page = reference_markdown().partition("## holdfast sandbox\n")[2].partition("\n## ")[0]
    assert page.count("| `--home` |") == 2 and page.count("[--home off|session|shared]") == 2
    assert "`--home`" not in reference_markdown().partition("## holdfast search\n")[2].partition("\n## ")[0]


def test_what_is_printed_for_a_shell_survives_spaces_and_quotes(tmp_path: Path) -> None:
    home = tmp_path / "my 'own' notes $HOME"
    (home / "memory").mkdir(parents=True)
    told = done("--home", str(home), "sandbox", "args", "docker", "--json").json["arguments"]
    line = done("--home", str(home), "sandbox", "args", "docker").out.rstrip("\n")
    script = "eval \"printf '%s\\\\0' $1 image\""
    ran = subprocess.run(["sh", "-c", script, "sh", line], capture_output=True, text=True, check=True)
    assert ran.stdout.split("\0")[:-1] == [*told, "image"]
    assert f"source={home}/memory" in " ".join(told)


def test_a_start_loads_no_more_than_it_needs(bwrap: str, hiding: Path) -> None:
    (hiding / "holdfast.toml").unlink()
    ran = fresh_process("sandbox", "run", "--", "true", env={"PYTHONPROFILEIMPORTTIME": "1"})
    loaded = {line.rpartition("|")[2].strip() for line in ran.stderr.decode().splitlines()}
    assert "holdfast.sandbox.bubblewrap" in loaded and ran.returncode == 0
    spared = {"json", "shutil", "hashlib", "shlex", "apsw", "numpy", "holdfast.settings.keys", "holdfast.memory"}
    assert not loaded & spared


def test_the_home_of_the_memory_is_named_before_the_command(hiding: Path, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere"
    (other / "memory").mkdir(parents=True)
    told = done("--home", str(other), "sandbox", "args", "bwrap", "--home", "off").out
    assert str(other / "memory") in told and str(hiding) not in told


@pytest.mark.parametrize("program", ["bwrap", "docker", "podman"])
def test_hosts_are_told_the_same_sandbox_and_never_more_than_the_notes(program: str, hiding: Path) -> None:
    shown = done("sandbox", "args", program, "--workspace", "rw", "--home", "shared", "--json").json
    told = shown["arguments"]
    assert shlex.split(done("sandbox", "args", program, "--workspace", "rw", "--home", "shared").out) == told
    mine = " ".join(word for word in told if str(hiding) in word)
    assert f"{hiding}/memory" in mine and f"{hiding}/MEMORY.md" in mine and "ALL" in told
    shown_of_state = [word for word in told if f"{hiding}/state" in word]
    assert all("state/sandbox/main/shared" in word for word in shown_of_state)
    assert not [word for word in told if f"{hiding}/holdfast.toml" in word or word == str(hiding)]
    closed = done("sandbox", "args", program, "--workspace", "none", "--json").json["arguments"]
    assert str(hiding) not in json.dumps(closed)
    network = {"bwrap": "--unshare-net"}.get(program, "--network")
    assert network in closed and network not in done("sandbox", "args", program, "--net", "--json").json["arguments"]


def test_a_path_with_commas_stays_one_value_for_docker(tmp_path: Path) -> None:
    home = tmp_path / 'a,b "c"'
    (home / "memory").mkdir(parents=True)
    told = done("--home", str(home), "sandbox", "args", "docker", "--json").json["arguments"]
    bound = told[told.index("--mount") + 1]
    assert (
        bound
        == f'type=bind,"source={str(home).replace(chr(34), chr(34) * 2)}/memory",target=/workspace/memory,readonly'
    )


def test_links_in_place_of_the_notes_are_refused(home: Path, tmp_path: Path) -> None:
    home.mkdir()
    (home / "memory").symlink_to(tmp_path)
    ran = holdfast("sandbox", "args", "bwrap")
    assert ran.status == 7 and "link" in ran.err


def test_what_a_command_wrote_into_the_notes_is_memory_from_outside(sandboxed: Run, hiding: Path) -> None:
    sandboxed("--workspace", "rw", "--", "sh", "-c", "echo 'The heron nests in June.' > memory/heron.md")
    with Memory.open() as memory:
        [hit] = memory.search("when does the heron nest?").results[:1]
        assert hit.path == "memory/heron.md" and hit.origin is Origin.OUTSIDE


def test_what_lies_only_in_the_home_of_a_sandbox_is_never_indexed(sandboxed: Run, hiding: Path) -> None:
    script = "mkdir -p ~/memory; echo 'The ptarmigan is white.' | tee ~/p.md ~/memory/p.md ~/MEMORY.md"
    sandboxed("--home", "shared", "--", "sh", "-c", script)
    kept = hiding / "state" / "sandbox" / "main" / "shared"
    assert (kept / "p.md").exists()
    for extra in ("state", str(kept), str(hiding.parent)):
        with Memory.open(settings={"memory.extra_paths": [extra]}) as memory:
            found = memory.search("ptarmigan")
            assert "ptarmigan" not in str([hit.snippet for hit in found.results])


def test_links_and_pipes_that_a_command_planted_are_not_followed(sandboxed: Run, hiding: Path) -> None:
    script = """
    ln -s ../state/secret.txt memory/a.md; ln -s ../state memory/b; ln memory/plans.md memory/c.md
    mkfifo memory/d.md; ln -s /proc/self/environ memory/e.md; ln -s . memory/loop
    """
    assert sandboxed("--workspace", "rw", "--", "sh", "-c", script).returncode == 0
    with Memory.open() as memory:
        done_ = memory.sync()
        assert SECRET not in str([hit.snippet for hit in memory.search(SECRET).results])
        skipped = {skip.path for skip in done_.skipped}
        assert {"memory/a.md", "memory/c.md", "memory/d.md", "memory/e.md"} <= skipped


@pytest.mark.parametrize(("mount", "flushes"), [("ro", False), ("none", False), ("rw", True)])
def test_a_sandboxed_session_says_in_its_context_that_nothing_is_saved(home: Path, mount: str, flushes: bool) -> None:
    settings = {"sandbox.enabled": True, "sandbox.workspace_mount": mount, "sandbox.home_persistence": "session"}
    with Memory.open(settings=settings) as memory, memory.session("work") as session:
        session.append("user", "The launch is on 3 March.")
        told = session_context(session).to_json()["sandbox"]
        assert f'"{mount}"' in told and ("nothing is saved" in told) is not flushes
        ran = session.before_compaction(ScriptedModel(always="NO_REPLY"), force=True)
        assert ran.ran is flushes and (flushes or "sandbox.workspace_mount" in ran.why)
    with Memory.open() as memory, memory.session("work") as session:
        assert session_context(session).to_json()["sandbox"] == ""


def test_a_program_cannot_open_the_sandbox(hiding: Path) -> None:
    with Memory.open() as memory:
        from holdfast.errors import NotPermitted
        from holdfast.operations.settings_list import change_settings

        for key, value in (("sandbox.workspace_mount", "rw"), ("sandbox.home_persistence", "shared")):
            with pytest.raises(NotPermitted):
                change_settings(memory.ctx.workspace, {key: value})


def test_a_machine_whose_calls_are_not_known_gets_no_filter() -> None:
    assert seccomp_program("s390x") is None
    assert all((seccomp_program(name) or b"").endswith(struct.pack("=HBBI", 6, 0, 0, 0x7FFF0000)) for name in KNOWN)


def test_a_home_without_notes_has_an_empty_workspace_to_read_and_a_folder_to_write(home: Path) -> None:
    with FileWorkspace.open(home) as workspace:
        mounts = mounts_of(workspace, WorkspaceMount.RO, HomePersistence.OFF)
        assert mounts.notes == () and mounts.home is None and mounts.start == "/workspace"
        written = mounts_of(workspace, WorkspaceMount.RW, HomePersistence.OFF)
    assert [(mount.target, mount.writable) for mount in written.notes] == [("/workspace/memory", True)]
    assert (home / "memory").is_dir()


def decide(program: bytes, number: int, *arguments: int, architecture: int = 0xC000003E) -> int:
    """What the kernel would answer to a call: the few steps of classic BPF that the program uses."""
    steps = [struct.unpack_from("=HBBI", program, at) for at in range(0, len(program), 8)]
    data = struct.pack("=IIQ6Q", number, architecture, 0, *arguments, *[0xFFFFFFFF06000] * (6 - len(arguments)))
    at = held = 0
    while True:
        code, yes, no, value = steps[at]
        at += 1
        if code == 0x06:
            return int(value)
        if code == 0x20:
            [held] = struct.unpack_from("=I", data, value)
        else:
            is_so = {0x15: held == value, 0x35: held >= value, 0x45: bool(held & value)}[code]
            at += yes if is_so else no


@pytest.mark.parametrize("machine", KNOWN)
def test_the_filter_sees_a_set_uid_bit_in_every_call_that_gives_a_mode(machine: str) -> None:
    allow, refuse, kill = 0x7FFF0000, 0x00050001, 0x80000000
    program = seccomp_program(machine) or b""
    arch = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}[machine]
    modes = {"x86_64": ((90, 1), (91, 1), (268, 2), (452, 2), (85, 1), (133, 1), (259, 2))}.get(
        machine, ((52, 1), (53, 2), (452, 2), (33, 2))
    )
    for call, place in modes:
        for mode, answer in ((0o755, allow), (0o4755, refuse), (0o2755, refuse), (0o1777, allow)):
            assert decide(program, call, *[7] * place, mode, architecture=arch) == answer, (call, mode)
    for call, place in {"x86_64": ((2, 1), (257, 2))}.get(machine, ((56, 2),)):
        for flags, mode, answer in (
            (0o100, 0o4644, refuse),
            (0o20200000, 0o2600, refuse),
            (0o100, 0o644, allow),
            (0, 0o6000, allow),  # no file is made, and the register holds anything
        ):
            assert decide(program, call, *[7] * place, flags, mode, architecture=arch) == answer, (call, flags)
    assert decide(program, 437, architecture=arch) == 0x00050026
    assert decide(program, 425, architecture=arch) == refuse and decide(program, 0, architecture=arch) == allow
    assert decide(program, 0x40000001, architecture=arch) == refuse
    assert decide(program, 0, architecture=0x40000003) == kill
