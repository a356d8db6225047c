"""Which self-questions keep coming back about the companion's own conduct. Arithmetic only: the soul engine calls it.

What comes of a pattern is `inner_life.self_model.commitments`: after a conversation, where a mind is asked anyway.
"""

from __future__ import annotations

from furoshiki.core.process.crash_points import point
from furoshiki.mind.inner_life.rules.patterns import Asked, about_conduct, belongs
from furoshiki.mind.inner_life.store import patterns
from furoshiki.world import World

AT_ONCE = 20
"""Questions looked at in one tick, which stays short however many have come up (0.2 s among 1,500)."""


def watch(world: World) -> int:
    """Put new questions about conduct into their patterns, or begin one; returns how many were put.

    All or nothing: killed, the next tick looks at the same questions again. How often a pattern came up needs no
    counting here: those are the times of its questions.
    """
    with world.database.read() as db:
        if not patterns.has_new(db):
            return 0
    put = 0
    with world.database.write() as db:
        known = patterns.members(db)
        fresh = patterns.unseen(db, AT_ONCE)
        for question_id, asked in fresh:
            if patterns.is_placed(db, question_id) or not about_conduct(asked.text):
                continue
            home = _home(known, asked)
            if home is None:
                home = patterns.begin(db, asked.text, world.now)
            patterns.place(db, question_id, home)
            known.setdefault(home, []).append(asked)
            put += 1
        if fresh:
            patterns.mark_seen(db, fresh[-1][0], world.now)
        point("patterns.before_commit")
    return put


def _home(known: dict[int, list[Asked]], asked: Asked) -> int | None:
    """The first pattern it belongs to."""
    return next((pattern for pattern, members in known.items() if belongs(asked, members)), None)
