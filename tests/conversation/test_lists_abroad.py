"""A list in nine languages: what was just put on it is added to, taken from and asked about with few words."""

from __future__ import annotations

import pytest

from furoshiki.owner.agenda.store import tasks
from furoshiki.world import World
from tests.support.reflexes import reflexive
from tests.support.world import Human, Script

# begun, added to, what is then on it, a thing taken off, what is then on it, how its things are asked for
TALKS = [
    (
        "put milk and bread on the shopping list", "add an apple there too", "milk, bread, apple",
        "and take the bread off", "milk, apple", "what was on the list?", "what's on it now",
    ),
    (
        "setz milch und brot auf die einkaufsliste", "tu da noch einen apfel drauf", "milch, brot, apfel",
        "und nimm das brot runter", "milch, apfel", "was war auf der liste?", "was steht da jetzt drauf",
    ),
    (
        "pon leche y pan en la lista de la compra", "pon ahi tambien una manzana", "leche, pan, manzana",
        "y quita el pan", "leche, manzana", "que habia en la lista?", "que hay en ella",
    ),
    (
        "добавь молоко и хлеб в список покупок", "добавь туда еще яблоко", "молоко, хлеб, яблоко",
        "и убери хлеб", "молоко, яблоко", "что было в списке?", "что там теперь",
    ),
    (
        "süt ve ekmek alışveriş listesine ekle", "oraya bir elma da ekle", "süt, ekmek, elma",
        "ekmeği de çıkar", "süt, elma", "listede ne vardı?", "onda ne var",
    ),
    (
        "mets du lait et du pain sur la liste de courses", "ajoute y aussi une pomme", "lait, pain, pomme",
        "et enleve le pain", "lait, pomme", "y avait quoi sur la liste?", "y a quoi dessus",
    ),
    (
        "poe leite e pao na lista de compras", "coloca la tambem uma banana", "leite, pao, banana",
        "e tira o pao", "leite, banana", "o que tinha na lista?", "o que tem nela agora",
    ),
    (
        "metti latte e pane nella lista della spesa", "mettici anche una mela", "latte, pane, mela",
        "e togli il pane", "latte, mela", "cosa c'era sulla lista?", "cosa c'e adesso",
    ),
    (
        "把牛奶和面包加到购物清单", "再往里加个苹果", "牛奶, 面包, 苹果",
        "然后把面包去掉", "牛奶, 苹果", "清单上有过什么？", "现在上面有什么",
    ),
]  # fmt: skip


def listed(world: World) -> list[str]:
    with world.database.read() as db:
        return [one.title for one in tasks.in_list(db, "shopping")]


@pytest.mark.parametrize(("begun", "added", "then", "taken", "left", "asked", "on_it"), TALKS)
async def test_a_list_is_added_to_taken_from_and_asked_about(
    begun: str, added: str, then: str, taken: str, left: str, asked: str, on_it: str,
    world: World, human: Human, model: Script,
) -> None:  # fmt: skip
    reflexive(model)
    await human.says(begun)
    answer = " ".join(await human.says(added))
    assert listed(world) == then.split(", ")
    assert then.split(", ")[-1] in answer.casefold()
    await human.says(taken)
    assert listed(world) == left.split(", ")
    for question in (asked, on_it):
        shown = " ".join(await human.says(question))
        assert all(thing in shown for thing in left.split(", "))


@pytest.mark.parametrize(
    "said",
    [
        "put the past behind you",
        "und dann nahm er mir das brot weg",
        "y quita ese tono cuando me hablas",
        "и убери своё мнение, мне оно не нужно сейчас",
        "et enlève tes chaussures quand tu entres",
        "e tira uma foto quando você chegar lá",
        "e togli pure il disturbo quando vuoi",
        "ve o günden beri onu hiç görmedim",
    ],
)
async def test_what_only_sounds_like_it_changes_no_list(said: str, world: World, human: Human, model: Script) -> None:
    reflexive(model)
    await human.says("put milk and bread on the shopping list")
    await human.says("how are you?")
    await human.says(said)
    assert listed(world) == ["milk", "bread"]
