"""A raw value in, from TOML, a caller or a line of text; the value as its key wants it out, or an error."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping, Sequence

from holdfast.errors import BadSetting
from holdfast.settings.declaration import Key, Kind
from holdfast.settings.keys import BY_PATH, CONSTANTS, KEYS
from holdfast.settings.scope_rules import read_rules, rules_in
from holdfast.settings.settings import Settings

__all__ = ["check_settings", "check_value", "expected_value", "kept_value", "misfit", "parse", "refusal"]

_WORDS = {
    "true": True,
    "1": True,
    "yes": True,
    "on": True,
    "false": False,
    "0": False,
    "no": False,
    "off": False,
}
_LONGEST_TEXT = 4096  # PATH_MAX on Linux
_MOST_TEXTS = 1000
_MOST_DIGITS = 9
_PATH_STARTS = ("/", "~", "./", "../")


def check_value(key: Key, value: object, file: str | None = None, line: int | None = None) -> object:
    """The value as its key's type, or BadSetting with what belongs there."""
    fitted = _fit(key, value)
    if fitted is None:
        raise refusal(key, value, _why(key, value), file, line)
    return fitted


def kept_value(key: Key, value: object) -> object:
    """The value of a key that an earlier version had; its default where it does not fit, for it counts no more."""
    try:
        return check_value(key, value)
    except BadSetting:
        return key.default


def parse(key: Key, text: str, file: str | None = None) -> object:
    """The value that a line of text means, from the environment or `config set`; empty can mean absent."""
    if key.optional and not text:
        return None
    return check_value(key, _read(key, text), file)


def misfit(settings: Settings) -> tuple[tuple[str, str], str] | None:
    """Two keys whose values do not go together, and why; each value for itself is already accepted."""
    tokens, overlap = settings.chunking.tokens, settings.chunking.overlap
    if overlap * 2 >= tokens:
        why = f"the overlap ({overlap}) must be less than half of the tokens ({tokens})"
        return ("memory.chunking.overlap", "memory.chunking.tokens"), why
    if settings.search.vector_weight == 0 == settings.search.text_weight:
        why = "vector_weight and text_weight can't both be 0"
        return ("memory.search.vector_weight", "memory.search.text_weight"), why
    return None


def check_settings(settings: Settings) -> Settings:
    """The same settings if each value fits: for those that a caller built by hand."""
    for key in (*KEYS, *CONSTANTS.values()):
        value = getattr(getattr(settings, key.room), key.field)
        if not (key.optional and value is None):
            check_value(key, value)
    clash = misfit(settings)
    if clash is not None:
        (path, _), why = clash
        key = BY_PATH[path]
        raise refusal(key, getattr(getattr(settings, key.room), key.field), why)
    return settings


def expected_value(key: Key) -> str:
    """Return what belongs at this key, in words: `a whole number from 1 to 100`."""
    if key.kind is Kind.SWITCH:
        return "true or false"
    if key.choices is not None:
        return "one of " + ", ".join(f'"{choice}"' for choice in key.choices)
    if key.kind in (Kind.TEXT, Kind.PROSE):
        return "text"
    if key.kind is Kind.TEXTS:
        return "a list of texts"
    if key.kind is Kind.HEADERS:
        return "a table of names and texts, or in one line `Name: value`"
    if key.kind is Kind.RULES:
        return 'a list of rules, `[{ action = "allow", match = { kind = "direct" } }]`'
    if key.most is None:
        return f"a {key.kind} of {key.least:,} or more"
    bounds = f"a {key.kind} from {key.least:,} to {key.most:,}"
    if key.units:
        return bounds + " or a text such as " + " or ".join(f'"5{unit}"' for unit in key.units)
    return bounds


def refusal(key: Key, value: object, why: str, file: str | None = None, line: int | None = None) -> BadSetting:
    """The error for this key and value; a secret, and what would flood the screen, is left out of it."""
    shown = "…" if key.secret else _short(value)
    if isinstance(shown, str) and "://" in shown:  # what may be a password or a token
        shown = re.sub(r"//[^/]*@", "//…@", shown).partition("?")[0]
    return BadSetting(key.path, shown, why, file, line)


def _fit(key: Key, value: object) -> object | None:
    """The value as the key's type, or None if it does not fit."""
    match key.kind:
        case Kind.SWITCH:
            return value if isinstance(value, bool) else None
        case Kind.CHOICE:
            return next((choice for choice in key.choices or () if choice == value), None)
        case Kind.WHOLE:
            if isinstance(value, str):
                value = _in_units(key, value)
            whole = isinstance(value, int) and not isinstance(value, bool)
            if whole and _in_bounds(key, value):
                return value
            return None
        case Kind.NUMBER:
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if number and _in_bounds(key, value):
                return _as_float(value)
            return None
        case Kind.TEXT | Kind.PROSE:
            if isinstance(value, str) and _text_flaw(key, value) is None:
                return value
            return None
        case Kind.RULES:
            rules = read_rules(value)
            return None if isinstance(rules, str) else rules
        case Kind.TEXTS | Kind.HEADERS:
            if key.kind is Kind.HEADERS and isinstance(value, Mapping):
                value = [f"{name}: {text}" for name, text in value.items()]
            elif key.kind is Kind.TEXTS and isinstance(value, str) and key.default:
                value = [value]  # `fallback = "openai"`, as the list of one that it means
            if not isinstance(value, (list, tuple)) or len(value) > _MOST_TEXTS:
                return None
            texts = _as_texts(key, value)
            return None if isinstance(texts, str) else texts


def _in_units(key: Key, text: str) -> int | None:
    """The number that a text with a unit means, `"5m"`; None where the key has no such unit."""
    number, unit = text[:-1], text[-1:]
    if unit not in key.units or not number.isascii() or not number.isdecimal() or len(number) > _MOST_DIGITS:
        return None
    return int(number) * key.units[unit]


def _as_texts(key: Key, value: Sequence[object]) -> tuple[str, ...] | str:
    """The entries of a list; or what is wrong with the first that does not fit, or with them together."""
    texts: list[str] = []
    for number, item in enumerate(value, start=1):
        flaw = None
        try:
            text = key.entry(item) if key.entry is not None and isinstance(item, Mapping) else item
            flaw = _text_flaw(key, text) if isinstance(text, str) else "it is not text"
        except ValueError as error:
            text, flaw = "", str(error)
        if flaw is not None or not isinstance(text, str):
            return f"entry {number} can't be used, {flaw}"
        texts.append(text)
    return (key.together(texts) if key.together is not None else None) or tuple(texts)


def _in_bounds(key: Key, value: object) -> bool:
    assert isinstance(value, (int, float))
    # A whole number too long for a float still compares exactly; NaN and infinity must not get through.
    finite = isinstance(value, int) or math.isfinite(value)
    return finite and (key.least is None or value >= key.least) and (key.most is None or value <= key.most)


def _as_float(value: object) -> float | None:
    assert isinstance(value, (int, float))
    try:
        return float(value) + 0.0  # -0.0 becomes 0.0
    except OverflowError:
        return None


def _text_flaw(key: Key, text: str) -> str | None:
    if not text:
        return "it is empty"
    if len(text) > _LONGEST_TEXT:
        return f"it is longer than {_LONGEST_TEXT:,} characters"
    # A NUL cuts a path short in the system's calls; a lone surrogate can't be written to the file.
    breaks = "\n\t" if key.kind is Kind.PROSE else ""
    if any((c < " " and c not in breaks) or c == "\x7f" or "\ud800" <= c <= "\udfff" for c in text):
        return "it has a control character, or bytes that are not UTF-8"
    if key.flaw is None:
        return None
    return key.flaw(text)


def _why(key: Key, value: object) -> str:
    why = f"it must be {expected_value(key)}"
    if key.choices is not None:
        return why + _choice_hint(key, value)
    if key.kind is Kind.TEXTS and isinstance(value, (list, tuple)):
        if len(value) > _MOST_TEXTS:
            return f"it has more than {_MOST_TEXTS:,} entries"
        texts = _as_texts(key, value)
        if isinstance(texts, str):
            return texts
    if key.kind is Kind.RULES:
        rules = read_rules(value)
        if isinstance(rules, str) and not isinstance(value, str):
            return f"{why}; {rules}"
        return why
    if isinstance(value, str):
        if key.kind in (Kind.TEXT, Kind.PROSE):
            return _text_flaw(key, value) or why
        if key.kind is Kind.TEXTS:
            return f'{why}, such as ["a", "b"] or a{os.pathsep}b'
        if _fit(key, _read(key, value)) is not None:
            return f"{why}, without quotes"
    return why


def _choice_hint(key: Key, value: object) -> str:
    assert key.choices is not None
    if isinstance(value, bool):  # `citations = true` for "on"
        value = "on" if value else "off"
    if not isinstance(value, str):
        return ""
    from holdfast.settings.near_names import nearest_name

    near = nearest_name(value, key.choices, alike=0.5)
    if not near:
        return ""
    return f'; the nearest is "{near}"'


def _read(key: Key, text: str) -> object:
    """The text as the key's type where it can be read so, else the text itself for the error to show."""
    stripped = text.strip()
    match key.kind:
        case Kind.SWITCH:
            return _WORDS.get(stripped.lower(), text)
        case Kind.CHOICE:
            return stripped
        case Kind.WHOLE | Kind.NUMBER:
            try:
                if key.kind is Kind.WHOLE:
                    return int(stripped)
                return float(stripped)
            except ValueError:
                return text
        case Kind.TEXTS:
            return _entries(key, text)
        case Kind.HEADERS:
            return [line for line in text.split("\n") if line]
        case Kind.RULES:
            return rules_in(stripped) if stripped else []
        case Kind.TEXT | Kind.PROSE:
            return text


def _entries(key: Key, text: str) -> object:
    """The entries of a list on one line: `["a", "b"]` as in TOML, `a:b`, or `a,b`; the text itself where it is none.

    A comma may belong to a path: it separates where what stands between can only be entries. A directory that is
    called `[a]` can be given as `./[a]`; what is only the beginning or the end of a list is none.
    """
    stripped = text.strip()
    if stripped.startswith("[") or stripped.endswith(('"]', "']")):
        import tomllib

        try:
            return tomllib.loads(f"list = {stripped}")["list"]
        except (tomllib.TOMLDecodeError, RecursionError):
            return text
    if os.pathsep not in text and "," in text:
        parts = [part.strip() for part in text.split(",")]
        if _text_flaw(key, text) is not None or all(part.startswith(_PATH_STARTS) for part in parts):
            return parts
    if key.entry is not None and "::" in text:  # the pattern of a place, `docs=~/notes::**/*.md`
        return re.split(r"(?<!:):(?!:)", text)
    return text.split(os.pathsep) if text else []


def _short(value: object) -> object:
    try:
        shown = repr(value)
    except (RecursionError, ValueError):  # nested too deeply; a number with too many digits
        return "…"
    if len(shown) <= 80:
        return value
    return shown[:80] + "…"
