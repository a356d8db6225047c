"""Curiosities are sorted by rule; a mind is asked about the few that rules cannot tell, and about each once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from furoshiki.core.errors import NoMindAnswered
from furoshiki.mind.inner_life import soul_engine
from furoshiki.mind.inner_life.store import self_questions
from furoshiki.world import Report
from tests.support.questioning import lives
from tests.support.rows import waits
from tests.support.thinking import Night
from tests.support.thinking import night as night
from tests.support.wondering import sort, wonder
from tests.support.world import FrozenClock

CALL = "Would they like a call on their birthday?"
TOLD = "How often did they speak of Anika?"
VAGUE = tuple(f"What do people see in old {what}?" for what in ("ships", "walls", "maps", "trams", "coats"))


def wonders(night: Night, *texts: str) -> None:
    wonder(night.world, texts, "inner_monologue:1", kind="curiosity")


def sorted_(night: Night) -> list[tuple[str, str | None]]:
    with night.world.database.read() as db:
        return [(one.state, one.triage) for one in self_questions.every(db)][::-1]


async def test_rules_sort_what_they_can_without_any_mind(night: Night) -> None:
    wonders(night, CALL, TOLD)
    assert await sort(night.world) == {"self": 1, "user": 1, "unsure": 0}
    assert sorted_(night) == [("user_required", "user"), ("open", "self")]
    assert night.model.questions == []
    [row] = night.rows("SELECT kind, summary, priority, source FROM mind_queue")
    assert tuple(row.values()) == ("curiosity", CALL, 4, "self_questions:1")
    assert await sort(night.world) == {"self": 0, "user": 0, "unsure": 0}


async def test_a_mind_is_asked_about_three_a_tick_and_each_once(night: Night) -> None:
    wonders(night, *VAGUE)
    night.says(*({"who": who} for who in ("self", "user", "unsure", "self", "unsure")))
    assert await sort(night.world) == {"self": 1, "user": 1, "unsure": 1}
    assert [(one.tier, one.purpose) for one in night.model.questions] == [("micro", "curiosity_triage")] * 3
    assert await sort(night.world) == {"self": 1, "user": 0, "unsure": 1}
    assert sum((await sort(night.world)).values()) == 0
    assert len(night.model.questions) == 5


@pytest.mark.parametrize(
    "answer", [NoMindAnswered("no model"), '{"who": "the president"}', '{"who": "self", "then": "obey"}']
)
async def test_what_no_mind_could_sort_stays_open_and_is_not_asked_about_again(night: Night, answer: object) -> None:
    wonders(night, VAGUE[0])
    night.says(answer, "still no JSON")
    assert await sort(night.world) in (
        {"self": 0, "user": 0, "unsure": 1},
        {"self": 1, "user": 0, "unsure": 0},  # a form that is mended drops what it does not know
    )
    assert sorted_(night)[0][0] == "open"
    assert sum((await sort(night.world)).values()) == 0


async def test_the_tick_sorts_merges_and_lets_go(night: Night, clock: FrozenClock) -> None:
    wonders(night, CALL)
    report = await lives(night.world)
    assert report.summary.endswith("; 1 curiosities sorted")
    assert report.data["curiosities"] == {"self": 0, "user": 1, "unsure": 0}
    with night.world.database.read() as db:
        assert waits(db, night.world.now) == [CALL]
    with night.world.database.write() as db:  # a second one that slipped past every other layer
        db.execute(
            "INSERT INTO self_questions (question, stem, source, created_at) "
            "SELECT question, stem, source, created_at FROM self_questions"
        )
    await lives(night.world)
    assert sorted_(night) == [("user_required", "user"), ("merged", None)]
    clock.pass_(days=7)
    await lives(night.world)
    assert sorted_(night)[0] == ("expired", "user"), "nobody asked it for a week"
    with night.world.database.read() as db:
        assert CALL not in waits(db, clock.at)
    assert night.model.questions == []


async def test_no_mind_is_asked_where_rules_alone_are_to_sort(night: Night) -> None:
    wonders(night, *VAGUE[:2])
    told = night.world.settings.model_copy(update={"furoshiki_curiosity_triage": "rules"})
    assert await sort(replace(night.world, settings=told)) == {"self": 0, "user": 0, "unsure": 2}
    wonders(night, VAGUE[2])
    told = night.world.settings.model_copy(update={"furoshiki_soul_engine": "rules"})
    report = soul_engine.run(replace(night.world, settings=told))
    assert isinstance(report, Report) and night.model.questions == []
