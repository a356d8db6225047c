"""Ask one typed question about memories for a consolidation step, or give up for this run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from typing import Any

from furoshiki.core import refs
from furoshiki.core.timestamps import name_day
from furoshiki.language.grounding.insights import Judgement, unfit
from furoshiki.language.tokens import cut, take_fitting
from furoshiki.memory.grounding import believing
from furoshiki.memory.grounding.believing import Claim
from furoshiki.memory.grounding.rules.conversation import DATED, RECORD, Conversation, make_record
from furoshiki.memory.rules.in_words import describe_memory_day, find_day
from furoshiki.memory.store import memories as memory_store
from furoshiki.memory.values import Memory
from furoshiki.memory.weighing import Cycle
from furoshiki.models.llm.background import STEP_S, Unanswered, ask_mind
from furoshiki.models.llm.values import Answer, Question, Tier
from furoshiki.owner.user_model import user
from furoshiki.world import World

MATERIAL_TOKENS = 6_000  # maximum tokens of memories in one question

LONGEST_MEMORY_TOKENS = 80

# the reason for skipping a step when no model is available; details follow
UNABLE = "no model that can do this"

Section = tuple[str, Sequence[str]]


@dataclass(frozen=True)
class Part:
    """A part of consolidation that asks a model: the name of its instructions, and the answer's form,
    tier and most tokens."""

    name: str
    answer: type[Any]
    tier: Tier
    max_tokens: int


async def ask(world: World, cycle: Cycle, part: Part, sections: Sequence[Section]) -> Answer | Unanswered:
    """Ask one typed question with the instructions of `part` and the given sections.

    A second invalid answer is recorded as a system event and retried at the next run.
    """
    question = question_of(world, cycle, part, sections)
    about = {"step": part.name, "cycle": cycle.id}
    answered = await ask_mind(world, question, cycle.now, "consolidation_failed", about)
    if isinstance(answered, Unanswered) and answered.nobody:
        return Unanswered(f"{UNABLE}: {answered.reason}", nobody=True, away=answered.away)
    return answered


def count_outcome(counts: dict[str, int], outcome: str | Unanswered) -> str | None:
    """Count an outcome, or that the question is left for the next run. Returns why the step cannot
    continue when no model is available."""
    if not isinstance(outcome, Unanswered):
        counts[outcome] += 1
        return None
    if outcome.nobody:
        return outcome.reason
    counts["left"] += 1
    return None


def question_of(world: World, cycle: Cycle, part: Part, sections: Sequence[Section]) -> Question:
    """Build the question for `ask`."""
    companion = world.settings.furoshiki_companion_name
    with world.database.read() as db:
        name, zone = user.name(db), user.zone(world, db)
    shown = world.prompts.render(
        "consolidation/material",
        day=name_day(cycle.now, zone),
        name=name,
        sections=[{"title": title, "lines": list(lines)} for title, lines in sections],
    )
    purpose, key = f"consolidation.{part.name}", refs.name("consolidation", cycle.id)
    system, asked = world.prompts.render(f"consolidation/{part.name}", companion=companion), part.max_tokens
    question = Question.of(
        part.tier, purpose, system, shown, part.answer, max_tokens=asked, timeout_s=120.0, turn_key=key
    )
    return replace(question, batch_s=STEP_S)


def build_material(
    memories: Sequence[Memory], zone: tzinfo, tokens: int = MATERIAL_TOKENS
) -> tuple[dict[int, str], list[str]]:
    """Return memories by id and as lines for a model, in order, within the token budget."""
    lines = take_fitting((_describe_memory(memory, zone) for memory in memories), tokens)
    return {memory.id: memory.content for memory in memories[: len(lines)]}, lines


def _describe_memory(memory: Memory, zone: tzinfo) -> str:
    words = cut(" ".join(memory.content.split()), LONGEST_MEMORY_TOKENS)
    return f"[{memory.id} · {describe_memory_day(memory, zone)}] {words}"


@dataclass(frozen=True)
class Drawn:
    """A conclusion from memories: its text, citations, the minimum number of supporting ones,
    whether it must exceed each, and the question it answers, if any."""

    text: str
    cited: Sequence[int]
    least: int = 1
    new: bool = False
    question: str = ""

    @property
    def told(self) -> str:
        """Return the text as shown to a reader."""
        return f"{self.question} {self.text}".strip()


async def judge(world: World, known: Mapping[int, str], drawn: Sequence[Drawn]) -> list[Judgement]:
    """Judge each conclusion, in order; only certain ones may be stored. One question at most.

    `known` holds the texts of all shown memories by id; other texts have ids below zero.
    """
    reasons = [unfit(one.text, one.cited, known, one.least, new=one.new) for one in drawn]
    places = [place for place, reason in enumerate(reasons) if not reason]
    if places:
        companion = world.settings.furoshiki_companion_name
        with world.database.read() as db:
            name, zone = user.name(db), user.zone(world, db)
            day_of = {memory.id: find_day(memory) for memory in memory_store.of_ids(db, list(known))}
        lines = [
            make_record(id_, text, day_of.get(id_, world.now), DATED if id_ in day_of else RECORD)
            for id_, text in known.items()
        ]
        claims = [Claim(drawn[place].told, "insight", tuple(drawn[place].cited)) for place in places]
        system = world.prompts.render("consolidation/reader", companion=companion, name=name)
        talk = Conversation(lines, zone, name or "", companion, [one.question for one in drawn if one.question])
        for place, judgement in zip(
            places, await believing.judge_claims(world, talk, claims, system=system), strict=True
        ):
            reasons[place] = "" if judgement.outcome == "known" else judgement.reason
    return [
        Judgement((), reason) if reason else Judgement(tuple(dict.fromkeys(one.cited)))
        for one, reason in zip(drawn, reasons, strict=True)
    ]
