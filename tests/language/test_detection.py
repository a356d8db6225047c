"""Facts in inflected languages: what was said in another form of the word is held, and nothing else is."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from furoshiki.language.inflection import language_of
from furoshiki.memory.grounding.rules.conversation import Conversation
from furoshiki.memory.grounding.rules.judging import judge
from furoshiki.memory.grounding.rules.statement import Outcome
from tests.support.stored_turns import make_turn

AT = datetime(2026, 3, 24, 15, tzinfo=UTC)

# claim, object, what was said, whether it is so
CLAIMS: tuple[tuple[str, str, str, bool], ...] = (
    # German
    ("Der Nutzer hat eine Nussallergie.", "Nussallergie", "Ich bin allergisch gegen Nüsse.", True),
    ("The user has a nut allergy.", "Nussallergie", "ich bin gegen Nüsse allergisch", True),
    ("Der Nutzer ist allergisch gegen Nüsse.", "Nüsse", "Ich habe eine Nussallergie.", True),
    ("Der Nutzer arbeitet als Krankenpfleger.", "Krankenpfleger", "Ich bin Krankenpfleger in Köln", True),
    ("Der Nutzer hat zwei Katzen.", "zwei Katzen", "wir haben zwei Katzen und einen Garten", True),
    ("Der Nutzer mag Gärten.", "Gärten", "ich mag meinen Garten sehr", True),
    ("Die Schwester des Nutzers heißt Anika.", "Anika", "Anikas Bruder bin ich, sie ist meine Schwester", True),
    ("Der Nutzer wohnt in der Lindenstraße.", "Lindenstraße", "ich wohne in der Lindenstrasse", True),
    ("The user lives in Köln.", "Köln", "Ich wohne seit Mai in Köln", True),
    ("Der Nutzer spielt Fußball.", "Fußball", "ich spiele Fussball im Verein", True),
    ("Der Nutzer wohnt in Berlin.", "Berlin", "Ich wohne nicht in Berlin", False),
    ("Der Nutzer wohnt in Berlin.", "Berlin", "Ich wäre gern in Berlin", False),
    ("Der Nutzer wohnt in Berlin.", "Berlin", "Er sagt, dass ich in Berlin wohne", False),
    ("Der Nutzer wohnt in Berlin.", "Berlin", "Wohne ich in Berlin?", False),
    ("Der Nutzer wohnt in Berlin.", "Berlin", "Ich wohne in Hamburg und mag es", False),
    ("Der Nutzer hat eine Nussallergie.", "Nussallergie", "Ich mag Nüsse und Schokolade.", False),
    ("Der Nutzer mag Wein.", "Wein", "Ich habe ein Schwein auf dem Hof", False),
    ("Die Schwester des Nutzers heißt Anna.", "Anna", "Meine Schwester heißt Anika", False),
    ("Der Nutzer ist schwanger und arbeitet am Hafen.", "Hafen", "Ich arbeite am Hafen", False),
    ("Die Katze des Nutzers ist gestorben.", "Katze", "Ich habe eine Katze", False),
    ("Der Nutzer hat einen Hund.", "Hund", "Ich habe hundert Bücher", False),
    ("Der Nutzer hat 4 Katzen.", "4 Katzen", "Wir haben 3 Katzen", False),
    # Spanish
    ("El usuario vive en Sevilla.", "Sevilla", "Vivo en Sevilla desde marzo", True),
    ("El usuario tiene dos gatos.", "dos gatos", "tengo dos gatos y un perro", True),
    ("La usuaria es alérgica a las nueces.", "nueces", "Soy alergica a las nueces", True),
    ("El usuario trabaja de enfermero.", "enfermero", "trabajo como enfermera en un hospital", True),
    ("La hermana del usuario se llama José.", "José", "mi hermano es Jose", True),
    ("Al usuario le gusta cocinar.", "cocinar", "me gusta mucho cocinando en casa", True),
    ("El usuario vive en Sevilla.", "Sevilla", "No vivo en Sevilla", False),
    ("El usuario vive en Sevilla.", "Sevilla", "Me gustaría una casa en Sevilla", False),
    ("El usuario vive en Sevilla.", "Sevilla", "Mi jefe dice que vivo en Sevilla", False),
    ("El usuario vive en Sevilla.", "Sevilla", "Vivo en Granada con mi perro", False),
    ("La hermana del usuario se llama Ana.", "Ana", "mi hermana se llama Ane", False),
    ("La usuaria está embarazada y vive en Lima.", "Lima", "Vivo en Lima", False),
    ("El padre del usuario murió en mayo.", "mayo", "mi padre viene en mayo", False),
    # Turkish
    ("Kullanıcı Ankara'da yaşıyor.", "Ankara", "Ankara'da yaşıyorum", True),
    ("The user lives in Ankara.", "Ankara", "ben Ankara'da oturuyorum", True),
    ("Kullanıcı İstanbul'da yaşıyor.", "İstanbul", "istanbulda yaşıyorum", True),
    ("Kullanıcı ISPARTA'da yaşıyor.", "Isparta", "Isparta’da yaşıyorum", True),
    ("Kullanıcının kedisi var.", "kedi", "bir kedim var", True),
    ("Kullanıcının kardeşi doktor.", "doktor", "kardeşim doktordur ve çok çalışıyor", True),
    ("Kullanıcının fıstık alerjisi var.", "fıstık", "fıstığa alerjim var", True),
    ("Kullanıcı Ankara'da yaşıyor.", "Ankara", "Ankara'da yaşamıyorum", False),
    ("Kullanıcı Ankara'da yaşıyor.", "Ankara", "Keşke Ankara'da yaşasam", False),
    ("Kullanıcı Ankara'da yaşıyor.", "Ankara", "İzmir'de yaşıyorum", False),
    ("Kullanıcının kız kardeşi Ayşe.", "Ayşe", "kız kardeşim Ayla", False),
    ("Kullanıcı hamile ve Bursa'da yaşıyor.", "Bursa", "Bursa'da yaşıyorum", False),
    ("Kullanıcının babası öldü.", "baba", "babam geldi ve çok sevindim", False),
    # Russian
    ("Пользователь живёт в Москве.", "Москва", "Я живу в Москве", True),
    ("Пользователь живет в городе Москва.", "Москва", "переехал в Москву, живу в центре города", True),
    ("They live in Moscow.", "Москва", "Я живу в Москве уже год", True),
    ("Their sister is called Anna.", "Анна", "мою сестру зовут Анна", True),
    ("У пользователя аллергия на орехи.", "орехи", "у меня аллергия на орехов", True),
    ("У пользователя есть кошка.", "кошка", "мы завели кошку, у меня теперь две кошки", True),
    ("Сестру пользователя зовут Анна.", "Анна", "я был у сестры, у Анны", True),
    ("Пользователь любит ёлки.", "ёлки", "люблю елку и снег", True),
    ("Пользователь живёт в Москве.", "Москва", "Я не живу в Москве", False),
    ("Пользователь живёт в Москве.", "Москва", "Хочу жить в Москве", False),
    ("Пользователь живёт в Москве.", "Москва", "Брат говорит, что я живу в Москве", False),
    ("Пользователь живёт в Москве.", "Москва", "Я живу в Казани", False),
    ("They live in Moscow.", "Москва", "Я живу в Минске", False),
    ("Сестру пользователя зовут Анна.", "Анна", "мою сестру зовут Аня", False),
    ("Пользователь беременна и живёт в Омске.", "Омск", "Я живу в Омске", False),
    ("Отец пользователя умер.", "отец", "мой отец приехал", False),
    # English, as before
    ("The user lives in Lyon.", "Lyon", "I moved to Lyon last year", True),
    ("The user's sister José lives in Lisbon.", "Lisbon", "my sister Jose lives in Lisbon", True),
    ("The user lives in Lyon.", "Lyon", "I wish I lived in Lyon", False),
    ("The user lives in Lyon.", "Lyon", "I don't live in Lyon", False),
    ("The user has a nut allergy.", "nuts", "I have a dog", False),
    ("The user is pregnant and works at the harbour.", "harbour", "I work at the harbour", False),
)


_OF_USER = re.compile(r"(?:The user|Der Nutzer|(?:El|La) usuari[oa]|Kullanıcı|Пользователь) ")


def judged(claim: str, object_: str, said: str) -> Outcome:
    talk = Conversation([make_turn(1, said, AT)], UTC)
    return judge(
        talk.statement(claim, "fact", [1], of_owner=_OF_USER.match(claim) is not None, object_=object_)
    ).outcome


@pytest.mark.parametrize(("claim", "object_", "said", "ok"), CLAIMS)
def test_a_fact_is_known_only_when_it_was_said_in_some_form(claim: str, object_: str, said: str, ok: bool) -> None:
    """By rules alone: what was not said is never known, what was said is never refused."""
    outcome = judged(claim, object_, said)
    assert outcome != "refused" if ok else outcome != "known"


def test_most_of_what_was_said_is_known_without_a_reader() -> None:
    said = [judged(*one[:3]) for one in CLAIMS if one[3]]
    assert said.count("known") >= 0.7 * len(said)


def test_the_table_is_long_enough_and_of_five_languages() -> None:
    assert len(CLAIMS) >= 60
    assert {language_of(said) for _, _, said, _ in CLAIMS} == {"de", "es", "tr", "ru", None}


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("ich bin traurig", "de"),
        ("estoy triste", "es"),
        ("Ankara'da", "tr"),
        ("мне грустно", "ru"),
        ("I was in the garden", None),
        ("I moved to La Paz with my wife", None),
        ("don't you think it's fine?", None),
        ("", None),
    ],
)
def test_the_language_is_told_by_small_words_and_letters(text: str, language: str | None) -> None:
    assert language_of(text) == language
