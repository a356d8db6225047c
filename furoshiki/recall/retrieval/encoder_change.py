"""Detect a change of the configured encoder, and describe its effects.

memoryd re-embeds every text by itself. Until a text has its new vector it is found by full-text
search, as all texts are while memoryd is away.
"""

import math
import sqlite3
from dataclasses import dataclass

from furoshiki.core.errors import FuroshikiError
from furoshiki.core.settings import Settings
from furoshiki.language.humanize import plural
from furoshiki.recall.embeddings import models
from furoshiki.recall.retrieval.store import vectors


@dataclass(frozen=True)
class EncoderChange:
    """A pending change: `rows` texts have vectors of `before` and not of `after`.

    `seconds` estimates the time at the speed measured on this machine (None: never measured).
    """

    before: str
    after: str
    rows: int
    seconds: float | None

    @property
    def words(self) -> str:
        """The change, its consequences and the present state, in one line."""
        took = "" if self.seconds is None else f", about {_span(self.seconds)} of work at the speed measured here"
        previous = "an earlier encoder" if self.before == self.after else self.before
        return (
            f"{plural(self.rows, 'text')} {'has' if self.rows == 1 else 'have'} vectors of {previous} and none of "
            f"{self.after}, which FUROSHIKI_EMBEDDER means: memoryd makes them in the background{took}; until then "
            "these are found by their words"
        )


def find_change(db: sqlite3.Connection, settings: Settings) -> EncoderChange | None:
    """Return the pending change of encoder; None if there is none, or it is unusable."""
    before = vectors.model(db)
    if before is None:
        return None
    try:
        after = models.predict_id(settings.furoshiki_embedder, settings.data / "models")
    except (FuroshikiError, OSError):
        return None
    rows = 0 if after is None else vectors.of_others(db, after)
    if after is None or rows == 0:
        return None
    pace = vectors.pace(db)
    return EncoderChange(before, after, rows, None if pace is None else rows / pace)


def at_start(db: sqlite3.Connection, settings: Settings) -> str | None:
    """Return a line on an unusable or changed encoder, for the startup; None if all is well."""
    if (why := fault(settings)) is not None:
        return f"{why}. Until then everything is found by its words alone"
    change = find_change(db, settings)
    return None if change is None else change.words


def fault(settings: Settings) -> str | None:
    """Return why the configured encoder is unusable, without loading or asking it."""
    try:
        models.check(settings.furoshiki_embedder)
    except (FuroshikiError, OSError) as error:
        return str(error)
    return None


def _span(seconds: float) -> str:
    if seconds < 90:
        return plural(max(1, round(seconds)), "second")
    minutes = math.ceil(seconds / 60)
    return plural(minutes, "minute") if minutes < 120 else plural(round(minutes / 60), "hour")
