"""Pets named with an article, moves, and names with words around them, in the languages of the built-in mind."""

from __future__ import annotations

import pytest

from furoshiki.core.catalogue import speaking
from furoshiki.language.facts import abroad, names
from furoshiki.language.facts.extraction import facts_in
from furoshiki.recall.retrieval.other_languages import load_languages

TOLD = [
    ("en", "the cat's called Biscuit", ("cat", "Biscuit")),
    ("en", "the cats called Biscuit", ("cat", "Biscuit")),
    ("en", "our dogs name is rex", ("dog", "Rex")),
    ("en", "my brother's called leo", ("brother", "Leo")),
    ("de", "der kater heißt Biscuit", ("cat", "Biscuit")),
    ("es", "el gato se llama Biscuit", ("cat", "Biscuit")),
    ("fr", "le chat s'appelle Biscuit", ("cat", "Biscuit")),
    ("it", "il gatto si chiama Biscuit", ("cat", "Biscuit")),
    ("pt", "o gato se chama Biscuit", ("cat", "Biscuit")),
    ("tr", "kedinin adı Biscuit", ("cat", "Biscuit")),
    ("zh", "猫的名字叫饼干", ("cat", "饼干")),
    ("de", "ich bin nach Köln gezogen", ("lives_in", "Köln")),
    ("es", "me he mudado a Granada", ("lives_in", "Granada")),
    ("fr", "j'ai déménagé à Lyon", ("lives_in", "Lyon")),
    ("it", "mi sono trasferita a Torino", ("lives_in", "Torino")),
    ("pt", "me mudei pra Recife", ("lives_in", "Recife")),
    ("ru", "переехала в Казань", ("lives_in", "Казань")),
    ("tr", "Ankara'ya taşındım", ("lives_in", "Ankara")),
    ("zh", "我搬到上海了", ("lives_in", "上海")),
]
NOT_TOLD = [
    ("en", "the cats called all night"),
    ("en", "my mum called ruth yesterday"),
    ("en", "the dog was named yesterday"),
    ("de", "die frau heißt anna"),
    ("de", "ich bin nach draußen gezogen"),
    ("es", "me mudé a otro piso"),
    ("zh", "猫叫了一晚上"),
]
HERE = [
    ("en", "Ken here."),
    ("en", "Ken speaking"),
    ("de", "hier ist Ken"),
    ("es", "aquí Ken"),
    ("fr", "ici Ken"),
    ("it", "qui Ken"),
    ("pt", "aqui é o Ken"),
    ("tr", "Ken burada"),
]


def read(code: str, said: str) -> list[tuple[str, str]]:
    language = next((one for one in load_languages().each if one.code == code), None)
    facts = facts_in(said) if language is None else abroad.facts_in(said, language)
    return [(fact.predicate, fact.object) for fact in facts]


@pytest.mark.parametrize(("code", "said", "fact"), TOLD)
def test_it_is_told(code: str, said: str, fact: tuple[str, str]) -> None:
    assert read(code, said) == [fact]


@pytest.mark.parametrize(("code", "said"), NOT_TOLD)
def test_nothing_is_told(code: str, said: str) -> None:
    assert read(code, said) == []


@pytest.mark.parametrize(("code", "said"), HERE)
def test_a_name_that_was_asked_for_may_have_words_around_it(code: str, said: str) -> None:
    with speaking(code):
        found = names.find_name(said, asked=True)
        assert found is not None
        assert found.name == "Ken"
        assert names.find_name("es ist schön hier" if code == "de" else "its nice here", asked=True) is None


def test_who_is_here_is_no_name() -> None:
    for code, said in (("es", "aquí estoy"), ("en", "nobody here")):
        with speaking(code):
            assert names.find_name(said, asked=True) is None, said
