"""Without a model moods that name no feeling are answered, and what is neutral is not taken for one."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from bench.moves import Encoders
from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.core.catalogue import everywhere
from furoshiki.language.requests.news import LINES
from furoshiki.world import World
from tests.support.abroad import HELLO
from tests.support.world import FrozenClock, Human, Script

SAID = [
    line.split("\t")
    for line in Path(__file__).with_name("said_moods.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
WRONG_AT_MOST = 4
"""Neutral lines of a language that may be answered as trouble, joy or grief."""


def tells(reply: str, *kinds: str) -> bool:
    lines = [line for kind in kinds for line in LINES[kind]]
    return any(words.replace("{name}", "") in reply for line in lines for words in everywhere(line))


@pytest.mark.parametrize("code", HELLO)
async def test_moods(code: str, world: World, human: Human, model: Script, clock: FrozenClock) -> None:
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 90
    human.worker.world = replace(world, vectors=Encoders())
    await human.says(HELLO[code])
    wrong: dict[str, list[str]] = {"glad": [], "dark": [], "-": []}
    for wanted, said in (row[1:] for row in SAID if row[0] == code):
        clock.pass_(minutes=900)
        [reply] = await human.says(said)
        light = tells(reply, "joy", "success", "leisure", "good_film", "food", "visit", "ahead")
        if (wanted == "dark" and light) or (wanted == "glad" and tells(reply, "trouble", "sad", "hurt")):
            wrong[wanted].append(f"{said}: {reply}")
        if wanted == "-" and tells(reply, "trouble", "sad", "hurt", "joy"):
            wrong[wanted].append(f"{said}: {reply}")
    assert not wrong["dark"]
    assert len(wrong["glad"]) <= 1
    assert len(wrong["-"]) <= WRONG_AT_MOST
