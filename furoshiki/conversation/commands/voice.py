"""`/voice`: whether voice notes are understood here and answered with voice, and what to do where they are not."""

from __future__ import annotations

from furoshiki.conversation.commands.registry import Command
from furoshiki.memory.perception import speech_to_text
from furoshiki.messages.values import Envelope, Words
from furoshiki.models.speech import store, voices
from furoshiki.models.speech.rules.spoken_text import LONGEST_SECONDS, SHORT_SECONDS
from furoshiki.models.speech.values import Mode
from furoshiki.world import World

_CHOICES: dict[str, Mode | None] = {"on": "on", "auto": "auto", "off": None}

_MEANS: dict[Mode | None, str] = {
    "on": (
        "I answer your voice notes with voice, and the words beside it; of an answer that takes longer than "
        f"{LONGEST_SECONDS:g} seconds I say the beginning."
    ),
    "auto": (
        f"I answer your voice notes with voice where the answer is words alone and takes at most {SHORT_SECONDS:g} "
        "seconds; otherwise in text."
    ),
    None: "I answer in text.",
}

_PLAIN = (
    " My voice is eSpeak NG's, which is plain. For one that sounds like a person, name "
    f"{voices.WHERE_FROM} in FUROSHIKI_SPEECH_VOICE."
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
        return Words("What can be set here is /voice on, auto and off. /voice alone tells how it is set.")
    mode = _CHOICES[args.lower()]
    fault = _not_yet(world) if mode else None
    if fault is not None:
        return Words(fault)
    with world.database.write() as db:
        store.choose(db, envelope.channel, envelope.chat_id, mode, world.now)
    return Words(_MEANS[mode])


def _hearing(world: World) -> str:
    if speech_to_text.ready(world.settings.furoshiki_voice_model):
        return "Speak: voice notes are turned into text on this machine, and go nowhere else."
    return (
        f"I cannot hear yet. To turn it on, {speech_to_text.HOW_TO}, then start me again. "
        "Transcription then happens on this machine."
    )


def _speaking(world: World, envelope: Envelope) -> str:
    fault = _not_yet(world)
    if fault is not None:
        return fault
    with world.database.read() as db:
        mode = store.mode(db, envelope.channel, envelope.chat_id)
        refused = store.is_refused(db, envelope.channel, envelope.chat_id, world.now)
    shut = " Telegram let no voice message of mine into this chat; /voice on tries again." if refused else ""
    change = "/voice on or /voice auto changes that." if mode is None else "/voice off ends that."
    named = world.settings.furoshiki_speech_voice
    return f"{_MEANS[mode]} {change}{shut}{_PLAIN if named is None else ''}"


def _not_yet(world: World) -> str | None:
    """Why no answer can be said here, with what to do about it; None when one can."""
    if not voices.installed():
        return f"I cannot speak yet. To turn it on, {voices.INSTALL}, then start me again. It happens on this machine."
    fault = voices.fault(world.settings.furoshiki_speech_voice)
    return None if fault is None else f"I cannot speak yet: {fault}."
