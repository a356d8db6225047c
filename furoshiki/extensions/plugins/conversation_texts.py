"""Plugins' information for conversations: stored by periodic runs, read when a prompt is built."""

import asyncio
import dataclasses
import sqlite3
from datetime import timedelta

from furoshiki.core.framing import frame
from furoshiki.extensions.plugins import hooks
from furoshiki.extensions.plugins.store import plugins
from furoshiki.language.humanize import plural
from furoshiki.language.tokens import cut, estimate
from furoshiki.world import Report, World

MOST_TOKENS = 2_000  # maximum tokens of all plugins together in one conversation's prompt


def list_current(world: World, db: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return the current texts with their plugins, escaped for a prompt and limited in length."""
    if world.shared is not None:
        return []
    found, room = [], MOST_TOKENS
    for plugin, text in plugins.current_contexts(db, world.now):
        if room > 0:
            found.append((plugin, frame(cut(text, room))))
            room -= estimate(text)
    return found


FRESH = timedelta(hours=2)  # how long a plugin's text is used when no newer one comes

# timeout of one plugin, and of starting further ones, in seconds: the soul engine waits
LONGEST_S, LONGEST_TOGETHER_S = 15.0, 60.0


async def refresh(world: World) -> Report:
    """Run each plugin with a pre_conversation hook, and store its text."""
    from furoshiki.extensions.plugins import running

    loop = asyncio.get_running_loop()
    ends, asked, said = loop.time() + LONGEST_TOGETHER_S, 0, 0
    for plugin, entry in await asyncio.to_thread(hooks.list_subscribers, world, "pre_conversation"):
        if loop.time() >= ends:
            break
        hurried = dataclasses.replace(entry, timeout_s=min(entry.timeout_s, LONGEST_S))
        run = await running.run(
            world, plugin, hurried, await asyncio.to_thread(hooks.build_input, world, plugin, hurried)
        )
        asked += 1
        if not run.ok:
            continue  # the earlier text stays until it expires
        said += bool(run.output.context)
        with world.database.write() as db:
            if run.output.context:
                plugins.put_context(db, plugin.name, run.output.context, world.now, world.now + FRESH)
            else:
                plugins.drop_context(db, plugin.name)
    return Report(asked > 0, f"asked {plural(asked, 'plugin')}, {said} had something to say", {"plugins": asked})
