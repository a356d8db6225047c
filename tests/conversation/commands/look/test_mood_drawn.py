"""`/mood week`: a picture with words that say the same; and where there is none, why."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import timedelta

from PIL import Image

from furoshiki.conversation.commands import registry
from furoshiki.conversation.commands.look import mood
from furoshiki.feelings.rules.emotions import NAMES
from furoshiki.feelings.store import history
from furoshiki.world import World
from tests.support.commands import Commander, envelope

REST = dict.fromkeys(NAMES, 0.2)


def felt(world: World, hours: float, word: str, **emotions: float) -> None:
    with world.database.write() as db:
        history.record(db, world.now - timedelta(hours=hours), REST | emotions, {}, word, "tick")


async def test_a_week_is_a_picture_with_the_same_in_words(command: Commander) -> None:
    for hours in range(100, 0, -1):
        felt(command.world, hours, "lonely" if hours > 20 else "content", loneliness=hours / 100)
    words = await command("/mood week")
    assert words.text.startswith("**My week.** Mostly lonely, then content. What moved most: loneliness (")
    assert words.picture is not None and words.picture.name == "mood-week-2026-03-24.png"
    image = Image.open(io.BytesIO(words.picture.data))
    assert max(image.size) == 1280 and len(words.picture.data) < 100_000
    assert (await command("/mood year")).text.startswith("**My year.** ")


async def test_nothing_is_drawn_where_nothing_was_noted_or_where_others_read_along(command: Commander) -> None:
    nothing = await command("/mood day")
    assert nothing.picture is None and "nothing to draw yet" in nothing.text
    felt(command.world, 40, "content")
    assert (await command("/mood day")).picture is None
    here = envelope()
    group = replace(here, event=replace(here.event, private=False))
    assert await registry.run(command.world, "mood", "week", group) == mood.Words(mood.NOT_HERE)


async def test_a_span_that_is_none_is_answered_with_those_there_are(command: Commander) -> None:
    words = await command("/mood fortnight")
    assert words.text.startswith("I feel ") and words.text.endswith(mood.HOW) and words.picture is None
