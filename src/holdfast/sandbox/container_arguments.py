"""The same sandbox in the words of docker and podman, for hosts that start containers of their own."""

from __future__ import annotations

import csv
import io
import os

from holdfast.sandbox.mounts import SANDBOX_HOME, WORKSPACE, Mount, Mounts
from holdfast.settings.sandbox_settings import WorkspaceMount

__all__ = ["container_arguments"]


def container_arguments(program: str, mounts: Mounts, *, net: bool = False) -> list[str]:
    """Return what `docker run` or `podman run` is told, the image and the command left out.

    The container's user is the owner of the notes, who alone may read them, without any capability.
    """
    arguments = [
        "--rm",
        "--read-only",
        "--cap-drop",
        "ALL",
        "--security-opt",
        "no-new-privileges",
        "--pids-limit",
        "512",
    ]
    arguments += ["--user", f"{os.getuid()}:{os.getgid()}"]
    arguments += ["--userns", "keep-id"] if program == "podman" else []
    arguments += [] if net else ["--network", "none"]
    arguments += ["--tmpfs", "/tmp:size=256m"]  # noqa: S108 - its own
    if mounts.workspace is not WorkspaceMount.NONE:
        arguments += ["--tmpfs", f"{WORKSPACE}:ro,size=4k"]
    for mount in mounts.notes:
        arguments += ["--mount", _bind(mount)]
    arguments += ["--mount", _bind(mounts.home)] if mounts.home else ["--tmpfs", f"{SANDBOX_HOME}:size=256m,mode=1777"]
    for name, value in ({"HOME": SANDBOX_HOME} | mounts.environment).items():
        arguments += ["--env", f"{name}={value}"]
    return [*arguments, "--workdir", mounts.start]


def _bind(mount: Mount) -> str:
    """A row of comma-separated values: a path with a comma or a quote in it stays one value."""
    parts = ["type=bind", f"source={mount.source}", f"target={mount.target}"]
    parts += [] if mount.writable else ["readonly"]
    row = io.StringIO()
    csv.writer(row, lineterminator="").writerow(parts)
    return row.getvalue()
