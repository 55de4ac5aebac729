"""What the command line counts is said as people say it: "1 note" and "2 notes"."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from commandline import done
from facts.exchange.exports_of_others import written

import holdfast
from holdfast import Memory, Origin
from holdfast.plural import agree, count_of

NOUNS = (
    "calls|changes|checkpoints|chunks|copies|days|entries|exports|facts|files|hits|lines|messages|misses|notes|questions|"
    "requests|results|rows|sessions|texts|times|transcripts|turns|values|vectors|words"
)
_SAID_BY = ("surfaces/cli", "tools", "sessions", "dreaming", "index", "search")
_NOUN = re.compile(rf"\s(?:[a-z]+ )?(?:{NOUNS})\b")
_VERB = re.compile(r"\s(?:are|were|wait|stay|have)\b")
# They are said of more than one: a person asked for less than one, or there is no doubt where there is one.
_SEVERAL = ("can't be read", "can't be listed", "facts have it")


def test_one_is_not_many() -> None:
    assert [count_of(count, "note") for count in (0, 1, 2, 2000)] == ["0 notes", "1 note", "2 notes", "2,000 notes"]
    assert [count_of(count, "entry", "entries") for count in (1, 2)] == ["1 entry", "2 entries"]
    assert [agree(count, "waits", "wait") for count in (0, 1, 2)] == ["wait", "waits", "wait"]


def test_no_message_puts_a_plural_behind_a_number_that_may_be_one() -> None:
    assert list(_messages()) == []


def test_one_of_each_is_said_in_the_singular(home: Path, tmp_path: Path) -> None:
    folder = written(tmp_path / "notes", {"a.md": "Ada leads Kestrel.\n", "empty.md": ""})
    said = [done("import", str(folder), *words) for words in (["--preview"], ["--yes"], ["--yes"])]
    said += [done("facts", "add", "I drink tea"), done("facts", "list"), done("facts", "stats")]
    with Memory.open(home, origin=Origin.USER) as memory:
        memory.session().append("user", "Ada leads Kestrel, and the launch is in March.")
    said += [done(*words.split()) for words in ("index", "status", "session export main", "dream")]
    said.append(done("search", "Kestrel", "--in", "memory/notes"))
    said += [done("export", str(tmp_path / "a.zip")), done("purge", "memory/notes/a.md", "--yes")]
    told = "\n".join(one.out + one.err for one in said)
    assert "1 note" in told and "1 fact" in told and "1 hit" in told and "1 checkpoint" in told
    assert re.findall(rf"(?<![\d.,])1 (?:[a-z]+ )?(?:{NOUNS}|are|were|wait)\b", told) == []


def _messages() -> Iterator[str]:
    """The places of texts in which a number that may be 1 is followed by a plural."""
    root = Path(holdfast.__file__).parent
    for folder in _SAID_BY:
        for file in sorted((root / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.JoinedStr) and _counts(node):
                    yield f"{file.relative_to(root)}:{node.lineno}: {ast.unparse(node)}"


def _counts(text: ast.JoinedStr) -> bool:
    for number, noun in zip(text.values, text.values[1:], strict=False):
        if (
            not isinstance(number, ast.FormattedValue)
            or not isinstance(noun, ast.Constant)
            or _is_settled(number.value)
        ):
            continue
        words = str(noun.value)
        is_plain = number.format_spec is None
        if (_NOUN.match(words) or (_VERB.match(words) and not is_plain)) and not any(one in words for one in _SEVERAL):
            return True
    return False


def _is_settled(value: ast.expr) -> bool:
    """Whether the words for it are chosen already, or it is a constant that is never 1."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return value.func.id in ("agree", "count_of")
    return isinstance(value, ast.Name) and value.id.isupper()
