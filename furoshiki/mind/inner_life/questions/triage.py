"""Sort curiosities: memory or documents may answer them, or only the user can.

Rules decide nearly all; a model is asked once about each of the rest.
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
from furoshiki.models.llm.values import Question
from furoshiki.world import World

SORTED_AT_ONCE = 50
MOST_ASKED = 3  # maximum number of ambiguous curiosities per tick that a model is asked about


Counts = dict[Triage, int]  # the number sorted as "self", "user" and "unsure"


def by_rule(world: World) -> tuple[Counts, tuple[SelfQuestion, ...]]:
    """Sort by rule; return the counts and the first ambiguous ones. No model is asked."""
    counts: Counts = {"self": 0, "user": 0, "unsure": 0}
    with world.database.read() as db:
        waiting = self_questions.list_unsorted(db, SORTED_AT_ONCE)
    ambiguous = []
    for question in waiting:
        found = questions.resolver(question.question)
        if found == "ambiguous":
            ambiguous.append(question)
        else:
            _settle(world, question, found, counts)
    point("curiosity.sorted_by_rule")
    return counts, tuple(ambiguous[:MOST_ASKED])


async def by_mind(world: World, ambiguous: Sequence[SelfQuestion], counts: Counts) -> Counts:
    """Ask a model about each ambiguous curiosity, if enabled, and add to the counts."""
    for question in ambiguous:
        by_rules = world.settings.furoshiki_curiosity_triage == "rules"
        if (found := "unsure" if by_rules else await _who(world, question)) is None:
            break
        _settle(world, question, found, counts)
    return counts


def explorable(world: World) -> bool:
    """Return whether a curiosity can be explored now. No model is asked."""
    with world.database.read() as db:
        return due.next_curiosity(db, world.now) is not None


def _settle(world: World, question: SelfQuestion, found: Triage, counts: Counts) -> None:
    """Store a result, with the thought that will ask the user, in a transaction of its own."""
    with world.database.write() as db:
        if found == "user":
            self_questions.to_user(db, question.id, world.now, priority=world.laws.queue.priority[question.kind])
        else:
            self_questions.sort(db, question.id, found)
        point("curiosity.before_commit")
    counts[found] += 1


async def _who(world: World, one: SelfQuestion) -> Triage | None:
    """Ask a model; None while it is away. "unsure" without a usable answer: then the question is
    looked into at night."""
    from furoshiki.mind.inner_life.questions.forms import WhoKnows

    companion = world.settings.furoshiki_companion_name
    system = world.prompts.render("questions/triage", companion=companion)
    matter = world.prompts.render("questions/curiosity", question=one.question)
    key = refs.name("self_question", one.id)
    question = Question.of(
        "micro", "curiosity_triage", system, matter, WhoKnows, max_tokens=60, timeout_s=20.0, turn_key=key
    )
    try:
        knows: WhoKnows = (await patiently(world, question, world.now)).parsed
    except (AnswerUnusable, NoMindAnswered) as error:
        return None if isinstance(error, NoMindAnswered) and error.away else "unsure"
    return knows.who
