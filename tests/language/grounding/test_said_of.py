"""What was said of somebody else is no claim about the user, and what was said of the user is none of somebody else."""

from __future__ import annotations

import pytest

from furoshiki.language.facts.extraction import facts_in
from furoshiki.language.grounding.said_of import is_stated_of
from furoshiki.language.testimony import as_told
from tests.support.statements import STATED

LYON, NUTS, LAW = "The user lives in Lyon.", "They are allergic to peanuts.", "The user is a lawyer."

# claim, object, what was said, whether it is said of the one the claim is about
SAID: tuple[tuple[str, str | None, str, bool], ...] = (
    # of the user
    (LYON, "Lyon", "I live in Lyon", True),
    (LYON, "Lyon", "my sister and I live in Lyon", True),
    (LYON, "Lyon", "we live in Lyon with my sister", True),
    (LYON, "Lyon", "I, like my sister, live in Lyon", True),
    (LYON, "Lyon", "like my sister, I live in Lyon", True),
    (LYON, "Lyon", "living in Lyon with my sister these days", True),
    (LYON, "Lyon", "moved to Lyon last year with my boss", True),
    (LYON, "Lyon", "my sister lives in Lyon with me", True),
    (LYON, "Lyon", "my sister lives in Porto and I live in Lyon", True),
    (LYON, "Lyon", "my flat is in Lyon", True),
    (LYON, "Lyon", "My sister lives in Lyon. I live in Lyon, too.", True),
    (NUTS, "peanuts", "I have a boss and I am allergic to peanuts", True),
    (NUTS, "peanuts", "peanuts are poison to me", True),
    (NUTS, "peanuts", "my doctor diagnosed an allergy to peanuts", True),
    (LAW, "lawyer", "I work as a lawyer and my husband is a nurse", True),
    (LAW, "lawyer", "my sister is a nurse, I'm a lawyer", True),
    ("The user has a sister in Lyon.", "sister in Lyon", "my sister lives in Lyon", True),
    ("The user has a boss with a peanut allergy.", "peanut allergy", "my boss has a peanut allergy", True),
    ("The user knows Anika.", "Anika", "Anika lives in Lyon", True),
    ("Their favourite colour is green.", "green", "my favourite colour is green", True),
    (LYON, "Lyon", "my sister lives in Lyon", False),
    (LYON, None, "my sister lives in Lyon", False),
    ("The user lives in Lyon with their sister.", "Lyon", "my sister lives in Lyon", False),
    (LYON, "Lyon", "my sister lives in Lyon and I in Porto", False),
    (LYON, "Lyon", "my sister Anika lives in Lyon and calls me every day", False),
    (LYON, "Lyon", "my sister, whom I love, lives in Lyon", False),
    (LYON, "Lyon", "I have a sister who lives in Lyon", False),
    (LYON, "Lyon", "I have a sister in Lyon", False),
    (LYON, "Lyon", "I think my sister lives in Lyon", False),
    (LYON, "Lyon", "Last year my parents moved to Lyon", False),
    (LYON, "Lyon", "I have a sister, Anika. She lives in Lyon.", False),
    (LYON, "Lyon", "Anika lives in Lyon", False),
    (LYON, "Lyon", "my sister is a nurse and lives in Lyon", False),
    (LYON, "Lyon", "my sister and my boss live in Lyon", False),
    (NUTS, "peanuts", "my boss is allergic to peanuts", False),
    ("The user has a peanut allergy.", "peanut allergy", "my boss has a peanut allergy", False),
    ("The user has a peanut allergy.", "peanut", "my boss's peanut allergy is a pain", False),
    (LAW, "lawyer", "Anika's husband is a lawyer", False),
    (LAW, "lawyer", "my sister's a lawyer", False),
    ("The user is 12 years old.", "12 years old", "my cat is 12 years old", False),
    ("Their favourite colour is green.", "green", "my sister's favourite colour is green", False),
    # of somebody else
    ("Their sister lives in Lyon.", "Lyon", "my sister lives in Lyon", True),
    ("Their sister lives in Lyon.", "Lyon", "my sister and I live in Lyon", True),
    ("Their sister lives in Lyon.", "Lyon", "I, like my sister, live in Lyon", True),
    ("Their sister lives in Lyon.", "Lyon", "I visited my sister in Lyon", True),
    ("Anika lives in Lyon.", "Lyon", "my sister Anika called. She lives in Lyon.", True),
    ("The user's mother lives in Lyon.", "Lyon", "my mum lives in Lyon", True),
    ("Anika's husband is a lawyer.", "lawyer", "Anika's husband is a lawyer", True),
    ("Their brother-in-law is a lawyer.", "lawyer", "my sister's husband is a lawyer", True),
    ("Their sister lives in Lyon.", "Lyon", "I live in Lyon and my sister is a nurse", False),
    ("Their sister lives in Lyon.", "Lyon", "my boss lives in Lyon", False),
    ("Their sister is a lawyer.", "lawyer", "my sister's husband is a lawyer", False),
    ("Anika is a lawyer.", "lawyer", "Anika's husband is a lawyer", False),
    ("Their husband is a lawyer.", "lawyer", "Anika's husband is a lawyer", False),
    ("Anika lives in Lyon.", "Lyon", "Tom lives in Lyon and Anika is fine", False),
    # German
    ("Der Nutzer wohnt in Lyon.", "Lyon", "Ich wohne in Lyon", True),
    (LYON, "Lyon", "meine Schwester und ich wohnen in Lyon", True),
    (LYON, "Lyon", "wohne mit meiner Schwester in Lyon", True),
    ("Die Schwester des Nutzers wohnt in Lyon.", "Lyon", "meine Schwester wohnt in Lyon", True),
    ("Der Nutzer wohnt in Lyon.", "Lyon", "meine Schwester wohnt in Lyon", False),
    (LYON, "Lyon", "In Lyon wohnt meine Schwester, ich wohne in Köln", False),
    ("Die Mutter des Nutzers wohnt in Lyon.", "Lyon", "meine Schwester wohnt in Lyon", False),
    # Spanish
    ("El usuario vive en Lyon.", "Lyon", "vivo en Lyon con mi hermana", True),
    (LYON, "Lyon", "mi hermana y yo vivimos en Lyon", True),
    ("La hermana del usuario vive en Lyon.", "Lyon", "mi hermana vive en Lyon", True),
    ("El usuario vive en Lyon.", "Lyon", "mi hermana vive en Lyon", False),
    (LYON, "Lyon", "mi jefe vive en Lyon", False),
    ("They are divorced.", "divorced", "hes divorced an all. i drive a desk", False),
    ("They are divorced.", "divorced", "shes divorced", False),
    ("They are divorced.", "divorced", "im divorced and hes not", True),
    ("Dave is divorced.", "divorced", "dave rang. hes divorced", True),
    # Turkish
    ("Kullanıcı Ankara'da yaşıyor.", "Ankara", "kız kardeşimle Ankara'da yaşıyorum", True),
    ("Kullanıcı Ankara'da yaşıyor.", "Ankara", "ablam ve ben Ankara'da yaşıyoruz", True),
    ("Kullanıcı Ankara'da yaşıyor.", "Ankara", "kız kardeşim Ankara'da yaşıyor", False),
    ("Kullanıcının fıstık alerjisi var.", "fıstık", "patronumun fıstık alerjisi var", False),
    # Russian
    ("Пользователь живёт в Москве.", "Москва", "я живу в Москве с сестрой", True),
    ("Пользователь живёт в Москве.", "Москва", "мы с братом живём в Москве", True),
    ("Сестра пользователя живёт в Москве.", "Москва", "моя сестра живёт в Москве", True),
    ("Пользователь живёт в Москве.", "Москва", "моя сестра живёт в Москве", False),
    ("У пользователя аллергия на орехи.", "орехи", "у моего начальника аллергия на орехи", False),
)


@pytest.mark.parametrize(("claim", "object_", "said", "ok"), SAID)
def test_a_claim_rests_on_what_was_said_of_the_one_it_is_about(
    claim: str, object_: str | None, said: str, ok: bool
) -> None:
    assert is_stated_of(claim, object_, [said]) is ok


@pytest.mark.parametrize("message", [message for message in STATED if message])
def test_every_fact_the_patterns_find_is_said_of_its_subject(message: str) -> None:
    for fact in facts_in(as_told(message)):
        assert is_stated_of(fact.text, fact.object, [message]), fact.text


def test_a_name_that_looks_like_a_word_of_another_language_is_a_name() -> None:
    """To a pattern that does not mind case, "Karim" is the Turkish "karım", my wife."""
    said = "The diving teacher, Karim, held my hand at six metres down because I panicked"
    assert is_stated_of("The user panicked while diving.", None, [said])
