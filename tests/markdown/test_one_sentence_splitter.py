"""One reader of sentences and list items: what is cut, and what stays one where there is doubt."""

from __future__ import annotations

import pytest

from holdfast.dreaming.claim import claims_in
from holdfast.markdown.sentences import sentences


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Der Zahnarzttermin ist am 3. Mai um neun.",
        "Le rendez-vous est le 12. On l'a dit.",
        "The clinic said that we should ask Dr. Moreau first.",
    ],
)
def test_an_ordinal_or_a_short_form_ends_no_sentence(text: str) -> None:
    assert cut(text) == [text]


def test_a_year_at_the_end_of_a_sentence_ends_it() -> None:
    assert cut("We met in 1998. Then we married.") == ["We met in 1998.", "Then we married."]


def test_a_long_paragraph_is_no_half_claim_for_dreaming() -> None:
    rest = "The waiting room was full, and everybody in it had brought something to read for the afternoon. " * 3
    claims = [
        claim.text for claim in claims_in(f"The clinic said that we should ask Dr. Moreau first. {rest}\n", "a.md")
    ]
    assert claims[0] == "The clinic said that we should ask Dr. Moreau first."
