"""Transcription by a provider instead of locally: offered, explained with destination and cost, and
enabled by a second tap."""

from urllib.parse import urlsplit

from furoshiki.conversation.hearing import fetching
from furoshiki.core.catalogue import later, say
from furoshiki.core.errors import FuroshikiError
from furoshiki.maintenance import operator_settings
from furoshiki.memory.perception import speech_to_text
from furoshiki.messages.values import Words
from furoshiki.models.media import choosing
from furoshiki.models.media.values import Maker
from furoshiki.world import World

SETTING = "furoshiki_model_hearing"
HERE = "here"
"""The button value for local transcription."""

YES = ".yes"
"""The value suffix of the confirming button."""

_LABEL = later("Let {provider} hear me")
_TOLD = later(
    "Then every voice note, round video and audio file I get goes to {host} ({provider}) and "
    "comes back as text. That costs {cost} per hour of speech, counted with everything else in "
    "/cost. Should I?"
)
_CHOSEN = later("From now on {provider} hears what you say. /voice changes it back.")
_BACK = later("Recordings no longer go anywhere.")
_HEARS = later(
    "Just speak: voice notes go to {provider} ({host}), which turns them into text, at {cost} per hour of speech."
)


def buttons(world: World) -> list[list[dict[str, str]]]:
    """Return a button for each usable provider, or to return to local transcription; owner only."""
    if world.who.standing != "owner" or world.media is None:
        return []
    now = speech_to_text.find_elsewhere(world)
    makers = choosing.list_hearing(world.settings.model_values())
    rows = [_button(say(_LABEL, provider=maker.title), maker.ref.provider) for maker in makers if now is None]
    return [[row] for row in rows] if now is None else [[_button(say("Hear only on this machine"), HERE)]]


def choose(world: World, value: str) -> Words | None:
    """Handle a button: explain or enable a provider; None when it is no longer available."""
    try:
        if value == HERE:
            operator_settings.change(world.settings.data, SETTING, None, agreed=True)
            return Words(say(_BACK))
        name = value.removesuffix(YES)
        makers = choosing.list_hearing(world.settings.model_values())
        maker = next((one for one in makers if one.ref.provider == name), None)
        if maker is None:
            return None
        if name == value:
            told = say(_TOLD, host=_host(maker), provider=maker.title, cost=_cost(world, maker))
            row = [_button(say("Yes"), f"{name}{YES}"), {"text": say("No"), "data": "voice.fetch:no"}]
            return Words(told, {"buttons": [row]})
        operator_settings.change(world.settings.data, SETTING, str(maker.ref), agreed=True)
    except FuroshikiError as error:
        return Words(str(error))
    with world.database.write() as db:
        fetching.hear_what_waits(db)
    return Words(say(_CHOSEN, provider=maker.title))


def describe(world: World) -> str | None:
    """Describe where recordings are sent; None when they stay local."""
    maker = speech_to_text.find_elsewhere(world)
    if maker is None:
        return None
    return say(_HEARS, provider=maker.title, host=_host(maker), cost=_cost(world, maker))


def _host(maker: Maker) -> str:
    return urlsplit(maker.address).hostname or maker.address


def _cost(world: World, maker: Maker) -> str:
    usd = 0.0 if world.media is None else world.media.price(maker, 60.0).usd
    return f"${usd:.2f}"


def _button(text: str, value: str) -> dict[str, str]:
    return {"text": text, "data": f"voice.by:{value}"}
