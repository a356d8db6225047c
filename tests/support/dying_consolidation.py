"""One consolidation of a folder's memory, light or deep, killed where it is told.

`python -m tests.support.dying_consolidation FOLDER light|deep`, with FUROSHIKI_CRASH_AT naming the point.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from furoshiki.consolidation import deep, light
from furoshiki.core.database.connection import Database
from tests.support.dying_night import world_in

if __name__ == "__main__":
    here = Path(sys.argv[1])
    world = world_in(here, Database(here / "memory" / "longmemory.sqlite", busy_seconds=5.0))
    if sys.argv[2] == "light":
        light.run(world)
    else:
        asyncio.run(deep.consolidate(world))
