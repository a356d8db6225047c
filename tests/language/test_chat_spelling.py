"""Short forms, address and laughter of chats, in the languages that have a table of them."""

from __future__ import annotations

from datetime import datetime

import pytest

from furoshiki.language.chat_spelling import write_out
from furoshiki.language.reflex import other_languages
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.situation import Situation
from furoshiki.language.requests import small_talk
from furoshiki.recall.retrieval.other_languages import load_languages
from tests.support.laws import BERLIN

LANGUAGES = {language.code: language for language in load_languages().each}


@pytest.mark.parametrize(
    ("code", "said", "written"),
    [
        ("en", "how do u know that", "how do you know that"),
        ("en", "what time is it, love?", "what time is it?"),
        ("en", "night x", "night"),
        ("de", "vllt kannst mich um 8 wecken", "kannst du mich um 8 wecken"),
        ("es", "q hay en la lista", "que hay en la lista"),
        ("fr", "stp rappelle moi ce soir", "rappelle moi ce soir"),
        ("fr", "c quoi mon taf", "c'est quoi mon taf"),
        ("it", "dai ricordami ke devo pagare", "ricordami che devo pagare"),
        ("pt", "o q a bia faz", "o que a bia faz"),
        ("ru", "напомни пж в 9", "напомни пожалуйста в 9"),
        ("tr", "kanka annemi aramayı hatırlat", "annemi aramayı hatırlat"),
        # nothing to write out
        ("en", "lol", "lol"),
        ("en", "remind me to call my bro", "remind me to call my bro"),
        ("es", "llama a mi tía", "llama a mi tía"),
        ("pt", "você tá-la?", "você tá-la?"),
        ("tr", "kanka", "kanka"),
        ("zh", "q版", "q版"),
    ],
)
def test_short_forms_are_written_out(code: str, said: str, written: str) -> None:
    assert write_out(said, code) == written


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("de", "wo is jonas"),
        ("es", "q hay en la lista"),
        ("fr", "elle fait quoi ma meuf"),
        ("fr", "il vient quand yanis"),
        ("fr", "il habite ou yanis"),
        ("pt", "o q a bia faz"),
        ("pt", "q filmes tem na lista"),
        ("ru", "кем я работаю"),
        ("it", "che lavoro fa teo"),
        ("pt", "o beto trabalha de quê"),
        ("fr", "c'était quoi déjà le code"),
        ("zh", "我儿子做什么的"),
    ],
)
def test_a_question_without_its_marks_is_a_question(code: str, said: str) -> None:
    assert LANGUAGES[code].is_asked(said)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("it", "che lavoro faticoso"),
        ("zh", "不知道他做什么的"),
        ("fr", "elle travaille ou dort"),
        ("es", "pq me duele la cabeza"),
        ("pt", "pq eu tava cansado"),
    ],
)
def test_what_only_looks_like_a_question_is_none(code: str, said: str) -> None:
    assert not LANGUAGES[code].is_asked(said)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("es", "pq sabes eso"),
        ("pt", "pq vc sabe disso"),
        ("fr", "pk tu sais ça"),
        ("it", "xke lo sai"),
        ("de", "warum weißt du das"),
        ("ru", "почему ты это знаешь"),
        ("tr", "niye biliyosun"),
        ("zh", "你为什么知道"),
    ],
)
def test_the_source_is_asked_for_in_chat_words(code: str, said: str) -> None:
    assert LANGUAGES[code].source_question(said) is not None


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("de", "du bist doof"),
        ("es", "eres tonto jaja"),
        ("fr", "t'es nul mdr"),
        ("it", "sei uno scemo"),
        ("pt", "vc é burro"),
        ("ru", "ты тупой"),
        ("tr", "salaksın ya"),
        ("zh", "你真笨"),
    ],
)
def test_an_insult_is_taken_as_one(code: str, said: str) -> None:
    assert small_talk.by_phrases(LANGUAGES[code], said) == "teases"


@pytest.mark.parametrize(
    ("code", "said"),
    [("de", "mein chef ist doof"), ("es", "idiota"), ("fr", "il est nul"), ("ru", "он тупой"), ("zh", "他真笨")],
)
def test_an_insult_of_somebody_else_is_none_of_it(code: str, said: str) -> None:
    assert small_talk.by_phrases(LANGUAGES[code], said) != "teases"


@pytest.mark.parametrize(
    ("code", "said"),
    [("de", "hey bin lea, studier bio in freiburg"), ("fr", "slt moi c kevin jsuis apprenti boulanger a lille")],
)
def test_the_language_of_a_chat_is_found(code: str, said: str) -> None:
    found = load_languages().of(said)
    assert found is not None and found.code == code


def searches(code: str, said: str) -> bool:
    """Whether a message that is surely like joyful news is looked up as a question."""
    now = datetime(2026, 3, 3, 14, 5, tzinfo=BERLIN)
    heard = Heard(Situation(said, now, language=LANGUAGES[code], meant={"joy": 0.9}))
    return other_languages.look_up(heard, LANGUAGES[code]) is not None


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("it", "quando si sposa chiara"),
        ("de", "wie wird das wetter"),
        ("es", "quién viene a la boda"),
        ("fr", "il vient quand yanis"),
        ("pt", "onde o caio mora"),
        ("ru", "когда приедет мама"),
        ("tr", "hava nasıl yarın"),
    ],
)
def test_a_question_like_news_is_looked_up(code: str, said: str) -> None:
    assert searches(code, said)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("it", "che bella giornata"),
        ("de", "wie schön ist das denn"),
        ("es", "qué frío hace hoy"),
        ("pt", "que lindo dia"),
        ("tr", "ne güzel bir gün"),
    ],
)
def test_an_exclamation_is_not(code: str, said: str) -> None:
    assert not searches(code, said)
