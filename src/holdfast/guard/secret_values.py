"""Tell a secret that is assigned to a name such as `password` or `api_key` from a word, a path, a placeholder.

Not covered here: passwords of plain letters in running text. `password: required` reads the same.
"""

from __future__ import annotations

import re
from itertools import pairwise

from holdfast.guard.secret_rules import has_mixed_word, is_dummy
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

__all__ = [
    "ASSIGNMENT",
    "KEY_BEFORE",
    "NOT_A_TOKEN_BEFORE",
    "AssignedValue",
    "is_password",
    "is_token",
    "value_at",
    "value_end",
]

# Expressions that are compiled when a text has one of the words: that takes as long as to look through a page.
# Of lower-case bytes: the word, the rest of the name, what may close it, a type, and the sign that assigns.
ASSIGNMENT = (
    rb"(?P<word>pass(?:word|wd|wort|phrase|code)?|pwd|secret|token|key|phrase|mnemonic)"
    rb"(?P<tail>(?!iz|ar[iy]|board|words?\b|less)[a-z0-9_.-]{0,32}+(?![a-z0-9])(?<!hash)(?<!digest)(?<!file)(?<!path)(?<!dir)(?<!url)"
    rb"(?<!uri)(?<!name)(?<!_id)(?<!-id)(?<!keyid)(?<!type)(?<!field)(?<!label)(?<!hint)(?<!policy)(?<!length)(?<!_len)"
    rb"(?<!size)(?<!count)(?<!limit)(?<!_max)(?<!_min)(?<!_ref)(?<!keyref)(?<!_arn)(?<!_env)(?<!expiry)(?<!expires)"
    rb"(?<!_ttl)(?<!_age)(?<!_at)(?<!date)(?<!time)(?<!version)(?<!prefix)(?<!manager)(?<!store)(?<!algorithm)"
    rb"(?<!format)(?<!pattern)(?<!regex)(?<!fingerprint)(?<!usage))"
    rb"[*_\"'`\])\\]{0,5}(?:[ \t]\([^()\n]{1,40}\))?"
    rb"(?:[ \t]{0,2}:[ \t]{0,2}[a-z_.\[\]|]{1,30}[ \t]{0,2}(?==))?"
    rb"[ \t]{0,4}(?P<sign>=>|->|:=|={1,3}|:|(?<=[ \t])is[ \t]|>|\||(?<=[\"']),|(?<=[ \t]))"
    rb"[ \t]{0,8}(?:\*\*|__)?[ \t]{0,4}"
)
KEY_BEFORE = (
    rb"(?:api|access|private|secret|preshared|encryption|encrypt|signing|auth|account|shared|master|service|role"
    rb"|subscription|admin|client|app|application|storage|session|jwt|hmac|cipher|aes|root|deploy|function|consumer"
    rb"|webhook|integration|license|write|master)[ _.-]?\Z"
)
# Tokens of models, pages and forms: many, short-lived, and no one's secret.
NOT_A_TOKEN_BEFORE = (
    rb"(?:next|page|continuation|sync|pagination|csrf|xsrf|eos|bos|pad|unk|sep|cls|mask|max|min|total|prompt|input"
    rb"|output|completion|special|stop|start|end|first|last|public|publickey|design)[ _.-]?\Z"
)
_QUOTED = compile_late(
    r"[rbfuRBFU@]{0,2}\\{0,2}(?:\"([^\"\n]{1,512})|'([^'\n]{1,512})|`([^`\n]{1,512})|“([^”\n]{1,512}))"
)
_BARE = compile_late(r"(?:[^\s\"'`<;&]|[;&](?![A-Za-z_][\w .-]{0,40}=|\s|\Z)){4,256}")
_REST = compile_late(r"[^\s\"'`<;&]*")
_PLACEHOLDER = compile_late(
    r"[*•.x#?_=~-]+|<.*>|\{.*\}|\{[a-z_]\w*(?:[!:.}\[].*)?|\[.*\]|\(.*\)|\$\{.*|\$\(.*|\$[A-Za-z_]\w*|%\w+%|%[({].*|#\{.*|@\{.*|%s.*|&\w+;?",
    re.IGNORECASE,
)
# Short words count only where random letters would hardly spell them: after a border, or in one case.
_SAID = compile_late(
    r"(?<![a-z0-9])your|(?-i:x{4}|X{4}|dummy|Dummy|DUMMY)|example|placeholder|change.?me|change.?this|replace|redacted"
    r"|\*\*\*|\.\.\.|…|\btodo\b|\btbd\b|lorem|getenv|environ|process\.env|secrets?\.|://|\barn:"
    r"|sha(?:1|256|384|512)[:-]|data:|not.?set|hidden|\bnone\b|\bnull\b",
    re.IGNORECASE,
)
_WORD = frozenset(
    """password passwd pass pwd secret token key user username string text required optional input field type test
    admin root guest postgres mysql default true false unknown empty missing invalid incorrect wrong forgotten changeit
    foobar hostname localhost mypassword mysecret mytoken apikey api_key api-key value""".split()
)
_NAMED = compile_late(  # begins like the name of an algorithm, a format or a program
    r"(?:sha\d|md5|base(?:32|58|64)|utf|bcrypt|scrypt|argon2|pbkdf2|aes|rsa|oauth|1password|lastpass|keepass|bitwarden|icloud|ed25519|x509|pkcs)",
    re.IGNORECASE,
)
_LONG = 32  # characters in one run, without a border between words: no name
_DATE = compile_late(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ].*)?|[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{2,4}|v?[0-9]+(?:\.[0-9]+)+"
)
_PATH = compile_late(
    r"(?:~|\.{1,2})/|/[A-Za-z][a-z_.-]*(?:/|\Z)|[A-Za-z]:\\|.*\.(?:pem|key|json|txt|ya?ml|toml|env|py|js|ts|md|crt|p12|kdbx|go|rs)\Z"
)
_KEY_IN_BASE64 = compile_late(r"[A-Za-z0-9+/]{40}|[A-Za-z0-9+/]{43}=|[A-Za-z0-9+/]{86}==")  # one in 64 begins with '/'
_CODE = compile_late(
    r"[A-Za-z_][\w.]*[(\[]|(?:self|this|os|env|config|settings|args|request|req|ctx|var|local|data)\.[A-Za-z_]"
)
_MAIL = compile_late(r"[\w.+-]+@[\w-]+\.[\w.-]+")
_PIECE = compile_late("[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")  # the words and numbers of a name
_SYMBOLS = frozenset("!@#$%^&*+=~?|\\")


class AssignedValue(NamedTuple):
    """A value and its position."""

    text: str
    start: int
    end: int
    quoted: bool


def value_at(text: str, at: int, sign: str) -> AssignedValue | None:
    """Return the value that begins here.

    It goes up to its closing quote, or up to white space or the next field.
    """
    quoted = _QUOTED.match(text, at)
    if quoted is not None and quoted.lastindex is not None:
        value = quoted[quoted.lastindex].rstrip("\\")
        start = quoted.start(quoted.lastindex)
        return AssignedValue(value, start, start + len(value), True)
    bare = None
    if sign != ",":
        bare = _BARE.match(text, at)
    if bare is None:
        return None
    if sign == ">" and text[bare.end() : bare.end() + 1] != "<":
        return None  # not the text of an XML element
    value = bare[0].rstrip(",.)]}|*>")
    if sign == "|":
        value = value.partition("|")[0]  # the next cell of a table
    return AssignedValue(value, at, at + len(value), False)


def value_end(text: str, value: AssignedValue) -> int:
    """Return where an accepted value ends; a longer one than we look at is taken whole.

    Asked only then, or time would grow.
    """
    if value.end - value.start < (512 if value.quoted else 256):
        return value.end
    return _REST.match(text, value.end).end()  # type: ignore[union-attr]


# The shortest password, in characters, by how it was set; the less says that it is one, the longer it must be.
_SHORTEST = {"url": 4, "set": 4, "variable": 4, "quoted": 5}


def is_password(value: str, how: str) -> bool:
    """Say whether a value named as a password is one.

    `how` it was set decides how much must speak for it.
    """
    if how == "prose":
        value = value.strip("()[]")
        if value.rstrip("?!").isalpha():
            value = value.rstrip("?!")
    if len(value) < _SHORTEST.get(how, 6):
        return False
    if how != "url" and not _is_made_up(value, how):
        return False
    return not _is_reference(value)


def _is_made_up(value: str, how: str) -> bool:
    """Say whether a value is more than a word, a piece of code or an address."""
    if " " in value or _NAMED.match(value) or (how != "quoted" and _CODE.match(value)) or _MAIL.fullmatch(value):
        return False
    letters = any(map(str.isalpha, value))
    digits = any(map(str.isdigit, value))
    if value.isdigit():
        return len(value) >= 6
    if letters and digits:
        return True
    if not _SYMBOLS.isdisjoint(value) and (letters or digits):
        return True
    if how == "variable" and value.isalpha() and len(value) >= 8:
        return True
    return _is_shuffled(value, 8 if how == "quoted" else 10) or (how != "prose" and _is_passphrase(value))


def is_token(value: str, how: str) -> bool:
    """Say whether a value named as a key, a token or a secret is random enough."""
    if len(value) < (12 if how == "prose" else 8) or " " in value:
        return False
    if not (has_mixed_word(value) or _is_shuffled(value, 16) or _is_signed(value) or _is_broken_up(value)):
        return False
    # A random token may begin like such a name: aesQ8mNcRt52….
    random = _is_shuffled(value, 16) or _is_broken_up(value) or (len(value) >= _LONG and value.isalnum())
    if (_NAMED.match(value) and not random) or (how != "quoted" and _CODE.match(value)):
        return False
    return not _is_reference(value) and not is_dummy(value)


def _is_reference(value: str) -> bool:
    """Say whether a value only stands for a secret, or says where it is kept."""
    return (
        value.lower() in _WORD
        or _PLACEHOLDER.fullmatch(value) is not None
        or _SAID.search(value) is not None
        or _DATE.fullmatch(value) is not None
        or (_PATH.match(value) is not None and _KEY_IN_BASE64.fullmatch(value) is None)
    )


def _is_shuffled(value: str, least: int) -> bool:
    """Say whether upper and lower case alternate as in random letters, not as in names."""
    cases = [character.isupper() for character in value[:64] if character.isalpha()]
    changes = sum(left != right for left, right in pairwise(cases))
    return len(cases) >= least and changes * 10 >= len(cases) * 4


def _is_broken_up(value: str) -> bool:
    """Say whether a long value falls into pieces that are shorter than the words of a name."""
    characters = sum(map(str.isalnum, value[:64]))
    return characters >= 20 and not value.islower() and characters < 3.2 * len(_PIECE.findall(value[:64]))


def _is_signed(value: str) -> bool:
    """Say whether signs, digits and letters stand together as frameworks generate them."""
    signs = sum(character in _SYMBOLS for character in value)
    return signs >= 2 and len(value) >= 10 and any(map(str.isdigit, value)) and any(map(str.isalpha, value))


def _is_passphrase(value: str) -> bool:
    words = value.split("-")
    return len(words) >= 4 and len(value) >= 20 and all(word.isalpha() for word in words)
