"""Who only says that they need quiet is answered so: nothing is ordered, put on a list or asked about danger."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.core.catalogue import everywhere
from furoshiki.owner.agenda.store import quiet
from furoshiki.world import World
from tests.support.meaning import Meant
from tests.support.world import Human, Script

LINES = tuple(everywhere("Then take all the quiet you need. If I shouldn't write first for a while: /quiet"))

NEEDED = """
I need some quiet | i need some peace and quiet | just need quiet | I could use some quiet time
ich brauche Ruhe | Ich brauche einfach nur Ruhe. | ich brauch ein bisschen ruhe | ich will meine ruhe
necesito un poco de tranquilidad | necesito paz | me hace falta silencio | quiero un poco de calma
j'ai besoin de calme | j'ai besoin d'un peu de paix | il me faut du calme | je veux être tranquille
mi serve un po' di pace | ho bisogno di silenzio | vorrei un po' di tranquillità | ho bisogno di un po' di calma
preciso de um pouco de sossego | preciso de paz | só preciso de silêncio | eu preciso de tranquilidade
мне нужна тишина | мне нужен покой | хочу тишины | мне просто нужна тишина
biraz sessizliğe ihtiyacım var | huzura ihtiyacım var | biraz huzur istiyorum | biraz sessizlik istiyorum
我需要安静一下 | 我想静静 | 我需要静一静
"""

OTHERS = """
I need a quiet place to study | the kids need some peace | in dem hotel war ruhe | ich brauche noch butter
ich brauche ruhe, ich will nicht mehr leben | necesito paz y ya no quiero vivir | necesito pan | mi serve del pane
j'ai besoin de calmer mon chef | preciso de pão | мне нужен хлеб | bana ekmek lazım | 我需要牛奶 | 我不想活了，想静静
"""


def each(lines: str) -> list[str]:
    return [said.strip() for line in lines.strip().splitlines() for said in line.split(" | ")]


@pytest.fixture(autouse=True)
def reflex(model: Script) -> None:
    """The built-in mind answers everything."""
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 60


@pytest.mark.parametrize("said", each(NEEDED))
async def test_who_needs_quiet_is_left_to_it_and_no_quiet_begins(world: World, human: Human, said: str) -> None:
    human.worker.world = replace(world, vectors=Meant())
    [answer] = await human.says(said)
    assert any(line in answer for line in LINES), answer
    with world.database.read() as db:
        assert quiet.current(db, world.now) is None


@pytest.mark.parametrize("said", each(OTHERS))
async def test_other_needs_are_answered_as_before(human: Human, said: str) -> None:
    [answer] = await human.says(said)
    assert not any(line in answer for line in LINES), answer


AT_WEEKENDS = {
    "don't text me before 10 at weekends": "at weekends until 10:00",
    "schreib mir nich vor 10 am wochenende": "am Wochenende bis 10:00",
    "no me escribas antes de las 10 los findes": "los fines de semana hasta las 10:00",
    "m'écris pas avant 10h le weekend": "le week-end jusqu’à 10:00",
    "non scrivermi prima delle 10 nel weekend": "nei fine settimana fino alle 10:00",
    "não me escrevas antes das 10 ao fim de semana": "nos fins de semana até às 10:00",
    "не пиши мне до 10 по выходным": "по выходным до 10:00",
    "hafta sonu 10'dan önce yazma": "hafta sonları saat 10:00",
    "周末10点前别给我发消息": "每个周末10:00",
}


@pytest.mark.parametrize("said", AT_WEEKENDS)
async def test_quiet_on_some_days_returns_every_week_and_no_other_day_changes(human: Human, said: str) -> None:
    world = human.world
    assert AT_WEEKENDS[said] in "\n".join(await human.says(said))
    with world.database.read() as db:
        periods = quiet.planned(db, world.now)
        assert quiet.current(db, world.now) is None
    assert [(f"{one.begins:%a %H:%M}", f"{one.until:%H:%M}", one.weekly) for one in periods] == [
        ("Sat 00:00", "10:00", True),
        ("Sun 00:00", "10:00", True),
    ]


@pytest.mark.parametrize(
    "said", ["schreib mir sonntags nicht", "ne m'écris pas le dimanche", "no me escribas los domingos"]
)
async def test_the_days_of_a_quiet_are_named_in_its_language(human: Human, said: str) -> None:
    answer = "\n".join(await human.says(said))
    assert "Sundays" not in answer
    assert any(day in answer for day in ("sonntags", "le dimanche", "los domingos"))
