"""What the companion is curious about and can find out by itself is looked up by day, one thing at a time.

The soul engine calls it after its tick. Evidence is what memory and the companion's own documents bring up; a mind says
what follows, naming what it rests on, and rules judge that. An answer becomes a self-observation and closes the
question like one that was found at night. Without a model only what answers plainly counts; else it stays open.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from furoshiki.core import refs
from furoshiki.core.process.crash_points import point
from furoshiki.language.tokens import cut
from furoshiki.memory.store import memories
from furoshiki.memory.values import Memory
from furoshiki.mind.consolidation.synthesis.asking import Drawn, judge
from furoshiki.mind.inner_life import due
from furoshiki.mind.inner_life.questions import processing
from furoshiki.mind.inner_life.questions.forms import Exploration
from furoshiki.mind.inner_life.questions.processing import Finding, Outcome
from furoshiki.mind.inner_life.rules import exploration as exploration_rules
from furoshiki.mind.inner_life.self_model.document_search import look_up
from furoshiki.mind.inner_life.store import explorations, self_questions
from furoshiki.mind.inner_life.store.design_docs import Part
from furoshiki.mind.inner_life.store.self_questions import SelfQuestion
from furoshiki.models.llm.background import Unanswered, ask_mind
from furoshiki.models.llm.store import waits
from furoshiki.models.llm.values import Block, Message, Question
from furoshiki.owner.user_model import user
from furoshiki.recall.retrieval.store import full_text
from furoshiki.world import World

PARTS = 4
"""Parts of documents that are shown."""

LONGEST_TOKENS = 200
TIMEOUT_S = 40.0
"""The soul engine has two minutes for everything."""

PURPOSE = "self_exploration"


@dataclass(frozen=True)
class Evidence:
    """What came up for a question, memories and parts of documents, best first."""

    memories: Sequence[Memory]
    parts: Sequence[Part]

    @property
    def shown(self) -> dict[str, str]:
        """The words of each by its name."""
        found = {refs.name("memory", one.id): one.content for one in self.memories}
        return found | {refs.name("design", one.id): f"{one.heading}\n{one.text}" for one in self.parts}


async def explore(world: World) -> Outcome | None:
    """Look into the next curiosity, if there is one and there were not many today. Returns what became of it; None when
    nothing did, also because a model is away."""
    now = world.now
    with world.database.read() as db:
        one = _next(world, db)
    if one is None:
        return None
    evidence = Evidence(processing.evidence(world, one.question), look_up(world, one.question, PARTS))
    if not evidence.shown:
        return processing.in_vain(world, one)
    with world.database.read() as db:
        waiting = waits.of(db, PURPOSE, now)
    if waiting is not None:
        return None
    with world.database.write() as db:
        explorations.begin(db, now)
        point("exploring.before_begun")
    point("exploring.begun")
    read = await _ask(world, one, evidence)
    if isinstance(read, Unanswered):
        if read.away:
            return None
        if read.nobody:
            return processing.in_vain(world, one)
        with world.database.write() as db:
            self_questions.record_lookup(db, one.id, now)
        return "failed"
    point("exploring.answered")
    if read.verdict == "user":
        return processing.in_vain(world, one, theirs=True)
    text = " ".join((read.answer or "").split())
    if read.verdict == "open" or not text:
        return processing.in_vain(world, one)
    cites = [name.strip("[] ") for name in read.cites]  # as they stand in the material, brackets and all
    found = exploration_rules.Found(text, cites)
    return _settle(world, one, evidence, found, await _judge_answer(world, one, found, evidence.shown), read.raises)


def _next(world: World, db: sqlite3.Connection) -> SelfQuestion | None:
    """The curiosity to explore now; None when there is none or today was full."""
    if not due.may_explore(db, world.now):
        return None
    return self_questions.to_explore(db, world.now - due.EXPLORED_AGAIN, due.EXPLORED_AT_MOST)


def _settle(
    world: World,
    one: SelfQuestion,
    evidence: Evidence,
    found: exploration_rules.Found,
    verdict: exploration_rules.Judged,
    raises: str | None = None,
) -> Outcome:
    if not verdict.ok:
        cited = [one for one in evidence.memories if refs.name("memory", one.id) in found.cites]
        rests = sorted({turn_id for one in cited for turn_id in one.turn_ids})  # so that it is forgotten with them
        with world.database.write() as db:
            memories.reject(db, "self_exploration", found.text, rests, verdict.reason, world.now)
            self_questions.record_lookup(db, one.id, world.now)
            point("exploring.before_refused")
        return "refused"
    known = {memory.id: memory.content for memory in evidence.memories}
    return processing.keep(world, one, Finding(found.text, verdict.memories, raises, verdict.parts), known)


async def _judge_answer(
    world: World, one: SelfQuestion, found: exploration_rules.Found, shown: Mapping[str, str]
) -> exploration_rules.Judged:
    """Whether an answer may be believed: by whom it speaks of, and by what it cites."""
    verdict = _find_support(world, found, shown)
    if not verdict.ok:
        return verdict
    names = [*refs.names("memory", verdict.memories), *refs.names("design", verdict.parts)]
    known = {number: shown[name] for number, name in enumerate(names, start=1)}
    (read,) = await judge(world, known, [Drawn(found.text, list(known), question=one.question)])
    return verdict if read.ok else exploration_rules.Judged(reason=read.reason)


def _find_support(world: World, found: exploration_rules.Found, shown: Mapping[str, str]) -> exploration_rules.Judged:
    with world.database.read() as db:
        spoken = [
            name for name in exploration_rules.capitals(found.text) if full_text.times_said(db, name.casefold(), 1)
        ]
        own = user.name(db)
    return exploration_rules.find_support(found, shown, [*spoken, *(own.split() if own else ())])


async def _ask(world: World, one: SelfQuestion, evidence: Evidence) -> Exploration | Unanswered:
    companion = world.settings.furoshiki_companion_name
    with world.database.read() as db:
        name, zone = user.name(db), user.zone(world, db)

    def day(memory: Memory) -> str:
        at = memory.event_time or memory.valid_from or memory.created_at
        return at.astimezone(zone).strftime("%-d %B %Y")

    def line(memory: Memory) -> str:
        words = cut(" ".join(memory.content.split()), LONGEST_TOKENS)
        return f"[{refs.name('memory', memory.id)} · {day(memory)}] {words}"

    material = world.prompts.render(
        "questions/found",
        day=world.now.astimezone(zone).strftime("%-d %B %Y"),
        name=name,
        question=one.question,
        memories=[line(memory) for memory in evidence.memories],
        documents=[f"[{refs.name('design', part.id)} · {part.heading}] {part.text}" for part in evidence.parts],
    )
    question = Question(
        tier="fast",
        purpose=PURPOSE,
        system=(Block(world.prompts.render("questions/exploration", companion=companion), True),),
        messages=(Message("user", material),),
        answer=Exploration,
        max_tokens=500,
        timeout_s=TIMEOUT_S,
        turn_key=refs.name("self_question", one.id),
    )
    found = await ask_mind(world, question, world.now, "exploration_failed", {"question": one.id})
    if isinstance(found, Unanswered):
        return found
    read: Exploration = found.parsed
    return read
