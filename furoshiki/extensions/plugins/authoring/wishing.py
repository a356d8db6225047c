"""Recording of wishes for plugins: duplicates are reported, and declined wishes stay declined."""

import sqlite3
from dataclasses import dataclass
from datetime import timedelta

from furoshiki.core.catalogue import later, say
from furoshiki.extensions.plugins.authoring.rules import wishes
from furoshiki.extensions.plugins.store import jobs
from furoshiki.extensions.plugins.store.jobs import Job, Source, State
from furoshiki.world import World

MOST_WAITING = 5  # maximum number of waiting wishes
OWN_APART = timedelta(days=7)  # minimum time between two wishes of the companion itself

OFF = later("I don't write plugins: FUROSHIKI_PLUGIN_WISHES is off.")
NOT_OWN = "plugins of its own wish are off (FUROSHIKI_PLUGIN_WISHES)"
LENGTH = later("Describe in {shortest} to {longest} characters what the plugin should do.")
TOO_MANY = later("{number} wishes are already waiting; /wish lists them.")
TAKEN = later(
    "Noted: {wish}. I will try to write a plugin for it; before any of it runs, you get to read it and say yes."
)

# replies to a known wish, by the state of its job
AGAIN: dict[State, str] = later(
    {
        "queued": "I already noted that; it is waiting to be written.",
        "written": "I already noted that: a draft is written and waiting for its review.",
        "proposed": "That is already written and waiting for you: {proposal}.",
        "rejected": "I tried that, but my own review turned it down: {reason}",
        "applied": "The plugin {name}, which you applied, already does that.",
        "declined": "You declined that, so I'll leave it.",
        "failed": "I tried that but could not get it done: {reason}",
    }
)

# states after which the owner may repeat a wish, as it was not their decision
TO_RETRY: tuple[State, ...] = ("rejected", "failed")


@dataclass(frozen=True)
class Wished:
    """The result of a wish: its new job, or None, and a reply."""

    job: Job | None
    words: str


def wish(world: World, db: sqlite3.Connection, said: str, source: Source) -> Wished:
    """Record a wish, unless wishes are off, it is known, or too many wait."""
    allowed = world.settings.furoshiki_plugin_wishes
    if allowed == "off" or (source == "reflection" and allowed != "own"):
        return Wished(None, say(OFF) if allowed == "off" else NOT_OWN)
    text = wishes.plainly(said)
    if not wishes.SHORTEST <= len(text) <= wishes.LONGEST:
        return Wished(None, say(LENGTH, shortest=wishes.SHORTEST, longest=wishes.LONGEST))
    known = next((job for job in reversed(jobs.of_states(db)) if wishes.same(job.wish, text)), None)
    if known is not None and (known.state not in TO_RETRY or source == "reflection"):
        return Wished(None, in_words(known))
    if len(jobs.of_states(db, jobs.UNFINISHED)) >= MOST_WAITING:
        return Wished(None, say(TOO_MANY, number=MOST_WAITING))
    if source == "reflection" and jobs.own_since(db, world.now - OWN_APART):
        return Wished(None, "it had a wish of its own within the week")
    made = jobs.get(db, jobs.add(db, text, source, world.now))
    return Wished(made, say(TAKEN, wish=text))


def in_words(job: Job) -> str:
    """Describe the state of a wish's job."""
    return say(AGAIN[job.state], name=job.name, proposal=job.proposal, reason=job.reason or "…")
