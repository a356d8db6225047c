"""The buttons of the introduction."""

import asyncio

from furoshiki.conversation.commands.registry import Button
from furoshiki.conversation.onboarding import introduction
from furoshiki.conversation.onboarding.steps import STEPS
from furoshiki.messages.values import Envelope, Words
from furoshiki.world import World


@Button(introduction.BUTTON, STEPS)
async def press(world: World, verb: str, value: str, _envelope: Envelope) -> Words | None:
    """Answer a question of the introduction, or skip it."""
    return await asyncio.to_thread(introduction.handle_press, world, verb, value)
