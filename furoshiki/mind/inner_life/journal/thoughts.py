"""Ask the companion one typed question about its messages, and judge the answer."""

import contextlib
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from typing import Any

from furoshiki.core import refs
from furoshiki.core.catalogue import ENGLISH, speaking
from furoshiki.core.similarity import dot
from furoshiki.language import testimony
from furoshiki.language.grounding import thoughts
from furoshiki.language.humanize import describe_moment
from furoshiki.language.testimony import Own
from furoshiki.language.tokens import take_fitting
from furoshiki.memory.grounding import believing
from furoshiki.memory.grounding.believing import Claim
from furoshiki.memory.grounding.rules.conversation import Conversation
from furoshiki.memory.grounding.rules.statement import Kind
from furoshiki.memory.similarity import embed_together
from furoshiki.memory.store import memories
from furoshiki.messages.values import COMPANION, USER, Turn
from furoshiki.models.llm.background import OVERNIGHT_S, Unanswered, ask_mind
from furoshiki.models.llm.values import Answer, Question, Tier
from furoshiki.owner.user_model import user
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.world import World

MATERIAL_TOKENS = 6_000  # maximum tokens of messages shown in one question; the newest are kept

LONGEST_TURN_TOKENS = 200

# refusal of a thought about others that cites no message
CITES_NONE = "it says something about them and cites none of their messages"

Section = tuple[str, Sequence[str]]


@dataclass(frozen=True)
class Written:
    """A text the model wrote, and the messages it cites."""

    text: str
    messages: Sequence[int]
    kind: Kind = "journal"


@dataclass(frozen=True)
class Ground:
    """The messages shown to the model, on which thoughts may rest, and both speakers' names."""

    said: tuple[Turn, ...]
    zone: tzinfo
    name: str | None
    companion: str
    refused: list[tuple[str, str, tuple[int, ...], str]] = field(default_factory=list)

    @property
    def own(self) -> dict[int, Own]:
        """Return the user's own words by message id, without text they passed on."""
        return {turn.id: turn.own for turn in self.said if turn.speaker == USER and turn.own}

    def lines(self, tokens: int = MATERIAL_TOKENS, only: Sequence[Turn] | None = None) -> list[str]:
        """Return the messages with ids, oldest first; the oldest are cut beyond `tokens`."""
        newest_first = map(self._line, reversed(self.said if only is None else only))
        return take_fitting(newest_first, tokens)[::-1]

    def _line(self, turn: Turn) -> str:
        who = {USER: self.name or "User", COMPANION: self.companion}.get(turn.speaker, turn.speaker)
        at = turn.at.astimezone(self.zone).strftime("%a %-d %b, %H:%M")
        return f"[{turn.id} · {at}] {who}: {_render_turn(turn)}"

    async def known(self, world: World, written: Sequence[Written]) -> list[bool]:
        """Judge for each text whether it may be stored as fact; others go to the `refused` list.

        Doubtful texts are not stored. A text without citations may only be about the companion:
        rules decide, else a reading model. At most one model call.
        """
        kept: dict[int, bool] = {}
        judged: dict[int, Claim] = {}
        for place, thought in enumerate(written):
            cites = self.cites(thought.messages)
            own = thought.kind == "journal" and thoughts.of_oneself(thought.text)
            if own and (cites or not thought.messages):
                kept[place] = True
            elif cites:
                judged[place] = Claim(thought.text, thought.kind, cites, free=True)
            elif thought.messages:
                wrong = f"{thought.messages[0]} is not a message of the user among those it was shown"
                kept[place] = self._refuse(thought, wrong)
            elif thought.kind == "journal" and self.said and not thoughts.of_others(thought.text):
                judged[place] = Claim(thought.text, thought.kind, (), free=True)
            else:
                kept[place] = self._refuse(thought, CITES_NONE)
        talk = Conversation(self.said, self.zone, self.name or "", self.companion)
        verdicts = await believing.judge_claims(world, talk, list(judged.values())) if judged else []
        for place, verdict in zip(judged, verdicts, strict=True):
            reason = verdict.reason if judged[place].cited else CITES_NONE
            kept[place] = verdict.outcome == "known" or self._refuse(written[place], reason)
        return [kept[place] for place in range(len(written))]

    def _refuse(self, one: Written, reason: str) -> bool:
        kind = "thought" if one.kind == "journal" else "claim"
        self.refused.append((kind, one.text, tuple(one.messages), reason))
        return False

    def cites(self, ids: Sequence[int]) -> tuple[int, ...]:
        """Return the ids that are messages of the user."""
        return tuple(dict.fromkeys(one for one in ids if one in self.own))

    def list_refused(self, db: sqlite3.Connection, now: datetime) -> None:
        """Store the refused claims in the list of rejections only."""
        for kind, text, cites, reason in self.refused:
            memories.reject(db, kind, text, cites, reason, now)


def ground(world: World, turns: Sequence[Turn]) -> Ground:
    """Build the ground for thoughts about these turns."""
    with world.database.read() as db:
        name, zone = user.name(db), user.zone(world, db)
    return Ground(tuple(sorted(turns, key=lambda one: one.id)), zone, name, world.settings.furoshiki_companion_name)


def _render_turn(turn: Turn) -> str:
    return testimony.render_marked(turn.text, turn.foreign, LONGEST_TURN_TOKENS, flat=True)


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
    """Ask one typed question, together with the contributions of `plugins`.

    A second invalid answer is recorded as a system event and retried at the next run.
    """
    now = world.now
    of_night = part == "journal"
    # a batched entry is matched by its prompt: a restarted run must ask the identical question
    moment = now.replace(minute=0) if of_night else now
    with speaking(ENGLISH):
        clock = describe_moment(moment, ground.zone)
    shown = world.prompts.render(
        "inner_monologue/material",
        clock=clock,
        name=ground.name,
        sections=[{"title": title, "lines": list(lines)} for title, lines in sections if lines],
        plugins=plugins,
    )
    instructions = world.prompts.render(f"inner_monologue/{part}", companion=ground.companion)
    purpose, key = f"inner_monologue.{part}", refs.name("inner_monologue", f"{part}:{now.date().isoformat()}")
    question = Question.of(
        tier, purpose, instructions, shown, answer, max_tokens=max_tokens, timeout_s=120.0, turn_key=key
    )
    question = replace(question, material=material)
    if of_night:
        question = replace(question, batch_s=OVERNIGHT_S)
    return await ask_mind(world, question, now, "reflection_failed", {"step": part})


def thought_before(world: World, text: str, earlier: Sequence[str]) -> bool:
    """Return whether the text repeats an earlier thought."""
    if not earlier:
        return False
    cosines: Mapping[str, float] = {}
    with contextlib.suppress(VectorsAway):
        first, *others = embed_together(world, [text, *earlier])
        cosines = {one: dot(first, other) for one, other in zip(earlier, others, strict=True)}
    return any(thoughts.same(text, one, cosines.get(one)) for one in earlier)
