"""A plugin that breaks, and the errors it leaves behind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from furoshiki.app.scheduler.store import runs
from furoshiki.extensions.repair.diagnosing import Diagnosis
from furoshiki.models.llm.values import Answer, Question
from furoshiki.world import World

BROKEN = 'import json\n\nDAYS = [{"at": "Monday", "rain": 3}, {"at": "Tuesday"}]\n\n\ndef lines():\n    return [f"{day[\'at\']}: {day[\'rain\']} mm" for day in DAYS]\n\n\nif __name__ == "__main__":\n    print(json.dumps(lines()))\n'  # fmt: skip  # noqa: E501
MENDED = BROKEN.replace("{day['rain']} mm", "{day.get('rain', 0)} mm")
FILE = "plugins/forecast/scripts/forecast.py"
DIFF = f"""--- a/{FILE}
+++ b/{FILE}
@@ -6,2 +6,2 @@
 def lines():
-    return [f"{{day['at']}}: {{day['rain']}} mm" for day in DAYS]
+    return [f"{{day['at']}}: {{day.get('rain', 0)}} mm" for day in DAYS]
"""
WORSE = DIFF.replace("day.get('rain', 0)", "day['RAIN']")
TEST = """from pathlib import Path
import runpy


def test_every_day_has_a_line():
    there = Path(__file__).parents[1] / "scripts" / "forecast.py"
    assert len(runpy.run_path(str(there))["lines"]()) == 2
"""
CAUSE = "Line 7 takes it for granted that every day has rain; Tuesday has none."


@dataclass(frozen=True)
class Plugin:
    """A plugin's script in a house, which fails."""

    world: World

    @property
    def script(self) -> Path:
        return self.world.settings.data / FILE

    def write(self, tested: bool = True) -> Plugin:
        self.script.parent.mkdir(parents=True, exist_ok=True)
        self.script.write_text(BROKEN)
        if tested:
            tests = self.script.parents[1] / "tests"
            tests.mkdir(exist_ok=True)
            (tests / "test_forecast.py").write_text(TEST)
        return self

    def fails(self, times: int = 3, script: Path | None = None, said: str = "") -> None:
        """So many runs that end in the same error, minutes apart, until now."""
        where = script or self.script
        way = f"Traceback (most recent call last):\n  File \"{where}\", line 7, in lines\n    …\nKeyError: 'rain'\n"
        with self.world.database.write() as db:
            for minutes in range(times):
                at = self.world.now - timedelta(minutes=minutes)
                run = runs.begin(db, "forecast", at - timedelta(seconds=2))
                runs.finish(db, run, at, 1, summary="KeyError: 'rain'", output=said + way)

    def jobs(self) -> list[dict[str, Any]]:
        with self.world.database.read() as db:
            return [dict(row) for row in db.execute("SELECT * FROM repair_jobs ORDER BY id")]


@pytest.fixture
def plugin(world: World) -> Plugin:
    return Plugin(world).write()


def says(
    diff: str | None = DIFF, defects: str = "one", cause: str = CAUSE, cost: float = 0.01
) -> Callable[[Question], Answer]:
    """A model's answer about the error."""

    def answer(question: Question) -> Answer:
        parsed = Diagnosis.model_validate({"cause": cause, "defects": defects, "diff": diff})
        return Answer("", "stop", "scripted", "script", question.tier, parsed=parsed, cost_usd=cost)

    return answer
