"""The soul engine's fifth step: queue new thoughts in mind_queue. No model is asked.

Each thought is queued once, by its key, and removed when its source is settled; few of each kind
wait. An interrupted run is completed by the next tick.
"""

import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, time, timedelta, tzinfo

from furoshiki.core import refs
from furoshiki.core.database import kv
from furoshiki.core.process.crash_points import point
from furoshiki.core.similarity import Vector, dot
from furoshiki.core.timestamps import name_day, parse, stamp
from furoshiki.feelings.rules.laws import QueueLaws
from furoshiki.feelings.rules.needs import NEEDS
from furoshiki.feelings.state_files import Heartbeat
from furoshiki.language.facts import conflicts
from furoshiki.language.questions import near, stem
from furoshiki.language.tables.function_words import STOP_WORDS
from furoshiki.memory.similarity import embed_english
from furoshiki.memory.store import memories
from furoshiki.messages.store import sessions
from furoshiki.messages.values import USER
from furoshiki.mind.inner_life.store import self_questions
from furoshiki.owner.agenda.rules import mind_queue
from furoshiki.owner.agenda.rules.cadence import LOOKED_AT
from furoshiki.owner.agenda.rules.mind_queue import COME_BACK, NeedTargets, Thought
from furoshiki.owner.agenda.store import growth, tasks
from furoshiki.owner.agenda.store import mind_queue as queue_store
from furoshiki.owner.user_model import user
from furoshiki.owner.user_model.rules.profile import Gap
from furoshiki.owner.user_model.store import anticipations, profiles
from furoshiki.world import World

# the source prefix of a self-question about a profile gap; the field follows
GAPS = refs.prefix("profile_gaps")

FACTS_LOOKED_AT = 30
# an anticipation this close to a wanted follow-up question is covered by it
ASKED_THEN = timedelta(days=1)

# above this cosine two notes that name the same people and days are one matter ("how things are
# with Ellie", "whether they heard from Ellie": 0.74; an exam and an operation: 0.57). Where one
# word alone differs the frame makes them near: "how the exam went" and "how the operation went"
# 0.77, of six such pairs of one matter the least 0.82
ONE_MATTER_COSINE, ONE_WORD_COSINE = 0.69, 0.8

NEEDS_KEPT = timedelta(days=30)
MORNING = time(9)  # the assumed time of an expectation that has only a date

Counts = dict[str, int]  # the number of new thoughts by kind


def fill(world: World, beat: Heartbeat) -> Counts:
    """Queue new thoughts and drop settled or excess ones."""
    now, laws = world.now, world.laws.queue
    with world.database.read() as db:
        zone = user.zone(world, db)
        gap = _next_gap(db, laws, now)
    vectors = embed_english(world, [gap[1]] if gap else [])
    with world.database.write() as db:
        anticipations.expire(db, now)
        queue_store.expire_closed(db)
        counts = {
            "anticipation": _anticipations(db, laws, now, zone),
            "question": _gaps(db, laws, now, gap, vectors[0] if vectors else None),
            "need": _needs(db, world, beat, zone),
            "growth": _growth(db, laws, now),
        }
        for item_id in mind_queue.beyond(queue_store.list_pending(db), laws.most):
            queue_store.let_go(db, item_id, "dropped")
        queue_store.forget_needs(db, now - NEEDS_KEPT)
        self_questions.let_go(db, now)
        point("queueing.before_commit")
    return counts


def _put(db: sqlite3.Connection, thought: Thought, laws: QueueLaws, now: datetime) -> int | None:
    priority = laws.priority[thought.kind]
    return queue_store.add(
        db, thought.kind, thought.summary, thought.key, now, priority=priority, source=thought.source
    )


def _anticipations(db: sqlite3.Connection, laws: QueueLaws, now: datetime, zone: tzinfo) -> int:
    """Queue each need expected soon once, unless a wanted follow-up already covers it."""
    made = 0
    for anticipation in anticipations.open_(db, now):
        expected = anticipation.expected_at.astimezone(zone)
        if expected - laws.near > now:
            break  # ordered by time
        day = "%A" if expected.time() == MORNING else "%A at %H:%M"  # what comes after is not offered before
        thought = mind_queue.of_anticipation(anticipation.id, anticipation.text, expected.strftime(day))
        asked = queue_store.follow_ups(db, expected - ASKED_THEN, expected + ASKED_THEN)
        if any(mind_queue.same_matter(thought.summary, said) for said in asked):
            continue
        made += _put(db, thought, laws, now) is not None
    return made


def find_new_notes(
    world: World, noted: Sequence[tuple[str, datetime | None]], settled: Collection[int] = ()
) -> list[bool]:
    """Return for each note to come back to, with its earliest time, whether it is new: no waiting
    one and none before it says the same in other words for the same day."""
    with world.database.read() as db:
        waiting = [one for one in queue_store.list_pending(db) if one.kind in COME_BACK and one.id not in settled]
    texts = [(one.summary, one.not_before) for one in waiting] + list(noted)
    vectors = embed_english(world, [text for text, _ in texts])
    every = [_Note(stem(text), at, vector) for (text, at), vector in zip(texts, vectors, strict=True)]
    kept, new = every[: len(waiting)], []
    for one in every[len(waiting) :]:
        new.append(not any(one.says_as(other) for other in kept))
        kept += [one] * new[-1]
    return new


@dataclass(frozen=True)
class _Note:
    stem: str
    at: datetime | None
    vector: Vector | None

    def says_as(self, other: "_Note") -> bool:
        if self.vector is None or other.vector is None or (self.at and other.at and self.at.date() != other.at.date()):
            return False
        mine, its = set(self.stem.split()), set(other.stem.split())
        least = ONE_MATTER_COSINE
        if len(mine - its - STOP_WORDS) == len(its - mine - STOP_WORDS) == 1:
            least = ONE_WORD_COSINE
        return near(self.stem, other.stem, dot(self.vector, other.vector), least)


# -- gaps of the profile --


def drop_known(db: sqlite3.Connection, now: datetime) -> None:
    """Drop questions about profile fields that are known by now."""
    missing = {gap.field for gap in _find_gaps(db, now)}
    for question in self_questions.list_pending_of(db, GAPS):
        field = question.source.removeprefix(GAPS)
        if question.question == mind_queue.OF_FIELDS.get(field) and field not in missing:
            self_questions.drop(db, question.id)


def _find_gaps(db: sqlite3.Connection, now: datetime) -> list[Gap]:
    """Return the profile's gaps, without empty fields covered by recent statements."""
    gaps = profiles.current(db, now).gaps
    empty = [gap.field for gap in gaps if not gap.facts]
    told = profiles.list_covered(db, empty)
    return [gap for gap in gaps if gap.facts or gap.field not in told]


def _next_gap(db: sqlite3.Connection, laws: QueueLaws, now: datetime) -> tuple[Gap, str, str] | None:
    """Return the least certain gap that may be asked about, as a question and as a thought."""
    newest = self_questions.newest_of(db, GAPS)
    if newest is not None and now - newest < laws.gap_rests:
        return None
    found = [(gap, *mind_queue.of_gap(gap.field, gap.question, not gap.facts)) for gap in _find_gaps(db, now)]
    if {question.question for question in self_questions.list_pending_of(db, GAPS)} & {
        question for _, question, _ in found
    }:
        return None  # one is waiting
    return next((one for one in found if self_questions.is_new(db, one[1])), None)


def _gaps(
    db: sqlite3.Connection, laws: QueueLaws, now: datetime, found: tuple[Gap, str, str] | None, vector: Vector | None
) -> int:
    """Drop questions about known fields; ask about one gap, if it repeats nothing."""
    missing = {mind_queue.of_gap(one.field, one.question, not one.facts)[0] for one in _find_gaps(db, now)}
    for one in self_questions.list_pending_of(db, GAPS):
        if one.question not in missing:
            self_questions.drop(db, one.id)
    if found is None:
        return 0
    gap, question, thought = found
    made = self_questions.add(db, question, refs.name("profile_gaps", gap.field), now, vector=vector)
    if made is None:
        return 0
    return self_questions.to_user(db, made, now, priority=laws.priority["question"], summary=thought)


# -- needs of its own --


@dataclass(frozen=True)
class Strong:
    """A strong need: since when, and the key or source of its thought (None without one). `base` is
    its priority while amber; `own`: the need queued the thought itself."""

    since: datetime
    key: str | None
    base: int
    own: bool


def _needs(db: sqlite3.Connection, world: World, beat: Heartbeat, zone: tzinfo) -> int:
    """Queue one thought per strong need, raise it while rose, remove it when calm.

    A need that outlasts a thought may queue another. It may take up a waiting one instead: a
    question only the user can answer satisfies `curiosity_need`.
    """
    made, strong = 0, _strong(db)
    after = dict(strong)
    for need in NEEDS:
        mark, held = beat.need_marks.get(need, "calm"), strong.get(need)
        if mark == "calm":
            if held is not None:
                _calm_need(db, held)
                del after[need]
            continue
        if held is None or world.now - held.since >= timedelta(days=queue_store.LIVES_DAYS):
            held = _act_on_need(db, world, beat, need, zone)
            made += held.own and held.key is not None
            after[need] = held
        if held.key is not None:
            queue_store.press(db, held.key, mind_queue.compute_priority(held.base, mark))
    if after != strong:
        kept = {name: {**asdict(one), "since": stamp(one.since)} for name, one in after.items()}
        kv.put(db, queue_store.NEEDS, kept, world.now)
    return made


def _strong(db: sqlite3.Connection) -> dict[str, Strong]:
    kept = kv.get(db, queue_store.NEEDS, {})
    return {name: Strong(parse(one["since"]), one["key"], one["base"], one["own"]) for name, one in kept.items()}


def _calm_need(db: sqlite3.Connection, held: Strong) -> None:
    """Remove the need's own thought; restore the priority of one it only took up."""
    if held.key is not None and held.own:
        queue_store.settle(db, held.key)
    elif held.key is not None:
        queue_store.press(db, held.key, held.base)


def _act_on_need(db: sqlite3.Connection, world: World, beat: Heartbeat, need: str, zone: tzinfo) -> Strong:
    """Return a newly strong need with the thought it queues or takes up."""
    now, laws = world.now, world.laws.queue
    base = laws.priority["need"]
    if need == "self_knowledge":
        own = mind_queue.of_itself(NeedTargets(mood=beat.mood.word, day=name_day(now, zone)))
        self_questions.add(db, own, refs.name("needs", need), now)
        return Strong(now, None, base, True)
    if need == "curiosity_need":
        open_ = next(
            (item for item in queue_store.list_due(db, now) if refs.is_of(item.source, "self_questions")), None
        )
        if open_ is not None:
            return Strong(
                now, open_.source, open_.priority, False
            )  # its key contains words, which must not be stored here
    thought = mind_queue.of_need(need, stamp(now), _reach(db, now))
    put = thought is not None and _put(db, thought, laws, now) is not None
    return Strong(now, thought.key if thought is not None and put else None, base, True)


def _reach(db: sqlite3.Connection, now: datetime) -> NeedTargets:
    """Return what needs can refer to, of their own life: not that a neighbour takes the dog, nor that
    a son's marriage is in trouble. Items already used by the queue are left out.

    A one-word topic is set by a rule and is too vague to return to.
    """
    last = next(iter(sessions.latest(db, 1)), None)
    known = memories.read_known(db, FACTS_LOOKED_AT)
    used = queue_store.sources(db)
    aside = {tasks.REMINDERS, *LOOKED_AT}
    open_ = [one for name in tasks.lists(db) if name not in aside for one in tasks.in_list(db, name)]
    task = next((one for one in open_ if refs.name("tasks", one.id) not in used), None)
    fresh = sorted(
        (one for one in known if (one.subject or USER) == USER and refs.name("memories", one.id) not in used),
        key=lambda one: -one.id,
    )
    plan = next(
        (memory for memory in fresh if memory.category == "plan" and memory.event_time and memory.event_time > now),
        None,
    )
    gone = {
        memory.subject for memory in known if conflicts.is_death(memory.predicate, memory.object)
    }  # do not ask about the dead
    fresh = [memory for memory in fresh if memory.object not in gone]
    fact = next((memory for memory in fresh if memory.category in ASKED_FURTHER), None)
    found = NeedTargets()
    if last is not None:
        found = replace(found, topic=next((topic for topic in last.topics if " " in topic), None))
    if task is not None:
        found = replace(found, task=(task.id, task.title))
    if plan is not None:
        found = replace(found, plan=(plan.id, plan.content))
    if fact is not None:
        found = replace(found, fact=(fact.id, fact.content))
    return found


# categories with welcome follow-up questions, unlike health, beliefs and possessions
ASKED_FURTHER = frozenset({"preference", "plan", "skill", "employment", "relationship"})


# -- news about itself --


def _growth(db: sqlite3.Connection, laws: QueueLaws, now: datetime) -> int:
    """Queue at most one piece of news, if there is room."""
    if queue_store.count_by_kind(db).get("growth", 0) >= laws.most["growth"]:
        return 0
    return int(any(_put(db, thought, laws, now) is not None for thought in growth.news(db, now - laws.news_lasts)))
