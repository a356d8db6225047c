"""Inner monologue: the night's journal entry, the morning's outlook, the afternoon's review.

Each is one question about the messages since the last one, and one transaction for the entry and
its results. The page is written from the row afterwards, or by the next run.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from itertools import compress
from typing import Literal

from furoshiki.core import refs
from furoshiki.core.catalogue import ENGLISH, speaking
from furoshiki.core.process.crash_points import point
from furoshiki.core.timestamps import parse_foreign
from furoshiki.extensions.plugins import hooks
from furoshiki.extensions.plugins.values import Target
from furoshiki.feelings.store import emotional_weights, history
from furoshiki.feelings.store.emotional_weights import EmotionalWeight
from furoshiki.language.grounding.thoughts import same
from furoshiki.language.humanize import describe_moment
from furoshiki.language.session_feeling import build_felt, describe_connection, in_words
from furoshiki.memory.similarity import embed_english
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER
from furoshiki.mind.inner_life.due import (
    AHEAD,
    FIRST_LOOK,
    run_afternoon_reflection,
    run_inner_monologue,
    run_morning_reflection,
)
from furoshiki.mind.inner_life.journal import pages as journal_pages
from furoshiki.mind.inner_life.journal.forms import Expected, Musing, Thought, ToSay
from furoshiki.mind.inner_life.journal.thoughts import Ground, Section, Written, ask, ground, thought_before
from furoshiki.mind.inner_life.queue_thoughts import MORNING, find_new_notes
from furoshiki.mind.inner_life.rules.journal import Stretch, journal
from furoshiki.mind.inner_life.store import monologue, self_questions
from furoshiki.mind.inner_life.store.monologue import Entry, Passage
from furoshiki.models.llm.background import Unanswered
from furoshiki.models.llm.values import Tier
from furoshiki.owner.agenda.rules.mind_queue import COME_BACK
from furoshiki.owner.agenda.store import mind_queue, tasks
from furoshiki.owner.user_model.store import anticipations
from furoshiki.world import Report, World

# maximum distance of an anticipated need: a hearing is told of weeks before
FURTHEST = timedelta(days=31)

LONGEST = timedelta(days=7)  # how long after its time an anticipation may stay open

# morning and afternoon entries drop thoughts repeated within this time; a journal entry may say
# that two days were alike
AGAIN = timedelta(days=7)


Part = Literal["journal", "morning", "afternoon"]
_TIERS: dict[Part, Tier] = {"journal": "reflect", "morning": "fast", "afternoon": "fast"}
# the names of the parts for plugins
_TARGETS: dict[Part, Target] = {"journal": "inner_monologue", "morning": "morning", "afternoon": "afternoon"}

_WORTH = {
    "journal": run_inner_monologue,
    "morning": run_morning_reflection,
    "afternoon": run_afternoon_reflection,
}


@dataclass(frozen=True)
class _Gathered:
    ground: Ground
    sections: tuple[Section, ...]
    stretch: Stretch
    seen_turn: int
    earlier: tuple[str, ...]


async def night(world: World) -> Report:
    """Write the day's journal entry with its anticipations, curiosities, questions and messages."""
    return await _reflect(world, "journal")


async def morning(world: World) -> Report:
    """Write the outlook on the day ahead."""
    return await _reflect(world, "morning")


async def afternoon(world: World) -> Report:
    """Write the review of the day so far."""
    return await _reflect(world, "afternoon")


async def _reflect(world: World, part: Part) -> Report:
    pages = journal_pages.file(world)
    with world.database.read() as db:
        reason = _WORTH[part](db, world.now)  # checked again: the run may have been for the pages alone
    found = _gather(world, part) if reason else None
    if found is None:
        idle = f"{len(pages)} pages written again" if pages else "nothing is new since the last time"
        return Report(bool(pages), idle, {"pages": pages})
    answer = await ask(
        world,
        part,
        Musing,
        found.sections,
        found.ground,
        tier=_TIERS[part],
        material=found.stretch,
        max_tokens=1600,
        plugins=await hooks.before_reflection(world, _TARGETS[part]),
    )
    if isinstance(answer, Unanswered):
        return Report(bool(pages), f"nothing was written: {answer.reason}", {"pages": pages, "skipped": answer.reason})
    point("monologue.answered")
    musing: Musing = answer.parsed
    provider = answer.provider
    by_rule = provider == "local"  # counted facts need no judge
    claims = _Claims(tuple(_build_written(musing.entry))) if by_rule else await _Claims.of(world, found.ground, musing)
    passages = _passages(world, found, claims.entry)
    if not passages and part == "journal":  # nothing was true: use only what can be counted
        provider = "local"
        rule = Musing.model_validate(journal(found.stretch, world.lexicon))
        passages = _passages(world, found, _build_written(rule.entry))
    state: Literal["kept", "dropped"] = "kept" if passages else "dropped"
    counts = {"passages": len(passages), "refused": len(found.ground.refused)}
    with world.database.write() as db:
        day = world.now.astimezone(found.ground.zone).date().isoformat()
        entry_id = monologue.add(
            db, part, day, passages, provider, found.seen_turn, world.now, state=state, item=_item(db, part, day)
        )
        if entry_id is None:
            return Report(bool(pages), "another run was quicker", {"pages": pages})
        counts |= _keep(db, world, entry_id, day, claims, found.ground)
        found.ground.list_refused(db, world.now)
        anticipations.expire(db, world.now)
        point("monologue.before_commit")
    pages += journal_pages.file(world)
    if passages:
        await hooks.after_reflection(world, _TARGETS[part], "\n".join(passage.text for passage in passages))
    summary = f"{counts['passages']} passages written, {counts['refused']} claims refused"
    return Report(True, summary, {**counts, "entry": entry_id, "provider": provider, "pages": pages})


def _item(db: sqlite3.Connection, part: Part, day: str) -> str:
    """Return the key of an entry: "later" for a second one on a local day (after a zone change)."""
    before = monologue.last(db, part)
    return "later" if before is not None and before.day == day else ""


@speaking(ENGLISH)
def _gather(world: World, part: Part) -> _Gathered | None:
    """Collect the messages and thoughts since the last entry of this kind; None without news."""
    now, mood = world.now, world.state.heartbeat().mood.word
    with world.database.read() as db:
        last = monologue.last(db, part)
        seen, since = (0, now - FIRST_LOOK) if last is None else (last.seen_turn, last.at)
        said = monologue.read_turns(db, seen, since if last is None else datetime.min.replace(tzinfo=now.tzinfo))
        heard = any(turn.speaker == USER for turn in said)
        expected = anticipations.open_(db, now)
        due = [anticipation for anticipation in expected if anticipation.expected_at <= now + AHEAD]
        thoughts = monologue.since(db, _BEFORE[part], since)
        if not heard and (part != "morning" or not (thoughts or due)):
            return None
        before = [] if part == "journal" else monologue.since(db, monologue.KINDS, now - AGAIN)
        earlier = [passage.text for entry in before for passage in entry.passages]
        asked = [question.question for question in self_questions.list_pending(db)[-5:]]
        noted = [thought.summary for thought in mind_queue.list_pending(db) if thought.kind in COME_BACK]
        reminders = [task for task in tasks.in_list(db, tasks.REMINDERS) if task.due_at and task.due_at <= now + AHEAD]
        moods = [*history.moods(db, since), mood]
        weights = emotional_weights.since(db, since) if part == "journal" else []
        rests = {one for entry in thoughts for passage in entry.passages for one in passage.cites}
        rests |= {one for expectation in expected for one in expectation.cited}
        rests |= {turn_id for weight in weights if weight.note for turn_id in weight.turn_ids}
        known = {turn.id for turn in said}
        others = turns.many(db, sorted(rests - known))
    base = ground(world, [*others, *said])
    shown = {turn.id for turn in said}
    fresh = [turn for turn in base.said if turn.id in shown]
    older = [turn for turn in base.said if turn.id not in shown]
    sections: tuple[Section, ...] = (
        ("Said since the last time", base.lines(only=fresh)),
        ("Said before, and thought about since", base.lines(1500, only=older)),
        ("How they were with you, a conversation a line", list(map(_describe_weight, weights))),
        ("How you felt, oldest first", _list_moods(moods)),
        ("What you thought", list(map(_thought, thoughts))),
        (
            "What you expect",
            [f"from {describe_moment(one.expected_at, base.zone)}: {one.text} ({one.reason})" for one in expected],
        ),
        ("What you have noted already, to come back to", noted),
        (
            "What you will remind them of",
            [f"{describe_moment(one.due_at, base.zone)}: {one.title}" for one in reminders if one.due_at],
        ),
        ("What you ask yourself", asked if part == "journal" else []),
    )
    material = Stretch(tuple(fresh), tuple(moods))
    seen_turn = max([seen, *shown])
    return _Gathered(base, sections, material, seen_turn, tuple(earlier))


# the earlier entries that each part looks at
_BEFORE: dict[Part, tuple[monologue.Kind, ...]] = {
    "journal": ("contemplation", "morning", "afternoon"),
    "morning": ("journal",),
    "afternoon": ("morning",),
}


def _describe_weight(weight: EmotionalWeight) -> str:
    """Describe the user's mood in a conversation, and its cause with the messages behind it."""
    close = describe_connection(weight.connection_quality)
    was = in_words(build_felt(weight.feelings, weight.valence, weight.intensity)) + (f"; {close}" if close else "")
    return f"{was}. {weight.note} [rests on {', '.join(map(str, weight.turn_ids))}]" if weight.note else f"{was}."


def _list_moods(moods: Sequence[str]) -> list[str]:
    return [mood for at, mood in enumerate(moods) if at == 0 or moods[at - 1] != mood][-12:]


def _thought(entry: Entry) -> str:
    return " ".join(
        f"{passage.text} [rests on {', '.join(map(str, passage.cites))}]" if passage.cites else passage.text
        for passage in entry.passages
    )


def _build_written(thoughts: Sequence[Thought]) -> list[Written]:
    return [Written(" ".join(thought.text.split()), thought.messages) for thought in thoughts]


def _passages(world: World, found: _Gathered, thoughts: Sequence[Written]) -> list[Passage]:
    """Return the thoughts that were not written down recently."""
    passages: list[Passage] = []
    for thought in thoughts:
        if not thought_before(world, thought.text, [*found.earlier, *(passage.text for passage in passages)]):
            passages.append(Passage(thought.text, found.ground.cites(thought.messages)))
    return passages


@dataclass(frozen=True)
class _Claims:
    """The results of an entry, judged and with vectors, ready for one transaction."""

    entry: tuple[Written, ...]
    expected: tuple[tuple[Expected, datetime, datetime], ...] = ()
    to_say: tuple[ToSay, ...] = ()
    questions: tuple[tuple[self_questions.Kind, str, Sequence[float] | None], ...] = ()

    @classmethod
    async def of(cls, world: World, ground: Ground, read: Musing) -> "_Claims":
        """Judge everything at once; rejected claims go to the ground's `refused` list."""
        ahead: list[tuple[Expected, datetime, datetime]] = []
        for one in read.anticipations:
            times = _times(one, world.now, ground.zone)
            if times is None:
                reason = f"from {one.when} to {one.expires} is not a time ahead"
                ground.refused.append(("anticipation", one.need, tuple(one.messages), reason))
            else:
                ahead.append((one, *times))
        entry = _build_written(read.entry)
        known = await ground.known(
            world,
            [
                *entry,
                *(Written(f"{one.need.rstrip('. ')}. {one.why}", one.messages, "anticipation") for one, *_ in ahead),
                *(Written(one.text, one.messages, "follow_up") for one in read.thoughts),
                *(Written(wondering.text, wondering.messages, "curiosity") for wondering in read.curiosities),
                *(Written(wondering.text, wondering.messages) for wondering in read.self_questions),
            ],
        )
        fine = iter(known)
        entry = [thought for thought in entry if next(fine)]
        expected = [one for one in ahead if next(fine)]
        to_say = [one for one in read.thoughts if next(fine)]
        new = find_new_notes(world, [(one.text, _at(one.after or "", ground.zone)) for one in to_say])
        to_say = list(compress(to_say, new))
        wondered: list[tuple[self_questions.Kind, str]] = []
        wondered += [("curiosity", wondering.text) for wondering in read.curiosities if next(fine)]
        wondered += [("question", wondering.text) for wondering in read.self_questions if next(fine)]
        vectors = embed_english(world, [text for _, text in wondered])
        questions = [(kind, text, vector) for (kind, text), vector in zip(wondered, vectors, strict=True)]
        return cls(tuple(entry), tuple(expected), tuple(to_say), tuple(questions))


def _keep(
    db: sqlite3.Connection, world: World, entry_id: int, day: str, claims: _Claims, ground: Ground
) -> dict[str, int]:
    """Store each result of an entry once. Returns the number of new ones by kind."""
    now = world.now
    counts = {"anticipations": 0, "questions": 0, "thoughts": 0}
    waiting = [anticipation.text for anticipation in anticipations.open_(db, now)]
    for expected, at, until in claims.expected:
        need = " ".join(expected.need.split())
        if any(same(need, one) for one in waiting):
            continue
        cited = ground.cites(expected.messages)
        anticipations.add(db, entry_id, need, " ".join(expected.why.split()), cited, at, until, now)
        waiting.append(need)
        counts["anticipations"] += 1
    for kind, text, vector in claims.questions:
        source = refs.name("inner_monologue", day)
        counts["questions"] += self_questions.add(db, text, source, now, kind=kind, vector=vector) is not None
    sessions = {turn.id: turn.session_id for turn in ground.said}
    for one in claims.to_say:
        text = " ".join(one.text.split())
        key = f"thought:{' '.join(text.casefold().split())[:160]}"
        source = refs.name("sessions", sessions[ground.cites(one.messages)[-1]])
        after = _at(one.after or "", ground.zone)
        counts["thoughts"] += mind_queue.add(db, "thought", text, key, now, source=source, not_before=after) is not None
    return counts


def _times(one: Expected, now: datetime, zone: tzinfo) -> tuple[datetime, datetime] | None:
    """Return when a need is expected and until when it is open; None if not in the near future."""
    at, until = _at(one.when, zone), _at(one.expires, zone, end=True)
    if at is None or until is None or until <= now or until < at or at > now + FURTHEST:
        return None
    return at, min(until, max(at, now) + LONGEST)


def _at(text: str, zone: tzinfo, end: bool = False) -> datetime | None:
    """Parse an ISO date or time; a date alone means its morning, or its end. None if invalid."""
    try:
        parse_foreign(text.strip(), zone)  # rejects impossible years
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    if len(text.strip()) <= len("2026-03-24"):
        found = found.replace(hour=23, minute=59) if end else datetime.combine(found.date(), MORNING)
    return found.replace(tzinfo=zone) if found.tzinfo is None else found
