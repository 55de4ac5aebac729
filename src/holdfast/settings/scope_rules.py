"""The rules of `memory.scope` as TOML or a caller wrote them in; checked values, or what is wrong with them, out."""

from __future__ import annotations

from collections.abc import Mapping

from holdfast.settings.session_settings import ScopeAction, ScopeRule, SessionKind

__all__ = ["read_rules", "rules_in"]

_MOST = 200
_LONGEST = 200
# OpenClaw's files say chatType, keyPrefix and the like; whoever brings one along should not have to guess.
_WORDS = {
    "kind": "kind",
    "chatType": "kind",
    "chat_type": "kind",
    "key_prefix": "key_prefix",
    "keyPrefix": "key_prefix",
    "channel": "channel",
}


def read_rules(value: object) -> tuple[ScopeRule, ...] | str:
    """The rules, or in words what is wrong with the first that is none."""
    if not isinstance(value, list | tuple):
        return "it must be a list of rules"
    if len(value) > _MOST:
        return f"it has more than {_MOST} rules"
    rules: list[ScopeRule] = []
    for number, entry in enumerate(value, start=1):
        rule = entry if isinstance(entry, ScopeRule) else _rule(entry)
        if isinstance(rule, str):
            return f"rule {number} can't be used, {rule}"
        rules.append(rule)
    return tuple(rules)


def rules_in(text: str) -> object:
    """The list that a line of text holds, as it would stand in the file; the text itself if it holds none."""
    import tomllib

    try:
        return tomllib.loads(f"rules = {text}")["rules"]
    except (ValueError, RecursionError):
        return text


def _rule(entry: object) -> ScopeRule | str:
    if not isinstance(entry, Mapping):
        return "it is not a table"
    unknown = next((name for name in entry if name not in ("action", "match")), None)
    if unknown is not None:
        return f"it has {_short_repr(unknown)}; it can have `action` and `match`"
    action = next((each for each in ScopeAction if each == entry.get("action")), None)
    if action is None:
        return 'its action must be "allow" or "deny"'
    match = entry.get("match", {})
    if not isinstance(match, Mapping):
        return "its match is not a table"
    given: dict[str, str] = {}
    for word, text in match.items():
        name = _WORDS.get(word)
        if name is None:
            return f"its match has {_short_repr(word)}; it can have `kind`, `key_prefix` and `channel`"
        if name in given:
            return f"its match has {name} twice"
        if not isinstance(text, str) or not 0 < len(text) <= _LONGEST or not text.isprintable():
            return f"its {name} is not a short text"
        given[name] = text
    kind = next((each for each in SessionKind if each == given.get("kind")), None)
    if kind is None and "kind" in given:
        return f"its kind must be one of {', '.join(SessionKind)}"
    return ScopeRule(action, kind, given.get("key_prefix", ""), given.get("channel", ""))


def _short_repr(name: object) -> str:
    return repr(name)[:40]
