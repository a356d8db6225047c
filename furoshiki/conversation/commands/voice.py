"""`/voice`: voice input and output settings, and the downloads for them."""

from typing import cast, get_args

from furoshiki.conversation.commands.registry import Button, Command
from furoshiki.conversation.hearing import fetching, offering
from furoshiki.conversation.hearing.fetching import Wish
from furoshiki.core.catalogue import later, say
from furoshiki.core.database import kv
from furoshiki.memory.perception import speech_to_text
from furoshiki.messages.values import Envelope, Words
from furoshiki.models.speech import downloads, store, voices
from furoshiki.models.speech.rules.spoken_text import LONGEST_SECONDS, SHORT_SECONDS
from furoshiki.models.speech.values import Mode
from furoshiki.world import World

_CHOICES: dict[str, Mode | None] = {"on": "on", "auto": "auto", "off": None}

_MEANS: dict[Mode | None, str] = {
    "on": later(
        "I answer your voice notes with voice, along with the text; if an answer takes longer "
        "than {longest} seconds, I say the beginning."
    ),
    "auto": later(
        "I answer your voice notes with voice if the answer is only words and takes at most "
        "{short} seconds; otherwise in text."
    ),
    None: later("I answer in text."),
}


@Command(
    "voice",
    "whether I listen to voice notes, and answer them with voice: /voice on, auto, off",
    place=200,
    who="paired",
)
async def run(world: World, args: str, envelope: Envelope) -> Words:
    """Show the settings, or set this chat's voice answers to on, off or auto."""
    if not args:
        return Words(
            f"{_describe_hearing(world)}\n\n{_describe_speaking(world, envelope)}{_describe_space(world)}",
            _buttons(world),
        )
    if args.lower() not in _CHOICES:
        return Words(say("Here you can set /voice on, auto or off. /voice alone shows how it is set."))
    mode = _CHOICES[args.lower()]
    fault = _not_yet(world) if mode else None
    if fault is not None:
        return Words(fault, _buttons(world))
    with world.database.write() as db:
        store.choose(db, envelope.channel, envelope.chat_id, mode, world.now)
    return Words(_means(mode))


@Button("voice", ("fetch", "remove", "by"))
async def press(world: World, verb: str, value: str, envelope: Envelope) -> Words | None:
    """Download an engine, decline, remove all downloads, or choose where to transcribe."""
    if verb == "remove":
        return _remove(world)
    if verb == "by":
        return offering.choose_elsewhere(world, value)
    if value in get_args(Wish):
        words = await offering.fetch(world, cast("Wish", value), envelope)
        return words or Words(say("I already have that. /voice shows it."))
    with world.database.write() as db:
        kv.drop(db, fetching.WAITING)
    return Words(say("All right, then you write and I read. /voice is there whenever you like."))


def _remove(world: World) -> Words:
    if fetching.under_way():
        return Words(say(fetching.AT_IT))
    free = downloads.remove(world.home)
    return Words(say("It is gone, and {size} MB are free again.", size=fetching.megabytes(free)))


def _build_buttons(world: World) -> list[list[dict[str, str]]]:
    return offering.buttons(world, "hearing", "both") or offering.buttons(world, "speaking")


def _buttons(world: World) -> dict[str, object]:
    rows = [*_build_buttons(world), *offering.elsewhere_buttons(world)]
    if world.who.standing == "owner" and downloads.measure(world.home):
        rows.append([{"text": say("Remove what you downloaded"), "data": "voice.remove:all"}])
    return {"buttons": rows} if rows else {}


def _describe_space(world: World) -> str:
    size = downloads.measure(world.home) if world.who.standing == "owner" else 0
    return "\n\n" + say("What I downloaded for it takes {size} MB.", size=fetching.megabytes(size)) if size else ""


def _describe_hearing(world: World) -> str:
    if fetching.under_way():
        return say(fetching.AT_IT)
    if (away := offering.describe_elsewhere(world)) is not None:
        return away
    if speech_to_text.model(world) is not None:
        return say("Just speak: voice notes are turned into text on this machine, and never leave it.")
    if _build_buttons(world) or offering.elsewhere_buttons(world):
        return say("I cannot hear voice notes yet.")
    return say("I cannot hear voice notes yet. The person who looks after the machine I live on can change that.")


def _describe_speaking(world: World, envelope: Envelope) -> str:
    fault = _not_yet(world)
    if fault is not None:
        return fault
    with world.database.read() as db:
        mode = store.mode(db, envelope.channel, envelope.chat_id)
        refused = store.is_refused(db, envelope.channel, envelope.chat_id, world.now)
    said = [_means(mode)]
    said.append(say("/voice on or /voice auto changes that.") if mode is None else say("/voice off ends that."))
    if refused:
        said.append(say("Telegram didn't let me send a voice message in this chat; /voice on tries again."))
    return " ".join(said)


def _means(mode: Mode | None) -> str:
    return say(_MEANS[mode], longest=f"{LONGEST_SECONDS:g}", short=f"{SHORT_SECONDS:g}")


def _not_yet(world: World) -> str | None:
    """Return why speech output is unavailable, with a remedy; None when it works."""
    if not voices.is_installed(world.home):
        return say("I cannot speak yet.")
    fault = voices.fault(world.settings.furoshiki_speech_voice, world.home)
    return None if fault is None else say("I cannot speak yet: {why}.", why=fault)
