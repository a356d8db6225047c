"""What somebody wants forgotten goes out of repairs as well: out of the job, the proposal, and the thought about it."""

from __future__ import annotations

from furoshiki.extensions.repair import dispatching
from furoshiki.messages.store import turns
from furoshiki.mind.outreach import pulse
from tests.extensions.repair.conftest import Plugin, says
from tests.support.forgetting import NAME, everywhere, forget
from tests.support.rows import user_said
from tests.support.world import Script


async def test_a_name_in_an_error_is_forgotten_with_the_rest(plugin: Plugin, model: Script) -> None:
    world = plugin.world
    with world.database.write() as db:
        turns.add(db, user_said(f"My sister {NAME} lives in Lisbon", world.now))
    plugin.fails(said=f"a row of {NAME}\n")
    model.lines = [says(None, "unclear", cause=f"The row of {NAME} has no rain.")]
    await dispatching.dispatch(world)
    pulse.gather(world)
    assert any(one.startswith("proposals/") for one in everywhere(world.settings.data))
    forget(world, NAME)
    assert not [one for one in everywhere(world.settings.data) if one.startswith("proposals/")]
    (job,) = plugin.jobs()
    assert NAME not in str(job) and "KeyError" in job["evidence"]
    text = (world.settings.data / job["file"]).read_text()
    assert NAME not in text and "## How to apply it" in text
