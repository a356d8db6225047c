"""A plugin that breaks day after day is looked into, mended and on again: nothing is put on record by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from furoshiki.extensions.plugins import hooks, switching
from furoshiki.extensions.plugins.package import gather_files
from furoshiki.extensions.plugins.sandbox import probing
from furoshiki.extensions.plugins.store import plugins as store
from furoshiki.extensions.repair import dispatching, due
from furoshiki.world import World
from tests.extensions.repair.conftest import says
from tests.support import plugins
from tests.support.world import FrozenClock, Script

pytestmark = pytest.mark.slow

BROKEN = """import json

DAYS = [{"at": "Monday", "rain": 3}, {"at": "Tuesday"}]


def lines():
    return [f"{day['at']}: {day['rain']} mm" for day in DAYS]


print(json.dumps({"log": "; ".join(lines())}))
"""
DIFF = """--- a/plugins/sky/scripts/main.py
+++ b/plugins/sky/scripts/main.py
@@ -6,2 +6,2 @@
 def lines():
-    return [f"{day['at']}: {day['rain']} mm" for day in DAYS]
+    return [f"{day['at']}: {day.get('rain', 0)} mm" for day in DAYS]
"""
DAILY = """
  - hook: cron
    script: scripts/main.py
    when: "5 7 * * *"
"""


def state(world: World) -> str:
    with world.database.read() as db:
        return store.read_all(db)["sky"].state


async def test_it_is_mended_and_runs_again(world: World, tmp_path: Path, clock: FrozenClock, model: Script) -> None:
    if (here := probing.choose_backend("auto")).backend is None:
        pytest.skip(f"nothing holds plugins here: {here.words}")
    folder = plugins.write(tmp_path / "from" / "sky", name="sky", entries=DAILY, script=BROKEN)
    switching.put_in_place(world, gather_files(folder), "folder")
    for _day in range(3):
        assert "KeyError" in (await hooks.run_scheduled(world, "sky", "1")).summary
        clock.pass_(days=1)
    assert state(world) == "failing"
    with world.database.read() as db:
        assert due.repair_dispatcher(db, world.now) == "an error came back"
    model.lines = [says(DIFF)]
    assert (await dispatching.dispatch(world)).summary == "1 new, 1 mended"
    assert state(world) == "enabled"
    assert (await hooks.run_scheduled(world, "sky", "1")).summary == "sky: Monday: 3 mm; Tuesday: 0 mm"
