"""Whether the stored vectors are those of the encoder that is configured, and in words what follows where they are not.

memoryd embeds every text again, by itself. Until a text has its new vector it is found by its words, as everything is
while memoryd is away; nothing is lost, and nothing is silently left out.
"""

from __future__ import annotations

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
    """`rows` texts have vectors of `before` and none yet of `after`; `seconds` is about how long that takes, at the
    speed measured on this machine (None: it was never measured). `setting` is what names the new one."""

    before: str
    after: str
    rows: int
    seconds: float | None
    setting: str = "FUROSHIKI_EMBEDDER"

    @property
    def words(self) -> str:
        """What is so, what happens, and what holds meanwhile, in one line."""
        took = "" if self.seconds is None else f", about {_span(self.seconds)} of work at the speed measured here"
        made = "an earlier encoder" if self.before == self.after else self.before
        return (
            f"{plural(self.rows, 'text')} {'has' if self.rows == 1 else 'have'} vectors of {made} and none of "
            f"{self.after}, which {self.setting} means: memoryd makes them in the background{took}; until then "
            "these are found by their words"
        )


def find_change(db: sqlite3.Connection, settings: Settings) -> EncoderChange | None:
    """What is to be embedded again because another encoder is configured; None when nothing is, or when that encoder
    cannot be used, which is told as what it is."""
    before = vectors.model(db)
    if before is None:
        return None
    if settings.furoshiki_memoryd_url is not None:  # memoryd, which asks it, has put down which it is
        rows = vectors.of_others(db, before)
        pace = vectors.pace(db)
        seconds = None if pace is None else rows / pace
        return EncoderChange(before, before, rows, seconds, "FUROSHIKI_MEMORYD_URL") if rows else None
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
    """What a start has to say of the encoder in one line: that it cannot be used and how to mend that, or that it is
    another than before; None when all is well."""
    if (why := fault(settings)) is not None:
        return f"{why}. Until then everything is found by its words alone"
    change = find_change(db, settings)
    return None if change is None else change.words


def fault(settings: Settings) -> str | None:
    """Why the encoder that is configured cannot be used, as far as that can be told without loading or asking it."""
    try:
        if settings.encoder_elsewhere is None:
            models.check(settings.furoshiki_embedder)
        else:
            from furoshiki.recall.embeddings.remote import judging

            judging.check(*settings.encoder_elsewhere)
    except (FuroshikiError, OSError) as error:
        return str(error)
    return None


def _span(seconds: float) -> str:
    if seconds < 90:
        return plural(max(1, round(seconds)), "second")
    minutes = math.ceil(seconds / 60)
    return plural(minutes, "minute") if minutes < 120 else plural(round(minutes / 60), "hour")
