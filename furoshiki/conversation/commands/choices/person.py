"""The buttons under "Shall I call you Lena?" and "Should I use the time there?" """

from zoneinfo import ZoneInfo

from furoshiki.conversation.commands.registry import Button
from furoshiki.conversation.onboarding import introduction
from furoshiki.core import env_file, settings
from furoshiki.core.catalogue import say
from furoshiki.core.database import kv
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.paths import is_zone
from furoshiki.language.facts import names
from furoshiki.language.humanize import join_items
from furoshiki.language.requests import companion_name
from furoshiki.maintenance import operator_settings
from furoshiki.memory import facts
from furoshiki.memory.perception.values import Percept
from furoshiki.messages.store import turns
from furoshiki.messages.values import Envelope, Words
from furoshiki.owner.agenda import travel
from furoshiki.owner.user_model import user
from furoshiki.world import World

SAID_AT_MOST = 12  # turns back that the message with the name may be


@Button("name", ("take", "leave"), by_word=True, who="paired")
async def press(world: World, verb: str, value: str, envelope: Envelope) -> Words | None:
    """Take the name, with the message that gave it as its source, or leave it."""
    if verb == "leave":
        return Words(say("All right. Say “call me …”, and I will."))
    with world.database.write() as db:
        for turn in reversed(turns.recent(db, envelope.channel, envelope.chat_id, SAID_AT_MOST)):
            if turn.own and names.find_small_name(turn.own) == value:
                facts.learn(db, user.note_name(value), [turn.id], world.now, zone=user.zone(world, db))
                return Words(say("Nice to meet you, {given}. I'll remember that.", given=value))
    return None


@Button("zone", ("set", "keep"), by_word=True, who="paired")
async def press_zone(world: World, verb: str, value: str, _envelope: Envelope) -> Words | None:
    """Handle `set` with a zone's name, and `keep`."""
    if verb == "keep":
        return Words(say("Good, the time stays as it was."))
    if not is_zone(value):
        return None
    zone = ZoneInfo(value)
    with world.database.write() as db:
        tasks = travel.follow(db, user.zone(world, db), zone, world.now)
        kv.put(db, user.ZONE_KEY, value, world.now)
    said = say(
        "From now on I'll use the time in {zone}. It is {time} there.",
        zone=value,
        time=world.now.astimezone(zone).strftime("%H:%M"),
    )
    if tasks:
        again = join_items([task.title for task in tasks])
        said += f" {say('Anything that repeats follows that clock, too: {what}.', what=again)}"
    return Words(said)


_FIELD = "furoshiki_companion_name"


def find_offered(world: World, percept: Percept) -> str | None:
    """Return the name that the owner offers the companion in their own words, or None."""
    if world.who.standing != "owner":
        return None
    return companion_name.find_name(percept.own_text, world.settings.furoshiki_companion_name)


@Button("called", ("take", "leave"), by_word=True)
async def press_companion_name(world: World, verb: str, value: str, envelope: Envelope) -> Words | None:
    """Take the name as the setting from the next message on, or say where it is set."""
    if verb == "leave":
        stays = say("Then I stay {me}.", me=world.settings.furoshiki_companion_name)
        return introduction.go_on_after(world, Words(stays))
    data = world.settings.data
    try:
        if settings.effective(data=data).get(_FIELD, ("", ""))[1] == operator_settings.OWN_ENV:
            env_file.save(data, {_FIELD.upper(): value})  # where `furoshiki setup` writes it
        else:
            operator_settings.change(data, _FIELD, value)
    except FuroshikiError as error:
        return Words(say("Nothing was changed: {error}.", error=error))
    return introduction.go_on_after(world, Words(say("Then I'm {me} from now on.", me=value)))
