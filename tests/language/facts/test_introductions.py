"""People introduce themselves in one breath: "sono marco ho 34 anni e abito a torino". What follows the name is no part
of it, and what is no name is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from furoshiki.core.catalogue import speaking
from furoshiki.language.facts import names
from furoshiki.language.intents import NAME
from furoshiki.language.testimony import as_told
from furoshiki.memory.perception import signals
from furoshiki.recall.embeddings import models
from furoshiki.world import World
from tests.support.meaning import Meant

SAID = """
it Marco: mi chiamo marco ho 34 anni|it Marco: mi chiamo marco vivo a torino|es Dani: me llamo dani tengo 30
es Dani: me llamo dani vivo en valencia|de Jana: ich heiße jana wohne in leipzig|de Jana: ich heiße jana bin 29
fr Julie: je m'appelle julie jai 33 ans|fr Julie: je m'appelle julie j'habite a nantes
pt Rafa: me chamo rafa tenho 20 anos
pt Marta: chamo-me marta vivo em lisboa|ru Катя: меня зовут катя мне 31|ru Катя: меня зовут катя живу в казани
ru Анна Мария: меня зовут анна мария|tr Mert: adım mert ankarada oturuyorum|zh 小雨: 我叫小雨 今年28
it Anna Maria: mi chiamo anna maria
de Ben: hallo furo, ich bin Ben, der Mann von Nora|de Ben: Hallo zusammen ich bin Ben|es Ben: hola, qué tal, soy Ben
es Ben: hola furo soy Ben|fr Léa: salut furo moi c'est Léa|it Ben: ciao furo, sono Ben|pt Ben: oi furo, sou o Ben
ru Бен: привет, фуро, я Бен|tr Emre: merhaba furo, ben Emre
ru Лёха: меня Лёха зовут если чё|ru Руслан: здарова, я Руслан, таксую по ночам
ru Нина Павловна: Добрый вечер. Я Нина Павловна, мне 74 года
tr Hatice: Merhaba evladım, ben Hatice teyzen, 71 yaşındayım
zh Kevin: hi 我是Kevin，上海做产品经理|zh 阿强: 嗨我是阿强|zh 李静: 大家好，我是李静，在上海上班
en Emeka: My name na Emeka, I dey Lagos|en Priya: Hi, myself Priya, from Pune|en Deb: hiya its Deb here, 52, from Hull
en Tyler: names tyler im 15
"""
NAMELESS = """
ru меня Лёха зовут в кино|ru меня Лёха бесит|zh 嗨我是学生|zh 你好我是新来的|zh 嗨我是中国人|zh 你好我是老板|zh 我是CEO
en I did it myself Priya helped|en Myself and Priya went out|en name names
en hi its Monday here|en hiya its cold here, 5 degrees
"""
BEGUN = """
it sono marco: sono marco ho 34 anni e abito a torino|it sono stanco: sono stanco ho fame|es soy dani: soy dani tengo 30
pt sou a marta: sou a marta, tenho 41 anos|tr ben elif: ben elif 26 yasindayim|zh 我是小雨: 我是小雨在成都上班
de ich bin jana: ich bin jana, 29, und wohne in leipzig|fr moi c'est julie: moi c'est julie jai 33 ans
ru я катя: я катя мне 31|en i'm tom: i'm tom, i'm 34
"""
TOLD_OTHERWISE = """
it sono stanco|de ich bin schon da|de ich bin seit gestern krank|es soy de 1990|fr je suis à 10 minutes
tr ben de geliyorum
ru я уже дома|pt sou do porto|zh 我是学生|en i'm at home
"""


def rows(table: str) -> list[tuple[str, ...]]:
    each = table.strip().replace("\n", "|").split("|")
    return [(row[:2], *row[3:].split(": ")) for row in each if row]


@pytest.mark.parametrize(("code", "name", "text"), rows(SAID))
def test_what_follows_the_name_is_no_part_of_it(code: str, name: str, text: str) -> None:
    with speaking(code):
        found = names.find_name(as_told(text))
        assert found is not None
        assert found.name == name


@pytest.mark.parametrize(("code", "text"), rows(NAMELESS))
def test_what_only_looks_like_it_gives_no_name(code: str, text: str) -> None:
    with speaking(code):
        assert names.find_name(as_told(text)) is None


def test_a_laugh_behind_the_name_that_was_asked_for_is_no_part_of_it() -> None:
    found = names.find_name(as_told("its Jayden lol"), asked=True)
    assert found is not None and found.name == "Jayden"
    assert names.find_name(as_told("its late lol"), asked=True) is None


@pytest.mark.parametrize(("code", "words", "text"), rows(BEGUN))
def test_whether_an_introduction_gives_a_name_is_told_by_its_first_words(code: str, words: str, text: str) -> None:
    with speaking(code):
        begun = names.introduction(text)
        assert begun is not None
        assert begun.group() == words
        found = names.find_name(as_told(text), meant={NAME: 0.9})
        assert found is not None
        assert words.casefold().endswith(found.name.casefold())
        assert names.find_name(as_told(text), meant={NAME: 0.1}) is None
        assert names.find_name(as_told(text)) is None


@pytest.mark.parametrize(("code", "text"), rows(TOLD_OTHERWISE))
def test_what_tells_no_more_is_no_introduction(code: str, text: str) -> None:
    with speaking(code):
        assert names.introduction(text) is None


class Beginnings(Meant):
    """Also has vectors of what is not on record: they mean nothing."""

    def said(self, texts: Sequence[str], *_: Any, multilingual: bool = False, **__: Any) -> Any:
        each = [
            super(Beginnings, self).said([one], multilingual=True)[1][0] if one in self._known else [0.0] * 384
            for one in texts
        ]
        return models.identity(models.MULTILINGUAL), each


@pytest.mark.parametrize(
    ("code", "text", "likely"),
    [
        ("de", "ich bin frieda, 29, wohne in leipzig", True),
        ("de", "ich bin heiser und habe fieber", False),
        ("es", "soy rosalía tengo 30 años", True),
        ("es", "soy electricista tengo 30 años", False),
        ("it", "sono vittoria e vivo a bari", True),
        ("it", "sono in pausa ho fame", False),
    ],
)
def test_the_vector_of_the_first_words_tells_a_name(world: World, code: str, text: str, likely: bool) -> None:
    with speaking(code):
        told = signals.read(replace(world, vectors=Beginnings()), [as_told(text)])
        assert (told.meant.get(NAME, 0.0) >= 0.5) is likely
        assert (names.find_name(as_told(text), meant=told.meant) is not None) is likely


CALLED = """
en Peg: My name is Margaret Hill, but please call me Peg.
en Peg: please call me Peg
de Gisela: Guten Tag, mein Name ist Gisela Brandt, Lehrerin (im Ruhestand), aber bitte nennen Sie mich Gisela.
de Gisi: ich heiße Gisela Brandt, nenn mich Gisi
de Gisela: bitte nennen Sie mich Gisela
de Gisela: Sie können Gisela zu mir sagen
de Gisi: mein Name ist Gisela Brandt, alle nennen mich Gisi
es Menchu: me llamo María del Carmen López, pero llámame Menchu
es Menchu: llámame Menchu
es Paco: me llamo Francisco pero todos me llaman Paco
es Paco: puedes llamarme Paco
fr JB: je m'appelle Jean-Baptiste Roux, mais appelle-moi JB
fr Titou: appelez-moi Titou
fr Titou: je m'appelle Christophe mais tout le monde m'appelle Titou
fr Titou: tu peux m'appeler Titou
it Beppe: mi chiamo Giuseppe Verdi, ma chiamami Beppe
it Beppe: chiamami Beppe
it Beppe: mi chiamo Giuseppe ma tutti mi chiamano Beppe
it Beppe: puoi chiamarmi Beppe
pt Zeca: meu nome é José Carlos, mas pode me chamar de Zeca
pt Zeca: me chama de Zeca
pt Zeca: eu me chamo José mas todo mundo me chama de Zeca
pt Zeca: pode me chamar de Zeca
tr Memo: adım Mehmet Ali, ama bana Memo de
tr Memo: bana Memo de
tr Memo: adım Mehmet ama herkes bana Memo der
tr Memo: bana Memo diyebilirsin
ru Саша: меня зовут Александра Петрова, но зови меня Саша
ru Саша: зови меня Саша
ru Саша: меня зовут Александра, но все зовут меня Саша
ru Саша: можешь звать меня Саша
ru Саша: можно просто Саша
zh 小明: 我叫王小明，叫我小明就好
zh 小明: 叫我小明
zh 小明: 大家都叫我小明
"""
NOT_CALLED = """
de bitte nennen Sie mich nicht Gisela
de nenn mich nie wieder Gisi
de er soll Gisela zu mir sagen dürfen? niemals
de meine Enkel sagen Oma zu mir, das reicht
de können Sie mich um 8 wecken
es no me llames Paco
es nunca me llames Francisco
es mi jefe me llama Paco
es llámame mañana
es puedes llamarme a las ocho
fr ne m'appelle pas Titou
fr appelle-moi demain
fr tu peux m'appeler Lundi
fr ma mère m'appelle tous les jours
it non chiamarmi Beppe
it chiamami domani
it puoi chiamarmi alle otto
pt não me chama de Zeca
pt me chama amanhã
pt pode me chamar às oito
tr bana Memo deme
tr bana Ali de geldi
tr Ayşe bana dedi
tr bana da söyle
ru не зови меня Саша
ru зови меня завтра
ru можно просто чай
zh 别叫我小明
zh 叫我起床
zh 不要叫我小明
en don't call me Peg
en call me tomorrow
en never call me Margaret
"""


@pytest.mark.parametrize("row", CALLED.strip().splitlines())
def test_how_somebody_wants_to_be_called_goes_before_what_they_are_called(row: str) -> None:
    (language, name), said = row.partition(": ")[0].split(" ", 1), row.partition(": ")[2]
    with speaking(language):
        found = names.find_name(as_told(said))
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize("row", NOT_CALLED.strip().splitlines())
def test_a_name_that_is_refused_and_a_time_to_ring_are_none(row: str) -> None:
    language, said = row.split(" ", 1)
    with speaking(language):
        assert names.find_name(as_told(said)) is None
