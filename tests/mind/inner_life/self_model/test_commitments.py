"""What the companion keeps asking itself becomes a promise, the promise is kept in view and judged, and ends well."""

from __future__ import annotations

import dataclasses
from datetime import timedelta
from typing import Any

import pytest

from furoshiki.core.errors import AnswerUnusable, NoMindAnswered
from furoshiki.mind.inner_life.store import commitments, patterns, self_questions
from furoshiki.mind.post_conversation.reading import read_sessions
from furoshiki.owner.agenda.store import growth
from furoshiki.world import World
from tests.support.promising import PROMISE, SHOULD, SIGN, TEXT, WHY, Mind, Self
from tests.support.world import FrozenClock, Human, Script

LONG, SORRY, MANY = "Was I too long?", "Did I apologise too often?", "Did I ask too many questions?"
CHEER, OVER = "Why was I so cheerful when they were sad?", "Am I interrupting them?"
PROMISES = {
    LONG: "Keep replies short",
    SORRY: "Apologise once",
    MANY: "Ask one question at a time",
    CHEER: "Stay sad with them when they are sad",
    OVER: "Never interrupt them",
    SHOULD: TEXT,
}


@pytest.fixture
def own(world: World, clock: FrozenClock) -> Self:
    mind = Mind({"commitment": PROMISE})
    return Self(dataclasses.replace(world, ask=mind), clock, mind)


def promise(text: str, sign: str = SIGN) -> dict[str, str]:
    return PROMISE | {"text": text, "sign": sign}


# -- the whole way, through the database --


async def test_a_question_that_recurs_becomes_a_promise_that_is_kept_in_view_and_in_the_end_is_none(
    own: Self, human: Human, model: Script
) -> None:
    own.wonders(SHOULD, WHY, SHOULD, days=4)
    own.reads()
    own.talks("i sleep badly", "> You should drink less coffee.")
    await read_sessions(own.world)
    [one] = own.active
    assert (one.text, one.sign, one.honoured, one.broken) == (TEXT, SIGN, 0, 0)

    await human.says("i still sleep badly")
    shown = model.questions[-1].system[-1].text
    assert "# What you have promised yourself\n\n" in shown and f"- {TEXT}. {SIGN}" in shown
    own.clock.pass_(hours=1)
    await read_sessions(own.world)

    for number in range(10):
        asked, advised = own.talks("> Since when?", "for a week", "> You should rest.")[::2]
        own.reads(commitments=[{"id": one.id, "verdict": "honoured", "messages": [asked, advised]}])
        await read_sessions(own.world)
        assert f"[{one.id}] {TEXT} ({SIGN})" in own.mind.of("post_conversation")[-1].messages[0].text, number
        own.clock.pass_(days=1)
    with own.world.database.read() as db:
        [gone] = commitments.read_retired(db)
    assert own.active == [] and (gone.honoured, gone.state) == (10, "retired")
    [observed] = own.rows("SELECT content, category FROM memories WHERE type='reflection'")
    assert "it has become part of me: ask before giving advice." in observed[0] and observed[1] == "self"
    assert len(own.mind.of("commitment")) == 1, "one promise for one pattern"


async def test_the_session_in_view_does_not_change_while_it_lasts(own: Self, human: Human, model: Script) -> None:
    """What a provider caches stays the same: a promise made meanwhile is in view from the next session on."""
    await human.says("hello")
    own.wonders(SHOULD, SHOULD, SHOULD, days=0.001)
    await own.learns()
    await human.says("and hello again")
    first, second = (question.system[1].text for question in model.questions[-2:])
    assert first == second and TEXT not in second
    own.clock.pass_(hours=1)
    await human.says("good evening")
    assert TEXT in model.questions[-1].system[1].text


# -- sorting --


async def test_questions_about_the_same_behaviour_come_together_once(own: Self) -> None:
    own.wonders(SHOULD, LONG, "Why does their sister never call?", WHY, SHOULD)
    await own.learns()
    found = [(one.gist, one.questions, len(one.times)) for one in own.patterns]
    assert found == [(SHOULD, (SHOULD, WHY), 3), (LONG, (LONG,), 1)]
    own.wonders(WHY)
    await own.learns()
    assert len(own.patterns[0].times) == 4, "a question that comes up again is counted with itself"
    assert len(own.mind.of("conduct")) == 1


async def test_a_question_merged_into_another_is_one_question_that_came_up_as_often(own: Self) -> None:
    own.wonders(SHOULD, WHY)
    await own.learns()
    with own.world.database.write() as db:
        self_questions.merge(db, 2, 1)
    assert len(own.patterns[0].times) == 2


# -- when and what is promised --


@pytest.mark.parametrize(("days", "made"), [(7, True), (7.5, False)])
async def test_three_times_in_fourteen_days_and_not_in_fifteen(own: Self, days: float, made: bool) -> None:
    own.wonders(SHOULD, WHY, SHOULD, days=days)
    assert await own.learns() == ({"made": 1} if made else {})
    assert len(own.mind.of("commitment")) == made


async def test_the_mind_is_shown_the_questions_and_what_is_promised_already(own: Self) -> None:
    own.mind.says["commitment"] = promise("Keep replies short")
    own.wonders(LONG, LONG, LONG)
    await own.learns()
    own.mind.says["commitment"] = PROMISE
    own.wonders(SHOULD, WHY, SHOULD)
    await own.learns()
    asked = own.mind.of("commitment")[-1]
    assert (asked.tier, asked.turn_key) == ("fast", "pattern:2")
    for words in (f"- {SHOULD}", f"- {WHY}", "- Keep replies short", "3 times in all"):
        assert words in asked.messages[0].text


async def test_questions_about_the_user_promise_nothing_and_nobody_is_asked(own: Self) -> None:
    own.wonders(*["Why does their sister never call?"] * 4)
    assert await own.learns() == {} and own.patterns == []
    assert own.mind.of("commitment") == []


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (promise("Ask Anika before advising"), "'Anika'"),
        (promise("They dislike advice"), "'they'"),
        (promise("Ask before advising", sign=""), "nobody could see"),
    ],
)
async def test_a_forbidden_promise_is_listed_and_waits_until_it_recurs(
    own: Self, answer: dict[str, str], why: str
) -> None:
    own.mind.says["commitment"] = answer
    own.wonders(SHOULD, WHY, SHOULD)
    assert await own.learns() == {"refused": 1}
    [(content, reason)] = own.rows("SELECT content, reason FROM rejected_extractions WHERE kind='commitment'")
    assert content.startswith(answer["text"]) and why in reason
    own.mind.says["commitment"] = PROMISE
    own.clock.pass_(hours=1)
    own.wonders(WHY, SHOULD)
    assert await own.learns() == {} and own.active == []
    own.wonders(WHY)
    assert await own.learns() == {"made": 1}
    assert len(own.mind.of("commitment")) == 2


async def test_where_nothing_can_be_promised_nothing_is_refused_either(own: Self) -> None:
    own.mind.says["commitment"] = {"verdict": "none", "text": "", "sign": ""}
    own.wonders(SHOULD, WHY, SHOULD)
    assert await own.learns() == {"none": 1}
    assert await own.learns() == {}
    assert own.rows("SELECT * FROM rejected_extractions") == [] and own.active == []


@pytest.mark.parametrize("failure", ["half of {", AnswerUnusable("no"), NoMindAnswered("no model")])
async def test_what_could_not_be_asked_is_asked_the_next_time(own: Self, failure: Any) -> None:
    own.mind.says["commitment"] = failure
    own.wonders(SHOULD, WHY, SHOULD)
    nobody = isinstance(failure, NoMindAnswered)
    assert await own.learns() == ({} if nobody else {"failed": 1})
    assert [kind for (kind,) in own.rows("SELECT kind FROM system_events")] == ([] if nobody else ["commitment_failed"])
    own.mind.says["commitment"] = PROMISE
    assert await own.learns() == {"made": 1}


async def test_one_at_a_time_and_never_a_second_for_a_pattern_that_has_one(own: Self) -> None:
    own.mind.says["commitment"] = lambda question: promise(
        next(PROMISES[one] for one in PROMISES if one in question.messages[0].text)
    )
    own.wonders(*[one for one in (SHOULD, LONG) for _ in range(3)])
    assert await own.learns() == {"made": 1}
    assert [one.text for one in own.active] == [TEXT]
    assert await own.learns() == {"made": 1}
    own.wonders(WHY, SHOULD, WHY)
    assert await own.learns() == {}
    assert [one.text for one in own.active] == [TEXT, "Keep replies short"]


async def test_a_sixth_waits_until_one_is_free(own: Self) -> None:
    own.mind.says["commitment"] = lambda question: promise(
        next(PROMISES[one] for one in PROMISES if one in question.messages[0].text)
    )
    for question in (LONG, SORRY, MANY, CHEER, OVER):
        own.wonders(question, question, question, days=0.1)
        assert await own.learns() == {"made": 1}, question
    own.wonders(SHOULD, SHOULD, SHOULD, days=0.1)
    assert await own.learns() == {}
    assert len(own.mind.of("commitment")) == 5, "nobody is asked what cannot be kept"
    with own.world.database.write() as db:
        commitments.retire(db, 3, own.world.now)
    assert await own.learns() == {"made": 1}
    assert [one.text for one in own.active][-1] == TEXT and len(own.active) == 5


async def test_a_promise_that_never_has_an_occasion_gives_way_to_one_that_waits(own: Self) -> None:
    own.mind.says["commitment"] = lambda question: promise(
        next(PROMISES[one] for one in PROMISES if one in question.messages[0].text)
    )
    for question in (LONG, SORRY, MANY, CHEER, OVER):
        own.wonders(question, question, question, days=0.1)
        await own.learns()
    own.clock.pass_(days=59)
    said = own.talks("> Yes.", session="s")
    own.judges("honoured", "s", *said)
    own.wonders(SHOULD, SHOULD, SHOULD, days=0.1)
    assert await own.learns() == {"made": 1}
    assert [(one.text, one.state) for one in own.every if one.state != "active"] == [("Apologise once", "dropped")]


# -- judging --


@pytest.fixture
async def promised(own: Self) -> Self:
    own.wonders(SHOULD, WHY, SHOULD)
    assert await own.learns() == {"made": 1}
    return own


def test_a_session_is_judged_once(promised: Self) -> None:
    user, reply = promised.talks("i sleep badly", "> Since when?", session="s1")
    assert promised.judges("honoured", "s1", user, reply) == {"honoured": 1}
    assert promised.judges("broken", "s1", reply) == {}
    assert [(one.honoured, one.failures_in_row) for one in promised.active] == [(1, 0)]


@pytest.mark.parametrize(
    ("cites", "why"),
    [
        ((), "nothing the companion said"),
        ((4,), "nothing the companion said"),
        ((5, 99), "99 is not a message"),
        ((2,), "2 is not a message"),
    ],
)
def test_a_verdict_without_words_of_the_companion_does_not_count(
    promised: Self, cites: tuple[int, ...], why: str
) -> None:
    promised.talks("> one", "> two", "> three", session="s0")
    assert promised.talks("i sleep badly", "> You should rest.", session="s1") == [4, 5]
    assert promised.judges("broken", "s1", *cites) == {"refused": 1}
    [(content, reason)] = promised.rows("SELECT content, reason FROM rejected_extractions")
    assert content == f"broken: {TEXT}" and why in reason
    assert promised.active[0].broken == 0


def test_what_was_said_before_it_was_promised_broke_nothing(own: Self) -> None:
    [reply] = own.talks("> You should rest.", session="s0")
    with own.world.database.write() as db:
        commitments.add(db, patterns.begin(db, SHOULD, own.world.now), TEXT, SIGN, own.world.now)
    assert own.judges("broken", "s0", reply) == {"refused": 1}


def test_a_commitment_nobody_made_and_no_occasion_count_nothing(promised: Self) -> None:
    [reply] = promised.talks("> You should rest.", session="s1")
    assert promised.judges("none", "s1", reply) == {}
    assert promised.judges("broken", "s1", reply, of=9) == {"refused": 1}
    assert promised.rows("SELECT * FROM commitment_judgements") == []


def test_three_failures_in_a_row_are_reviewed_and_the_count_restarts(promised: Self) -> None:
    outcomes = []
    for number, verdict in enumerate(["broken", "broken", "honoured", "broken", "broken", "broken", "broken"]):
        [reply] = promised.talks("> You should rest.", session=f"s{number}")
        outcomes.append("surfaced" in promised.judges(verdict, f"s{number}", reply))
    assert outcomes == [False, False, False, False, False, True, False]
    [one] = promised.active
    assert (one.honoured, one.broken, one.failures_in_row) == (1, 6, 1)
    [(id_, content, tag)] = promised.rows("SELECT id, content, source_tag FROM memories WHERE category='self'")
    assert content == "I promised myself this and broke it 3 times in a row: ask before giving advice."
    assert tag == "internal_consolidation"
    assert promised.rows(f"SELECT turn_id FROM memory_sources WHERE memory_id={id_} ORDER BY 1") == [(4,), (5,), (6,)]


def test_failing_is_asked_about_and_belongs_to_what_it_came_of(promised: Self) -> None:
    for number in range(6):
        [reply] = promised.talks("> You should rest.", session=f"s{number}")
        promised.judges("broken", f"s{number}", reply)
    why = "Why do I keep failing at what I promised myself: ask before giving advice?"
    with promised.world.database.read() as db:
        [asked] = [one for one in self_questions.list_pending(db) if one.source.startswith("commitments:")]
    assert (asked.question, asked.asked) == (why, 2)
    [pattern] = promised.patterns
    assert pattern.questions == (SHOULD, WHY, why)


def test_that_it_keeps_failing_is_the_owners_to_decide_until_it_is_honoured(promised: Self) -> None:
    def told() -> list[str]:
        with promised.world.database.read() as db:
            assert growth.news(db, promised.world.now - timedelta(days=30)) == []
            return [one.text for one in commitments.read_failing(db)]

    for number in range(3):
        assert told() == []
        [reply] = promised.talks("> You should rest.", session=f"s{number}")
        promised.judges("broken", f"s{number}", reply)
    assert told() == ["Ask before giving advice"]
    promised.clock.pass_(hours=1)
    [reply] = promised.talks("> Since when?", session="s3")
    promised.judges("honoured", "s3", reply)
    assert told() == []


def test_ten_occasions_need_not_be_in_a_row(promised: Self) -> None:
    for number in range(12):
        [reply] = promised.talks("> Since when?", session=f"s{number}")
        promised.judges("broken" if number in (2, 5) else "honoured", f"s{number}", reply)
        assert bool(promised.active) is (number < 11)
    [pattern] = promised.patterns
    assert pattern.state == "closed"


def test_what_became_part_of_it_is_judged_no_more(promised: Self) -> None:
    with promised.world.database.write() as db:
        was = commitments.active(db)
        commitments.retire(db, 1, promised.world.now)
        assert commitments.record(db, was[0].id, "s1", "broken", (1,), promised.world.now) is None
    assert promised.rows("SELECT * FROM commitment_judgements") == []


def test_no_more_than_five_are_ever_in_view(own: Self) -> None:
    with own.world.database.write() as db:
        made = [
            commitments.add(db, patterns.begin(db, one, own.world.now), text, SIGN, own.world.now)
            for one, text in PROMISES.items()
        ]
        assert commitments.add(db, 1, TEXT, SIGN, own.world.now) is None
    assert made[:5] == [1, 2, 3, 4, 5] and made[5] is None
    assert len(own.active) == 5
