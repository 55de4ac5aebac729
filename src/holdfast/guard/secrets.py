"""Known kinds of secrets: a text comes in, where its secrets stand goes out, or the same text without them.

Ordinary notes cost a few passes over their bytes: an expression is tried only inside a word of twenty characters or
more, or next to a word such as `password`. Every look is bounded, so no text can make it slow.

Not covered here: a secret that no vendor marked and no name announces, one that is written as plain words, and one
that is encoded, encrypted or spelt in look-alike letters.
"""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error as NotBase64
from bisect import bisect_right
from collections.abc import Iterator

from holdfast.guard.secret_rules import MIN_TOKEN, RULES, TOKEN_CHARACTERS, anchors, compiled, is_dummy, token_at
from holdfast.guard.secret_values import (
    ASSIGNMENT,
    KEY_BEFORE,
    NOT_A_TOKEN_BEFORE,
    is_password,
    is_token,
    value_at,
    value_end,
)
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

__all__ = ["KINDS", "Secret", "find_secrets", "redact", "redact_within", "secret_kinds"]

_GENERIC = (
    *("AWS secret access key", "WireGuard key", "basic credentials", "bearer token", "database password"),
    *("password in a URL", "recovery phrase", "password", "assigned secret"),
)
_ARMOURED = ("private key", "SSH private key", "PGP private key")
KINDS: tuple[str, ...] = (*dict.fromkeys(rule.kind for rule in RULES), *_ARMOURED, *_GENERIC)
"""Every kind that can be found, the more telling before the less."""

_RANK = {kind: rank for rank, kind in enumerate(KINDS)}
_OPEN = "[redacted: "
# Only our own marks: whoever writes a secret between the same brackets does not hide it.
_MARK = rf"\[redacted: (?:{'|'.join(map(re.escape, KINDS))})\]"
# Shown as nothing, and so used to split a token that a reader, or a model, still reads as one.
_UNSEEN = compile_late(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e01ef]"
)
_ASCII = bytes(range(128))
_LONG = b"x" * MIN_TOKEN
_RUNS = bytes(ord("x") if chr(byte) in TOKEN_CHARACTERS else ord(" ") for byte in range(256))

_ARMOUR = compile_late(r"-----BEGIN ([A-Z0-9 ]{0,40})PRIVATE KEY(?: BLOCK)?-----|Private-Lines: ?[0-9]{1,4}")
_ARMOUR_LINE = compile_late(
    r"(?:\s|\\[rn]|[>\"'+,|]){0,24}"
    r"(?:[A-Za-z0-9+/]{16,}={0,2}|(?:Proc-Type|DEK-Info|Version|Comment|Hash): ?[^\n\\]{0,100})"
)
_ARMOUR_END = compile_late(r"-----END [A-Z0-9 ]{0,60}-----")
_USERINFO = compile_late(r"([^\s:@/?#\"'<>`\[]{0,128}):([^\s/?#\"'<>`]{1,256})@(?=[^\s@])")
_DATABASE_USERINFO = compile_late(r"([^\s:@/?#\"'<>`]{0,128}):([^\s\"'<>`]{1,256})@(?=[^\s@/])")
_DATABASES = frozenset("postgres postgresql mysql mariadb mongodb redis rediss amqp amqps mssql cockroachdb".split())
_SCHEME = compile_late(r"[A-Za-z][A-Za-z0-9+.-]{0,20}\Z")
_LOGIN_BEFORE = compile_late(rb"login\s{1,4}\S{1,64}\s{1,4}\Z")
_BEARER = compile_late(r"bearer[ \t:=]{1,4}[\"']?([A-Za-z0-9._~+/=-]{16,4096})", re.IGNORECASE)
_BASIC = compile_late(r"basic[ \t]{1,4}([A-Za-z0-9+/]{8,512}={0,2})", re.IGNORECASE)
_HEADER = compile_late(
    r"authorization[\"'\\]{0,3}[ \t]{0,4}[:=,][ \t]{0,4}[\"'\\]{0,3}"
    r"(?:[A-Za-z-]{1,20}[ \t]{1,4})?([A-Za-z0-9._~+/=:-]{12,4096})",
    re.IGNORECASE,
)
_PHRASE = compile_late(r"[\"'`]?((?:[a-z]{3,8}[ \t,]{1,2}){11,23}[a-z]{3,8})")
# Frequent in sentences, and not in the word list of BIP 39, which recovery phrases are drawn from.
_SENTENCE = frozenset("the and are was your for were but not his her its had our who which".split())
_AWS_SECRET = compile_late(r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])")
_AWS_NEAR_CHARACTERS = 160  # characters after an access key id: the next field of a file of credentials
_PAIR_KEY = compile_late(r"[A-Za-z0-9+/]{43}=")


class Secret(NamedTuple):
    """A secret of a known kind, and its position in a text."""

    kind: str
    start: int
    end: int


def find_secrets(text: str) -> list[Secret]:
    """Return every secret of a known kind, in order and without overlaps.

    Positions are those of the text as given.
    """
    secrets = list(_scan(text))
    if not text.isascii() and _has_unseen(text):
        # Both readings count: taking an unseen character out joins what it split, and what it only followed.
        unseen = [match.start() - count for count, match in enumerate(_UNSEEN.finditer(text))]
        for kind, start, end in _scan(_UNSEEN.sub("", text)):
            secrets.append(Secret(kind, start + bisect_right(unseen, start), end + bisect_right(unseen, end - 1)))
    return _merge_overlaps(secrets)


def redact(text: str) -> str:
    """Replace each secret by `[redacted: KIND]`; doing it again changes nothing."""
    # What stood beside a secret may read as one when that is gone; each round leaves less text than the one before.
    while secrets := find_secrets(text):
        parts: list[str] = []
        last = 0
        for kind, start, end in secrets:
            parts += (text[last:start], f"{_OPEN}{kind}]")
            last = end
        text = "".join((*parts, text[last:]))
    return text


def redact_within(text: str, start: int, end: int) -> str:
    """Return the part of a text between two positions, redacted as if the whole were seen.

    A secret that a cut separates from what gives it away, its name or its first letters, is still one.
    """
    parts: list[str] = []
    at = start
    for secret in find_secrets(text):
        if secret.end <= at or secret.start >= end:
            continue
        parts += [text[at : max(at, secret.start)], f"[redacted: {secret.kind}]"]
        at = min(end, secret.end)
    return redact("".join([*parts, text[at:end]]))


def secret_kinds(text: str) -> tuple[str, ...]:
    """Return the kinds of the secrets in a text, each once, in the order of the text."""
    return tuple(dict.fromkeys(secret.kind for secret in find_secrets(text)))


def _has_unseen(text: str) -> bool:
    """Say whether it has an unseen character.

    The expression looks only at what is not ASCII, mostly next to nothing.
    """
    rest = text.encode("utf-8", "surrogatepass").translate(None, _ASCII)
    return _UNSEEN.search(rest.decode("utf-8", "surrogatepass")) is not None


def _merge_overlaps(secrets: list[Secret]) -> list[Secret]:
    merged: list[Secret] = []
    for secret in sorted(secrets, key=lambda secret: (secret.start, secret.end)):
        if merged and secret.start < merged[-1].end:
            before = merged.pop()
            kind = min(before.kind, secret.kind, key=_RANK.__getitem__)
            merged.append(Secret(kind, before.start, max(before.end, secret.end)))
        else:
            merged.append(secret)
    return merged


def _scan(text: str) -> Iterator[Secret]:
    if _OPEN in text:
        text = compiled(_MARK).sub(lambda mark: "\n" * len(mark[0]), text)
    if not text.isascii():
        text = text.replace("：", ":").replace("＝", "=")
    plain = text.encode("ascii", "replace")  # one byte for each character: positions stay
    yield from _find_tokens(text, plain)
    yield from _find_private_keys(text, plain)
    yield from _find_url_passwords(text)
    low = plain.lower()
    yield from _find_assigned(text, low)
    yield from _find_phrases(text, low)
    yield from _find_headers(text, low)


def _find_tokens(text: str, plain: bytes) -> Iterator[Secret]:
    """Yield the vendors' tokens, each inside one long word."""
    runs = plain.translate(_RUNS)
    end = 0
    while (start := runs.find(_LONG, end)) >= 0:
        end = runs.find(b" ", start)
        if end < 0:
            end = len(runs)
        at = start
        while anchor := anchors().search(text, at, end):
            token = token_at(text, anchor.start(), anchor[0])
            if token is None:
                at = anchor.start() + 1
                continue
            yield Secret(*token)
            at = max(token[2], anchor.end())
            if token[0] == "AWS access key id":
                yield from _find_aws_secret(text, token[2])


def _find_aws_secret(text: str, after: int) -> Iterator[Secret]:
    for match in _AWS_SECRET.finditer(text, after, after + _AWS_NEAR_CHARACTERS):
        value = match[0]
        if not value.islower() and not value.isupper() and not is_dummy(value):
            yield Secret("AWS secret access key", match.start(), match.end())


def _find_private_keys(text: str, plain: bytes) -> Iterator[Secret]:
    """Yield private keys in lines, whole or cut off.

    The end is not searched for: that cost a minute on 220 KB elsewhere.
    """
    for stem, back in ((b"PRIVATE KEY", 60), (b"Private-Lines", 0)):
        past = 0
        for at in _positions(plain, stem):
            begin = _ARMOUR.search(text, max(past, at - back), at + 40)
            if begin is None or at < past:
                continue
            end = begin.end()
            while line := _ARMOUR_LINE.match(text, end):
                end = line.end()
            if end == begin.end():
                continue
            if closing := _ARMOUR_END.search(text, end, end + 200):
                end = closing.end()
            owner = begin[1] or ""
            maker = next((f"{name} " for name in ("PGP", "SSH") if name in owner), "")
            yield Secret(f"{maker}private key", begin.start(), end)
            past = end


def _find_url_passwords(text: str) -> Iterator[Secret]:
    at = -1
    while (at := text.find("://", at + 1)) >= 0:
        scheme = _SCHEME.search(text, max(0, at - 21), at)
        if scheme is None:
            continue
        database = not _DATABASES.isdisjoint(scheme[0].lower().split("+"))
        login = (_DATABASE_USERINFO if database else _USERINFO).match(text, at + 3)
        if login is None or login[1] == login[2] or not is_password(login[2], "url"):
            continue
        yield Secret("database password" if database else "password in a URL", login.start(2), login.end(2))
        at = login.end()


def _positions(low: bytes, stem: bytes) -> Iterator[int]:
    at = low.find(stem)
    while at >= 0:
        yield at
        at = low.find(stem, at + len(stem))


def _find_assigned(text: str, low: bytes) -> Iterator[Secret]:
    """Yield values that are assigned to a name such as `password`, `api_key` or `SECRET_KEY`."""
    for stem in (b"pass", b"pwd", b"secret", b"token", b"key"):
        past = 0
        for at in _positions(low, stem):
            if at < past:
                continue
            name = compiled(ASSIGNMENT).match(low, at)
            if name is None or not _names_a_secret(low, at, name):
                continue
            sign = name["sign"]
            if not sign and not (low[max(0, at - 24) : at].rpartition(b" ")[2].startswith(b"--")):
                if stem != b"pass" or not _LOGIN_BEFORE.search(low, max(0, at - 80), at):
                    continue
                sign = b"="
            value = value_at(text, name.end(), sign.decode())
            if value is None:
                continue
            is_pass = stem in (b"pass", b"pwd")
            how = "set"
            if value.quoted:
                how = "quoted"
            elif sign.strip() in (b":", b"is", b"|", b"->"):
                how = "prose"
            elif text[name.start() : name.end()].isupper() and text[name.end() - 1] == "=":
                how = "variable"
            if (is_password if is_pass else is_token)(value.text, how):
                past = value_end(text, value)
                yield Secret(_assigned_kind(low, at, name, value.text, is_pass), value.start, past)


def _names_a_secret(low: bytes, at: int, name: re.Match[bytes]) -> bool:
    word, tail = name["word"], name["tail"]
    if name["sign"] == b"," and tail[:1].isalpha():
        return False
    if word in (b"pass", b"pwd", b"key") and tail[:1].isalpha() and tail != b"s":
        return False
    if word == b"pass":
        before = low[max(0, at - 1) : at]
        return before in (b"_", b"-") or (not before.isalpha() and name["sign"].startswith(b"="))
    if word == b"key":
        return compiled(KEY_BEFORE).search(low, max(0, at - 24), at) is not None
    return word != b"token" or compiled(NOT_A_TOKEN_BEFORE).search(low, max(0, at - 16), at) is None


def _assigned_kind(low: bytes, at: int, name: re.Match[bytes], value: str, is_pass: bool) -> str:
    if is_pass:
        return "password"
    whole = low[max(0, at - 24) : name.end("tail")]
    if len(value) == 40 and re.search(rb"secret.?access.?key\Z|aws.?secret", whole):
        return "AWS secret access key"
    if _PAIR_KEY.fullmatch(value) and re.search(rb"(?:private|preshared).?key\Z", whole):
        return "WireGuard key"
    return "assigned secret"


def _find_phrases(text: str, low: bytes) -> Iterator[Secret]:
    for stem in (b"phrase", b"mnemonic"):
        for at in _positions(low, stem):
            name = compiled(ASSIGNMENT).match(low, at)
            words = None
            if name and name["sign"]:
                words = _PHRASE.match(text, name.end())
            if words and not _SENTENCE.intersection(words[1].replace(",", " ").split()):
                yield Secret("recovery phrase", words.start(1), words.end(1))


def _find_headers(text: str, low: bytes) -> Iterator[Secret]:
    """Yield the credentials of an `Authorization` header, with or without its name."""
    for stem, pattern, kind in (
        (b"bearer", _BEARER, "bearer token"),
        (b"authorization", _HEADER, "bearer token"),
        (b"basic", _BASIC, "basic credentials"),
    ):
        past = 0
        for at in _positions(low, stem):
            match = None
            if at >= past:
                match = pattern.match(text, at)
            if match is None:
                continue
            if (_is_login if stem == b"basic" else _is_header)(match[1]):
                past = match.end(1)
                yield Secret(kind, match.start(1), past)


def _is_header(value: str) -> bool:
    return is_token(value, "set")


def _is_login(value: str) -> bool:
    """Say whether this is base64 of `user:password`; ordinary words after `basic` are not."""
    try:
        login = b64decode(value[: len(value) // 4 * 4], validate=True)
    except NotBase64:
        return False
    return b":" in login and all(32 <= byte < 127 for byte in login) and len(value.rstrip("=")) % 4 != 1
