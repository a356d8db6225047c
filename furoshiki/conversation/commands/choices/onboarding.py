"""The buttons of the first talk."""

import asyncio

from furoshiki.conversation.commands.registry import Button
from furoshiki.conversation.onboarding import introduction
from furoshiki.conversation.onboarding.steps import STEPS
from furoshiki.messages.values import Envelope, Words
from furoshiki.world import World


@Button(introduction.BUTTON, STEPS)
async def press(world: World, verb: str, value: str, _envelope: Envelope) -> Words | None:
    """Settle a question, or skip it."""
    return await asyncio.to_thread(introduction.handle_press, world, verb, value)
