"""What is pinned of an installed plugin after one of its files was mended: the one place where pins follow a change
that its owner did not make."""

import hashlib

from furoshiki.extensions.plugins.store import plugins
from furoshiki.world import World


def is_as_allowed(world: World, name: str, file: str, text: str) -> bool:
    """Whether a file's text is the one its owner allowed; so it is, too, of a plugin that was never installed."""
    with world.database.read() as db:
        row = plugins.read_all(db).get(name)
    return row is None or row.pins.get(file) == _pin(text)


def renew(world: World, name: str, file: str, before: str, after: str) -> None:
    """Pin the text `after` of a file in place of `before`; nothing where something else is pinned. A plugin that was
    on, or off for its failures alone, is on."""
    with world.database.write() as db:
        row = plugins.read_all(db).get(name)
        if row is not None and row.pins.get(file) in (_pin(before), _pin(after)):
            plugins.repin(db, row, {**row.pins, file: _pin(after)}, world.now)


def _pin(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
