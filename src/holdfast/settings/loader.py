"""The home, the environment and arguments in; the settings, and where each value came from, out."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from holdfast.errors import BadSetting, HomeSetting, SettingsError, UnknownSetting, UnreadableSettings
from holdfast.settings.declaration import SECTION_KEYS, Given
from holdfast.settings.home_path import FILE_NAME, is_variable, settings_file
from holdfast.settings.settings import DEFAULTS, Settings
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

_LARGEST = 1_000_000  # bytes: more than a thousand times a file with every key in it


class Loaded(Value):
    """The settings, and what was given of them, by the paths of the keys; the rest is as by default."""

    settings: Settings
    given: Mapping[str, Given]
    hints: tuple[str, ...] = ()
    """What was named in a file or the environment that is no key any more, and what became of it."""

    @property
    def values(self) -> Mapping[str, object]:
        """Every key's value, as it was given."""
        from holdfast.settings.keys import KEYS

        given = {path: each.value for path, each in self.given.items()}
        return MappingProxyType({key.path: key.default for key in KEYS} | given)

    @property
    def sources(self) -> Mapping[str, str]:
        """Return where every key's value came from."""
        from holdfast.settings.keys import KEYS

        given = {path: each.source for path, each in self.given.items()}
        return MappingProxyType(dict.fromkeys((key.path for key in KEYS), "default") | given)


class FileText(Value):
    """A settings file and what stands in it."""

    file: str
    text: str


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
    hints: list[str] = []
    given = list(_given_by_file(_text(file), file, hints))
    if agent is not None:
        own = settings_file(home, agent)
        given.extend(_given_by_file(_text(own), own, hints, f"agents/{agent}/{FILE_NAME}", home_file=file))
    given.extend(_given_by_environment(os.environ if environ is None else environ, hints))
    if arguments:
        given.extend(_given_by_arguments(arguments))
    return _settled(given, hints)


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
    hints: list[str] = []
    below = _given_by_file(over.text, over.file, hints) if over is not None else ()
    own = _given_by_file(text.removeprefix("\ufeff"), file, hints, home_file=over.file if over is not None else None)
    return _settled([*below, *own], hints)


def load_team(home: str, agent: str, is_operators: Callable[[str], bool]) -> Loaded:
    """The settings of a tenant's agent, by the texts of its file and the home's; the server's environment wins.

    What is the operator's comes from the environment alone.
    """
    hints: list[str] = []
    own = [*_given_by_file(home, FILE_NAME, hints), *_given_by_file(agent, FILE_NAME, hints, home_file=FILE_NAME)]
    own = [given for given in own if not is_operators(given.key.path)]
    return _settled([*own, *_given_by_environment(os.environ, hints)], hints)


def keys_in(text: str) -> list[str]:
    """The keys that the text of a file gives, each checked on its own."""
    return [given.key.path for given in _given_by_file(text, FILE_NAME, [])]


def _text(file: str) -> str:
    """Return what stands in a file; nothing where there is none."""
    content = _content(file)
    if content is None:
        return ""
    return _decode_file(content, file)


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
            if stat.S_ISDIR(mode):
                what = "a directory"
            else:
                what = "not a plain file"
            raise UnreadableSettings(file, f"it is {what}")
        with os.fdopen(descriptor, "rb", closefd=False) as stream:
            return stream.read(_LARGEST + 1)
    except OSError as error:
        raise UnreadableSettings(file, _reason(error)) from None
    finally:
        os.close(descriptor)


def _decode_file(content: bytes, file: str) -> str:
    """The bytes as text, without a byte order mark."""
    if len(content) > _LARGEST:
        raise UnreadableSettings(file, f"it is larger than {_LARGEST:,} bytes")
    # By hand: the codec `utf-8-sig` is a module that nothing else loads.
    content = content.removeprefix(b"\xef\xbb\xbf")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UnreadableSettings(file, "it is not UTF-8 text", line) from None


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


def _given_by_file(
    text: str, file: str, hints: list[str], shown: str = FILE_NAME, *, home_file: str | None = None
) -> Iterator[Given]:
    """Yield what the text of a file gives.

    With `home_file` it is an agent's, which has no say in what is the home's.
    """
    if _is_empty(text):
        return
    from holdfast.settings.document import values_in
    from holdfast.settings.old_keys import in_todays_words

    all_given: list[Given] = []
    for key, value, line in values_in(text, file):
        if home_file is not None and key.of_home:
            raise HomeSetting(key.path, file, home_file, line)
        source = f"{shown}:{line}" if line else shown
        all_given.append(Given(key, value, source, file, line, of_agent=home_file is not None))
    yield from in_todays_words(all_given, hints)


def _is_empty(text: str) -> bool:
    """Return whether a file gives nothing: it has only comments, and each header of a table once.

    So is the sample that `holdfast init` writes, and every command of its owner would parse it.
    """
    tables: set[str] = set()
    for raw in text.split("\n"):
        line = raw.removesuffix("\r")
        if not line:
            continue
        if line[0] == "[" and line[1:-1] in _TABLES and line[-1] == "]" and line not in tables:
            tables.add(line)
        elif line[0] != "#" or not line.isprintable():  # what may be no TOML is for the parser to tell
            return False
    return True


def _given_by_environment(environ: Mapping[str, str], hints: list[str]) -> Iterator[Given]:
    names = sorted(filter(is_variable, environ))
    if not names:
        return
    from holdfast.settings.keys import CONSTANTS, KEYS
    from holdfast.settings.old_keys import in_todays_words
    from holdfast.settings.value_check import parse

    by_variable = {key.environment: key for key in (*KEYS, *CONSTANTS.values())}
    all_given: list[Given] = []
    for name in names:
        key = by_variable.get(name)
        if key is None:
            from holdfast.settings.near_names import nearest_variable, printable

            near = nearest_variable(name, [known.environment for known in KEYS])
            raise UnknownSetting(printable(name), near, "the environment")
        try:
            value = parse(key, environ[name], name)
        except BadSetting:
            if not key.fixed:
                raise
            value = key.default  # it counts no more, so it stops nobody
        all_given.append(Given(key, value, name, name, None))
    yield from in_todays_words(all_given, hints)


def _given_by_arguments(arguments: Mapping[str, object], table: str = "") -> Iterator[Given]:
    """Dotted keys, tables inside tables as TOML has them, or both; a program may change constants too."""
    from holdfast.settings.keys import CONSTANTS, find_key, is_table
    from holdfast.settings.value_check import check_value

    for name, value in arguments.items():
        path = table + name
        if isinstance(value, Mapping) and is_table(path):
            yield from _given_by_arguments(value, f"{path}.")
            continue
        key = CONSTANTS.get(path) or find_key(path)
        if value is not None:
            yield Given(key, check_value(key, value), "argument", None, None)


def _settled(given: Iterable[Given], hints: list[str]) -> Loaded:
    """The last value given for each key, checked against each other."""
    last: dict[str, Given] = {}
    for each in given:
        path = each.key.path
        if each.carry is None:
            last[path] = each
            continue
        before = last[path].value if path in last else each.key.default
        value = each.carry(each.value, before)
        if value is not None and value != before:
            last[path] = each.replace(value=value, carry=None)
    if not last and not hints:
        return _UNTOUCHED
    settings = _laid_over_defaults(last.values())
    from holdfast.settings.value_check import misfit, refusal

    clash = misfit(settings)
    if clash is not None:
        pair, why = clash
        # The defaults go together, so one of the two was given. Where an agent's file gives one that does not go with
        # the home's, whoever wrote the agent's is to be told.
        blamed = max((last[path] for path in pair if path in last), key=lambda each: each.of_agent)
        raise refusal(blamed.key, blamed.value, why, blamed.file, blamed.line)
    return Loaded(settings, MappingProxyType(last), tuple(hints))


def _laid_over_defaults(given: Iterable[Given]) -> Settings:
    rooms: dict[str, dict[str, Any]] = {}
    for each in given:
        rooms.setdefault(each.key.room, {})[each.key.field] = each.value
    return DEFAULTS.replace(**{room: getattr(DEFAULTS, room).replace(**held) for room, held in rooms.items()})


# The tables that hold keys, or held some in an earlier version.
_TABLES = frozenset(keys[0].table for keys in SECTION_KEYS.values())
# What every home has in which nobody set anything.
_UNTOUCHED = Loaded(DEFAULTS, MappingProxyType({}))
