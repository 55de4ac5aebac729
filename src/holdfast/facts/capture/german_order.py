"""German clauses as they would stand alone: after "dass" the verb waits at the end, and after "eigentlich" it leads."""

from __future__ import annotations

__all__ = ["main_clause"]

_PRONOUNS = frozenset("ich wir".split())
# Verbs that no prefix was split from: "ich um acht aufstehe" can't be put right by moving its last word.
_VERBS = frozenset(
    """bin sind war habe haben hatte wohne wohnen arbeite arbeiten heiße mag mögen trinke trinken esse essen nutze
    nutzen benutze benutzen verwende verwenden lebe leben hasse liebe bevorzuge bevorzugen kann können muss
    müssen will wollen darf dürfen soll sollen spreche lerne studiere brauche komme hasse vertrage rauche fahre
    leite spiele""".split()
)


def main_clause(words: str) -> str:
    """The words in the order of a main clause, where "ich" or "wir" is who it is about; otherwise as they are."""
    parts = words.split()
    if len(parts) < 3:
        return words
    first, second, last = (parts[at].casefold() for at in (0, 1, -1))
    if first in _PRONOUNS and last in _VERBS and second not in _VERBS:
        return " ".join([parts[0], parts[-1], *parts[1:-1]])
    if second in _PRONOUNS and first in _VERBS:
        return " ".join([parts[1], parts[0].lower(), *parts[2:]])
    return words
