"""Read a user's facts from part of a conversation: one model call, each fact judged, then stored.

Used after each answer and for imports. Without a model, the rules read. No fact is stored twice,
even in other words.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from furoshiki.core import refs
from furoshiki.core.errors import AnswerUnusable, NoMindAnswered
from furoshiki.language import testimony
from furoshiki.language.reflex.reading import facts_of
from furoshiki.memory import weighing
from furoshiki.memory.grounding.believing import Claim, judge_claims
from furoshiki.memory.store import memories
from furoshiki.messages.values import USER, Turn
from furoshiki.mind.inner_life import queue_thoughts
from furoshiki.mind.inner_life.store import self_questions
from furoshiki.mind.post_conversation import reading_check
from furoshiki.mind.post_conversation.reading_check import Fact, Refused
from furoshiki.mind.post_conversation.reading_form import ReadFact
from furoshiki.mind.post_conversation.results import SURE, SURE_BY_RULE, keep_fact
from furoshiki.mind.post_conversation.session import LONGEST_LINE_TOKENS, Session
from furoshiki.models.llm.background import patiently
from furoshiki.models.llm.fields import Id, Lenient
from furoshiki.models.llm.values import Question
from furoshiki.owner.agenda.rules.mind_queue import ASKING, COME_BACK
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.owner.user_model import user
from furoshiki.world import World

PURPOSE = "told"

ANSWER_TOKENS = 900  # maximum tokens of an answer about few messages
LONG_ANSWER_TOKENS = 3_000  # maximum tokens of an answer about many messages

GIVES_UP_S = 60.0

KNOWN_FACTS = 30  # known facts shown, so that none is reported again
WAITING_SHOWN = 12  # waiting questions and notes shown, so that the model can mark them as answered
TO_BE_ASKED = ASKING | COME_BACK


@dataclass(frozen=True)
class Stretch:
    """Part of a conversation: the shown turns, and the ids of the user's messages to read."""

    session: Session
    new: frozenset[int]
    waiting: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class Heard:
    """The result: facts with their turns and, for doubtful ones, the reason; refused claims;
    waiting thoughts that are answered; the facts' confidence in [0, 1]."""

    facts: tuple[Fact, ...] = ()
    refused: tuple[Refused, ...] = ()
    answered: tuple[int, ...] = ()
    sure: float = SURE


def gather(world: World, db: sqlite3.Connection, turns: Sequence[Turn], new: Sequence[int], *, asked: bool) -> Stretch:
    """Collect the model's input. `asked` includes the waiting questions."""
    held = [*memories.of_ids(db, memories.list_by_turns(db, list(new))), *memories.read_known(db, KNOWN_FACTS)]
    known = {memory.id: memory.content for memory in held if memory.is_current}
    base = Session(
        PURPOSE,
        tuple(turns),
        user.zone(world, db),
        user.name(db),
        world.settings.furoshiki_companion_name,
        known=tuple(f"[{refs.name('memory', number)}] {content}" for number, content in known.items()),
    )
    waiting = mind_queue.list_pending(db) if asked else []
    questions = [(item.id, item.summary) for item in waiting if item.kind in TO_BE_ASKED]
    return Stretch(base, frozenset(new), tuple(questions[:WAITING_SHOWN]))


async def read(world: World, stretch: Stretch, turn_key: str, *, patient: bool = False) -> Heard:
    """Read and judge facts by one model call outside of any transaction, else by rule.

    If `patient`, raises NoMindAnswered when a model is only temporarily away.
    """
    try:
        answer = await patiently(world, _question(world, stretch, turn_key), world.now)
    except (AnswerUnusable, NoMindAnswered) as error:
        if patient and isinstance(error, NoMindAnswered) and error.away:
            raise
        return by_rule(stretch)
    found = answer.parsed if isinstance(answer.parsed, ReadTold) else ReadTold()
    kept, refused = await _judge_facts(world, stretch, found.facts, turn_key)
    waiting = {number for number, _ in stretch.waiting}
    answered = tuple(one for one in found.answered if one in waiting)
    return Heard(tuple(kept), tuple(refused), answered)


async def _judge_facts(
    world: World, stretch: Stretch, facts: Sequence[ReadFact], turn_key: str
) -> tuple[list[Fact], list[Refused]]:
    """Return the facts that the messages support, as in `Heard`, and the refused ones."""
    session = stretch.session
    cites = [
        (fact, tuple(number for number in dict.fromkeys(fact.messages) if number in session.own)) for fact in facts
    ]
    cites = [(one, ids) for one, ids in cites if stretch.new.intersection(ids)]
    claims = [Claim(one.text, "fact", ids, of_owner=one.subject == "user", object=one.object) for one, ids in cites]
    judgements = await judge_claims(world, reading_check.conversation(session), claims, turn_key=turn_key)
    kept, refused = list[Fact](), list[Refused]()
    for (fact, ids), judged in zip(cites, judgements, strict=True):
        if judged.kept:
            doubt = (judged.reason or "it was only likely") if judged.unconfirmed else None
            kept.append((reading_check.in_order(fact, ids, session)[0], ids, doubt))
        else:
            refused.append(Refused("fact", fact.text, ids, judged.reason))
    return kept, refused


def by_rule(stretch: Stretch) -> Heard:
    """Read facts by rule from the literal words. The name and corrections are left out: they were
    read with the answer, in context."""
    turns = [turn for turn in stretch.session.own.values() if turn.id in stretch.new]
    facts = [ReadFact.model_validate(one) for one in facts_of(turns) if one["predicate"] != "name"]
    return Heard(tuple((fact, tuple(fact.messages), None) for fact in facts), sure=SURE_BY_RULE)


def keep(db: sqlite3.Connection, world: World, stretch: Stretch, heard: Heard) -> int:
    """Store the result in the caller's transaction; return the number of facts stored."""
    now, cycle = world.now, weighing.cycle(world, PURPOSE)
    kept = 0
    for fact, ids, doubt in heard.facts:
        reason = keep_fact(db, fact, ids, heard.sure, cycle, stretch.session, doubt)
        kept += reason is None and doubt is None
        if reason:
            memories.reject(db, "fact", fact.text, ids, reason, now)
    for refusal in heard.refused:
        memories.reject(db, refusal.kind, refusal.text, refusal.messages, refusal.reason, now)
    for item_id in heard.answered:
        _drop_question(db, item_id)
    if kept:
        queue_thoughts.drop_known(db, now)
    return kept


def _drop_question(db: sqlite3.Connection, item_id: int) -> None:
    """Drop a queued question, and the self-question behind it."""
    item = mind_queue.get(db, item_id)
    if item is None or not mind_queue.let_go(db, item_id, "dropped"):
        return
    if refs.is_of(item.source, "self_questions"):
        self_questions.drop(db, refs.row(str(item.source)))


def _question(world: World, stretch: Stretch, turn_key: str) -> Question:
    session, companion = stretch.session, stretch.session.companion
    lines = []
    for turn in session.said:
        at = turn.at.astimezone(session.zone).strftime("%a %-d %b %Y, %H:%M")
        new = "NEW " if turn.id in stretch.new else ""
        words = testimony.render_marked(turn.text, turn.foreign, LONGEST_LINE_TOKENS, flat=True)
        lines.append(f"[{turn.id} \u00b7 {at}] {new}{session.speaker(turn)}: {words}")
    material = world.prompts.render(
        "post_conversation/told_lines", name=session.name, known=session.known, waiting=stretch.waiting, lines=lines
    )
    few = sum(turn.speaker == USER for turn in session.said if turn.id in stretch.new) <= 4
    most = ANSWER_TOKENS if few else LONG_ANSWER_TOKENS
    system = world.prompts.render("post_conversation/told", companion=companion)
    return Question.of(
        "fast", PURPOSE, system, material, ReadTold, max_tokens=most, timeout_s=GIVES_UP_S, turn_key=turn_key
    )


class ReadTold(Lenient):
    """What was told, and which of the waiting questions it answers. A claim until each fact is judged."""

    facts: Annotated[list[ReadFact], Field(max_length=30)] = []
    answered: Annotated[list[Id], Field(max_length=20, description="Numbers of waiting questions it answers")] = []
