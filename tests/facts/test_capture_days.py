"""The day behind "yesterday": which words mean one day, and which do not."""

from __future__ import annotations

from datetime import date

import pytest

from holdfast.facts.capture.day_stamp import stamp_day

TUESDAY = date(2026, 11, 17)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("I passed my test yesterday", "I passed my test yesterday (2026-11-16)"),
        ("I bought a cello last Friday, used", "I bought a cello last Friday (2026-11-13), used"),
        ("We moved two days ago", "We moved two days ago (2026-11-15)"),
        ("I signed the lease today", "I signed the lease today (2026-11-17)"),
        ("We fly to Oslo tomorrow", "We fly to Oslo tomorrow (2026-11-18)"),
        ("Ich habe gestern gekündigt", "Ich habe gestern (2026-11-16) gekündigt"),
        ("Hier j'ai réussi mon permis", "Hier (2026-11-16) j'ai réussi mon permis"),
        ("Ayer compré un coche", "Ayer (2026-11-16) compré un coche"),
        ("Ontem comprei um carro", "Ontem (2026-11-16) comprei um carro"),
        ("Ieri ho comprato una bici", "Ieri (2026-11-16) ho comprato una bici"),
        ("Gisteren heb ik een fiets gekocht", "Gisteren (2026-11-16) heb ik een fiets gekocht"),
        ("昨天我买了一辆车", "昨天（2026-11-16）我买了一辆车"),
        ("昨日、車を買いました", "昨日（2026-11-16）、車を買いました"),
    ],
)
def test_words_that_mean_one_day_get_its_date(said: str, kept: str) -> None:
    assert stamp_day(said, TUESDAY) == kept


@pytest.mark.parametrize(
    "said",
    [
        "I play football every Friday",
        "I passed my test on Friday",
        "We fly to Oslo next Friday",
        "I started last week",
        "I have had a cold since yesterday",
        "My birthday is on March 5",
        "I met her on Monday, 16 November 2026",
        "Ich jogge jeden Morgen",
        "I love the song Yesterday",
        "Yesterday's meeting was moved",
        "I live in Lisbon",
    ],
)
def test_words_that_mean_no_day_or_say_it_themselves_stay_as_they_are(said: str) -> None:
    assert stamp_day(said, TUESDAY) == said


def test_a_date_is_added_once() -> None:
    once = stamp_day("I passed my test yesterday", TUESDAY)
    assert stamp_day(once, date(2026, 11, 18)) == once


def test_without_a_day_nothing_is_added() -> None:
    assert stamp_day("I passed my test yesterday", None) == "I passed my test yesterday"
