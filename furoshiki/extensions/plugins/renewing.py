"""Update of a plugin's pins after a repair of one file: the only change of pins without its
owner."""

import hashlib

from furoshiki.extensions.plugins.store import plugins
from furoshiki.world import World


def is_as_allowed(world: World, name: str, file: str, text: str) -> bool:
    """Return whether a file's text is the approved one, or the plugin was never installed."""
    with world.database.read() as db:
        row = plugins.read_all(db).get(name)
    return row is None or row.pins.get(file) == _pin(text)


def renew(world: World, name: str, file: str, before: str, after: str) -> None:
    """Pin `after` instead of `before` for a file, if `before` is pinned.
    A plugin that was enabled, or disabled only for failures, is enabled."""
    with world.database.write() as db:
        row = plugins.read_all(db).get(name)
        if row is not None and row.pins.get(file) in (_pin(before), _pin(after)):
            plugins.repin(db, row, {**row.pins, file: _pin(after)}, world.now)


def _pin(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
