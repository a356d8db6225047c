"""Offer what hears voice notes, once, on the first that cannot be heard; the note waits for the answer."""

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
"""Under which key it is kept that this was offered."""

LINE_MBIT = 20
"""The line for which a time is named."""

_OFFER = later(
    "I can't hear voice notes yet. Shall I fetch what hears them? Then I listen on this machine, and nothing you say "
    "goes anywhere else. I keep this one until then. (The times are for a line of {mbit} Mbit/s.)"
)
_NO = later("No, thanks")

_LABELS: dict[Wish, str] = {
    "hearing": later("Hear me ({size} MB, {minutes} min)"),
    "both": later("Hear me and talk ({size} MB, {minutes} min)"),
    "speaking": later("A voice of your own ({size} MB, {minutes} min)"),
    "smallest": later("A smaller one ({size} MB, {minutes} min)"),
}


def plan(world: World, wish: Wish) -> Plan | None:
    """What a wish means on this machine and in the language that is spoken now; None where there is nothing to fetch,
    or the person who asks may not have it fetched."""
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
    """Begin to fetch what is wished for; None where there is nothing to fetch."""
    planned = plan(world, wish)
    if planned is None:
        return None
    again: tuple[Wish, ...] = (wish, "smallest") if wish in ("hearing", "both") else (wish,)
    return await fetching.begin(world, planned, envelope, lambda: buttons(world, *again))


def buttons(world: World, *wishes: Wish) -> list[list[dict[str, str]]]:
    """A row for each of these wishes that can be granted, with its size and its time."""
    found = []
    for wish in wishes:
        planned = plan(world, wish)
        if planned is not None:
            minutes = max(1, round(planned.size * 8 / (LINE_MBIT * 1_000_000) / 60))
            label = say(_LABELS[wish], size=fetching.megabytes(planned.size), minutes=minutes)
            found.append([{"text": label, "data": f"voice.fetch:{wish}"}])
    return found


def hold_voice_note(world: World, envelope: Envelope) -> bool:
    """Whether a voice note waits until something hears it: while that is being fetched, and where it is offered now."""
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
