"""`/voice`: whether voice notes are understood here and answered with voice, and what to do where they are not."""

from __future__ import annotations

from furoshiki.conversation.commands.registry import Command
from furoshiki.core.catalogue import later, say
from furoshiki.memory.perception import speech_to_text
from furoshiki.messages.values import Envelope, Words
from furoshiki.models.speech import store, voices
from furoshiki.models.speech.rules.spoken_text import LONGEST_SECONDS, SHORT_SECONDS
from furoshiki.models.speech.values import Mode
from furoshiki.world import World

_CHOICES: dict[str, Mode | None] = {"on": "on", "auto": "auto", "off": None}

_MEANS: dict[Mode | None, str] = {
    "on": later(
        "I answer your voice notes with voice, and the words beside it; of an answer that takes longer than "
        "{longest} seconds I say the beginning."
    ),
    "auto": later(
        "I answer your voice notes with voice where the answer is words alone and takes at most {short} "
        "seconds; otherwise in text."
    ),
    None: later("I answer in text."),
}

_PLAIN = later(
    "My voice is eSpeak NG's, which is plain. For one that sounds like a person, name "
    "{voice} in FUROSHIKI_SPEECH_VOICE."
)


@Command(
    "voice",
    "whether I hear voice notes, and answer them with voice: /voice on, auto, off",
    place=200,
    who="paired",
)
async def run(world: World, args: str, envelope: Envelope) -> Words:
    """Show it, or switch the answers of this chat on, off, or to where it suits."""
    if not args:
        return Words(f"{_hearing(world)}\n\n{_speaking(world, envelope)}")
    if args.lower() not in _CHOICES:
        return Words(say("What can be set here is /voice on, auto and off. /voice alone tells how it is set."))
    mode = _CHOICES[args.lower()]
    fault = _not_yet(world) if mode else None
    if fault is not None:
        return Words(fault)
    with world.database.write() as db:
        store.choose(db, envelope.channel, envelope.chat_id, mode, world.now)
    return Words(_means(mode))


def _hearing(world: World) -> str:
    if speech_to_text.ready(world.settings.furoshiki_voice_model):
        return say("Speak: voice notes are turned into text on this machine, and go nowhere else.")
    return say(
        "I cannot hear yet. To turn it on, {how}, then start me again. Transcription then happens on this machine.",
        how=speech_to_text.HOW_TO,
    )


def _speaking(world: World, envelope: Envelope) -> str:
    fault = _not_yet(world)
    if fault is not None:
        return fault
    with world.database.read() as db:
        mode = store.mode(db, envelope.channel, envelope.chat_id)
        refused = store.is_refused(db, envelope.channel, envelope.chat_id, world.now)
    said = [_means(mode)]
    said.append(say("/voice on or /voice auto changes that.") if mode is None else say("/voice off ends that."))
    if refused:
        said.append(say("Telegram let no voice message of mine into this chat; /voice on tries again."))
    if world.settings.furoshiki_speech_voice is None:
        said.append(say(_PLAIN, voice=voices.WHERE_FROM))
    return " ".join(said)


def _means(mode: Mode | None) -> str:
    return say(_MEANS[mode], longest=f"{LONGEST_SECONDS:g}", short=f"{SHORT_SECONDS:g}")


def _not_yet(world: World) -> str | None:
    """Why no answer can be said here, with what to do about it; None when one can."""
    if not voices.installed():
        how = later("I cannot speak yet. To turn it on, {how}, then start me again. It happens on this machine.")
        return say(how, how=voices.INSTALL)
    fault = voices.fault(world.settings.furoshiki_speech_voice)
    return None if fault is None else say("I cannot speak yet: {why}.", why=fault)
