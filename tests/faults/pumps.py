"""Texts that make a pattern work in vain: what its repeats match, over and over, and an end that they do not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from re import _constants as codes
from re import _parser
from typing import Any, Final

__all__ = ["Pump", "generic_pumps", "pumps_for"]

_FEW: Final = 12  # a repeat that stops sooner is no pump
_TAILS: Final = ("\x00", " ", "\n", "a", "0", "!")
_COMMON: Final = "aAzZé0_ \n\t.,:;-'\"*[](){}<>/\\@#|`~=+!?ßЖ中कแ"
_CATEGORIES: Final = {
    codes.CATEGORY_DIGIT: re.compile(r"\d"),
    codes.CATEGORY_NOT_DIGIT: re.compile(r"\D"),
    codes.CATEGORY_SPACE: re.compile(r"\s"),
    codes.CATEGORY_NOT_SPACE: re.compile(r"\S"),
    codes.CATEGORY_WORD: re.compile(r"\w"),
    codes.CATEGORY_NOT_WORD: re.compile(r"\W"),
}

Node = tuple[Any, Any]


class Pump:
    """A text of any size: a beginning, a middle that is repeated, and an end."""

    def __init__(self, head: str, body: str, tail: str) -> None:
        self.head, self.body, self.tail = head, body, tail

    def text(self, size: int) -> str:
        """Return the text at about this size."""
        return self.head + self.body * max(1, size // len(self.body)) + self.tail

    def __repr__(self) -> str:
        return f"{self.head!r} + n * {self.body!r} + {self.tail!r}"


def generic_pumps() -> list[Pump]:
    """Return the pumps that know nothing of a pattern."""
    bodies = [
        *("a", "A", "é", "0", "_", " ", "\t", "\n", "\r\n", ".", ",", ":", ";", "-", "'", '"', "*", "(", ")", "[", "]"),
        *("<", ">", "{", "/", "\\", "@", "#", "|", "`", "~", "=", "+", "!", "?", "Ж", "中", "क्", "แ"),
        *(
            "<!--",
            "<!-- fact ",
            "a ",
            "A. ",
            "a.",
            "a-",
            "a'",
            "0 ",
            "0.",
            "0-",
            "1. ",
            "- ",
            "# a\n",
            "- a\n",
            "> ",
            "[a](",
            "**a",
        ),
        *(
            "I ",
            "my ",
            "word Word ",
            "Word ",
            "a, ",
            "a: ",
            "a:\n",
            '"a" ',
            "(a",
            "aA",
            "a0",
            "a\n",
            "\n\n",
            " \n",
            "= ",
            "key=a;",
        ),
        *("://a", "a@", "A b. C d? ", "e\u0301", "\u200d", "ab中", "Ж0a"),
    ]
    return [Pump("", body, tail) for body in bodies for tail in ("", "\x00")]


def pumps_for(pattern: re.Pattern[Any]) -> Iterator[Pump]:
    """Yield pumps made from each repeat of a pattern."""
    source = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    parsed = _parser.parse(source, pattern.flags)
    alphabet = _alphabet(list(parsed), pattern.flags)
    seen: set[tuple[str, str]] = set()
    for head, body in _repeats(list(parsed), "", alphabet):
        for shape in ((head, body), ("", head + body), ("", head), ("", body), ("", head + 3 * body)):
            if not shape[1] or shape in seen or len(shape[1]) > 400:
                continue
            seen.add(shape)
            yield Pump(*shape, "")
            for tail in _TAILS:
                if not shape[1].startswith(tail):
                    yield Pump(*shape, tail)
                    break


def _alphabet(nodes: Sequence[Node], flags: int) -> str:
    """Return the characters to try, those first that most parts of the pattern match."""
    counts: dict[str, int] = dict.fromkeys(_COMMON, 0)
    every = list(_all_nodes(nodes))
    for node in every:
        if node[0] in (codes.IN, codes.ANY, codes.NOT_LITERAL):
            for character in _COMMON:
                counts[character] += _fits(node, character)
    literal = {chr(node[1]) for node in every if node[0] in (codes.LITERAL, codes.NOT_LITERAL)}
    for character in literal:
        counts.setdefault(character, 1)
    return "".join(sorted(counts, key=lambda character: -counts[character]))


def _all_nodes(nodes: Sequence[Node]) -> Iterator[Node]:
    for node in nodes:
        yield node
        for inner in _parts(node):
            yield from _all_nodes(inner)


def _parts(node: Node) -> list[Sequence[Node]]:
    """Return the sequences inside a node."""
    kind, value = node
    if kind is codes.BRANCH:
        return [list(option) for option in value[1]]
    if kind is codes.SUBPATTERN:
        return [list(value[3])]
    if kind in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
        return [list(value[2])]
    if kind in (codes.ASSERT, codes.ASSERT_NOT):
        return [list(value[1])]
    if kind is codes.ATOMIC_GROUP:
        return [list(value)]
    if kind is codes.GROUPREF_EXISTS:
        return [list(option) for option in value[1:] if option]
    return []


def _repeats(nodes: Sequence[Node], head: str, alphabet: str) -> Iterator[tuple[str, str]]:
    """Yield, for each repeat that may go on, a text that leads to it and one that it matches."""
    for node in nodes:
        kind, value = node
        if kind in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT) and value[1] >= _FEW:
            for body in _samples(list(value[2]), alphabet, 4):
                if body:
                    yield head, body
        if kind is codes.ASSERT_NOT:
            yield from _repeats(list(value[1]), head, alphabet)
            continue
        for inner in _parts(node):
            yield from _repeats(inner, head, alphabet)
        if kind is codes.ASSERT and value[0] < 0:
            head += _sample(list(value[1]), alphabet)
        elif kind is not codes.ASSERT:
            head += _sample([node], alphabet)


def _samples(nodes: Sequence[Node], alphabet: str, most: int) -> list[str]:
    """Return some texts that a sequence matches: with several characters, and by several branches."""
    firsts = dict.fromkeys(_sample(nodes, alphabet[turn:] + alphabet[:turn], turn) for turn in range(2 * most))
    if len(nodes) == 1 and nodes[0][0] in (codes.IN, codes.ANY, codes.NOT_LITERAL):
        fitting = [character for character in alphabet if _fits(nodes[0], character)]
        firsts = dict.fromkeys([*fitting[:most], *firsts])
    return list(firsts)[:most]


def _sample(nodes: Sequence[Node], alphabet: str, turn: int = 0) -> str:
    """Return a text that a sequence of nodes is likely to match."""
    pieces: list[str] = []
    for kind, value in nodes:
        if kind is codes.LITERAL:
            pieces.append(chr(value))
        elif kind in (codes.IN, codes.ANY, codes.NOT_LITERAL):
            pieces.append(next((one for one in alphabet if _fits((kind, value), one)), ""))
        elif kind is codes.BRANCH:
            options = value[1]
            pieces.append(_sample(list(options[turn % len(options)]), alphabet, turn))
        elif kind is codes.SUBPATTERN:
            pieces.append(_sample(list(value[3]), alphabet, turn))
        elif kind is codes.ATOMIC_GROUP:
            pieces.append(_sample(list(value), alphabet, turn))
        elif kind in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            least = max(int(value[0]), 1 if turn % 2 and value[1] else 0)
            pieces.append(_sample(list(value[2]), alphabet, turn) * min(least, 200))
    return "".join(pieces)


def _fits(node: Node, character: str) -> bool:
    kind, value = node
    if kind is codes.ANY:
        return character != "\n"
    if kind is codes.NOT_LITERAL:
        return bool(ord(character) != value)
    negated: bool = False
    inside: bool = False
    for item, given in value:
        if item is codes.NEGATE:
            negated = True
        elif item is codes.LITERAL:
            inside = inside or ord(character) == given
        elif item is codes.RANGE:
            inside = inside or given[0] <= ord(character) <= given[1]
        elif item is codes.CATEGORY:
            inside = inside or _CATEGORIES[given].match(character) is not None
    return inside is not negated
