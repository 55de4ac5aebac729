"""What a new fact is to a known one, by what was learnt: replaced where it is sure, asked where it is likely."""

from __future__ import annotations

import json
from collections import defaultdict
from datetime import date
from pathlib import Path
from typing import Final

import pytest

from holdfast import Memory
from holdfast.clock import FakeClock
from holdfast.errors import BadArgument, FactNotFound
from holdfast.facts.fact import Draft, Fact
from holdfast.facts.relation import WEIGHTS, Likely, is_of_somebody_else, read_relation
from holdfast.facts.supersede import Judgement
from holdfast.facts.supersede import judged as judged_facts
from holdfast.guard.origin import Origin
from holdfast.markdown.fact_row import Category
from holdfast.operations.facts_store import StoredFact
from holdfast.settings.fact_settings import FactsSettings

FACTS: Final = Path(__file__).parents[1] / "data" / "facts"
PAIRS: Final = FACTS / "contradictions.jsonl"
SECOND_HAND: Final = FACTS / "contradictions_second_hand.jsonl"
KNOWN, SAID = "I own a Canon EOS R6", "Traded in my Canon for a Sony A7 IV"
ASKED: Final = {"facts.replace_from": 1.0, "facts.ask_from": 0.1}
SURE: Final = {"facts.replace_from": 0.5, "facts.ask_from": 0.5}


def opened(home: Path, chosen: dict[str, float] | None = None) -> Memory:
    settings = {"memory.disable_rag": True, **(chosen or {})}
    return Memory.open(home, origin=Origin.USER, clock=FakeClock(1_795_014_400.0), settings=settings)


def judged(pairs: Path = PAIRS) -> dict[str, list[tuple[bool, float]]]:
    found: dict[str, list[tuple[bool, float]]] = defaultdict(list)
    for line in pairs.read_text(encoding="utf-8").splitlines():
        pair = json.loads(line)
        share = read_relation().judge(pair["said"], [pair["known"]])[0].replaces
        if is_of_somebody_else(pair["said"], pair["known"]):
            share = 0.0
        found[pair["kind"]].append((pair["then"] == "replaces", share))
    return found


def test_of_each_kind_of_contradiction_eight_in_ten_are_replaced_or_asked() -> None:
    least = FactsSettings().ask_from
    kinds = {kind: told for kind, told in judged().items() if told[0][0]}
    assert len(kinds) == 9 and all(len(told) == 10 for told in kinds.values())
    assert {kind for kind, told in kinds.items() if sum(share >= least for _, share in told) < 8} == set()


def test_of_all_contradictions_eight_in_ten_are_replaced_without_a_question() -> None:
    least = FactsSettings().replace_from
    shares = [share for told in judged().values() for replaces, share in told if replaces]
    assert len(shares) == 90 and sum(share >= least for share in shares) >= 72


def test_nothing_that_must_stay_is_replaced() -> None:
    least = FactsSettings().replace_from
    stay = [share for told in judged().values() for replaces, share in told if not replaces]
    assert len(stay) == 35 and max(stay) < least


def store(home: Path, known: str, said: str) -> StoredFact:
    with Memory.open(home, origin=Origin.USER) as memory:
        memory.facts.store(known, category="fact")
        return memory.facts.store(said, category="fact")


def test_of_contradictions_by_a_second_hand_a_store_replaces_eight_in_ten_and_nothing_that_must_stay(
    tmp_path: Path,
) -> None:
    replaced: dict[str, int] = defaultdict(int)
    for number, line in enumerate(SECOND_HAND.read_text(encoding="utf-8").splitlines()):
        pair = json.loads(line)
        replaced[pair["then"]] += bool(store(tmp_path / str(number), pair["known"], pair["said"]).replaced)
    assert replaced["replaces"] >= 72 and replaced["beside"] == 0


def test_what_only_says_less_is_asked_and_replaces_nothing(tmp_path: Path) -> None:
    known = "Traded in my Canon for a Sony A7 IV"
    assert read_relation().judge("Traded in my Canon for a Sony", [known])[0].replaces >= FactsSettings().replace_from
    made = store(tmp_path, known, "Traded in my Canon for a Sony")
    assert made.replaced == () and made.asks


def test_one_more_of_a_list_replaces_none_of_it(tmp_path: Path) -> None:
    with Memory.open(tmp_path, origin=Origin.USER) as memory:
        for thing in (
            "hammer of bench 7 was made in town 55433",
            "saw of bench 9 was made in town 21",
            "easel of bench 52 was made in town 11776",
        ):
            memory.facts.store(f"The {thing}", category="fact")
        made = memory.facts.store("The blue chisel of bench 7 was made in town 55", category="fact")
        assert made.replaced == () and made.asks


def test_the_weights_are_small() -> None:
    assert Path(WEIGHTS).stat().st_size < 500_000


def test_what_is_surely_replaced_is_superseded_by_the_relation_and_restored_as_any_other(home: Path) -> None:
    with opened(home, SURE) as memory:
        memory.facts.store(KNOWN)
        made = memory.facts.store(SAID)
        assert (made.outcome, made.rule, len(made.replaced)) == ("superseded", "relation", 1)
        assert [fact.text for fact in memory.facts.list().facts] == [SAID]
        memory.facts.undo_supersession(made.replaced[0])
        assert {fact.text for fact in memory.facts.list().facts} == {KNOWN, SAID}


def test_what_is_likely_replaced_stands_beside_it_until_the_owner_says_yes(home: Path) -> None:
    with opened(home, ASKED) as memory:
        old = memory.facts.store(KNOWN)
        made = memory.facts.store(SAID)
        assert (made.outcome, made.asks) == ("stored", (old.id,)) and "inbox" in made.because
        (entry,) = memory.inbox.list()
        assert entry.text == f"Does “{SAID}” replace “{KNOWN}”?" and memory.status().waiting == 1
        decided = memory.inbox.approve(entry.id)
        assert decided.outcome == "replaced" and memory.inbox.list() == []
        assert [fact.text for fact in memory.facts.list().facts] == [SAID]
        assert "rule=relation:asked" in (home / "memory" / "other.md").read_text()
        memory.undo()
        assert [one.id for one in memory.inbox.list()] == [entry.id]


def test_a_question_that_is_rejected_leaves_both_and_is_not_asked_again(home: Path) -> None:
    with opened(home, ASKED) as memory:
        memory.facts.store(KNOWN)
        memory.facts.store(SAID)
        (entry,) = memory.inbox.list()
        assert memory.inbox.reject(entry.id).outcome == "rejected"
        assert memory.inbox.list() == [] and "asks=" not in (home / "memory" / "other.md").read_text()
        assert {fact.text for fact in memory.facts.list().facts} == {KNOWN, SAID}
        with pytest.raises(FactNotFound):
            memory.inbox.approve(entry.id)


def test_a_question_goes_with_the_fact_that_is_forgotten(home: Path) -> None:
    with opened(home, ASKED) as memory:
        old = memory.facts.store(KNOWN)
        memory.facts.store(SAID)
        memory.facts.forget(old.id)
        assert memory.inbox.list() == []


@pytest.mark.parametrize("form", ["Plum number {} is ripe", "The cellar holds barrel {}", "Ship {} sails at dawn"])
def test_what_is_said_of_one_after_the_other_in_one_form_is_a_list(home: Path, form: str) -> None:
    with opened(home) as memory:
        made = [memory.facts.store(form.format(number)) for number in range(6)]
        assert {one.outcome for one in made} == {"stored"}


def test_two_that_differ_in_a_word_alone_must_be_surer() -> None:
    day = date(2026, 11, 17)
    known = Fact("f1", "Barrel four is full", Category.FACT, origin=Origin.USER)
    by = Judgement(lambda text, facts: [Likely(0.0, 0.65, 0.35) for _ in facts], 0.6, 0.4)

    def made(text: str) -> tuple[int, int]:
        found = judged_facts(Draft(text, Category.FACT), Origin.USER, [known], day, by)
        return len(found.sure), len(found.asked)

    assert made("Barrel five is full") == (0, 1)
    assert made("Emptied barrel four yesterday") == (1, 0)


def test_a_question_gets_no_other_words(home: Path) -> None:
    with opened(home, ASKED) as memory:
        memory.facts.store(KNOWN)
        memory.facts.store(SAID)
        (entry,) = memory.inbox.list()
        with pytest.raises(BadArgument):
            memory.inbox.edit(entry.id, "something else")
        with pytest.raises(BadArgument):
            memory.inbox.approve(entry.id, text="something else")


def test_words_from_an_import_or_a_tool_neither_replace_nor_ask(home: Path) -> None:
    with opened(home, {"facts.replace_from": 0.5, "facts.ask_from": 0.1}) as memory:
        memory.facts.store(KNOWN)
        made = memory.tools(Origin.MCP_TOOL).call("store", {"text": SAID})
        assert made["outcome"] == "stored" and memory.inbox.list() == []


def test_who_sets_both_shares_to_one_is_neither_asked_nor_served(home: Path) -> None:
    with opened(home, {"facts.replace_from": 1.0, "facts.ask_from": 1.0}) as memory:
        memory.facts.store(KNOWN)
        made = memory.facts.store(SAID)
        assert (made.outcome, made.asks, memory.inbox.list()) == ("stored", (), [])


@pytest.mark.parametrize(
    ("said", "known"),
    [
        ("My brother quit smoking", "I smoke"),
        ("I moved to Portland", "My sister lives in Portland"),
        ("Meine Schwester ist geschieden", "Ich bin verheiratet"),
        ("My son gave up the violin", "My daughter plays the violin"),
        ("Mum's phone number is 555-0199", "My phone number is 555-0134"),
        ("Yusuf moved to Chicago", "I live in Denver"),
        ("Marek hat mit dem Rauchen aufgehört", "Ich rauche"),
        ("Priya's phone is a Pixel", "The user has an iPhone."),
        ("Mia sorella si è sposata", "Sono single"),
        ("Mijn broer is gescheiden", "Ik ben getrouwd"),
        ("我妹妹结婚了", "我单身"),
        ("父はタバコをやめました", "タバコを吸います"),
    ],
)
def test_a_relative_is_somebody_else(said: str, known: str) -> None:
    assert is_of_somebody_else(said, known)


@pytest.mark.parametrize(
    ("said", "known"),
    [
        ("My brother quit smoking", "My brother smokes"),
        ("He moved to Tucson", "My brother lives in Denver"),
        ("I quit smoking", "I smoke"),
        ("My dog died", "I have a dog"),
        ("My husband and I have split up", "I'm married"),
        ("Chris and I broke up on Sunday", "My boyfriend Chris and I have been together for years"),
        ("Bob leads Kestrel", "Anna leads Kestrel"),
        ("Ben weg bij de NS", "Ik werk bij de NS"),
        ("我妹妹搬到上海了", "我妹妹住在北京"),
        ("Jenkins has been switched off", "We deploy with Jenkins"),
    ],
)
def test_the_same_relative_or_oneself_is_not(said: str, known: str) -> None:
    assert not is_of_somebody_else(said, known)
