"""The Pythons of this machine that Holdfast runs on: their versions, a line each.

python3 .ci/pythons.py           all of them
python3 .ci/pythons.py 3.12.1    where that one is
"""

import glob
import os
import subprocess
import sys

OLDEST = (3, 11)
TELL = "import sys; print(*sys.version_info[:3], sys.version_info.releaselevel, sys.executable)"


def candidates() -> list[str]:
    """Names on the path and below /usr, and what pyenv has built; none needs to exist or to work."""
    folders = [*os.environ.get("PATH", "").split(os.pathsep), "/usr/bin", "/usr/local/bin"]
    pyenv = os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv")
    folders += glob.glob(os.path.join(pyenv, "versions", "*", "bin"))
    return [path for folder in dict.fromkeys(folders) for path in sorted(glob.glob(os.path.join(folder, "python3*")))]


def pythons() -> dict[tuple[int, ...], str]:
    """Each version, and the first interpreter of it that runs and can make an environment."""
    found: dict[tuple[int, ...], str] = {}
    for path in candidates():
        if not os.path.basename(path).removeprefix("python3").lstrip(".").isdigit() and path[-7:] != "python3":
            continue  # python3-config and its like
        ran = subprocess.run(
            [path, "-c", f"import ensurepip, venv; {TELL}"], capture_output=True, text=True, check=False
        )
        *version, level, executable = ran.stdout.strip().split(" ", 4) if ran.returncode == 0 else ("0", "", "")
        number = tuple(map(int, version))
        if number >= OLDEST and level == "final":
            found.setdefault(number, executable)
    return dict(sorted(found.items()))


if __name__ == "__main__":
    for number, executable in pythons().items():
        version = ".".join(map(str, number))
        if sys.argv[1:] in ([], [version]):
            sys.stdout.write(f"{executable if sys.argv[1:] else version}\n")
