"""What waits for a yes: a button under the answer, or "yes" in words. Done once, exactly as it was shown, or never."""

from __future__ import annotations

from furoshiki.agenda.store import proposals
from furoshiki.agenda.store.proposals import Proposal
from furoshiki.messages.values import Envelope, Words
from furoshiki.skills import registry
from furoshiki.skills.skill import Place, SkillContext
from furoshiki.world import World

LATE = "That question is too old, or was answered already. Nothing was done."
NOT_THEIRS = "Only the person I asked may answer that."
LEFT = "Left as it is."
GONE = "That is not there any more, or not as it was when I asked. Nothing was done."


async def press(world: World, verb: str, value: str, envelope: Envelope) -> Words | None:
    """`yes` and `no`, with the token of what was shown."""
    if verb not in ("yes", "no"):
        return None
    with world.database.read() as db:
        found = proposals.get(db, value, world.now)
    if found is None or (found.channel, found.chat_id) != (envelope.channel, envelope.chat_id):
        return Words(LATE)
    if found.sender != envelope.sender:
        return Words(NOT_THEIRS)
    return Words(await _answered(world, found, verb == "yes", envelope))


async def typed(world: World, yes: bool, envelope: Envelope) -> Words | None:
    """A plain "yes" or "no" to what was asked last in this chat; None when nothing waits, or more was said since."""
    with world.database.read() as db:
        waiting = proposals.waiting(db, envelope.channel, envelope.chat_id, envelope.sender, world.now)
        passed = not waiting or proposals.passed(db, waiting[-1])
    if passed:
        return None
    return Words("\n".join([await _answered(world, one, yes, envelope) for one in waiting]))


async def _answered(world: World, proposal: Proposal, yes: bool, envelope: Envelope) -> str:
    result = None
    if yes:  # under its own turn's key: pressed twice, or again after a crash, it is done once
        place = Place(proposal.turn_key, envelope.channel, envelope.chat_id, envelope.sender)
        result = await registry.confirmed(
            SkillContext(world, None, place), proposal.skill, proposal.args, proposal.shown
        )
    with world.database.write() as db:
        proposals.take(db, proposal.token)
        left = None if yes else registry.declined(db, proposal.skill, proposal.args, world.now)
    if result is None:
        return GONE if yes else left or LEFT
    return f"Done: {result.text}" if result.ok else f"That did not work. {result.text}"
