"""Each night, look into the open self-questions: search memory, then let a model read the results.

An answer must cite memories and be judged. It becomes a self-observation and closes all equivalent
questions. Questions only the user can answer wait to be asked. Without a model a question stays
open unless a memory answers it explicitly. Each question is one transaction, so an interrupted run
can be repeated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from furoshiki.core import refs
from furoshiki.core.database import events
from furoshiki.core.errors import AnswerUnusable, NoMindAnswered
from furoshiki.core.process.crash_points import point
from furoshiki.core.similarity import Vector
from furoshiki.core.timestamps import name_day
from furoshiki.language import questions
from furoshiki.language.humanize import plural
from furoshiki.memory.rules.one_line import compress
from furoshiki.memory.similarity import embed_english
from furoshiki.memory.store import links, memories, tombstones
from furoshiki.memory.values import Memory, NewMemory
from furoshiki.messages.store import turns
from furoshiki.mind.consolidation.store import synthesis
from furoshiki.mind.consolidation.synthesis.asking import Drawn, build_material, judge
from furoshiki.mind.inner_life.due import QUESTIONS_REST, questions_left
from furoshiki.mind.inner_life.questions.forms import FoundAnswer
from furoshiki.mind.inner_life.store import design_docs, self_questions
from furoshiki.mind.inner_life.store.self_questions import SelfQuestion
from furoshiki.models.llm.background import OVERNIGHT_S, affordable, patiently, together
from furoshiki.models.llm.values import Question, Tier
from furoshiki.owner.user_model import user
from furoshiki.recall.retrieval.recall import recall
from furoshiki.recall.retrieval.values import Scope
from furoshiki.world import Report, World

RECALLED = 12  # memories retrieved for each question
TRIES = 3  # failed nights after which a question goes to the user, if it may be theirs
CONFIDENCE = 0.7  # confidence of an own answer; facts that a model read in messages have 0.9
IMPORTANCE = 0.3  # importance of an answer based on documents alone
OF_ITSELF = "I looked up how I work: "  # the prefix of such an answer as a memory
ANSWERS = "answers"  # the metadata key of a self-observation for the id of its question

Outcome = Literal["answered", "user", "open", "refused", "failed"]


@dataclass(frozen=True)
class Finding:
    """A judged answer: its text, supporting memories and document parts, and a new question."""

    text: str
    cited: tuple[int, ...]
    raises: str | None = None
    parts: tuple[int, ...] = ()


async def process(world: World) -> Report:
    """Look into the due questions and report the number of each outcome."""
    reopened = _reopen(world)
    with world.database.read() as db:
        due = self_questions.to_answer(db, world.now - QUESTIONS_REST, questions_left(db, world.now))
    counts: dict[str, int] = {"answered": 0, "user": 0, "open": 0, "refused": 0, "failed": 0}
    closed = 0
    if world.settings.furoshiki_batch == "on":
        looked = [(question, evidence(world, question.question)) for question in due]
        asked = [_question(world, one, build_material(found, user.zone_of(world))[1]) for one, found in looked if found]
        await together(world, asked, world.now)
    for question in due:
        with world.database.read() as db:
            now = self_questions.get(db, question.id)
        if now is None or now.state not in ("open", "user_required"):
            closed += 1  # closed by an earlier answer
            continue
        outcome = await _look(world, now)
        if outcome == "away":
            break  # no model: the others would wait too
        counts[outcome] += 1
    left = counts["open"] + counts["refused"] + counts["failed"]
    summary = (
        f"{plural(counts['answered'], 'question')} answered, {closed} closed with them, "
        f"{counts['user']} for the user, {left} still open"
    )
    data = {**counts, "closed": closed, "reopened": reopened}
    return Report(bool(due or reopened), summary if due else "no question is open", data)


def _reopen(world: World) -> int:
    """Reopen questions whose answer lost its basis, and mark those answers as past."""
    with world.database.read() as db:
        stale = self_questions.stale(db)
    for question in stale:
        with world.database.write() as db:
            if question.memory_id is not None and self_questions.reopen(db, question.id):
                synthesis.retire(db, question.memory_id, world.now)
            point("questions.before_reopening")
    return len(stale)


async def _look(world: World, question: SelfQuestion) -> Outcome | Literal["away"]:
    """Look into one question; "away" leaves it unchanged until a model is available."""
    found = evidence(world, question.question)
    if not found:
        return in_vain(world, question)
    texts, lines = build_material(found, user.zone_of(world))
    try:
        answer = await _ask(world, question, lines)
    except NoMindAnswered as error:
        return "away" if error.away else in_vain(world, question)
    except AnswerUnusable as error:
        with world.database.write() as db:
            payload = {"question": question.id, "reason": str(error)[:300]}
            events.announce(db, "question_failed", payload, world.now)
            self_questions.record_lookup(db, question.id, world.now)
        return "failed"
    point("questions.answered")
    if answer.verdict == "user":
        return in_vain(world, question, theirs=True)
    text = " ".join((answer.answer or "").split())
    if answer.verdict == "open" or not text:
        return in_vain(world, question)
    (verdict,) = await judge(world, texts, [Drawn(text, answer.memories, question=question.question)])
    if not verdict.ok:
        with world.database.write() as db:
            rests = {turn_id for item in found if item.id in answer.memories for turn_id in item.turn_ids}
            memories.reject(db, "self_answer", text, sorted(rests), verdict.reason, world.now)
            self_questions.record_lookup(db, question.id, world.now)
        return "refused"
    raises = answer.raises if question.kind == "curiosity" else None
    return keep(world, question, Finding(text, verdict.carried_by, raises), texts)


def evidence(world: World, question: str) -> list[Memory]:
    """Return relevant current memories, best first: the user's words and self-observations.

    Answers to other questions are excluded, so that answers do not rest on each other.
    """
    near = recall(world, question, k=RECALLED, now=world.now, scope=Scope(("memory",)))
    ids = [refs.row(item.id) for item in near if not item.past]
    with world.database.read() as db:
        by_id = {memory.id: memory for memory in synthesis.evidence_among(db, ids)}
        for memory in memories.of_ids(db, ids):
            of_oneself = memory.type == "reflection" and memory.category == "self" and ANSWERS not in memory.metadata
            if of_oneself and memory.status == "active":
                by_id[memory.id] = memory
    return [by_id[id_] for id_ in ids if id_ in by_id]


async def _ask(world: World, one: SelfQuestion, lines: Sequence[str]) -> FoundAnswer:
    question = _question(world, one, lines)
    answer: FoundAnswer = (await patiently(world, affordable(world, question, world.now), world.now)).parsed
    return answer


def _question(world: World, question: SelfQuestion, lines: Sequence[str]) -> Question:
    companion = world.settings.furoshiki_companion_name
    with world.database.read() as db:
        name, zone = user.name(db), user.zone(world, db)
    material = world.prompts.render(
        "questions/material",
        day=name_day(world.now, zone),
        name=name,
        times="once" if question.asked < 2 else f"{question.asked} times",
        question=question.question,
        lines=list(lines),
    )
    tier: Tier = "fast" if question.kind == "curiosity" else "reflect"
    system = world.prompts.render("questions/answer", companion=companion)
    key = refs.name("self_question", question.id)
    asked = Question.of(
        tier, "question_processing", system, material, FoundAnswer, max_tokens=500, timeout_s=120.0, turn_key=key
    )
    return replace(asked, batch_s=OVERNIGHT_S)


def keep(world: World, question: SelfQuestion, finding: Finding, known: Mapping[int, str]) -> Outcome:
    """Store an answer as a self-observation and close its equivalent questions, in one transaction.

    An answer from documents alone is stored without the question, whose words may be private and
    could not be forgotten by turn.
    """
    now = world.now
    vector: Vector | None = embed_english(world, [finding.raises])[0] if finding.raises else None
    with world.database.write() as db:
        held = self_questions.get(db, question.id)
        if held is None or held.state not in ("open", "user_required"):
            return "open"  # another run was quicker
        cited = [memory for memory in memories.of_ids(db, finding.cited) if memory.status == "active"]
        if [memory.content for memory in cited] != [known[id_] for id_ in sorted(finding.cited)]:
            return "open"  # the evidence changed in the meantime: try again later
        if design_docs.of_ids(db, finding.parts).keys() != set(finding.parts):
            return "open"
        turn_ids = tuple(sorted({turn_id for memory in cited for turn_id in memory.turn_ids}))
        text = f"I asked myself: {question.question} {finding.text}" if turn_ids else f"{OF_ITSELF}{finding.text}"
        said_at = max((turn.at for turn in turns.many(db, list(turn_ids))), default=None)
        if tombstones.is_buried(db, "memory", text, said_at) or tombstones.is_buried(
            db, "memory", finding.text, said_at
        ):
            self_questions.drop(db, question.id)  # the user wanted it forgotten
            return "open"
        memory_id = memories.add(
            db,
            NewMemory(
                type="reflection",
                content=text,
                turn_ids=turn_ids,
                source_tag=synthesis.DERIVED,
                category="self",
                valid_from=now,
                confidence=CONFIDENCE,
                compressed=compress(finding.text),
                importance=max((memory.importance for memory in cited), default=IMPORTANCE),
                metadata={ANSWERS: question.id, "rests_on": list(finding.cited)}
                | ({memories.DESIGN: list(finding.parts)} if finding.parts else {}),
            ),
            now,
        )
        for memory in cited:
            links.link(db, memory_id, memory.id, "informed_by", CONFIDENCE, now)
        self_questions.answer(db, question.id, finding.text, memory_id, now)
        if finding.raises:
            self_questions.add(db, finding.raises, refs.name("self_questions", question.id), now, vector=vector)
        point("questions.before_commit")
    point("questions.kept")
    return "answered"


def in_vain(world: World, question: SelfQuestion, *, theirs: bool = False) -> Outcome:
    """Record a failed attempt, and queue a question that is or by now may be the user's."""
    by_rule = questions.resolver(question.question)
    often = question.tried + 1 >= TRIES and question.triage != "self"
    with world.database.write() as db:
        self_questions.record_lookup(db, question.id, world.now)
        put = question.state == "open" and by_rule != "self" and (theirs or by_rule == "user" or often)
        priority = world.laws.queue.priority[question.kind]
        queued = put and self_questions.to_user(db, question.id, world.now, priority=priority)
        point("questions.before_commit")
    return "user" if queued else "open"
