"""`/promises`: promises to the user, and the companion's commitments. A failing commitment has two
buttons: drop it or keep trying."""

from furoshiki.conversation.commands.registry import Button, Command
from furoshiki.conversation.promises import own_promises
from furoshiki.core.catalogue import later, say
from furoshiki.messages.values import Envelope, Words
from furoshiki.mind.inner_life.store import commitments
from furoshiki.world import World

OVER = later("That is no longer one of my promises.")


@Command("promises", "what I promised you, and myself", place=110, shows=True)
async def run(world: World, _args: str, _envelope: Envelope) -> Words:
    """Show both lists, leaving out empty ones."""
    return Words(own_promises.describe(world))


@Button("promise", ("drop", "keep"), of_row=True)
async def press(world: World, verb: str, promise: int, _envelope: Envelope) -> Words | None:
    """Handle `drop` and `keep` for a commitment id."""
    return Words(decide(world, promise, drop=verb == "drop") or say(OVER))


def decide(world: World, promise: int, *, drop: bool) -> str | None:
    """Drop or keep a commitment; return the outcome in words, None when it is not active."""
    with world.database.write() as db:
        commitment = commitments.get(db, promise)
        if commitment is None or commitment.state != "active":
            return None
        if drop:
            commitments.drop(db, commitment.id, world.now)
    return say(
        later("Then I'll let it go: {what}.") if drop else later("Then I'll keep trying: {what}."), what=commitment.text
    )
