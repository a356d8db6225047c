"""`/repairs`: recurring errors and their state. Details and decisions need the shell."""

from furoshiki.conversation.commands.registry import Command
from furoshiki.core.catalogue import later, say, say_number
from furoshiki.extensions.repair import proposing, store
from furoshiki.language.humanize import clock
from furoshiki.messages.values import Envelope, Words
from furoshiki.owner.user_model import user
from furoshiki.world import World

MOST = 10  # number of newest jobs listed

WHOLE = later("`furoshiki repairs show {id}` shows all of it, `furoshiki proposals show {id}` what I would change.")


@Command("repairs", "my errors that came back, and what became of them", place=140, shows=True)
async def run(world: World, _args: str, _envelope: Envelope) -> Words:
    """List the newest jobs. Error texts may quote other people and are not shown here."""
    with world.database.read() as db:
        zone, jobs = user.zone(world, db), store.of_states(db, limit=MOST)
    if not jobs:
        return Words(say("No error of mine has come back."))
    lines = [
        say_number(
            "- {id}: {source}, {kind} ({number} time, last {when}): {state}",
            "- {id}: {source}, {kind} ({number} times, last {when}): {state}",
            job.times,
            id=job.id,
            source=job.source,
            kind=job.kind,
            when=clock(job.last_at, zone, world.now),
            state=say(proposing.IN_WORDS[job.state]),
        )
        for job in reversed(jobs)
    ]
    return Words("\n".join([*lines, say(WHOLE, id=jobs[-1].id)]))
