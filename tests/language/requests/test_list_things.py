"""Goods that stand side by side are several items; two words for one thing stay one, in nine languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from furoshiki.language.reflex.reminders import listing
from furoshiki.language.requests import list_things

APART = [
    ("milk eggs and bread", ["milk", "eggs", "bread"]),
    ("some milk eggs bread", ["milk", "eggs", "bread"]),
    ("apples bananas and olive oil", ["apples", "bananas", "olive oil"]),
    ("nappies batteries", ["nappies", "batteries"]),
    ("Milch Eier und Brot", ["Milch", "Eier", "Brot"]),
    ("leche huevos y pan", ["leche", "huevos", "pan"]),
    ("leche platanos y pan integral", ["leche", "platanos", "pan integral"]),
    ("lait œufs et pain", ["lait", "œufs", "pain"]),
    ("latte uova e pane", ["latte", "uova", "pane"]),
    ("leite ovos e pão", ["leite", "ovos", "pão"]),
    ("молоко яйца и хлеб", ["молоко", "яйца", "хлеб"]),
    ("süt yumurta ve ekmek", ["süt", "yumurta", "ekmek"]),
    ("牛奶鸡蛋和面包", ["牛奶", "鸡蛋", "面包"]),
    ("牛奶 鸡蛋 面包", ["牛奶", "鸡蛋", "面包"]),
]
ONE = """
tuna steaks; olive oil; toilet paper; orange juice; peanut butter; apple juice; butter beans; cherry tomatoes
sweet potatoes
milk chocolate; bread flour; egg noodles; cream cheese; cheese crackers; spring onions; goat cheese; sea salt
potato chips; brussels sprouts; rice milk; washing powder; dish soap; butter chicken; garlic bread; coffee filters
salt crackers; wine glasses; ginger beer; pasta sauce; tomato sauce; baby wipes; shampoo bottle; brown sugar; ice cream
Coca Cola; frische Milch; gesalzene Butter; Nivea Creme; Tempo Taschentücher
pan integral; leche entera; papel higiénico; aceite de oliva; queso rallado; pan de molde; agua con gas; jamón serrano
pain complet; lait demi-écrémé; huile d'olive; papier toilette; pommes de terre; jus d'orange; riz basmati; eau gazeuse
pane integrale; olio d'oliva; carta igienica; succo d'arancia; riso basmati; acqua frizzante; prosciutto crudo
pão integral; leite magro; papel higiénico; azeite extra; água com gás; feijão preto; arroz integral; suco de laranja
туалетная бумага; оливковое масло; чёрный хлеб; сгущённое молоко; апельсиновый сок; минеральная вода; куриное яйцо
tuvalet kağıdı; zeytin yağı; portakal suyu; domates salçası; kepekli ekmek; kahve filtresi; limon tuzu; badem sütü
苹果醋; 黄油饼干; 草莓酸奶; 葡萄酒; 橙汁; 卫生纸; 全麦面包; 咖啡豆
"""


@pytest.mark.parametrize(("said", "items"), APART)
def test_goods_side_by_side_are_several_items(said: str, items: list[str]) -> None:
    assert list(list_things.split(said)) == items
    if " and " in said:
        assert list(listing.split(said)) == items


@pytest.mark.parametrize("said", [one.strip() for line in ONE.strip().splitlines() for one in line.split(";")])
def test_two_words_for_one_thing_stay_one(said: str) -> None:
    assert list(list_things.split(said)) == [said]


@pytest.mark.parametrize("said", ["", " ", "...", "!", "👍", "?"])
def test_a_message_without_words_names_no_thing(said: str) -> None:
    """A picture without a caption, then "add it to my list"."""
    assert list_things.find_thing(said) == ()


def test_what_is_needed_is_goods_and_nobody_who_is_missed() -> None:
    """“Il me manque tellement” of a dead husband was offered for the shopping list, no butter."""
    rows = Path(__file__).with_name("needs.tsv").read_text(encoding="utf-8").splitlines()[1:]
    wrong = []
    for row in rows:
        kind, said = row.split("\t")
        if bool(list_things.find_needed(said)) != (kind == "needed"):
            wrong.append(row)
    assert wrong == []
    assert list_things.find_needed("Devo comprare olio, uova e pane.") == ("olio", "uova", "pane")
    assert list_things.find_needed("要买油、鸡蛋和面包。") == ("油", "鸡蛋", "面包")
