"""Reconsider an answer before it is given, and decide what the user sees.

If the message alone is the trigger, nothing is shown before. If the trigger lies in the answer, the
user may have read part of it: that stays, and a correction is appended as such.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from furoshiki.conversation import lines
from furoshiki.conversation.acting import second_thoughts
from furoshiki.conversation.acting.rules import confidence
from furoshiki.conversation.acting.second_thoughts import Asked
from furoshiki.conversation.skills.skill import Result
from furoshiki.conversation.values import NOBODY, REFLEX, Context, Draft
from furoshiki.core import refs
from furoshiki.core.framing import strip_tags
from furoshiki.language import testimony
from furoshiki.language.tables.function_words import query_words
from furoshiki.language.tokens import cut
from furoshiki.language.words import count_words
from furoshiki.memory import focus
from furoshiki.messages.store import turns
from furoshiki.messages.values import COMPANION
from furoshiki.mind.inner_life.standing_prompt import fact_line
from furoshiki.models.llm.values import Answer
from furoshiki.recall.retrieval.rules.repeated_statements import Statement, is_repeat
from furoshiki.world import Stage, World

LATELY = 8  # number of recent turns whose subjects count as known
MOST_FOUND = 4  # number of skill results used as evidence
SEEN_TOKENS = 120  # maximum tokens of a memory used as evidence

GOALS = frozenset({"plan", "goal"})
# categories of facts that are goals, and the answers from which a usual length is known
LEAST_ANSWERS = 4

# the text appended to an answer that was already seen
PUT_RIGHT = "{draft}\n\nOn second thought: {explanation}"


@dataclass(frozen=True)
class Held:
    """A stage that does not show the growing answer but still reports the stop button."""

    stage: Stage

    @property
    def shown(self) -> bool:
        return self.stage.shown

    @property
    def stopped(self) -> bool:
        """Return whether the user pressed stop."""
        return self.stage.stopped

    async def begin(self) -> None:
        """Show that thinking has begun."""
        await self.stage.begin()

    async def show(self, words: Callable[[], str]) -> None:
        """Show nothing."""

    async def end(self) -> None:
        await self.stage.end()


def about(world: World, context: Context, corrects: bool, grown: float) -> Asked | None:
    """Return the data for judging the answer; None when disabled or in danger."""
    if context.bearing.danger or not world.settings.furoshiki_second_thoughts:
        return None
    percept = context.percept
    own = percept.own_text
    zone, names = context.known.zone, lines.names_of(world, context.known.name)
    content = second_thoughts.read_content(own)
    known = [(fact, second_thoughts.read_content(fact.content)) for fact in context.known.facts]
    seen, said, on_record = [], [], []
    for one in context.woken.shown:
        seen.append(testimony.render_marked(one.text, one.foreign, SEEN_TOKENS, flat=True))
        on_record.append(lines.memory(one, zone, names, SEEN_TOKENS))
        if not one.foreign:
            said.append(Statement.of(one.text))
    words = frozenset(query_words(own))
    bears = [fact for fact in context.known.facts if words & frozenset(query_words(fact.content))]
    near = [fact.content for fact in bears]
    on_record += [fact_line(fact, zone) for fact in bears if not is_repeat(fact.content, said)]
    # all visible text counts as known, whether retrieved or just said
    view = [*seen, *near, *(turn.own for turn in context.talk.history[-LATELY:])]
    knowing = focus.overlap(words, frozenset(query_words(" ".join(view)))) if view else 0.0
    if context.route is not None:
        knowing = max(knowing, context.route.knowing.knowing)
    shown = "\n".join(strip_tags(testimony.render_marked(one.text, one.foreign)) for one in percept.said)
    goals = [stems for fact, stems in known if fact.category in GOALS]
    orders = context.route is not None and bool(context.route.signals.get("action_intent"))
    lengths = sorted(count_words(turn.text) for turn in context.talk.history if turn.speaker == COMPANION)
    return Asked(
        key=percept.key,
        said=own,
        shown=shown,
        content=content,
        triggers=confidence.of_message(
            own, content, knowing, percept.meant, goals=goals, corrects=corrects, orders=orders
        ),
        knowing=knowing,
        evidence=tuple(on_record[: second_thoughts.EVIDENCE]),
        known=tuple((fact.content, stems) for fact, stems in known),
        grown=grown,
        usual_words=float(lengths[len(lengths) // 2]) if len(lengths) >= LEAST_ANSWERS else 0.0,
        others=percept.led_by_others or bool(context.plugins),
        rests_on=tuple(refs.name("memory", fact.id) for fact in bears),
    )


async def over(
    world: World, asked: Asked | None, draft: Draft, answer: Answer, found: Sequence[Result], stage: Stage
) -> Draft:
    """Return the final draft after second thoughts, unchanged without a trigger. `found` holds
    skill results. A correction possibly based on text of others is not stored, as it would be shown
    as the companion's own."""
    spent = draft.standing != "free" or draft.model in (REFLEX, NOBODY)
    if asked is None or spent or answer.finish != "stop":
        return draft
    asked = replace(asked, evidence=(*(one.text for one in found[:MOST_FOUND]), *asked.evidence))
    checked = await second_thoughts.think(
        world, asked, draft.text, logprob=answer.logprob, seen=stage.shown, stopped=lambda: stage.stopped
    )
    record = checked.record
    if record is not None and checked.correction and _of_others(world, asked, draft, found):
        record = {**record, "correction": ""}
    if not checked.text:
        return replace(draft, second=record)
    text = checked.text
    if stage.shown:
        said = cut(checked.explanation, SEEN_TOKENS)
        text = PUT_RIGHT.format(draft=draft.text, explanation=said) if said else draft.text
    if text == draft.text and record is not None:
        record = {**record, "changed": False}
    return replace(draft, text=text, second=record)


def _of_others(world: World, asked: Asked, draft: Draft, found: Sequence[Result]) -> bool:
    """Return whether the reconsidering model saw text of others."""
    if asked.others or any(one.foreign for one in found):
        return True
    with world.database.read() as db:
        return turns.among(db, [*draft.evidence, *asked.rests_on])
