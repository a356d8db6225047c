"""Second thoughts: an answer on which much hangs, or which is unsure, is thought over once before it counts.

The mind that thinks it over sees the message, the draft and what is on record about it: no history,
no identity and no skills. The quick mind goes over an unsure draft first; where that is not enough,
the slow one judges it and says what was wrong, in a sentence that is kept
(`store/reflection_bank.py`) and shown the next time something near is asked.

Most answers give no reason and pay a millisecond. The rest is bounded: in time, in number a day, by the day's budget.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from time import perf_counter
from typing import Any

from furoshiki.conversation.acting.rules import confidence
from furoshiki.conversation.acting.rules.confidence import Confidence, Trigger
from furoshiki.conversation.acting.store import reflection_bank
from furoshiki.conversation.acting.store import second_thoughts as store
from furoshiki.conversation.acting.store.reflection_bank import Kept
from furoshiki.core.errors import AnswerUnusable, NoMindAnswered
from furoshiki.core.framing import strip_tags
from furoshiki.core.similarity import Vector, cosine
from furoshiki.core.visible import is_blank
from furoshiki.language.grounding.words import content_of, stems_of
from furoshiki.language.tables.stop_words import STOP_WORDS
from furoshiki.language.tokens import cut
from furoshiki.language.words import count_words
from furoshiki.memory.rules.focus import overlap
from furoshiki.memory.store import memories
from furoshiki.models.llm.values import Answer, Block, Message, Question
from furoshiki.world import World

log = logging.getLogger(__name__)

PURPOSE = "second_thoughts"
"""What the slow judgement is booked under; the quick one is "second_thoughts.again"."""

AGAIN = "second_thoughts.again"

MOST_A_DAY = 10
"""Answers a mind is asked about again within a day."""

QUICK_S, DEADLINE_S = 8.0, 20.0
"""Seconds the quick pass may take, and both of them: then the draft stands as it is."""

LOOK_SECONDS = 0.1
"""How often it is looked whether the person pressed stop."""

TOKENS = 1024
LONGEST_SEEN_TOKENS = 1500
EVIDENCE = 10
EVIDENCE_TOKENS = 60

GROWTH = 3.0
"""A revised answer that is so many times longer than the draft, and a few hundred characters, is none."""
GROWTH_FREE = 400

SHRINKS = 3.0
"""One that is so many times shorter than what a draft has beyond a few sentences is none either."""
SHRINKS_FREE = 200

SHOWN = 3
"""Corrections put before a mind."""

NEAR, NEAR_BY_WORDS = 0.55, 0.3
"""From this cosine, or this share of words in common, on a correction is near to what is said."""


@dataclass(frozen=True)
class Asked:
    """A message as second thoughts see it: its key, the owner's own words in it, all of it as it may be shown, the
    stems of their own words, what of the message alone is a reason to think twice, and what is on record about it, as
    lines and as facts with their stems. `grown` is how mature the companion is, in [0, 1]. `others` says that words of
    others came with it or are told of; `rests_on` are the names of facts among the lines."""

    key: str
    said: str
    shown: str
    content: frozenset[str]
    triggers: frozenset[Trigger]
    knowing: float
    evidence: tuple[str, ...] = ()
    known: tuple[tuple[str, frozenset[str]], ...] = ()
    grown: float = 0.0
    usual_words: float = 0.0
    others: bool = False
    rests_on: tuple[str, ...] = ()


@dataclass(frozen=True)
class Checked:
    """What came of looking twice. `text` is what is to be said in place of the draft, `explanation` what is to be added
    when the draft was seen by then, both empty when the draft stands. `record` goes on record; None where there was no
    reason to look."""

    text: str = ""
    explanation: str = ""
    correction: str = ""
    record: Mapping[str, Any] | None = None


NOTHING = Checked()


def build_case(
    key: str,
    said: str,
    shown: str,
    *,
    knowing: float,
    meant: Mapping[str, float],
    corrects: bool,
    orders: bool,
    evidence: Sequence[str],
    facts: Sequence[tuple[str, str | None]],
    grown: float,
    answers: Sequence[str],
) -> Asked:
    """A message with all that its answer is judged by. `meant` is what it means to do; `facts` are texts with their
    categories; `answers` the last ones that the companion gave."""
    content = content_of(said, _SMALL)
    known = tuple((text, content_of(text, _SMALL)) for text, _ in facts)
    goals = [stems for (_, stems), (_, category) in zip(known, facts, strict=True) if category in GOALS]
    lengths = sorted(map(count_words, answers))
    return Asked(
        key=key,
        said=said,
        shown=shown,
        content=content,
        triggers=confidence.of_message(said, content, knowing, meant, goals=goals, corrects=corrects, orders=orders),
        knowing=knowing,
        evidence=tuple(evidence[:EVIDENCE]),
        known=known,
        grown=grown,
        usual_words=float(lengths[len(lengths) // 2]) if len(lengths) >= LEAST_ANSWERS else 0.0,
    )


GOALS = frozenset({"plan", "goal"})
LEAST_ANSWERS = 4


def grown(db: sqlite3.Connection) -> float:
    """How mature the companion is, in [0, 1]."""
    return confidence.maturity(memories.count_to(db, confidence.GROWN_AT), store.density(db))


def holds_back(world: World, about: Asked) -> bool:
    """Whether the answer is to be thought over before any of it is seen: the message alone is reason enough."""
    return world.settings.furoshiki_second_thoughts and confidence.escalates(about.triggers)


async def think(
    world: World, about: Asked, draft: str, *, logprob: float | None, seen: bool, stopped: Callable[[], bool]
) -> Checked:
    """Look twice at a draft where there is reason to. `seen` says that they have read of it by now: then nothing takes
    its place. Never raises for a mind that is away, slow, or answers nonsense: the draft stands then."""
    if not world.settings.furoshiki_second_thoughts or is_blank(draft):
        return NOTHING
    began = perf_counter()
    limit = confidence.threshold(about.grown)
    sure = confidence.of(draft, about.knowing, about.usual_words, logprob)
    triggers = about.triggers | confidence.of_answer(about.said, draft, sure.composite, limit, about.known)
    if not triggers:
        return NOTHING
    passes = _Passes(world, about, draft, triggers, stopped)
    if confidence.escalates(triggers) and _may(world):
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(DEADLINE_S):
                await passes.run(sure, limit, seen)
    record = {
        "objective": round(sure.objective, 4),
        "knowing": round(sure.knowing, 4),
        "confidence": round(sure.composite, 4),
        "threshold": round(limit, 4),
        "maturity": round(about.grown, 4),
        "triggers": sorted(triggers),
        "passes": passes.made,
        "changed": passes.changed,
        "latency_ms": round((perf_counter() - began) * 1000, 1),
        "cost_usd": passes.cost_usd,
        "correction": passes.correction,
    }
    return Checked(passes.text if passes.changed else "", passes.explanation, passes.correction, record)


@dataclass
class _Passes:
    """The two passes over one draft, and what came of them."""

    world: World
    about: Asked
    text: str
    triggers: Collection[Trigger]
    stopped: Callable[[], bool]
    made: list[dict[str, Any]] = field(default_factory=list)
    changed: bool = False
    explanation: str = ""
    correction: str = ""
    cost_usd: float = 0.0

    async def run(self, sure: Confidence, limit: float, seen: bool) -> None:
        """The quick pass where it is unsure and nobody has read it yet; the slow one where that is not enough."""
        strong = bool(confidence.STRONG & set(self.triggers))
        if sure.composite < limit and not seen:
            await self._again(sure)
            now = confidence.of(self.text, self.about.knowing, self.about.usual_words)
            left = confidence.of_answer(self.about.said, self.text, now.composite, limit, self.about.known)
            if self.changed and not strong and not left:
                return
        await self._weigh()

    async def _again(self, sure: Confidence) -> None:
        denies = confidence.find_denied_fact(self.text, self.about.known)
        feedback = confidence.feedback(sure, self.triggers, denies)
        system = self.world.prompts.render("second_thoughts/again", feedback=feedback)
        answer = await self._ask(AGAIN, "chat", system, QUICK_S)
        if answer is None:
            return
        text = answer.text.strip()
        if self._fits(text) and text != self.text:
            self.text, self.changed = text, True
            self.made[-1]["changed"] = True

    async def _weigh(self) -> None:
        from furoshiki.conversation.acting.second_thoughts_form import Weighed

        reasons = "; and ".join(confidence.REASONS[one] for one in sorted(self.triggers))
        system = self.world.prompts.render("second_thoughts/weigh", reasons=reasons)
        answer = await self._ask(PURPOSE, "deep", system, DEADLINE_S, Weighed)
        weighed: Weighed | None = None if answer is None else answer.parsed
        if weighed is None or weighed.holds:
            return
        text = weighed.answer.strip()
        if not self._fits(text) or text == self.text:
            return
        self.text, self.changed = text, True
        self.explanation = " ".join(weighed.explanation.split())[:GROWTH_FREE]
        self.correction = " ".join(weighed.correction.split())[: reflection_bank.LONGEST]
        self.made[-1]["changed"] = True

    def _fits(self, text: str) -> bool:
        """Whether a revised answer can be one: as long as an answer to this may be, about what the draft or the message
        is about, not a word about the draft, and no form or tag."""
        endless = len(text) > GROWTH * len(self.text) + GROWTH_FREE
        torn = len(text) * SHRINKS < len(self.text) - SHRINKS_FREE
        return not (
            is_blank(text) or endless or torn or text != strip_tags(text) or text.startswith(("{", "```"))
        ) and self._answers(text)

    def _answers(self, text: str) -> bool:
        """Whether it is about the same thing as the draft, and to the person rather than about the draft."""
        subject = content_of(self.text, _SMALL) | self.about.content
        said = content_of(text, _SMALL)
        return (not subject or bool(said & subject)) and not (said & _DRAFT) - subject

    async def _ask(
        self, purpose: str, tier: Any, system: str, limit_s: float, form: type[Any] | None = None
    ) -> Answer | None:
        """One isolated question; None when nobody answers it in time, with what fits, or the person pressed stop."""
        material = self.world.prompts.render(
            "second_thoughts/material",
            message=cut(self.about.shown, LONGEST_SEEN_TOKENS),
            draft=strip_tags(cut(self.text, LONGEST_SEEN_TOKENS)),
            evidence=[strip_tags(cut(" ".join(one.split()), EVIDENCE_TOKENS)) for one in self.about.evidence],
        )
        question = Question(
            tier=tier,
            purpose=purpose,
            system=(Block(system),),
            messages=(Message("user", material),),
            answer=form,
            max_tokens=TOKENS,
            timeout_s=limit_s,
            turn_key=self.about.key,
        )
        made: dict[str, Any] = {"by": tier, "outcome": "late", "changed": False}
        self.made.append(made)
        asking = asyncio.ensure_future(asyncio.wait_for(self.world.ask(question), limit_s))
        try:
            while not asking.done():
                if self.stopped():
                    made["outcome"] = "stopped"
                    return None
                await asyncio.wait({asking}, timeout=LOOK_SECONDS)
            answer = asking.result()
        except TimeoutError:
            return None
        except (NoMindAnswered, AnswerUnusable) as error:
            made["outcome"] = "nobody" if isinstance(error, NoMindAnswered) else "misfit"
            log.debug("no second thought: %s", type(error).__name__)
            return None
        finally:
            if not asking.done():
                asking.cancel()
                with contextlib.suppress(asyncio.CancelledError, NoMindAnswered, AnswerUnusable, TimeoutError):
                    await asking
        made["outcome"] = "answered" if answer.finish == "stop" else answer.finish
        self.cost_usd += answer.cost_usd
        return answer if answer.finish == "stop" else None


def _may(world: World) -> bool:
    with world.database.read() as db:
        return store.count_since(db, world.now - timedelta(days=1)) < MOST_A_DAY


# -- the reflection bank --


@dataclass(frozen=True)
class Correction:
    """Something put right in an earlier answer, as it is shown."""

    id: int
    text: str


def perhaps_near(world: World, db: sqlite3.Connection, said: str) -> list[Kept]:
    """Corrections that may be near to what is said. Reading only; none where second thoughts are switched off."""
    if not world.settings.furoshiki_second_thoughts:
        return []
    return reflection_bank.perhaps_near(db, sorted(content_of(said, _SMALL), key=len, reverse=True))


def nearest(kept: Sequence[Kept], said: str, vector: Vector, model: str | None) -> tuple[Correction, ...]:
    """The nearest of them to what is said, nearest first: by meaning where there are vectors of the same encoder
    (`vector` and its `model`), by words otherwise."""
    own = content_of(said, _SMALL)
    near = []
    for one in kept:
        words = overlap(own, stems_of(f"{one.focus} {one.text}")) / NEAR_BY_WORDS if len(own) > 1 else 0.0
        meaning = cosine(vector, one.vector) / NEAR if vector and one.vector and one.model == model else 0.0
        if max(words, meaning) >= 1.0:
            near.append((max(words, meaning), one))
    near.sort(key=lambda pair: (-pair[0], -pair[1].id))
    return tuple(Correction(one.id, one.text) for _, one in near[:SHOWN])


def keep(
    db: sqlite3.Connection,
    key: str,
    record: Mapping[str, Any],
    heard: Sequence[int],
    about: tuple[str, Vector, str | None],
    now: datetime,
) -> None:
    """Put a second thought on record with its turn, and what it teaches into the bank; in the turn's transaction.
    `about` are the words it was about, their vector and its encoder."""
    store.add(db, key, record, now)
    if record["correction"] and heard:
        reflection_bank.add(db, about[0], record["correction"], heard[-1], about[1], about[2], now)


def record_use(db: sqlite3.Connection, corrections: Sequence[Correction], now: datetime) -> None:
    """Note that a mind was told of these."""
    reflection_bank.record_use(db, [one.id for one in corrections], now)


_SMALL = content_of(" ".join(STOP_WORDS))
_DRAFT = content_of("draft")
