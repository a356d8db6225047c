"""Curiosities are sorted: what memory or documents may answer is explored, what only the user knows waits to be asked.

Rules sort nearly all of it; a mind is asked about the few that rules cannot tell, and about each once.
"""

from collections.abc import Sequence

from furoshiki.core import refs
from furoshiki.core.errors import AnswerUnusable, NoMindAnswered
from furoshiki.core.process.crash_points import point
from furoshiki.language import questions
from furoshiki.mind.inner_life import due
from furoshiki.mind.inner_life.store import self_questions
from furoshiki.mind.inner_life.store.self_questions import SelfQuestion, Triage
from furoshiki.models.llm.background import patiently
from furoshiki.models.llm.values import Block, Message, Question
from furoshiki.world import World

SORTED_AT_ONCE = 50
MOST_ASKED = 3
"""How many ambiguous ones a mind is asked about in one tick."""


Counts = dict[Triage, int]
"""How many went to "self", to "user", and were "unsure"."""


def by_rule(world: World) -> tuple[Counts, tuple[SelfQuestion, ...]]:
    """Sort what rules can, and answer the first of those that they cannot. No mind is asked."""
    counts: Counts = {"self": 0, "user": 0, "unsure": 0}
    with world.database.read() as db:
        waiting = self_questions.list_unsorted(db, SORTED_AT_ONCE)
    ambiguous = []
    for one in waiting:
        found = questions.resolver(one.question)
        if found == "ambiguous":
            ambiguous.append(one)
        else:
            _settle(world, one, found, counts)
    point("curiosity.sorted_by_rule")
    return counts, tuple(ambiguous[:MOST_ASKED])


async def by_mind(world: World, ambiguous: Sequence[SelfQuestion], counts: Counts) -> Counts:
    """Ask a mind about each, where one is to be asked, and count them in."""
    for one in ambiguous:
        by_rules = world.settings.furoshiki_curiosity_triage == "rules"
        if (found := "unsure" if by_rules else await _who(world, one)) is None:
            break
        _settle(world, one, found, counts)
    return counts


def explorable(world: World) -> bool:
    """Whether there is one that the companion may look into itself now. No mind is asked."""
    with world.database.read() as db:
        if not due.may_explore(db, world.now):
            return False
        return self_questions.to_explore(db, world.now - due.EXPLORED_AGAIN, due.EXPLORED_AT_MOST) is not None


def _settle(world: World, one: SelfQuestion, found: Triage, counts: Counts) -> None:
    """Each in a transaction of its own: the note that it was sorted, with the thought that will ask it."""
    with world.database.write() as db:
        if found == "user":
            self_questions.to_user(db, one.id, world.now, priority=world.laws.queue.priority[one.kind])
        else:
            self_questions.sort(db, one.id, found)
        point("curiosity.before_commit")
    counts[found] += 1


async def _who(world: World, one: SelfQuestion) -> Triage | None:
    """What a mind says; None when it is away for now, and "unsure" when there is none or it says nothing of use: then
    the night's questions look into it as into any other."""
    from furoshiki.mind.inner_life.questions.forms import WhoKnows

    companion = world.settings.furoshiki_companion_name
    question = Question(
        tier="micro",
        purpose="curiosity_triage",
        system=(Block(world.prompts.render("questions/triage", companion=companion), True),),
        messages=(Message("user", world.prompts.render("questions/curiosity", question=one.question)),),
        answer=WhoKnows,
        max_tokens=60,
        timeout_s=20.0,
        turn_key=refs.name("self_question", one.id),
    )
    try:
        read: WhoKnows = (await patiently(world, question, world.now)).parsed
    except (AnswerUnusable, NoMindAnswered) as error:
        return None if isinstance(error, NoMindAnswered) and error.away else "unsure"
    return read.who
