"""Ways out of the sandbox, each tried as it would be: none may show a secret, change the host, or say ESCAPED."""

from __future__ import annotations

import hashlib
import os
import socket
import stat
import subprocess
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from sandbox.conftest import SECRET, Run

PYTHON = "/usr/bin/python3"
LIBC = """
    import ctypes, os, sys
    libc = ctypes.CDLL(None, use_errno=True)
    number = {"x86_64": 0, "aarch64": 1}[os.uname().machine]
"""


class Escape(NamedTuple):
    """A way out: its name, the mode of the workspace, and a script of the shell or of Python."""

    name: str
    script: str
    mode: str = "ro"


def shell(name: str, script: str, mode: str = "ro") -> Escape:
    return Escape(name, script, mode)


def code(name: str, script: str, mode: str = "ro") -> Escape:
    text = textwrap.dedent(LIBC) + textwrap.dedent(script)
    return Escape(name, f"exec {PYTHON} - <<'END'\n{text}\nEND", mode)


def call(name: str, numbers: tuple[int, int], arguments: str) -> Escape:
    """A system call that must fail; `numbers` are those of x86_64 and aarch64."""
    return code(name, f"if libc.syscall({numbers}[number], {arguments}) >= 0: print('ESCAPED')")


ESCAPES = [
    # Mounts
    shell("remount read-only as writable", "mount -o remount,rw,bind /workspace/memory && echo ESCAPED"),
    shell("remount the root", "mount -o remount,rw / && echo ESCAPED"),
    shell("mount a tmpfs over the notes", "mount -t tmpfs none /workspace && echo ESCAPED"),
    shell("mount sysfs", "mkdir -p /tmp/s && mount -t sysfs none /tmp/s && echo ESCAPED"),
    shell("mount a second proc", "mkdir -p /tmp/p && mount -t proc none /tmp/p && echo ESCAPED"),
    shell("unmount what covers the notes", "umount -l /workspace/memory && echo ESCAPED"),
    shell("chroot", "chroot /usr /bin/true && echo ESCAPED"),
    call("the new mount interface", (430, 430), "b'tmpfs', 0"),
    call("open a tree of mounts as a copy", (428, 428), "-100, b'/', 1"),
    call("pivot_root", (155, 41), "b'/tmp', b'/tmp'"),
    # Namespaces and powers
    shell("a user namespace of its own", "unshare --user --map-root-user true && echo ESCAPED"),
    shell("a mount namespace", "unshare --mount true && echo ESCAPED"),
    shell(
        "remount in a user namespace",
        "unshare -Urm sh -c 'mount -o remount,rw,bind /workspace/memory && echo ESCAPED >> /workspace/memory/plans.md'",
    ),
    shell("bubblewrap in bubblewrap", "bwrap --bind / / true && echo ESCAPED"),
    shell("the namespaces of process 1", "nsenter --target 1 --all true && echo ESCAPED"),
    shell("more processes in a namespace made by clone3", "unshare -Up --fork true && echo ESCAPED"),
    code("become root", "os.setuid(0); print('ESCAPED')"),
    code("take another group", "os.setgroups([0]); print('ESCAPED')"),
    shell(
        "a capability that was left", "grep -E '^Cap(Inh|Prm|Eff|Bnd|Amb):.*[1-9a-f]' /proc/self/status && echo ESCAPED"
    ),
    shell("powers of a set-uid program", "grep -q '^NoNewPrivs:.*0' /proc/self/status && echo ESCAPED"),
    # /proc and processes
    shell("the root of process 1", "cat /proc/1/root{home}/state/secret.txt"),
    shell("every root that /proc has", "cat /proc/[0-9]*/root{home}/state/secret.txt"),
    shell("the environment of every process", "cat /proc/[0-9]*/environ"),
    shell("a program to be run by the kernel on a crash", ": >> /proc/sys/kernel/core_pattern && echo ESCAPED"),
    shell("the keys of the kernel", ": >> /proc/sysrq-trigger && echo ESCAPED"),
    shell("any other setting of the kernel", ": >> /proc/sys/kernel/panic && echo ESCAPED"),
    shell("keys by their names", "cat /proc/keys && echo ESCAPED"),
    shell("all of memory as a file", "head -c 9 /proc/kcore && echo ESCAPED"),
    shell("the process that started it", "kill -0 {pid} && echo ESCAPED"),
    code("the memory of the process that started it", "open('/proc/{pid}/mem', 'rb'); print('ESCAPED')"),
    code(
        "a descriptor that was left open",
        """
        for name in os.listdir('/proc/self/fd'):
            for path in ('state/secret.txt', '../state/secret.txt', 'secret.txt'):
                try:
                    print(open(os.open(path, os.O_RDONLY, dir_fd=int(name))).read())
                except (OSError, ValueError):
                    pass
        """,
    ),
    # Devices and files of the host
    shell("make a disk's device", "mknod /tmp/disk b 8 0 && echo ESCAPED"),
    shell("make a disk's device in the notes", "mknod /workspace/memory/disk b 8 0 && echo ESCAPED", "rw"),
    shell(
        "memory and kernel log as devices",
        "for d in mem kmem kmsg sda nvme0 fuse kvm; do test -e /dev/$d && echo ESCAPED; done",
    ),
    shell("shared memory of the host", "ls -A /dev/shm | grep . && echo ESCAPED"),
    shell("passwords of the host", "cat /etc/shadow /etc/passwd && echo ESCAPED"),
    shell("homes of the host", "ls /root /home/*/.ssh && echo ESCAPED"),
    shell("programs of the host", "touch /usr/bin/planted && echo ESCAPED"),
    shell("libraries of the host", "echo x >> /lib/planted && echo ESCAPED"),
    call("a file by its handle", (304, 265), "-100, b'\\0' * 64, 0"),
    # state/ and what else the home holds
    shell("state/ by its place on the host", "cat {home}/state/secret.txt {home}/holdfast.toml {home}/USER.md"),
    shell("state/ beside the notes", "cat /workspace/state/* /workspace/holdfast.toml /workspace/sessions/main/*"),
    shell("state/ above the notes", "cd /workspace/memory && cat ../state/secret.txt ../../state/secret.txt"),
    shell("notes of other agents", "cat /workspace/agents/*/memory/*"),
    shell("write where nothing is mounted", "echo x > /workspace/holdfast.toml && echo ESCAPED", "rw"),
    shell("change read-only notes", "echo x >> /workspace/memory/plans.md && echo ESCAPED"),
    shell("change a read-only MEMORY.md", "echo x >> /workspace/MEMORY.md && echo ESCAPED"),
    # A set-uid bit, which would be the owner's outside
    shell("a set-uid program in the notes", "cp /usr/bin/env memory/l.md; chmod u+s memory/l.md && echo ESCAPED", "rw"),
    shell("a set-gid folder in the notes", "mkdir memory/d; chmod g+s memory/d && echo ESCAPED; rmdir memory/d", "rw"),
    shell("a set-uid program in the home", "cp /usr/bin/env ~/e && chmod 4755 ~/e && echo ESCAPED"),
    code(
        "a set-uid file as it is made", "os.open('/workspace/memory/l.md', os.O_CREAT, 0o4755); print('ESCAPED')", "rw"
    ),
    code("a set-uid file by mknod", "os.mknod('/workspace/memory/l.md', 0o104755); print('ESCAPED')", "rw"),
    code(
        "a set-uid file by a descriptor",
        "os.fchmod(os.open('/workspace/memory/l.md', os.O_CREAT, 0o600), 0o6755); print('ESCAPED')",
        "rw",
    ),
    code(
        "a set-uid file by openat2",
        """
        how = (ctypes.c_uint64 * 3)(os.O_CREAT | os.O_WRONLY, 0o4755, 0)
        if libc.syscall(437, -100, b'/workspace/memory/l.md', ctypes.byref(how), 24) >= 0: print('ESCAPED')
        """,
        "rw",
    ),
    code(
        "a set-uid file by the newest chmod",
        """
        os.close(os.open('/workspace/memory/l.md', os.O_CREAT, 0o600))
        if libc.syscall(452, -100, b'/workspace/memory/l.md', 0o4755, 0) >= 0: print('ESCAPED')
        """,
        "rw",
    ),
    # Links planted under rw
    shell("a link to state/", "ln -s ../../state/secret.txt memory/l.md; cat memory/l.md", "rw"),
    shell("a link to the place on the host", "ln -s {home}/state/secret.txt memory/l.md; cat memory/l.md", "rw"),
    shell("a hard link out of the notes", "ln /usr/bin/env memory/l.md && echo ESCAPED", "rw"),
    shell("another MEMORY.md in its place", "ln -s /tmp/x x; mv -f x /workspace/MEMORY.md && echo ESCAPED", "rw"),
    code(
        "the folder of notes under another name",
        "os.rename('/workspace/memory', '/workspace/gone'); print('ESCAPED')",
        "rw",
    ),
    code(
        "MEMORY.md under another name",
        "os.rename('/workspace/MEMORY.md', '/workspace/memory/m.md'); print('ESCAPED')",
        "rw",
    ),
    # Network, sockets, keys, kernel
    code("a port of the host", "import socket; socket.create_connection(('127.0.0.1', {port}), 3); print('ESCAPED')"),
    code(
        "an abstract socket of the host",
        "import socket; socket.socket(socket.AF_UNIX).connect('\\0{abstract}'); print('ESCAPED')",
    ),
    code(
        "a socket in the home",
        "import socket; socket.socket(socket.AF_UNIX).connect('{home}/state/s'); print('ESCAPED')",
    ),
    shell("a network card", "grep -qvE 'lo:|Inter|face' /proc/net/dev && echo ESCAPED"),
    call("the keys of the session that started it", (250, 219), "0, -3, 0"),
    call("a key of its own in that session", (248, 217), "b'user', b'x', b'y', 1, -3"),
    call("a program in the kernel", (321, 280), "0, 0, 0"),
    call("a ring of system calls", (425, 425), "1, b'\\0' * 256"),
    call("faults of memory for itself to handle", (323, 282), "0"),
]


@pytest.fixture
def listeners() -> Iterator[dict[str, str]]:
    """A port and an abstract socket of this machine, for who would reach them."""
    name = f"holdfast-test-{os.getpid()}"
    with socket.create_server(("127.0.0.1", 0)) as port, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind(f"\0{name}")
        abstract.listen()
        yield {"port": str(port.getsockname()[1]), "abstract": name}


def contents(home: Path) -> dict[str, str]:
    """Every file of a home but the locks, by a hash of what is in it; links as links."""
    found = {}
    for place in sorted(home.rglob("*")):
        if place.is_symlink():
            found[place.name] = f"link to {place.readlink()}"
        elif place.is_file() and "locks" not in place.parts:
            found[str(place.relative_to(home))] = hashlib.sha256(place.read_bytes()).hexdigest()
    return found


def test_at_least_thirty_ways_out_are_tried() -> None:
    assert len({escape.name for escape in ESCAPES}) == len(ESCAPES) >= 30


@pytest.mark.row("sandbox", attempts=1, escaped=0)
@pytest.mark.skipif(not os.path.exists(PYTHON), reason=f"there is no {PYTHON}: ways out by system calls were not tried")
@pytest.mark.parametrize("escape", ESCAPES, ids=[escape.name for escape in ESCAPES])
def test_no_way_out_leads_out(escape: Escape, sandboxed: Run, hiding: Path, listeners: dict[str, str]) -> None:
    script = escape.script
    for name, value in {"home": str(hiding), "pid": str(os.getpid()), **listeners}.items():
        script = script.replace(f"{{{name}}}", value)
    with socket.socket(socket.AF_UNIX) as inside:
        if "state/s'" in script:
            here = os.getcwd()
            os.chdir(hiding / "state")  # the name of a socket is short, and a test's folder is not
            inside.bind("s")
            os.chdir(here)
            inside.listen()
        before = contents(hiding)
        ran = sandboxed("--workspace", escape.mode, "--", "sh", "-c", script)
    after = contents(hiding)
    assert "The command was not run" not in ran.stderr, ran.stderr
    assert "ESCAPED" not in ran.stdout, ran.stdout
    assert SECRET not in ran.stdout + ran.stderr
    planted = {"l.md", "memory/l.md"} if escape.mode == "rw" else set()
    assert {name: held for name, held in after.items() if name not in planted} == before
    assert not [place for place in hiding.rglob("*") if place.lstat().st_mode & (stat.S_ISUID | stat.S_ISGID)]


def test_what_is_tried_would_succeed_outside(hiding: Path) -> None:
    """The same look at state/ finds it where nothing hides it: a test that can't fail shows nothing."""
    ran = subprocess.run(["cat", hiding / "state" / "secret.txt"], capture_output=True, text=True, check=True)
    assert ran.stdout == SECRET
