"""What was said in a world, for tests of the turn."""

from __future__ import annotations

from furoshiki.world import World


def said(world: World, where: str = "1=1") -> list[tuple[str, str, str]]:
    with world.database.read() as db:
        rows = db.execute(f"SELECT speaker, kind, text FROM turns WHERE {where} ORDER BY id").fetchall()
    return [(row["speaker"], row["kind"], row["text"]) for row in rows]
