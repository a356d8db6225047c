"""The buttons under "Shall I be called Pip from now on?" """

from furoshiki.conversation.commands.registry import Button
from furoshiki.core import env_file, settings
from furoshiki.core.catalogue import say
from furoshiki.core.errors import FuroshikiError
from furoshiki.language.requests import companion_name
from furoshiki.maintenance import operator_settings
from furoshiki.memory.perception.values import Percept
from furoshiki.messages.values import Envelope, Words
from furoshiki.world import World

_FIELD = "furoshiki_companion_name"


def find_offered(world: World, percept: Percept) -> str | None:
    """Return the name that the owner offers the companion in their own words, or None."""
    if world.who.standing != "owner":
        return None
    return companion_name.find_name(percept.own_text, world.settings.furoshiki_companion_name)


@Button("called", ("take", "leave"), by_word=True)
async def press(world: World, verb: str, value: str, envelope: Envelope) -> Words | None:
    """Take the name as the setting from the next message on, or say where it is set."""
    if verb == "leave":
        return Words(say("Then I stay {me}.", me=world.settings.furoshiki_companion_name))
    data = world.settings.data
    try:
        if settings.effective(data=data).get(_FIELD, ("", ""))[1] == operator_settings.OWN_ENV:
            env_file.save(data, {_FIELD.upper(): value})  # where `furoshiki setup` writes it
        else:
            operator_settings.change(data, _FIELD, value)
    except FuroshikiError as error:
        return Words(say("Nothing was changed: {error}.", error=error))
    return Words(say("Then I'm {me} from now on.", me=value))
