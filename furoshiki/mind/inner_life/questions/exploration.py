"""By day, look up one curiosity that the companion can resolve by itself.

The soul engine calls this after its tick. Evidence comes from memory and the companion's own
documents; a model concludes and cites, and rules judge. An answer becomes a self-observation and
closes the question. Without a model the question stays open unless the evidence is explicit.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from furoshiki.core import refs
from furoshiki.core.process.crash_points import point
from furoshiki.core.timestamps import name_day
from furoshiki.language.tables.function_words import STOP_WORDS
from furoshiki.language.tokens import cut
from furoshiki.memory.rules.in_words import describe_memory_day
from furoshiki.memory.store import memories
from furoshiki.memory.values import Memory
from furoshiki.mind.consolidation.synthesis.asking import Drawn, judge
from furoshiki.mind.inner_life import due
from furoshiki.mind.inner_life.questions import processing
from furoshiki.mind.inner_life.questions.forms import Exploration
from furoshiki.mind.inner_life.questions.processing import Finding, Outcome
from furoshiki.mind.inner_life.self_model.document_search import look_up
from furoshiki.mind.inner_life.store import explorations, self_questions
from furoshiki.mind.inner_life.store.design_docs import Part
from furoshiki.mind.inner_life.store.self_questions import SelfQuestion
from furoshiki.models.llm.background import Unanswered, ask_mind
from furoshiki.models.llm.store import waits
from furoshiki.models.llm.values import Question
from furoshiki.owner.user_model import user
from furoshiki.recall.retrieval.store import full_text
from furoshiki.world import World

# -- which cited evidence may support an answer; a judge decides afterwards --
#
# Evidence is cited by name ("memory:3", "design:12"). Documents describe the companion only: a
# statement about a person needs memories, and an answer based on documents alone must be about the
# companion.


_OF_ONESELF = re.compile(r"\b(?:i|me|my|mine|myself)\b", re.IGNORECASE)
_OF_SOMEBODY = re.compile(
    r"\b(?:they|them|their|theirs|themselves|he|him|his|she|hers?|you|yours?|we|us|our|ours|somebody|someone"
    r"|the (?:user|person|owner|human)(?:'s|\u2019s)?|(?:users?|persons?|owners?|people|friends?|famil(?:y|ies)))\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"\b[^\W\d_a-z][\w\u2019'-]+")


@dataclass(frozen=True)
class Found:
    """An answer: its text and the names it cites."""

    text: str
    cites: Sequence[str]


@dataclass(frozen=True)
class Judged:
    """The memories and document parts that support an answer, by id, or the reason to reject it."""

    memories: tuple[int, ...] = ()
    parts: tuple[int, ...] = ()
    reason: str = ""

    @property
    def ok(self) -> bool:
        """Return whether the answer may be believed."""
        return not self.reason


def find_support(result: Found, shown: Mapping[str, str], names: Collection[str] = ()) -> Judged:
    """Return the cited evidence that may support an answer; `shown` holds texts by name.

    `names` are known names of people: the user's, and those in the answer that the user ever said.
    """
    cites = tuple(dict.fromkeys(result.cites))
    unknown = next((name for name in cites if name not in shown), None)
    if unknown is not None:
        return Judged(reason=f"there is no {unknown} among what was shown")
    if not cites:
        return Judged(reason="it rests on nothing")
    somebody = of_somebody(result.text, names)
    memories, parts = tuple(refs.rows(cites, "memory")), tuple(refs.rows(cites, "design"))
    if somebody and not memories:
        return Judged(reason=f"it speaks of {somebody!r} and rests on no memory")
    if not memories and not _OF_ONESELF.search(result.text):
        return Judged(reason="it rests on documents alone and does not speak of the companion")
    return Judged(memories, () if somebody else parts)


def of_somebody(text: str, names: Collection[str] = ()) -> str | None:
    """Return the first word about anyone but the companion; None without one."""
    match = _OF_SOMEBODY.search(text)
    if match is not None:
        return match.group()
    known = {name.casefold() for name in names}
    return next((name for name in capitals(text) if name.casefold() in known), None)


def capitals(text: str) -> list[str]:
    """Return the words of a text that may be names."""
    found = [match.group().removesuffix("'s").removesuffix("\u2019s") for match in _NAME.finditer(text)]
    return [word for word in found if word.casefold() not in STOP_WORDS]


PARTS = 4  # parts of documents shown

LONGEST_TOKENS = 200
TIMEOUT_S = 40.0  # timeout in seconds: the soul engine has two minutes in total

PURPOSE = "self_exploration"


@dataclass(frozen=True)
class Evidence:
    """The evidence for a question: memories and document parts, best first."""

    memories: Sequence[Memory]
    parts: Sequence[Part]

    @property
    def shown(self) -> dict[str, str]:
        """Return the text of each item by its name."""
        found = {refs.name("memory", memory.id): memory.content for memory in self.memories}
        return found | {refs.name("design", part.id): f"{part.heading}\n{part.text}" for part in self.parts}


async def explore(world: World) -> Outcome | None:
    """Explore the next curiosity if the day's limit allows. Returns the outcome; None when nothing
    happened, for example while a model is away."""
    now = world.now
    with world.database.read() as db:
        question = due.next_curiosity(db, now)
    if question is None:
        return None
    evidence = Evidence(processing.evidence(world, question.question), look_up(world, question.question, PARTS))
    if not evidence.shown:
        return processing.in_vain(world, question)
    with world.database.read() as db:
        waiting = waits.of(db, PURPOSE, now)
    if waiting is not None:
        return None
    with world.database.write() as db:
        explorations.begin(db, now)
        point("exploring.before_begun")
    point("exploring.begun")
    read = await _ask(world, question, evidence)
    if isinstance(read, Unanswered):
        if read.away:
            return None
        if read.nobody:
            return processing.in_vain(world, question)
        with world.database.write() as db:
            self_questions.record_lookup(db, question.id, now)
        return "failed"
    point("exploring.answered")
    if read.verdict == "user":
        return processing.in_vain(world, question, theirs=True)
    text = " ".join((read.answer or "").split())
    if read.verdict == "open" or not text:
        return processing.in_vain(world, question)
    cites = [name.strip("[] ") for name in read.cites]  # as written in the material, including brackets
    result = Found(text, cites)
    return _settle(
        world, question, evidence, result, await _judge_answer(world, question, result, evidence.shown), read.raises
    )


def _settle(
    world: World,
    question: SelfQuestion,
    evidence: Evidence,
    result: Found,
    verdict: Judged,
    raises: str | None = None,
) -> Outcome:
    if not verdict.ok:
        cited = [memory for memory in evidence.memories if refs.name("memory", memory.id) in result.cites]
        rests = sorted(
            {turn_id for memory in cited for turn_id in memory.turn_ids}
        )  # so that it is forgotten with them
        with world.database.write() as db:
            memories.reject(db, "self_exploration", result.text, rests, verdict.reason, world.now)
            self_questions.record_lookup(db, question.id, world.now)
            point("exploring.before_refused")
        return "refused"
    known = {memory.id: memory.content for memory in evidence.memories}
    return processing.keep(world, question, Finding(result.text, verdict.memories, raises, verdict.parts), known)


async def _judge_answer(world: World, question: SelfQuestion, result: Found, shown: Mapping[str, str]) -> Judged:
    """Judge an answer by its subject and its citations."""
    verdict = _find_support(world, result, shown)
    if not verdict.ok:
        return verdict
    names = [*refs.names("memory", verdict.memories), *refs.names("design", verdict.parts)]
    known = {-number: shown[name] for number, name in enumerate(names, start=1)}
    (judgement,) = await judge(world, known, [Drawn(result.text, list(known), question=question.question)])
    return verdict if judgement.ok else Judged(reason=judgement.reason)


def _find_support(world: World, result: Found, shown: Mapping[str, str]) -> Judged:
    with world.database.read() as db:
        spoken = [name for name in capitals(result.text) if full_text.times_said(db, name.casefold(), 1)]
        own = user.name(db)
    return find_support(result, shown, [*spoken, *(own.split() if own else ())])


async def _ask(world: World, one: SelfQuestion, evidence: Evidence) -> Exploration | Unanswered:
    companion = world.settings.furoshiki_companion_name
    with world.database.read() as db:
        name, zone = user.name(db), user.zone(world, db)

    def line(memory: Memory) -> str:
        words = cut(" ".join(memory.content.split()), LONGEST_TOKENS)
        return f"[{refs.name('memory', memory.id)} · {describe_memory_day(memory, zone)}] {words}"

    material = world.prompts.render(
        "questions/found",
        day=name_day(world.now, zone),
        name=name,
        question=one.question,
        memories=list(map(line, evidence.memories)),
        documents=[f"[{refs.name('design', part.id)} · {part.heading}] {part.text}" for part in evidence.parts],
    )
    system = world.prompts.render("questions/exploration", companion=companion)
    key = refs.name("self_question", one.id)
    question = Question.of(
        "fast", PURPOSE, system, material, Exploration, max_tokens=500, timeout_s=TIMEOUT_S, turn_key=key
    )
    answer = await ask_mind(world, question, world.now, "exploration_failed", {"question": one.id})
    return answer if isinstance(answer, Unanswered) else answer.parsed
