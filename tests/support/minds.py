"""What a mind holds that pages and programs show."""

from __future__ import annotations

from furoshiki.faces.dashboard.pages import mind
from furoshiki.mind.inner_life.rules import self_description
from furoshiki.mind.inner_life.store import commitments, drift, patterns, self_questions
from furoshiki.mind.inner_life.store.drift import Ground, NewDrift
from furoshiki.world import World

PATHS = [address for address, _ in mind.TABS]


def proposed(world: World, before: str, text: str) -> int:
    """A change that waits for the owner."""
    new = NewDrift(
        before=before,
        text=text,
        diff=self_description.diff(before, text),
        similarity=0.5,
        changed_share=0.5,
        themes=(),
        reasons=(Ground("It was asked for", kind="shift"), Ground("New <script>alert(1)</script>")),
        provider="local",
        seen_entry=0,
        state="proposed",
    )
    with world.database.write() as db:
        return drift.add(db, new, world.now)


def promised(world: World, text: str) -> int:
    """A promise that holds."""
    with world.database.write() as db:
        pattern = patterns.begin(db, "do I ask too much?", world.now)
        asked = self_questions.add(db, f"Do I ask too much, as {text}?", "sessions:s1", world.now)
        assert asked is not None
        patterns.place(db, asked, pattern)
        made = commitments.add(db, pattern, text, "At most one question in an answer.", world.now)
        assert made is not None
        commitments.record(db, made, "s1", "honoured", [1], world.now)
    return made
