"""Things named for a list, as people type them: one after another without commas, and one more a moment later."""

from __future__ import annotations

import random

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.language.reflex.reminders import requests
from furoshiki.language.requests.list_things import find_more, is_accusative, split
from furoshiki.language.requests.values import ShowList
from furoshiki.recall.retrieval.other_languages import load_languages
from furoshiki.world import World
from tests.support.world import FrozenClock, Human, Script

LANGUAGES = {one.code: one for one in load_languages().each}

MORE = """
it metti anche il pane: pane|it anche carta igienica: carta igienica|pt e iogurtes: iogurtes|pt coloca ração tbm: ração
de und noch brot: brot|de ach und klopapier bitte: klopapier|fr et du pain: pain|fr ajoute aussi du beurre: beurre
es y pan tambien: pan|ru и еще яйца: яйца|tr deterjan da ekle: deterjan|zh 还有洗衣液: 洗衣液|en and bread too: bread
"""
NO_MORE = """
it e tu|it e adesso basta|it e poi sono stanco|pt e você|de und du|de und müde bin ich|fr et toi|es y tu|es y ya esta
ru а ты|ru и я устала|tr ben de|en and you|en and i'm tired|en and that's it|zh 我累了
"""


def rows(table: str) -> list[tuple[str, ...]]:
    return [(row[:2], *row[3:].split(": ")) for row in table.strip().replace("\n", "|").split("|")]


@pytest.mark.parametrize(("code", "text", "item"), rows(MORE))
def test_one_more_thing_is_understood_after_the_list(code: str, text: str, item: str) -> None:
    assert find_more(text, LANGUAGES.get(code)) == (item,)


@pytest.mark.parametrize(("code", "text"), rows(NO_MORE))
def test_what_begins_with_and_may_be_no_thing(code: str, text: str) -> None:
    assert find_more(text, LANGUAGES.get(code)) == ()


@pytest.mark.parametrize(
    ("said", "items"),
    [
        ("milch eier und windeln", ("milch", "eier", "windeln")),
        ("latte uova e pannolini", ("latte", "uova", "pannolini")),
        ("arroz feijao e sabao em po", ("arroz", "feijao", "sabao em po")),
        ("lait des oeufs et des couches", ("lait", "oeufs", "couches")),
        ("молоко хлеб и порошок", ("молоко", "хлеб", "порошок")),
        ("sut yumurta ekmek", ("sut", "yumurta", "ekmek")),
        ("牛奶 鸡蛋 卫生纸", ("牛奶", "鸡蛋", "卫生纸")),
        ("rote linsen und reis", ("rote linsen", "reis")),
        ("papier toilette", ("papier toilette",)),
        ("milk chocolate and eggs", ("milk chocolate", "eggs")),
        ("agua con gas", ("agua con gas",)),
    ],
)
def test_goods_side_by_side_are_one_item_each(said: str, items: tuple[str, ...]) -> None:
    assert split(said) == items


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        *((text, ShowList("it", surely=False)) for text in ("cosa manca", "was fehlt noch", "que falta", "ne kaldi")),
        *((text, ShowList("it", surely=False)) for text in ("what's missing", "还差什么", "что осталось")),
        *((text, ShowList("shopping")) for text in ("o que falta comprar", "il reste quoi a acheter", "还差什么没买")),
        *((text, ShowList("shopping")) for text in ("what do we still need to buy", "что надо купить")),
        *((text, None) for text in ("was fehlt dir", "qué falta hace", "ne eksik bende", "cosa resta di noi")),
    ],
)
def test_what_is_left_asks_for_the_list(text: str, shown: ShowList | None) -> None:
    assert requests.parse_list_request(text) == shown


def test_a_turkish_case_ending_is_no_other_thing() -> None:
    assert is_accusative("sütü", "süt")
    assert is_accusative("yumurtayı", "yumurta")
    assert not is_accusative("ekmekler", "ekmek")


async def test_a_list_is_made_read_and_ticked_off_in_passing(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 20
    await human.says("aggiungi latte uova e pannolini alla lista della spesa")
    await human.says("e anche il pane")
    [told] = await human.says("cosa manca")
    assert all(f"- {item}" in told for item in ("latte", "uova", "pannolini", "pane"))
    [told] = await human.says("ho comprato il latte")
    assert "latte" in told.partition(".")[0] and "uova" in told.partition(".")[2]
    clock.pass_(hours=3)
    await human.says("oggi è stata una bella giornata")
    [told] = await human.says("e anche il cane")
    assert "spesa" not in told
