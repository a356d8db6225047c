"""Count the companion's lifetime in its chat process, with one write an hour."""

from datetime import datetime, timedelta

from furoshiki.mind.readiness import rules
from furoshiki.mind.readiness.store import lives
from furoshiki.world import World

EVERY = timedelta(hours=1)


class Lifetime:
    """The count of one process. Its methods raise StorageUnavailable."""

    def __init__(self) -> None:
        self._counted: datetime | None = None

    def begin(self, world: World) -> None:
        """Count a start; the first one creates the row."""
        with world.database.write() as db:
            lives.keep(db, rules.start(lives.manifest(db, world.now), world.now), world.now)
        self._counted = world.now

    def go_on(self, world: World) -> None:
        """Add the time since the last count after an hour, or when the clock was set back."""
        if self._counted is not None and not timedelta(0) <= world.now - self._counted < EVERY:
            self.count(world)

    def count(self, world: World) -> None:
        """Add the time since the last count; does nothing before `begin`."""
        if self._counted is None:
            return
        with world.database.write() as db:
            lives.keep(db, rules.count_hours(lives.manifest(db, world.now), world.now), world.now)
        self._counted = world.now
