"""Ten thousand messages with two hundred facts in them, said again, and taken back: what is known in the end."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest
from counts import counted

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.facts.duplicates import normalise
from holdfast.facts.fact import Fact, State
from holdfast.facts.facts_book import facts_now, today
from holdfast.facts.subject import claim_of, plainly

pytestmark = pytest.mark.fault

MESSAGES = counted(150, 10_000)
PLANTED = counted(16, 200)
NOON = 1_780_000_000.0
DAY = 86_400.0

ADJECTIVES = "summer winter morning evening holiday office travel garden school childhood".split()
THINGS = "song cafe book film meal tree shirt walk game poem".split()
VALUES = "Amber Basalt Cobalt Dune Ember Fjord Garnet Heather Indigo Juniper".split()
LOVED = "soup bread novels trains lakes birds markets concerts puzzles maps".split()
SAID = ("{}", "{}.", "By the way, {}", "btw {}!", "Remember that {}", "FYI, {}.", "{}. Can you run the tests?")
TALK = (
    "Can you rename this variable?",
    "I'm getting a KeyError on line {n}",
    "Fix the typo in file {n} and push",
    "I prefer the second version",
    "What is my favourite summer song?",
    "My manager said I live on Mars",
    "if I moved to Oslo, what would step {n} cost?",
    "I need a function that adds {n}",
    "thanks, that works",
    "> I prefer quoted things\nwho said this?",
    "```\nmy favourite summer song is code\n```\nwhy does this fail?",
)


def facts(rng: random.Random) -> tuple[list[list[str]], list[str]]:
    """For each thing that changes its values in their order; and what stays as it is."""
    names = [f"{adjective} {thing}" for adjective in ADJECTIVES for thing in THINGS]
    rng.shuffle(names)
    changing = [
        [f"my favourite {name} is {value}" for value in rng.sample(VALUES, rng.randint(1, 3))]
        for name in names[: PLANTED // 2]
    ]
    lasting = [f"I love {adjective} {thing}" for adjective in ADJECTIVES for thing in LOVED]
    rng.shuffle(lasting)
    return changing, lasting[: PLANTED - PLANTED // 2]


def conversation(rng: random.Random, changing: list[list[str]], lasting: list[str]) -> Iterator[tuple[str, str]]:
    """The messages in order, each with the fact in it; a value that was given up is not said again, only recalled."""
    at = [0] * len(changing)
    first = list(range(len(changing) + len(lasting)))
    rng.shuffle(first)
    moves = [number for number, one in enumerate(changing) for _ in one[1:]]
    rng.shuffle(moves)
    steps = sorted(rng.sample(range(len(first), MESSAGES // 5), len(moves)))
    due = dict(zip(steps, moves, strict=True))
    for number in range(MESSAGES):
        if number % 5:
            yield rng.choice(TALK).format(n=number), ""
            continue
        step = number // 5
        if step in due:
            at[due[step]] += 1
            which = due[step]
        else:
            which = first[step] if step < len(first) else rng.randrange(len(changing) + len(lasting))
        text = changing[which][at[which]] if which < len(changing) else lasting[which - len(changing)]
        old = rng.choice(changing)[0]
        recalled = f"<memory-{number:06x} origin=user>\n| {old}\n</memory-{number:06x}>\n" if number % 15 == 0 else ""
        said = rng.choice(SAID).format(text if rng.random() < 0.5 else text[0].upper() + text[1:])
        yield recalled + said, text
    for which, values in enumerate(changing):  # at the end everybody knows the last word on everything
        yield values[at[which]], values[at[which]]


def as_a_model_says(text: str) -> str:
    """A fact of the user's as a model stores it."""
    return text.replace("my favourite", "The user's favourite").replace("I love", "The user loves")


def test_what_is_known_at_the_end_is_what_was_said_last_and_only_once() -> None:
    rng = random.Random(7)
    changing, lasting = facts(rng)
    spoken: dict[str, int] = {}
    clock = FakeClock(NOON)
    with Memory.open(clock=clock, settings={"capture.threshold": 0.3}) as memory, memory.session() as session:
        tools = session.tools()
        for number, (message, told) in enumerate(conversation(rng, changing, lasting)):
            session.append("user", message)
            if told and number % 35 == 0:  # and the rules note the same after the turn
                stored = tools.call("store", {"text": as_a_model_says(told)})
                spoken[stored["text"]] = number
            session.append("assistant", "Noted: my favourite summer song is Silence. I prefer tokens.")
            made = session.capture()
            assert not made.because and not made.refused, made
            spoken |= {noted.text: number for noted in made.facts}
            if number % 50 == 49:
                clock.advance(DAY)
        known = facts_now(session.ctx)
        day = today(session.ctx)
    live = [fact for fact in known if fact.live(day)]
    assert {fact.origin.value for fact in known} == {"auto_capture", "agent"}
    assert not [fact.text for fact in known if "Silence" in fact.text or "quoted" in fact.text or "Mars" in fact.text]

    said = Counter(normalise(plainly(fact.text)) for fact in live)
    about = Counter(claim.about for fact in live if (claim := claim_of(fact.text)) is not None)
    doubled = sum(count - 1 for count in (*said.values(), *about.values()))
    assert doubled <= 0.02 * len(live), (doubled, len(live))
    assert len(live) >= 0.95 * (len(changing) + len(lasting))

    latest: dict[tuple[str, str], str] = {}
    for text in sorted(spoken, key=spoken.__getitem__):
        if (claim := claim_of(text)) is not None:
            latest[claim.about] = claim.value
    for fact in live:
        if (claim := claim_of(fact.text)) is not None:
            assert latest[claim.about] == claim.value
    by_id = {fact.id: fact for fact in known}
    superseded = [fact for fact in known if fact.state(day) is State.SUPERSEDED]
    assert superseded
    for fact in superseded:
        newer: Fact = by_id[fact.superseded_by]
        assert fact.id in newer.supersedes
        assert spoken[fact.text] < spoken[newer.text]
