"""What was taken back as never true is found where it still stands."""

from __future__ import annotations

from furoshiki.core.timestamps import stamp
from furoshiki.memory.store import corrections
from furoshiki.world import World

INSERT = (
    "INSERT INTO memories (type, content, status, valid_from, valid_to, created_at, source_tag) "
    "VALUES ('semantic', ?, ?, ?, ?, ?, 'user')"
)


def test_what_was_never_true_is_found_in_a_text_and_what_was_true_once_is_not(world: World) -> None:
    now = stamp(world.now)
    with world.database.write() as db:
        db.execute(INSERT, ("The user's sister is called Anita.", "archived", now, now, now))
        db.execute(INSERT, ("The user lives in Paris.", "superseded", now, now, now))
        db.execute(INSERT, ("The user's cat is called Tom.", "archived", now, now, now))
        found = corrections.never_true(db, "- The user's sister is called Anita.\n- The user lives in Paris.")
    assert found == ["The user's sister is called Anita."]
