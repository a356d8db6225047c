"""Add context to memories for retrieval: the speaker, the date and the occasion.

Rules build the sentence; a model only supplies the occasion, which must occur in the user's nearby
messages. Without a model, the topics of the conversation are used.
"""

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from typing import Any

from furoshiki.core.process.crash_points import point
from furoshiki.language import testimony
from furoshiki.language.humanize import join_in_english
from furoshiki.language.tokens import cut
from furoshiki.memory.grounding.believing import Claim, judge_claims
from furoshiki.memory.grounding.rules.conversation import Conversation
from furoshiki.memory.store import memories
from furoshiki.memory.values import Memory
from furoshiki.memory.weighing import Cycle
from furoshiki.messages.store import turns
from furoshiki.messages.values import COMPANION, USER, Turn
from furoshiki.mind.consolidation.store import synthesis
from furoshiki.mind.consolidation.synthesis.asking import ask
from furoshiki.mind.consolidation.synthesis.conclusions import refuse
from furoshiki.mind.consolidation.synthesis.forms import Occasions
from furoshiki.models.llm.background import Unanswered
from furoshiki.owner.user_model import user
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.world import World

BATCH = 20
MOST_BATCHES = 10

BESIDE = 2
"""Turns shown before and after the source turn."""

TURN_TOKENS = 60
MOST_TOPICS = 1
"""More topics make memories of one conversation too similar: unrelated facts with one topic have a
cosine of at most 0.82 (0.75 without), with two 0.88, the level of merging (MiniLM; date and name
alone find slightly more: MRR .95 against .91)."""

LONGEST_OCCASION = 80

OPERATION = "contextualised"


@dataclass(frozen=True)
class _Setting:
    """The origin of a memory: its first turn, nearby turns, and the session's topics."""

    memory: Memory
    turn: Turn
    around: tuple[Turn, ...]
    topics: tuple[str, ...]


async def step(world: World, cycle: Cycle) -> dict[str, Any]:
    """Add context to memories, newest first. Returns how many, with and without an occasion."""
    counts = {"with_occasion": 0, "without": 0, "refused": 0}
    unanswered: Unanswered | None = None
    for _ in range(MOST_BATCHES):
        settings = _settings(world)
        if not settings:
            break
        occasions: dict[int, str] = {}
        objections: list[tuple[int, str, str]] = []
        if unanswered is None:
            answer = await _occasions(world, cycle, settings)
            if not isinstance(answer, Unanswered):
                occasions, objections = await _check_occasions(world, answer, settings)
            elif answer.nobody and not answer.away:
                unanswered = answer
            else:
                break  # the next run asks about these memories again
        point("deepening.contextualising.answered")
        _keep(world, cycle, settings, occasions, objections)
        counts["with_occasion"] += len(occasions)
        counts["without"] += len(settings) - len(occasions)
        counts["refused"] += len(objections)
    if sum(counts.values()):
        with contextlib.suppress(VectorsAway):
            world.vectors.nudge()
    return counts if unanswered is None else {**counts, "by_rule": unanswered.reason}


def _settings(world: World) -> list[_Setting]:
    settings = []
    with world.database.read() as db:
        for memory in synthesis.without_context(db, BATCH):
            own_turns = [turn for turn in turns.many(db, list(memory.turn_ids)) if turn.speaker != COMPANION]
            session = turns.of_session(db, own_turns[0].session_id)
            place = next((number for number, turn in enumerate(session) if turn.id == own_turns[0].id), None)
            # an edited message is no longer part of its session
            around = (own_turns[0],) if place is None else tuple(session[max(0, place - BESIDE) : place + BESIDE + 1])
            topics = synthesis.topics(db, [own_turns[0].session_id]).get(own_turns[0].session_id, ())
            settings.append(_Setting(memory, own_turns[0], around, topics))
    return settings


async def _occasions(world: World, cycle: Cycle, settings: Sequence[_Setting]) -> Occasions | Unanswered:
    companion = world.settings.furoshiki_companion_name
    with world.database.read() as db:
        name, zone = user.name(db), user.zone(world, db)
    names = {USER: name or "User", COMPANION: companion}
    sections = [
        (
            f"Memory {setting.memory.id}",
            [
                f"[{setting.memory.id}] {_short(setting.memory.content)}",
                *(
                    f"{turn.at.astimezone(zone):%-d %B %Y}, {names.get(turn.speaker, turn.speaker)}: "
                    f"{testimony.render_marked(turn.text, turn.foreign, TURN_TOKENS, flat=True)}"
                    for turn in setting.around
                ),
            ],
        )
        for setting in settings
    ]
    answer = await ask(
        world, cycle, "occasions", Occasions, sections, tier="micro", max_tokens=50 * len(settings) + 100
    )
    if isinstance(answer, Unanswered):
        return answer
    occasions: Occasions = answer.parsed
    return occasions


async def _check_occasions(
    world: World, answer: Occasions, settings: Sequence[_Setting]
) -> tuple[dict[int, str], list[tuple[int, str, str]]]:
    """Return the occasions supported by the speaker's words, and rejected ones with reasons."""
    around = {
        setting.memory.id: [turn.id for turn in setting.around if turn.speaker == setting.turn.speaker]
        for setting in settings
    }
    occasion_of: dict[int, str] = {}
    refused = []
    for named in answer.occasions:
        occasion = " ".join((named.occasion or "").split()).strip(" .,;:")
        if occasion and named.memory not in around:
            refused.append((named.memory, occasion, f"there is no memory {named.memory} among those it was shown"))
        elif len(occasion) > LONGEST_OCCASION:
            refused.append((named.memory, occasion, f"it has more than {LONGEST_OCCASION} characters"))
        elif occasion:
            occasion_of[named.memory] = occasion
    if not occasion_of:
        return {}, refused
    claims = [Claim(f"They spoke {occasion}.", "summary", tuple(around[id_])) for id_, occasion in occasion_of.items()]
    verdicts = dict(zip(occasion_of, await judge_claims(world, _talk(world, settings), claims), strict=True))
    refused += [(id_, occasion_of[id_], one.reason) for id_, one in verdicts.items() if one.outcome != "known"]
    return {id_: occasion_of[id_] for id_, one in verdicts.items() if one.outcome == "known"}, refused


def _talk(world: World, settings: Sequence[_Setting]) -> Conversation:
    """Return all turns around these memories; guests count as users of their own words."""
    turn_of = {turn.id: turn for setting in settings for turn in setting.around}
    own = [turn if turn.speaker == COMPANION else replace(turn, speaker=USER) for _, turn in sorted(turn_of.items())]
    with world.database.read() as db:
        return Conversation(own, user.zone(world, db), user.name(db) or "", world.settings.furoshiki_companion_name)


def _keep(
    world: World,
    cycle: Cycle,
    settings: Sequence[_Setting],
    occasions: Mapping[int, str],
    objections: Sequence[tuple[int, str, str]],
) -> None:
    with world.database.write() as db:
        name, zone = user.name(db), user.zone(world, db)
        for setting in settings:
            text = render_in_context(
                setting.memory, setting.turn, name, zone, occasions.get(setting.memory.id), setting.topics
            )
            memories.contextualize(db, setting.memory.id, text)
        for memory_id, words, reason in objections:
            refuse(db, cycle, "occasion", words, [memory_id], reason)
        ids = [setting.memory.id for setting in settings]
        note = {"memories": ids, "with_occasion": sorted(occasions)}
        synthesis.note(db, cycle.id, OPERATION, None, synthesis.digest(ids), note, cycle.now)
        point("deepening.contextualising.before_commit")


def render_in_context(
    memory: Memory, turn: Turn, name: str | None, zone: tzinfo, occasion: str | None, topics: Sequence[str]
) -> str:
    """Add context: "On 12 March 2026 Noor said, after the late ship: They swim in the sea."."""
    who = (name or "the user") if turn.speaker == USER else turn.speaker
    why = f", {occasion}" if occasion else ""
    if not occasion and topics:
        why = f" in a talk about {join_in_english(list(topics[:MOST_TOPICS]))}"
    return f"On {turn.at.astimezone(zone).strftime('%-d %B %Y')} {who} said{why}: {memory.content}"


def _short(text: str) -> str:
    return cut(" ".join(text.split()), TURN_TOKENS)
