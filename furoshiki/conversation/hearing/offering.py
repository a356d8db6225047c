"""Offer a speech engine once, at the first voice note that needs one; the note waits."""

from urllib.parse import urlsplit

from furoshiki.conversation.hearing import fetching
from furoshiki.conversation.hearing.fetching import Plan, Wish
from furoshiki.core import refs
from furoshiki.core.catalogue import get_language, later, say
from furoshiki.core.database import kv
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.paths import host_of
from furoshiki.language.humanize import dollars
from furoshiki.maintenance import operator_settings
from furoshiki.memory.perception import speech_to_text
from furoshiki.messages.channels import TELEGRAM
from furoshiki.messages.store import inbox, outbox
from furoshiki.messages.values import Envelope, NewOutgoing, Words
from furoshiki.models.media import choosing
from furoshiki.models.media.values import Maker
from furoshiki.models.speech import downloads
from furoshiki.owner.agenda import channel_modes
from furoshiki.world import World

OFFERED = "voice.offered"  # the `kv` key that records the offer
LINE_MBIT = 20  # the connection speed, in Mbit/s, for estimated times

_OFFER = later(
    "I can't hear voice notes yet. Should I download what I need for that? Then I listen on this "
    "machine, and nothing you say goes anywhere else. I'll keep this one until then. (The times "
    "assume a {mbit} Mbit/s connection.)"
)
_NO = later("No, thanks")

_LABELS: dict[Wish, str] = {
    "hearing": later("Hear me ({size} MB, {minutes} min)"),
    "both": later("Hear me and talk ({size} MB, {minutes} min)"),
    "speaking": later("A voice of your own ({size} MB, {minutes} min)"),
    "smallest": later("A smaller one ({size} MB, {minutes} min)"),
}


def plan(world: World, wish: Wish) -> Plan | None:
    """Return the download plan for a wish, this machine and the current language; None when nothing
    is missing or the user may not decide."""
    if world.who.standing != "owner" or host_of(world.home) is not None:
        return None
    data, settings, language = world.home, world.settings, get_language()
    hears = speaks = None
    size = 0
    if wish != "speaking" and settings.furoshiki_voice_model is None and speech_to_text.model(world) is None:
        hears = downloads.best("hearing", language)
        if wish == "smallest" and hears is not None:
            hears = downloads.smallest("hearing", language, hears)
    if wish != "speaking" and hears is None:
        return None
    if hears is not None:
        size += downloads.to_fetch(data, "hearing", hears)
    if wish in ("both", "speaking"):
        speaks = downloads.best("speaking", language) if settings.furoshiki_speech_voice is None else None
        if speaks is not None and downloads.is_here(data, "speaking", speaks):
            speaks = None
        size += (more := downloads.to_fetch(data, "speaking", speaks))
        if not more:
            return None
    return Plan(wish, hears, speaks, size)


async def fetch(world: World, wish: Wish, envelope: Envelope) -> Words | None:
    """Start the download for a wish; None when there is nothing to download."""
    planned = plan(world, wish)
    if planned is None:
        return None
    again: tuple[Wish, ...] = (wish, "smallest") if wish in ("hearing", "both") else (wish,)
    return await fetching.begin(world, planned, envelope, lambda: buttons(world, *again))


def buttons(world: World, *wishes: Wish) -> list[list[dict[str, str]]]:
    """Return a button row for each possible wish, with size and estimated time."""
    found = []
    for wish in wishes:
        planned = plan(world, wish)
        if planned is not None:
            minutes = max(1, round(planned.size * 8 / (LINE_MBIT * 1_000_000) / 60))
            label = say(_LABELS[wish], size=fetching.megabytes(planned.size), minutes=minutes)
            found.append([{"text": label, "data": f"voice.fetch:{wish}"}])
    return found


def hold_voice_note(world: World, envelope: Envelope) -> bool:
    """Return whether a voice note waits for an engine: during a download or after a new offer."""
    message = envelope.message
    if (
        message is None
        or message.holds not in speech_to_text.SPOKEN_KINDS
        or message.passed_on
        or envelope.channel != TELEGRAM
    ):
        return False
    if not envelope.private or channel_modes.mode(world, TELEGRAM) != "live":
        return False
    if speech_to_text.hears(world):
        return False
    rows = [*buttons(world, "hearing", "both"), *elsewhere_buttons(world)]
    if not rows:
        return False
    with world.database.write() as db:
        if not fetching.under_way():
            if kv.get(db, OFFERED) is not None:
                return False
            kv.put(db, OFFERED, True, world.now)
            rows.append([{"text": say(_NO), "data": "voice.fetch:no"}])
            words = say(_OFFER, mbit=LINE_MBIT)
            offer = NewOutgoing(envelope.channel, envelope.chat_id, words, extra={"buttons": rows})
            outbox.put(db, [offer], world.now, None, refs.name("inbox", envelope.id))
        fetching.wait(db, envelope.id, world.now)
        inbox.finish(db, [envelope.id], world.now)
    return True


SETTING = "furoshiki_model_hearing"
HERE = "here"  # the button value for local transcription
YES = ".yes"  # the value suffix of the confirming button

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


def elsewhere_buttons(world: World) -> list[list[dict[str, str]]]:
    """Return a button for each usable provider, or to return to local transcription; owner only."""
    if world.who.standing != "owner" or world.media is None:
        return []
    now = speech_to_text.find_elsewhere(world)
    makers = choosing.list_hearing(world.settings.model_values())
    rows = [_button(say(_LABEL, provider=maker.title), maker.ref.provider) for maker in makers if now is None]
    return [[row] for row in rows] if now is None else [[_button(say("Hear only on this machine"), HERE)]]


def choose_elsewhere(world: World, value: str) -> Words | None:
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


def describe_elsewhere(world: World) -> str | None:
    """Describe where recordings are sent; None when they stay local."""
    maker = speech_to_text.find_elsewhere(world)
    if maker is None:
        return None
    return say(_HEARS, provider=maker.title, host=_host(maker), cost=_cost(world, maker))


def _host(maker: Maker) -> str:
    return urlsplit(maker.address).hostname or maker.address


def _cost(world: World, maker: Maker) -> str:
    usd = 0.0 if world.media is None else world.media.price(maker, 60.0).usd
    return dollars(usd)


def _button(text: str, value: str) -> dict[str, str]:
    return {"text": text, "data": f"voice.by:{value}"}
