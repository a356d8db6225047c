"""How the companion asks itself: one typed question about what was said, and what of the answer may be kept."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import Any

from furoshiki.core import refs
from furoshiki.core.similarity import dot
from furoshiki.inner_life.nearness import nearness
from furoshiki.language import testimony
from furoshiki.language.grounding import thoughts
from furoshiki.language.grounding.words import Verdict
from furoshiki.language.humanize import dated
from furoshiki.language.testimony import Own
from furoshiki.language.tokens import estimate
from furoshiki.llm.background import OVERNIGHT_S, Unanswered, answered
from furoshiki.llm.values import Answer, Block, Message, Question, Tier
from furoshiki.memory.store import memories
from furoshiki.messages.values import COMPANION, USER, Turn
from furoshiki.retrieval.client import VectorsAway
from furoshiki.user_model import user
from furoshiki.world import World

MATERIAL_TOKENS = 6_000
"""How much of what was said one question may show; the newest of it when it is more."""

LONGEST_TURN_TOKENS = 200

Section = tuple[str, Sequence[str]]


@dataclass(frozen=True)
class Ground:
    """What a thought may rest on: everything that was put before the mind, and how the two are called."""

    said: tuple[Turn, ...]
    zone: tzinfo
    name: str | None
    companion: str
    refused: list[tuple[str, str, tuple[int, ...], str]] = field(default_factory=list)

    @property
    def own(self) -> dict[int, Own]:
        """The user's own words by the id of the message; what they only passed on is not among them."""
        return {turn.id: turn.own for turn in self.said if turn.speaker == USER and turn.own}

    def lines(self, tokens: int = MATERIAL_TOKENS, only: Sequence[Turn] | None = None) -> list[str]:
        """What was said, with ids, cut from its beginning when it is more than a mind should be shown."""
        found: list[str] = []
        for turn in reversed(self.said if only is None else only):
            who = {USER: self.name or "User", COMPANION: self.companion}.get(turn.speaker, turn.speaker)
            at = turn.at.astimezone(self.zone).strftime("%a %-d %b, %H:%M")
            line = f"[{turn.id} · {at}] {who}: {_shown(turn)}"
            tokens -= estimate(line)
            if tokens < 0:
                break
            found.append(line)
        return found[::-1]

    def carries(self, world: World, text: str, cites: Sequence[int], *, claim: bool = False) -> bool:
        """Whether a thought (or a claim, which is never free) may be kept; if not, it is put on the list of refused."""
        unknown = [one for one in cites if one not in self.own]
        cited = [self.own[one] for one in cites if one in self.own]
        told = [
            words
            for turn in self.said
            if (words := testimony.others(turn.text, turn.foreign) if turn.speaker == USER else turn.text)
        ]
        names = tuple(name for name in (self.name, self.companion) if name)
        if unknown and not cited:
            verdict = Verdict(False, f"{unknown[0]} is not a message of the user among those it was shown")
        else:
            ask = thoughts.judge_claim if claim else thoughts.judge
            verdict = ask(text, cited, list(self.own.values()), told, names, nearness(world))
        if not verdict.ok:
            self.refused.append(("claim" if claim else "thought", text, tuple(cites), verdict.reason))
        return verdict.ok

    def cites(self, ids: Sequence[int]) -> tuple[int, ...]:
        """Those of the ids that are messages of the user."""
        return tuple(dict.fromkeys(one for one in ids if one in self.own))

    def list_refused(self, db: sqlite3.Connection, now: datetime) -> None:
        """Write down what was refused, where it can be looked at and nowhere else."""
        for kind, text, cites, reason in self.refused:
            memories.reject(db, kind, text, cites, reason, now)


def ground(world: World, said: Sequence[Turn]) -> Ground:
    """What a thought about these turns may rest on; what the user passed on is somebody else's."""
    with world.database.read() as db:
        name, zone = user.name(db), user.zone(world, db)
    return Ground(tuple(sorted(said, key=lambda one: one.id)), zone, name, world.settings.furoshiki_companion_name)


def _shown(turn: Turn) -> str:
    return testimony.marked(turn.text, turn.foreign, LONGEST_TURN_TOKENS, flat=True)


async def ask(
    world: World,
    part: str,
    answer: type[Any],
    sections: Sequence[Section],
    ground: Ground,
    *,
    tier: Tier,
    material: object = None,
    max_tokens: int,
    plugins: Sequence[tuple[str, str]] = (),
) -> Answer | Unanswered:
    """Put one typed question, beside what `plugins` have to say to it.

    What did not fit twice is told as a system event and tried at the next run.
    """
    now = world.now
    of_night = part == "journal"
    # the night's entry is known by its words where it comes in a batch: a run that is killed and begun again asks alike
    moment = now.replace(minute=0) if of_night else now
    shown = world.prompts.render(
        "inner_monologue/material",
        clock=dated(moment, ground.zone),
        name=ground.name,
        sections=[{"title": title, "lines": list(lines)} for title, lines in sections if lines],
        plugins=plugins,
    )
    instructions = world.prompts.render(f"inner_monologue/{part}", companion=ground.companion)
    question = Question(
        tier=tier,
        purpose=f"inner_monologue.{part}",
        system=(Block(instructions, True),),
        messages=(Message("user", shown),),
        answer=answer,
        max_tokens=max_tokens,
        timeout_s=120.0,
        material=material,
        turn_key=refs.name("inner_monologue", f"{part}:{now.date().isoformat()}"),
        batch_s=OVERNIGHT_S if of_night else 0.0,
    )
    return await answered(world, question, now, "reflection_failed", {"step": part})


def thought_before(world: World, text: str, earlier: Sequence[str]) -> bool:
    """Whether this is one of the earlier thoughts over again."""
    if not earlier:
        return False
    cosines: Mapping[str, float] = {}
    with contextlib.suppress(VectorsAway):
        first, *others = world.vectors.embed([text, *earlier])
        cosines = {one: dot(first, other) for one, other in zip(earlier, others, strict=True)}
    return any(thoughts.same(text, one, cosines.get(one)) for one in earlier)
