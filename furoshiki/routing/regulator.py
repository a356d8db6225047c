"""Once a day: see whether the router's numbers do well, move one of them a little, and take back what did not help.

Nothing else writes them. What was decided is rows (`router_changes`); the file that the router reads is made from them
afterwards, so that a death in between costs nothing: the next run writes it.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence

from furoshiki.core import atomic_files
from furoshiki.core.database import kv
from furoshiki.core.process.crash_points import point
from furoshiki.core.timestamps import stamp
from furoshiki.language.humanize import plural
from furoshiki.routing import weights
from furoshiki.routing.due import PINNED, REGULATED_AT, WRITTEN, look
from furoshiki.routing.rules import regulator as rules
from furoshiki.routing.rules.changes import WEEK, Change, Move
from furoshiki.routing.rules.decisions import Decided
from furoshiki.routing.rules.weights import NAMES, RouterLaws
from furoshiki.routing.store import changes, judgements
from furoshiki.world import Report, World


def regulate(world: World) -> Report:
    """Judge what was moved two days ago, move one number more if something is off, and have the router read it."""
    with world.database.read() as db:
        since = min((world.now - WEEK, *(one.at for one in changes.every(db) if one.state == "measuring")))
    laws = weights.laws(world)
    with world.database.write() as db:
        judged, move = list[str](), None
        if look(db, world.now):  # asked again: the run may have been for the file alone
            if weights.heeded(world):
                decided = judgements.since(db, since)
                judged = _judge(db, world, decided)
                move = _move(db, world, laws, decided)
            kv.put(db, REGULATED_AT, stamp(world.now), world.now)
        point("router.before_commit")
    point("router.changed")
    wrote = publish(world)
    counts = Counter(judged)
    said = [f"{plural(counts[state], 'change')} {state}" for state in ("kept", "reverted") if counts[state]]
    if move is not None:
        said.append(f"{move.parameter} {move.before:g} → {move.after:g} against {move.pressure.key}")
    if not said:
        said.append("the router's numbers were written anew" if wrote else "nothing is to be moved")
    moved = None if move is None else move.parameter
    return Report(bool(judged or move or wrote), "; ".join(said), {**counts, "moved": moved})


def _judge(db: sqlite3.Connection, world: World, decided: Sequence[Decided]) -> list[str]:
    """Measure again what each change was made against, where it is old enough and enough was decided since."""
    judged: list[str] = []
    for one in changes.every(db):
        if one.state != "measuring" or world.now - one.at < rules.COOLDOWN:
            continue
        pressure = rules.measured(one.name, [made for made in decided if made.at > one.at])
        if pressure is None:
            continue
        state = rules.verdict(one.pressure_before, pressure.value)
        decide = changes.keep if state == "kept" else changes.revert
        if decide(db, one.id, pressure.value, world.now):
            judged.append(state)
    return judged


def _move(db: sqlite3.Connection, world: World, laws: RouterLaws, decided: Sequence[Decided]) -> Move | None:
    made = changes.every(db)
    pressures = rules.pressing([one for one in decided if one.at > world.now - WEEK], made, world.now)
    move = rules.move(pressures, _values(laws, made), laws.bounds, made, world.now)
    if move is not None:
        changes.add(db, move, world.now)
    return move


def _values(laws: RouterLaws, made: Sequence[Change]) -> dict[str, float]:
    """Every number as it stands."""
    shipped = _shipped(laws)
    return {**shipped, **rules.learned(shipped, laws.bounds, made)}


def publish(world: World) -> bool:
    """Make the router's file what the rows say; False when it is that. Raises OSError; the old file then stays."""
    with atomic_files.locked(world.home / "run" / "mode_router.lock"):  # the owner may take something back meanwhile
        return _publish(world)


def _publish(world: World) -> bool:
    laws, path = weights.laws(world), weights.generated_file(world)
    with world.database.read() as db:
        version, made, written = changes.version(db), changes.every(db), int(kv.get(db, WRITTEN, 0))
    if not version:
        return False
    shipped = _shipped(laws)
    text = _as_text({"version": version, "weights": rules.learned(shipped, laws.bounds, made)})
    old = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else None
    if old != text:
        atomic_files.write_text(path, text)
    point("router.written")
    if written != version:
        with world.database.write() as db:
            kv.put(db, WRITTEN, version, world.now)
    return old != text


def take_back(world: World, ids: Sequence[int]) -> int:
    """Put back what these changes moved, as the owner wants it; returns how many still held."""
    with world.database.write() as db:
        done = sum(changes.revert(db, one, None, world.now) for one in ids)
    publish(world)
    return done


def pin(world: World, on: bool) -> None:
    """From now on leave the numbers as they are, or regulate them again."""
    with world.database.write() as db:
        kv.put(db, PINNED, stamp(world.now), world.now) if on else kv.drop(db, PINNED)


def pinned(db: sqlite3.Connection) -> bool:
    """Whether the owner wants the numbers left as they are."""
    return kv.get(db, PINNED) is not None


def _shipped(laws: RouterLaws) -> dict[str, float]:
    return {name: laws.weights.value(name) for name in NAMES}


def _as_text(numbers: Mapping[str, object]) -> str:
    return json.dumps(numbers, indent=2, sort_keys=True) + "\n"
