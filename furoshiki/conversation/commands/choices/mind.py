"""`/mind`: the answering model, other available ones and their monthly cost, with buttons; and the
buttons of the introduction and of character cards."""

import asyncio

from furoshiki.conversation.commands.registry import Button, Command
from furoshiki.conversation.onboarding import character_cards, introduction, minds
from furoshiki.conversation.onboarding.steps import STEPS
from furoshiki.messages.values import Envelope, Words
from furoshiki.world import World


@Command("mind", "what I think with and its cost per month; switch with a button or a key", place=165, shows=True)
async def run(world: World, _args: str, _envelope: Envelope) -> Words:
    """Show the model, with the buttons that change it."""
    return await asyncio.to_thread(minds.question, world)


@Button(minds.BUTTON, (minds.VERB,))
async def press(world: World, _verb: str, value: str, envelope: Envelope) -> Words | None:
    """Choose another model or keep it; during the introduction, its next question follows."""
    said = await minds.handle_choice(world, value, envelope)
    return None if said is None else introduction.goes_on_from_mind(world, said)


@Button(introduction.BUTTON, STEPS)
async def press_step(world: World, verb: str, value: str, _envelope: Envelope) -> Words | None:
    """Answer a question of the introduction, or skip it."""
    return await asyncio.to_thread(introduction.handle_press, world, verb, value)


@Button(character_cards.BUTTON, ("take", "leave"), by_word=True)
async def press_card(world: World, verb: str, value: str, _envelope: Envelope) -> Words | None:
    """Be like the card from now on, or leave it."""
    return await asyncio.to_thread(character_cards.handle_press, world, verb, value)


@Button(character_cards.UNDO, ("card",))
async def press_undo(world: World, _verb: str, value: str, _envelope: Envelope) -> Words | None:
    """Be as before the card."""
    return await asyncio.to_thread(character_cards.undo, world, value)
