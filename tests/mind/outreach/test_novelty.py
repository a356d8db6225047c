"""What is written first is held back where it repeats what was said, and only there, whatever the language: to the
encoder for English any two Russian sentences are much the same, and nothing was ever written first in Russian."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bench.simulator.meaning import VectorsHere, encoder
from furoshiki.messages.store import turns
from furoshiki.mind.outreach.gate_inputs import likeness
from furoshiki.mind.outreach.laws import current
from furoshiki.recall.embeddings import models
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.world import World
from tests.support.rows import companion_said

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not models.has_multilingual(), reason="it is made by scripts/install.py --multilingual"),
]

SAID = {
    "en": ("The box from Olya waits for you on Friday at six.", "Third floor without a lift, the boxes will notice."),
    "de": (
        "Am Freitag um sechs warten die Kisten bei Olga auf dich.",
        "Dritter Stock ohne Aufzug, das merkt man.",
    ),
    "es": ("El viernes a las seis te esperan las cajas de Olga.", "Un tercero sin ascensor, las cajas lo van a notar."),
    "fr": (
        "Vendredi à six heures les cartons d'Olga t'attendent.",
        "Troisième sans ascenseur, on le sentira.",
    ),
    "it": (
        "Venerdì alle sei ti aspettano le scatole di Olga.",
        "Terzo piano senza ascensore, si sentirà.",
    ),
    "pt": ("Sexta às seis as caixas da Olga esperam por ti.", "Terceiro andar sem elevador, as caixas vão notar."),
    "ru": ("В пятницу в шесть тебя ждут коробки у Оли.", "Третий этаж без лифта, каждая коробка про это напомнит."),
    "tr": ("Cuma altıda Olga'daki kutular seni bekliyor.", "Asansörsüz üçüncü kat, kutular bunu hatırlatacak."),
    "zh": ("星期五六点奥利娅那里的箱子等着你。", "三楼没有电梯，每个箱子都会提醒你。"),
}
COMES = {
    "en": "How did your mother take the news about the exam?",
    "de": "Wie hat deine Mutter die Sache mit der Prüfung aufgenommen?",
    "es": "¿Cómo se tomó tu madre lo del examen?",
    "fr": "Comment ta mère a-t-elle pris la nouvelle de l'examen ?",
    "it": "Come l'ha presa tua madre la storia dell'esame?",
    "pt": "Como é que a tua mãe reagiu à história do exame?",
    "ru": "Как твоя мама отнеслась к новости про экзамен?",
    "tr": "Annen sınav haberini nasıl karşıladı?",
    "zh": "你妈妈听到考试的消息怎么说？",
}


@pytest.fixture
def saying(world: World) -> World:
    english = encoder(models.COLBERT, models.locate_models())
    return replace(world, vectors=VectorsHere(world.database, english, world.clock.now))


def how_like(world: World, language: str, text: str) -> float:
    with world.database.write() as db:
        for one in SAID[language]:
            turns.add(db, companion_said(one, world.now - timedelta(days=1)))
    return likeness(world, text, world.now - timedelta(days=14))


@pytest.mark.parametrize("language", SAID)
def test_what_is_new_is_new_in_every_language(saying: World, language: str) -> None:
    assert how_like(saying, language, COMES[language]) < current(saying).same


@pytest.mark.parametrize("language", SAID)
def test_what_was_said_is_known_again(saying: World, language: str) -> None:
    assert how_like(saying, language, SAID[language][0]) > 0.95


def test_without_the_encoder_its_words_tell(saying: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> None:
        raise VectorsAway("not prepared")

    monkeypatch.setattr(saying.vectors, "compare", away)
    assert how_like(saying, "ru", COMES["ru"]) < 0.5
    assert how_like(saying, "ru", SAID["ru"][0]) > 0.95
