"""A message that asks for a language: "can you say that in English?"."""

import pytest

from furoshiki.language.requests.in_language import find_language
from furoshiki.language.word_tables import by_language

ASKED = (
    ("en", "can you say that in english?", "English"),
    ("en", "could you write to me in turkish?", "Turkish"),
    ("de", "kannst du das auf Englisch sagen?", "English"),
    ("es", "¿puedes decirlo en inglés?", "English"),
    ("fr", "Parle français s'il te plaît", "French"),
    ("it", "puoi dirlo in spagnolo?", "Spanish"),
    ("pt", "fala em inglês por favor", "English"),
    ("ru", "скажи это по-английски", "English"),
    ("ru", "можешь ответить на русском?", "Russian"),
    ("tr", "bunu İngilizce söyler misin", "English"),
    ("tr", "Türkçeye geçelim", "Turkish"),
    ("zh", "你能用英语说吗", "English"),
    ("de", "können wir englisch reden?", "English"),
    ("es", "¿podemos hablar en inglés?", "English"),
    ("fr", "on peut parler anglais ?", "English"),
    ("it", "possiamo parlare in inglese?", "English"),
    ("pt", "podemos falar em inglês?", "English"),
    ("ru", "мы можем говорить по-английски?", "English"),
    ("tr", "ingilizce konuşabilir miyiz?", "English"),
)
TOLD = (
    ("en", "I speak english and german"),
    ("en", "do you speak english?"),
    ("en", "my exam is in english"),
    ("de", "Ich habe das Buch auf Englisch gelesen"),
    ("es", "mi jefe habla en inglés"),
    ("fr", "mon fils parle français"),
    ("it", "il film era in inglese"),
    ("pt", "minha prova é em inglês"),
    ("ru", "на работе говорим по-английски"),
    ("tr", "İngilizce kursuna yazıldım"),
    ("zh", "我在学英语"),
    ("de", "mein bruder kann englisch reden"),
    ("es", "mi hermano puede hablar inglés"),
    ("fr", "elle peut parler anglais"),
)


@pytest.mark.parametrize(("written", "text", "language"), ASKED)
def test_a_language_asked_for_is_found(written: str, text: str, language: str) -> None:
    assert find_language(text, written) == language


@pytest.mark.parametrize(("written", "text"), TOLD)
def test_what_is_told_of_a_language_asks_for_none(written: str, text: str) -> None:
    assert find_language(text, written) is None


def test_each_language_has_a_name_in_each() -> None:
    tables = by_language("in_language")
    assert all(table["names"].keys() == tables["en"]["names"].keys() for table in tables.values())
