"""The questions with one right answer: thirty unique ids, questions that carry them, and titles."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

__all__ = [
    "KINDS",
    "SLOTS",
    "Needle",
    "Query",
    "genre",
    "identifier",
    "mention",
    "near_misses",
    "needle_ids",
    "query_set",
]

KINDS = ("incident", "commit", "setting", "error", "address", "release")
# Needles live in the first thousand notes, so that every size of corpus holds all of them.
SLOTS = tuple(17 + 33 * n for n in range(30))

_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
_SNAKE = ("lease", "window", "retry", "budget", "queue", "depth", "cache", "limit", "batch", "size", "probe", "delay")
_ERRORS = ("LEASE", "QUEUE", "SHARD", "TOKEN", "CACHE", "ROUTE", "QUOTA", "PROBE")

_MENTIONS = {
    "incident": "Tracked as {id} in the usual place",
    "commit": "The change is {id} on the branch",
    "setting": "Controlled by {id} for now",
    "error": "Clients saw {id} in the replies",
    "address": "It runs on {id} behind the gateway",
    "release": "Tried with {id} on the spare cluster",
}

_QUESTIONS = {
    "incident": (
        "what did we agree about incident {id}?",
        "who was on call for {id} and what did they change?",
        "is {id} resolved or is it still open?",
        "what was the root cause of incident {id}?",
        "why did it take so long to close {id}?",
    ),
    "commit": (
        "what was fixed in commit {id}?",
        "why did we roll back {id} before the release?",
        "who reviewed commit {id} and when did it land?",
        "which change did commit {id} revert?",
        "does {id} have a test for the timeout?",
    ),
    "setting": (
        "what is the default of the setting {id}?",
        "where is {id} set and who may change it?",
        "why did we raise {id} last month?",
        "what does {id} do when the queue is full?",
        "should {id} be the same in production and staging?",
    ),
    "error": (
        "how do we handle the error {id}?",
        "what causes {id} and how do we clear it?",
        "when did customers first report {id}?",
        "does a retry help against {id}?",
        "which service answers with {id} under load?",
    ),
    "address": (
        "which host has the address {id}?",
        "what runs on {id} and who is the owner?",
        "why is {id} blocked by the gateway?",
        "when was {id} moved to the other zone?",
        "is it safe to restart the server at {id}?",
    ),
    "release": (
        "what changed in release {id}?",
        "which customers are still on version {id}?",
        "why did we not ship {id} to production?",
        "what did the review say about {id}?",
        "is there a known problem with the upgrade to {id}?",
    ),
}


def genre(kind: str, random: Random) -> list[str]:
    """The words of one question about a kind: a post-mortem says `incident` and `cause` again and again."""
    return re.findall(r"[a-z]+", random.choice(_QUESTIONS[kind]).replace("{id}", ""))


@dataclass(frozen=True)
class Needle:
    """One note with a unique id in it."""

    slot: int
    kind: str
    id: str


@dataclass(frozen=True)
class Query:
    """One query and the file that answers it."""

    kind: str
    text: str
    answer: str


def identifier(kind: str, random: Random) -> str:
    """A new id of a kind, as people write them in notes."""
    match kind:
        case "incident":
            return f"INC-{random.randint(10000, 99999)}-{''.join(random.choices(_LETTERS, k=3))}"
        case "commit":
            return f"{random.getrandbits(44):011x}{random.choice('abcdef')}"
        case "setting":
            return f"{'_'.join(random.sample(_SNAKE, 2))}_k{random.randint(10, 99)}"
        case "error":
            return f"ERR_{random.choice(_ERRORS)}_{random.randint(1000, 9999)}"
        case "address":
            return f"10.{random.randint(1, 254)}.{random.randint(1, 254)}.{random.randint(100, 254)}"
        case _:
            major, minor, patch = random.randint(1, 9), random.randint(10, 99), random.randint(10, 99)
            return f"v{major}.{minor}.{patch}-rc{random.randint(1, 9)}"


def needle_ids(seed: str) -> tuple[Needle, ...]:
    """The thirty needles of a seed, five of each kind."""
    random = Random(f"needles:{seed}")
    found: list[Needle] = []
    for number, slot in enumerate(SLOTS):
        kind = KINDS[number % len(KINDS)]
        found.append(Needle(slot, kind, identifier(kind, random)))
    return tuple(found)


def near_misses(needles: tuple[Needle, ...]) -> dict[int, Needle]:
    """Ids that share all but their end with a needle, two for each, in other notes of the first thousand."""
    misses: dict[int, Needle] = {}
    for needle in needles:
        head, last = needle.id[:-1], needle.id[-1]
        for offset, turn in ((5, 1), (11, 2)):
            alphabet = _LETTERS if last.isupper() else "abcdef" if needle.kind == "commit" else "123456789"
            other = alphabet[(alphabet.find(last) + turn) % len(alphabet)]
            misses[needle.slot + offset] = Needle(needle.slot + offset, needle.kind, head + other)
    return misses


def mention(kind: str, text: str) -> str:
    """The sentence a note says an id in."""
    return _MENTIONS[kind].format(id=text)


def query_set(needles: tuple[Needle, ...], files: dict[int, tuple[str, str]]) -> list[Query]:
    """Thirty bare ids, thirty questions and thirty topics; `files` gives each slot's file name and title."""
    tokens, questions, topics = [], [], []
    for number, needle in enumerate(needles):
        name, title = files[needle.slot]
        template = _QUESTIONS[needle.kind][number // len(KINDS)]
        words = " ".join(re.findall(r"[a-z0-9]+", title.lower()))
        tokens.append(Query("token", needle.id, name))
        questions.append(Query("question", template.format(id=needle.id), name))
        topics.append(Query("topic", f"notes on {words}", name))
    return [*tokens, *questions, *topics]
