"""The home, the environment and arguments in; the settings, and where each value came from, out."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from holdfast.errors import HomeSetting, SettingsError, UnknownSetting, UnreadableSettings
from holdfast.settings.definitions import BY_PATH, DEFAULTS, KEYS, TABLES, Key, find_key
from holdfast.settings.value_check import accept, misfit, parse, refusal
from holdfast.settings.values import Settings
from holdfast.value import Value

__all__ = [
    "FILE_NAME",
    "FileText",
    "Loaded",
    "check_agent_file",
    "keys_in",
    "load",
    "load_team",
    "load_text",
    "settings_file",
]

FILE_NAME = "holdfast.toml"
_PREFIX = "HOLDFAST_"
# Not settings: they say which memory is meant, or steer tests and benchmarks.
_OTHER_VARIABLES = frozenset(
    {
        *("HOLDFAST_HOME", "HOLDFAST_AGENT", "HOLDFAST_TOKEN", "HOLDFAST_DATABASE"),
        *("HOLDFAST_FAULTS", "HOLDFAST_EVAL_DATA"),
    }
)
_OTHER_PREFIXES = ("HOLDFAST_TEST_", "HOLDFAST_BENCH_")
_READ_LIMIT = 1_000_001


class Loaded(Value):
    """The settings, and for each key (by its path) the value as given and where it came from."""

    settings: Settings
    values: Mapping[str, object]
    sources: Mapping[str, str]


class FileText(NamedTuple):
    """A settings file and what stands in it."""

    file: str
    text: str


class _Given(NamedTuple):
    """One value that somebody gave, already checked on its own."""

    key: Key
    value: object
    source: str
    file: str | None
    line: int | None
    of_agent: bool = False


def settings_file(home: str, agent: str | None = None) -> str:
    """Where the settings of a home are, or those of one agent; whether or not the file exists."""
    return os.path.join(home, FILE_NAME) if agent is None else os.path.join(home, "agents", agent, FILE_NAME)


def load(
    home: str,
    agent: str | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    arguments: Mapping[str, object] | None = None,
) -> Loaded:
    """The settings of an agent: arguments win over the environment, that over its file, the home's, and defaults.

    Without an agent, those of the home. Whoever calls has checked the agent's id. Arguments have dotted keys
    (`memory.search.max_results`); one that is None counts as not given.
    """
    file = settings_file(home)
    given = list(_given_by_file(_text(file), file))
    if agent is not None:
        own = settings_file(home, agent)
        given.extend(_given_by_file(_text(own), own, f"agents/{agent}/{FILE_NAME}", home_file=file))
    given.extend(_given_by_environment(os.environ if environ is None else environ))
    given.extend(_given_by_arguments(arguments or {}))
    return _settled(given)


def check_agent_file(home: str, agent: str) -> None:
    """Raise SettingsError unless the file of an agent's settings can be used, over the home's where that can be."""
    file, own = settings_file(home), settings_file(home, agent)
    try:
        below = FileText(file, _text(file))
        load_text(below.text, file)
    except SettingsError:
        below = FileText(file, "")
    load_text(_text(own), own, below)


def load_text(text: str, file: str = FILE_NAME, over: FileText | None = None) -> Loaded:
    """The settings that a file with this text would give on its own, or an agent's laid over the home's."""
    below = _given_by_file(over.text, over.file) if over is not None else ()
    own = _given_by_file(text.removeprefix("\ufeff"), file, home_file=over.file if over is not None else None)
    return _settled([*below, *own])


def load_team(home: str, agent: str, is_operators: Callable[[str], bool]) -> Loaded:
    """The settings of a tenant's agent, by the texts of its file and the home's; the server's environment wins.

    What is the operator's comes from the environment alone.
    """
    given = [*_given_by_file(home, FILE_NAME), *_given_by_file(agent, FILE_NAME, home_file=FILE_NAME)]
    own = [each for each in given if not is_operators(each.key.path)]
    return _settled([*own, *_given_by_environment(os.environ)])


def keys_in(text: str) -> list[str]:
    """The keys that the text of a file gives, each checked on its own."""
    return [each.key.path for each in _given_by_file(text, FILE_NAME)]


def _text(file: str) -> str:
    """What stands in a file; nothing where there is none."""
    content = _content(file)
    if content is None:
        return ""
    from holdfast.settings.document import decoded

    return decoded(content, file)


def _content(file: str) -> bytes | None:
    """The bytes of the file, up to one more than the limit; None if there is no file."""
    try:
        # Not blocking, so that a FIFO in place of the file is an error and not a wait without end.
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        if _is_link(file):  # the owner meant there to be settings: defaults would be a silent loss
            raise UnreadableSettings(file, "it is a link to a file that is not there") from None
        return None
    except NotADirectoryError:
        raise UnreadableSettings(
            file, f"{_file_in_the_way(file)!r} is a file, not a directory", remedy="Name a folder as the home."
        ) from None
    except (OSError, ValueError) as error:
        raise UnreadableSettings(file, _reason(error)) from None
    try:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            what = "a directory" if stat.S_ISDIR(mode) else "not a plain file"
            raise UnreadableSettings(file, f"it is {what}")
        with os.fdopen(descriptor, "rb", closefd=False) as stream:
            return stream.read(_READ_LIMIT)
    except OSError as error:
        raise UnreadableSettings(file, _reason(error)) from None
    finally:
        os.close(descriptor)


def _file_in_the_way(file: str) -> str:
    """The part of a path at which something stands that is no directory."""
    place = os.path.dirname(file)
    while not os.path.lexists(place):
        place = os.path.dirname(place)
    return place


def _is_link(file: str) -> bool:
    try:
        return stat.S_ISLNK(os.lstat(file).st_mode)
    except OSError:
        return False


def _reason(error: Exception) -> str:
    text = getattr(error, "strerror", None) or str(error)
    return f"{text[:1].lower()}{text[1:]}"


def _given_by_file(text: str, file: str, shown: str = FILE_NAME, *, home_file: str | None = None) -> Iterator[_Given]:
    """What the text of a file gives; with `home_file` it is an agent's, which has no say in what is the home's."""
    if not text:
        return
    from holdfast.settings.document import values_in

    for key, value, line in values_in(text, file):
        if home_file is not None and key.of_home:
            raise HomeSetting(key.path, file, home_file, line)
        source = f"{shown}:{line}" if line else shown
        yield _Given(key, value, source, file, line, of_agent=home_file is not None)


def _given_by_environment(environ: Mapping[str, str]) -> Iterator[_Given]:
    by_variable = {key.environment: key for key in KEYS}
    for name in sorted(name for name in environ if name.startswith(_PREFIX)):
        if name in _OTHER_VARIABLES or name.startswith(_OTHER_PREFIXES):
            continue
        key = by_variable.get(name)
        if key is None:
            from holdfast.settings.near_names import nearest_variable, printable

            raise UnknownSetting(printable(name), nearest_variable(name), "the environment")
        yield _Given(key, parse(key, environ[name], name), name, name, None)


def _given_by_arguments(arguments: Mapping[str, object], table: str = "") -> Iterator[_Given]:
    """Dotted keys, tables inside tables as TOML has them, or both."""
    for name, value in arguments.items():
        path = table + name
        if isinstance(value, Mapping) and path in TABLES:
            yield from _given_by_arguments(value, f"{path}.")
            continue
        key = find_key(path)
        if value is not None:
            yield _Given(key, accept(key, value), "argument", None, None)


def _settled(given: Iterable[_Given]) -> Loaded:
    """The last value given for each key, checked against each other."""
    last = {each.key.path: each for each in given}
    values = {key.path: last[key.path].value if key.path in last else key.default for key in KEYS}
    clash = misfit(values)
    if clash is not None:
        pair, why = clash
        # The defaults go together, so one of the two was given. Where an agent's file gives one that does not go with
        # the home's, whoever wrote the agent's is to be told.
        path = max((path for path in pair if path in last), key=lambda path: last[path].of_agent)
        raise refusal(BY_PATH[path], values[path], why, last[path].file, last[path].line)
    sources = {key.path: last[key.path].source if key.path in last else "default" for key in KEYS}
    return Loaded(_rooms(values), MappingProxyType(values), MappingProxyType(sources))


def _rooms(values: Mapping[str, object]) -> Settings:
    rooms: dict[str, dict[str, Any]] = {room: {} for room in Settings.fields}
    for key in KEYS:
        rooms[key.room][key.field] = values[key.path]
    return Settings(**{name: type(getattr(DEFAULTS, name))(**held) for name, held in rooms.items()})
