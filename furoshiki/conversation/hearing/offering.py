"""Offer a speech engine once, at the first voice note that needs one; the note waits."""

from furoshiki.conversation.hearing import elsewhere, fetching
from furoshiki.conversation.hearing.fetching import Plan, Wish
from furoshiki.core import refs
from furoshiki.core.catalogue import get_language, later, say
from furoshiki.core.database import kv
from furoshiki.core.paths import host_of
from furoshiki.memory.perception import speech_to_text
from furoshiki.messages.channels import TELEGRAM
from furoshiki.messages.store import inbox, outbox
from furoshiki.messages.values import Envelope, NewOutgoing, Words
from furoshiki.models.speech import shelf
from furoshiki.owner.agenda import channel_modes
from furoshiki.world import World

OFFERED = "voice.offered"
"""The `kv` key that records the offer."""

LINE_MBIT = 20
"""The connection speed, in Mbit/s, for estimated times."""

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
        hears = shelf.best("hearing", language)
        if wish == "smallest" and hears is not None:
            hears = shelf.smallest("hearing", language, hears)
    if wish != "speaking" and hears is None:
        return None
    if hears is not None:
        size += shelf.to_fetch(data, "hearing", hears)
    if wish in ("both", "speaking"):
        speaks = shelf.best("speaking", language) if settings.furoshiki_speech_voice is None else None
        if speaks is not None and shelf.is_here(data, "speaking", speaks):
            speaks = None
        size += (more := shelf.to_fetch(data, "speaking", speaks))
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
    rows = [*buttons(world, "hearing", "both"), *elsewhere.buttons(world)]
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
