"""Running a command in bubblewrap; where that can't be done, the command is not run."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Final

from holdfast.errors import SandboxFailed
from holdfast.sandbox.mounts import SANDBOX_HOME, WORKSPACE, Mount, Mounts, refuse_shown_home
from holdfast.sandbox.seccomp_filter import seccomp_program
from holdfast.settings.sandbox_settings import WorkspaceMount

__all__ = ["SYSTEM", "bwrap_arguments", "find_bwrap", "run_command", "try_bwrap"]

SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
"""The folders of programs and libraries, which every sandbox has to read."""
# What programs want of /etc. No passwd and no group: uid 65534 needs none, and names of people are nobody's business.
_ETC: Final = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/localtime")
# Of /etc/ssl the public certificates alone: its private keys lie beside them.
_ETC_FOR_NET: Final = ("/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/ssl/certs")
# What tells of others. /proc as a whole is read-only: run by root, the command is root to /proc/sys, with or without
# capabilities, and what stands in kernel/core_pattern is run outside.
_MASKED: Final = ("/proc/keys", "/proc/key-users", "/proc/kcore", "/proc/timer_list")
_NOBODY: Final = "65534"
_TMPFS_BYTES: Final = str(256 * 1024 * 1024)
# A shell ends with 127 where there is no such program and with 126 where it can't be run; bubblewrap with 1.
_LAUNCH: Final = ("/bin/sh", "-c", 'exec "$@"', "sandbox")
_TRY: Final = 10.0  # seconds
# Settings of kernels that let nobody, or only root, make a user namespace.
_NO_NAMESPACES: Final = (
    ("/proc/sys/user/max_user_namespaces", "0"),
    ("/proc/sys/kernel/unprivileged_userns_clone", "0"),
    ("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1"),
)
_INSTALL: Final = "Install bubblewrap 0.8 or newer (Debian: apt install bubblewrap); nothing runs without it."


def find_bwrap() -> str:
    """The bubblewrap of this machine, or SandboxFailed."""
    # By hand: shutil loads three kinds of compression, a tenth of what a start takes.
    for folder in os.get_exec_path():
        place = os.path.join(folder, "bwrap")
        if os.path.isfile(place) and os.access(place, os.X_OK):
            return place
    raise SandboxFailed("bubblewrap (bwrap) is not installed", _INSTALL, installed=False)


def bwrap_arguments(mounts: Mounts, *, net: bool = False) -> list[str]:
    """Return what bubblewrap is told, the command left out.

    As root, a plain `--ro-bind` can be remounted writable from inside: only without capabilities, and without a way to
    get them back in a user namespace of its own, read-only is read-only.
    """
    arguments = ["--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try"]
    arguments += [] if net else ["--unshare-net"]
    arguments += ["--disable-userns", "--uid", _NOBODY, "--gid", _NOBODY, "--cap-drop", "ALL"]
    arguments += ["--die-with-parent", "--new-session", "--hostname", "sandbox"]
    arguments += _system(net)
    arguments += ["--proc", "/proc", *_masked(), "--remount-ro", "/proc", "--dev", "/dev"]
    arguments += ["--size", _TMPFS_BYTES, "--tmpfs", "/tmp"]  # noqa: S108 - its own
    arguments += ["--dir", WORKSPACE]
    for mount in mounts.notes:
        arguments += _bound(mount)
    arguments += _bound(mounts.home) if mounts.home else ["--size", _TMPFS_BYTES, "--tmpfs", SANDBOX_HOME]
    arguments += ["--remount-ro", "/", "--clearenv"]
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": SANDBOX_HOME, "LANG": "C.UTF-8"}
    environment |= {name: os.environ[name] for name in ("TERM",) if name in os.environ}
    for name, value in (environment | mounts.environment).items():
        arguments += ["--setenv", name, value]
    return [*arguments, "--chdir", mounts.start]


def run_command(home: str, mounts: Mounts, command: Sequence[str], *, net: bool = False) -> int:
    """Run a command in the sandbox, with the streams of this process, and give its exit status."""
    refuse_shown_home(home, SYSTEM)
    bwrap = find_bwrap()
    arguments = bwrap_arguments(mounts, net=net)
    with ExitStack() as stack:
        reading, writing = os.pipe()
        stack.callback(os.close, reading)
        passed = [writing]
        arguments += ["--json-status-fd", str(writing)]
        program = seccomp_program()
        if program is not None:
            rules, filling = os.pipe()
            stack.callback(os.close, rules)
            os.writev(filling, [program])  # far less than a pipe holds
            os.close(filling)
            passed.append(rules)
            arguments += ["--seccomp", str(rules)]
        try:
            # No descriptor but these and the three streams: an open home would be a way around every mount. No
            # variables: process 1 of the sandbox is bubblewrap, and the command can read its environment.
            started = subprocess.Popen([bwrap, *arguments, "--", *_LAUNCH, *command], pass_fds=passed, env={})
        except OSError as error:
            raise SandboxFailed(f"bubblewrap could not be started ({error.strerror})", _INSTALL) from error
        finally:
            os.close(writing)
        status = _wait(started)
        said = os.read(reading, 10_000)
    if b'"exit-code"' not in said and b'"child-pid"' not in said:
        why = f"bubblewrap ended with {status} before it began"
        raise SandboxFailed(why, "What it said stands above; it needs version 0.8, and user namespaces of the kernel.")
    return status


def try_bwrap() -> str:
    """The version of a bubblewrap that starts a sandbox here; SandboxFailed, with the reason, where none does."""
    bwrap = find_bwrap()
    try:
        version = _run_probe([bwrap, "--version"])
        ran = _run_probe([bwrap, *bwrap_arguments(Mounts(WorkspaceMount.NONE)), "--", "true"])
    except OSError as error:
        raise SandboxFailed(f"bubblewrap could not be started ({error.strerror})", _INSTALL) from None
    except subprocess.TimeoutExpired:
        raise SandboxFailed(f"bubblewrap did not end in {_TRY:g} s", _INSTALL) from None
    if ran.returncode:
        said = (ran.stderr.strip().splitlines() or [f"it ended with {ran.returncode}"])[-1][:200]
        closed = next((f"{file} is {value}" for file, value in _NO_NAMESPACES if _holds(file, value)), "")
        if closed:
            advice = f"User namespaces are not allowed here: {closed}."
        else:
            advice = _INSTALL
        raise SandboxFailed(f"bubblewrap can't start a sandbox ({said})", advice)
    return version.stdout.strip()[:80] or "bubblewrap"


def _run_probe(argv: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(argv, capture_output=True, text=True, errors="replace", timeout=_TRY, env={}, check=False)


def _holds(file: str, value: str) -> bool:
    try:
        with open(file, encoding="ascii") as setting:
            return setting.read().strip() == value
    except (OSError, ValueError):
        return False


def _wait(started: subprocess.Popen[bytes]) -> int:
    """Wait for the end; Ctrl-C is for the command, which ends with us at the latest."""
    try:
        status = started.wait()
    except BaseException:
        started.kill()
        started.wait()
        raise
    return status if status >= 0 else 128 - status


def _system(net: bool) -> list[str]:
    arguments: list[str] = []
    for folder in SYSTEM:
        if os.path.islink(folder):  # a merged /usr, as most systems have it
            arguments += ["--symlink", os.readlink(folder), folder]
        elif os.path.isdir(folder):
            arguments += ["--ro-bind", folder, folder]
    for file in _ETC + (_ETC_FOR_NET if net else ()):
        arguments += ["--ro-bind-try", file, file]
    return arguments


def _masked() -> list[str]:
    """Nothing in place of files of /proc; a null device that can't be opened, for want of the right to devices."""
    return [word for file in _MASKED if os.path.exists(file) for word in ("--ro-bind", os.devnull, file)]


def _bound(mount: Mount) -> list[str]:
    return ["--bind" if mount.writable else "--ro-bind", mount.source, mount.target]
