"""The buttons under "shall I tell the time there?": set the user's time zone, or keep it."""

from zoneinfo import ZoneInfo

from furoshiki.conversation.commands.registry import Button
from furoshiki.core.catalogue import say
from furoshiki.core.database import kv
from furoshiki.core.paths import is_zone
from furoshiki.language.humanize import join_items
from furoshiki.messages.values import Envelope, Words
from furoshiki.owner.agenda import travel
from furoshiki.owner.user_model import user
from furoshiki.world import World


@Button("zone", ("set", "keep"), by_word=True, who="paired")
async def press(world: World, verb: str, value: str, _envelope: Envelope) -> Words | None:
    """Handle `set` with a zone's name, and `keep`."""
    if verb == "keep":
        return Words(say("Good, the time stays as it was."))
    if not is_zone(value):
        return None
    zone = ZoneInfo(value)
    with world.database.write() as db:
        gone = travel.follow(db, user.zone(world, db), zone, world.now)
        kv.put(db, user.ZONE_KEY, value, world.now)
    said = say(
        "From now on I'll use the time in {zone}. It is {time} there.",
        zone=value,
        time=world.now.astimezone(zone).strftime("%H:%M"),
    )
    if gone:
        again = join_items([task.title for task in gone])
        said += f" {say('Anything that repeats follows that clock, too: {what}.', what=again)}"
    return Words(said)
