"""`/voice`: whether voice notes are understood here, and what to do when they are not."""

from __future__ import annotations

from furoshiki.domain.conversation import Envelope, Words
from furoshiki.mind.turn import voice
from furoshiki.world import World


async def run(world: World, _args: str, _envelope: Envelope) -> Words:
    """One sentence, and the way there."""
    if voice.ready(world.settings.furoshiki_voice_model):
        return Words("Speak: voice notes are turned into text on this machine, and go nowhere else.")
    return Words(
        f"I cannot hear yet. To turn it on, {voice.HOW_TO}, then start me again. "
        "Transcription then happens on this machine."
    )
