"""Tell what a new fact is to a known one: the same, in its place, or beside it; learnt from pairs that people labelled.

`training/relation.py` makes the weights. They are asked where the forms of `subject` know nothing: what they are sure
of takes the known one's place, what is likely becomes a question to the owner, and the rest stays beside it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

from holdfast.facts.question import speaks_of_the_user
from holdfast.facts.question_owner import given_names, name_in, person_in
from holdfast.named_tuple import NamedTuple
from holdfast.pattern import compile_late

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from holdfast.embeddings.static.static_embedder import StaticEmbedder

__all__ = ["RULE", "WEIGHTS", "Likely", "RelationModel", "is_of_somebody_else", "read_relation"]

RULE: Final = "relation"
"""The rule that stands in the mark of a fact whose place another took by this judgement."""
WEIGHTS: Final = os.path.join(os.path.dirname(__file__), "relation.npz")
_LONGEST: Final = 400  # characters; what is longer says more than one thing
_WORD: Final = compile_late(r"\w+")
_THE_USER: Final = ("user ", "the user ")
_WIDE: Final = compile_late(r"[\u3040-\u30ff\u3400-\u9fff]")


class Likely(NamedTuple):
    """Says how likely two facts are the same, the new one in the other's place, or both side by side: 1 together."""

    same: float
    replaces: float
    beside: float


_BESIDE: Final = Likely(0.0, 0.0, 1.0)


class RelationModel:
    """The weights of a few small networks, whose judgements are averaged."""

    def __init__(self, weights: Mapping[str, NDArray[np.float64]], embedder: StaticEmbedder) -> None:
        self._weights, self._embedder = weights, embedder

    def judge(self, new: str, known: Sequence[str]) -> list[Likely]:
        """Return what a new sentence is to each known one."""
        if not known:
            return []
        asked = [old for old in known if _is_plain(old, new)]
        made = dict(zip(asked, self._judge(new, asked), strict=True)) if asked else {}
        return [made.get(old, _BESIDE) for old in known]

    def _judge(self, new: str, known: Sequence[str]) -> list[Likely]:
        import numpy as np

        from holdfast.facts.relation_features import BUCKETS, buckets_of, compare, dense, meanings, read_sides

        held = self._weights
        said, *others = read_sides([new, *known], self._embedder, held["telling"])
        numbers = np.zeros((len(known), held["first"].shape[1]))
        counted = np.zeros((len(known), BUCKETS))
        for row, old in enumerate(others):
            sides = compare(old, said)
            plain = (dense(sides) - held["mean"]) / held["spread"]
            numbers[row] = np.concatenate((plain, 2.0 * meanings(sides, held["basis"])))
            places = buckets_of(sides)
            counted[row, places] = 1.0 / np.sqrt(len(places) + 1.0)
        total = np.zeros((len(known), 3))
        for net in range(len(held["first"])):
            runs = counted @ held["runs"][net]
            inner = numbers @ held["first"][net] + held["first_bias"][net] + runs[:, 3:] @ held["mixed"][net]
            out = np.maximum(inner, 0.0) @ held["last"][net] + held["last_bias"][net]
            total += _shares(out + numbers @ held["direct"][net] + runs[:, :3])
        return [Likely(*row) for row in (total / len(held["first"])).tolist()]


def is_of_somebody_else(new: str, old: str) -> bool:
    """Say whether one of two sentences tells of somebody of whom the other does not."""
    who, whose = person_in(new), person_in(old)
    if not who and (speaks_of_the_user(old) or old.casefold().startswith(_THE_USER)):
        who = name_in(new)  # between two people with names it is the judgement that tells
    if who and not _holds(old, who):
        return not _names_alike(new, old)
    if not whose or _holds(new, whose):
        return False
    return (bool(who) or speaks_of_the_user(new)) and not _names_alike(new, old)


def _holds(text: str, person: str) -> bool:
    if _WIDE.match(person):
        return person in text  # no blanks part the words
    return person in _words(text)


def _names_alike(new: str, old: str) -> bool:
    """Say whether both have a given name in common, as "My boyfriend Chris" and "Chris and I"."""
    return not given_names().isdisjoint(_words(old) & _words(new))


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


def _is_plain(old: str, new: str) -> bool:
    return max(len(old), len(new)) <= _LONGEST and "\n" not in old and "\n" not in new


def _shares(out: NDArray[np.float64]) -> NDArray[np.float64]:
    import numpy as np

    raised = np.exp(out - out.max(1, keepdims=True))
    made: NDArray[np.float64] = raised / raised.sum(1, keepdims=True)
    return made


@cache
def read_relation() -> RelationModel:
    """Return the model that comes with Holdfast, read once a process."""
    import numpy as np

    from holdfast.embeddings.static.static_embedder import StaticEmbedder

    with np.load(WEIGHTS) as file:
        return RelationModel({name: file[name].astype(np.float64) for name in file.files}, StaticEmbedder())
