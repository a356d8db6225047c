"""Natural questions about one tendency come together, because a mind reads them; opposite ones stay apart."""

from __future__ import annotations

import dataclasses
import itertools
import json
import re
from random import Random
from typing import Any

import pytest

from bench.behaviour import tendencies
from furoshiki.core.errors import AnswerUnusable, NoMindAnswered
from furoshiki.mind.inner_life.store import patterns
from furoshiki.models.llm.values import Question
from furoshiki.world import World
from tests.support.promising import Mind, Self
from tests.support.world import FrozenClock

ASKED, NEAR = tendencies()
OF = {text: name for name, texts in ASKED.items() for text in texts}
LINE = re.compile(r"^\[(\d+)\] (.+)$", re.MULTILINE)


def as_a_reader_would(question: Question, wrong: float = 0.0, rng: Random | None = None) -> dict[str, Any]:
    """Sorts by the tendency that stands in the set; so often, it takes a near one or none instead."""
    text = question.messages[0].text
    fresh = text[text.index("<questions>") :]
    told, earlier = [], [(int(id_), OF.get(words)) for id_, words in LINE.findall(text[: text.index("<questions>")])]
    for id_, words in LINE.findall(fresh):
        name = OF.get(words)
        if rng is not None and name is not None and rng.random() < wrong:
            name = rng.choice([*NEAR[name], "none of them"])
        like = next((other for other, its in earlier if its == name), None)
        told.append({"id": int(id_), "conduct": name is not None, "like": like})
        earlier.append((int(id_), name))
    return {"questions": told}


@pytest.fixture
def own(world: World, clock: FrozenClock) -> Self:
    mind = Mind({"conduct": as_a_reader_would, "commitment": {"verdict": "none"}})
    return Self(dataclasses.replace(world, ask=mind), clock, mind)


def home(own: Self, text: str) -> int | None:
    with own.world.database.read() as db:
        row = db.execute("SELECT id FROM self_questions WHERE question=?", (text,)).fetchone()
        return patterns.home(db, row["id"])


async def _together(own: Self) -> tuple[int, int]:
    """Of fifteen pairs of one tendency and fifteen of near ones: how many came into one pattern."""
    names = list(ASKED)[:15]
    for place in range(2):
        own.wonders(*(ASKED[name][place] for name in names), days=0.01)
        await own.learns()
        own.clock.pass_(days=7)
    same = sum(home(own, ASKED[name][0]) == home(own, ASKED[name][1]) for name in names)
    pairs = [(a, b) for a in names for b in NEAR[a] if b in names]
    other = sum(home(own, ASKED[a][0]) == home(own, ASKED[b][1]) for a, b in pairs[:15])
    return same, other


async def test_fifteen_natural_pairs_come_together_and_fifteen_near_ones_do_not(own: Self) -> None:
    assert await _together(own) == (15, 0)


async def test_a_reader_that_errs_one_time_in_ten_still_finds_most(own: Self) -> None:
    rng = Random(3)
    own.mind.says["conduct"] = lambda question: as_a_reader_would(question, 0.1, rng)
    same, _ = await _together(own)
    assert same >= 12


async def test_three_evenings_in_other_words_become_a_promise(own: Self) -> None:
    own.mind.says["commitment"] = {
        "verdict": "commitment",
        "text": "Listen until they have finished",
        "sign": "Honoured when nothing is proposed before they were heard out, broken when a plan comes first.",
    }
    for text in ASKED["advice too early"][:3]:
        own.wonders(text)
        await own.learns()
    assert [one.text for one in own.active] == ["Listen until they have finished"]
    [pattern] = own.patterns
    assert pattern.questions == tuple(ASKED["advice too early"][:3])


async def test_languages_do_not_part_what_is_one(own: Self) -> None:
    own.wonders(*ASKED["advice too early"])
    await own.learns()
    [pattern] = own.patterns
    assert len(pattern.questions) == 6


async def test_each_question_is_asked_about_once_and_may_be_about_no_conduct(own: Self) -> None:
    first, second = "Did I ask too many questions?", "Did I ask too many questions of Ana's?"
    own.wonders(first, second, days=0.1)
    own.mind.says["conduct"] = {
        "questions": [{"id": 1, "conduct": True, "like": None}, {"id": 2, "conduct": False, "like": 1}]
    }
    await own.learns()
    await own.learns()
    assert [one.questions for one in own.patterns] == [(first,)]
    assert len(own.mind.of("conduct")) == 1


@pytest.mark.parametrize("said", [AnswerUnusable("no"), NoMindAnswered("nobody")])
async def test_without_a_mind_what_is_new_waits(own: Self, said: Exception) -> None:
    own.mind.says["conduct"] = said
    own.wonders(*ASKED["advice too early"][:3])
    await own.learns()
    assert own.patterns == []
    own.mind.says["conduct"] = as_a_reader_would
    own.clock.pass_(days=1)
    await own.learns()
    assert [len(one.questions) for one in own.patterns] == [3]


async def test_what_is_known_is_shown_a_few_of_each(own: Self) -> None:
    own.wonders(*ASKED["too long"][:5], days=0.1)
    await own.learns()
    own.wonders(ASKED["too short"][0])
    await own.learns()
    shown = own.mind.of("conduct")[-1].messages[0].text
    assert len(LINE.findall(shown)) == 3 + 1
    assert all(text not in shown for text in ASKED["too long"][:2])


def test_the_set_is_sound() -> None:
    texts = list(itertools.chain.from_iterable(ASKED.values()))
    assert len(texts) == len(set(texts)) and all(one in ASKED for its in NEAR.values() for one in its)
    assert json.dumps(texts)
