"""Of two sentences one says what the other denies."""

from __future__ import annotations

import pytest

from furoshiki.language.grounding.words import is_denied, opposite


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("They have not told Amparo yet that they failed.", "They told Amparo, who answered that a car is only metal."),
        ("They told Amparo.", "They have not told Amparo yet."),
        ("They live with Tom.", "They don't live with Tom any more."),
        ("Their sister does not speak to their mother.", "Their sister speaks to their mother again."),
        ("They have not found a flat.", "They found a flat in March."),
        ("Ihre Mutter hat Diabetes.", "Ihre Mutter hat keinen Diabetes."),
        ("Su madre tiene diabetes.", "Su madre no tiene diabetes."),
        ("Sa mère a le diabète.", "Sa mère n'a pas le diabète."),
        ("Sua madre ha il diabete.", "Sua madre non ha il diabete."),
        ("A mãe dela tem diabetes.", "A mãe dela não tem diabetes."),
        ("Она курит.", "Она не курит."),
        ("Annesi diyabet hastası.", "Annesi diyabet hastası değil."),
    ],
)
def test_a_sentence_and_what_it_denies_are_opposite(one: str, other: str) -> None:
    assert opposite(one, other) and opposite(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("They have not told Amparo about the exam.", "They told Amparo about the move."),
        ("They do not eat meat at Anna's.", "They eat meat at home."),
        ("They have not told Ruth about it.", "They want to tell Ruth about it."),
        ("They have not told Ruth.", "They never told Declan."),
        ("They told Ruth.", "They told Declan."),
        ("They are not well.", "They are well known in Oslo."),
        ("Elle veut se marier.", "Elle ne s'est pas mariée."),
        ("Ela não casou.", "Ela quer casar."),
        ("Non beve caffè.", "Non beve mai caffè."),
        ("Sie trinkt keinen Kaffee.", "Sie trinkt Tee."),
    ],
)
def test_what_is_of_another_matter_or_still_to_come_is_no_opposite(one: str, other: str) -> None:
    assert not opposite(one, other) and not opposite(other, one)


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("Elle ne boit pas de café.", True),
        ("Elle n'a jamais fumé.", True),
        ("Non beve mai caffè.", True),
        ("No bebe nunca café.", True),
        ("Ela não bebe nada.", True),
        ("Она никогда не курит.", True),
        ("Elle boit du café.", False),
        ("They are not unhappy, never were not.", True),
        ("Es ist nicht so, dass er nie kommt.", False),
    ],
)
def test_two_negations_cancel_only_where_they_do(text: str, denied: bool) -> None:
    """French says no with two words: every denial in it was read as a yes."""
    assert is_denied(text) is denied
