"""`/voice`: whether voice notes are understood here, and what to do when they are not."""

from __future__ import annotations

from furoshiki.messages.values import Envelope, Words
from furoshiki.perception import speech_to_text
from furoshiki.world import World


async def run(world: World, _args: str, _envelope: Envelope) -> Words:
    """One sentence, and the way there."""
    if speech_to_text.ready(world.settings.furoshiki_voice_model):
        return Words("Speak: voice notes are turned into text on this machine, and go nowhere else.")
    return Words(
        f"I cannot hear yet. To turn it on, {speech_to_text.HOW_TO}, then start me again. "
        "Transcription then happens on this machine."
    )
