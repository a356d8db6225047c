"""Facts in inflected languages: what was said in another form of the word is held, and nothing else is."""

from __future__ import annotations

import pytest

from furoshiki.language.grounding.words import LEAST_OF_FACT, grounded, only_said_back
from furoshiki.language.inflection import language_of
from furoshiki.post_conversation.rules.affirmed import affirmed

# claim, object, what was said, whether it may be kept, cosine of the claim to what was said
CLAIMS: tuple[tuple[str, str, str, bool, float], ...] = (
    # German
    ("Der Nutzer hat eine Nussallergie.", "Nussallergie", "Ich bin allergisch gegen Nüsse.", True, 0.9),
    ("The user has a nut allergy.", "Nussallergie", "ich bin gegen Nüsse allergisch", True, 0.9),
    ("Der Nutzer ist allergisch gegen Nüsse.", "Nüsse", "Ich habe eine Nussallergie.", True, 0.9),
    ("Der Nutzer arbeitet als Krankenpfleger.", "Krankenpfleger", "Ich bin Krankenpfleger in Köln", True, 0.0),
    ("Der Nutzer hat zwei Katzen.", "zwei Katzen", "wir haben zwei Katzen und einen Garten", True, 0.0),
    ("Der Nutzer mag Gärten.", "Gärten", "ich mag meinen Garten sehr", True, 0.0),
    ("Die Schwester des Nutzers heißt Anika.", "Anika", "Anikas Bruder bin ich, sie ist meine Schwester", True, 0.0),
    ("Der Nutzer wohnt in der Lindenstraße.", "Lindenstraße", "ich wohne in der Lindenstrasse", True, 0.0),
    ("The user lives in Köln.", "Köln", "Ich wohne seit Mai in Köln", True, 0.0),
    ("Der Nutzer spielt Fußball.", "Fußball", "ich spiele Fussball im Verein", True, 0.0),
    ("Der Nutzer wohnt in Berlin.", "Berlin", "Ich wohne nicht in Berlin", False, 0.9),
    ("Der Nutzer wohnt in Berlin.", "Berlin", "Ich wäre gern in Berlin", False, 0.9),
    ("Der Nutzer wohnt in Berlin.", "Berlin", "Er sagt, dass ich in Berlin wohne", False, 0.9),
    ("Der Nutzer wohnt in Berlin.", "Berlin", "Wohne ich in Berlin?", False, 0.9),
    ("Der Nutzer wohnt in Berlin.", "Berlin", "Ich wohne in Hamburg und mag es", False, 0.9),
    ("Der Nutzer hat eine Nussallergie.", "Nussallergie", "Ich mag Nüsse und Schokolade.", False, 0.9),
    ("Der Nutzer mag Wein.", "Wein", "Ich habe ein Schwein auf dem Hof", False, 0.9),
    ("Die Schwester des Nutzers heißt Anna.", "Anna", "Meine Schwester heißt Anika", False, 0.9),
    ("Der Nutzer ist schwanger und arbeitet am Hafen.", "Hafen", "Ich arbeite am Hafen", False, 0.9),
    ("Die Katze des Nutzers ist gestorben.", "Katze", "Ich habe eine Katze", False, 0.9),
    ("Der Nutzer hat einen Hund.", "Hund", "Ich habe hundert Bücher", False, 0.9),
    ("Der Nutzer hat 4 Katzen.", "4 Katzen", "Wir haben 3 Katzen", False, 0.9),
    # Spanish
    ("El usuario vive en Sevilla.", "Sevilla", "Vivo en Sevilla desde marzo", True, 0.0),
    ("El usuario tiene dos gatos.", "dos gatos", "tengo dos gatos y un perro", True, 0.0),
    ("La usuaria es alérgica a las nueces.", "nueces", "Soy alergica a las nueces", True, 0.0),
    ("El usuario trabaja de enfermero.", "enfermero", "trabajo como enfermera en un hospital", True, 0.0),
    ("La hermana del usuario se llama José.", "José", "mi hermano es Jose", True, 0.9),
    ("Al usuario le gusta cocinar.", "cocinar", "me gusta mucho cocinando en casa", True, 0.0),
    ("El usuario vive en Sevilla.", "Sevilla", "No vivo en Sevilla", False, 0.9),
    ("El usuario vive en Sevilla.", "Sevilla", "Me gustaría una casa en Sevilla", False, 0.9),
    ("El usuario vive en Sevilla.", "Sevilla", "Mi jefe dice que vivo en Sevilla", False, 0.9),
    ("El usuario vive en Sevilla.", "Sevilla", "Vivo en Granada con mi perro", False, 0.9),
    ("La hermana del usuario se llama Ana.", "Ana", "mi hermana se llama Ane", False, 0.9),
    ("La usuaria está embarazada y vive en Lima.", "Lima", "Vivo en Lima", False, 0.9),
    ("El padre del usuario murió en mayo.", "mayo", "mi padre viene en mayo", False, 0.9),
    # Turkish
    ("Kullanıcı Ankara'da yaşıyor.", "Ankara", "Ankara'da yaşıyorum", True, 0.0),
    ("The user lives in Ankara.", "Ankara", "ben Ankara'da oturuyorum", True, 0.0),
    ("Kullanıcı İstanbul'da yaşıyor.", "İstanbul", "istanbulda yaşıyorum", True, 0.0),
    ("Kullanıcı ISPARTA'da yaşıyor.", "Isparta", "Isparta’da yaşıyorum", True, 0.0),
    ("Kullanıcının kedisi var.", "kedi", "bir kedim var", True, 0.0),
    ("Kullanıcının kardeşi doktor.", "doktor", "kardeşim doktordur ve çok çalışıyor", True, 0.0),
    ("Kullanıcının fıstık alerjisi var.", "fıstık", "fıstığa alerjim var", True, 0.0),
    ("Kullanıcı Ankara'da yaşıyor.", "Ankara", "Ankara'da yaşamıyorum", False, 0.9),
    ("Kullanıcı Ankara'da yaşıyor.", "Ankara", "Keşke Ankara'da yaşasam", False, 0.9),
    ("Kullanıcı Ankara'da yaşıyor.", "Ankara", "İzmir'de yaşıyorum", False, 0.9),
    ("Kullanıcının kız kardeşi Ayşe.", "Ayşe", "kız kardeşim Ayla", False, 0.9),
    ("Kullanıcı hamile ve Bursa'da yaşıyor.", "Bursa", "Bursa'da yaşıyorum", False, 0.9),
    ("Kullanıcının babası öldü.", "baba", "babam geldi ve çok sevindim", False, 0.9),
    # Russian
    ("Пользователь живёт в Москве.", "Москва", "Я живу в Москве", True, 0.0),
    ("Пользователь живет в городе Москва.", "Москва", "переехал в Москву, живу в центре города", True, 0.0),
    ("They live in Moscow.", "Москва", "Я живу в Москве уже год", True, 0.0),
    ("Their sister is called Anna.", "Анна", "мою сестру зовут Анна", True, 0.9),
    ("У пользователя аллергия на орехи.", "орехи", "у меня аллергия на орехов", True, 0.0),
    ("У пользователя есть кошка.", "кошка", "мы завели кошку, у меня теперь две кошки", True, 0.0),
    ("Сестру пользователя зовут Анна.", "Анна", "я был у сестры, у Анны", True, 0.0),
    ("Пользователь любит ёлки.", "ёлки", "люблю елку и снег", True, 0.0),
    ("Пользователь живёт в Москве.", "Москва", "Я не живу в Москве", False, 0.9),
    ("Пользователь живёт в Москве.", "Москва", "Хочу жить в Москве", False, 0.9),
    ("Пользователь живёт в Москве.", "Москва", "Брат говорит, что я живу в Москве", False, 0.9),
    ("Пользователь живёт в Москве.", "Москва", "Я живу в Казани", False, 0.9),
    ("They live in Moscow.", "Москва", "Я живу в Минске", False, 0.9),
    ("Сестру пользователя зовут Анна.", "Анна", "мою сестру зовут Аня", False, 0.9),
    ("Пользователь беременна и живёт в Омске.", "Омск", "Я живу в Омске", False, 0.9),
    ("Отец пользователя умер.", "отец", "мой отец приехал", False, 0.9),
    # English, as before
    ("The user lives in Lyon.", "Lyon", "I moved to Lyon last year", True, 0.0),
    ("The user's sister José lives in Lisbon.", "Lisbon", "my sister Jose lives in Lisbon", True, 0.0),
    ("The user's sister Anna lives in Lisbon.", "Lisbon", "my sister Anne lives in Lisbon", False, 0.9),
    ("The user lives in Lyon.", "Lyon", "I wish I lived in Lyon", False, 0.9),
    ("The user lives in Lyon.", "Lyon", "I don't live in Lyon", False, 0.9),
    ("The user has a nut allergy.", "nuts", "I have a dog", False, 0.9),
    ("The user is pregnant and works at the harbour.", "harbour", "I work at the harbour", False, 0.9),
)


def kept(claim: str, object_: str, said: str, cosine: float) -> bool:
    return grounded(claim, object_, [said], cosine, least=LEAST_OF_FACT).ok and affirmed(claim, object_, [said]).ok


@pytest.mark.parametrize(("claim", "object_", "said", "ok", "cosine"), CLAIMS)
def test_a_fact_is_kept_when_it_was_said_in_any_form(
    claim: str, object_: str, said: str, ok: bool, cosine: float
) -> None:
    assert kept(claim, object_, said, cosine) is ok


def test_the_table_is_long_enough_and_of_five_languages() -> None:
    assert len(CLAIMS) >= 60
    assert {language_of(said) for _, _, said, _, _ in CLAIMS} == {"de", "es", "tr", "ru", None}


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


def test_what_only_the_companion_said_is_no_claim_in_any_form() -> None:
    assert only_said_back(
        "Пользователь гордится Анной.", ["моя сестра Анна"], ["Ты гордишься сестрой, гордится и Анна."]
    )
    assert only_said_back("Пользователь живёт в Москва.", ["в Москве"], ["Значит, ты живёшь в Москве."]) is None
