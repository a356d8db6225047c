"""Form commitments from recurring self-questions, and judge whether they were kept.

A model is asked at the end of post-conversation, never in the soul engine's tick: once a run at
most, about the oldest pattern. Rules judge the proposal; a refused one is listed, and its pattern
must recur first. At most five commitments are active.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal

from furoshiki.core import refs
from furoshiki.core.process.crash_points import point
from furoshiki.core.timestamps import stamp
from furoshiki.memory.store import memories
from furoshiki.messages.store import turns
from furoshiki.messages.values import COMPANION, Turn
from furoshiki.mind.inner_life.rules import patterns as pattern_rules
from furoshiki.mind.inner_life.rules.patterns import WAITS
from furoshiki.mind.inner_life.store import commitments, drift, patterns, self_questions
from furoshiki.mind.inner_life.store.commitments import Commitment
from furoshiki.mind.inner_life.store.patterns import Pattern
from furoshiki.models.llm.background import Unanswered, ask_mind
from furoshiki.models.llm.values import Question
from furoshiki.world import World

if TYPE_CHECKING:
    from furoshiki.mind.inner_life.self_model.commitment_form import FoundPromise, PlacedQuestion, ReadVerdict

# idle time after which an active commitment may be replaced: five must not block learning
NO_OCCASION = timedelta(days=60)

FACTS = 50

# The outcome for a pattern. "nobody": no model was available, and it still waits.
Outcome = Literal["made", "refused", "none", "failed", "nobody"]


async def learn(world: World) -> dict[Outcome, int]:
    """Sort new questions and form at most one commitment. Returns the outcomes."""
    counts: dict[Outcome, int] = {"made": 0, "refused": 0, "none": 0, "failed": 0}
    if not await sort_questions(world):
        return counts
    ripe = _ripe(world)
    if ripe and _room(world):
        outcome = await _promise(world, ripe[0])
        if outcome != "nobody":
            counts[outcome] += 1
    return counts


def _ripe(world: World) -> list[Pattern]:
    """Return patterns ready for a commitment, the longest waiting first."""
    with world.database.read() as db:
        found = [
            pattern
            for pattern in patterns.list_unpromised(db)
            if pattern_rules.ripe(pattern.times, pattern.looked_at, world.now)
        ]
    return sorted(found, key=lambda one: (pattern_rules.find_recurrence(one.times, one.looked_at) or world.now, one.id))


def _room(world: World) -> bool:
    """Return whether a place is free or an idle commitment can be replaced."""
    with world.database.read() as db:
        full = len(commitments.active(db)) >= pattern_rules.MOST_ACTIVE
        return not full or commitments.idle(db, world.now - NO_OCCASION) is not None


async def _promise(world: World, pattern: Pattern) -> Outcome:
    with world.database.read() as db:
        active = [commitment.text for commitment in commitments.active(db)]
        facts = [
            memory.object
            for memory in memories.read_known(db, FACTS)
            if memory.object and memory.category != "preference"
        ]
    from furoshiki.mind.inner_life.self_model.commitment_form import FoundPromise

    companion = world.settings.furoshiki_companion_name
    asked, times = list(pattern.questions), len(pattern.times)
    material = world.prompts.render("behaviour/material", questions=asked, times=times, active=active)
    system = world.prompts.render("behaviour/instructions", companion=companion)
    key = refs.name("pattern", pattern.id)
    question = Question.of(
        "fast", "commitment", system, material, FoundPromise, max_tokens=300, timeout_s=60.0, turn_key=key
    )
    answer = await ask_mind(world, question, world.now, "commitment_failed", {"pattern": pattern.id})
    if isinstance(answer, Unanswered):
        return "nobody" if answer.nobody else "failed"
    promise: FoundPromise = answer.parsed
    point("commitments.answered")
    return _keep(world, pattern, promise, facts)


def _keep(world: World, pattern: Pattern, promise: FoundPromise, facts: Sequence[str]) -> Outcome:
    """Judge a proposal, and store or reject it in one transaction."""
    text, sign = (" ".join(part.split()) for part in (promise.text, promise.sign))
    text = text.rstrip(".")
    with world.database.write() as db:
        held = patterns.get(db, pattern.id)
        if held is None or held.state != "watched" or held.looked_at != pattern.looked_at:
            return "none"  # another run was quicker, or the pattern was forgotten
        if promise.verdict == "none" or not text:
            patterns.mark_examined(db, pattern.id, world.now)
            point("commitments.before_commit")
            return "none"
        active = [commitment.text for commitment in commitments.active(db)]
        reason = pattern_rules.unfit(text, sign, held.questions, active, facts)
        if reason is not None:
            memories.reject(db, "commitment", f"{text} ({sign})" if sign else text, (), reason, world.now)
            patterns.mark_examined(db, pattern.id, world.now)
            point("commitments.before_commit")
            return "refused"
        if len(active) >= pattern_rules.MOST_ACTIVE:
            idle = commitments.idle(db, world.now - NO_OCCASION)
            if idle is None:
                return "nobody"  # another run took the last place: it waits
            commitments.drop(db, idle, world.now)
        commitments.add(db, pattern.id, f"{text[0].upper()}{text[1:]}", sign, world.now)
        point("commitments.before_commit")
    return "made"


def judge(
    db: sqlite3.Connection,
    active: Sequence[Commitment],
    verdicts: Sequence[ReadVerdict],
    said: Sequence[Turn],
    session_id: str,
    now: datetime,
) -> dict[str, int]:
    """Count how each commitment was kept in a session, once each, in the caller's transaction.

    A verdict needs citations from this session, one of them by the companion after it committed.
    Returns the number honoured, broken and refused, become traits ("retired"), and examined after
    three failures in a row ("surfaced").
    """
    counts: Counter[str] = Counter({"honoured": 0, "broken": 0, "refused": 0, "retired": 0, "surfaced": 0})
    by_id, heard = {commitment.id: commitment for commitment in active}, {turn.id: turn for turn in said}
    for verdict in verdicts:
        if verdict.verdict == "none":
            continue
        commitment = by_id.get(verdict.id)
        reason = (
            "there is no such commitment" if commitment is None else _find_flaw(commitment, verdict.messages, heard)
        )
        if commitment is None or reason is not None:
            text = f"{verdict.verdict}: {commitment.text if commitment else verdict.id}"
            memories.reject(db, "commitment_verdict", text, verdict.messages, reason or "", now)
            counts["refused"] += 1
            continue
        cited = tuple(dict.fromkeys(verdict.messages))
        after = commitments.record(db, commitment.id, session_id, verdict.verdict, cited, now)
        if after is None:
            continue  # already judged
        counts[verdict.verdict] += 1
        if after.failures_in_row >= pattern_rules.FAILURES:
            _surface(db, after, now)
            counts["surfaced"] += 1
        elif after.honoured >= pattern_rules.HONOURED:
            _become(db, after, now)
            counts["retired"] += 1
    return dict(counts)


def _find_flaw(commitment: Commitment, cited: Sequence[int], heard: dict[int, Turn]) -> str | None:
    """Return why a verdict does not count; None when it does."""
    unknown = [number for number in cited if number not in heard]
    if unknown:
        return f"{unknown[0]} is not a message of this session"
    own = [heard[number] for number in cited if heard[number].speaker == COMPANION]
    if not own:
        return "it cites nothing the companion said"
    if all(turn.at < commitment.created_at for turn in own):
        return "it was not promised yet"
    return None


def _surface(db: sqlite3.Connection, commitment: Commitment, now: datetime) -> None:
    """After three failures in a row: store an observation, ask itself why, reset the counter."""
    failed = [judgement for judgement in commitments.judgements(db, commitment.id) if judgement.verdict == "broken"][
        -pattern_rules.FAILURES :
    ]
    text = f"I promised myself this and broke it {pattern_rules.FAILURES} times in a row: {_lower(commitment.text)}."
    _observe(db, text, [turn for judgement in failed for turn in judgement.turn_ids], commitment, now)
    question = f"Why do I keep failing at what I promised myself: {_lower(commitment.text)}?"
    asked = self_questions.add(db, question, refs.name("commitments", commitment.id), now)
    if asked is not None:
        patterns.place(db, asked, commitment.pattern_id)
    commitments.begin_again(db, commitment.id)


def _become(db: sqlite3.Connection, commitment: Commitment, now: datetime) -> None:
    """After ten kept occasions: store an observation and retire the commitment."""
    honoured = [judgement for judgement in commitments.judgements(db, commitment.id) if judgement.verdict == "honoured"]
    text = f"I promised myself this on {commitment.created_at.date().isoformat()}, and it has become part of me: "
    _observe(
        db,
        f"{text}{_lower(commitment.text)}.",
        [turn for judgement in honoured for turn in judgement.turn_ids],
        commitment,
        now,
    )
    commitments.retire(db, commitment.id, now)


def _observe(db: sqlite3.Connection, text: str, cited: Sequence[int], commitment: Commitment, now: datetime) -> None:
    """Store a self-observation that rests on the turns behind it, if they still exist."""
    rests = [turn.id for turn in turns.many(db, sorted(set(cited)))]
    promise = {"commitment": commitment.id, "promised_at": stamp(commitment.created_at)}
    drift.observe(db, text, rests, now, valid_from=now, importance=0.6, metadata=promise)


def _lower(text: str) -> str:
    return f"{text[0].lower()}{text[1:]}".rstrip(".")


# -- new self-questions grouped by behaviour, which no word-based rule can do --
#
# "Was I handing out tips again?" and "Why do I reach for solutions?" share neither words nor
# embeddings. One model call sorts all new questions after a conversation; without a model they wait.


AT_ONCE = 20  # maximum number of questions sorted in one call

PATTERNS_SHOWN = 40
# maximum number of recent patterns shown for comparison, and of questions of each
MEMBERS_SHOWN = 3


async def sort_questions(world: World) -> bool:
    """Let a model sort the new questions. Returns False when no model answers and they wait."""
    with world.database.read() as db:
        fresh = patterns.list_unsorted(db, world.now - WAITS, AT_ONCE)
        new = {id_ for id_, _ in fresh}
        shown = [
            [one for one in group if one[0] not in new]
            for group in patterns.list_groups(db, PATTERNS_SHOWN, MEMBERS_SHOWN)
        ]
    if not fresh:
        return True
    from furoshiki.mind.inner_life.self_model.commitment_form import PlacedQuestions

    companion = world.settings.furoshiki_companion_name
    material = world.prompts.render("behaviour/new", groups=[one for one in shown if one], fresh=fresh)
    system = world.prompts.render("behaviour/sorting", companion=companion)
    question = Question.of(
        "fast", "conduct", system, material, PlacedQuestions, max_tokens=60 + 30 * len(fresh), timeout_s=60.0
    )
    answer = await ask_mind(world, question, world.now, "conduct_failed", {"questions": len(fresh)})
    if isinstance(answer, Unanswered):
        return False
    questions: PlacedQuestions = answer.parsed
    point("conduct.answered")
    with world.database.write() as db:
        _place(world, db, fresh, {one.id: one for one in questions.questions})
        point("conduct.before_commit")
    return True


def _place(
    world: World, db: sqlite3.Connection, fresh: Sequence[tuple[int, str]], told: Mapping[int, PlacedQuestion]
) -> None:
    waiting = {id_ for id_, _ in patterns.list_unsorted(db, world.now - WAITS, AT_ONCE)}
    for id_, text in fresh:
        question = told.get(id_)
        if question is None or id_ not in waiting:  # forgotten, or another run was quicker
            continue
        there = patterns.home(db, question.like) if question.like is not None and question.like != id_ else None
        if question.conduct and there is not None and there == patterns.home(db, id_):
            continue
        patterns.take_out(db, id_)
        if question.conduct:
            patterns.place(db, id_, patterns.begin(db, text, world.now) if there is None else there)
    patterns.mark_sorted(db, fresh[-1][0], world.now)
