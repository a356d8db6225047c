"""A message lies nearer to examples of danger or to everyday ones, which decides together with the classifier."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest

from bench.danger import Judge, Line
from bench.danger_examples import store
from furoshiki.core.paths import ROOT
from furoshiki.language.danger_head import heads
from furoshiki.recall.embeddings import models
from furoshiki.recall.retrieval.memoryd.danger_examples import COMPARED, find_file, load_examples
from furoshiki.recall.retrieval.memoryd.service import Service
from tests.recall.retrieval.memoryd.conftest import Memoryd

CALM = {
    "en": (
        "my mums a paramedic and she works nights",
        "i hit the gym then hit the pub",
        "the cat scratched me to bits",
        "i want to disappear to a beach for a week",
        "they pinched my parcel off the doorstep",
        "the shelf is blue",
        "my daughter wants to be a firefighter",
        "tell him i'll be there at six",
    ),
    "de": ("sag ihm ich bin um sechs da", "das regal ist blau", "die katze hat mich zerkratzt"),
    "es": ("mi hermano está en el ejército", "el gato me arañó entero", "mi hija quiere ser bombera"),
    "fr": ("mon frère est à l'armée", "le chien me suit partout", "on m'a piqué mon vélo"),
    "ru": ("пёс ходит за мной по пятам", "полка синяя", "дочка хочет быть пожарным"),
    "tr": ("kız arkadaşım dansçı", "raf mavi", "kedi beni çizdi her yerimi"),
    "zh": ("他俩分手了", "架子是蓝色的", "女儿想当消防员"),
}
GRAVE = {
    "en": (
        "everyone would breathe easier without me",
        "im on the bridge and i dont know what im doing here",
        "he put his hands round my throat last night",
        "my mate texted goodbye and now her phone's off",
        "the baby is floppy and won't feed",
        "if i see him again im going to kill him, i know where he lives",
    ),
    "de": ("ohne mich wären alle besser dran", "gestern hat er mich gewürgt", "heute nacht mach ich schluss"),
    "es": ("estarían mejor sin mí", "anoche me agarró del cuello", "esta noche se acaba todo"),
    "fr": ("ils seraient mieux sans moi", "mon mari m'a enfermée et a pris mes clés", "cette nuit j'en finis"),
    "ru": ("без меня всем будет легче", "вчера он меня душил", "сегодня ночью всё закончу"),
    "tr": ("bensiz herkes daha rahat eder", "dün gece boğazımı sıktı", "bu gece bitireceğim"),
    "zh": ("没有我大家都轻松", "昨晚他掐我脖子", "今晚就结束"),
}
PERHAPS, NEAREST = 2, 10


def _rows(*rows: list[float]) -> Any:
    found = np.array(rows, np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def test_what_shares_its_words_with_danger_lies_nearer_to_it() -> None:
    bridge, beach, sand = [1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]
    grave, calm = [_rows(bridge, sand)] * NEAREST, [_rows(beach), _rows(beach, sand)] * NEAREST
    made = store([*grave, *calm], [True] * len(grave) + [False] * len(calm), NEAREST)
    examples = made.of(np.arange(len(grave) + len(calm)))
    assert examples.nearness(_rows(bridge)) == pytest.approx(1, abs=0.02)
    assert examples.nearness(_rows(beach)) == pytest.approx(-1, abs=0.02)
    assert examples.nearness(np.zeros((0, 3), np.float32)) is None, "no words"


@pytest.mark.parametrize("seed", range(5))
def test_the_nearest_examples_are_on_the_short_list(seed: int) -> None:
    """Among more than are compared, with every example compared for the yardstick."""
    chance = np.random.default_rng(seed)
    tokens = [_rows(*chance.normal(size=(6, 16)).tolist()) for _ in range(4 * COMPARED)]
    grave = [at % 2 == 0 for at in range(len(tokens))]
    made = store(tokens, grave, NEAREST)
    for line in (tokens[7], tokens[8]):
        alike = [np.max(line @ one.T, axis=1).mean() for one in tokens]
        each = [
            sorted((one for one, is_it in zip(alike, grave, strict=True) if is_it == kind)) for kind in (True, False)
        ]
        all_compared = np.mean(each[0][-NEAREST:]) - np.mean(each[1][-NEAREST:])
        assert made.of(np.arange(len(tokens))).nearness(line) == pytest.approx(all_compared, abs=0.06)


@pytest.mark.parametrize("name", [models.COLBERT, models.MULTILINGUAL])
def test_each_encoder_has_examples(name: str) -> None:
    examples = load_examples(models.identity(name))
    assert examples is not None
    rows = _rows([1.0] * (96 if name == models.COLBERT else 128))
    assert examples.nearness(rows) is not None
    assert find_file(models.identity(name)).stat().st_size < 1_500_000
    assert load_examples("another.1") is None


@pytest.mark.skipif(not models.has_multilingual(), reason="it is made by scripts/install.py --multilingual")
@pytest.mark.parametrize("language", CALM)
def test_everyday_lines_bring_no_question_and_danger_does(language: str) -> None:
    name = models.COLBERT if language == "en" else models.MULTILINGUAL
    encoder = models.load(name, ROOT) if language == "en" else models.load_multilingual()
    head = heads(json.loads((ROOT / "config" / "danger_head.json").read_text(encoding="utf-8")))[encoder.id]
    judge = Judge(head, encoder, load_examples(encoder.id))
    verdicts = {text: judge.verdict(Line("", language, text)) for text in (*CALM[language], *GRAVE[language])}
    assert [text for text in CALM[language] if verdicts[text] >= PERHAPS] == []
    assert [text for text in GRAVE[language] if verdicts[text] < PERHAPS] == []


def test_memoryd_has_nothing_to_compare_with_for_another_encoder(memoryd: Memoryd) -> None:
    assert memoryd.ask("near_danger", text="I want to die")["near"] is None


@pytest.mark.skipif(not models.has_multilingual(), reason="it is made by scripts/install.py --multilingual")
@pytest.mark.parametrize("language", ["en", "de", "zh"])
def test_memoryd_compares_by_the_encoder_of_the_language(memoryd: Memoryd, language: str) -> None:
    memoryd.service = Service(
        memoryd.data,
        memoryd.database,
        lambda: models.load(models.COLBERT, ROOT),
        lambda: memoryd.now,
        random.Random(1),
    )
    grave, calm = (
        memoryd.ask("near_danger", text=lines[language][-1], multilingual=language != "en")["near"]
        for lines in (GRAVE, CALM)
    )
    assert grave > calm
