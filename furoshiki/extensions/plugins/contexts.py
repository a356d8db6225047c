"""What plugins have to say for a conversation: what is there when its prompt is made, fetched before by any run."""

import asyncio
import dataclasses
import sqlite3
from datetime import timedelta

from furoshiki.core.framing import frame
from furoshiki.extensions.plugins import hooks, running
from furoshiki.extensions.plugins.store import contexts
from furoshiki.language.humanize import plural
from furoshiki.language.tokens import cut, estimate
from furoshiki.world import Report, World

MOST_TOKENS = 2_000
"""What all plugins may say together before one conversation."""


def list_current(world: World, db: sqlite3.Connection) -> list[tuple[str, str]]:
    """What holds now, with the plugin it is of, fit to stand in a prompt and of a bearable length together."""
    if world.shared is not None:
        return []
    found, room = [], MOST_TOKENS
    for plugin, text in contexts.current(db, world.now):
        if room > 0:
            found.append((plugin, frame(cut(text, room))))
            room -= estimate(text)
    return found


FRESH = timedelta(hours=2)
"""How long what a plugin said may be told when nothing newer comes."""

LONGEST_S, LONGEST_TOGETHER_S = 15.0, 60.0
"""How long one may take, and after which time no other is begun: the soul engine waits for them."""


async def refresh(world: World) -> Report:
    """Ask each plugin that has something to say before a conversation, and keep what it says."""
    loop = asyncio.get_running_loop()
    ends, asked, said = loop.time() + LONGEST_TOGETHER_S, 0, 0
    for one, entry in await asyncio.to_thread(hooks.list_subscribers, world, "pre_conversation"):
        if loop.time() >= ends:
            break
        hurried = dataclasses.replace(entry, timeout_s=min(entry.timeout_s, LONGEST_S))
        run = await running.run(world, one, hurried, await asyncio.to_thread(hooks.build_input, world, one, hurried))
        asked += 1
        if not run.ok:
            continue  # what it said before holds until it is out of date
        said += bool(run.output.context)
        with world.database.write() as db:
            if run.output.context:
                contexts.put(db, one.name, run.output.context, world.now, world.now + FRESH)
            else:
                contexts.drop(db, one.name)
    return Report(asked > 0, f"asked {plural(asked, 'plugin')}, {said} had something to say", {"plugins": asked})
