"""Occasionally form one short thought about a passing one, a fresh memory or an open question."""

from datetime import timedelta
from typing import Literal

from furoshiki.core import refs
from furoshiki.core.process.crash_points import point
from furoshiki.memory.store import gists, memories
from furoshiki.messages.store import turns
from furoshiki.messages.values import Turn
from furoshiki.mind.inner_life.due import FRESH, SEED_RESTS, run_micro_contemplation
from furoshiki.mind.inner_life.journal import pages as journal_pages
from furoshiki.mind.inner_life.journal.forms import Contemplation, Thought
from furoshiki.mind.inner_life.journal.thoughts import Ground, Written, ask, ground, thought_before
from furoshiki.mind.inner_life.store import monologue, self_questions
from furoshiki.mind.inner_life.store.monologue import Passage
from furoshiki.models.llm.background import Unanswered
from furoshiki.owner.user_model import user
from furoshiki.world import Report, World

AGAIN = timedelta(days=7)  # a repetition of a thought within this time is dropped
WAKING = range(8, 23)  # hours of the user's day in which the companion is awake
WANDERS = 0.3  # probability of taking up a passing thought when there is one

_RECENT = 5  # earlier thoughts shown to the model, so that it forms a new one


async def contemplate(world: World) -> Report:
    """Form one thought about one subject, or none. The subject is then left alone for a week."""
    pages = journal_pages.file(world)
    now = world.now
    with world.database.read() as db:
        zone = user.zone(world, db)
        items = monologue.seeds(db, now - FRESH, now - SEED_RESTS)
        reason = run_micro_contemplation(db, now)  # checked again: the run may have been for the pages alone
        lately = monologue.since(db, monologue.KINDS, now - AGAIN)
    if not world.settings.furoshiki_contemplation:
        return Report(bool(pages), "it is switched off (FUROSHIKI_CONTEMPLATION)", {"pages": pages})
    if now.astimezone(zone).hour not in WAKING:
        return Report(bool(pages), "it is night where they are", {"pages": pages})
    if not items or reason is None:
        return Report(bool(pages), "nothing is new to think about", {"pages": pages})
    passing = [one for one in items if refs.is_of(one, "gists")]
    others = [one for one in items if one not in passing]
    taken_up = passing and (not others or world.rng.random() < WANDERS)
    item = world.rng.choice(passing if taken_up else others)
    about, said = _seed(world, item)
    base = ground(world, said)
    answer = await ask(
        world,
        "contemplation",
        Contemplation,
        [
            ("What comes to mind", about),
            ("Where it comes from", base.lines(1500)),
            ("Lately", [entry.text for entry in lately if entry.kind == "contemplation"][-_RECENT:]),
        ],
        base,
        tier="fast",
        max_tokens=300,
    )
    if isinstance(answer, Unanswered):
        return Report(bool(pages), f"no thought: {answer.reason}", {"pages": pages, "skipped": answer.reason})
    point("contemplation.answered")
    contemplation: Contemplation = answer.parsed
    before = [passage.text for entry in lately for passage in entry.passages]
    passages, why = await _judge_thought(world, contemplation.thought, base, before)
    state: Literal["kept", "dropped"] = "kept" if passages else "dropped"
    with world.database.write() as db:
        day = now.astimezone(zone).date().isoformat()
        seen = max((turn.id for turn in said), default=0)
        made = monologue.add(db, "contemplation", day, passages, answer.provider, seen, now, item=item, state=state)
        if made is not None:
            base.list_refused(db, now)
        point("contemplation.before_commit")
    pages += journal_pages.file(world)
    return Report(True, why, {"item": item, "state": state, "refused": len(base.refused), "pages": pages})


def _seed(world: World, item: str) -> tuple[list[str], list[Turn]]:
    """Return a subject in words, with its context, and the turns it comes from."""
    number = refs.row(item)
    with world.database.read() as db:
        if refs.is_of(item, "question"):
            question = self_questions.get(db, number)
            return ([] if question is None else [f"You have asked yourself: {question.question}"]), []
        if refs.is_of(item, "gists"):
            gist = gists.get(db, number)
            ids = [] if gist is None else refs.rows(gist.rests_on, "turn")
            return ([] if gist is None else [f"A thought passed you by: {gist.text}"]), turns.many(db, sorted(ids))
        memory = memories.get(db, number)
        if memory is None:
            return [], []
        return [memory.content], turns.many(db, sorted(memory.turn_ids)[-10:])


async def _judge_thought(
    world: World, thought: Thought | None, base: Ground, before: list[str]
) -> tuple[list[Passage], str]:
    """Return the thought as a passage if it may be stored, and the outcome in words."""
    if thought is None:
        return [], "nothing came of it"
    text = " ".join(thought.text.split())
    if not all(await base.known(world, [Written(text, thought.messages)])):
        return [], "the thought had no ground and was dropped"
    if thought_before(world, text, before):
        return [], "it had been thought before and was dropped"
    return [Passage(text, base.cites(thought.messages))], "one thought"
