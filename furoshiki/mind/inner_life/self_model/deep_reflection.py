"""Weekly deep reflection, which may change the companion's self-description.

One question about the week, one transaction: themes, shifts (stored as self-observations) and the
new description in the drift log. `self_description` then writes the file. A change of more than 35
% waits for the owner. An answer with commands or secrets, or that empties the text, is refused as a
whole, and the week is reviewed again next time.
"""

import re
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Annotated

from pydantic import BaseModel, Field

from furoshiki.core import refs
from furoshiki.core.database import events
from furoshiki.core.process.crash_points import point
from furoshiki.core.timestamps import stamp
from furoshiki.extensions.plugins import hooks
from furoshiki.language.grounding import insights
from furoshiki.language.humanize import plural
from furoshiki.memory.grounding import believing
from furoshiki.memory.grounding.believing import Claim
from furoshiki.memory.grounding.rules.conversation import Conversation, make_record
from furoshiki.memory.store import links, memories, tombstones
from furoshiki.messages.store import turns
from furoshiki.mind.inner_life.due import run_deep_reflection
from furoshiki.mind.inner_life.rules import self_claims
from furoshiki.mind.inner_life.rules import self_description as description_rules
from furoshiki.mind.inner_life.rules.self_claims import Judged, Read, Refused
from furoshiki.mind.inner_life.self_model import description as self_description
from furoshiki.mind.inner_life.self_model import weekly_review
from furoshiki.mind.inner_life.self_model.weekly_review import Seen
from furoshiki.mind.inner_life.store import drift
from furoshiki.mind.inner_life.store.drift import Ground, NewDrift
from furoshiki.models.llm.background import OVERNIGHT_S, Unanswered, ask_mind
from furoshiki.models.llm.values import Answer, Question
from furoshiki.world import Report, World

CONFIDENCE = 0.7  # confidence of a self-observation; facts that a model read in messages have 0.9
MOST_TURNS = 30  # maximum number of turns behind a self-observation: the newest ones
NOT_AGAIN = timedelta(days=90)  # a self-observation is not repeated within this time

STALE = "This was left out, for no fact of the profile says it any more"

_NAME = re.compile(r"\b(?:entry|memory|commitment):\d+")

Line = Annotated[str, Field(min_length=2, max_length=600)]
Names = Annotated[list[str], Field(max_length=12, description="Names of lines, as they stand in the brackets")]


class ReadLine(BaseModel):
    """One sentence, and what it rests on."""

    text: Line
    rests_on: Names


class ReadParagraph(BaseModel):
    """A paragraph, sentence by sentence."""

    sentences: Annotated[list[ReadLine], Field(max_length=40)]


class ReadReflection(BaseModel):
    """What a mind makes of a week. A claim until every sentence has been judged."""

    themes: Annotated[list[ReadLine], Field(max_length=5)]
    shifts: Annotated[list[ReadLine], Field(max_length=3)]
    description: Annotated[list[ReadParagraph], Field(max_length=30)]


@dataclass(frozen=True)
class _Found:
    """The accepted themes, shifts and text, and the refused themes and shifts by kind."""

    themes: tuple[Read, ...]
    shifts: tuple[Read, ...]
    text: Judged
    refused: tuple[tuple[str, Refused], ...]


async def reflect(world: World) -> Report:
    """Review the week; change the description slightly, propose more, or leave it."""
    wrote = self_description.settle(world)
    with world.database.read() as db:
        reason = run_deep_reflection(db, world.now)  # checked again: the run may have been for the file alone
    if reason is None:
        return Report(wrote, "SELF.md says what was decided" if wrote else "nothing is new since the last look")
    seen = weekly_review.gather(world)
    answer = await _ask(world, seen, await hooks.before_reflection(world, "deep"))
    if isinstance(answer, Unanswered):
        return Report(wrote, f"the look at myself waits for a mind: {answer.reason}", {"failed": True})
    point("self.answered")
    readings = await _readings(world, seen, answer.parsed)
    found = _judge(seen, answer.parsed, readings)
    if found.text.worthless is not None:
        return _refuse_whole(world, seen, found.text)
    report = _keep(world, seen, found, answer.provider)
    self_description.settle(world)
    if report.did:
        await hooks.after_reflection(world, "deep", "\n".join(one.text for one in (*found.themes, *found.shifts)))
    return report


async def _ask(world: World, seen: Seen, plugins: Sequence[tuple[str, str]]) -> Answer | Unanswered:
    now, words = world.now, len(seen.base.split())
    instructions = world.prompts.render(
        "deep_reflection/instructions",
        companion=world.settings.furoshiki_companion_name,
        words=words,
        room=description_rules.room(seen.base),
        most=max(description_rules.MOST_WORDS, words),
    )
    material = world.prompts.render(
        "deep_reflection/material",
        day=now.astimezone(seen.zone).strftime("%A, %-d %B %Y"),
        name=seen.name,
        description=seen.base,
        sections=[{"title": title, "lines": list(lines)} for title, lines in seen.sections if lines],
        plugins=plugins,
    )
    purpose, key = "deep_reflection", refs.name("deep_reflection", now.date().isoformat())
    question = Question.of(
        "reflect", purpose, instructions, material, ReadReflection, max_tokens=5000, timeout_s=240.0, turn_key=key
    )
    question = replace(question, batch_s=OVERNIGHT_S)
    return await ask_mind(world, question, now, "reflection_failed", {"step": "deep_reflection"})


async def _readings(world: World, seen: Seen, reflection: ReadReflection) -> dict[str, str]:
    """Return the reader's objection to each new sentence, by its text; "" if supported."""
    held = {description_rules.key(sentence) for sentence in description_rules.sentences(seen.base)}
    told = [
        *reflection.themes,
        *reflection.shifts,
        *(line for part in reflection.description for line in part.sentences),
    ]
    lines = list(dict.fromkeys(map(_read, told)))
    fresh = [line for line in lines if description_rules.key(line.text) not in held]
    names = list(seen.shown.sources)
    number = {name: place for place, name in enumerate(names, start=1)}
    claims = [
        Claim(one.text, "self", tuple(number[name] for name in one.cites))
        for one in fresh
        if one.cites and all(name in number for name in one.cites)
    ]
    if not claims:
        return {}
    companion, facts = world.settings.furoshiki_companion_name, list(seen.shown.facts.values())
    record = [make_record(number[name], text, world.now) for name, text in seen.shown.sources.items()]
    talk = Conversation(record, seen.zone, companion, "", [*facts, *seen.shown.names])
    system = world.prompts.render("deep_reflection/reader", companion=companion, name=seen.name, facts=facts)
    verdicts = await believing.read(world, talk, claims, system)
    return {
        claim.text: "" if verdict.outcome == "known" else verdict.reason
        for claim, verdict in zip(claims, verdicts, strict=True)
        if verdict is not None
    }


def _judge(seen: Seen, reflection: ReadReflection, readings: Mapping[str, str]) -> _Found:
    refused = []
    themes, shifts = [], []
    for one in map(_read, reflection.themes):
        if (reason := self_claims.theme_objection(one, seen.shown, readings)) is None:
            themes.append(one)
        else:
            refused.append(("theme", Refused(one, reason)))
    for one in map(_read, reflection.shifts):
        if (reason := self_claims.objection(one, seen.shown, readings)) is None:
            shifts.append(one)
        else:
            refused.append(("shift", Refused(one, reason)))
    told = [list(map(_read, part.sentences)) for part in reflection.description]
    text = self_claims.judge(told, seen.base, seen.shown, readings)
    return _Found(tuple(themes), tuple(shifts), text, tuple(refused))


def _read(line: ReadLine) -> Read:
    """Normalise a line and its citations, even if a model copied whole brackets."""
    names = [name for told in line.rests_on for name in _NAME.findall(told) or [told.strip(" []")]]
    return Read(" ".join(line.text.split()), tuple(dict.fromkeys(names)))


def _refuse_whole(world: World, seen: Seen, text: Judged) -> Report:
    """Reject the whole answer and change nothing; the next run asks again."""
    reason = str(text.worthless)
    with world.database.write() as db:
        for refusal in text.refused:
            _reject(db, world, seen, "self_description", refusal)
        events.announce(db, "reflection_failed", {"step": "deep_reflection", "reason": reason}, world.now)
    return Report(False, f"a new description of myself was refused: {reason}", {"failed": True, "reason": reason})


def _keep(world: World, seen: Seen, found: _Found, provider: str) -> Report:
    """Store the reflection and all its results in one transaction."""
    now, text = world.now, found.text.text
    share = description_rules.measure_change(seen.before, text)
    if not share:
        text = seen.before
    with world.database.write() as db:
        before = drift.last(db)
        if (before and before.id) != (seen.last and seen.last.id):
            return Report(False, "another run was quicker")
        if tombstones.count(db) != seen.forgotten:
            return Report(False, "something was forgotten meanwhile; the next run looks at what is left")
        if not description_rules.same(self_description.text(world), seen.before):
            return Report(False, "SELF.md was changed by hand meanwhile; the next run begins with it")
        shifts = [_ground(db, seen, one, "shift") for one in found.shifts]
        new = NewDrift(
            before=seen.before,
            text=text,
            diff=description_rules.diff(seen.before, text),
            similarity=description_rules.similarity(seen.before, text),
            changed_share=share,
            themes=tuple(_ground(db, seen, one, "note") for one in found.themes),
            reasons=(
                *shifts,
                *(_ground(db, seen, one, "sentence") for one in found.text.new),
                *_notes(seen),
            ),
            provider=provider,
            seen_entry=seen.newest_entry,
            state="proposed" if share > description_rules.MOST_CHANGED else "applied",
        )
        number = drift.add(db, new, now)
        drift.see(db, number, self_description.digest(seen.before), now)
        observed = sum(_observe(db, ground, now) for ground in shifts)
        refused = [*found.refused, *(("self_description", refusal) for refusal in found.text.refused)]
        for kind, refusal in refused:
            _reject(db, world, seen, kind, refusal)
        point("self.before_commit")
    point("self.committed")
    counts = {
        "drift": number,
        "state": new.state,
        "changed_share": round(share, 3),
        "similarity": round(new.similarity, 3),
        "themes": len(new.themes),
        "shifts": len(shifts),
        "observations": observed,
        "refused": len(refused),
        "provider": provider,
    }
    return Report(True, _summary(new, len(refused)), counts)


def _summary(new: NewDrift, refused: int) -> str:
    if not new.changed_share:
        what = "nothing was to be changed"
    elif new.state == "proposed":
        what = f"{new.changed_share:.0%} of the text would change, which waits for the owner (`furoshiki self`)"
    else:
        what = f"{new.changed_share:.0%} of the text changed"
    return f"{what}; {plural(refused, 'sentence')} refused"


def _notes(seen: Seen) -> list[Ground]:
    """Return notes on how the change came about."""
    notes = [self_description.BY_HAND] if seen.by_hand else []
    notes += [f"{STALE}: {one}" for one in seen.stale]
    return [Ground(note, kind="note") for note in notes]


def _ground(db: sqlite3.Connection, seen: Seen, read: Read, kind: drift.Because) -> Ground:
    """Return a finding with the turns behind it that still exist."""
    wanted = sorted({turn for name in read.cites for turn in seen.turns.get(name, ())})
    held = sorted(turn.id for turn in turns.many(db, wanted))
    return Ground(read.text, read.cites, tuple(held), kind)


def _observe(db: sqlite3.Connection, shift: Ground, now: datetime) -> bool:
    """Store a shift as a self-observation at the reflection's time, if it is new, has turns and is
    not forgotten."""
    rests = shift.turns[-MOST_TURNS:]
    if not rests:
        return False
    earlier = [memory.content for memory in drift.self_observations(db, now - NOT_AGAIN)]
    said_at = max(turn.at for turn in turns.many(db, list(rests)))
    if any(insights.same(shift.text, one) for one in earlier) or tombstones.is_buried(
        db, "memory", shift.text, said_at
    ):
        return False
    basis = {"rests_on": list(shift.cites), "seen_at": stamp(now)}
    memory_id = drift.observe(
        db, shift.text, rests, now, valid_from=now, confidence=CONFIDENCE, importance=0.5, metadata=basis
    )
    for memory in memories.of_ids(db, refs.rows(shift.cites, "memory")):
        if memory.status == "active":
            links.link(db, memory_id, memory.id, "informed_by", CONFIDENCE, now)
    return True


def _reject(db: sqlite3.Connection, world: World, seen: Seen, kind: str, refusal: Refused) -> None:
    """List a rejection with the turns it cites, so that it is forgotten with them."""
    cited = sorted({turn for name in refusal.read.cites for turn in seen.turns.get(name, ())})
    text = "(not kept)" if "secret" in refusal.reason else refusal.read.text[:400]
    memories.reject(db, kind, text, cited, refusal.reason, world.now)
