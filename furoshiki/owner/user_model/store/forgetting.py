"""The part of forgetting that concerns the user model: anticipations, danger, style wishes."""

import sqlite3
from collections.abc import Collection

from furoshiki.core.database.erasure import Erasure
from furoshiki.core.database.rows import IDS, as_json, load
from furoshiki.owner.user_model.store import danger


def forget_anticipations(db: sqlite3.Connection, turns: Collection[int], erasure: Erasure) -> None:
    """Collect anticipations that cite forgotten turns."""
    for row in db.execute("SELECT id, cited FROM anticipations"):
        if set(turns) & set(load(row["cited"]) or ()):
            erasure.go("anticipations", [row["id"]])


def in_danger(db: sqlite3.Connection, keys: Collection[str], erasure: Erasure) -> None:
    """Collect the stored danger if these turns mentioned it last."""
    erasure.keys += danger.list_keys_from(db, keys)


def remove(db: sqlite3.Connection, turns: Collection[int]) -> None:
    """Remove the turn's id from wishes; the wishes stay."""
    db.execute(f"UPDATE style_preferences SET turn_id=NULL WHERE turn_id IN {IDS}", (as_json(turns),))  # noqa: S608
