"""Hooks: run the plugins that subscribe to each, one after the other, by priority.

Only the owner's world has plugins. A plugin's failure is recorded and does not affect the next one.
"""

import logging
from collections.abc import Mapping
from datetime import datetime, time, timedelta, tzinfo
from typing import Any

from furoshiki.core import numbers
from furoshiki.core.database import kv
from furoshiki.core.errors import StorageUnavailable
from furoshiki.core.framing import frame
from furoshiki.core.paths import read_toml_file
from furoshiki.core.timestamps import stamp
from furoshiki.extensions.plugins import installed, own_settings
from furoshiki.extensions.plugins.store import plugins, runs
from furoshiki.extensions.plugins.values import EntryPoint, Hook, Installed, Run, Target
from furoshiki.feelings.rules import user_needs
from furoshiki.feelings.store import emotional_weights
from furoshiki.owner.agenda.store import quiet
from furoshiki.owner.user_model import languages, user
from furoshiki.world import Report, World

_A_DAY = timedelta(days=1)

log = logging.getLogger(__name__)

_KEPT = "plugins.said."  # `kv` key prefix, before a reflection: the plugins' texts for it


async def run_hook(
    world: World, hook: Hook, target: Target | None = None, event: Mapping[str, Any] | None = None
) -> list[Run]:
    """Run the subscribers of a hook (and target); without enabled plugins this costs one query."""
    return [await _run(world, one, entry, target, event or {}) for one, entry in list_subscribers(world, hook, target)]


def list_subscribers(world: World, hook: Hook, target: Target | None = None) -> list[tuple[Installed, EntryPoint]]:
    """Return the running subscribers of a hook, lowest priority number first."""
    found = []
    for plugin in _list_running(world):
        for entry in plugin.manifest.entry_points if plugin.manifest is not None else ():
            if entry.hook == hook and (target is None or not {target, "all"}.isdisjoint(entry.targets)):
                found.append((plugin, entry))
    return sorted(found, key=lambda pair: pair[1].priority)


async def run_scheduled(world: World, plugin: str, number: str) -> Report:
    """Run the scheduled entry point of a plugin by its number, from 1."""
    found = installed.one(world, plugin)
    entries = found.manifest.entry_points if found is not None and found.manifest is not None else ()
    place = (numbers.row(number) or 0) - 1
    if found is None or not found.runs or not 0 <= place < len(entries) or entries[place].hook != "cron":
        why = found.problems[0] if found is not None and found.problems else "its PLUGIN.md names no such schedule"
        return Report(False, f"{plugin} did not run: {why}")
    run = await _run(world, found, entries[place], None, {})
    said = run.output.log or ("it had nothing to say" if run.ok else run.error)
    return Report(run.ok, f"{plugin}: {said}" if run.ok else f"{plugin} {run.status}: {said}", {"status": run.status})


def build_input(
    world: World,
    plugin: Installed,
    entry: EntryPoint,
    target: Target | None = None,
    event: Mapping[str, Any] | None = None,
    args: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the input of a run, given on its standard input."""
    return {
        "hook": entry.hook,
        "target": target,
        "args": dict(args or {}),
        "settings": own_settings.told_values(world.home, plugin.manifest) if plugin.manifest is not None else {},
        "state": gather_state(world),
        "event": dict(event or {}),
    }


async def before_reflection(world: World, target: Target) -> list[tuple[str, str]]:
    """Return the plugins' texts for a reflection, with their plugins, escaped for its prompt.

    They are stored until the reflection is done, since a batched question must be repeated exactly.
    """
    waits = list_subscribers(world, "pre_reflection", target)
    if not waits:
        return []
    day = world.now.date().isoformat()
    with world.database.read() as db:
        kept = kv.get(db, f"{_KEPT}{target}")
    if kept is not None and kept["day"] == day:
        there = {one.name for one, _entry in waits}
        return [(plugin, text) for plugin, text in kept["said"] if plugin in there]
    ran = [await _run(world, one, entry, target, {}) for one, entry in waits]
    said = [(run.plugin, frame(run.output.context)) for run in ran if run.ok and run.output.context]
    with world.database.write() as db:
        kv.put(db, f"{_KEPT}{target}", {"day": day, "said": said}, world.now)
    return said


async def after_reflection(world: World, target: Target, text: str) -> None:
    """Let plugins react to the result of a reflection."""
    with world.database.write() as db:
        kv.drop(db, f"{_KEPT}{target}")
    await run_hook(world, "post_reflection", target, {"text": text, "at": stamp(world.now)})


async def _run(
    world: World, plugin: Installed, entry: EntryPoint, target: Target | None, event: Mapping[str, Any]
) -> Run:
    """Run one plugin. Raises only StorageUnavailable."""
    from furoshiki.extensions.plugins import running  # holds 1 MB; without plugins it is not needed

    try:
        run = await running.run(world, plugin, entry, build_input(world, plugin, entry, target, event))
    except StorageUnavailable:
        raise
    except Exception:  # log our own errors
        log.exception("plugin %s, %s: it could not be run", plugin.name, entry.hook)
        return Run(
            plugin.name, entry.hook, "failed", error="something went wrong in Furoshiki itself; its log says what"
        )
    if not run.ok:
        log.warning("plugin %s, %s: %s (%s)", plugin.name, entry.hook, run.status, run.error)
    return run


def _list_running(world: World) -> list[Installed]:
    if world.shared is not None:  # a place of another person than the owner
        return []
    with world.database.read() as db:
        if not plugins.names(db):
            return []
    return [plugin for plugin in installed.list_all(world) if plugin.runs]


def gather_state(world: World) -> dict[str, Any]:
    """Return the current state. Needs, emotional weight and health (share of successful runs of the
    last day) are from 0 to 1."""
    now, beat, laws = world.now, world.state.heartbeat(), world.laws.user_needs
    with world.database.read() as db:
        zone = user.zone(world, db)
        midnight = datetime.combine(now.astimezone(zone).date(), time(), zone)
        weights = emotional_weights.since(db, midnight)
        asked, hours, nap = quiet.until(db, now), quiet.hours(db), quiet.nap(db)
        well = runs.read_success_rate(db, now - _A_DAY)
        locale = languages.usual(world, db)
    needs = {name: round(user_needs.confidence_at(need, now, laws), 3) for name, need in beat.user_needs.items()}
    return {
        "needs": {name: round(value, 3) for name, value in beat.needs.items()},
        "user_needs": needs,
        "mood": beat.mood.word,
        "is_dnd": asked is not None
        or _within(now, zone, hours or _usual_hours(world))
        or (nap is not None and _within(now, zone, nap)),
        "emotional_weight_today": round(max((weight.intensity for weight in weights), default=0.0), 3),
        "health_score": round(well, 3),
        "locale": locale,
        "timezone": str(zone),
        "utc_offset_s": (now.astimezone(zone).utcoffset() or timedelta()).total_seconds(),
        "now": stamp(now),
    }


def _usual_hours(world: World) -> tuple[time, time]:
    found: dict[str, str] = {}
    for path in (world.config / "outreach.toml", world.home / "config" / "outreach.toml"):
        if path.is_file():
            found |= read_toml_file(path).get("quiet_hours", {})
    since, until = world.settings.furoshiki_dnd_start, world.settings.furoshiki_dnd_end
    return time.fromisoformat(since or found["from"]), time.fromisoformat(until or found["to"])


def _within(now: datetime, zone: tzinfo, hours: tuple[time, time]) -> bool:
    since, until = hours
    at = now.astimezone(zone).time()
    return since <= at < until if since <= until else at >= since or at < until
