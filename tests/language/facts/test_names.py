"""Who the user says they are, and all the ways in which they do not say it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.core import catalogue
from furoshiki.language import testimony
from furoshiki.language.facts.names import as_written, asks_name, find_name, statements
from furoshiki.language.intents import NAME

GIVEN = {
    "my name is Noor": "Noor",
    "My name is noor": "Noor",
    "call me noor": "Noor",
    "Please call me Al, everyone does": "Al",
    "you can call me Bobby": "Bobby",
    "call me z": "Z",
    "nah call me j": "J",
    "Hey, Alex here": "Alex",
    "just call me JJ": "JJ",
    "I go by Sam": "Sam",
    "I usually go by Sam": "Sam",
    "I'm called Sam": "Sam",
    "I'd like to be called Kit": "Kit",
    "my friends call me Bobby": "Bobby",
    "Hi, I'm Noor!": "Noor",
    "I am Noor and I live in Lyon": "Noor",
    "I\u2019m Noor, by the way": "Noor",
    "It's Noor": "Noor",
    "My name's Anna-Lena van der Berg": "Anna-Lena van der Berg",
    "My name is Jos\u00e9 Mar\u00eda": "Jos\u00e9 Mar\u00eda",
    "my name is O'Brien": "O'Brien",
    "please call me Dr. Smith": "Dr. Smith",
    "my name is Noor and I'm 34": "Noor",
    "Call me Ishmael. Some years ago I went to sea": "Ishmael",
    "don't call me Bob, call me Robert": "Robert",
    "My name is not Bob, my name is Robert": "Robert",
    "Ich hei\u00dfe Jonas": "Jonas",
    "me llamo Luc\u00eda": "Luc\u00eda",
    "adim elif bu arada": "Elif",
    "adım Elif ve Bursa'da yaşıyorum": "Elif",
    "me llamo lena por cierto": "Lena",
    "mi chiamo anna e vivo a roma": "Anna",
    "au fait moi c'est yannick, mais tt le monde dit yaya": "Yaya",
    "slt moi c'est chloé": "Chloé",
    "jm'appelle yannick": "Yannick",
    "mon prénom c'est zoé": "Zoé",
    "on m'appelle Yaya": "Yaya",
    "ah, aqui é a rosângela, mas todo mundo me chama de rô": "Rô",
    "oi aqui é o marcos": "Marcos",
    "pode me chamar de rô": "Rô",
    "todos me dicen Pepe": "Pepe",
    "tutti mi chiamano Gigi": "Gigi",
    "меня зовут лена кстати": "Лена",
    "actually, call me Noor from now on": "Noor",
    "\u041c\u0435\u043d\u044f \u0437\u043e\u0432\u0443\u0442 \u041d\u0443\u0440, my name is "
    "\u041d\u0443\u0440": "\u041d\u0443\u0440",
}

NOT_GIVEN = [
    "moi c'est pareil",
    "moi c'est les endives que j'aime pas",
    "moi c'est pas yannick",
    "on m'appelle demain",
    "tout le monde dit bonjour",
    "aqui é a praia",
    "sou a mais velha",
    "me chama de novo amanhã",
    "todo mundo me chama de louca",
    "todos me dicen que estoy loca",
    "I'm tired",
    "I'm German",
    "I'm going home",
    "i'm a nurse",
    "im noor",
    "I'm so happy",
    "I'm Anika's brother",
    "don't call me Bob",
    "do not call me Bob",
    "never call me Bob again",
    "my name is not Bob",
    "my name isn't Bob",
    "call me later",
    "call me a cab",
    "call me l8r",
    "hey, nobody here",
    "Snow here",
    "call me when you can",
    "call me maybe",
    "can you call me tomorrow?",
    "they call me crazy",
    "my boss called me Bob",
    "everyone says no",
    "everyone says hello to me",
    'he said "my name is Tom"',
    "\u201cmy name is Tom\u201d is a nice line",
    "> my name is Tom",
    "is my name Noor?",
    "what is my name?",
    "do you think my name is Noor?",
    "what if my name is Tom?",
    "if my name was Tom I would change it",
    "pretend my name is Tom",
    "write: my name is Tom",
    "My sister said my name is Tom",
    "in the film my name is Neo",
    "It's Monday",
    "It's raining",
    "it's me",
    "I AM TIRED",
    "ich habe im Juni Geburtstag",
    "benim adım ne",
    "adım neydi",
    "Vergissmeinnicht blühen im Garten",
    "im Büro",
    "脑子里的声音叫我伤害宝宝",
    "明天七点叫我起床",
    "叫我起床",
    "it's Anna with two n",
    "",
]


@pytest.mark.parametrize("message", GIVEN)
def test_a_name_that_is_given(message: str) -> None:
    found = find_name(message)
    assert found is not None
    assert found.name == GIVEN[message]
    assert found.name.split()[-1].lower() in message[found.start : found.end].lower()


@pytest.mark.parametrize("message", NOT_GIVEN)
def test_a_name_that_is_not(message: str) -> None:
    assert find_name(message) is None


def test_a_refused_name_is_known_as_refused() -> None:
    (refused,) = statements("please don't call me Bob")
    assert (refused.name, refused.refused) == ("Bob", True)


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("Noor", "Noor"),
        ("noor", "Noor"),
        ("Noor!", "Noor"),
        ("oh, it's noor", "Noor"),
        ("im noor", "Noor"),
        ("Noor Haddad", "Noor Haddad"),
        ("My name is Noor", "Noor"),
        ("no", None),
        ("yes", None),
        ("why?", None),
        ("Noor?", None),
        ("not telling you", None),
        ("I don't want to tell you", None),
        ("tired", None),
        ("", None),
        ("what a lovely day it is today", None),
    ],
)
def test_when_asked_the_bare_name_is_enough(message: str, name: str | None) -> None:
    found = find_name(message, asked=True)
    assert (found.name if found else None) == name


@pytest.mark.parametrize(
    ("message", "asks"),
    [
        ("What should I call you?", True),
        ("And what's your name?", True),
        ("Nice to meet you, Noor.", False),
        ("What is your favourite colour?", False),
    ],
)
def test_our_own_question_is_recognised(message: str, asks: bool) -> None:
    assert asks_name(message) is asks


@given(st.text(max_size=200), st.booleans())
def test_any_text_can_be_read(text: str, asked: bool) -> None:
    found = find_name(text, asked)
    assert found is None or found.name


@pytest.mark.parametrize(
    ("language", "said", "name"),
    [
        ("de", "Ich bin Jonas", "Jonas"),
        ("de", "Hallo, ich bin Mehmet Öz", "Mehmet Öz"),
        ("de", "ich bin müde", None),
        ("es", "soy María José", "María José"),
        ("es", "soy enfermera", None),
        ("es", "Soy de Madrid", None),
        ("fr", "moi, c'est Léa", "Léa"),
        ("fr", "je suis infirmière", None),
        ("it", "sono Luca", "Luca"),
        ("it", "sono stanco", None),
        ("pt", "Eu sou o João", "João"),
        ("pt", "sou enfermeira", None),
        ("ru", "я Аня", "Аня"),
        ("ru", "я устала", None),
        ("tr", "ben Mehmet", "Mehmet"),
        ("tr", "ben öğretmenim", None),
        ("zh", "我是小安", "小安"),
        ("en", "Ben Carter", "Ben Carter"),
    ],
)
def test_what_somebody_is_answers_for_their_name_only_with_a_capital(
    language: str, said: str, name: str | None
) -> None:
    with catalogue.speaking(language):
        found = find_name(testimony.own(said, ()), asked=True)
    assert (found.name if found else None) == name
    assert found is None or said[found.start : found.end].endswith(name or "")


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("bonjour, je suis Luc", "Luc"),
        ("Salut ! Je suis Camille", "Camille"),
        ("je suis Lyonnais", None),
        ("Hallo, ich bin Tom", "Tom"),
        ("hi bin die Lea, 15", "Lea"),
        ("ich bin Lehrer", None),
        ("ich bin die Mutter von Tom", None),
        ("merhaba, ben Ali. Ankara'dayım", "Ali"),
        ("ben Emre, İzmir'de okuyorum", "Emre"),
        ("ben Ankara'dan, annem Konya'dan", None),
        ("hola! soy Lu, de Rosario", "Lu"),
        ("привет! я Маша, живу в Туле", "Маша"),
        ("cmq sn la Michi", "Michi"),
        ("ciao sono la nonna di Luca", None),
        ("Jestem Ola", "Ola"),
        ("Cześć, jestem Ola!", "Ola"),
        ("dzień dobry, jestem Jan Kowalski", "Jan Kowalski"),
        ("Jestem Polką", None),
        ("Jestem Europejczykiem", None),
        ("jestem zmęczona", None),
        ("Nie jestem Ola", None),
        ("Jestem z Krakowa", None),
    ],
)
def test_behind_a_greeting_somebody_says_who_they_are(said: str, name: str | None) -> None:
    found = find_name(testimony.as_told(said))
    assert (found and found.name) == name
    assert found is None or said[found.start : found.end].endswith(found.name)


def test_a_name_is_kept_without_the_article_before_it() -> None:
    names = ("la Michi", "der Tom", "La Toya", "Lu", "chuy", "deniz")
    told = "They go by Chuy, not by the name of their father."
    assert [as_written(one, told) for one in names] == ["Michi", "Tom", "La Toya", "Lu", "Chuy", "deniz"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("hiya im Dana", "Dana"),
        ("im Dana", None),
        ("hi, im Dana", "Dana"),
        ("hello im Ken", "Ken"),
        ("im Tired", None),
        ("im Irish", None),
        ("so im at Tesco", None),
        ("im Vegan", None),
        ("im home", None),
    ],
)
def test_a_name_is_given_without_an_apostrophe(text: str, name: str | None) -> None:
    found = find_name(testimony.own(text, ()))
    assert (found.name if found else None) == name


@pytest.mark.parametrize(
    ("code", "said", "likely", "name"),
    [
        ("en", "it's Noël", 0.97, None),
        ("en", "this is London", 0.3, None),
        ("en", "hi, this is Sofia", 0.92, "Sofia"),
        ("en", "hi, this is Victoria", 0.8, "Victoria"),
        ("en", "call me Paris", 0.63, "Paris"),
        ("fr", "salut, c'est Paris", 0.34, None),
        ("fr", "salut, c'est Noël", 0.78, None),
        ("fr", "salut, ici Lyon", 0.72, None),
        ("fr", "salut, c'est Julie", 0.96, "Julie"),
        ("ru", "привет, это Москва", 0.55, None),
        ("ru", "привет, это Рождество", 0.75, None),
        ("ru", "привет, это София", 0.95, "София"),
        ("de", "hallo, hier ist Berlin", 0.07, None),
        ("de", "hallo, hier ist Sofia", 0.95, "Sofia"),
        ("es", "hola, aquí Madrid", 0.46, None),
        ("es", "hola, soy Santiago", 0.9, "Santiago"),
        ("pt", "oi, aqui é Lisboa", 0.2, None),
        ("pt", "oi, aqui é o João", 0.75, "João"),
        ("it", "ciao, qui Roma", 0.75, None),
        ("it", "ciao, qui Marco", 0.96, "Marco"),
        ("de", "hallo, ich bin Adelaide", 0.59, "Adelaide"),
        ("it", "ciao, sono Regina", 0.76, "Regina"),
        ("fr", "salut, je suis Noël", 0.6, "Noël"),
        ("ru", "привет, я Виктория", 0.78, "Виктория"),
        ("en", "hi, Adelaide here", 0.29, "Adelaide"),
        ("tr", "selam ben Murat, öğretmenim", 0.9, "Murat"),
        ("zh", "我姓王", 0.5, "王"),
        ("zh", "嗨我是阿强", 0.5, "阿强"),
        ("zh", "我姓王的朋友来了", 0.1, None),
    ],
)
def test_a_place_or_a_holiday_is_nobodys_name_behind_a_greeting(
    code: str, said: str, likely: float, name: str | None
) -> None:
    with catalogue.speaking(code):
        found = find_name(testimony.Own(said), meant={NAME: likely})
    assert (found.name if found else None) == name
