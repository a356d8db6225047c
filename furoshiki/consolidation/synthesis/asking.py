"""How a step of consolidation asks: one typed question over memories, answered, or given up for this run."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any

from furoshiki.core import refs
from furoshiki.core.similarity import dot
from furoshiki.grounding import believing
from furoshiki.grounding.believing import Claim
from furoshiki.grounding.rules.conversation import Conversation, recorded
from furoshiki.language.grounding.insights import Evidence
from furoshiki.language.tokens import cut, estimate
from furoshiki.llm.background import STEP_S, Unanswered, answered
from furoshiki.llm.values import Answer, Block, Message, Question, Tier
from furoshiki.memory.values import Memory
from furoshiki.memory.weighing import Cycle
from furoshiki.retrieval.client import VectorsAway
from furoshiki.user_model import user
from furoshiki.world import World

MATERIAL_TOKENS = 6_000
"""How much of memory one question may show."""

LONGEST_MEMORY_TOKENS = 80

UNABLE = "no model that can do this"
"""Why a step is skipped when nobody could be asked; the reason follows."""

Section = tuple[str, Sequence[str]]


async def ask(
    world: World,
    cycle: Cycle,
    part: str,
    answer: type[Any],
    sections: Sequence[Section],
    *,
    tier: Tier,
    material: object,
    max_tokens: int,
) -> Answer | Unanswered:
    """Put one typed question: the instructions of `part`, and the sections of what it is about.

    An answer that did not fit twice is told as a system event and left for the next run.
    """
    question = question_of(world, cycle, part, answer, sections, tier=tier, material=material, max_tokens=max_tokens)
    about = {"step": part, "cycle": cycle.id}
    found = await answered(world, question, cycle.now, "consolidation_failed", about)
    if isinstance(found, Unanswered) and found.nobody:
        return Unanswered(f"{UNABLE}: {found.reason}", nobody=True, away=found.away)
    return found


def question_of(
    world: World,
    cycle: Cycle,
    part: str,
    answer: type[Any],
    sections: Sequence[Section],
    *,
    tier: Tier,
    material: object,
    max_tokens: int,
) -> Question:
    """The question as `ask` puts it."""
    companion = world.settings.furoshiki_companion_name
    with world.database.read() as db:
        name, zone = user.name(db), user.zone(world, db)
    shown = world.prompts.render(
        "consolidation/material",
        day=_day(cycle.now, zone),
        name=name,
        sections=[{"title": title, "lines": list(lines)} for title, lines in sections],
    )
    return Question(
        tier=tier,
        purpose=f"consolidation.{part}",
        system=(Block(world.prompts.render(f"consolidation/{part}", companion=companion), True),),
        messages=(Message("user", shown),),
        answer=answer,
        max_tokens=max_tokens,
        timeout_s=120.0,
        material=material,
        turn_key=refs.name("consolidation", cycle.id),
        batch_s=STEP_S,
    )


def shown(memories: Sequence[Memory], zone: tzinfo, tokens: int = MATERIAL_TOKENS) -> tuple[list[Evidence], list[str]]:
    """Memories as evidence and as lines for a mind, in the order given, until the budget is spent."""
    known, lines = [], []
    for one in memories:
        text = cut(" ".join(one.content.split()), LONGEST_MEMORY_TOKENS)
        line = f"[{one.id} · {_day(one.event_time or one.valid_from or one.created_at, zone)}] {text}"
        tokens -= estimate(line)
        if tokens < 0:
            break
        known.append(Evidence(one.id, one.content, one.created_at))
        lines.append(line)
    return known, lines


def likeness(world: World, text: str, known: Mapping[int, str]) -> dict[int, float] | None:
    """The cosine of a text to each of these; None while nobody embeds, so that words alone must do."""
    with contextlib.suppress(VectorsAway):
        ids = list(known)
        first, *others = world.vectors.embed([text, *(known[one] for one in ids)])
        return {one: dot(first, other) for one, other in zip(ids, others, strict=True)}
    return None


async def read(
    world: World, cycle: Cycle, known: Mapping[int, str], found: Sequence[tuple[str, Sequence[int]]]
) -> list[str | None]:
    """What a reader that wrote none of it says of each conclusion from memories: "" where it follows from those it
    cites, else why not; None where nobody says anything."""
    asked = [at for at, (_, cited) in enumerate(found) if cited and all(one in known for one in cited)]
    if not asked:
        return [None for _ in found]
    companion = world.settings.furoshiki_companion_name
    with world.database.read() as db:
        name, zone = user.name(db), user.zone(world, db)
    talk = Conversation([recorded(id_, text, cycle.now) for id_, text in known.items()], zone, name or "", companion)
    claims = [Claim(found[at][0], "insight", tuple(found[at][1])) for at in asked]
    system = world.prompts.render("consolidation/reader", companion=companion, name=name)
    judged = dict(zip(asked, await believing.read(world, talk, claims, system), strict=True))
    verdicts = [judged.get(at) for at in range(len(found))]
    return [None if one is None else "" if one.outcome == "known" else one.reason for one in verdicts]


def zone_of(world: World) -> tzinfo:
    """The user's time zone."""
    with world.database.read() as db:
        return user.zone(world, db)


def _day(at: datetime, zone: tzinfo) -> str:
    return at.astimezone(zone).strftime("%-d %B %Y")
