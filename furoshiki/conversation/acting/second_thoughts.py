"""Second thoughts: reconsider an important or unsure answer once before it is sent.

The model sees the message, the draft and the evidence: no history, identity or skills. A fast model
revises an unsure draft; if needed, a slow one judges it and states the mistake in a sentence, which
is stored (`store/second_thoughts.py`) and shown for similar messages.

Most answers have no trigger and cost a millisecond. Time, daily number and budget are limited.
"""

import asyncio
import contextlib
import logging
import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from time import perf_counter
from typing import Any

from furoshiki.conversation.acting.loop import finish_or_stop
from furoshiki.conversation.acting.rules import confidence
from furoshiki.conversation.acting.rules.confidence import Confidence, Trigger
from furoshiki.conversation.acting.store import second_thoughts as store
from furoshiki.conversation.acting.store.second_thoughts import Kept
from furoshiki.core.errors import AnswerUnusable, NoMindAnswered
from furoshiki.core.framing import is_blank, strip_tags
from furoshiki.core.similarity import Vector, cosine
from furoshiki.language.grounding.words import content_of, stems_of
from furoshiki.language.tables.function_words import STOP_WORDS
from furoshiki.language.tokens import cut
from furoshiki.memory.focus import overlap
from furoshiki.memory.store import memories
from furoshiki.models.llm.values import Answer, Block, Message, Question
from furoshiki.world import World

log = logging.getLogger(__name__)

# the purpose of the slow judgement; that of the fast one is "second_thoughts.again"
PURPOSE = "second_thoughts"

AGAIN = "second_thoughts.again"

MOST_A_DAY = 10  # maximum reconsidered answers per day

# time limits in seconds of the fast pass, and of both; then the draft is kept
QUICK_S, DEADLINE_S = 8.0, 20.0

TOKENS = 1024
LONGEST_SEEN_TOKENS = 1500
EVIDENCE = 10
EVIDENCE_TOKENS = 60

GROWTH = 3.0  # a revision more than this factor plus GROWTH_FREE characters longer is rejected
GROWTH_FREE = 400

# a revision this factor shorter than the draft without SHRINKS_FREE characters is rejected
SHRINKS = 3.0
SHRINKS_FREE = 200

SHOWN = 3  # corrections shown to a model

NEAR, NEAR_BY_WORDS = 0.55, 0.3  # minimum cosine, or share of common words, of a related correction


@dataclass(frozen=True)
class Asked:
    """A message with the data for second thoughts: its key, the owner's own words, its full text,
    stems, triggers, and evidence as lines and as facts with stems. `grown` is the maturity in [0,
    1]; `others`: text of others is involved; `rests_on` names the facts among the lines."""

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
    """The result. `text` replaces the draft, `explanation` is added when the draft was already
    seen; both are "" when it stands. `record` is stored; None without a trigger."""

    text: str = ""
    explanation: str = ""
    correction: str = ""
    record: Mapping[str, Any] | None = None


NOTHING = Checked()


def grown(db: sqlite3.Connection) -> float:
    """Return the companion's maturity, in [0, 1]."""
    return confidence.maturity(memories.count_to(db, confidence.GROWN_AT), store.density(db))


def holds_back(world: World, about: Asked) -> bool:
    """Return whether to hide the answer until it is reconsidered: the message is a trigger."""
    return world.settings.furoshiki_second_thoughts and confidence.escalates(about.triggers)


async def think(
    world: World, about: Asked, draft: str, *, logprob: float | None, seen: bool, stopped: Callable[[], bool]
) -> Checked:
    """Reconsider a draft if triggered. `seen`: the user has read part of it, so it is not replaced.
    Never raises for a failing model: the draft then stands."""
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
    """The two passes over a draft, and their result."""

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
        """Run the fast pass on an unsure, unseen draft; run the slow one if that is not enough."""
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

        reasons = "; and ".join(confidence.REASONS[trigger] for trigger in sorted(self.triggers))
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
        self.correction = " ".join(weighed.correction.split())[: store.LONGEST]
        self.made[-1]["changed"] = True

    def _fits(self, text: str) -> bool:
        """Return whether a revision is acceptable: plausible length, same subject, no comment on
        the draft, no form or tag."""
        endless = len(text) > GROWTH * len(self.text) + GROWTH_FREE
        torn = len(text) * SHRINKS < len(self.text) - SHRINKS_FREE
        return not (
            is_blank(text) or endless or torn or text != strip_tags(text) or text.startswith(("{", "```"))
        ) and self._answers(text)

    def _answers(self, text: str) -> bool:
        """Return whether it shares the draft's subject and does not mention the draft."""
        subject = content_of(self.text, _SMALL) | self.about.content
        said = content_of(text, _SMALL)
        return (not subject or bool(said & subject)) and not (said & _DRAFT) - subject

    async def _ask(
        self, purpose: str, tier: Any, system: str, limit_s: float, form: type[Any] | None = None
    ) -> Answer | None:
        """Ask one isolated question; None without a valid answer in time, or after a stop."""
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
            if not await finish_or_stop(asking, self.stopped, NoMindAnswered, AnswerUnusable, TimeoutError):
                made["outcome"] = "stopped"
                return None
            answer = asking.result()
        except TimeoutError:
            return None
        except (NoMindAnswered, AnswerUnusable) as error:
            made["outcome"] = "nobody" if isinstance(error, NoMindAnswered) else "misfit"
            log.debug("no second thought: %s", type(error).__name__)
            return None
        made["outcome"] = "answered" if answer.finish == "stop" else answer.finish
        self.cost_usd += answer.cost_usd
        return answer if answer.finish == "stop" else None


def _may(world: World) -> bool:
    with world.database.read() as db:
        return store.count_since(db, world.now - timedelta(days=1)) < MOST_A_DAY


# -- the reflection bank --


def perhaps_near(world: World, db: sqlite3.Connection, said: str) -> list[Kept]:
    """Return possibly related corrections; [] when second thoughts are off. Read-only."""
    if not world.settings.furoshiki_second_thoughts:
        return []
    return store.perhaps_near(db, sorted(content_of(said, _SMALL), key=len, reverse=True))


def nearest(corrections: Sequence[Kept], said: str, vector: Vector, model: str | None) -> tuple[Kept, ...]:
    """Return the most related corrections, nearest first: by cosine if vectors of the same encoder
    exist (`vector`, `model`), else by words."""
    own = content_of(said, _SMALL)
    near = []
    for correction in corrections:
        words = overlap(own, stems_of(f"{correction.focus} {correction.text}")) / NEAR_BY_WORDS if len(own) > 1 else 0.0
        meaning = (
            cosine(vector, correction.vector) / NEAR
            if vector and correction.vector and correction.model == model
            else 0.0
        )
        if max(words, meaning) >= 1.0:
            near.append((max(words, meaning), correction))
    near.sort(key=lambda pair: (-pair[0], -pair[1].id))
    return tuple(one for _, one in near[:SHOWN])


def keep(
    db: sqlite3.Connection,
    key: str,
    record: Mapping[str, Any],
    heard: Sequence[int],
    about: tuple[str, Vector, str | None],
    now: datetime,
) -> None:
    """Store a second thought and its correction, in the turn's transaction. `about` holds the
    subject, its vector and encoder."""
    store.add(db, key, record, now)
    if record["correction"] and heard:
        store.keep_correction(db, about[0], record["correction"], heard[-1], about[1], about[2], now)


def read_content(text: str) -> frozenset[str]:
    """Return the stems of a text's content words."""
    return content_of(text, _SMALL)


_SMALL = content_of(" ".join(STOP_WORDS))
_DRAFT = content_of("draft")
