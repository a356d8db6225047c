"""Decide which statements of a model to believe: rules first, then one question about the rest.

This is the entry point for every caller: build a `Conversation`, pass `Claim`s, store the `known`
ones, store `unconfirmed` ones with a mark, drop the rest with their reasons. Call it before a
transaction, never in one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from furoshiki.core.errors import AnswerUnusable, NoMindAnswered
from furoshiki.core.similarity import dot
from furoshiki.language import testimony
from furoshiki.language.humanize import describe_told_day
from furoshiki.language.tokens import cut
from furoshiki.memory.grounding.rules import grave
from furoshiki.memory.grounding.rules.conversation import DATED, RECORD, Conversation
from furoshiki.memory.grounding.rules.form import broken
from furoshiki.memory.grounding.rules.judging import Signs, judge_signs, signs
from furoshiki.memory.grounding.rules.statement import BUILT_IN, Judged, Kind, Nearness, Reading, Statement
from furoshiki.messages.values import USER, Turn
from furoshiki.models.llm.values import Question
from furoshiki.recall.embeddings import models
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.recall.retrieval.other_languages import load_languages

if TYPE_CHECKING:
    from furoshiki.world import World

MOST_AT_ONCE = 40  # statements in one question
LINES_BEFORE = 2  # lines shown before each cited line, for context

_MOST_NAMED = 4  # up to this many cited lines are listed by number

LINE_TOKENS = 300
ANSWER_TOKENS = 24  # tokens of the answer for one statement

READS_S = 60.0


@dataclass(frozen=True)
class Claim:
    """A sentence that a model wrote, and the ids of cited messages; flags as in `Statement`."""

    text: str
    kind: Kind
    cited: tuple[int, ...]
    of_owner: bool = False
    free: bool = False
    object: str = ""


async def judge_claims(
    world: World, talk: Conversation, claims: Sequence[Claim], *, turn_key: str = "", system: str = ""
) -> list[Judged]:
    """Judge each claim, in order: by form and doubts, and by a reader if a model is available.

    The reader is not asked about claims that break a rule of form, nor about those that mention
    suicide or self-harm without its outcome. Without an answer, doubts leave a claim unconfirmed.
    `system` replaces the reader's instructions for conversations.
    """
    nearness = nearness_of(world)
    all_signs: list[Signs] = []
    for claim in claims:
        if grave.alone(claim.text, world.care, world.now.year):
            all_signs.append(Signs(grave.ALONE))
            continue
        statement = _build_statement(world, talk, claim)
        try:
            all_signs.append(signs(statement, nearness))
        except VectorsAway:
            nearness = None
            all_signs.append(signs(statement, None))
    left = [place for place, one in enumerate(all_signs) if not one.broken]
    readings: dict[int, Reading] = {}
    for start in range(0, len(left), MOST_AT_ONCE):
        places = left[start : start + MOST_AT_ONCE]
        readings |= await _read(world, talk, {place: claims[place] for place in places}, turn_key, system)
    scale = nearness.scale if nearness else None
    judged = [judge_signs(one, scale, readings.get(place)) for place, one in enumerate(all_signs)]
    doubts = [talk.doubt(claim.cited) for claim in claims]
    return [
        Judged("unconfirmed", (doubt,)) if doubt and one.outcome == "known" else one
        for one, doubt in zip(judged, doubts, strict=True)
    ]


async def read(world: World, talk: Conversation, claims: Sequence[Claim], system: str) -> list[Judged | None]:
    """Return a reader's judgement of each claim, in order, by the instructions `system`; None if
    the reader says nothing about it. Claims that break a rule of form are refused without
    asking."""
    faults = [broken(_build_statement(world, talk, claim)) for claim in claims]
    left = [place for place, reason in enumerate(faults) if not reason]
    readings: dict[int, Reading] = {}
    for start in range(0, len(left), MOST_AT_ONCE):
        asked_claims = {place: claims[place] for place in left[start : start + MOST_AT_ONCE]}
        readings |= await _read(world, talk, asked_claims, "", system)
    return [
        judge_signs(Signs(reason), None, readings.get(place)) if reason or place in readings else None
        for place, reason in enumerate(faults)
    ]


def with_language(talk: Conversation) -> Conversation:
    """Return the conversation with the owner's language, detected from all their words."""
    spoken = load_languages().of("\n".join(talk.own))
    return talk if spoken is None else replace(talk, tongue=spoken.code)


def _build_statement(world: World, talk: Conversation, claim: Claim) -> Statement:
    """Return the claim with all its possible evidence, its language and that of what it cites."""
    statement = talk.statement(
        claim.text, claim.kind, claim.cited, of_owner=claim.of_owner, free=claim.free, object_=claim.object
    )
    languages = load_languages(world.config)
    language = languages.of(claim.text)
    spoken = languages.of("\n".join(statement.cited)) or languages.of("\n".join(talk.own))
    return replace(statement, languages=(language.code if language else "", spoken.code if spoken else ""))


def nearness_of(world: World) -> Nearness | None:
    """Return cosines of the built-in encoder, with cached vectors; None if another encoder is set.

    Its `cosine` raises VectorsAway.
    """
    embedder = world.settings.furoshiki_embedder
    if (models.best() if embedder == models.BEST else embedder) != models.COLBERT:
        return None
    vectors: dict[str, Sequence[float]] = {}

    def cosine(text: str, others: Sequence[str]) -> float:
        new = [words for words in dict.fromkeys((text, *others)) if words not in vectors and words.strip()]
        if new:
            vectors.update(zip(new, world.vectors.embed(new), strict=True))
        if text not in vectors:
            return -1.0
        return max((dot(vectors[text], vectors[other]) for other in others if other in vectors), default=-1.0)

    return Nearness(cosine, BUILT_IN)


async def _read(
    world: World, talk: Conversation, claims: dict[int, Claim], turn_key: str, system: str = ""
) -> dict[int, Reading]:
    """Ask a model that did not write the claims; return its readings by position."""
    from furoshiki.memory.grounding.answer_form import ReadStatements

    system = system or _instructions(world, talk)
    shown = world.prompts.render("grounding/statements", **build_material(world, talk, claims))
    most, key = 200 + ANSWER_TOKENS * len(claims), turn_key or None
    question = Question.of(
        "fast", "grounding", system, shown, ReadStatements, max_tokens=most, timeout_s=READS_S, turn_key=key
    )
    try:
        answer = (await world.ask(question)).parsed
    except (AnswerUnusable, NoMindAnswered):
        return {}  # the rules decide alone
    return {one.id - 1: one.answer for one in answer.answers if one.id - 1 in claims} if answer else {}


def _instructions(world: World, talk: Conversation) -> str:
    return world.prompts.render("grounding/reader", companion=talk.companion, name=talk.owner or None)


def build_material(world: World, talk: Conversation, claims: dict[int, Claim]) -> dict[str, object]:
    """Return the prompt's values: cited lines with context, shuffled statements, and the days on
    which both were written: "today" in a statement is not the day of the lines."""
    ids = [turn.id for turn in talk.said]
    wanted: set[int] = set()
    for claim in claims.values():
        for place in (ids.index(cited) for cited in claim.cited if cited in ids):
            wanted |= set(range(max(0, place - LINES_BEFORE), place + 1))
    order = sorted(claims)
    world.rng.shuffle(order)
    messages = [turn for turn in talk.said if turn.kind not in (RECORD, DATED)]
    return {
        "day": _describe_day(min(turn.at for turn in messages), talk) if messages else "",
        "written": _describe_day(world.now, talk),
        "lines": [_line(talk, talk.said[place]) for place in sorted(wanted)],
        "statements": [
            {
                "id": place + 1,
                "text": " ".join(claims[place].text.split()),
                "cites": _cites(talk, claims[place]),
            }
            for place in order
        ],
    }


def _cites(talk: Conversation, claim: Claim) -> str:
    """Describe which lines a statement cites, for the reader."""
    own = {turn.id for turn in talk.said if turn.speaker == USER and turn.own}
    return (
        "all of it"
        if len(own) > _MOST_NAMED and own <= {*claim.cited}
        else ", ".join(map(str, claim.cited)) or "nothing"
    )


def _describe_day(at: datetime, talk: Conversation) -> str:
    return at.astimezone(talk.zone).strftime("%A, %-d %B %Y")


def _line(talk: Conversation, turn: Turn) -> str:
    if turn.kind in (RECORD, DATED):
        day = f" · {describe_told_day(turn.at, turn.text, talk.zone)}" if turn.kind == DATED else ""
        return f"[{turn.id}{day}] {cut(' '.join(turn.text.split()), LINE_TOKENS)}"
    who = (talk.owner or "User") if turn.speaker == USER else talk.companion or "Companion"
    moment = turn.at.astimezone(talk.zone).strftime("%a %-d %b, %H:%M")
    return f"[{turn.id} · {moment}] {who}: {testimony.render_marked(turn.text, turn.foreign, LINE_TOKENS, flat=True)}"
