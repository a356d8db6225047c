"""Answers to proposals, by button or typed "yes": executed once, exactly as shown, or never."""

from collections.abc import Sequence
from datetime import datetime

from furoshiki.conversation.commands import remind
from furoshiki.conversation.commands.registry import Button
from furoshiki.conversation.skills import registry
from furoshiki.conversation.skills.skill import Place, SkillContext
from furoshiki.core.catalogue import later, say
from furoshiki.extensions.plugins.rules import mail_drafts
from furoshiki.language.dates.half_of_day import half_said
from furoshiki.messages.values import Envelope, Words
from furoshiki.owner.agenda.store import proposals
from furoshiki.owner.agenda.store.proposals import Proposal
from furoshiki.world import World

WAYS = ("first", "second")
ALL = {"all": "yes", "none": "no"}  # answers to every offer of a turn
LONGEST_CHOICE = 60  # maximum characters of an answer that only chooses a time

LATE = later("That question is too old, or was already answered. Nothing was done.")
NOT_THEIRS = later("Only the person I asked may answer that.")
LEFT = later("Left as it is.")
GONE = later("That is gone, or has changed since I asked. Nothing was done.")


@Button("do", ("yes", "no", *WAYS, *ALL), by_word=True, who="paired")
async def press(world: World, verb: str, value: str, envelope: Envelope) -> Words | None:
    """Handle `yes` and `no`, or the choice of a time, with the proposal's token; `all` and `none` of a turn with its
    key."""
    if verb in ALL:
        with world.database.read() as db:
            waiting = proposals.list_waiting(db, envelope.channel, envelope.chat_id, envelope.sender, world.now)
        if not waiting or waiting[-1].turn_key != value:
            return Words(say(LATE))
        return Words(await _answer_all(world, waiting, ALL[verb], envelope))
    with world.database.read() as db:
        proposal = proposals.get(db, value, world.now)
    if proposal is None or (proposal.channel, proposal.chat_id) != (envelope.channel, envelope.chat_id):
        return Words(say(LATE))
    if proposal.sender != envelope.sender:
        return Words(say(NOT_THEIRS))
    return Words(await _handle_answer(world, proposal, verb, envelope))


async def handle_yes_no(world: World, yes: bool, envelope: Envelope) -> Words | None:
    """Answer the last proposals by a typed yes or no; None without one, or after other messages."""
    with world.database.read() as db:
        waiting = proposals.list_waiting(db, envelope.channel, envelope.chat_id, envelope.sender, world.now)
        passed = not waiting or proposals.was_passed(db, waiting[-1])
    if passed or (yes and any(proposal.ways or proposal.form for proposal in waiting)):
        return None
    return Words(await _answer_all(world, waiting, "yes" if yes else "no", envelope))


async def _answer_all(world: World, waiting: Sequence[Proposal], verb: str, envelope: Envelope) -> str:
    in_time = sorted(waiting, key=lambda one: str(one.args.get("when", "")))
    answers = [await _handle_answer(world, proposal, verb, envelope) for proposal in in_time]
    return "\n".join(dict.fromkeys(answers))


async def handle_choice(world: World, envelope: Envelope) -> Words | None:
    """Handle a typed choice of a time ("in the evening", "abends", "18") for the last question;
    None without one, or after other messages."""
    if len(envelope.text) > LONGEST_CHOICE:
        return None
    with world.database.read() as db:
        waiting = proposals.list_waiting(db, envelope.channel, envelope.chat_id, envelope.sender, world.now)
        open_ = len(waiting) == 1 and waiting[0].ways and not proposals.was_passed(db, waiting[0])
    way = half_said(envelope.text, [datetime.fromisoformat(one) for one in waiting[0].ways]) if open_ else None
    return None if way is None else Words(await _handle_answer(world, waiting[0], WAYS[way], envelope))


async def _handle_answer(world: World, proposal: Proposal, verb: str, envelope: Envelope) -> str:
    result, yes = None, verb != "no"
    if (verb in WAYS) != bool(proposal.ways) and yes:
        return say(LATE)
    args = proposals.choose_call(proposal, WAYS.index(verb)) if verb in WAYS else proposal.args
    if yes:  # under its own turn key, so that repeated presses or a crash execute it once
        place = Place(proposal.turn_key, envelope.channel, envelope.chat_id, envelope.sender)
        result = await registry.confirm(SkillContext(world, None, place), proposal.skill, args, proposal.shown)
    with world.database.write() as db:
        proposals.take(db, proposal.token)
        left = None if yes else registry.decline(db, proposal.skill, proposal.args, world.now)
    if result is None:
        return say(GONE) if yes else left or say(mail_drafts.LEFT if proposal.form else LEFT)
    if proposal.form:
        return result.text
    if not result.ok:
        return say("That did not work. {why}", why=result.text)
    if reminder := result.data.get("reminder"):
        return remind.describe_made(world, reminder)
    if proposal.skill in _TELLING:
        return result.text
    return say("Done: {what}", what=result.text)


_TELLING = ("schedule", "list")  # skills whose result says what was done
